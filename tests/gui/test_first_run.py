"""Pages for an empty library, and Record's messages about unusable phones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from episodes.store.library import Library
from episodes.store.places import DATABASE
from recorder.device.interface import ListedPhone
from recorder.devices import open_devices
from taptrail.gui import app as gui
from taptrail.gui.components.start_cards import StartCard
from taptrail.gui.main_window import MainWindow
from taptrail.settings import Settings
from taptrail.usecases import episode_list
from tests.demophone.phones import StartPhone, adb_server, demo_phone
from tests.gui import story

__all__ = ["adb_server", "demo_phone"]

SETTINGS = Settings(author="Ana P.", author_uuid="7a1f6e0c-0000-4000-8000-000000000001")


@pytest.fixture
def first(qtbot: QtBot, tmp_path: Path) -> Iterator[gui.Window]:
    window = gui.Window(SETTINGS, tmp_path / "library", open_devices(1, "127.0.0.2"))
    qtbot.addWidget(window.main)
    window.main.show()
    window.main.go_to(gui.PLACES.index("episodes"))
    qtbot.waitUntil(lambda: window.episodes._stack.currentIndex() == 1)
    yield window
    window.stop()


def test_the_sample_comes_into_an_empty_library_by_keyboard(
    qtbot: QtBot, first: gui.Window
) -> None:
    qtbot.keyClick(first.episodes._empty.open, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: first.episodes._stack.currentIndex() == 0)
    assert first.episodes.table.model().rowCount() == 7
    qtbot.waitUntil(lambda: not first.episodes.imports.busy())
    with Library.read(first.parts.folder) as library:
        assert [run.name for run in library.runs()] == ["run-a", "run-b"]


@pytest.mark.parametrize(
    ("filled", "task", "place"),
    [(False, "", "Episodes"), (False, "Look around", "Record"), (True, "", "Record")],
)
def test_an_empty_library_opens_with_its_first_page_unless_something_is_to_be_recorded(
    qapp: QApplication, tmp_path: Path, filled: bool, task: str, place: str
) -> None:
    folder = tmp_path / "library"
    if filled:
        story.build(folder)
    seen: list[str] = []

    def look() -> None:
        (window,) = (
            one for one in qapp.topLevelWidgets() if isinstance(one, MainWindow) if one.isVisible()
        )
        seen.append(window.place().name)
        window.close()

    QTimer.singleShot(0, look)
    assert gui.run(SETTINGS, library=folder, task=task, devices=open_devices(1, "127.0.0.2")) == 0
    assert seen == [place]


def test_nobody_reads_a_new_library_before_it_is_made(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, gate, make = tmp_path / "library", Event(), episode_list.make_ready

    def slow(where: Path) -> list[str]:
        where.mkdir()
        begun = where / DATABASE
        begun.touch()
        gate.wait(20)
        begun.unlink()
        return make(where)

    monkeypatch.setattr(episode_list, "make_ready", slow)
    window = gui.Window(SETTINGS, folder, open_devices(1, "127.0.0.2"))
    qtbot.addWidget(window.main)
    told: list[object] = []
    window.episodes.error.tell = lambda error, about="": told.append(error)  # type: ignore[method-assign]
    window.main.show()
    window.main.go_to(1)
    QTimer.singleShot(200, gate.set)
    qtbot.waitUntil(lambda: window.episodes._stack.currentIndex() == 1)
    window.stop()
    assert told == []


def test_the_first_page_has_the_place_to_itself_until_there_is_an_episode(
    qtbot: QtBot, first: gui.Window
) -> None:
    place = first.episodes
    beside = (place._filters, place.inspector, place._list_head)
    assert [part.isVisible() for part in beside] == [False] * 3
    assert place._empty.width() == place.width()
    qtbot.waitUntil(lambda: not place._empty.picture._image.isNull())
    place._empty.open.click()
    qtbot.waitUntil(lambda: place.table.isVisible())
    assert [part.isVisible() for part in beside] == [True] * 3
    place.inspector.hide()
    with qtbot.waitSignal(place.imports.finished, timeout=20_000):
        place.open_sample()
    assert not place.inspector.isVisible()


def test_a_cable_and_wifi_lead_to_record_with_what_to_do(qtbot: QtBot, first: gui.Window) -> None:
    page = first.record.connect_page
    first.episodes._empty.buttons["cable"].click()
    assert first.main.place() is first.record
    assert page._cable_steps.isVisible()
    assert "USB debugging (Security settings)" in page._cable_steps.accessibleName()
    assert not page._pairing.isVisible()
    first.main.go_to(gui.PLACES.index("episodes"))
    first.episodes._empty.buttons["wifi"].click()
    assert page._pairing.isVisible()


def test_the_demo_phone_is_started_from_the_first_page(
    qtbot: QtBot, first: gui.Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[bool] = []
    monkeypatch.setattr(first.record, "start_demo_phone", lambda: begun.append(True))
    first.episodes._empty.buttons["demo"].click()
    assert (begun, first.main.place()) == ([True], first.record)


def test_a_code_is_sent_with_its_address_and_no_sooner(qtbot: QtBot, first: gui.Window) -> None:
    page = first.record.connect_page
    sent: list[tuple[str, str]] = []
    page.paired.disconnect()
    page.paired.connect(lambda *told: sent.append(told))
    page._code.setText("123 456")
    qtbot.keyClick(page._code, Qt.Key.Key_Return)
    assert sent == []
    page._pair_at.setText("192.168.0.7:37105")
    qtbot.keyClick(page._code, Qt.Key.Key_Return)
    assert sent == [("192.168.0.7:37105", "123456")]


def test_a_phone_that_waits_says_what_to_do_and_stays_where_it_is(
    qtbot: QtBot, first: gui.Window
) -> None:
    page = first.record.connect_page
    waits = ListedPhone("R5", "unauthorized", "Wren_6", "not allowed yet", "Tap Allow.")
    page.show_phones((waits,))
    (card,) = page._ways
    assert card.accessibleName() == "Wren 6. R5: Not allowed yet. Tap Allow."
    page.show_phones((waits,))
    assert page._ways == [card]


def test_an_unauthorized_phone_is_explained_where_one_connects(
    qtbot: QtBot, tmp_path: Path, demo_phone: StartPhone
) -> None:
    phone = demo_phone("--faults", "unauthorized", connect=False)
    window = gui.Window(SETTINGS, tmp_path / "library", open_devices(port=phone.adb_port))
    qtbot.addWidget(window.main)
    window.main.show()
    window.main.go_to(0)
    page = window.record.connect_page
    try:
        window.record.connect_phone(phone.serial)
        qtbot.waitUntil(lambda: page.error.isVisible())
        assert page.error.text() == (
            f"Cannot connect to {phone.serial}: the phone does not allow this computer yet. "
            "Unlock the phone and allow USB debugging in the question it shows."
        )
        qtbot.waitUntil(lambda: bool(page._ways))
        assert all(isinstance(way, StartCard) for way in page._ways)
        assert "Not allowed yet" in page._ways[0].accessibleName()
        window.record.connect_phone(phone.serial)
        qtbot.waitUntil(lambda: "the phone is not allowed yet" in page.error.text())
    finally:
        window.stop()


def test_a_locked_phone_is_mirrored_and_explained(
    qtbot: QtBot, tmp_path: Path, demo_phone: StartPhone
) -> None:
    phone = demo_phone("--deterministic", "--faults", "locked")
    window = gui.Window(SETTINGS, tmp_path / "library", open_devices(port=phone.adb_port))
    qtbot.addWidget(window.main)
    window.main.show()
    window.main.go_to(0)
    try:
        window.record.connect_phone(phone.serial)
        qtbot.waitUntil(lambda: window.record.mirror.painted() is not None)
        qtbot.waitUntil(lambda: window.record.error.isVisible())
        assert "its lock screen is in front. Unlock it here" in window.record.error.text()
    finally:
        window.stop()
