"""`taptrail agent`: lets a model do tasks on phones."""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from taptrail.cli.output import json_option, library_option, print_json, say, table
from taptrail.cli.predict import read_key
from taptrail.cli.tasks import files_option, open_phones
from taptrail.settings import API_KEY
from taptrail.words import tr

if TYPE_CHECKING:
    from agents.attempt import Progress
    from agents.gate import Consent
    from agents.numbers import AgentNumbers
    from agents.work_list import Entry
    from tasks.running import TaskOutcome

LOOP_NAMES = ("plain", "summary", "text")


@click.command(help=tr("Let a model do tasks on phones, and judge them by the phone's state."))
@click.argument("recipe_name", metavar="RECIPE")
@click.option(
    "--task",
    "names",
    multiple=True,
    required=True,
    help=tr("The name of a task, “all”, or what is to be done in words."),
)
@files_option
@click.option("--serial", "serials", multiple=True, help=tr("A phone; may be repeated."))
@click.option("--consent", default="", help=tr("The serial of a physical phone, typed again."))
@click.option(
    "--disposable", default="", help=tr("The phone's serial again, to allow deleting data on it.")
)
@click.option("--loop", type=click.Choice(LOOP_NAMES), default="plain", show_default=True)
@click.option("--model", default="", help=tr("The model's name at the server."))
@click.option("--name", default="", help=tr("The run's name; default: the recipe's."))
@click.option("--endpoint", default="", help=tr("Address of an OpenAI-compatible server, to /v1."))
@click.option("--model-function", default="", help=tr("MODULE:FUNCTION instead of a server."))
@click.option(
    "--key-from",
    type=click.Path(dir_okay=False, path_type=Path),
    help=tr("A file with the key; without it, the variable {name}.", name=API_KEY),
)
@click.option("--send-to", default="", help=tr("The host that may receive screenshots."))
@click.option("--seed", "seeds", type=int, multiple=True, help=tr("Of the suite; may be repeated."))
@click.option("--attempts", type=click.IntRange(1, 1000), default=1, show_default=True)
@click.option(
    "--budget-steps", default="auto", show_default=True, help=tr("The maximum number of turns.")
)
@click.option("--budget-s", type=float, help=tr("The maximum number of seconds."))
@click.option("--budget", type=float, help=tr("Stop when this much money is spent."))
@click.option("--price", nargs=2, type=float, default=(0.0, 0.0), help=tr("Per million tokens."))
@click.option("--app", "apps", multiple=True, help=tr("A package that may be in front."))
@click.option("--all-apps", is_flag=True, help=tr("Any app may be in front."))
@click.option(
    "--ask-before",
    help=tr("Ask before these acts: send, pay, delete, call, passwords, all or none."),
)
@library_option
@json_option
def agent(
    recipe_name: str,
    names: tuple[str, ...],
    files: tuple[Path, ...],
    serials: tuple[str, ...],
    consent: str,
    disposable: str,
    loop: str,
    model: str,
    name: str,
    endpoint: str,
    model_function: str,
    key_from: Path | None,
    send_to: str,
    seeds: tuple[int, ...],
    attempts: int,
    budget_steps: str,
    budget_s: float | None,
    budget: float | None,
    price: tuple[float, float],
    apps: tuple[str, ...],
    all_apps: bool,
    ask_before: str | None,
    library: Path,
    as_json: bool,
) -> int:
    """`taptrail agent RECIPE --task T`"""
    from agents.gate import consent_kinds
    from agents.stopping import Limits
    from taptrail.usecases.agent_runs import AgentOptions
    from taptrail.usecases.agent_work import AUTO
    from taptrail.usecases.predicting import ModelServer, goes_out, recipe_of
    from taptrail.usecases.task_phone import task_phone
    from taptrail.usecases.task_runs import own_tasks

    if budget_steps != AUTO and not (budget_steps.isdecimal() and 0 < int(budget_steps) <= 1000):
        raise click.UsageError(tr("--budget-steps takes a number from 1 to 1000, or auto."))
    recipe = recipe_of(recipe_name, library, model, text=loop == "text")
    server = ModelServer(endpoint, model_function, read_key(key_from), send_to)
    host = goes_out(server)
    if host and not send_to and sys.stdin.isatty():
        click.confirm(tr("Send screenshots to {host}?", host=host), abort=True)
        server = ModelServer(endpoint, model_function, read_key(key_from), host)
    options = AgentOptions(
        name=name.strip() or recipe.name,
        loop=loop,
        limits=Limits(seconds=budget_s),
        apps=apps,
        all_apps=all_apps,
        ask_before=None if ask_before is None else consent_kinds(ask_before),
        consent=consent,
        price=price,
        money=budget,
        asks=_asks,
    )
    devices = open_phones()
    phones = [task_phone(serial, devices, disposable) for serial in serials or ("",)]
    known = own_tasks(files)
    chosen = list(known) if names == ("all",) else list(names)
    words = [one for one in chosen if one not in known]
    stop = threading.Event()
    before = signal.signal(signal.SIGINT, lambda number, frame: stop.set())
    show = _Show(as_json)
    try:
        if words:
            if len(chosen) > 1:
                raise click.UsageError(tr("Name tasks, or say one thing in words."))
            return _in_words(
                words[0], phones[0], library, recipe, server, options, budget_steps, stop, show
            )
        return _work(
            {one: known[one] for one in chosen},
            phones,
            library,
            (recipe, server, options),
            (seeds or (30,), attempts, budget_steps),
            stop,
            show,
        )
    finally:
        signal.signal(signal.SIGINT, before)


