"""Counts of a batch, which can be added up in any grouping.

Steps are counted by category and mark. The steps of each episode are summarised as a stretch: how
many were right, and how many before the first wrong one. Counts and stretches of two consecutive
batches combine into those of both (`together`), so batches can be judged anywhere and combined in a
tree. A batch has whole episodes; batches keep their order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from episodes.step_columns import EpisodeRow, StepColumns
from episodes.verdicts import Outcome
from scoring.bulk.marks import Codes, Mark

Whole: TypeAlias = npt.NDArray[np.int64]
Flags: TypeAlias = npt.NDArray[np.bool_]


class Stretch(NamedTuple):
    """Consecutive steps of an episode.

    Attributes:
        leading: right ones before the first wrong one.
        failed: how many are wrong.
    """

    scored: int = 0
    right: int = 0
    unscored: int = 0
    leading: int = 0
    failed: int = 0

    def then(self, after: Stretch) -> Stretch:
        """Returns this stretch and the following one as one."""
        return Stretch(
            self.scored + after.scored,
            self.right + after.right,
            self.unscored + after.unscored,
            self.leading + (0 if self.failed else after.leading),
            self.failed + after.failed,
        )

    @property
    def steps(self) -> int:
        """Number of steps."""
        return self.scored + self.unscored


@dataclass(frozen=True, slots=True)
class Partial:
    """Counts of one or more batches.

    Attributes:
        marks: steps by (category, whether it is a second answer, mark).
        stretches: for each of `episodes` its steps' numbers and those of second answers, as
            `Stretch` has them: an array of shape (episodes, 2, 5).
        places: by category, the first position of a scored step in the run's file.
    """

    marks: Counter[tuple[str, bool, Mark]] = field(default_factory=Counter)
    episodes: tuple[EpisodeRow, ...] = ()
    stretches: Whole = field(default_factory=lambda: np.zeros((0, 2, 5), np.int64))
    places: dict[str, int] = field(default_factory=dict)

    @property
    def by_episode(self) -> Iterator[tuple[EpisodeRow, Stretch, Stretch]]:
        """Each episode with its steps, and the second answers to them."""
        for row, (first, again) in zip(self.episodes, self.stretches.tolist(), strict=True):
            yield row, Stretch(*first), Stretch(*again)


def together(partials: Iterable[Partial]) -> Partial:
    """Combines the counts of consecutive batches. Associative; no batches give empty counts."""
    told = list(partials)
    if len(told) == 1:
        return told[0]
    marks: Counter[tuple[str, bool, Mark]] = Counter()
    places: dict[str, int] = {}
    for one in told:
        marks.update(one.marks)
        for category, place in one.places.items():
            places[category] = min(place, places.get(category, place))
    stretches = [one.stretches for one in told] or [np.zeros((0, 2, 5), np.int64)]
    episodes = tuple(row for one in told for row in one.episodes)
    return Partial(marks, episodes, np.concatenate(stretches), places)


def counted(columns: StepColumns, codes: Codes, marks: Sequence[Mark]) -> Partial:
    """Returns the counts of judged rows."""
    outcomes = np.array([_OUTCOMES[mark.outcome] for mark in marks] or [0], np.int8)[codes]
    names = sorted({row.category for row in columns.episodes})
    numbers = {name: number for number, name in enumerate(names)}
    categories = np.array([numbers[row.category] for row in columns.episodes], np.int64)
    category = categories[columns.episode] if len(columns) else np.zeros(0, np.int64)
    groups = (category * 2 + columns.doubled) * max(1, len(marks)) + codes
    found = Counter[tuple[str, bool, Mark]]()
    for group, count in zip(*np.unique(groups, return_counts=True), strict=True):
        rest, code = divmod(int(group), len(marks))
        found[names[rest // 2], bool(rest % 2), marks[code]] += int(count)
    size = len(columns.episodes)
    stretches = np.zeros((size, 2, 5), np.int64)
    for which, rows in enumerate((~columns.doubled, columns.doubled)):
        stretches[:, which] = _stretches(columns.episode, outcomes, rows, size)
    places = np.full(len(names), np.iinfo(np.int64).max)
    scored = outcomes != _OUTCOMES[Outcome.UNSCORED]
    np.minimum.at(places, category[scored], columns.place[scored])
    seen = set(category[scored].tolist())
    return Partial(
        found,
        tuple(columns.episodes),
        stretches,
        {name: int(places[number]) for name, number in numbers.items() if number in seen},
    )


_OUTCOMES = {Outcome.MISMATCH: 0, Outcome.MATCH: 1, Outcome.UNSCORED: 2}


def _stretches(episode: Whole, outcomes: npt.NDArray[np.int8], rows: Flags, size: int) -> Whole:
    right = rows & (outcomes == 1)
    wrong = rows & (outcomes == 0)
    unscored = rows & (outcomes == 2)
    failures = np.cumsum(wrong)
    before = np.zeros(size, np.int64)  # wrong ones in the episodes before
    starts = np.flatnonzero(np.diff(episode, prepend=-1))
    before[episode[starts]] = failures[starts] - wrong[starts]
    leading = right & (failures == before[episode])

    def of_each(chosen: Flags) -> Whole:
        return np.bincount(episode[chosen], minlength=size)

    columns = (right | wrong, right, unscored, leading, wrong)
    return np.stack([of_each(chosen) for chosen in columns], axis=1)
