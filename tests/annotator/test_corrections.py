import pytest

from annotator.corrections import ActionChange, correct_action
from episodes import actions as a
from episodes.errors import KnownError
from episodes.geometry import Direction, Point

PATH = (a.Contact(a.Phase.DOWN, Point(1, 2), 0), a.Contact(a.Phase.UP, Point(1, 2), 9))
TAP = a.Tap(Point(1, 2), Point(1, 3), PATH)
SWIPE = a.Swipe(Point(1, 9), Point(1, 2), 300, PATH)

CASES = [
    (TAP, ActionChange("long_press"), a.LongPress(Point(1, 2))),
    (TAP, ActionChange(at=Point(5, 6)), a.Tap(Point(5, 6))),
    (
        a.LongPress(Point(1, 2), 900, PATH),
        ActionChange(at=Point(5, 6)),
        a.LongPress(Point(5, 6), 900),
    ),
    (TAP, ActionChange("type_text", text="hi"), a.TypeText("hi", Point(1, 2))),
    (
        a.TypeText("hi", None, True, True),
        ActionChange(text="ho"),
        a.TypeText("ho", None, True, True),
    ),
    (a.TypeText("hi"), ActionChange("answer"), a.Answer("hi")),
    (a.TypeText("hi"), ActionChange(at=Point(5, 6)), a.TypeText("hi", Point(5, 6))),
    (SWIPE, ActionChange(end=Point(9, 9)), a.Swipe(Point(1, 9), Point(9, 9), 300)),
    (SWIPE, ActionChange("scroll"), a.Scroll(Direction.UP, Point(1, 9))),
    (
        SWIPE,
        ActionChange("scroll", direction=Direction.LEFT),
        a.Scroll(Direction.LEFT, Point(1, 9)),
    ),
    (a.Scroll(Direction.UP), ActionChange(direction=Direction.DOWN), a.Scroll(Direction.DOWN)),
    (a.PressKey(a.Key.BACK), ActionChange(key="home"), a.PressKey(a.Key.HOME)),
    (a.PressKey(a.Key.BACK), ActionChange(key="KEYCODE_A"), a.PressKey(a.Key.OTHER, "KEYCODE_A")),
    (a.Wait(5), ActionChange("open_app", app="Mail"), a.OpenApp("Mail")),
    (a.OpenApp("Mail"), ActionChange(app="Maps"), a.OpenApp("Maps")),
    (a.Wait(), ActionChange("finish", text="done"), a.Finish(a.Ending.COMPLETE, "done")),
    (
        a.Finish(a.Ending.COMPLETE, "done"),
        ActionChange(ending=a.Ending.IMPOSSIBLE),
        a.Finish(a.Ending.IMPOSSIBLE, "done"),
    ),
    (a.Finish(a.Ending.COMPLETE, "done"), ActionChange(text=""), a.Finish(a.Ending.COMPLETE)),
    (TAP, ActionChange("wait"), a.Wait()),
    (TAP, ActionChange("tap"), TAP),
    (a.Pinch(Point(1, 2), 2.0), ActionChange("pinch"), a.Pinch(Point(1, 2), 2.0)),
]


@pytest.mark.parametrize(("action", "change", "right"), CASES)
def test_one_thing_is_changed_and_what_still_holds_is_kept(action, change, right):
    assert correct_action(action, change) == right


@pytest.mark.parametrize(
    ("action", "change", "reason"),
    [
        (a.PressKey(a.Key.BACK), ActionChange("tap"), "its place is not known"),
        (TAP, ActionChange("swipe"), "its end is not known"),
        (TAP, ActionChange("press_key"), "its key is not known"),
        (TAP, ActionChange(text="hi"), "it has no text"),
        (TAP, ActionChange("pinch"), "only these can be written by hand: tap"),
    ],
)
def test_an_impossible_action_is_an_error(action, change, reason):
    with pytest.raises(KnownError, match=reason):
        correct_action(action, change)
