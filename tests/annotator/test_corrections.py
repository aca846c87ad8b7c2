import pytest

from annotator.corrections import Change, corrected
from episodes import actions as a
from episodes.errors import KnownError
from episodes.geometry import Direction, Point

PATH = (a.Contact(a.Phase.DOWN, Point(1, 2), 0), a.Contact(a.Phase.UP, Point(1, 2), 9))
TAP = a.Tap(Point(1, 2), Point(1, 3), PATH)
SWIPE = a.Swipe(Point(1, 9), Point(1, 2), 300, PATH)

CASES = [
    (TAP, Change("long_press"), a.LongPress(Point(1, 2))),
    (TAP, Change(at=Point(5, 6)), a.Tap(Point(5, 6))),
    (a.LongPress(Point(1, 2), 900, PATH), Change(at=Point(5, 6)), a.LongPress(Point(5, 6), 900)),
    (TAP, Change("type_text", text="hi"), a.TypeText("hi", Point(1, 2))),
    (a.TypeText("hi", None, True, True), Change(text="ho"), a.TypeText("ho", None, True, True)),
    (a.TypeText("hi"), Change("answer"), a.Answer("hi")),
    (a.TypeText("hi"), Change(at=Point(5, 6)), a.TypeText("hi", Point(5, 6))),
    (SWIPE, Change(end=Point(9, 9)), a.Swipe(Point(1, 9), Point(9, 9), 300)),
    (SWIPE, Change("scroll"), a.Scroll(Direction.UP, Point(1, 9))),
    (SWIPE, Change("scroll", direction=Direction.LEFT), a.Scroll(Direction.LEFT, Point(1, 9))),
    (a.Scroll(Direction.UP), Change(direction=Direction.DOWN), a.Scroll(Direction.DOWN)),
    (a.PressKey(a.Key.BACK), Change(key="home"), a.PressKey(a.Key.HOME)),
    (a.PressKey(a.Key.BACK), Change(key="KEYCODE_A"), a.PressKey(a.Key.OTHER, "KEYCODE_A")),
    (a.Wait(5), Change("open_app", app="Mail"), a.OpenApp("Mail")),
    (a.OpenApp("Mail"), Change(app="Maps"), a.OpenApp("Maps")),
    (a.Wait(), Change("finish", text="done"), a.Finish(a.Ending.COMPLETE, "done")),
    (
        a.Finish(a.Ending.COMPLETE, "done"),
        Change(ending=a.Ending.IMPOSSIBLE),
        a.Finish(a.Ending.IMPOSSIBLE, "done"),
    ),
    (a.Finish(a.Ending.COMPLETE, "done"), Change(text=""), a.Finish(a.Ending.COMPLETE)),
    (TAP, Change("wait"), a.Wait()),
    (TAP, Change("tap"), TAP),
    (a.Pinch(Point(1, 2), 2.0), Change("pinch"), a.Pinch(Point(1, 2), 2.0)),
]


@pytest.mark.parametrize(("action", "change", "right"), CASES)
def test_one_thing_is_changed_and_what_still_holds_is_kept(action, change, right):
    assert corrected(action, change) == right


@pytest.mark.parametrize(
    ("action", "change", "reason"),
    [
        (a.PressKey(a.Key.BACK), Change("tap"), "its place is not known"),
        (TAP, Change("swipe"), "its end is not known"),
        (TAP, Change("press_key"), "its key is not known"),
        (TAP, Change(text="hi"), "it has no text"),
        (TAP, Change("pinch"), "only these can be written by hand: tap"),
    ],
)
def test_what_an_action_cannot_be_is_said(action, change, reason):
    with pytest.raises(KnownError, match=reason):
        corrected(action, change)
