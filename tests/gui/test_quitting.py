"""Ctrl+Q and the close button close the window, and ask first during a recording."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from episodes.actions import Key
from episodes.episodes import EpisodeState
from episodes.store.library import Library
from recorder.devices import open_devices
from recorder.events import SessionState
from taptrail.gui import app as gui
from taptrail.settings import Settings
from taptrail.usecases.demo_phone import running_demo_phone
from tests.gui import story

SETTINGS = Settings(theme="light", author="Ana P.", author_uuid=story.ANA.uuid)
DIRECT = Qt.FindChildOption.FindDirectChildrenOnly
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[gui.Window]:
    made = gui.Window(SETTINGS, tmp_path / "library", open_devices(1, "127.0.0.2"))
    qtbot.addWidget(made.main)
    made.main.resize(1280, 800)
    made.main.show()
    made.main.go_to(0)
    with qtbot.waitActive(made.main):
        made.main.activateWindow()
    yield made
    made.stop()


def test_where_nothing_is_recorded_it_closes_at_once(qtbot: QtBot, window: gui.Window) -> None:
    with qtbot.waitSignal(window.main.closing):
        qtbot.keyClick(window.main, Qt.Key.Key_Q, CONTROL)
    assert not window.main.isVisible()


def test_a_recording_is_asked_about_and_kept(
    qtbot: QtBot, window: gui.Window, tmp_path: Path
) -> None:
    record = window.record
    with running_demo_phone(deterministic=True) as phone:
        window.desk.use(phone.devices)
        record.connect_phone(phone.serial)
        qtbot.waitUntil(lambda: record.mirror.painted() is not None)
        record.task.edit.setPlainText("Look around")
        record.begin()
        qtbot.waitUntil(lambda: record.take.state is SessionState.RECORDING)
        record.mirror.press(Key.HOME)
        qtbot.waitUntil(lambda: len(record.steps.model.steps) == 1)
        window.main.go_to(1)
        qtbot.keyClick(window.main, Qt.Key.Key_Q, CONTROL)
        asked = window.main.question
        assert asked is not None
        assert asked.text() == "A recording is under way"
        assert asked.defaultButton().text() == "Cancel"
        asked.defaultButton().click()
        assert (window.main.isVisible(), record.recording()) == (True, True)
        assert not window.main.close()  # as the X of its title bar does
        assert not window.main.close()  # a second press asks no second time
        again = window.main.findChildren(QMessageBox, options=DIRECT)
        again = [one for one in again if one.isVisible()]
        assert [one.text() for one in again] == ["A recording is under way"]
        go = next(one for one in again[0].findChildren(QPushButton) if "quit" in one.text())
        with qtbot.waitSignal(window.main.closing):
            go.click()
        assert not window.main.isVisible()
    with Library.read(tmp_path / "library") as library:
        episode = library.episode("e-0001")
    assert (episode.state, len(episode.steps)) == (EpisodeState.INCOMPLETE, 1)
