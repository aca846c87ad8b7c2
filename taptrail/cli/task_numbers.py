"""What comes of judged attempts: steps that people needed, a benchmark's numbers and files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from taptrail.cli.output import json_option, library_option, print_json, say, table
from taptrail.words import tr

if TYPE_CHECKING:
    from taptrail.usecases.androidlab_numbers import LabNumbers
    from taptrail.usecases.androidworld_results import WorldNumbers
    from taptrail.usecases.task_steps import TaskSteps

_FOLDER = click.Path(file_okay=False, path_type=Path)
_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command(help=tr("Show how many steps people needed, from the recordings in a library."))
@click.argument("task", default="")
@click.option(
    "--bench",
    type=click.Choice(("androidworld",)),
    help=tr("List all tasks of this benchmark, and no others."),
)
@click.option("--write", "path", type=_FILE, help=tr("Write them to this file."))
@click.option(
    "--form",
    type=click.Choice(("csv", "androidlab", "androidworld")),
    default="csv",
    show_default=True,
    help=tr("Of the file: all numbers, or a benchmark's own table of human steps."),
)
@library_option
@json_option
def steps(
    task: str, bench: str | None, path: Path | None, form: str, library: Path, as_json: bool
) -> None:
    """`taptrail tasks steps [TASK]`"""
    from episodes.store.library import Library
    from taptrail.usecases.task_steps import StepsForm, task_steps, write_steps
    from tasks.benches.androidworld.catalogue import catalogue

    with Library.read(library) as kept:
        found = task_steps(kept, task, catalogue() if bench and not task else ())
    if path is not None:
        write_steps(found, path, StepsForm(form))
    if as_json:
        print_json([one.to_json() for one in found])
        return
    if not found:
        say(tr("There are no recordings of tasks."))
    for one in found:
        say(_steps_line(one))


@click.command(help=tr("Show a benchmark's numbers over judged attempts."))
@click.option(
    "--bench",
    type=click.Choice(("androidworld", "androidlab")),
    default="androidlab",
    show_default=True,
    help=tr("Whose numbers."),
)
@click.option("--python", default="", help=tr("AndroidWorld's own function makes the table."))
@click.option("--home", type=_FOLDER, help=tr("Folder of the benchmark's code."))
@click.option("--sheet", type=_FILE, help=tr("Write Android Lab's result sheet to this CSV."))
@library_option
@json_option
def numbers(
    bench: str,
    python: str,
    home: Path | None,
    sheet: Path | None,
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail tasks numbers`"""
    from episodes.store.library import Library

    if bench == "androidworld":
        from taptrail.usecases.androidworld_results import world_numbers

        with Library.read(library) as kept:
            found = world_numbers(kept, python, home)
        if as_json:
            print_json([one.to_json() for one in found])
            return
        for one in found:
            _show_world(one)
        return
    from taptrail.usecases.androidlab_numbers import lab_numbers, write_sheet

    with Library.read(library) as kept:
        lab = lab_numbers(kept)
    if sheet is not None:
        write_sheet(lab, sheet)
    if as_json:
        print_json([one.to_json() for one in lab])
        return
    _show_lab(lab)


@click.command(help=tr("Write AndroidWorld's result files, by its own code."))
@click.argument("folder", type=_FOLDER)
@click.option("--python", default="", help=tr("The Python that has the benchmark."))
@click.option("--home", type=_FOLDER, help=tr("Folder of the benchmark's code."))
@click.option("--episode", "names", multiple=True, help=tr("Its name or uuid; all without it."))
@library_option
@json_option
def save(
    folder: Path,
    python: str,
    home: Path | None,
    names: tuple[str, ...],
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail tasks save FOLDER`"""
    from taptrail.usecases.androidworld_results import save_world_results

    done = save_world_results(library, folder, python=python, home=home, names=names)
    if as_json:
        print_json(
            {
                "folder": str(folder),
                "episodes": done.episodes,
                "steps": done.steps,
                "losses": [
                    {"what": loss.what, "first": loss.first, "count": loss.count}
                    for loss in done.losses
                ],
            }
        )
        return
    say(
        tr(
            "Wrote {n} result file to {folder}.",
            "Wrote {n} result files to {folder}.",
            n=done.episodes,
            folder=folder,
        )
    )
    for loss in done.losses:
        say(
            tr(
                "Left out: {what} ({count}), first {first}.",
                what=loss.what,
                count=loss.count,
                first=loss.first,
            )
        )


def _steps_line(one: TaskSteps) -> str:
    published = ""
    if one.published_steps is not None:
        published = tr(
            " AndroidWorld's table: {steps}; its budget: {budget}.",
            steps=one.published_steps,
            budget=one.published_budget,
        )
    if one.steps is None:
        return tr("{task}: no recordings of people that count.", task=one.task) + published
    told = tr(
        "{task}: {mean} steps in the mean of {n} attempt; budget {budget}.",
        "{task}: {mean} steps in the mean of {n} attempts; budget {budget}.",
        n=one.attempts,
        task=one.task,
        mean=f"{one.steps['mean']:.4g}",
        budget=one.budget,
    )
    return told + published


def _show_world(numbers: WorldNumbers) -> None:
    def cell(value: Any) -> str:
        return tr("none") if value is None else f"{value:.4g}"

    columns = (
        *("num_complete_trials", "mean_success_rate", "mean_episode_length"),
        *("total_runtime_s", "num_fail_trials"),
    )
    table(
        tr("{agent}, by {by}", agent=numbers.agent, by=numbers.by),
        (
            *(tr("task"), tr("completed"), tr("success"), tr("steps"), tr("seconds")),
            tr("failed with an exception"),
        ),
        [
            *(
                (row["task_template"], *(cell(row[name]) for name in columns))
                for row in numbers.rows
            ),
            (tr("mean"), *(cell(numbers.mean[name]) for name in columns)),
        ],
    )


def _show_lab(lab: Sequence[LabNumbers]) -> None:
    """Shows the published and the corrected numbers of each agent, one below the other."""
    from taptrail.usecases.androidlab_numbers import NAMES

    def percent(value: float | None) -> str:
        return tr("none") if value is None else f"{100 * value:.2f} %"

    table(
        "",
        (tr("agent"), tr("numbers"), tr("tasks"), *NAMES, tr("unknown")),
        [
            (
                one.agent,
                kind,
                str(len(one.results)),
                *(percent(values[name]) if name in values else "" for name in NAMES),
                str(one.unknown),
            )
            for one in lab
            for kind, values in (
                (tr("as published"), one.published),
                (tr("corrected"), one.corrected),
                (tr("by recorded people"), {"RRR": one.by_our_people}),
            )
        ],
    )
    for one in lab:
        if one.vanished:
            say(
                tr(
                    "{agent}: {n} trace with a lost line is in no published number.",
                    "{agent}: {n} traces with a lost line are in no published number.",
                    n=one.vanished,
                    agent=one.agent,
                )
            )
