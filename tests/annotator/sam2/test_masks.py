"""From small logits to boxes and shapes, against blowing the whole mask up."""

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.sam2.masks import (
    decode_runs,
    encode_runs,
    make_proposal,
    mask_pixels,
    stability,
    trace_polygons,
    upscale_mask,
)
from annotator.sam2.values import MaskProposal, Prompt
from episodes.geometry import Box, Point

VIEW = Box(0, 0, 64, 64)


def logits_of(*boxes: tuple[int, int, int, int], cells: int = 16) -> npt.NDArray[np.float32]:
    """Ten inside of the boxes, given in cells, and minus ten elsewhere."""
    found = np.full((cells, cells), -10, np.float32)
    for left, top, right, bottom in boxes:
        found[top:bottom, left:right] = 10
    return found


def blown_up(logits: npt.NDArray[np.float32], width: int, height: int) -> npt.NDArray[np.bool_]:
    """The whole mask, as OpenCV blows it up: bilinear, with half-pixel centres."""
    whole: npt.NDArray[np.bool_] = (
        cv2.resize(logits, (width, height), interpolation=cv2.INTER_LINEAR) > 0
    )
    return whole


def mask_of(logits: npt.NDArray[np.float32], prompt: Prompt, view: Box = VIEW) -> MaskProposal:
    found = make_proposal(logits, 0.9, view, prompt)
    assert isinstance(found, MaskProposal)
    return found


@given(st.integers(0, 2**32 - 1), st.integers(40, 300), st.integers(40, 300))
def test_the_window_is_the_blown_up_mask_where_it_is_not_empty(
    seed: int, width: int, height: int
) -> None:
    chance = np.random.default_rng(seed)
    logits = cv2.GaussianBlur(chance.normal(0, 1, (24, 24)).astype(np.float32), (5, 5), 0) - 0.3
    whole = blown_up(logits, width, height)
    found = upscale_mask(logits, width, height)
    here = np.zeros_like(whole)
    if found is not None:
        pixels, left, top = found
        here[top : top + pixels.shape[0], left : left + pixels.shape[1]] = pixels
    # A pixel whose logit is within rounding of zero may fall to either side.
    assert (here != whole).sum() <= 2


@pytest.mark.parametrize(
    ("cells", "box"),
    [
        ((4, 4, 8, 8), Box(16, 16, 32, 32)),
        ((0, 0, 2, 16), Box(0, 0, 8, 64)),
        ((15, 15, 16, 16), Box(60, 60, 64, 64)),
        ((0, 0, 16, 16), VIEW),
    ],
)
def test_a_box_ends_half_way_between_the_cells_inside_and_outside(
    cells: tuple[int, int, int, int], box: Box
) -> None:
    mask = mask_of(logits_of(cells), Prompt((box.centre,)))
    assert mask.box == box
    assert mask.area >= 0.9 * box.area
    assert mask.sides == sum(
        (box.left == 0, box.top == 0, box.right == VIEW.right, box.bottom == VIEW.bottom)
    )


def test_a_mask_is_in_pixels_of_the_frame_not_of_the_view() -> None:
    view = Box(100, 700, 164, 764)
    mask = mask_of(logits_of((4, 4, 8, 8)), Prompt((Point(124, 724),)), view)
    assert mask.box == Box(116, 716, 132, 732)
    assert all(one in mask.box for one in mask.polygons[0])


def test_specks_away_from_the_press_are_left_out() -> None:
    specks = logits_of((4, 4, 8, 8), (12, 1, 13, 2), (1, 12, 2, 13))
    assert mask_of(specks, Prompt((Point(24, 24),))).box == Box(16, 16, 32, 32)
    assert mask_of(specks, Prompt((Point(50, 6),))).box == Box(48, 4, 52, 8)


def test_where_the_press_is_on_no_part_the_largest_is_taken() -> None:
    specks = logits_of((4, 4, 8, 8), (12, 1, 13, 2))
    assert mask_of(specks, Prompt(box=VIEW)).box == Box(16, 16, 32, 32)
    assert mask_of(specks, Prompt((Point(2, 62),))).box == Box(16, 16, 32, 32)


@pytest.mark.parametrize(
    ("logits", "score", "why"),
    [
        (logits_of(), 0.9, "is empty"),
        (np.full((16, 16), np.nan, np.float32), 0.9, "is not a number"),
        (logits_of((1, 1, 3, 3)), float("nan"), "is not a number"),
    ],
)
def test_a_mask_that_is_none_has_a_reason_instead_of_a_box(
    logits: npt.NDArray[np.float32], score: float, why: str
) -> None:
    assert make_proposal(logits, score, VIEW, Prompt((Point(1, 1),))) == why


def test_stability_is_the_share_that_stays_when_the_cut_moves() -> None:
    logits = np.array([[5, 0.5, -0.5, -5]], np.float32)
    assert stability(logits) == pytest.approx(1 / 3)
    assert stability(np.full((2, 2), -9, np.float32)) == 0


@given(st.integers(0, 2**32 - 1), st.integers(1, 9), st.integers(1, 9))
def test_runs_give_the_pixels_back(seed: int, width: int, height: int) -> None:
    pixels = np.random.default_rng(seed).random((height, width)) < 0.5
    lengths = encode_runs(pixels)
    assert np.array_equal(decode_runs(lengths, width, height), pixels)


def test_runs_go_down_the_columns_and_begin_outside() -> None:
    pixels = np.array([[True, False], [True, True], [False, True]])
    assert encode_runs(pixels) == (0, 2, 2, 2)
    assert encode_runs(~pixels) == (2, 2, 2)


@pytest.mark.parametrize("lengths", [(1, 2), (7,), (-1, 7), ()])
def test_runs_that_do_not_fill_the_box_are_refused(lengths: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="do not fill 2x3"):
        decode_runs(lengths, 2, 3)


def test_an_outline_keeps_to_the_mask() -> None:
    mask = mask_of(logits_of((2, 3, 9, 12)), Prompt((Point(20, 30),)))
    drawn = np.zeros((64, 64), np.uint8)
    corners = np.array([[one.x, one.y] for one in mask.polygons[0]], np.int32)
    cv2.fillPoly(drawn, [corners], 1)
    inside = np.zeros((64, 64), bool)
    box = mask.box
    inside[int(box.top) : int(box.bottom), int(box.left) : int(box.right)] = mask_pixels(mask)
    assert (drawn.astype(bool) & inside).sum() / (drawn.astype(bool) | inside).sum() > 0.97


def test_the_largest_outline_comes_first() -> None:
    pixels = np.zeros((20, 20), bool)
    pixels[1:3, 1:3] = pixels[8:18, 8:18] = True
    first, second = trace_polygons(pixels, 100, 200)
    assert (min(one.x for one in first), min(one.y for one in first)) == (108, 208)
    assert (min(one.x for one in second), min(one.y for one in second)) == (101, 201)
