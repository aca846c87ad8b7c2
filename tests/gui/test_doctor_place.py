"""The Doctor page: findings with the worst first, and repairs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from episodes.errors import KnownError
from recorder.devices import open_devices
from recorder.doctor import CheckLevel, CheckResult
from taptrail.gui import app as gui
from taptrail.gui.doctor.place import DoctorPlace
from taptrail.gui.work import WorkThread
from taptrail.settings import Settings
from taptrail.usecases import doctor

FINE = CheckResult(CheckLevel.OK, "adb", "there")
DARK = CheckResult(
    CheckLevel.WARNING, "phone 1", "screen off", "Turn it on.", "It is dark.", fix="wake"
)
FULL = CheckResult(CheckLevel.ERROR, "disk", "full", "Make room.", command="df -h")


@pytest.fixture
def place(qtbot: QtBot, tmp_path: Path) -> Iterator[DoctorPlace]:
    thread: WorkThread[None] = WorkThread("doctor", lambda: None)
    made = DoctorPlace(tmp_path / "library", thread, lambda: 7, lambda: tmp_path / "ours.pt")
    qtbot.addWidget(made)
    made.resize(1100, 700)
    made.show()
    yield made
    thread.stop()


def test_the_panel_shows_what_the_command_says(
    qtbot: QtBot, place: DoctorPlace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[Path, int | None, Path | None]] = []

    def look(folder: Path, port: int | None, *, checkpoint: Path | None) -> tuple[CheckResult, ...]:
        asked.append((folder, port, checkpoint))
        return FINE, DARK, FULL

    monkeypatch.setattr(doctor, "doctor", look)
    place.entered()
    qtbot.waitUntil(lambda: len(place.rows) == 2)
    assert asked == [(tmp_path / "library", 7, tmp_path / "ours.pt")]
    assert [row.finding for row in place.rows] == [FULL, DARK]
    assert place.summary.text() == "1 missing, 1 to check"
    assert place.fine.value("Adb") == "there"
    assert place.rows[0].accessibleName() == "Missing: Disk. Full.  Make room."
    place.copy.click()
    assert QGuiApplication.clipboard().text() == doctor.report((FINE, DARK, FULL))


def test_a_repair_is_made_by_keyboard_and_looked_at_again(
    qtbot: QtBot, place: DoctorPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    repaired: list[str] = []

    def repair(name: str, folder: Path, port: int | None) -> str:
        repaired.append(name)
        return "The screen of 1 phone was turned on."

    monkeypatch.setattr(doctor, "repair", repair)
    monkeypatch.setattr(doctor, "doctor", lambda *_, **__: (FINE,) if repaired else (FINE, DARK))
    place.look()
    qtbot.waitUntil(lambda: len(place.rows) == 1)
    fix = place.rows[0].fix
    assert fix is not None
    qtbot.keyClick(fix, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: place.rows == [])
    assert repaired == ["wake"]
    assert place.summary.text() == "All is well"


def test_a_repair_that_fails_says_why_and_the_findings_stay(
    qtbot: QtBot, place: DoctorPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def repair(name: str, folder: Path, port: int | None) -> str:
        raise KnownError("wake the phone", "it is gone", "Plug it in.")

    monkeypatch.setattr(doctor, "repair", repair)
    place.show_findings((DARK,))
    place.repair("wake")
    qtbot.waitUntil(lambda: place.error.isVisible())
    assert place.error.text() == "Cannot wake the phone: it is gone. Plug it in."
    assert [row.finding for row in place.rows] == [DARK]
    assert place.again.isEnabled()


def test_the_demo_phone_in_the_window_is_a_phone_that_is_connected(
    qtbot: QtBot, tmp_path: Path
) -> None:
    settings = Settings(theme="light", author="Ana P.", author_uuid="7a1f6e0c-0000-4000-8000-0001")
    window = gui.Window(settings, tmp_path / "library", open_devices(1, "127.0.0.2"))
    qtbot.addWidget(window.main)
    window.main.show()
    window.main.go_to(0)
    window.record.start_demo_phone()
    qtbot.waitUntil(lambda: window.record.mirror.painted() is not None)
    window.main.go_to(5)
    qtbot.waitUntil(lambda: window.doctor.findings != ())
    phones = [f for f in window.doctor.findings if f.subject.startswith("phone")]
    port, serial = window.desk.adb_port, window.record.phones.connected.serial
    window.main.close()
    assert {(one.subject, one.severity) for one in phones} == {(f"phone {serial}", CheckLevel.OK)}
    assert (port, window.desk.adb_port) == (port, 1)
    assert port != 1
