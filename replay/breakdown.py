"""Protocol-independent numbers of one run: with intervals, and by category, app, split, device,
position, length and kind of action."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from episodes.actions import KINDS
from episodes.errors import KnownError
from episodes.verdicts import Share
from scoring.numbers import (
    NUMBERS,
    Confusion,
    StepFacts,
    by_episode,
    confusion,
    matching,
    table,
)
from scoring.statistics import Interval, bootstrap

BY = {
    "category": "category",
    "app": "app",
    "kind": "action kind",
    "split": "split",
    "device": "device",
    "position": "position in the episode",
    "length": "length of the episode",
}
"""Keys of `TABLES` by the word a person types."""


@dataclass(frozen=True, slots=True)
class GroupShare:
    """A share of steps, with its bootstrap interval over episodes.

    Attributes:
        steps: of the group, also those that were not scored.
    """

    label: str
    share: Share
    interval: Interval | None
    steps: int


@dataclass(frozen=True, slots=True)
class Breakdown:
    """Numbers of a run.

    Attributes:
        numbers: those of `scoring.numbers.NUMBERS`.
        tables: matching steps of scored steps in each group, by the keys of `BY`.
    """

    numbers: tuple[GroupShare, ...]
    tables: dict[str, tuple[GroupShare, ...]]
    kinds: Confusion


def breakdown(facts: Sequence[StepFacts], by: Iterable[str] = ()) -> Breakdown:
    """Returns the numbers of judged steps.

    Args:
        by: keys of `BY`; "all" for every one.

    Raises:
        KnownError: a key is unknown.
    """
    asked = tuple(dict.fromkeys(by))
    unknown = next((word for word in asked if word not in (*BY, "all")), None)
    if unknown is not None:
        raise KnownError(
            f"count by {unknown}", "there is no such table", f"Use one of {', '.join(BY)}, all."
        )
    episodes = by_episode(facts).values()
    numbers = tuple(
        GroupShare(name, count(facts), bootstrap(count(one) for one in episodes), len(facts))
        for name, count in NUMBERS.items()
    )
    words = tuple(BY) if "all" in asked else asked
    return Breakdown(
        numbers, {word: _lines(facts, BY[word]) for word in words}, confusion(facts, KINDS)
    )


def breakdown_to_json(found: Breakdown) -> dict[str, Any]:
    """Returns what `taptrail score --json` adds: "numbers", "tables" and "kinds"."""
    kinds = found.kinds
    return {
        "numbers": {line.label: _line(line) for line in found.numbers},
        "tables": {
            word: [{"label": line.label, "steps": line.steps, **_line(line)} for line in lines]
            for word, lines in found.tables.items()
        },
        "kinds": [
            {"gold": row, "predicted": column, "n": kinds.counts[row, column]}
            for row in kinds.rows
            for column in kinds.columns
            if (row, column) in kinds.counts
        ],
    }


def _lines(facts: Sequence[StepFacts], by: str) -> tuple[GroupShare, ...]:
    return tuple(
        GroupShare(
            group.label,
            group.matching,
            bootstrap(matching(steps) for steps in by_episode(group.steps).values()),
            len(group.steps),
        )
        for group in table(facts, by).groups
    )


def _line(line: GroupShare) -> dict[str, Any]:
    share, interval = line.share, line.interval
    return {
        "hits": share.hits,
        "total": share.total,
        "value": share.hits / share.total if share.total else None,
        "low": interval.low if interval is not None else None,
        "high": interval.high if interval is not None else None,
    }
