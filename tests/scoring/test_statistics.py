"""Intervals and tests, against closed forms and counts worked out by hand."""

import math

import numpy as np
import pytest

from episodes.verdicts import Share
from scoring.statistics import MANY, Difference, bootstrap, mcnemar, paired_bootstrap


def singles(hits, total):
    return [Share(1, 1)] * hits + [Share(0, 1)] * (total - hits)


def binomial_quantile(part, total, level):
    """The least number of hits that is reached with this probability."""
    reached = 0.0
    for hits in range(total + 1):
        reached += math.comb(total, hits) * part**hits * (1 - part) ** (total - hits)
        if reached >= level:
            return hits
    return total


@pytest.mark.parametrize(("hits", "total"), [(100, 400), (300, 800), (190, 200), (2, 10)])
def test_episodes_of_one_step_have_the_interval_of_a_binomial(hits, total):
    found = bootstrap(singles(hits, total), draws=4000)
    for edge, level in ((found.low, 0.025), (found.high, 0.975)):
        exact = binomial_quantile(hits / total, total, level) / total
        assert edge == pytest.approx(exact, abs=max(1 / total, 0.006))


def test_steps_that_hang_together_are_less_sure_than_as_many_that_do_not():
    together = bootstrap([Share(10, 10)] * 20 + [Share(0, 10)] * 20)
    apart = bootstrap(singles(200, 400))
    width = (together.high - together.low) / (apart.high - apart.low)
    assert width == pytest.approx(math.sqrt(10), rel=0.1)  # ten steps tell no more than one


def test_long_episodes_count_for_more():
    found = bootstrap([Share(0, 90), Share(10, 10)], draws=10_000)
    # Four equally likely draws: both long, both short, or one of each twice.
    assert (found.low, found.high) == (0.0, 1.0)
    middle = bootstrap([Share(0, 90), Share(10, 10)], level=0.4, draws=10_000)
    assert (middle.low, middle.high) == (0.1, 0.1)


def test_the_same_data_give_the_same_interval_and_memory_is_bounded():
    shares = [Share(n % 7, 7) for n in range(3000)]
    assert bootstrap(shares) == bootstrap(shares)
    assert bootstrap(shares) != bootstrap(shares, seed=1)


@pytest.mark.parametrize(
    "shares",
    [
        [],
        [Share(3, 4)],
        [Share(0, 0), Share(3, 4), Share(0, 0)],
        [Share(4, 4), Share(2, 2)],
        [Share(0, 3)] * 5,
    ],
)
def test_there_is_no_interval_if_resampling_gives_no_information(shares):
    assert bootstrap(shares) is None


@pytest.mark.parametrize(
    ("only_a", "only_b", "p"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (0, 6, 2 / 64),
        (1, 9, 2 * (1 + 10) / 1024),
        (9, 1, 2 * (1 + 10) / 1024),
        (5, 5, 1.0),
        (3, 12, 2 * (1 + 15 + 105 + 455) / 2**15),
    ],
)
def test_mcnemar_is_the_binomial_tail_twice(only_a, only_b, p):
    assert mcnemar(only_a, only_b) == pytest.approx(p, rel=1e-12)


def test_mcnemar_hardly_changes_where_the_approximation_begins():
    exact, beyond = mcnemar(460, 540), mcnemar(461, 541)
    assert beyond == pytest.approx(exact, rel=0.02)
    assert beyond == pytest.approx(math.erfc(math.sqrt(79**2 / 1002 / 2)), rel=1e-12)
    assert mcnemar(0, 100_000) == 0.0


def test_a_difference_is_of_the_same_episodes_of_both():
    a = [Share(n % 4, 4) for n in range(60)]
    b = [Share(min(4, share.hits + 1), 4) for share in a]  # one more on every episode
    assert paired_bootstrap(a, b) == Difference(
        Share(90, 240), Share(150, 240), 0.25, None, pytest.approx(1 / 2001), 60
    )


def test_the_spread_of_a_difference_is_that_of_the_gains():
    draw = np.random.default_rng(3)
    gains = draw.integers(-1, 3, size=500)
    a = [Share(2, 5)] * 500
    b = [Share(2 + int(gain), 5) for gain in gains]
    found = paired_bootstrap(a, b, draws=4000)
    value, spread = gains.mean() / 5, 1.96 * gains.std() / 5 / math.sqrt(500)
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.interval.low == pytest.approx(value - spread, abs=0.1 * spread)
    assert found.interval.high == pytest.approx(value + spread, abs=0.1 * spread)
    assert found.p == pytest.approx(1 / 4001)


@pytest.mark.parametrize(
    ("gains", "p"),
    [
        ([1, 1, 1, 1, 0, 0], 2 / 16),  # as McNemar says of four steps in four episodes
        ([1, 1, 1, -1], 10 / 16),
        ([3, -1], 1.0),  # 3 - 1 and -3 + 1 are as far, 3 + 1 and -3 - 1 farther
        ([2], 1.0),
    ],
)
def test_few_episodes_are_swapped_in_every_way(gains, p):
    a = [Share(4, 8)] * len(gains)
    assert paired_bootstrap(a, [Share(4 + gain, 8) for gain in gains]).p == p


def test_many_episodes_are_swapped_at_random():
    a, b = [Share(0, 1)] * 40, [Share(1, 1)] * 40
    forward = paired_bootstrap(a[:25] + b[:15], b[:25] + a[:15], draws=20_000)  # 25 to 15
    assert forward.p == pytest.approx(mcnemar(15, 25), abs=0.01)


def test_equal_runs_do_not_differ():
    a = [Share(1, 2), Share(2, 3), Share(0, 0)]
    found = paired_bootstrap(a, a)
    assert (found.value, found.interval, found.p) == (0.0, None, 1.0)
    assert found.a == found.b == Share(3, 5)


def test_a_difference_of_other_steps_is_refused():
    with pytest.raises(ValueError, match="same steps on both sides"):
        paired_bootstrap([Share(1, 2)], [Share(1, 3)])


def test_nothing_has_no_difference():
    assert paired_bootstrap([], []) is None
    assert paired_bootstrap([Share(0, 0)], [Share(0, 0)]) is None


def test_very_many_episodes_are_drawn_together_with_the_same_result():
    draw = np.random.default_rng(5)
    hits = draw.integers(0, 4, size=MANY + 1)
    shares = [Share(int(hit), 3) for hit in hits]
    found, few = bootstrap(shares, draws=4000), bootstrap(shares[:-1], draws=4000)
    spread = 1.96 * hits.std() / 3 / math.sqrt(len(hits))
    for interval in (found, few):
        assert interval.low == pytest.approx(hits.mean() / 3 - spread, abs=0.1 * spread)
        assert interval.high == pytest.approx(hits.mean() / 3 + spread, abs=0.1 * spread)


def test_very_many_episodes_are_swapped_together_with_the_same_result():
    gains = [1] * (MANY // 2 + 60) + [-1] * (MANY // 2 - 40) + [2] * 300 + [-2] * 300
    a = [Share(2, 4)] * len(gains)
    found = paired_bootstrap(a, [Share(2 + gain, 4) for gain in gains], draws=20_000)
    spread = math.sqrt(sum(gain * gain for gain in gains))
    assert found.p == pytest.approx(math.erfc(sum(gains) / spread / math.sqrt(2)), abs=0.01)
