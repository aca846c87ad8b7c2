"""UI-TARS 1.0 ("ui-tars-1.0"), UI-TARS 1.5 ("ui-tars-1.5") and Seed ("seed")."""

from __future__ import annotations

import pytest

from episodes import actions as a
from episodes.geometry import Direction, Native, Point, Size
from episodes.runs import Unreadable
from tests.replay.said import kept, said

MIDDLE = Point(540, 1200)


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        (
            "Thought: t\nAction: click(start_box='<|box_start|>(500,500)<|box_end|>')",
            a.Tap(MIDDLE),
        ),
        ("Thought: t\r\nAction: click(start_box='(500,500)')\r\n<|im_end|>", a.Tap(MIDDLE)),
        ("Action: click(start_box='[400, 400, 600, 600]')", a.Tap(MIDDLE)),
        ("click(start_box='(500,500)')", a.Tap(MIDDLE)),
        ("Thought: t\nAction: click(start_box='(500,500)'", a.Tap(MIDDLE)),
        ("click(point='<point>500 500</point>", a.Tap(MIDDLE)),
        ("Action: click(point='<point>500 500</point>)<|im_end|>", a.Tap(MIDDLE)),
        ("Action: click(start_box='<|box_start|>(500,500)<|box_end|>)\n```", a.Tap(MIDDLE)),
        ("Thought: 点击“搜索”。\nAction：click(start_box='(500,500)')", a.Tap(MIDDLE)),
        ("Action: type(content='tea'", a.TypeText("tea")),
        ("Action: press_back(", a.PressKey(a.Key.BACK)),
        ("Action: left_double(start_box='(500,500)')", a.DoubleTap(MIDDLE)),
        ("Action: long_press(start_box='(500,500)', time='')", a.LongPress(MIDDLE)),
        ("Action: long_press(start_box='(500,500)', time='2000')", a.LongPress(MIDDLE, 2_000_000)),
        ("Action: scroll(direction='down')", a.Scroll(Direction.UP)),
        (
            "Action: scroll(start_box='(500,500)', direction='left')",
            a.Scroll(Direction.RIGHT, MIDDLE),
        ),
        (
            "Action: scroll(start_box='(500,750)', end_box='(500,250)')",
            a.Swipe(Point(540, 1800), Point(540, 600)),
        ),
        (
            "Action: drag(start_box='(0,0)', end_box='(1000,1000)')",
            a.Swipe(Point(0, 0), Point(1080, 2400)),
        ),
        ("Action: type(content='it's \"ok\", so')", a.TypeText('it\'s "ok", so')),
        (r"Action: type(content='a\'b\n')", a.TypeText("a'b", submit=True)),
        ("Thought: t\nAction: type(content='Action: x')", a.TypeText("Action: x")),
        ("Action: type(content='')", a.TypeText("")),
        ("Action: open_app(app_name='Gmail')", a.OpenApp("Gmail")),
        ("Action: press_back()", a.PressKey(a.Key.BACK)),
        ("Action: press_home()", a.PressKey(a.Key.HOME)),
        ("Action: hotkey(key='enter')", a.PressKey(a.Key.ENTER)),
        ("Action: wait()", a.Wait()),
        ("Action: finished()", a.Finish(a.Ending.COMPLETE)),
        ("Action: finished(content='3 o'clock')", a.Finish(a.Ending.COMPLETE, "3 o'clock")),
        ("Action: call_user()", a.Finish(a.Ending.IMPOSSIBLE)),
        ("Action: fly(to='moon')", a.Other("fly", '{"to": "moon"}')),
        ("Action: click(start_box='here')", Unreadable("the tap has no point", "tap")),
        ("Action: scroll(direction='away')", Unreadable("“away” is not a direction", "scroll")),
        ("Action: click(start_box='(500,", Unreadable("there is no call after “Action:”")),
        ("Action: type(content='tea", Unreadable("there is no call after “Action:”")),
        ("Action: click(start_box='(500，500)')", Unreadable("the tap has no point", "tap")),
        (
            "Thought: I would call click(start_box='(500,500)')",
            Unreadable("there is a thought and no “Action:”"),
        ),
        ("Action: I would click", Unreadable("there is no call after “Action:”")),
        ("I cannot", Unreadable("there is no call")),
        ("", Unreadable("there is no call")),
        (None, Unreadable("the answer is not a text")),
    ],
)
def test_ui_tars_calls_are_read_in_thousandths_and_their_scrolls_turned_to_the_finger(
    answer, action
):
    assert said("ui-tars-1.0", answer) == action
    assert said("seed", answer) == action


def test_1_5_uses_pixels_of_the_resized_picture():
    told = "Action: click(start_box='(546,1204)')"
    assert said("ui-tars-1.5", told) == a.Tap(MIDDLE)
    assert said("ui-tars-1.5", told, size=Size(1440, 3120)) == a.Tap(
        Point(546 * 1440 / 1428, 1204 * 3120 / 3108)
    )
    assert said("ui-tars-1.5", told, coordinates="pixels") == a.Tap(Point(546, 1204))
    assert said("ui-tars-1.5", told, coordinates="resized:1092x2408") == a.Tap(MIDDLE)
    assert kept("ui-tars-1.5", told) == Native(
        "resized:ui-tars-1.5", '{"kind":"tap","at":{"point":[546.0,1204.0]}}'
    )


def test_seed_s_points_have_their_own_tag():
    told = "Action: click(point='<point>500 500</point>')"
    assert said("seed", told) == a.Tap(MIDDLE)


def test_a_declared_finger_is_not_turned():
    told = "Action: scroll(direction='down')"
    assert said("ui-tars-1.5", told, scroll="finger") == a.Scroll(Direction.DOWN)
    assert said("ui-tars-1.5", told) == a.Scroll(Direction.UP)
