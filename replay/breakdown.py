"""Protocol-independent numbers of one run: with intervals, and by category, app, split, device,
position, length and kind of action."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from episodes.actions import KINDS
from episodes.errors import KnownError
from episodes.verdicts import Share
from scoring.numbers import (
    NUMBERS,
    Confusion,
    StepFacts,
    by_episode,
    confusion_of,
    kind_pairs,
    ordered_labels,
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


class BreakdownCounter:
    """Counts the numbers of a run episode by episode; keeps shares, not steps.

    Args:
        by: keys of `BY`; "all" for every one.

    Raises:
        KnownError: a key is unknown.
    """

    def __init__(self, by: Iterable[str] = ()) -> None:
        asked = tuple(dict.fromkeys(by))
        unknown = next((word for word in asked if word not in (*BY, "all")), None)
        if unknown is not None:
            raise KnownError(
                f"count by {unknown}", "there is no such table", f"Use one of {', '.join(BY)}, all."
            )
        words = tuple(BY) if "all" in asked else asked
        self._numbers = {name: _Shares() for name in NUMBERS}
        self._tables: dict[str, dict[str, _Shares]] = {word: {} for word in words}
        self._kinds: Counter[tuple[str, str]] = Counter()

    def add(self, episode: Sequence[StepFacts]) -> None:
        """Counts the judged steps of one episode."""
        for name, count in NUMBERS.items():
            self._numbers[name].add(count(episode), len(episode))
        self._kinds.update(kind_pairs(episode))
        for word, groups in self._tables.items():
            for group in table(episode, BY[word]).groups:
                groups.setdefault(group.label, _Shares()).add(group.matching, len(group.steps))

    def result(self) -> Breakdown:
        """Returns the numbers of all counted episodes."""
        return Breakdown(
            tuple(shares.line(name) for name, shares in self._numbers.items()),
            {
                word: tuple(
                    groups[label].line(label)
                    for label in ordered_labels(
                        {label: shares.steps for label, shares in groups.items()}, BY[word]
                    )
                )
                for word, groups in self._tables.items()
            },
            confusion_of(self._kinds, KINDS),
        )


@dataclass(slots=True)
class _Shares:
    """The shares of episodes, and their number of steps."""

    shares: list[Share] = field(default_factory=list)
    steps: int = 0

    def add(self, share: Share, steps: int) -> None:
        self.shares.append(share)
        self.steps += steps

    def line(self, label: str) -> GroupShare:
        total = Share(
            sum(share.hits for share in self.shares), sum(share.total for share in self.shares)
        )
        return GroupShare(label, total, bootstrap(self.shares), self.steps)


def breakdown(facts: Iterable[StepFacts], by: Iterable[str] = ()) -> Breakdown:
    """Returns the numbers of judged steps, like `BreakdownCounter`."""
    counter = BreakdownCounter(by)
    for episode in by_episode(facts).values():
        counter.add(episode)
    return counter.result()


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


def _line(line: GroupShare) -> dict[str, Any]:
    share, interval = line.share, line.interval
    return {
        "hits": share.hits,
        "total": share.total,
        "value": share.hits / share.total if share.total else None,
        "low": interval.low if interval is not None else None,
        "high": interval.high if interval is not None else None,
    }
