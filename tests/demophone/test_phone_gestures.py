"""Fingers: scrolling, flinging, pinching, long presses, and the system's own swipes."""

from __future__ import annotations

from itertools import pairwise

import pytest

from demophone.apps import mailbox
from demophone.device import TouchAction
from demophone.views.motion import FRICTION, STOP_VELOCITY, fling_distance, fling_offset
from tests.demophone import drawn as hands
from tests.demophone.drawn import Drawn, MakeDrawn, middle

make_drawn = hands.make_drawn


def _offset(drawn: Drawn) -> float:
    scene = drawn.phone.screen.scene()
    assert scene.app is not None
    return float(next(v.drag.offset for v in scene.app.root.children if v.scrollable))  # type: ignore[union-attr]


def test_a_list_follows_the_finger_beyond_the_slop(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-contacts")
    before = drawn.element("contacts/list/contact-2")["box"][1]
    drawn.touch(TouchAction.DOWN, 270, 800)
    drawn.touch(TouchAction.MOVE, 270, 700)
    after = drawn.element("contacts/list/contact-2")["box"][1]
    slop = 8 * 210 / 160
    assert before - after == pytest.approx(100 - slop, abs=1)
    drawn.touch(TouchAction.MOVE, 270, 650)
    assert before - drawn.element("contacts/list/contact-2")["box"][1] == pytest.approx(
        150 - slop, abs=1
    )


def test_a_fling_without_motion_jumps_to_its_end(make_drawn: MakeDrawn) -> None:
    ends = []
    for i, seconds in enumerate((0.1, 0.4)):
        drawn = make_drawn(str(i))
        drawn.tap("icon-contacts")
        drawn.swipe(270, 900, 270, 600, seconds=seconds)
        ends.append(_offset(drawn))
        drawn.loop.advance(1.0)
        assert _offset(drawn) == ends[-1]
    assert ends[0] == ends[1]
    assert ends[0] > 300 * 160 / 210


def test_a_fling_goes_on_and_slows_down(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn(deterministic=False)
    drawn.tap("icon-contacts")
    drawn.loop.advance(1.0)
    drawn.swipe(270, 900, 270, 780, seconds=0.1)
    offsets = [_offset(drawn)]
    for _ in range(5):
        drawn.loop.advance(0.1)
        offsets.append(_offset(drawn))
    steps = [b - a for a, b in pairwise(offsets)]
    assert steps == sorted(steps, reverse=True)
    assert steps[0] > 20
    drawn.loop.advance(3.0)
    end = _offset(drawn)
    speed = 120 / 0.1 * 160 / 210
    assert end - offsets[0] == pytest.approx(fling_distance(speed), rel=0.02)
    assert drawn.log("screen")[-1]["settled"] is True
    assert {line["settled"] for line in drawn.log("screen")} == {True, False}


def test_a_finger_stops_a_fling(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn(deterministic=False)
    drawn.tap("icon-contacts")
    drawn.loop.advance(1.0)
    drawn.swipe(270, 900, 270, 700, seconds=0.1)
    drawn.loop.advance(0.1)
    drawn.touch(TouchAction.DOWN, 270, 600)
    held = _offset(drawn)
    drawn.loop.advance(0.3)
    assert _offset(drawn) == held


def test_flings_obey_their_formula() -> None:
    assert fling_distance(1000) == (1000 - STOP_VELOCITY) / FRICTION
    assert fling_distance(-1000) == -fling_distance(1000)
    assert fling_distance(10) == 0
    assert fling_offset(1000, 100) == fling_distance(1000)
    assert 0 < fling_offset(1000, 0.1) < fling_offset(1000, 0.2) < fling_distance(1000)


def test_the_wheel_scrolls_and_positive_moves_the_content_down(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-contacts")
    drawn.phone.scroll(270, 600, 0, -2)
    assert _offset(drawn) == 128
    drawn.phone.scroll(270, 600, 0, 1)
    assert _offset(drawn) == 64
    line = drawn.log("input")[-1]
    assert (line["kind"], line["vertical"], line["accepted"]) == ("scroll", 1, True)


def test_a_long_press_opens_the_menu_of_a_bubble_after_half_a_second(
    make_drawn: MakeDrawn,
) -> None:
    drawn = make_drawn()
    drawn.tap("icon-messages")
    drawn.tap("conversation-1")
    bubble = next(e for e in drawn.elements().values() if "555 0142" in e["text"])
    assert bubble["long_clickable"]
    assert not bubble["clickable"]
    drawn.touch(TouchAction.DOWN, *middle(bubble))
    drawn.loop.advance(0.49)
    assert drawn.log("gesture")[-1]["kind"] == "tap"
    drawn.loop.advance(0.02)
    assert drawn.log("gesture")[-1]["kind"] == "long_press"
    assert drawn.log("gesture")[-1]["element"]["id"] == bubble["id"]
    drawn.touch(TouchAction.UP, *middle(bubble))
    assert {"copy", "share", "delete", "details"} == {
        key.split("/")[-1] for key, e in drawn.elements().items()
        if "/menu/" in key and e["clickable"]
    }  # fmt: skip
    drawn.tap("menu/details")
    assert "14 May 2026, 10:19" in drawn.element("dialog/message")["text"]
    drawn.tap("dialog/button-ok")
    drawn.hold(bubble["id"])
    drawn.tap("menu/delete")
    body = "SELECT count(*) FROM messages WHERE body LIKE '%555 0142%'"
    assert drawn.rows(mailbox.PATH, body) == [(0,)]


def test_a_tap_beside_a_menu_closes_it(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-messages")
    drawn.tap("more")
    assert any("/menu/" in key for key in drawn.elements())
    drawn.tap_at(100, 900)
    assert not any("/menu/" in key for key in drawn.elements())
    assert drawn.phone.foreground[1] == ".ConversationListActivity"


def test_a_double_tap_puts_a_heart_on_a_message(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-messages")
    drawn.tap("conversation-1")
    bubble = next(e for e in drawn.elements().values() if "555 0142" in e["text"])
    for _ in range(2):
        drawn.touch(TouchAction.DOWN, *middle(bubble))
        drawn.loop.advance(0.04)
        drawn.touch(TouchAction.UP, *middle(bubble))
        drawn.loop.advance(0.1)
    assert [line["kind"] for line in drawn.log("gesture")][-2:] == ["tap", "double_tap"]
    liked = "SELECT body FROM messages WHERE liked = 1"
    assert drawn.rows(mailbox.PATH, liked) == [(bubble["text"],)]
    assert any("/heart-" in key for key in drawn.elements())


def test_two_fingers_enlarge_the_text_of_a_conversation(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-messages")
    drawn.tap("conversation-1")

    def bubble() -> int:
        box = next(e for e in drawn.elements().values() if e["text"] == "Muddy but good. You?")
        return int(box["box"][3] - box["box"][1])

    before = bubble()
    drawn.touch(TouchAction.DOWN, 250, 600)
    drawn.touch(TouchAction.DOWN, 290, 600, pointer=1)
    for i in range(1, 6):
        drawn.touch(TouchAction.MOVE, 250 - 4 * i, 600)
        drawn.touch(TouchAction.MOVE, 290 + 4 * i, 600, pointer=1)
    drawn.touch(TouchAction.UP, 310, 600, pointer=1)
    drawn.touch(TouchAction.UP, 230, 600)
    assert bubble() > before
    gestures = [line for line in drawn.log("gesture") if line["kind"] != "tap"]
    assert [line["kind"] for line in gestures] == ["pinch"]
    assert gestures[0]["element"]["id"] == "messages/thread/messages"


def test_swipes_from_the_edges_are_home_recents_back_and_shade(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-contacts")
    drawn.tap("contact-2")
    drawn.swipe(4, 600, 200, 610)
    assert drawn.phone.foreground[1] == ".ContactListActivity"
    drawn.swipe(270, 1195, 270, 700)
    assert drawn.phone.foreground[1] == ".LauncherActivity"
    drawn.swipe(270, 1195, 270, 1000, steps=100)
    assert drawn.phone.foreground[1] == ".RecentsActivity"
    drawn.press(3)
    drawn.swipe(270, 4, 270, 400)
    assert any(key.startswith("system/shade/") for key in drawn.elements())
    drawn.swipe(270, 1000, 270, 300)
    assert not any(key.startswith("system/shade/") for key in drawn.elements())
    assert [line["kind"] for line in drawn.log("gesture")].count("swipe") == 5


def test_the_three_buttons_take_the_place_of_the_swipes(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.phone.put_setting("secure", "navigation_mode", "0")
    drawn.tap("icon-contacts")
    drawn.tap("contact-2")
    drawn.tap("system/navigation/back")
    assert drawn.phone.foreground[1] == ".ContactListActivity"
    drawn.tap("system/navigation/recents")
    assert drawn.phone.foreground[1] == ".RecentsActivity"
    drawn.tap("system/navigation/home")
    assert drawn.phone.foreground[1] == ".LauncherActivity"


def test_recent_apps_are_switched_thrown_away_and_cleared(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    for name in ("contacts", "settings", "messages"):
        drawn.press(3)
        drawn.tap(f"icon-{name}")
    drawn.press(187)
    drawn.swipe(60, 600, 480, 600)
    drawn.tap("card-settings")
    assert drawn.phone.foreground == ("com.taptrail.demo.settings", ".SettingsActivity")
    assert [package.split(".")[-1] for package, _ in drawn.phone.tasks] == [
        "settings",
        "messages",
        "contacts",
    ]
    drawn.press(187)
    drawn.swipe(270, 700, 275, 300)
    assert [package.split(".")[-1] for package, _ in drawn.phone.tasks] == ["messages", "contacts"]
    drawn.tap("clear-all")
    assert drawn.phone.tasks == []
    assert drawn.phone.foreground[1] == ".LauncherActivity"


def test_a_notification_opens_its_conversation(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.phone.expand("notifications")
    drawn.tap("shade/tile-dark-theme")
    assert drawn.phone.setting("secure", "ui_night_mode") == "2"
    drawn.tap("shade/notice-1")
    assert drawn.phone.foreground == ("com.taptrail.demo.messages", ".ConversationActivity")
    drawn.phone.expand("notifications")
    drawn.tap("shade/clear-all")
    assert drawn.element("shade/none")["text"] == "No notifications"


def test_what_a_notification_shows_is_read_afterwards(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    unread = "SELECT name FROM threads WHERE unread = 1 ORDER BY id"
    assert drawn.rows(mailbox.PATH, unread) == [("Mara Quill",), ("Ivo Tamsin",), ("Dana Rook",)]
    for _ in range(2):
        drawn.phone.expand("notifications")
        drawn.tap("shade/notice-1")
    assert drawn.rows(mailbox.PATH, unread) == [("Dana Rook",)]


def test_a_finger_that_never_came_down_is_refused(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.touch(TouchAction.UP, 100, 100, pointer=5)
    assert drawn.log("input")[-1]["accepted"] is False


def test_an_opening_app_moves_unless_animations_are_off(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn(deterministic=False)
    drawn.tap("icon-settings")
    assert False in {line["settled"] for line in drawn.log("screen")}
    drawn.loop.advance(1.0)
    assert drawn.log("screen")[-1]["settled"] is True
    drawn.phone.put_setting("global", "animator_duration_scale", "0")
    drawn.loop.advance(1.0)
    count = len(drawn.log("screen"))
    drawn.press(3)
    drawn.tap("icon-contacts")
    assert {line["settled"] for line in drawn.log("screen")[count:]} == {True}


def test_the_cursor_stops_blinking_when_nobody_writes(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn(deterministic=False)
    drawn.tap("icon-contacts")
    drawn.tap("search-field")
    drawn.loop.advance(20.0)
    count = len(drawn.log("screen"))
    drawn.loop.advance(20.0)
    assert len(drawn.log("screen")) == count
    assert drawn.phone.idle_for_us() >= 39_000_000
