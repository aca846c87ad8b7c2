"""Tasks inside the window: real keys, and the ways to and from the other places."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from recorder.devices import open_devices
from recorder.events import SessionState
from taptrail.gui import app as gui
from taptrail.settings import Settings
from tests.gui import tasks_story as told

PLACE = gui.PLACES.index("tasks")


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[gui.Window]:
    told.build(tmp_path / "library")
    settings = Settings(theme="light", author="Ana P.", author_uuid=told.ANA.uuid)
    made = gui.Window(settings, tmp_path / "library", open_devices(1, "127.0.0.2"))
    qtbot.addWidget(made.main)
    made.main.resize(1440, 900)
    made.main.show()
    made.main.go_to(PLACE)
    qtbot.waitUntil(lambda: made.tasks.where()[1] is not None)
    made.main.activateWindow()
    qtbot.waitUntil(made.main.isActiveWindow)
    yield made
    made.stop()


def key(on: QWidget, code: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier):
    on.setFocus()
    QTest.keyClick(on, code, held)


def test_the_keys_of_the_place_work_on_its_list(qtbot: QtBot, window: gui.Window) -> None:
    place = window.tasks
    view = place.list.view
    key(view, Qt.Key.Key_Plus)
    assert place.budget.words()[0] == "33"
    key(view, Qt.Key.Key_Minus)
    assert place.budget.words()[0] == "29"
    control = Qt.KeyboardModifier.ControlModifier
    key(view, Qt.Key.Key_T, control)
    assert place.page.numbers.isVisible()
    key(view, Qt.Key.Key_T, control)
    key(view, Qt.Key.Key_F, control)
    assert place.list.search.edit.hasFocus()
    QTest.keyClicks(place.list.search.edit, "a-+o")  # typing stays typing
    assert place.list.search.edit.text() == "a-+o"
    assert (place.budget.words()[0], place.page.form.isVisible()) == ("29", False)
    place.list.search.edit.clear()
    key(view, Qt.Key.Key_Return)
    qtbot.waitUntil(place.side.view.isVisible)
    assert place.side.view.hasFocus()
    key(place.side.view, Qt.Key.Key_Escape)
    assert place.page.table.hasFocus()
    key(place.page.table, Qt.Key.Key_O)
    assert place.page.form.isVisible()


def test_another_attempt_begins_in_record_with_the_words_filled_in(
    qtbot: QtBot, window: gui.Window
) -> None:
    key(window.tasks.list.view, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    assert window.main.place() is window.record
    task = window.record.task.task()
    assert task is not None
    assert (task.instruction, task.category) == (told.NUMBER, "Productivity")


def test_a_recording_under_way_keeps_its_own_words(qtbot: QtBot, window: gui.Window) -> None:
    window.record.take.state = SessionState.RECORDING
    window.tasks._try.click()
    assert window.record.task.edit.toPlainText() == ""
    assert "Finish the recording" in window.main.toast.text()
    window.record.take.state = SessionState.NEW


def test_an_attempt_opens_in_annotate_and_in_review(qtbot: QtBot, window: gui.Window) -> None:
    table = window.tasks.page.table
    window.tasks.page.turn_to("0c8d3c1e-2222-4222-8222-000000000002")
    key(table, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: window.annotate.where()[0] == "e-0002")
    window.main.go_to(PLACE)
    key(table, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.review.where()[0] == "e-0002")


def test_undo_of_the_window_takes_a_decision_back_and_the_status_bar_says_so(
    qtbot: QtBot, window: gui.Window
) -> None:
    place = window.tasks
    place.page.turn_to("0c8d3c1e-2222-4222-8222-000000000001")
    key(place.page.table, Qt.Key.Key_O)
    place.page.form.how.part(3).click()
    place.page.form.save.click()
    qtbot.waitUntil(lambda: place.status.undo_words() == "Undo: judge the attempt")
    qtbot.waitUntil(lambda: place.budget.fact("Complete") == "4 of 7 attempts")
    key(place.page.table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: place.budget.fact("Complete") == "5 of 7 attempts")
    assert place.status.undo_words() == ""
