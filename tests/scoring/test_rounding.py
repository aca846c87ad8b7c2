import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rounding import format_pair, format_root_pair


@pytest.mark.parametrize(
    ("number", "limit", "places", "said"),
    [
        (0.7071067811865476, 0.14, None, ("0.7071", "0.14")),
        (0.00012345, 0.14, None, ("0.0001234", "0.14")),
        (0.0, 0.14, None, ("0", "0.14")),
        (0.14, 0.14, None, ("0.14", "0.14")),
        (0.140000001, 0.14, None, ("0.140000001", "0.14")),
        (0.13999999, 0.14, None, ("0.13999999", "0.14")),
        (0.49996, 0.5, None, ("0.49996", "0.5")),
        (12345.678, 0.14, None, ("12346", "0.14")),
        (1e200, 0.14, None, ("1e+200", "0.14")),
        (math.inf, 0.14, None, ("not a number", "0.14")),
        (32.0, 31.5, 0, ("32", "31.5")),
        (31.6, 31.5, 0, ("31.6", "31.5")),
        (500.4, 63.2, 0, ("500", "63")),
        (0.14, math.nextafter(0.14, 1), None, ("0.14", "0.14000000000000004")),
    ],
)
def test_a_number_has_just_enough_digits_to_differ_from_its_limit(number, limit, places, said):
    assert format_pair(number, limit, places) == said


@given(st.floats(0, 1e6), st.floats(1e-6, 1e6), st.sampled_from([None, 0]))
def test_a_rounded_number_is_on_the_same_side_of_the_limit_as_the_number(number, limit, places):
    left, right = map(float, format_pair(number, limit, places))
    assert (left > right, left < right) == (number > limit, number < limit)


@given(st.floats(0, 1e3), st.floats(1e-6, 1e3))
def test_rounded_roots_are_on_the_same_side_as_their_squares(square, limit):
    left, right = (told.removeprefix("the root of ") for told in format_root_pair(square, limit))
    assert (float(left) > float(right), float(left) < float(right)) == (
        square > limit,
        square < limit,
    )


def test_squares_whose_roots_round_equally_are_shown_instead():
    limit = 3.0
    below = math.nextafter(limit, 0)
    assert math.sqrt(below) == math.sqrt(limit)
    assert format_root_pair(below, limit) == ("the root of 2.9999999999999996", "the root of 3")
    assert format_root_pair(0.25, 0.14**2) == ("0.5", "0.14")
