"""Fingers to actions: a table of what people do."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes import gestures
from episodes.actions import (
    Contact,
    DoubleTap,
    LongPress,
    Other,
    Phase,
    Pinch,
    Swipe,
    Tap,
    kind,
)
from episodes.geometry import Direction, Point
from episodes.gestures import GestureLimits, GestureState, RecognizedAction

# 160 dots per inch: a dp is a pixel, so the touch slop is 8 pixels.
LIMITS = GestureLimits(per_dp=1.0)
WORDS = {"d": Phase.DOWN, "m": Phase.MOVE, "u": Phase.UP, "c": Phase.CANCEL}


def contacts(script: str) -> list[Contact]:
    """Reads "d 0 100,200 0" as: down at 0 ms on (100, 200) with finger 0; ";" between."""
    found = []
    for word in script.split(";"):
        phase, ms, at, *pointer = word.split()
        x, y = at.split(",")
        place = Point(float(x), float(y))
        finger = int(pointer[0]) if pointer else 0
        found.append(Contact(WORDS[phase], place, int(ms) * 1000, finger))
    return found


def read(script: str, until_ms: int | None = 10_000) -> list[RecognizedAction]:
    state = gestures.IDLE
    found: list[RecognizedAction] = []
    for contact in contacts(script):
        state, settled = gestures.settle(state, contact.time_us, LIMITS)
        state, more = gestures.advance(state, contact, LIMITS)
        found += [*settled, *more]
    if until_ms is not None:
        state, settled = gestures.settle(state, until_ms * 1000, LIMITS)
        found += settled
    return found


def from_zero(path: list[Contact]) -> tuple[Contact, ...]:
    zero = path[0].time_us
    return tuple(Contact(c.phase, c.at, c.time_us - zero, c.pointer) for c in path)


@pytest.mark.parametrize(
    ("script", "kinds"),
    [
        ("d 0 10,10; u 60 12,10", "tap"),
        ("d 0 10,10; m 20 17,10; u 60 18,10", "tap"),
        ("d 0 10,10; m 20 19,10; u 60 19,10", "swipe"),
        ("d 0 10,10; u 60 19,10", "swipe"),
        ("d 0 10,10; m 20 60,10; m 40 10,10; u 60 10,10", "swipe"),
        ("d 0 10,10; u 499 10,10", "tap"),
        ("d 0 10,10; u 500 10,10", "long_press"),
        ("d 0 10,10; m 600 10,90; u 700 10,90", "swipe"),
        ("d 0 10,10; u 60 10,10; d 200 12,12; u 260 12,12", "double_tap"),
        ("d 0 10,10; u 60 10,10; d 360 12,12; u 400 12,12", "double_tap"),
        ("d 0 10,10; u 60 10,10; d 361 12,12; u 400 12,12", "tap tap"),
        ("d 0 10,10; u 60 10,10; d 200 111,10; u 260 111,10", "tap tap"),
        ("d 0 10,10; u 60 10,10; d 200 110,10; u 260 110,10", "double_tap"),
        ("d 0 10,10; u 60 10,10; d 200 12,12; u 800 12,12", "tap long_press"),
        ("d 0 10,10; u 60 10,10; d 200 12,12; m 220 80,12; u 300 80,12", "tap swipe"),
        (
            "d 0 9,9; u 50 9,9; d 150 9,9; u 200 9,9; d 300 9,9; u 350 9,9",
            "double_tap tap",
        ),
        (
            "d 0 9,9; u 50 9,9; d 150 9,9; u 200 9,9; d 300 9,9; u 350 9,9; d 450 9,9; u 500 9,9",
            "double_tap double_tap",
        ),
        ("d 0 10,10; m 30 10,10; c 60 10,10", ""),
        ("d 0 10,10; u 60 10,10; d 200 12,12; c 260 12,12", "tap"),
        ("d 0 100,100 0; d 5 200,200 1; m 50 50,50 0; m 60 250,250 1; u 90 50,50 0; u 95 250,250 1",
         "pinch"),
        ("d 0 100,100 0; d 5 200,200 1; u 90 100,100 0; u 95 200,200 1", "other"),
        ("d 0 9,9 0; d 1 50,9 1; d 2 90,9 2; u 9 9,9 0; u 10 50,9 1; u 11 90,9 2", "other"),
        ("m 0 10,10; u 60 10,10", ""),
        ("d 0 10,10 0; u 30 10,10 1; u 60 10,10 0", "tap"),
    ],
)  # fmt: skip
def test_what_fingers_do_is_read_as(script: str, kinds: str) -> None:
    assert " ".join(kind(reading.action) for reading in read(script)) == kinds


def test_a_tap_keeps_its_lift_its_path_and_its_times() -> None:
    script = "d 1000 10,10; m 1020 12,11; u 1060 13,11"
    at, lift = Point(10, 10), Point(13, 11)
    assert read(script) == [
        RecognizedAction(Tap(at, lift, from_zero(contacts(script))), 1_000_000, 1_060_000)
    ]


def test_a_swipe_keeps_its_whole_way() -> None:
    script = "d 5 100,500; m 20 100,400; m 40 110,200; u 55 111,190"
    path = from_zero(contacts(script))
    (reading,) = read(script)
    assert reading == RecognizedAction(
        Swipe(Point(100, 500), Point(111, 190), 50_000, path), 5_000, 55_000
    )
    assert isinstance(reading.action, Swipe)
    assert reading.action.direction is Direction.UP


def test_a_double_tap_is_one_action_from_the_first_press_to_the_last_lift() -> None:
    script = "d 10 10,10; u 60 10,10; d 200 14,12; u 260 14,12"
    path = from_zero(contacts(script))
    assert read(script) == [RecognizedAction(DoubleTap(Point(10, 10), path), 10_000, 260_000)]


def test_a_long_press_knows_how_long() -> None:
    script = "d 0 10,10; u 731 11,10"
    (reading,) = read(script)
    assert reading.action == LongPress(Point(10, 10), 731_000, from_zero(contacts(script)))


def test_a_pinch_has_the_middle_of_the_first_places_and_the_change_of_distance() -> None:
    script = "d 0 100,100 0; d 9 300,100 1; m 50 50,100 0; u 90 50,100 0; u 95 300,100 1"
    (reading,) = read(script)
    assert reading.action == Pinch(Point(200, 100), 1.25, from_zero(contacts(script)))


def test_two_fingers_that_keep_their_distance_are_kept_with_their_path() -> None:
    (reading,) = read("d 0 100,100 0; d 5 200,200 1; u 90 100,100 0; u 95 200,200 1")
    assert isinstance(reading.action, Other)
    told = json.loads(reading.action.arguments)
    assert (reading.action.name, told["count"], len(told["path"])) == ("fingers", 2, 4)


def test_a_tap_waits_for_a_second_one_exactly_as_long_as_it_may_come() -> None:
    state: GestureState = gestures.IDLE
    for contact in contacts("d 0 10,10; u 60 10,10"):
        state, found = gestures.advance(state, contact, LIMITS)
        assert found == ()
    assert gestures.due_us(state, LIMITS) == 360_001
    assert gestures.settle(state, 360_000, LIMITS) == (state, ())
    settled, found = gestures.settle(state, 360_001, LIMITS)
    assert (settled, [kind(reading.action) for reading in found]) == (gestures.IDLE, ["tap"])


def test_a_second_press_in_time_stops_the_clock_until_it_is_lifted() -> None:
    state = gestures.IDLE
    for contact in contacts("d 0 10,10; u 60 10,10; d 300 10,10"):
        state, _ = gestures.advance(state, contact, LIMITS)
    assert gestures.due_us(state, LIMITS) is None
    assert gestures.settle(state, 450_000, LIMITS) == (state, ())


def test_the_first_tap_is_recognized_as_soon_as_the_second_press_moves() -> None:
    found = read("d 0 10,10; u 60 10,10; d 200 12,12; m 220 80,12", until_ms=None)
    assert [kind(reading.action) for reading in found] == ["tap"]


def test_something_else_done_makes_a_waiting_tap_final() -> None:
    state = gestures.IDLE
    for contact in contacts("d 0 10,10; u 60 10,10"):
        state, _ = gestures.advance(state, contact, LIMITS)
    flushed, found = gestures.flush(state)
    assert (flushed, [kind(reading.action) for reading in found]) == (gestures.IDLE, ["tap"])


def test_slops_grow_with_the_density() -> None:
    dense = GestureLimits(per_dp=2.625)
    assert (dense.touch_slop, dense.double_tap_slop) == (21.0, 262.5)


_steps = st.tuples(
    st.sampled_from(list(Phase)),
    st.integers(0, 40),
    st.integers(0, 40),
    st.integers(1, 700),
    st.integers(0, 2),
)


@given(st.lists(_steps, max_size=40))
def test_no_contact_is_in_two_actions_and_actions_come_in_order(
    steps: list[tuple[Phase, int, int, int, int]],
) -> None:
    state = gestures.IDLE
    found: list[RecognizedAction] = []
    now = 0
    for phase, x, y, wait_ms, pointer in steps:
        now += wait_ms * 1000
        state, settled = gestures.settle(state, now, LIMITS)
        contact = Contact(phase, Point(x, y), now, pointer)
        state, more = gestures.advance(state, contact, LIMITS)
        found += [*settled, *more]
    state, settled = gestures.settle(state, now + 10_000_000, LIMITS)
    found += settled
    spans = [(reading.began_us, reading.ended_us) for reading in found]
    assert all(begin <= end for begin, end in spans)
    assert all(one[1] < other[0] for one, other in itertools.pairwise(spans))
