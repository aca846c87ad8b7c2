"""Pages show the episode selected in Episodes; without a selection they stay unchanged."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from recorder.devices import open_devices
from taptrail.gui import app as gui
from taptrail.settings import Settings
from tests.gui import story, tasks_story

SETTINGS = Settings(theme="light", author="Ana P.", author_uuid=story.ANA.uuid)
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[gui.Window]:
    tasks_story.build(tmp_path / "library")
    made = gui.Window(SETTINGS, tmp_path / "library", open_devices(1, "127.0.0.2"))
    qtbot.addWidget(made.main)
    made.main.resize(1440, 900)
    made.main.show()
    with qtbot.waitActive(made.main):
        made.main.activateWindow()
    yield made
    made.stop()


def choose(qtbot: QtBot, window: gui.Window, row: int) -> str:
    """Chooses a row of Episodes and returns the episode's name."""
    window.main.go_to(1)
    table = window.episodes.table
    qtbot.waitUntil(lambda: table.model().index(row, 0).data() is not None)
    table.choose(row)
    return str(table.model().index(row, 0).data())


def test_annotate_and_review_open_the_episode_that_is_chosen(
    qtbot: QtBot, window: gui.Window
) -> None:
    name = choose(qtbot, window, 3)
    qtbot.keyClick(window.main, Qt.Key.Key_3, CONTROL)
    qtbot.waitUntil(lambda: window.annotate.where() == (name, 0))
    qtbot.keyClick(window.main, Qt.Key.Key_4, CONTROL)
    qtbot.waitUntil(lambda: window.review.where() == (name, 0))
    other = choose(qtbot, window, 1)
    qtbot.keyClick(window.main, Qt.Key.Key_4, CONTROL)
    qtbot.waitUntil(lambda: window.review.where() == (other, 0))


def test_a_place_stays_where_one_was_when_nothing_else_was_chosen(
    qtbot: QtBot, window: gui.Window
) -> None:
    name = choose(qtbot, window, 3)
    qtbot.keyClick(window.main, Qt.Key.Key_3, CONTROL)
    qtbot.waitUntil(lambda: window.annotate.where() == (name, 0))
    qtbot.keyClick(window.annotate, Qt.Key.Key_D)
    qtbot.waitUntil(lambda: window.annotate.where() == (name, 1))
    window.main.go_to(1)
    qtbot.keyClick(window.main, Qt.Key.Key_3, CONTROL)
    with qtbot.waitCallback() as read:
        window.parts.reader.run(lambda _: None, owner=window.main, done=read, failed=read)
    assert window.annotate.where() == (name, 1)


def test_where_nothing_is_chosen_nothing_is_asked_for(qtbot: QtBot, window: gui.Window) -> None:
    window.main.go_to(2)
    assert window.episodes.chosen() == ""
    model = window.episodes._model
    assert (model._soon.isActive(), model.pages_read(), window._followed) == (False, 0, {})


def test_enter_opens_what_it_says_and_is_not_followed_again(
    qtbot: QtBot, window: gui.Window
) -> None:
    name = choose(qtbot, window, 2)
    qtbot.keyClick(window.episodes.table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.annotate.where() == (name, 0))
    assert window._followed == {"annotate": window.episodes.chosen()}
