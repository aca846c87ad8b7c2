"""Masks as outlines, outlines as masks, in pixels of the frame."""

import numpy as np
import pytest

from annotator.outlines import make_outlined_region, trace_outlines
from episodes.annotations import Author, Mask, RegionSource
from episodes.errors import KnownError
from episodes.geometry import Box, Point, Size
from episodes.media.pictures import decode, encode_png

ANA = Author("uuid-of-ana", "Ana")
SIZE = Size(200, 100)


def mask_of(pixels, left=0, top=0):
    high, wide = pixels.shape
    return Mask(Box(left, top, left + wide, top + high), encode_png(pixels))


def test_the_outline_of_a_mask_runs_through_its_outermost_pixels():
    pixels = np.zeros((20, 40), np.uint8)
    pixels[5:15, 10:30] = 255
    (outline,) = trace_outlines(mask_of(pixels, 100, 50))
    assert set(outline) == {
        Point(110.5, 55.5),
        Point(129.5, 55.5),
        Point(129.5, 64.5),
        Point(110.5, 64.5),
    }


def test_the_largest_part_comes_first_and_an_empty_mask_has_none():
    pixels = np.zeros((20, 40), np.uint8)
    pixels[1:4, 1:4] = pixels[5:15, 10:30] = 255
    assert [len(one) for one in trace_outlines(mask_of(pixels))] == [4, 4]
    assert trace_outlines(mask_of(pixels))[0][0].x > 10
    assert trace_outlines(mask_of(np.zeros((5, 5), np.uint8))) == ()


def test_a_mask_whose_picture_is_of_another_size_or_none_is_refused():
    pixels = np.zeros((20, 40), np.uint8)
    with pytest.raises(KnownError, match="40 × 20 pixels, its box 9 × 9"):
        trace_outlines(Mask(Box(0, 0, 9, 9), encode_png(pixels)))
    with pytest.raises(KnownError):
        trace_outlines(Mask(Box(0, 0, 9, 9), b"no picture"))


def test_a_drawn_outline_has_a_box_and_a_mask_cut_to_the_frame():
    region = make_outlined_region(
        [Point(150, 20), Point(250, 20), Point(150, 80)], SIZE, ANA, "Sail"
    )
    assert (region.box, region.label, region.author) == (Box(150, 20, 200, 80), "Sail", ANA)
    assert region.provenance.source is RegionSource.PERSON
    pixels = decode(region.mask.png)
    inside = pixels.max(axis=2) > 127
    assert inside.shape == (60, 50)
    assert (bool(inside[2, 2]), bool(inside[58, 40])) == (True, False)
    assert trace_outlines(region.mask)[0][0].x >= 150


@pytest.mark.parametrize(
    ("corners", "told"),
    [
        ([Point(1, 1), Point(5, 5)], "it has 2 corners"),
        ([Point(-9, 1), Point(-5, 5), Point(-5, 1)], "covers nothing of the frame"),
    ],
)
def test_an_invalid_outline_is_an_error(corners, told):
    with pytest.raises(KnownError, match=told):
        make_outlined_region(corners, SIZE, ANA)
