"""`taptrail regions queue|times` and `taptrail episodes review`: work of annotators."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from taptrail.cli.author import author
from taptrail.cli.output import dataset_option, json_option, library_option, print_json, say, table
from taptrail.words import tr

_DECISIONS = ("accept", "send-back", "reject", "reopen")


@click.command(
    help=tr("Show the steps to check: low and medium confidence, and one in ten of the high ones.")
)
@click.argument("names", nargs=-1)
@library_option
@json_option
def queue(names: tuple[str, ...], library: Path, as_json: bool) -> None:
    """`taptrail regions queue [NAME...]`"""
    from episodes.store.library import Library
    from taptrail.usecases.annotation_queue import queued

    with Library.read(library) as kept:
        found = queued(kept, names)
    if as_json:
        print_json(
            {
                "levels": found.levels,
                "sampled": found.sampled,
                "steps": [
                    {"episode": o.episode, "step": o.step, "level": o.level.value}
                    for o in found.steps
                ],
            }
        )
        return
    rows = [(one.episode, str(one.step), one.level.value) for one in found.steps]
    table(tr("To look at"), (tr("episode"), tr("step"), tr("level")), rows)
    counts = ", ".join(f"{n} {level}" for level, n in found.levels.items())
    say(tr("Waiting: {counts}. High ones in the sample: {n}.", counts=counts, n=found.sampled))


@click.command(help=tr("Show how long people needed to choose a target."))
@click.argument("names", nargs=-1)
@click.option("--round", "round_name", help=tr("Only of this blind round."))
@library_option
@json_option
def times(names: tuple[str, ...], round_name: str | None, library: Path, as_json: bool) -> None:
    """`taptrail regions times [NAME...]`"""
    from statistics import median

    from episodes.store.library import Library
    from taptrail.usecases.box_times import by_author, times_of

    with Library.read(library) as kept:
        found = times_of(kept, names, round_name)
    people = by_author(found)
    if as_json:
        all_ = [one.seconds for one in found]
        print_json(
            {
                "boxes": len(all_),
                "median_s": median(all_) if all_ else None,
                "people": [
                    {
                        "name": one.author.name,
                        "boxes": one.boxes,
                        "median_s": one.median,
                        "quickest_s": one.quickest,
                        "slowest_s": one.slowest,
                    }
                    for one in people
                ],
            }
        )
        return
    rows = [
        (
            one.author.name,
            str(one.boxes),
            *(f"{seconds:.1f} s" for seconds in (one.median, one.quickest, one.slowest)),
        )
        for one in people
    ]
    head = (tr("person"), tr("targets"), tr("median"), tr("quickest"), tr("slowest"))
    table(tr("Time for a target"), head, rows)


@click.command(
    help=tr("Accept an episode, send it back or reject it; without DECISION, show the decision.")
)
@click.argument("name")
@click.argument("decision", type=click.Choice(_DECISIONS), required=False)
@click.option("--reason", default="", help=tr("Why; required to send back and to reject."))
@dataset_option
@library_option
@json_option
def review(
    name: str,
    decision: str | None,
    reason: str,
    dataset: str | None,
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail episodes review NAME accept|send-back|reject|reopen`"""
    from episodes.annotations import Decision
    from episodes.store.library import Library
    from taptrail.usecases.judgements import judge_episode

    decisions = (Decision.ACCEPTED, Decision.SENT_BACK, Decision.REJECTED, None)
    if decision is None:
        with Library.read(library) as kept:
            episode = kept.episode(name, dataset)
            found = kept.episode_review(episode.uuid)
    else:
        wanted = dict(zip(_DECISIONS, decisions, strict=True))[decision]
        with Library.open(library, create=False) as kept:
            episode = kept.episode(name, dataset)
            judge_episode(kept, episode, wanted, author(), reason)
            found = kept.episode_review(episode.uuid)
    told: dict[str, Any] = {"episode": episode.name, "decision": None, "reason": "", "author": ""}
    if found is not None:
        told |= {"decision": found.decision.value, "reason": found.reason}
        told["author"] = found.author.name
    if as_json:
        print_json(told)
    elif found is None:
        say(tr("There is no decision on {name}.", name=episode.name))
    else:
        words = tr(
            "{name} is {what}, by {who}.",
            name=episode.name,
            what=told["decision"],
            who=told["author"],
        )
        say(f"{words} {found.reason}".strip())
