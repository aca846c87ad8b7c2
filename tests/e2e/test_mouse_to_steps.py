"""Mouse and keyboard on the window's mirror become steps that agree with the phone's own truth.

A hand walks through the phone's apps with every kind of action the recorder knows, upright and on
its side, in peace and in haste, while the real adb and the scrcpy protocol are in between.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from episodes.actions import Key
from episodes.episodes import EpisodeState
from episodes.geometry import Direction
from episodes.screens import AppFit, TreeFit
from episodes.store.library import Library
from tests.demophone.phones import StartPhone, adb_server, demo_phone
from tests.e2e import checks
from tests.e2e.bench import recording
from tests.e2e.truth import TruthLog
from tests.e2e.walk import Pace, Walker

__all__ = ["adb_server", "demo_phone"]

UP, DOWN, LEFT, RIGHT = Direction.UP, Direction.DOWN, Direction.LEFT, Direction.RIGHT
CALM, NOW = Pace.CALM, Pace.NOW

LEAST = {
    "tap": 30,
    "double_tap": 4,
    "long_press": 5,
    "swipe up": 5,
    "swipe down": 3,
    "swipe left": 3,
    "swipe right": 2,
    "pinch": 4,
    "type_text": 5,
    "press_key enter": 4,
    "press_key back": 4,
    "press_key home": 6,
    "press_key recents": 4,
    "scroll up": 2,
    "scroll down": 4,
    "scroll left": 1,
    "scroll right": 1,
    "finish": 1,
    "portrait": 60,
    "landscape": 20,
    "in the dialog": 6,
    "in the keyboard": 4,
    "now": 20,
}

PHONE = ("--size", "540x1200", "--density", "210", "--seed", "7")


def read_and_write_messages(hand: Walker) -> None:
    """A menu, a conversation, its bubbles, and an answer on both keyboards."""
    hand.tap("launcher/home/icon-messages", CALM)
    hand.long_press("messages/list/conversation-?", CALM)
    hand.tap("messages/list/menu/mark-as-*", CALM)
    hand.swipe(UP, "messages/list/conversations")
    hand.wheel(DOWN, "messages/list/conversations", CALM)
    hand.tap("messages/list/conversation-?", CALM)
    hand.double_tap("messages/thread/bubble-??", CALM)
    hand.double_tap("messages/thread/bubble-??")
    hand.long_press("messages/thread/bubble-??", CALM)
    hand.tap("messages/thread/menu/copy", CALM)
    hand.pinch("messages/thread/messages", True)
    hand.pinch("messages/thread/messages", False, CALM)
    hand.swipe(DOWN, "messages/thread/messages")
    hand.tap("messages/thread/compose-text", CALM)
    hand.tap("keyboard/*key-o")
    hand.tap("keyboard/*key-k", NOW)
    hand.tap("keyboard/*space", NOW)
    hand.type("see you at 7!")
    hand.key(Key.ENTER, how="keyboard")
    hand.tap("messages/thread/send")
    hand.key(Key.BACK, how="mouse")
    hand.key(Key.BACK, CALM)
    hand.key(Key.HOME, how="keyboard")


def look_after_contacts(hand: Walker) -> None:
    """A new contact, a page, a menu, and a dialog that is cancelled."""
    hand.tap("launcher/home/icon-contacts", CALM)
    hand.tap("contacts/list/new-contact", CALM)
    hand.type("Zoe")
    hand.key(Key.ENTER, how="keyboard")
    hand.type("Quist")
    hand.tap("contacts/edit*/save")
    hand.swipe(UP, "contacts/list/list")
    hand.swipe(DOWN, "contacts/list/list", NOW, share=0.5)
    hand.long_press("contacts/list/contact-*", CALM)
    hand.tap("contacts/list/menu/delete", CALM)
    hand.tap("contacts/list/*button-cancel", CALM)
    hand.wheel(UP, "contacts/list/list", CALM)
    hand.wheel(LEFT, "contacts/list/list")
    hand.tap("contacts/list/contact-*", CALM)
    hand.pinch("contacts/detail/picture", True)
    hand.tap("contacts/detail/favourite", CALM)
    hand.key(Key.RECENTS, CALM)
    hand.swipe(RIGHT, share=0.5)
    hand.swipe(LEFT, share=0.5)
    hand.key(Key.HOME, how="mouse")


def search_for_an_app(hand: Walker) -> None:
    """Up from the home screen, a word, Enter."""
    hand.swipe(LEFT, pace=CALM, share=0.3)
    hand.swipe(UP, pace=CALM, share=0.3)
    hand.type("set")
    hand.key(Key.ENTER, how="keyboard")


def turn_on_the_side(hand: Walker) -> None:
    """The phone's own switch turns the screen: the tap on it is a step."""
    hand.tap("settings/list/text-size", CALM)
    hand.tap("settings/list/*option-normal", CALM)
    hand.tap("settings/list/landscape", CALM)
    hand.settle(lambda screen: screen.size[0] > screen.size[1])


