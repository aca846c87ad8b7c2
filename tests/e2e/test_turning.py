"""A phone that rotates during input: executed actions become steps, ignored ones do not."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from episodes.actions import Tap, kind
from episodes.geometry import Direction
from episodes.store.library import Library
from tests.demophone.phones import StartPhone, adb_server, demo_phone
from tests.e2e import checks
from tests.e2e.bench import recording
from tests.e2e.truth import TruthLog
from tests.e2e.walk import LEFT, PLAIN, Walker

__all__ = ["adb_server", "demo_phone"]

TURNS = 6
SWITCH = "settings/list/landscape"
PHONE = ("--size", "540x1200", "--density", "210", "--faults", "dump-slow=50")


@pytest.mark.xdist_group("mirror")
def test_a_tap_that_turns_the_phone_is_a_step_each_time(
    qtbot: QtBot, demo_phone: StartPhone, tmp_path: Path
) -> None:
    phone = demo_phone(*PHONE)
    phone.shell("am start -n com.taptrail.demo.settings/.SettingsActivity")
    with recording(qtbot, phone, tmp_path / "library") as bench:
        truth = TruthLog(phone.truth_path)
        hand = Walker(bench, truth, seed=3)
        for turn in range(TURNS):
            wide = turn % 2 == 0
            while hand.settle().element(SWITCH) is None:
                hand.swipe(Direction.UP, "settings/list/settings", share=0.6)
            hand.tap(SWITCH)
            hand.settle(lambda screen, wide=wide: (screen.size[0] > screen.size[1]) is wide)
            assert bench.trouble == ""
        uuid = bench.session.episode
        bench.finish()
    with Library.read(tmp_path / "library") as library:
        episode = library.episode(uuid)
    assert [kind(step.action) for step in episode.steps[:-1]] == [one.kind for one in hand.done]
    assert sum(1 for one in hand.done if one.kind == "tap") == TURNS
    assert episode.gaps == ()
    assert [segment.rotation for segment in episode.segments] == [0, 1, 0, 1, 0, 1, 0]
    assert checks.same_inputs(hand.done, truth.read()) == []


@pytest.mark.xdist_group("mirror")
def test_a_drag_during_which_the_phone_turns_is_no_step_and_leaves_no_finger_down(
    qtbot: QtBot, demo_phone: StartPhone, tmp_path: Path
) -> None:
    phone = demo_phone(*PHONE)
    with recording(qtbot, phone, tmp_path / "library") as bench:
        truth = TruthLog(phone.truth_path)
        hand = Walker(bench, truth, seed=3)
        hand.settle()
        at = hand.place((270, 500))
        QTest.mousePress(bench.view, LEFT, PLAIN, at)
        bench.pause(60)
        bench.window.desk.rotate()
        hand.settle(lambda screen: screen.size[0] > screen.size[1])
        bench.until(lambda: "the screen turned meanwhile" in bench.trouble)
        QTest.mouseRelease(bench.view, LEFT, PLAIN, at)
        hand.tap("launcher/home/icon-contacts")
        hand.settle(lambda screen: screen.activity.endswith("ContactListActivity"))
        uuid = bench.session.episode
        bench.finish()
    with Library.read(tmp_path / "library") as library:
        episode = library.episode(uuid)
    assert [type(step.action) for step in episode.steps[:-1]] == [Tap]
    assert [gap.reason for gap in episode.gaps] == ["rotated"]
    gap = episode.gaps[0]
    assert gap.ended is not None
    assert (gap.started.host_ns or 0) <= (gap.ended.host_ns or 0)
