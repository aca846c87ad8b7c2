"""OS-Atlas's commands ("os-atlas")."""

from __future__ import annotations

import pytest

from episodes import actions as a
from episodes.geometry import Direction, Native, Point
from episodes.runs import Unreadable
from tests.replay.said import kept, said

MIDDLE = Point(540, 1200)


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ("thoughts:\nx\nactions:\nCLICK <point>[[500,500]]</point><|im_end|>", a.Tap(MIDDLE)),
        ("Thoughts:\r\nx\r\nActions:\r\nCLICK [[500, 500]]\r\n", a.Tap(MIDDLE)),
        ("actions:\nCLICK: <point>[[500,500]]</point>", a.Tap(MIDDLE)),
        ("actions:\nTYPE: [tea]", a.TypeText("tea")),
        ("actions:\nCOMPLETE:", a.Finish(a.Ending.COMPLETE)),
        ("LONG_PRESS <point>[[500,500]]</point>", a.LongPress(MIDDLE)),
        ("actions:\nTYPE [Shanghai [mall]]", a.TypeText("Shanghai [mall]")),
        ("actions:\nTYPE [CLICK here]", a.TypeText("CLICK here")),
        ("actions:\nTYPE [two\nlines]", a.TypeText("two\nlines")),
        ("actions:\nSCROLL [UP]", a.Scroll(Direction.DOWN)),
        ("actions:\nOPEN_APP [PocketBook]", a.OpenApp("PocketBook")),
        ("actions:\nPRESS_BACK", a.PressKey(a.Key.BACK)),
        ("actions:\nPRESS_HOME", a.PressKey(a.Key.HOME)),
        ("actions:\nPRESS_RECENT", a.PressKey(a.Key.RECENTS)),
        ("actions:\nWAIT", a.Wait()),
        ("actions:\nCOMPLETE<|im_end|>", a.Finish(a.Ending.COMPLETE)),
        ("actions:\nIMPOSSIBLE", a.Finish(a.Ending.IMPOSSIBLE)),
        ("actions:\nCLICK somewhere", Unreadable("the tap has no point", "tap")),
        ("actions:\nSCROLL [AWAY]", Unreadable("“AWAY” is not a direction", "scroll")),
        ("actions:\n", Unreadable("there is no command after “actions:”")),
        ("nothing", Unreadable("there is no command")),
        (None, Unreadable("the answer is not a text")),
    ],
)
def test_a_command_is_read_in_thousandths(answer, action):
    assert said("os-atlas", answer) == action


def test_the_scroll_s_convention_is_undocumented_and_can_be_declared():
    assert said("os-atlas", "SCROLL [UP]", scroll="finger") == a.Scroll(Direction.UP)


def test_the_text_is_kept_for_os_atlas_s_protocol():
    assert kept("os-atlas", "actions:\nWAIT") == Native.of("os-atlas", "actions:\nWAIT")
