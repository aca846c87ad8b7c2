"""Statistics of attempts: times, spread, outliers, and the budget that follows.

Pure functions of episodes. By default a budget follows AndroidWorld: twice the mean of what people
need, but at least ten steps. Quartiles are interpolated linearly, as in NumPy and spreadsheets.
"""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from episodes.actions import Finish
from episodes.durations import EpisodeTimes, measure_times
from episodes.episodes import Episode

FENCE = 1.5
ENOUGH_FOR_FENCES = 4
FACTOR, FLOOR = "2", 10
_FACTOR = re.compile(r"[0-9]{1,4}(\.[0-9]{1,4})?")


class Aggregate(StrEnum):
    """The statistic that a budget is based on."""

    MEDIAN = "median"
    MEAN = "mean"
    MAX = "max"


@dataclass(frozen=True, slots=True)
class Spread:
    """Minimum, quartiles, maximum and mean of values."""

    count: int
    least: float
    first_quartile: float
    median: float
    third_quartile: float
    most: float
    mean: float


@dataclass(frozen=True, slots=True)
class BudgetRule:
    """How a budget follows from attempts; the defaults follow AndroidWorld.

    Attributes:
        factor: a decimal number as text, so that 1.1 is exact.
        floor: the minimum number of steps.
    """

    factor: str = FACTOR
    aggregate: Aggregate = Aggregate.MEAN
    floor: int = FLOOR


@dataclass(frozen=True, slots=True)
class Budget:
    """Number of steps and seconds that an agent may use.

    Attributes:
        steps: ceil(factor x aggregate), at least the floor; None if no attempt counts.
        seconds: ceil(factor x aggregate of the wall time); None if no times are known.
        rule: how it was computed, in words.
    """

    steps: int | None
    seconds: int | None
    rule: str


def is_factor(text: str) -> bool:
    """Returns whether a text is a factor: a number above 0 with at most four decimals."""
    return bool(_FACTOR.fullmatch(text)) and float(text) > 0


def times(episode: Episode) -> EpisodeTimes:
    """Returns how long an episode took, as shown in the list."""
    return measure_times(
        [(step.began, step.ended) for step in episode.steps],
        [segment.started for segment in episode.segments],
        [(gap.reason, gap.started, gap.ended) for gap in episode.gaps],
    )


def step_count(episode: Episode, *, with_finish: bool = True) -> int:
    """Returns the number of steps; the finish counts by default, because an agent needs it too."""
    return sum(with_finish or not isinstance(step.action, Finish) for step in episode.steps)


def spread(values: Sequence[int]) -> Spread | None:
    """Returns the statistics of values; None for no values."""
    if not values:
        return None
    first, middle, third = quartiles(values)
    return Spread(
        len(values), min(values), first, middle, third, max(values), statistics.fmean(values)
    )


def quartiles(values: Sequence[int]) -> tuple[float, float, float]:
    """Returns the quartiles of at least one value, interpolated linearly."""
    if len(values) == 1:
        return values[0], values[0], values[0]
    first, middle, third = statistics.quantiles(values, n=4, method="inclusive")
    return first, middle, third


def fences(values: Sequence[int]) -> tuple[float, float] | None:
    """Returns Tukey's fences, 1.5 quartile distances outside the quartiles.

    Returns None for fewer than four values.
    """
    if len(values) < ENOUGH_FOR_FENCES:
        return None
    first, _, third = quartiles(values)
    reach = FENCE * (third - first)
    return first - reach, third + reach


def budget(
    steps: Sequence[int],
    wall: Sequence[int] = (),
    *,
    factor: str = FACTOR,
    aggregate: Aggregate = Aggregate.MEAN,
    floor: int = FLOOR,
) -> Budget:
    """Returns the budget from the attempts that count.

    Args:
        steps: of each attempt.
        wall: microseconds of each attempt whose times are known.
        factor: a decimal number as text, so that 1.1 is exact.
    """
    times_factor = Fraction(factor)
    if not steps:
        return Budget(None, None, "no attempt counts")
    usual = _aggregate(steps, aggregate)
    attempts = "1 attempt" if len(steps) == 1 else f"{len(steps)} attempts"
    rule = (
        f"{factor} x the {aggregate.value} of {attempts}, {float(usual):.4g} steps, "
        f"not below {floor} steps"
    )
    allowed = max(floor, math.ceil(times_factor * usual))
    seconds = None
    if wall:
        seconds = math.ceil(times_factor * _aggregate(wall, aggregate) / 1_000_000)
    return Budget(allowed, seconds, rule)


def _aggregate(values: Sequence[int], how: Aggregate) -> Fraction:
    match how:
        case Aggregate.MEDIAN:
            return statistics.median([Fraction(value) for value in values])
        case Aggregate.MEAN:
            return Fraction(sum(values), len(values))
        case Aggregate.MAX:
            return Fraction(max(values))
