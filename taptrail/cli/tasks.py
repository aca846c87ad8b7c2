"""`taptrail tasks`: runs tasks and judges them by the phone's state."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from taptrail.cli.output import json_option, library_option, print_json, say, table
from taptrail.cli.task_numbers import numbers, save, steps
from taptrail.words import tr

if TYPE_CHECKING:
    from recorder.device.interface import Devices
    from tasks.running import TaskOutcome

BENCHES = ("own", "androidworld", "androidlab", "mobileworld")
_FILE = click.Path(path_type=Path)
_SCRIPT = click.Path(dir_okay=False, path_type=Path)


@click.group(help=tr("Set up and run tasks, and judge them by the phone's state."))
def tasks() -> None:
    """`taptrail tasks`"""


for _command in (numbers, save, steps):
    tasks.add_command(_command)


def bench_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds --bench, --python and --home."""
    for option in (
        click.option(
            "--home",
            type=click.Path(file_okay=False, path_type=Path),
            help=tr("Folder of the benchmark's code."),
        ),
        click.option("--python", default="", help=tr("The Python that has the benchmark.")),
        click.option("--bench", type=click.Choice(BENCHES), default="own", help=tr("Whose tasks.")),
    ):
        command = option(command)
    return command


def files_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds --file, for the user's own task files."""
    return click.option(
        "--file",
        "files",
        type=_FILE,
        multiple=True,
        help=tr("A task file, or a folder of them; without it, the demo phone's tasks."),
    )(command)


def phone_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds --serial and --disposable."""
    for option in (
        click.option(
            "--disposable",
            default="",
            help=tr("The phone's serial again, to allow deleting data on it."),
        ),
        click.option("--serial", default="", help=tr("The phone; see taptrail devices.")),
    ):
        command = option(command)
    return command


@tasks.command("list", help=tr("List tasks with their goals and budgets."))
@bench_options
@files_option
@json_option
def list_tasks(
    bench: str, python: str, home: Path | None, files: tuple[Path, ...], as_json: bool
) -> None:
    """`taptrail tasks list`"""
    from taptrail.usecases.task_list import listed_tasks

    found = listed_tasks(bench, python, home, files)
    if as_json:
        print_json([one.to_json() for one in found])
        return
    table(
        "",
        (tr("task"), tr("budget"), tr("apps"), tr("goal")),
        [
            (one.task, "" if one.budget is None else str(one.budget), ", ".join(one.apps), one.goal)
            for one in found
        ],
    )


@tasks.command(help=tr("Show one task, with the goals of its first instances."))
@click.argument("task")
@bench_options
@files_option
@click.option("--seed", type=int, default=30, show_default=True, help=tr("Of the suite."))
@json_option
def show(
    task: str,
    bench: str,
    python: str,
    home: Path | None,
    files: tuple[Path, ...],
    seed: int,
    as_json: bool,
) -> None:
    """`taptrail tasks show TASK`"""
    from taptrail.usecases.task_list import shown_task

    found = shown_task(task, bench, python, home, files, seed)
    if as_json:
        print_json(found)
        return
    for name, value in found.items():
        if isinstance(value, list):
            say(f"{name}:")
            for one in value:
                say(f"  {one}")
        else:
            say(f"{name}: {value}")


@tasks.command(help=tr("Set up a task, play a script, and judge it by the phone's state."))
@click.argument("task")
@phone_options
@bench_options
@files_option
@click.option("--seed", type=int, default=30, show_default=True, help=tr("Of the suite."))
@click.option("--instance", type=click.IntRange(min=0), default=0, help=tr("Its number, from 0."))
@click.option("--script", type=_SCRIPT, help=tr("A JSON list of actions; without it, none."))
@click.option(
    "--even-if-satisfied",
    is_flag=True,
    help=tr("Continue if the task is satisfied at the start."),
)
@library_option
@json_option
def run(
    task: str,
    serial: str,
    disposable: str,
    bench: str,
    python: str,
    home: Path | None,
    files: tuple[Path, ...],
    seed: int,
    instance: int,
    script: Path | None,
    even_if_satisfied: bool,
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail tasks run TASK`"""
    from taptrail.usecases.recording import read_script

    actions = read_script(script) if script is not None else ()
    if bench == "own":
        from taptrail.usecases.task_phone import task_phone
        from taptrail.usecases.task_runs import own_tasks, run_task
        from tasks.task_files import find_task

        devices = open_phones()
        outcome = run_task(
            find_task(own_tasks(files), task).instance(instance, seed),
            task_phone(serial, devices, disposable),
            library,
            actions,
            devices=devices,
            even_if_satisfied=even_if_satisfied,
        )
    elif bench == "androidworld":
        from taptrail.usecases.androidworld import run_androidworld

        outcome = run_androidworld(
            task,
            serial,
            library,
            actions,
            python=python,
            home=home,
            seed=seed,
            instance=instance,
            devices=open_phones(),
            disposable=disposable,
        )
    elif bench == "mobileworld":
        raise click.UsageError(
            tr("MobileWorld runs its tasks in its own container: import its runs.")
        )
    else:
        from taptrail.usecases.androidlab import run_androidlab

        outcome = run_androidlab(
            task, serial, library, actions, python=python, home=home, devices=open_phones()
        )
    _tell(outcome, as_json)


