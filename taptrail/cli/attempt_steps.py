"""`taptrail attempts steps`: shows the steps of attempts side by side."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from taptrail.cli.output import json_option, library_option, print_json, table
from taptrail.words import tr

if TYPE_CHECKING:
    from taptrail.usecases.attempt_steps import TimedStep


@click.command(help=tr("Show the steps of attempts side by side, with their times."))
@click.argument("episodes", nargs=-1, required=True)
@library_option
@json_option
def steps(episodes: tuple[str, ...], library: Path, as_json: bool) -> None:
    """`taptrail attempts steps EPISODE...`"""
    from episodes.store.library import Library
    from taptrail.usecases.attempt_steps import MOST, side_by_side

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
