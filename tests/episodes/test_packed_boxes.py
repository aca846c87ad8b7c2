"""Packed boxes come back letter for letter, and nothing else is packed."""

import json
import math
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.packed import blobs_of
from episodes.packed_boxes import PackedBoxes, pack_box, unpacked_box

NUMBERS = st.integers(-1_000_000, 1_000_000) | st.floats(-1e6, 1e6)


@given(st.lists(NUMBERS, min_size=4, max_size=4))
def test_a_packed_box_comes_back_letter_for_letter(numbers):
    text = json.dumps(numbers, separators=(",", ":"))
    packed = pack_box(text)
    if packed is not None:
        assert unpacked_box(packed) == text
    else:  # such a number would come back otherwise
        assert any(isinstance(number, float) and number.is_integer() for number in numbers)


@pytest.mark.parametrize(
    "text",
    [None, "", "[]", "null", "[1,2,3]", "[1,2,3,4,5]", "[1, 2, 3, 4]", "[1.0,2,3,4]", "[-0,0,0,0]",
     '["1",2,3,4]', "[1,2,3,1000001]", "[1,2,3,1e999]", "[[1,2,3,4]]", "[1,2,3,4" + "0" * 200],
)  # fmt: skip
def test_any_other_box_is_not_packed(text):
    assert pack_box(text) is None


def test_boxes_stored_as_text_are_read_like_packed_ones():
    texts = ["[1,2,3.5,4]", None, "[]", "[5,6,7,8]"]
    packed = [pack_box(text) for text in texts]
    rest = [text if box is None else None for text, box in zip(texts, packed, strict=True)]
    boxes = PackedBoxes(blobs_of(packed), rest)
    assert list(boxes) == texts
    assert boxes[1:3] == [None, "[]"]
    nothing = [math.nan] * 4
    expected = [[1, 2, 3.5, 4], nothing, nothing, [5, 6, 7, 8]]
    np.testing.assert_array_equal(boxes.numbers(), expected)
    assert boxes.texts(np.array([0, 2, 3])) == [None, "[]", None]


@pytest.mark.parametrize("far", [math.nan, math.inf, 1_000_000.5])
def test_packed_numbers_that_no_box_can_have_are_not_a_box(far):
    told = [struct.pack("<4d", 1, 2, 3, far), b"short", struct.pack("<4d", 1, 2, 3, 4)]
    boxes = PackedBoxes(blobs_of(told), [None] * 3)
    assert list(boxes) == [None, None, "[1,2,3,4]"]
    np.testing.assert_array_equal(np.isnan(boxes.numbers()).all(axis=1), [True, True, False])


def test_without_rows_there_are_no_boxes():
    assert PackedBoxes(blobs_of([]), []).numbers().shape == (0, 4)
