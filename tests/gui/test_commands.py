"""Keys: one table, a person's own over it, and a map of them over the window."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from episodes.errors import KnownError
from recorder.devices import open_devices
from taptrail.gui import app as gui
from taptrail.gui import commands
from taptrail.settings import Settings


@pytest.fixture(autouse=True)
def defaults() -> Iterator[None]:
    yield
    commands.use(())


def test_the_defaults_of_the_table_get_on_with_one_another() -> None:
    commands.use(())
    assert (commands.key("record"), commands.keys("redo")) == (
        "Ctrl+R",
        ("Ctrl+Shift+Z", "Ctrl+Y"),
    )


def test_a_key_of_ones_own_stands_for_all_defaults() -> None:
    commands.use((("redo", "Ctrl+Alt+Z"),))
    assert commands.keys("redo") == ("Ctrl+Alt+Z",)


@pytest.mark.parametrize(
    ("own", "found"),
    [
        (("fly", "F7"), "there is no command “fly”"),
        (("pause", "Hyper+Q"), "“Hyper+Q” for pause is no key"),
        (("pause", "F9"), "pause and complete have the same key F9"),
        (("pause", "F11"), "full-screen and pause have the same key F11"),
    ],
)
def test_what_cannot_be_a_key_is_said_and_nothing_changes(own: tuple[str, str], found: str) -> None:
    with pytest.raises(KnownError, match=re.escape(found)):
        commands.use((own,))
    assert commands.key("pause") == "F8"


def test_the_window_takes_the_keys_of_the_settings_and_shows_them(
    qtbot: QtBot, tmp_path: Path
) -> None:
    settings = Settings(theme="light", keys=(("go-review", "F7"),))
    gui.application(settings)
    window = gui.Window(settings, tmp_path / "library", open_devices(1, "127.0.0.2"))
    qtbot.addWidget(window.main)
    window.main.show()
    window.main.go_to(0)
    with qtbot.waitActive(window.main):
        window.main.activateWindow()
    qtbot.keyClick(window.main, Qt.Key.Key_F7)
    assert window.main.place() is window.review
    qtbot.keyClick(window.main, Qt.Key.Key_F1)
    shown = window.main._map
    assert shown.isVisible()
    here, everywhere = shown.groups()
    assert here[0] == "Review"
    assert ("Next step", ("Right",)) in here[1]
    assert ("Go to Review", ("F7", "Alt+4")) in everywhere[1]
    qtbot.keyClick(shown, Qt.Key.Key_Escape)
    assert not shown.isVisible()
    window.stop()
