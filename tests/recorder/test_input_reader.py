"""Mouse, wheel, keys and typed text become steps, in order."""

from __future__ import annotations

import numpy as np
import pytest

from episodes.actions import (
    DoubleTap,
    Key,
    Phase,
    PressKey,
    Scroll,
    Tap,
    TypeText,
    kind,
)
from episodes.geometry import Direction, Point, Size
from episodes.screens import Basis
from recorder.frames import LiveFrame
from recorder.input_reader import InputReader
from recorder.inputs import KeyPress, Touch, TypedText, WheelTurn
from recorder.pending_step import PendingStep

MS = 1_000_000


def frame(content: int = 1) -> LiveFrame:
    size = Size(100, 200)
    pixels = np.zeros((size.height, size.width, 4), np.uint8)
    return LiveFrame(pixels, size, 0, 0, 0, np.zeros((1, 1), np.uint8), content)


class Person:
    """Plays input into a hand and keeps what comes out."""

    def __init__(self) -> None:
        self.steps: list[PendingStep] = []
        self.texts: list[str] = []
        self.hand = InputReader(self.steps.append, self.texts.append)
        self.shown = frame()

    def tap(self, ms: int, x: float = 50, y: float = 50) -> None:
        self.touch(Phase.DOWN, ms, x, y)
        self.touch(Phase.UP, ms + 60, x, y)

    def touch(self, phase: Phase, ms: int, x: float = 50, y: float = 50) -> None:
        at = Point(x, y)
        self.hand.touch(Touch.of(phase, at, self.shown, ms * MS, ms * MS - MS))

    def text(self, ms: int, text: str) -> None:
        self.hand.text(TypedText(text, self.shown, ms * MS))

    def key(self, ms: int, key: Key) -> None:
        self.hand.key(KeyPress(key, self.shown, ms * MS))

    def wheel(self, ms: int, across: float, down: float) -> None:
        self.hand.wheel(WheelTurn(Point(5, 6), across, down, self.shown, ms * MS))

    @property
    def kinds(self) -> str:
        return " ".join(kind(step.action) for step in self.steps)


@pytest.fixture
def person() -> Person:
    return Person()


def test_a_press_carries_the_frame_it_was_made_on_not_a_later_one(person: Person) -> None:
    first = person.shown
    person.touch(Phase.DOWN, 1000)
    person.shown = frame(content=2)
    person.touch(Phase.UP, 1060)
    person.hand.tick(2000 * MS)
    (step,) = person.steps
    assert isinstance(step.action, Tap)
    assert (step.shown, step.basis, step.source) == (first, Basis.PAINTED, "mirror")
    assert (step.began_ns, step.ended_ns, step.painted_ns) == (1000 * MS, 1060 * MS, 999 * MS)


def test_a_tap_is_recognized_only_after_the_time_of_a_double_tap(person: Person) -> None:
    person.tap(1000)
    due = person.hand.due_ns()
    assert due == 1_360_001_000
    person.hand.tick(due - 1000)
    assert person.kinds == ""
    person.hand.tick(due)
    assert (person.kinds, person.hand.due_ns()) == ("tap", None)


def test_two_quick_taps_of_one_place_are_one_step_on_the_first_frame(person: Person) -> None:
    first = person.shown
    person.tap(1000)
    person.shown = frame(content=2)
    person.tap(1200)
    (step,) = person.steps
    assert isinstance(step.action, DoubleTap)
    assert (step.shown, step.began_ns, step.ended_ns) == (first, 1000 * MS, 1260 * MS)


def test_two_quick_taps_of_neighbouring_keys_stay_two(person: Person) -> None:
    person.hand.set_density(1.0)
    person.tap(1000, 20, 50)
    person.tap(1200, 56, 50)
    person.hand.tick(3000 * MS)
    assert person.kinds == "tap tap"


def test_a_key_does_not_wait_for_a_second_tap_and_does_not_overtake_it(person: Person) -> None:
    person.tap(1000)
    person.key(1100, Key.BACK)
    assert person.kinds == "tap press_key"
    assert [step.source for step in person.steps] == ["mirror", "button"]


def test_typed_text_is_one_step_closed_by_silence(person: Person) -> None:
    first = person.shown
    for number, character in enumerate("héllo"):
        person.text(1000 + 100 * number, character)
        person.shown = frame(content=2 + number)
    assert person.hand.due_ns() == 2900 * MS
    person.hand.tick(2900 * MS)
    (step,) = person.steps
    assert (step.action, step.shown, step.began_ns, step.ended_ns) == (
        TypeText("héllo"),
        first,
        1000 * MS,
        1400 * MS,
    )
    assert person.texts == ["h", "hé", "hél", "héll", "héllo", ""]


def test_enter_after_typing_is_a_step_of_its_own(person: Person) -> None:
    person.text(1000, "hi")
    person.key(1100, Key.ENTER)
    assert [step.action for step in person.steps] == [TypeText("hi"), PressKey(Key.ENTER)]


def test_delete_removes_typed_characters_and_then_is_a_key(person: Person) -> None:
    person.text(1000, "hat")
    person.key(1100, Key.DELETE)
    person.text(1200, "m")
    person.key(1300, Key.ENTER)
    person.key(1400, Key.DELETE)
    assert [step.action for step in person.steps] == [
        TypeText("ham"),
        PressKey(Key.ENTER),
        PressKey(Key.DELETE),
    ]


def test_text_that_is_deleted_completely_is_not_a_step(person: Person) -> None:
    person.text(1000, "a")
    person.key(1100, Key.DELETE)
    person.key(1200, Key.DELETE)
    assert [step.action for step in person.steps] == [PressKey(Key.DELETE)]


@pytest.mark.parametrize(
    ("across", "down", "direction"),
    [
        (0, 1, Direction.DOWN),
        (0, -1, Direction.UP),
        (1, 0, Direction.LEFT),
        (-1, 0, Direction.RIGHT),
    ],
)
def test_turns_of_the_wheel_are_one_scroll_in_the_fingers_direction(
    person: Person, across: float, down: float, direction: Direction
) -> None:
    for number in range(4):
        person.wheel(1000 + 50 * number, across, down)
    person.hand.tick(1700 * MS)
    assert [step.action for step in person.steps] == [Scroll(direction, Point(5, 6))]


def test_a_wheel_turned_back_is_a_second_scroll(person: Person) -> None:
    person.wheel(1000, 0, -1)
    person.wheel(1100, 0, 1)
    person.hand.flush()
    assert [step.action for step in person.steps] == [
        Scroll(Direction.UP, Point(5, 6)),
        Scroll(Direction.DOWN, Point(5, 6)),
    ]


def test_a_cancelled_gesture_is_not_a_step_but_the_tap_before_it_is(person: Person) -> None:
    person.tap(1000)
    person.touch(Phase.DOWN, 1200)
    assert person.hand.touching
    assert person.hand.cancel()
    assert not person.hand.touching
    person.hand.tick(5000 * MS)
    assert person.kinds == "tap"


def test_a_waiting_tap_can_be_dropped_when_the_screen_turned_before_it_ended(
    person: Person,
) -> None:
    person.tap(1000)
    assert not person.hand.drop_tap(1061 * MS)
    assert person.hand.drop_tap(1030 * MS)
    person.hand.tick(5000 * MS)
    assert person.kinds == ""


def test_waiting_input_is_recognized_at_the_end(person: Person) -> None:
    person.tap(1000)
    person.hand.flush()
    person.text(2000, "x")
    person.hand.flush()
    person.wheel(3000, 0, 1)
    person.hand.flush()
    assert person.kinds == "tap type_text scroll"
