"""Other pages during a recording, and how to end it from there."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from episodes.actions import Ending, Finish, Key, PressKey
from episodes.episodes import Attempt, EpisodeState
from episodes.store.library import Library
from recorder.device.interface import Devices
from recorder.events import SessionState
from taptrail.gui import app as gui
from taptrail.gui import theme
from taptrail.gui.components.button import Button
from taptrail.gui.record.stage import MirrorStage
from taptrail.usecases.attempts import outcome
from tests.gui.windows import connected_window


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, phone: tuple[str, Devices]) -> Iterator[gui.Window]:
    """A window in which a recording runs."""
    made = connected_window(qtbot, tmp_path / "library", phone)
    made.record.task.edit.setPlainText("Look around")
    made.record.begin()
    qtbot.waitUntil(lambda: made.record.take.state is SessionState.RECORDING)
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


def one_step(qtbot: QtBot, window: gui.Window) -> None:
    window.record.mirror.press(Key.HOME)
    qtbot.waitUntil(lambda: len(window.record.steps.model.steps) == 1)


def test_a_recording_that_was_given_up_is_kept_with_the_reason(
    qtbot: QtBot, window: gui.Window, tmp_path: Path
) -> None:
    one_step(qtbot, window)
    press(window, "Ctrl+F9")
    question = window.record.steps.question
    qtbot.keyClick(question.reason, Qt.Key.Key_Return)
    assert window.record.recording()
    assert question.wrong() == "Write a reason. It is stored with the episode."
    qtbot.keyClicks(question.reason, "no such setting")
    with qtbot.waitSignal(window.history.changed, timeout=20_000):
        qtbot.keyClick(question.reason, Qt.Key.Key_Return)
    with Library.read(tmp_path / "library") as library:
        episode = library.episode("e-0001")
        assert outcome(episode) == "given up"
    assert (episode.state, episode.finish) == (EpisodeState.INCOMPLETE, None)
    assert episode.attempt == Attempt(1, "given up", left_out="no such setting")
    assert [step.action for step in episode.steps] == [PressKey(Key.HOME)]
    assert window.main.toast.text() == "Saved as given up"


def test_an_impossible_task_needs_a_reason(
    qtbot: QtBot, window: gui.Window, tmp_path: Path
) -> None:
    one_step(qtbot, window)
    press(window, "Shift+F9")
    question = window.record.steps.question
    qtbot.keyClicks(question.reason, "  ")
    question.go.click()
    assert window.record.recording()
    qtbot.keyClicks(question.reason, "There is no such person")
    with qtbot.waitSignal(window.record.recorded, timeout=20_000):
        question.go.click()
    with Library.read(tmp_path / "library") as library:
        finish = library.episode("e-0001").finish
    assert finish == Finish(Ending.IMPOSSIBLE, "There is no such person")


def test_complete_asks_first_and_the_next_attempt_starts_with_one_key(
    qtbot: QtBot, window: gui.Window
) -> None:
    record = window.record
    with qtbot.waitActive(window.main):
        window.main.activateWindow()
    one_step(qtbot, window)
    press(window, "F9")
    assert record.steps.question.go.text() == "Finish as complete"
    press(window, "Esc")
    assert record.recording()
    assert not record.steps.question.isVisible()
    qtbot.waitUntil(record.mirror.hasFocus)
    press(window, "F9")
    qtbot.waitUntil(record.steps.question.go.hasFocus)
    with qtbot.waitSignal(record.recorded, timeout=20_000):
        qtbot.keyClick(record.steps.question.go, Qt.Key.Key_Return)
    assert record.task.edit.toPlainText() == "Look around"
    qtbot.waitUntil(record.mirror.hasFocus)
    qtbot.keyClick(record.mirror, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: record.take.state is SessionState.RECORDING)
    assert record.task._said.text() == "Look around"


def test_the_phones_buttons_leave_the_keyboard_with_the_phone(
    qtbot: QtBot, window: gui.Window
) -> None:
    record = window.record
    with qtbot.waitActive(window.main):
        window.main.activateWindow()
    for button in record.findChild(MirrorStage).findChildren(Button):
        record.steps.list.setFocus()
        qtbot.waitUntil(lambda: not record.mirror.hasFocus())
        button.click()
        qtbot.waitUntil(record.mirror.hasFocus)


def test_a_discarded_recording_is_in_the_bin_and_undo_brings_it_back(
    qtbot: QtBot, window: gui.Window, tmp_path: Path
) -> None:
    one_step(qtbot, window)
    with qtbot.waitSignal(window.history.changed, timeout=20_000):
        press(window, "Ctrl+Shift+F9")
    seen = [state_of(tmp_path)]
    assert window.main.toast.text() == "The recording is in the bin"
    assert (window.record.recording(), window.record.steps.model.steps) == (False, [])
    assert window.record.task.edit.toPlainText() == "Look around"
    with qtbot.waitSignal(window.history.changed, timeout=20_000):
        window.main.toast._action.click()
    seen.append(state_of(tmp_path))
    assert seen == [EpisodeState.DELETED, EpisodeState.INCOMPLETE]


def test_after_a_recording_the_targets_come_first_and_review_where_there_are_runs(
    qtbot: QtBot, window: gui.Window, tmp_path: Path
) -> None:
    one_step(qtbot, window)
    steps = window.record.steps
    with qtbot.waitSignal(window.record.recorded, timeout=20_000):
        window.record.finish(Ending.COMPLETE)
    assert steps._saved.text() == "e-0001 is saved"
    assert not steps.review.isVisible()
    press(window, "Ctrl+Return")
    assert window.main.place().name == "Annotate"
    qtbot.waitUntil(lambda: window.annotate.where() == ("e-0001", 0))
    window.main.go_to(0)
    steps.offer_review(True)
    assert steps.review.isVisible()
    press(window, "Ctrl+Shift+Return")
    qtbot.waitUntil(lambda: window.review.where() == ("e-0001", 0))
    window.review.why.bring.click()
    asked = window.episodes.findChild(QFileDialog)
    assert (window.main.place().name, asked.windowTitle()) == ("Episodes", "File of predictions")
    asked.reject()


def press(window: gui.Window, key: str) -> None:
    window.main.live_shortcuts()[key].activated.emit()


def state_of(tmp_path: Path) -> EpisodeState:
    with Library.read(tmp_path / "library") as library:
        return library.episode("e-0001").state
