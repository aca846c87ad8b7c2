"""The whole window on its real parts: a phone, a recording, and an end that joins its threads."""

import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from episodes.actions import Ending, Finish, Key, PressKey, Tap, TypeText
from episodes.episodes import EpisodeState
from episodes.screens import Basis
from episodes.store.library import Library
from recorder.device.interface import Devices
from recorder.devices import open_devices
from recorder.events import SessionState
from recorder.inputs import Touch
from taptrail.gui import app as gui
from taptrail.gui import theme
from taptrail.gui.components.keycap import KeyHint
from tests.gui import story
from tests.gui.windows import SETTINGS, record_window


def window_threads() -> list[str]:
    names = ("library", "reader", "judge", "pictures", "phone", "session", "mirror", "decoder")
    return sorted(t.name for t in threading.enumerate() if t.name.startswith(names))


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, phone: tuple[str, Devices]) -> Iterator[gui.Window]:
    made = record_window(qtbot, tmp_path / "library", phone[1])
    yield made
    made.stop()


def test_closing_ends_every_thread(qtbot: QtBot, tmp_path: Path) -> None:
    story.build(tmp_path / "library")
    before = window_threads()
    window = gui.Window(SETTINGS, tmp_path / "library", open_devices(1, "127.0.0.2"))
    qtbot.addWidget(window.main)
    window.main.show()
    window.main.go_to(2)
    qtbot.waitUntil(lambda: window.annotate.where()[1] >= 0)
    window.main.go_to(3)
    qtbot.waitUntil(lambda: window.review.where()[1] >= 0)
    window.main.go_to(1)
    assert len(window_threads()) > len(before)
    window.main.close()
    assert window_threads() == before


def test_keys_go_from_place_to_place(qtbot: QtBot, window: gui.Window) -> None:
    with qtbot.waitActive(window.main):
        window.main.activateWindow()
    seen = []
    for key in (Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4, Qt.Key.Key_1):
        qtbot.keyClick(window.main, key, Qt.KeyboardModifier.ControlModifier)
        seen.append((window.main.place().name, window.main.windowTitle()))
    assert seen == [
        ("Episodes", "Episodes – Taptrail"),
        ("Annotate", "Annotate – Taptrail"),
        ("Review", "Review – Taptrail"),
        ("Record", "Record – Taptrail"),
    ]


def test_the_keyboard_leads_out_of_the_mirror(qtbot: QtBot, window: gui.Window) -> None:
    with qtbot.waitActive(window.main):
        window.main.activateWindow()
    page = window.record.connect_page
    page._address.setFocus()
    seen = [window.main.focusWidget()]
    for modifiers in (
        Qt.KeyboardModifier.ControlModifier,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    ):
        qtbot.keyClick(window.main, Qt.Key.Key_F6, modifiers)
        seen.append(window.main.focusWidget())
    assert seen[0] is page._address
    assert seen[1] is not page._address
    assert seen[2] is page._address


def test_all_that_can_be_pressed_or_written_in_has_a_name(qtbot: QtBot, window: gui.Window) -> None:
    nameless = [
        part
        for kind in (QAbstractButton, QLineEdit, QPlainTextEdit)
        for part in window.main.findChildren(kind)
        if not part.accessibleName() and part.objectName() != "qt_spinbox_lineedit"
        if type(part).__module__.startswith("taptrail") or part.isVisible()
    ]
    named_later = {"_Choice", "Button"}
    assert [part for part in nameless if type(part).__name__ not in named_later] == []


def test_the_whole_window_changes_its_theme(qtbot: QtBot, window: gui.Window) -> None:
    rail = QPoint(30, 400)
    seen = []
    for name in ("dark", "light"):
        theme.apply(name)
        seen.append(window.main.grab().toImage().pixelColor(rail).name().upper())
    assert seen == [theme.DARK.window, theme.LIGHT.window]