def _work(
    tasks: dict[str, Any],
    phones: list[Any],
    library: Path,
    asked: tuple[Any, Any, Any],
    amount: tuple[tuple[int, ...], int, str],
    stop: threading.Event,
    show: _Show,
) -> int:
    from episodes.store.library import Library
    from taptrail.usecases.agent_work import WorkPlan, numbers_of, run_work

    recipe, server, options = asked
    worked = run_work(
        WorkPlan(tasks, *amount),
        phones,
        library,
        recipe,
        server,
        options,
        stop=stop,
        on_outcome=show.outcome,
        on_progress=show.progress,
    )
    with Library.read(library) as kept:
        numbers = numbers_of(kept, options.name)
    left = {entry.key: reason for entry, reason in sorted(worked.left.items())}
    if show.as_json:
        print_json(
            {
                "run": options.name,
                "attempts": [one.to_json() for one in show.outcomes],
                "left": left,
                "numbers": [one.to_json() for one in numbers],
            }
        )
    else:
        _numbers_table(numbers)
        for key, reason in left.items():
            say(tr("Not done: {key}: {reason}", key=key, reason=reason))
    return 1 if left else 0


def _in_words(
    instruction: str,
    phone: Any,
    library: Path,
    recipe: Any,
    server: Any,
    options: Any,
    budget: str,
    stop: threading.Event,
    show: _Show,
) -> int:
    from dataclasses import replace

    from recorder.library_thread import LibraryThread
    from taptrail.usecases.agent_runs import Model, run_agent_words

    if budget.isdecimal():
        options = replace(options, limits=replace(options.limits, turns=int(budget)))
    with LibraryThread(library) as kept, Model(recipe, server, options) as model:
        outcome = run_agent_words(
            instruction,
            phone.phone,
            kept,
            model,
            options,
            phone.disposable,
            stop=stop,
            on_progress=lambda progress: show.progress(phone.serial, progress),
        )
    if show.as_json:
        print_json(outcome.to_json())
    else:
        show.outcome(None, outcome)
    return 0


class _Show:
    """Prints what happens, and keeps the outcomes."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json
        self.outcomes: list[TaskOutcome] = []

    def progress(self, serial: str, progress: Progress) -> None:
        """Prints what is about to be done."""
        if not self.as_json and progress.stage == "acts":
            say(f"{serial} {progress.number}: {progress.text}")

    def outcome(self, entry: Entry | None, outcome: TaskOutcome) -> None:
        """Prints how an attempt ended."""
        self.outcomes.append(outcome)
        if not self.as_json:
            say(
                tr(
                    "{task}: {verdict}; it ended with “{stop}” after {turns} turns, in {episode}.",
                    task=outcome.task or outcome.goal,
                    verdict=outcome.verdict.value,
                    stop=outcome.details["agent"]["stop"],
                    turns=outcome.details["agent"]["turns"],
                    episode=outcome.episode,
                )
            )


def _asks(kinds: frozenset[Consent], words: str) -> bool:
    """Asks the person at the terminal; without one, the act is refused."""
    if not sys.stdin.isatty():
        return False
    named = ", ".join(sorted(kind.value for kind in kinds))
    return click.confirm(tr("Allow this act ({kinds}): {words}", kinds=named, words=words))


def _numbers_table(numbers: list[AgentNumbers]) -> None:
    def share(value: float | None) -> str:
        return "" if value is None else f"{100 * value:.0f} %"

    table(
        "",
        (
            tr("task"),
            tr("success"),
            tr("rate"),
            tr("interval (95 %)"),
            tr("false claims"),
            tr("turns"),
            tr("seconds"),
        ),
        [
            (
                one.task or tr("all"),
                tr("{n} of {total}", n=one.successes, total=one.judged),
                share(one.rate),
                "" if one.interval is None else " - ".join(share(end) for end in one.interval),
                str(one.false_complete + one.false_impossible),
                "" if one.turns is None else f"{one.turns:g}",
                "" if one.seconds is None else f"{one.seconds:.1f}",
            )
            for one in numbers
        ],
    )
