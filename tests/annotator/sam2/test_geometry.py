"""Prompts in pixels of the frame and of the model's square."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.sam2.geometry import check_prompt, square_view, to_model_points, whole_view
from annotator.sam2.values import Prompt
from episodes.errors import KnownError
from episodes.geometry import Box, Point, Size

PHONE = Size(1080, 2400)


@pytest.mark.parametrize(
    ("size", "point", "view"),
    [
        (PHONE, Point(540, 1200), Box(0, 675, 1080, 1755)),
        (PHONE, Point(10, 10), Box(0, 0, 1080, 1080)),
        (PHONE, Point(1079, 2399), Box(0, 1320, 1080, 2400)),
        (Size(2400, 1080), Point(1200, 540), Box(675, 0, 1755, 1080)),
        (Size(100, 100), Point(3, 99), Box(0, 0, 100, 100)),
    ],
)
def test_the_view_is_a_square_as_wide_as_the_screen_around_the_press(
    size: Size, point: Point, view: Box
) -> None:
    assert square_view(Prompt((point,)), size) == view


def test_presses_near_one_another_share_a_view() -> None:
    views = {square_view(Prompt((Point(500, 1200 + dy),)), PHONE) for dy in range(0, 120, 7)}
    assert len(views) <= 2


def test_places_too_far_apart_for_a_square_are_shown_the_whole_frame() -> None:
    far = Prompt((Point(5, 5),), avoid=(Point(5, 2000),))
    assert square_view(far, PHONE) == whole_view(PHONE) == Box(0, 0, 1080, 2400)


@given(
    st.integers(40, 3000),
    st.integers(40, 3000),
    st.lists(
        st.tuples(st.floats(0, 1, exclude_max=True), st.floats(0, 1, exclude_max=True)),
        min_size=1,
        max_size=4,
    ),
)
def test_a_view_contains_all_places_and_is_within_the_frame(
    width: int, height: int, shares: list[tuple[float, float]]
) -> None:
    size = Size(width, height)
    prompt = Prompt(tuple(size.at(u, v) for u, v in shares))
    view = square_view(prompt, size)
    check_prompt(prompt, view, size)  # raises where it does not
    assert view == whole_view(size) or view.width == view.height == min(width, height)


def test_places_are_scaled_apart_across_and_down_with_the_box_first() -> None:
    prompt = Prompt((Point(540, 1200),), (Point(0, 0),), Box(270, 600, 810, 1800))
    places, labels = to_model_points(prompt, whole_view(PHONE), 1024)
    assert places == [(256, 256), (768, 768), (512, 512), (0, 0)]
    assert labels == [2, 3, 1, 0]


def test_places_are_measured_from_the_views_corner() -> None:
    prompt = Prompt((Point(540, 1215),))
    assert to_model_points(prompt, Box(0, 675, 1080, 1755), 1024) == ([(512, 512)], [1])


@pytest.mark.parametrize(
    ("prompt", "view", "found"),
    [
        (Prompt((Point(5, 700),)), Box(0, 0, 500, 600), r"\(5, 700\) is outside"),
        (Prompt((Point(5, 5),)), Box(0, 0, 2000, 600), "is not within the 1080x2400 frame"),
        (Prompt((Point(5, 5),)), Box(0, 0, 0, 0), "is not within"),
        (Prompt((Point(5, 5),)), Box(0, 0, 99.5, 600), "has half pixels"),
        (Prompt((Point(5, 5),) * 65), Box(0, 0, 500, 600), "65 points were given"),
        (Prompt((Point(float("nan"), 5),)), Box(0, 0, 500, 600), r"\(nan, 5\) is outside"),
    ],
)
def test_an_impossible_question_to_the_model_is_an_error(
    prompt: Prompt, view: Box, found: str
) -> None:
    with pytest.raises(KnownError, match=found):
        check_prompt(prompt, view, PHONE)


def test_a_prompt_points_at_something() -> None:
    with pytest.raises(ValueError, match="needs a point inside"):
        Prompt(avoid=(Point(1, 1),))
