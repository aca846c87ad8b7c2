"""Another library is opened in the window, without leaving it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from episodes.store.library import Library
from recorder.devices import open_devices
from taptrail.gui import app as gui
from taptrail.gui.window_state import WindowState
from tests.gui import story
from tests.gui.windows import SETTINGS


@pytest.fixture
def opened(qtbot: QtBot, tmp_path: Path) -> Iterator[gui.OpenWindow]:
    story.build(tmp_path / "first")
    with Library.open(tmp_path / "second") as library:
        library.save_episodes(story.many(3))
    remembered = WindowState(tmp_path / "window.json")
    remembered.keep_library(str(tmp_path / "second"))
    made = gui.OpenWindow(SETTINGS, tmp_path / "first", open_devices(1, "127.0.0.2"), remembered)
    made.window.main.resize(1200, 760)
    made.window.main.show()
    made.window.main.go_to(1)
    qtbot.waitUntil(lambda: rows(made) == 2)
    yield made
    made.window.stop()
    made.window.main.close()


def rows(opened: gui.OpenWindow) -> int:
    return opened.window.episodes.table.model().rowCount()


def entries(opened: gui.OpenWindow) -> dict[str, QAction]:
    menu = opened.window.episodes.library.menu()
    return {action.text().split("  ")[0]: action for action in menu.actions() if action.text()}


def test_another_library_is_chosen_in_the_head_of_episodes(
    qtbot: QtBot, opened: gui.OpenWindow, tmp_path: Path
) -> None:
    before = opened.window
    assert before.episodes.library.text() == "first"
    found = entries(opened)
    assert list(found) == ["first", "second", "Open another library…"]
    assert [action.isEnabled() for action in found.values()] == [False, True, True]
    with qtbot.waitSignal(opened.replaced, timeout=20_000):
        found["second"].trigger()
    qtbot.waitUntil(lambda: rows(opened) == 3)
    assert opened.window.episodes.library.text() == "second"
    assert opened.window.main.size() == before.main.size()
    assert (before.main.isVisible(), opened.window.main.isVisible()) == (False, True)
    with qtbot.waitSignal(opened.replaced, timeout=20_000):
        opened.window.episodes.open_library(tmp_path / "third")
    qtbot.waitUntil(lambda: (tmp_path / "third" / "library.db").is_file())
    assert list(entries(opened))[:3] == ["third", "second", "first"]


def test_a_folder_of_something_else_is_not_opened(
    qtbot: QtBot, opened: gui.OpenWindow, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("notes")
    before = opened.window
    before.episodes.open_library(tmp_path / "other")
    qtbot.waitUntil(before.episodes.error.isVisible)
    assert opened.window is before
    assert "other" in before.episodes.error.text()
    assert not (tmp_path / "other" / "library.db").exists()
