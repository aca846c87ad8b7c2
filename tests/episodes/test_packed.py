"""Packed numbers are equal to the native form, and nothing else is packed."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.geometry import Native
from episodes.packed import (
    AITW,
    CLICK,
    GUIODYSSEY,
    HEAD,
    SCROLL,
    TYPE,
    blobs_of,
    pack,
    rows_of,
    unpacked,
)

NEAR = st.floats(-1e6, 1e6)
SINGLE = st.floats(-1000, 1000, width=32)
GESTURES = st.builds(
    lambda code, points, text, boxes: {
        "action_type": code,
        "touch": points[:2],
        "lift": points[2:],
        "text": text,
        **({} if boxes is None else {"boxes": boxes}),
    },
    st.integers(-1, 20),
    st.lists(NEAR, min_size=4, max_size=4),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    st.none() | st.lists(st.lists(SINGLE, min_size=4, max_size=4), max_size=4),
)


@given(GESTURES)
def test_a_gesture_comes_back_number_for_number(told):
    packed = pack(Native.of("aitw", told))
    assert packed is not None
    assert unpacked(packed).value == told


@pytest.mark.parametrize(
    "answer",
    [
        "CLICK: (500, 250)",
        "CLICK: (-5, 0)",
        "LONG_PRESS: (0.5, 250.25)",
        "SCROLL: LEFT",
        "TYPE: two words",
        "TYPE: ",
        "PRESS_RECENT",
        "IMPOSSIBLE",
    ],
)
def test_an_answer_comes_back_letter_for_letter(answer):
    packed = pack(Native.of("guiodyssey", answer))
    assert packed is not None
    assert unpacked(packed).value == answer


@pytest.mark.parametrize(
    ("told", "back"),
    [
        ({"action": "CLICK", "info": [[1, 2], [3, 4]]}, {"action": "CLICK", "info": [[1, 2]] * 2}),
        ({"action": "CLICK", "info": "KEY_HOME"}, {"action": "CLICK", "info": "KEY_HOME"}),
        ({"action": "TEXT", "info": "hello"}, {"action": "TEXT", "info": "hello"}),
        ({"action": "COMPLETE", "info": ""}, {"action": "COMPLETE", "info": ""}),
        ({"action": "INCOMPLETE", "info": "no"}, {"action": "INCOMPLETE", "info": ""}),
        (
            {"action": "SCROLL", "info": [[500, 800], [400, 100]]},
            {"action": "SCROLL", "info": [[0, 0], [0, -1]]},
        ),
    ],
)
def test_an_annotation_comes_back_with_the_same_meaning(told, back):
    packed = pack(Native.of("guiodyssey", told))
    assert packed is not None
    assert unpacked(packed).value == back


@pytest.mark.parametrize(
    ("space", "told"),
    [
        ("aitz", {"action_type": 4, "touch": [0, 0], "lift": [0, 0]}),
        ("aitw", {"action_type": 4, "touch": [0, 0]}),
        ("aitw", {"action_type": True, "touch": [0, 0], "lift": [0, 0]}),
        ("aitw", {"action_type": 4, "touch": ["NaN", 0], "lift": [0, 0]}),
        ("aitw", {"action_type": 4, "touch": [0, 0], "lift": [0, 0], "boxes": [[0, 0, 1]]}),
        ("aitw", {"action_type": 4, "touch": [0, 0], "lift": [0, 1e7], "boxes": []}),
        ("aitw", {"action_type": 3, "touch": [0, 0], "lift": [0, 0], "type_text": "x"}),
        ("guiodyssey", "CLICK: (500.0, 250)"),
        ("guiodyssey", "CLICK: (007, 250)"),
        ("guiodyssey", "CLICK: 500, 250"),
        ("guiodyssey", "TYPE: 10:30"),
        ("guiodyssey", "TYPE:close"),
        ("guiodyssey", "SCROLL: SIDEWAYS"),
        ("guiodyssey", 5),
        ("guiodyssey", {"action": "CLICK", "info": [[500.0, 250]]}),
        ("guiodyssey", {"action": "CLICK", "info": [[1, 2, 3]]}),
        ("guiodyssey", {"action": "CLICK", "info": "KEY_MENU"}),
        ("guiodyssey", {"action": "TEXT", "info": [[1, 2]]}),
        ("guiodyssey", "TYPE: \ud83d"),
    ],
)
def test_what_has_no_plain_form_is_not_packed(space, told):
    assert pack(Native(space, json.dumps(told, ensure_ascii=False))) is None


def test_rows_are_taken_apart_together():
    boxes = [[0.25, 0.5, 0.125, 1.0], [1.0, 2.0, 3.0, 4.0]]
    told = {"action_type": 4, "touch": [0.5, 0.25], "lift": [0.75, 1.0], "text": "é"}
    natives = [
        Native.of("aitw", told | {"boxes": boxes}),
        Native.of("aitw", told | {"boxes": []}),
        Native.of("guiodyssey", "CLICK: (3, 4)"),
        Native.of("guiodyssey", "TYPE: words"),
        Native.of("guiodyssey", "SCROLL: UP"),
    ]
    rows = rows_of([pack(native) or b"" for native in natives])
    assert rows.form.tolist() == [AITW, AITW, GUIODYSSEY, GUIODYSSEY, GUIODYSSEY]
    assert rows.gold.tolist() == [1, 1, 0, 0, 0]
    assert rows.code.tolist() == [4, 4, CLICK, TYPE, SCROLL]
    assert rows.numbers[0].tolist() == [0.5, 0.25, 0.75, 1.0]
    assert rows.numbers[2].tolist() == [3, 4, 0, 0]
    found, owner = rows.boxes(np.array([1, 0]))
    assert (found.tolist(), owner.tolist()) == (boxes, [1, 1])
    assert rows.texts(np.array([0, 3, 4])) == ["é", "words", "UP"]
    some = rows.some(np.array([3]))
    assert (some.texts(np.array([0])), some.ends - some.starts) == (["words"], [HEAD + 5])
    assert len(rows_of([]).code) == 0


def test_rows_that_are_empty_or_not_whole_have_no_form():
    packed = pack(Native.of("guiodyssey", "TYPE: words")) or b""
    boxed = pack(Native.of("aitw", {"action_type": 4, "touch": [0, 0], "lift": [0, 0]})) or b""
    many = boxed[:4] + (1000).to_bytes(4, "little") + boxed[8:]
    strange = packed[:2] + (99).to_bytes(2, "little") + packed[4:]
    rows = rows_of([packed, None, b"", packed[:20], many, strange, b"\x09" + packed[1:], packed])
    assert rows.form.tolist() == [GUIODYSSEY, 0, 0, 0, 0, 0, 0, GUIODYSSEY]
    blobs = blobs_of([packed, None, boxed])
    assert (list(blobs), blobs[1:], len(blobs)) == ([packed, None, boxed], [None, boxed], 3)
    assert blobs_of(blobs) is blobs
