"""Settings change at once, one at a time, and are kept."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from recorder.devices import open_devices
from taptrail.gui import app as gui
from taptrail.gui import theme
from taptrail.settings import Settings, load_settings
from tests.gui import story

BEFORE = Settings(theme="light", author="Ana P.", author_uuid=story.ANA.uuid)


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[gui.Window]:
    file = tmp_path / "settings.toml"
    made = gui.Window(BEFORE, tmp_path / "library", open_devices(1, "127.0.0.2"), file=file)
    qtbot.addWidget(made.main)
    made.main.show()
    with qtbot.waitActive(made.main):
        made.main.activateWindow()
    qtbot.keyClick(made.main, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    assert made.main.place() is made.settings
    yield made
    made.stop()


def test_a_change_holds_at_once_and_is_kept(
    qtbot: QtBot, window: gui.Window, tmp_path: Path
) -> None:
    page, file = window.settings, tmp_path / "settings.toml"
    page.theme.part(2).click()
    assert theme.current() == theme.DARK
    assert load_settings(file).theme == "dark"
    page.author.setText("  Ben   K. ")
    page.author.editingFinished.emit()
    assert window.history.author.name == "Ben K."
    assert window.record.take.author == load_settings(file).as_author()
    assert load_settings(file).author_uuid == story.ANA.uuid
    page.scale.part(3).click()
    page.choose_library(str(tmp_path / "other"))
    page.port.setText("5038")
    page.port.editingFinished.emit()
    kept = load_settings(file)
    assert (kept.scale, kept.library, kept.adb_port) == (125, tmp_path / "other", 5038)


def test_what_is_no_port_is_said_and_not_kept(
    qtbot: QtBot, window: gui.Window, tmp_path: Path
) -> None:
    page = window.settings
    page.port.setText("70000")
    page.port.editingFinished.emit()
    assert page.error.text() == (
        "Cannot use the port of adb: “70000” is no port. "
        "Write a number from 1 to 65535, or nothing."
    )
    assert window.preferences.settings.adb_port is None
    page.port.setText("")
    page.port.editingFinished.emit()
    assert not page.error.isVisible()


def test_settings_that_cannot_be_kept_are_said(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    window = gui.Window(
        BEFORE,
        tmp_path / "library",
        open_devices(1, "127.0.0.2"),
        file=tmp_path / "file" / "settings.toml",
    )
    qtbot.addWidget(window.main)
    window.main.show()
    window.main.go_to(window.main._places.index(window.settings))
    window.settings.theme.part(2).click()
    assert window.settings.error.isVisible()
    assert window.settings.error.text().startswith("Cannot save the settings in")
    assert theme.current() == theme.DARK
    window.stop()