def work_on_the_side(hand: Walker) -> None:
    """Each kind of action in landscape."""
    hand.wheel(UP, "settings/list/settings", CALM)
    hand.wheel(RIGHT, "settings/list/settings")
    hand.swipe(DOWN, "settings/list/settings")
    hand.key(Key.HOME)
    hand.tap("launcher/home/icon-messages", CALM)
    hand.tap("messages/list/conversation-?", CALM)
    hand.double_tap("messages/thread/bubble-??", CALM)
    hand.double_tap("messages/thread/bubble-??")
    hand.long_press("messages/thread/bubble-??", CALM)
    hand.tap("messages/thread/menu/details", CALM)
    hand.tap("messages/thread/*button-ok", CALM)
    hand.pinch("messages/thread/messages", False)
    hand.tap("messages/thread/compose-text", CALM)
    hand.tap("keyboard/*key-a")
    hand.type("b c")
    hand.key(Key.ENTER, how="keyboard")
    hand.key(Key.BACK, how="keyboard")
    hand.key(Key.RECENTS, how="keyboard")
    hand.swipe(RIGHT, pace=CALM, share=0.4)
    hand.swipe(LEFT, share=0.4)
    hand.key(Key.HOME)


def turn_back(hand: Walker) -> None:
    """The window's button turns the phone, which is no step."""
    hand.bench.click("Turn the phone")
    hand.settle(lambda screen: screen.size[0] < screen.size[1])


def hurry(hand: Walker) -> None:
    """One thing after the other, as fast as a hand can, on screens that still move."""
    for app in ("messages", "contacts", "settings", "phone"):
        hand.key(Key.HOME, NOW)
        hand.tap(f"launcher/home/icon-{app}")
        hand.swipe(UP, pace=NOW, milliseconds=100)
        hand.wheel(DOWN, pace=NOW)
        hand.tap("*/list/*", NOW)
    for key in (Key.RECENTS, Key.HOME, Key.RECENTS, Key.BACK):
        hand.key(key, NOW)
    hand.tap("launcher/home/icon-contacts")
    hand.long_press("contacts/*", NOW)
    hand.key(Key.BACK, NOW)
    hand.key(Key.HOME, NOW)
    hand.tap("launcher/home/icon-messages")
    hand.key(Key.HOME, NOW, how="mouse")


Scene = Callable[[Walker], None]

WALK: tuple[Scene, ...] = (
    read_and_write_messages,
    look_after_contacts,
    search_for_an_app,
    turn_on_the_side,
    work_on_the_side,
    turn_back,
    hurry,
)


@pytest.mark.xdist_group("mirror")
def test_all_that_is_done_on_the_mirror_becomes_steps_that_the_phone_confirms(
    qtbot: QtBot, demo_phone: StartPhone, tmp_path: Path
) -> None:
    phone = demo_phone(*PHONE, "--faults", "dump-slow=50")
    truth = TruthLog(phone.truth_path)
    folder = tmp_path / "library"
    with recording(qtbot, phone, folder) as bench:
        hand = Walker(bench, truth, seed=1)
        for scene in WALK:
            scene(hand)
        uuid = hand.finish()
        shown, problems = bench.shown, bench.trouble
    truth.read()
    assert problems == ""
    assert checks.same_inputs(hand.done, truth) == []

    with Library.read(folder) as library:
        episode = library.episode(uuid)
        wrong = checks.wrong_pictures(episode, library, hand.done)
    assert episode.state is EpisodeState.FINISHED
    assert shown == list(episode.steps)
    assert [step.index for step in episode.steps] == list(range(len(hand.done)))

    judged = checks.judged(episode.steps, hand.done, truth)
    wrong += checks.wrong_protection(episode, truth)
    wrong += checks.wrong_steps(judged, truth, uuid)
    assert "\n".join(wrong) == ""

    done = checks.counts(hand.done)
    fresh = [step for step in episode.steps if step.tree and step.tree.fit is TreeFit.FRESH]
    sure = [
        step for step in episode.steps if step.foreground and step.foreground.fit is AppFit.FRESH
    ]
    print(
        f"{len(hand.done)} actions, {len(fresh)} with a fresh tree, {len(sure)} with a fresh app: "
        f"{dict(done)}"
    )
    assert {name: done[name] for name, least in LEAST.items() if done[name] < least} == {}
    assert len(hand.done) >= 100
    hits = [checks.candidate_is_hit(one, uuid) for one in judged]
    assert hits.count(True) >= 0.98 * (hits.count(True) + hits.count(False))
    assert hits.count(True) >= 10
    # Where the hand waited for the tree, it must be the screen's.
    calm = {number for number, one in enumerate(hand.done) if one.pace is CALM}
    assert len(calm & {step.index for step in fresh}) > 0.8 * len(calm)
    assert len(fresh) > 0.3 * len(hand.done)
    assert len(calm & {step.index for step in sure}) > 0.8 * len(calm)
    assert len(sure) > 0.3 * len(hand.done)
