"""What the other places say of a recording that runs on, and how one ends."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from episodes.actions import Ending
from recorder.device.adb import Adb
from recorder.events import SessionState
from taptrail.gui import app as gui
from taptrail.gui import theme
from taptrail.settings import Settings
from taptrail.usecases.demo_phone import running_demo_phone
from tests.gui import story

SETTINGS = Settings(theme="light", author="Ana P.", author_uuid=story.ANA.uuid)


@pytest.fixture(scope="module")
def phone() -> Iterator[tuple[str, Adb]]:
    with running_demo_phone(deterministic=True) as demo:
        yield demo.serial, demo.adb


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, phone: tuple[str, Adb]) -> Iterator[gui.Window]:
    """A window in which a recording runs."""
    made = gui.Window(SETTINGS, tmp_path / "library", phone[1])
    qtbot.addWidget(made.main)
    made.main.resize(1280, 800)
    made.main.show()
    made.main.go_to(0)
    made.record.connect_phone(phone[0])
    qtbot.waitUntil(lambda: made.record.mirror.painted() is not None)
    made.record.task.edit.setPlainText("Look around")
    made.record.begin()
    qtbot.waitUntil(lambda: made.record._state is SessionState.RECORDING)
    yield made
    made.stop()


def test_every_other_place_says_that_a_recording_runs_and_for_how_long(
    qtbot: QtBot, window: gui.Window
) -> None:
    window.main.go_to(3)
    status = window.review.status
    qtbot.waitUntil(lambda: status.recording_words() != "")
    word, time = window.main.rail.marked(0)[::-1]
    assert re.fullmatch(r"\d+:\d\d", time)
    assert (word, status.recording_words()) == ("Recording", f"Recording {time}")
    assert status._elsewhere.isVisible()
    assert window.record.status.recording_words() == ""
    red = theme.LIGHT.record_fill
    picture = window.main.rail._items[0].grab().toImage()
    spots = {picture.pixelColor(x, 11).name().upper() for x in range(picture.width())}
    assert red in spots
    window.record._pause.click()
    qtbot.waitUntil(lambda: status.recording_words().startswith("Paused "))
    window.record._desk.finish(Ending.COMPLETE)
    qtbot.waitUntil(lambda: status.recording_words() == "")
    assert window.main.rail.marked(0) == ("", "")
