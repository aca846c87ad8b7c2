"""The map of keys lists only keys that do something where one is."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from recorder.devices import open_devices
from taptrail.gui import app as gui
from taptrail.gui import commands
from taptrail.settings import Settings
from tests.gui import story


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[gui.Window]:
    story.build(tmp_path / "library")
    settings = Settings(theme="light", author="Ana P.", author_uuid=story.ANA.uuid)
    made = gui.Window(settings, tmp_path / "library", open_devices(1, "127.0.0.2"))
    qtbot.addWidget(made.main)
    made.main.resize(1440, 900)
    made.main.show()
    yield made
    made.stop()


def listed(window: gui.Window) -> list[str]:
    """Returns the keys of commands that the map shows, as Qt writes them."""
    table = {words for place in PLACES for words, _ in commands.there_are(place)}
    window.main.show_keys()
    groups = window.main._map.groups()
    window.main.show_keys()
    return [
        QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText)
        for _, rows in groups
        for words, keys in rows
        if words in table
        for key in keys
    ]


PLACES = ("Everywhere", "Record", "Episodes", "Annotate", "Review", "Tasks", "Doctor", "Settings")


@pytest.mark.parametrize("number", range(7), ids=PLACES[1:])
def test_every_listed_key_has_something_that_it_does(
    qtbot: QtBot, window: gui.Window, number: int
) -> None:
    window.main.go_to(number)
    qtbot.waitUntil(lambda: window.episodes.status.isVisible() == (number == 1))
    keys = listed(window)
    assert {"F1", "F11", "Ctrl+1", "Ctrl+,"} <= set(keys)
    done = []
    for key in keys:
        window.main.go_to(number)
        shortcut = window.main.live_shortcuts().get(key)
        if shortcut is not None:
            with qtbot.waitSignal(shortcut.activated):
                shortcut.activated.emit()
            done.append(key)
        for popup in iter(QApplication.activePopupWidget, None):
            popup.close()
    assert done == keys


def test_keys_of_what_is_not_chosen_are_not_listed(qtbot: QtBot, window: gui.Window) -> None:
    window.main.go_to(1)
    assert "F5" not in listed(window)
    window.main.go_to(0)
    qtbot.waitUntil(lambda: "F5" in listed(window))
    assert not {"F8", "F9", "F10", "Ctrl+R"} & set(listed(window))