@tasks.command(help=tr("Judge stored recordings with a benchmark's own judges."))
@bench_options
@click.option(
    "--episode", default="", help=tr("Its name or uuid; without it, all that name a task.")
)
@click.option("--task", default="", help=tr("The benchmark's name of the task."))
@library_option
@json_option
def judge(
    bench: str,
    python: str,
    home: Path | None,
    episode: str,
    task: str,
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail tasks judge`"""
    if bench != "androidlab":
        raise click.UsageError(tr("Recordings are judged with --bench androidlab."))
    if bool(episode) != bool(task):
        raise click.UsageError(tr("Name both --episode and --task, or neither."))
    from taptrail.usecases.androidlab import judge_library, judge_recording

    if episode:
        _tell(judge_recording(library, episode, task, python=python, home=home), as_json)
        return
    found = judge_library(library, python=python, home=home)
    if as_json:
        print_json([one.to_json() for one in found])
        return
    table(
        "",
        (tr("episode"), tr("task"), tr("verdict"), tr("claimed"), tr("reason")),
        [(one.episode, one.task, one.verdict.value, one.claimed, one.reason) for one in found],
    )


@tasks.command(help=tr("Test a task's checks: an empty run and other tasks must fail."))
@click.argument("task")
@phone_options
@bench_options
@files_option
@library_option
@json_option
def test(
    task: str,
    serial: str,
    disposable: str,
    bench: str,
    python: str,
    home: Path | None,
    files: tuple[Path, ...],
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail tasks test TASK`"""
    from episodes.errors import KnownError
    from taptrail.usecases.task_phone import task_phone
    from taptrail.usecases.task_runs import judge_tests, own_tasks, play_actions
    from tasks.task_files import find_task

    if bench == "androidlab":
        from taptrail.usecases.androidlab import lab_judge_tests

        found = lab_judge_tests(library, task, python=python, home=home)
    elif bench == "own":
        devices = open_phones()
        phone = task_phone(serial, devices, disposable)
        chosen = find_task(own_tasks(files), task)
        found = judge_tests(
            chosen, phone, library, lambda actions: play_actions(phone.serial, actions, devices)
        )
    else:
        raise click.UsageError(tr("Own tasks and Android Lab's are tested."))
    wrong = [one for one in found if not one.as_expected]
    if as_json:
        print_json(
            {
                "task": task,
                "passed": not wrong,
                "tests": [
                    {
                        "episode": one.episode,
                        "task": one.task,
                        "expected": one.expected,
                        "verdict": one.verdict.value,
                        "as_expected": one.as_expected,
                        "reason": one.reason,
                    }
                    for one in found
                ],
            }
        )
    else:
        table(
            "",
            (tr("recording"), tr("of task"), tr("must be done"), tr("verdict"), tr("reason")),
            [
                (
                    one.episode or tr("nothing done"),
                    one.task,
                    tr("yes") if one.expected else tr("no"),
                    one.verdict.value,
                    one.reason,
                )
                for one in found
            ],
        )
    if wrong:
        raise KnownError(
            tr("trust the checks of “{task}”", task=task),
            tr("{n} of {total} recordings were judged wrongly", n=len(wrong), total=len(found)),
            tr("Correct the task's check."),
        )


@tasks.command(help=tr("Set up and check every task without acting."))
@phone_options
@bench_options
@files_option
@click.option("--seed", type=int, default=30, show_default=True, help=tr("Of the suite."))
@click.option("--count", type=click.IntRange(1, 1000), default=1, help=tr("Instances of each."))
@json_option
def sweep(
    serial: str,
    disposable: str,
    bench: str,
    python: str,
    home: Path | None,
    files: tuple[Path, ...],
    seed: int,
    count: int,
    as_json: bool,
) -> None:
    """`taptrail tasks sweep`"""
    if bench == "own":
        from taptrail.usecases.task_phone import task_phone
        from taptrail.usecases.task_runs import own_tasks, swept

        phone = task_phone(serial, open_phones(), disposable)
        found = swept(own_tasks(files), phone, count, seed)
    elif bench == "androidworld":
        from taptrail.usecases.androidworld import sweep_androidworld

        found = sweep_androidworld(
            serial,
            python=python,
            home=home,
            seed=seed,
            count=count,
            devices=open_phones(),
            disposable=disposable,
        )
    else:
        raise click.UsageError(tr("Only own tasks and AndroidWorld's have a set-up to sweep."))
    if as_json:
        print_json([one.to_json() for one in found])
        return
    table(
        "",
        (tr("task"), tr("instance"), tr("satisfied at the start"), tr("verdict"), tr("reason")),
        [
            (
                one.task,
                str(one.instance),
                {True: tr("yes"), False: tr("no"), None: tr("unknown")}[one.satisfied_at_start],
                one.verdict.value,
                one.reason,
            )
            for one in found
        ],
    )


def open_phones() -> Devices:
    from recorder.devices import open_devices
    from taptrail.settings import load_settings, settings_file

    return open_devices(load_settings(settings_file()).adb_port)


def _tell(outcome: TaskOutcome, as_json: bool) -> None:
    if as_json:
        print_json(outcome.to_json())
        return
    score = tr("unknown") if outcome.score is None else f"{outcome.score:g}"
    say(
        tr(
            "{task}: {verdict} (score {score}), claimed: {claimed}.",
            task=outcome.task,
            verdict=outcome.verdict.value,
            score=score,
            claimed=outcome.claimed or tr("nothing"),
        )
    )
    say(outcome.reason)
