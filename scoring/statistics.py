"""Confidence intervals of shares, and tests of differences between runs, by resampling episodes.

The steps of one episode depend on each other, so episodes are drawn, not steps (a cluster
bootstrap). All draws use one seed: the same data give the same interval. The share of a draw is
hits of total over its episodes, never a mean of shares.

Source: Efron, Tibshirani, An Introduction to the Bootstrap (1993), sections 13.3 (percentile
interval) and 15.2 (permutation); McNemar, Psychometrika 12 (1947), in its exact form (Fay,
Biostatistics 2010).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from episodes.verdicts import Share

DRAWS = 2000
SEED = 20240614
LEVEL = 0.95
EXACT_UP_TO = 1000
FEW = 20
"""Intervals over fewer episodes than this are rough, mostly too narrow."""

MANY = 5_000
"""With more episodes than this, equal ones are drawn together, which is the same and faster."""

_AT_ONCE = 2_000_000

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Interval:
    """The interval of a share or of a difference of shares, as fractions."""

    low: float
    high: float
    level: float = LEVEL


@dataclass(frozen=True, slots=True)
class Difference:
    """The share of B minus that of A, over the same steps.

    Attributes:
        a, b: the shares; their totals are equal.
        value: b - a, as a fraction.
        interval: by the paired bootstrap; None if all draws are equal.
        p: how often a difference at least as large occurs when A and B are swapped on random
            episodes; valid for few episodes, too.
        episodes: their number.
    """

    a: Share
    b: Share
    value: float
    interval: Interval | None
    p: float
    episodes: int


def bootstrap(
    shares: Iterable[Share], *, level: float = LEVEL, draws: int = DRAWS, seed: int = SEED
) -> Interval | None:
    """Returns the percentile interval of the pooled share.

    Args:
        shares: one for each episode; episodes with a total of 0 are left out.

    Returns:
        None for fewer than two episodes, and if all draws are equal (all right, all wrong):
        resampling then gives no information about the uncertainty.
    """
    units = [share for share in shares if share.total]
    if len(units) < 2:
        return None
    drawn = _pooled(
        _column([u.hits for u in units]), _column([u.total for u in units]), draws, seed
    )
    return _between(drawn, level)


def paired_bootstrap(
    a: Sequence[Share],
    b: Sequence[Share],
    *,
    level: float = LEVEL,
    draws: int = DRAWS,
    seed: int = SEED,
) -> Difference | None:
    """Returns the difference of two runs; each draw takes the same episodes of both.

    Args:
        a, b: one share an episode, in the same order, over the same steps.

    Returns:
        None if there is no step.

    Raises:
        ValueError: the lists have different lengths, or an episode has different totals.
    """
    if [share.total for share in a] != [share.total for share in b]:
        raise ValueError("a paired comparison needs the same steps on both sides")
    units = [(one, other) for one, other in zip(a, b, strict=True) if one.total]
    if not units:
        return None
    totals = _column([one.total for one, _ in units])
    gains = _column([other.hits - one.hits for one, other in units])
    drawn = _pooled(gains, totals, draws, seed)
    total = int(totals.sum())
    return Difference(
        Share(sum(one.hits for one, _ in units), total),
        Share(sum(other.hits for _, other in units), total),
        int(gains.sum()) / total,
        _between(drawn, level) if len(units) > 1 else None,
        _swapped(gains, draws, seed),
        len(units),
    )


def mcnemar(only_a: int, only_b: int) -> float:
    """Returns the p value of McNemar's test: the probability of a split at least as uneven, if A
    and B are equally good.

    It assumes that steps are independent, which those of one episode are not; the paired bootstrap
    does not assume it. Exact (binomial) for up to a thousand steps; above, by chi-square with
    continuity correction.

    Args:
        only_a, only_b: steps that only A, or only B, gets right.
    """
    count = only_a + only_b
    if count == 0:
        return 1.0
    if count > EXACT_UP_TO:
        chi_square = max(0, abs(only_a - only_b) - 1) ** 2 / count
        return math.erfc(math.sqrt(chi_square / 2))
    tail = sum(math.comb(count, hits) for hits in range(min(only_a, only_b) + 1))
    return float(min(1.0, 2 * tail / 2**count))


def _column(numbers: Sequence[int]) -> Counts:
    return np.array(numbers, dtype=np.int64)


def _pooled(hits: Counts, totals: Counts, draws: int, seed: int) -> NDArray[np.float64]:
    """Returns the share of each draw of all episodes with replacement."""
    generator = np.random.default_rng(seed)
    if len(hits) > MANY:
        kinds, counts = np.unique(np.stack((hits, totals)), axis=1, return_counts=True)
        often = generator.multinomial(len(hits), counts / len(hits), size=draws)
        return np.asarray((often @ kinds[0]) / (often @ kinds[1]), dtype=np.float64)
    found = np.empty(draws)
    rows = max(1, _AT_ONCE // len(hits))  # bounded memory, whatever the number of episodes
    for start in range(0, draws, rows):
        chosen = generator.integers(0, len(hits), size=(min(rows, draws - start), len(hits)))
        found[start : start + rows] = hits[chosen].sum(axis=1) / totals[chosen].sum(axis=1)
    return found


def _swapped(gains: Counts, draws: int, seed: int) -> float:
    """Returns how often the sum of the gains is at least as far from 0 with random signs: over all
    choices of signs if they are few, else over `draws` draws."""
    gains = gains[gains != 0]
    observed = abs(int(gains.sum()))
    if 2 ** min(len(gains), 30) <= draws:
        bits = np.arange(2 ** len(gains))[:, None] >> np.arange(len(gains)) & 1
        return float(np.mean(np.abs((2 * bits - 1) @ gains) >= observed))
    generator = np.random.default_rng(seed)
    if len(gains) > MANY:
        sizes, counts = np.unique(np.abs(gains), return_counts=True)
        ups = generator.binomial(counts, 0.5, size=(draws, len(counts)))
        sums = (2 * ups - counts) @ sizes
        return (int((np.abs(sums) >= observed).sum()) + 1) / (draws + 1)
    found = 0
    rows = max(1, _AT_ONCE // len(gains))
    for start in range(0, draws, rows):
        signs = generator.integers(0, 2, size=(min(rows, draws - start), len(gains))) * 2 - 1
        found += int((np.abs(signs @ gains) >= observed).sum())
    return (found + 1) / (draws + 1)


def _between(drawn: NDArray[np.float64], level: float) -> Interval | None:
    if drawn.min() == drawn.max():
        return None
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level)
