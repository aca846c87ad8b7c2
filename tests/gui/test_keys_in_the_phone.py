"""Keys that go to the phone or the window while the mirror has the keyboard."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeySequence
from pytestqt.qtbot import QtBot

from episodes.actions import Key, PressKey
from recorder.device.interface import Devices
from recorder.events import SessionState
from taptrail.gui import app as gui
from taptrail.gui import phrases
from taptrail.gui.components.keycap import KeyHint
from tests.gui.windows import connected_window

CONTROL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, phone: tuple[str, Devices]) -> Iterator[gui.Window]:
    made = connected_window(qtbot, tmp_path / "library", phone)
    with qtbot.waitActive(made.main):
        made.main.activateWindow()
    into_phone(qtbot, made)
    yield made
    made.stop()


def into_phone(qtbot: QtBot, window: gui.Window) -> None:
    window.main.go_to(0)
    window.record.mirror.setFocus()
    qtbot.waitUntil(window.record.mirror.hasFocus)


def record_there(qtbot: QtBot, window: gui.Window) -> None:
    window.record.task.edit.setPlainText("Look around")
    qtbot.keyClick(window.record.mirror, Qt.Key.Key_R, CONTROL)
    qtbot.waitUntil(lambda: window.record.take.state is SessionState.RECORDING)
    qtbot.waitUntil(window.record.mirror.hasFocus)


def listed(window: gui.Window) -> set[str]:
    window.main.show_keys()
    groups = window.main._map.groups()
    window.main.show_keys()
    return {key for _, rows in groups for _, keys in rows for key in keys}


def footers(window: gui.Window) -> list[str]:
    row = window.record.status._keys.row
    parts: list[QObject] = [row.itemAt(n).widget() for n in range(row.count())]
    return [part.accessibleName() for part in parts if isinstance(part, KeyHint)]


def test_while_nothing_is_recorded_the_windows_keys_work_from_the_phone(
    qtbot: QtBot, window: gui.Window
) -> None:
    seen = []
    for key, held in (
        (Qt.Key.Key_2, CONTROL),
        (Qt.Key.Key_4, CONTROL),
        (Qt.Key.Key_5, CONTROL),
        (Qt.Key.Key_D, CONTROL | SHIFT),
        (Qt.Key.Key_Comma, CONTROL),
        (Qt.Key.Key_3, ALT),
    ):
        into_phone(qtbot, window)
        qtbot.keyClick(window.record.mirror, key, held)
        seen.append(window.main.place().name)
    assert seen == ["Episodes", "Review", "Tasks", "Doctor", "Settings", "Annotate"]


def test_record_by_key_from_the_phone_asks_for_the_task_and_then_records(
    qtbot: QtBot, window: gui.Window
) -> None:
    record = window.record
    qtbot.keyClick(record.mirror, Qt.Key.Key_R, CONTROL)
    hint = record.task._hint
    assert (hint.text(), hint.property("tone"), record.recording()) == (
        "Write what should be done, then record.",
        "mismatch",
        False,
    )
    qtbot.waitUntil(record.task.edit.hasFocus)
    into_phone(qtbot, window)
    record_there(qtbot, window)


def test_the_targets_of_what_was_recorded_are_one_key_away_from_the_phone(
    qtbot: QtBot, window: gui.Window
) -> None:
    record = window.record
    record_there(qtbot, window)
    qtbot.keyClick(record.mirror, Qt.Key.Key_4, CONTROL)
    qtbot.waitUntil(lambda: len(record.steps.model.steps) == 1)
    qtbot.keyClick(record.mirror, Qt.Key.Key_F9)
    qtbot.keyClick(record.steps.question.go, Qt.Key.Key_Return)
    qtbot.waitUntil(record.steps._done.isVisible)
    recorded = record.take.uuid
    into_phone(qtbot, window)
    qtbot.keyClick(record.mirror, Qt.Key.Key_Return, CONTROL)
    assert window.main.place() is window.annotate
    qtbot.waitUntil(lambda: window.annotate.state.uuid() == recorded)


def test_while_recording_the_phone_gets_the_keys_and_no_modifier_is_a_step(
    qtbot: QtBot, window: gui.Window
) -> None:
    record = window.record
    record_there(qtbot, window)
    for key in (Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt, Qt.Key.Key_Meta):
        qtbot.keyClick(record.mirror, key)
    qtbot.keyClick(record.mirror, Qt.Key.Key_4, ALT)
    assert window.main.place().name == "Review"
    into_phone(qtbot, window)
    qtbot.keyClick(record.mirror, Qt.Key.Key_4, CONTROL)
    qtbot.waitUntil(lambda: len(record.steps.model.steps) == 1)
    step = record.steps.model.steps[0]
    assert step.action == PressKey(Key.OTHER, "META_CTRL_ON+KEYCODE_4")
    assert phrases.step_words(step) == ("Press", "Ctrl+4")
    assert window.main.place().name == "Record"


def test_the_map_of_keys_lists_what_works_where_the_keyboard_is(
    qtbot: QtBot, window: gui.Window
) -> None:
    asked = {"Ctrl+4", "Ctrl+Z", "Ctrl+R", "Alt+4", "Alt+H", "Ctrl+F6", "F8"}
    seen = [asked & listed(window)]
    record_there(qtbot, window)
    seen.append(asked & listed(window))
    qtbot.keyClick(window.record.mirror, Qt.Key.Key_F6, CONTROL)
    qtbot.waitUntil(lambda: not window.record.mirror.hasFocus())
    seen.append(asked & listed(window))
    assert seen == [
        {"Ctrl+4", "Ctrl+R", "Alt+4", "Alt+H", "Ctrl+F6"},
        {"Alt+4", "Alt+H", "Ctrl+F6", "F8"},
        {"Ctrl+4", "Ctrl+Z", "Alt+4", "Ctrl+F6", "F8"},
    ]


def test_the_footer_says_the_keys_of_where_the_keyboard_is(
    qtbot: QtBot, window: gui.Window
) -> None:
    seen = [footers(window)]
    window.record.task.edit.setFocus()
    qtbot.waitUntil(lambda: not window.record.mirror.hasFocus())
    seen.append(footers(window))
    into_phone(qtbot, window)
    record_there(qtbot, window)
    seen.append(footers(window))
    away = ["Alt 1…5: Places", "Ctrl F6: Leave the phone"]
    assert seen == [
        ["Alt H: Home", "Alt B: Back", *away, "Ctrl R: Record"],
        ["Ctrl R: Record", "F1: All keys"],
        ["Alt H: Home", "Alt B: Back", *away, "F8: Pause", "F9: Complete"],
    ]


def test_a_key_of_ones_own_is_kept_from_the_phone_too(qtbot: QtBot, window: gui.Window) -> None:
    mirror = window.record.mirror
    mirror.keep(["Ctrl+Shift+R"])
    keys = ("Ctrl+R", "Ctrl+Shift+R", "Alt+H", "Alt+1", "F9", "A")
    assert [key for key in keys if mirror.takes(key)] == ["Ctrl+R", "Alt+H", "A"]
    assert QKeySequence("Ctrl+R") in [s.key() for s in window.main.live_shortcuts().values()]
