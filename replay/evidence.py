"""Checks a run's declarations against the recorded steps.

It compares rows with the steps they were joined to, and with the steps before and after. So it
finds steps numbered from 1, rows shifted by one, swapped x and y, fractions instead of the declared
larger numbers, and different gold. Nothing is corrected; a finding names the declaration that fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from episodes import actions as a
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.geometry import Point, Size
from episodes.runs import Prediction, Unreadable
from replay.coordinates import SWAPPED, from_pixels, to_part
from replay.dialect import Declared, Dialect, Row
from replay.findings import RunFinding
from replay.stated_gold import Gist, fits, gist_of, near, stated_gist

SHIFTS = (-1, 0, 1)
_SPACES = ("pixels", "0-1", "0-1000")
_MOST_POINTS = 5_000
_LEAST_ROWS = 5


@dataclass(slots=True)
class _Fit:
    """Counts the rows that match the step at each offset, of the rows that have a step there."""

    hits: dict[int, int] = field(default_factory=lambda: dict.fromkeys(SHIFTS, 0))
    of: dict[int, int] = field(default_factory=lambda: dict.fromkeys(SHIFTS, 0))

    def add(self, told: Gist, at: int, gold: Sequence[Gist]) -> None:
        for shift in SHIFTS:
            if 0 <= at + shift < len(gold):
                self.of[shift] += 1
                self.hits[shift] += fits(told, gold[at + shift])

    def share(self, shift: int) -> float:
        return self.hits[shift] / self.of[shift] if self.of[shift] else 0.0

    def shift(self) -> int:
        """Returns by how many steps the rows are shifted; 0 if they are not."""
        best = max((-1, 1), key=self.share)
        clear = self.share(best) >= 0.5 and self.share(best) >= self.share(0) + 0.35
        return best if clear and self.of[best] >= _LEAST_ROWS else 0


class CoordinateEvidence:
    """Compares a run's rows with its steps, episode by episode."""

    def __init__(self, dialect: Dialect, declared: Declared) -> None:
        self._dialect = dialect
        self._declared = declared
        self._answers, self._stated = _Fit(), _Fit()
        self._episodes = self._at_first = self._behind_last = 0
        self._missing = self._missing_episodes = 0
        self._first_missing = ""
        self._slipped: list[str] = []
        self._points: list[tuple[Point, Point, Size]] = []

    def add(self, episode: Episode, rows: Sequence[Row], predictions: Sequence[Prediction]) -> None:
        """Counts an episode with all rows that name it, and the rows that are a step's
        prediction."""
        steps = episode.steps
        gold = [gist_of(s.action, s.frame.size if s.frame is not None else None) for s in steps]
        where = {step.index: at for at, step in enumerate(steps)}
        answered = {prediction.step for prediction in predictions}
        if not rows:
            self._missing_episodes += 1
        else:
            lacking = [step.index for step in steps if step.index not in answered]
            self._missing += len(lacking)
            if lacking and not self._first_missing:
                self._first_missing = f"episode {episode.name} step {lacking[0]}"
        if rows and steps:
            numbers = {row.step for row in rows}
            self._episodes += 1
            self._at_first += steps[0].index in numbers
            self._behind_last += steps[-1].index + 1 in numbers
        told: dict[int, Gist] = {}
        for prediction in predictions:
            at = where[prediction.step]
            frame = steps[at].frame
            if isinstance(prediction.parsed, Unreadable):
                continue
            size = frame.size if frame is not None else None
            told[at] = gist_of(prediction.parsed, size)
            self._answers.add(told[at], at, gold)
            self._add_point(prediction.parsed, steps[at].action, size)
        if _slips(told, gold):
            self._slipped.append(episode.name)
        for row in rows:
            if row.stated is None or row.step not in where:
                continue
            at = where[row.step]
            frame = steps[at].frame
            size = frame.size if frame is not None else None
            stated = stated_gist(row, size, self._dialect, self._declared)
            if stated is not None:
                self._stated.add(stated, at, gold)

    def _add_point(self, told: a.Action, gold: a.Action, size: Size | None) -> None:
        here, there = a.place(told), a.place(gold)
        if here is None or size is None or len(self._points) >= _MOST_POINTS:
            return
        if there is not None and a.kind(told) == a.kind(gold):
            self._points.append((here, there, size))

    def findings(self) -> list[RunFinding]:
        """Returns the findings, the most severe first."""
        return [*self._numbering(), *self._coordinates(), *self._gold(), *self._gaps()]

    def _numbering(self) -> list[RunFinding]:
        shift = self._answers.shift()
        behind = self._behind_last and self._behind_last * 2 >= self._episodes
        if self._episodes and not self._at_first and (behind or shift == -1):
            return [
                RunFinding(
                    "steps_from_one",
                    "The files number steps from 1, the library from 0: no row answers the first "
                    f"step of any of {self._episodes} episodes, and {self._behind_last} answer a "
                    "step just behind the last. Declare that the first step is 1.",
                    self._episodes,
                    "--first-step 1",
                )
            ]
        if shift:
            way = "before" if shift < 0 else "after"
            hits, of = self._answers.hits[shift], self._answers.of[shift]
            return [
                RunFinding(
                    "answers_shifted",
                    f"{hits} of {of} answers fit the step {way} their own, and "
                    f"{self._answers.hits[0]} of {self._answers.of[0]} their own: their steps may "
                    "be numbered otherwise.",
                    hits,
                    "--first-step 1" if shift < 0 else "",
                )
            ]
        if self._slipped:
            return [
                RunFinding(
                    "row_dropped",
                    f"From some step on, the answers of {len(self._slipped)} episodes fit the step "
                    f"after their own, first in {self._slipped[0]}: a row may have been dropped "
                    "before the rows were numbered.",
                    len(self._slipped),
                )
            ]
        return []

    def _gold(self) -> list[RunFinding]:
        of = self._stated.of[0]
        wrong = of - self._stated.hits[0]
        shift = self._stated.shift()
        if shift:
            way = "before" if shift < 0 else "after"
            return [
                RunFinding(
                    "gold_shifted",
                    f"The gold in the rows is that of the step {way} their own in "
                    f"{self._stated.hits[shift]} of {self._stated.of[shift]} rows: the file was "
                    "put together wrongly, or its steps are numbered otherwise than the library's. "
                    "The score does not use that gold.",
                    self._stated.hits[shift],
                )
            ]
        if wrong:
            return [
                RunFinding(
                    "gold_differs",
                    f"The gold in {wrong} of {of} rows that state it contradicts the library's. "
                    "The score does not use it.",
                    wrong,
                )
            ]
        return []

    def _gaps(self) -> list[RunFinding]:
        found = []
        if self._missing:
            found.append(
                RunFinding(
                    "missing_steps",
                    f"{self._missing} steps of the episodes that the files answer have no row, "
                    f"the first is {self._first_missing}."
                    if self._missing > 1
                    else f"1 step has no row: {self._first_missing}.",
                    self._missing,
                )
            )
        if self._missing_episodes:
            one = self._missing_episodes == 1
            found.append(
                RunFinding(
                    "missing_episodes",
                    "1 episode has no row."
                    if one
                    else f"{self._missing_episodes} episodes have no row.",
                    self._missing_episodes,
                )
            )
        return found

    def _coordinates(self) -> list[RunFinding]:
        declared = self._declared.coordinates
        numbers = [(from_pixels(here, declared, size), size) for here, _, size in self._points]
        bare = [point for point, _ in numbers]
        small = declared.removeprefix(SWAPPED) != "0-1" and all(
            0 <= n <= 1 for point in bare for n in (point.x, point.y)
        )
        if bare and small and any(n % 1 for point in bare for n in (point.x, point.y)):
            return [self._misdeclared("0-1", len(bare))]
        held = [near(_part(here, size), _part(there, size)) for here, there, size in self._points]
        spaces = dict.fromkeys((declared.removeprefix(SWAPPED), *_SPACES))
        for space in (*spaces, *(SWAPPED + space for space in spaces)):
            if space == declared:
                continue
            gained = lost = 0
            for (_, there, size), (number, _), hit in zip(self._points, numbers, held, strict=True):
                other = near(to_part(number, space, size), _part(there, size))
                gained += other and not hit
                lost += hit and not other
            if gained >= max(2, 8 * lost, len(held) // 10):
                return [self._misdeclared(space, gained)]
        return []

    def _misdeclared(self, space: str, count: int) -> RunFinding:
        of = len(self._points)
        try:
            self._dialect.declared(Declared(space))
            declare = f"--coords {space}"
        except KnownError:
            declare = ""
        remedy = (
            "Declare that." if declare else "The dialect has no such coordinates: convert the file."
        )
        if space.startswith(SWAPPED):
            return RunFinding(
                "xy_swapped",
                f"{count} of {of} points fit their step with x and y swapped, and not as they "
                f"are. {remedy}",
                count,
                declare,
            )
        code = "fractions" if space == "0-1" else "other_coordinates"
        what = "fractions from 0 to 1" if space == "0-1" else f"coordinates {space}"
        return RunFinding(
            code,
            f"{count} of {of} points are, or fit their step as, {what}, and "
            f"{self._declared.coordinates or 'pixels'} are declared. {remedy}",
            count,
            declare,
        )


def _part(point: Point, size: Size) -> Point:
    return Point(point.x / size.width, point.y / size.height)


def _slips(told: dict[int, Gist], gold: Sequence[Gist]) -> bool:
    """Returns whether answers match their own steps up to some step, and the following steps after
    it."""
    if len(told) < 4 or len(gold) - 1 in told:
        return False
    places = sorted(told)
    own = [fits(told[at], gold[at]) for at in places]
    after = [at + 1 < len(gold) and fits(told[at], gold[at + 1]) for at in places]
    for cut in range(len(places) - 1):
        behind = len(places) - cut
        fine = sum(own[:cut]) * 10 >= cut * 7
        if fine and sum(after[cut:]) * 10 >= behind * 8 and sum(own[cut:]) * 10 <= behind * 4:
            return behind >= 2
    return False
