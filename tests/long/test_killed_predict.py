"""The promise of `tests/taptrail/test_predict.py` about kills, with more of them."""

from tests.taptrail.test_predict import check_killed, gold, made, recipe, sample

__all__ = ["gold", "made", "recipe", "sample"]


def test_a_run_that_is_killed_at_twenty_random_moments_is_the_same(sample, recipe, gold):
    check_killed(sample, recipe, gold, 20)
