"""`taptrail episodes judge` and `taptrail episodes objections`: judgements about steps."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from taptrail.cli.author import author
from taptrail.cli.output import dataset_option, json_option, library_option, print_json, say, table
from taptrail.words import tr

if TYPE_CHECKING:
    from taptrail.usecases.judgements import StepObjection

_WORDS = ("accept", "gold-is-wrong", "disagree", "take-back")


@click.command(
    help=tr(
        "Judge a step: accept a run's answer as also right (accept --run), object to the gold, or "
        "to a verdict (disagree --run --protocol), or take an objection back. Without a word, show "
        "the objections."
    )
)
@click.argument("name")
@click.argument("step", type=int)
@click.argument("word", type=click.Choice(_WORDS), required=False)
@click.option("--run", default="", help=tr("Whose answer it is about."))
@click.option("--protocol", default="", help=tr("Whose verdict it is about."))
@click.option("--reason", default="", help=tr("Why; required for an objection."))
@dataset_option
@library_option
@json_option
def judge(
    name: str,
    step: int,
    word: str | None,
    run: str,
    protocol: str,
    reason: str,
    dataset: str | None,
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail episodes judge NAME STEP accept|gold-is-wrong|disagree|take-back`"""
    from episodes.store.library import Library
    from taptrail.usecases import judgements as use
    from taptrail.usecases.annotating import find_step

    if word == "accept" and not run:
        raise click.UsageError(tr("Name the run whose answer is right with --run."))
    if word == "disagree" and not (run and protocol):
        raise click.UsageError(tr("Name the verdict with --run and --protocol."))
    gold = None
    opened = Library.read(library) if word is None else Library.open(library, create=False)
    with opened as kept:
        episode, found = find_step(kept, name, step, dataset)
        if word == "accept":
            answers = {one.step: one for one in kept.predictions(kept.run(run).name, episode.name)}
            gold = use.accept_answer(kept, episode, found, run, answers.get(step), author())
        elif word == "gold-is-wrong":
            use.object_to_gold(kept, episode, found, author(), reason)
        elif word == "disagree":
            use.object_to_verdict(kept, episode, found, run, protocol, author(), reason)
        elif word == "take-back":
            use.take_back(kept, episode, found, author(), run, protocol)
        told = [one for one in use.judgements(kept, (episode.uuid,)) if one.said.step == step]
    if as_json:
        print_json({"episode": episode.name, "step": step, "gold": gold, "objections": _rows(told)})
        return
    if gold is not None:
        say(tr("What {run} answered is gold {n} of step {step} now.", run=run, n=gold, step=step))
    if told:
        _show(told)
    elif gold is None:
        say(tr("There is no objection to step {step} of {name}.", step=step, name=episode.name))


@click.command(help=tr("List objections to gold actions and to verdicts."))
@click.argument("names", nargs=-1)
@library_option
@json_option
def objections(names: tuple[str, ...], library: Path, as_json: bool) -> None:
    """`taptrail episodes objections [NAME...]`"""
    from episodes.store.library import Library
    from taptrail.usecases.judgements import judgements

    with Library.read(library) as kept:
        told = judgements(kept, names)
    if as_json:
        print_json({"objections": _rows(told)})
    elif told:
        _show(told)
    else:
        say(tr("There are no objections."))


def _rows(told: list[StepObjection] | tuple[StepObjection, ...]) -> list[dict[str, Any]]:
    return [
        {
            "episode": one.episode,
            "step": one.said.step,
            "objection": one.said.objection.value,
            "run": one.said.run,
            "protocol": one.said.protocol,
            "reason": one.said.reason,
            "author": one.said.author.name,
        }
        for one in told
    ]


def _show(told: list[StepObjection] | tuple[StepObjection, ...]) -> None:
    head = ("episode", "step", "objection", "run", "protocol", "reason", "author")
    rows = [tuple(str(value) for value in row.values()) for row in _rows(told)]
    table(tr("Objections"), tuple(tr(word) for word in head), rows)


COMMANDS = (judge, objections)