def test_a_recording_made_with_mouse_and_keyboard(
    qtbot: QtBot, window: gui.Window, phone: tuple[str, Devices], tmp_path: Path
) -> None:
    record, mirror = window.record, window.record.mirror
    record.connect_phone(phone[0])
    qtbot.waitUntil(lambda: mirror.painted() is not None, timeout=20_000)
    assert record._device.text() == "Demo Phone"
    record.begin()
    assert record.take.state is SessionState.NEW
    record.task.edit.setPlainText("Open  Contacts\nand go home")
    record.begin()
    qtbot.waitUntil(lambda: record.take.state is SessionState.RECORDING, timeout=20_000)
    assert record.pill.word() == "Recording"
    fit = mirror.fit()
    shown = mirror.painted()
    assert fit is not None
    assert shown is not None
    at = fit.to_window(shown.size.at(0.625, 0.845)).toPoint()
    steps = record.steps.model.steps
    touches: list[Touch] = []
    mirror.entered.connect(touches.append)
    qtbot.mousePress(mirror, Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseRelease(mirror, Qt.MouseButton.LeftButton, pos=at)
    qtbot.waitUntil(lambda: len(steps) == 1, timeout=20_000)
    first = steps[0]
    assert isinstance(first.action, Tap)
    assert first.action.at == fit.nearest(at.toPointF())
    assert first.frame is not None
    assert (first.frame.basis, first.frame.pts_us) == (Basis.PAINTED, touches[0].shown.pts_us)
    qtbot.keyClicks(mirror, "Ma")
    qtbot.waitUntil(lambda: record.take.typing == "Ma", timeout=20_000)
    qtbot.keyClick(mirror, Qt.Key.Key_H, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: len(steps) == 3, timeout=20_000)
    assert [steps[1].action, steps[2].action] == [TypeText("Ma"), PressKey(Key.HOME)]
    assert record.timeline.accessibleDescription() == "3 steps"
    control = Qt.KeyboardModifier.ControlModifier
    QApplication.clipboard().setText("Quill & Söhne")
    qtbot.keyClick(mirror, Qt.Key.Key_V, control)
    qtbot.keyClick(mirror, Qt.Key.Key_A, control)
    qtbot.waitUntil(lambda: len(steps) == 5, timeout=20_000)
    assert [step.action for step in steps[3:]] == [
        TypeText("Quill & Söhne"),
        PressKey(Key.OTHER, "META_CTRL_ON+KEYCODE_A"),
    ]
    QApplication.clipboard().setText("something else")
    qtbot.keyClick(mirror, Qt.Key.Key_C, control)
    qtbot.waitUntil(lambda: QApplication.clipboard().text() == "Quill & Söhne")
    qtbot.waitUntil(lambda: len(steps) == 6, timeout=20_000)
    with qtbot.waitSignal(record.recorded, timeout=20_000) as recorded:
        record.finish(Ending.COMPLETE)
    name, count = recorded.args
    assert (name, count) == ("e-0001", 7)
    with Library.read(tmp_path / "library") as library:
        episode = library.episode(name)
    assert episode.state is EpisodeState.FINISHED
    assert episode.task.instruction == "Open Contacts and go home"
    assert episode.actor.author is not None
    assert episode.actor.author.name == "Ana P."
    assert [step.action for step in episode.steps][:6] == [step.action for step in steps[:6]]
    assert episode.steps[6].action == Finish(Ending.COMPLETE)
    record.steps.reviewed.emit()
    qtbot.waitUntil(lambda: window.review.where() == ("e-0001", 0), timeout=10_000)
    assert window.main.place().name == "Review"


def test_a_pause_keeps_nothing_and_closing_leaves_an_incomplete_episode(
    qtbot: QtBot, window: gui.Window, phone: tuple[str, Devices], tmp_path: Path
) -> None:
    record, mirror = window.record, window.record.mirror
    record.connect_phone(phone[0])
    qtbot.waitUntil(lambda: mirror.painted() is not None, timeout=20_000)
    record.task.edit.setPlainText("Look around")
    stood = mirror.height()
    assert record.timeline.isVisible()
    record.begin()
    qtbot.waitUntil(lambda: record.take.state is SessionState.RECORDING, timeout=20_000)
    assert mirror.height() == stood
    steps = record.steps.model.steps
    mirror.press(Key.HOME)
    qtbot.waitUntil(lambda: len(steps) == 1, timeout=20_000)
    assert record.status._saved.text() == "Saved as you go"
    record._pause.click()
    qtbot.waitUntil(lambda: record.pill.word() == "Paused", timeout=20_000)
    assert record._pause.text() == "Go on"
    assert record.status._saved.text() == "Paused"
    caps = [hint.accessibleName() for hint in record.status.findChildren(KeyHint)]
    assert [name for name in caps if "F8" in name][-1].endswith("Go on")
    mirror.press(Key.HOME)
    record._pause.click()
    qtbot.waitUntil(lambda: record.take.state is SessionState.RECORDING, timeout=20_000)
    mirror.press(Key.BACK)
    qtbot.waitUntil(lambda: len(steps) == 2, timeout=20_000)
    assert [step.action for step in steps] == [PressKey(Key.HOME), PressKey(Key.BACK)]
    assert [words[:6] for _, _, words in record.timeline.track.pauses] == ["Paused"]
    window.main.end()
    with Library.read(tmp_path / "library") as library:
        episode = library.episode("e-0001")
    assert (episode.state, len(episode.steps)) == (EpisodeState.INCOMPLETE, 2)


def test_closing_does_not_wait_for_a_phone_that_does_not_answer(
    qtbot: QtBot, tmp_path: Path
) -> None:
    before = window_threads()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        window = gui.Window(
            SETTINGS, tmp_path / "library", open_devices(port=silent.getsockname()[1])
        )
        qtbot.addWidget(window.main)
        window.main.show()
        window.main.go_to(0)
        window.record.connect_phone("wren")
        asked, _ = silent.accept()
        began = monotonic()
        window.main.close()
        took = monotonic() - began
        assert window.record.phones.busy
        asked.close()
    assert took < 2.0
    qtbot.waitUntil(lambda: window_threads() == before)


def test_a_phone_that_cannot_be_reached_is_said_where_one_connects(
    qtbot: QtBot, window: gui.Window
) -> None:
    page = window.record.connect_page
    window.record.connect_phone("127.0.0.1:9")
    qtbot.waitUntil(lambda: page.error.isVisible(), timeout=30_000)
    with qtbot.waitCallback() as listed:
        window.phone.run(
            lambda desk: desk.phones(), owner=window.record, done=listed, failed=listed
        )
    window.record.phones.show_phones(*listed.args)
    assert page.error.isVisible()
    assert page.error.text().startswith("Cannot connect to 127.0.0.1:9")
    assert page._title.text() == "Connect a phone"


def test_a_dropped_step_is_put_back_where_it_was(
    qtbot: QtBot, window: gui.Window, phone: tuple[str, Devices], tmp_path: Path
) -> None:
    record, mirror = window.record, window.record.mirror
    record.connect_phone(phone[0])
    qtbot.waitUntil(lambda: mirror.painted() is not None, timeout=20_000)
    record.task.edit.setPlainText("Look around")
    record.begin()
    qtbot.waitUntil(lambda: record.take.state is SessionState.RECORDING, timeout=20_000)
    steps = record.steps.model.steps
    for count, key in enumerate((Key.HOME, Key.BACK), start=1):
        mirror.press(key)
        qtbot.waitUntil(lambda n=count: len(steps) == n, timeout=20_000)
    record.steps.dropped.emit()
    qtbot.waitUntil(lambda: len(steps) == 1, timeout=20_000)
    assert window.main.toast.text() == "Dropped step 2"
    assert record.status.undo_words() == "Undo: drop a step"
    mirror.press(Key.HOME)
    qtbot.waitUntil(lambda: len(steps) == 2, timeout=20_000)
    window.main.toast._action.click()
    qtbot.waitUntil(lambda: len(steps) == 3, timeout=20_000)
    wanted = [PressKey(Key.HOME), PressKey(Key.BACK), PressKey(Key.HOME)]
    assert [step.action for step in steps] == wanted
    assert record.status.undo_words() == ""
    record.steps.dropped.emit()
    qtbot.waitUntil(lambda: len(steps) == 2, timeout=20_000)
    with qtbot.waitSignal(record.recorded, timeout=20_000):
        record.finish(Ending.COMPLETE)
    with Library.read(tmp_path / "library") as library:
        episode = library.episode("e-0001")
    assert [step.action for step in episode.steps] == [*wanted[:2], Finish(Ending.COMPLETE)]
