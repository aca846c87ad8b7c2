"""`taptrail attempts steps`: shows the steps of attempts side by side."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from taptrail.cli.output import json_option, library_option, print_json, say, table
from taptrail.words import tr

if TYPE_CHECKING:
    from episodes.steps import Step
    from taptrail.usecases.attempt_steps import AlignedAttempts, TimedStep


@click.command(help=tr("Show the steps of attempts side by side, with their times."))
@click.argument("episodes", nargs=-1, required=True)
@click.option(
    "--align",
    "aligned",
    is_flag=True,
    help=tr("Align two attempts by likeness, and show where they differ."),
)
@library_option
@json_option
def steps(episodes: tuple[str, ...], aligned: bool, library: Path, as_json: bool) -> None:
    """`taptrail attempts steps EPISODE...`"""
    from episodes.store.library import Library
    from taptrail.usecases.attempt_steps import MOST, align_attempts, side_by_side

    if aligned:
        if len(episodes) != 2:
            raise click.UsageError(tr("Name two episodes to align."))
        with Library.read(library) as kept:
            both = align_attempts(kept, *episodes)
        _show_aligned(both, as_json)
        return
    if len(episodes) > MOST:
        raise click.UsageError(tr("Name at most {n} episodes.", n=MOST))
    with Library.read(library) as kept:
        found = side_by_side(kept, episodes)
    if as_json:
        print_json(
            {
                "attempts": [
                    {
                        "episode": one.episode,
                        "uuid": one.uuid,
                        "steps": [_json(step) for step in one.steps],
                    }
                    for one in found
                ]
            }
        )
        return
    rows = [
        (str(number), *(_words(step) for step in across))
        for number, across in enumerate(zip_longest(*(one.steps for one in found)), 1)
    ]
    table("", (tr("step"), *(one.episode for one in found)), rows)


def _json(timed: TimedStep) -> dict[str, Any]:
    from episodes.actions import kind

    return {
        "step": timed.step.index,
        "kind": kind(timed.step.action),
        "name": timed.name,
        "at_us": timed.at,
        "thinking_us": timed.thinking,
        "acting_us": timed.acting,
    }


def _words(timed: TimedStep | None) -> str:
    from episodes.actions import kind

    if timed is None:
        return ""
    at = "" if timed.at is None else f"{timed.at // 60_000_000}:{timed.at / 1e6 % 60:04.1f}"
    named = f" “{timed.name}”" if timed.name else ""
    return f"{at} {kind(timed.step.action)}{named}".strip()


def _show_aligned(both: AlignedAttempts, as_json: bool) -> None:
    from scoring.alignment import Meeting

    first, second = both.first.steps, both.second.steps
    rows = both.alignment.rows
    divergences = both.alignment.divergences
    if as_json:
        print_json(
            {
                "first": {"episode": both.first.name, "uuid": both.first.uuid},
                "second": {"episode": both.second.name, "uuid": both.second.uuid},
                "rows": [
                    {
                        "meeting": row.meeting.value,
                        "first": None
                        if row.meeting is Meeting.ONLY_SECOND
                        else first[row.first].index,
                        "second": None
                        if row.meeting is Meeting.ONLY_FIRST
                        else second[row.second].index,
                        "likeness": row.likeness,
                    }
                    for row in rows
                ],
                "divergences": [
                    {
                        "row": one.row,
                        "first": _index(first, rows[one.row].first),
                        "second": _index(second, rows[one.row].second),
                        "came_back": one.came_back,
                    }
                    for one in divergences
                ],
            }
        )
        return
    told = {
        Meeting.SAME: "",
        Meeting.OTHER_ACTION: tr("other action"),
        Meeting.ONLY_FIRST: tr("only in {episode}", episode=both.first.name),
        Meeting.ONLY_SECOND: tr("only in {episode}", episode=both.second.name),
    }
    back = {one.came_back for one in divergences}
    table(
        "",
        (tr("row"), both.first.name, both.second.name, tr("difference")),
        [
            (
                str(number),
                "" if row.meeting is Meeting.ONLY_SECOND else _done(first[row.first]),
                "" if row.meeting is Meeting.ONLY_FIRST else _done(second[row.second]),
                tr("came back") if number in back else told[row.meeting],
            )
            for number, row in enumerate(rows)
        ],
    )
    if not divergences:
        say(tr("Both take the same path."))
        return
    row = rows[divergences[0].row]
    say(
        tr(
            "They first differ in row {row}, before step {first} of {one} and {second} of {other}.",
            row=divergences[0].row,
            first=_words_of(_index(first, row.first)),
            one=both.first.name,
            second=_words_of(_index(second, row.second)),
            other=both.second.name,
        )
    )


def _index(steps: tuple[Step, ...], at: int) -> int | None:
    """Returns the number of the step at a position; None behind the last."""
    return steps[at].index if at < len(steps) else None


def _words_of(index: int | None) -> str:
    return tr("the end") if index is None else str(index)


def _done(step: Step) -> str:
    from episodes.actions import TypeText, kind
    from taptrail.usecases.elements import target_name

    name = target_name(step)
    if isinstance(step.action, TypeText):
        name = step.action.text
    return f"{step.index} {kind(step.action)}" + (f" “{name}”" if name else "")
