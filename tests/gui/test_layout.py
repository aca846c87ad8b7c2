"""In the smallest window that is supported, each place has room for what it says."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from episodes.store.library import Library
from recorder.devices import open_devices
from taptrail.gui import app as gui
from taptrail.gui.components.button import Button
from taptrail.gui.components.chip import Chip
from taptrail.settings import Settings
from taptrail.usecases.sample import open_sample
from tests.gui import story

SETTINGS = Settings(author="Ana P.", author_uuid=story.ANA.uuid)


@pytest.fixture(scope="module")
def sample_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("layout") / "pilot-study"
    open_sample(folder)
    return folder


@pytest.fixture
def window(qtbot: QtBot, sample_folder: Path) -> Iterator[gui.Window]:
    made = gui.Window(SETTINGS, sample_folder, open_devices(1, "127.0.0.2"))
    qtbot.addWidget(made.main)
    made.main.resize(1280, 800)
    made.main.show()
    yield made
    made.stop()


def connect(qtbot: QtBot, window: gui.Window) -> None:
    window.main.go_to(gui.PLACES.index("record"))


def episodes(qtbot: QtBot, window: gui.Window) -> None:
    window.main.go_to(gui.PLACES.index("episodes"))
    qtbot.waitUntil(lambda: window.episodes.inspector._facts.value("Device") != "")


def annotate(qtbot: QtBot, window: gui.Window) -> None:
    window.main.go_to(gui.PLACES.index("annotate"))
    with Library.read(window.parts.folder) as library:
        window.annotate.open_at(library.episode("s-0001", "sample").uuid, 5)
    qtbot.waitUntil(lambda: window.annotate.where() == ("s-0001", 5))


def review(qtbot: QtBot, window: gui.Window) -> None:
    window.main.go_to(gui.PLACES.index("review"))
    place = window.review
    qtbot.waitUntil(lambda: place.where()[1] >= 0 and len(place.scorer.there_are) == 2)
    place.choose_runs(["run-a", "run-b"])
    qtbot.waitUntil(lambda: place.differing.lines() != [])
    place.go(place.differing.lines()[0].place)
    qtbot.waitUntil(lambda: place.why.reason() != "")


def differences(qtbot: QtBot, window: gui.Window) -> None:
    review(qtbot, window)
    window.review.show_differences()
    qtbot.waitUntil(lambda: window.review.differences.answer() is not None)


def tasks(qtbot: QtBot, window: gui.Window) -> None:
    window.main.go_to(gui.PLACES.index("tasks"))
    qtbot.waitUntil(lambda: window.tasks.budget.scores.grid.grid.rowCount() > 1)


def settings(qtbot: QtBot, window: gui.Window) -> None:
    window.main.go_to(len(gui.PLACES) + 1)


@pytest.mark.parametrize("go", [connect, episodes, annotate, review, differences, tasks, settings])
def test_no_words_are_cut_and_no_group_of_the_head_lies_on_another_at_1280_by_800(
    qtbot: QtBot, window: gui.Window, go: Callable[[QtBot, gui.Window], None]
) -> None:
    go(qtbot, window)
    qtbot.waitUntil(lambda: cut(window.main.place()) == [])
    head = window.main.place().head
    left, middle, right = head._left, head._middle, head._right
    if middle.sizeHint().width() > 0:
        assert left.geometry().right() < middle.geometry().left()
    for group in (left, middle, right):
        assert group.width() >= group.minimumSizeHint().width()
    assert max(left.geometry().right(), middle.geometry().right()) < right.geometry().left()


def test_words_without_room_are_found(qtbot: QtBot) -> None:
    place = QWidget()
    qtbot.addWidget(place)
    fits, narrow, low, button = (
        QLabel("Fits"),
        QLabel("Too long"),
        QLabel("of two lines"),
        Button("Go"),
    )
    low.setWordWrap(True)
    for part, width, height in ((fits, 90, 20), (narrow, 20, 20), (low, 40, 12), (button, 9, 28)):
        part.setParent(place)
        part.setFixedSize(width, height)
    place.show()
    assert sorted(cut(place)) == ["Go", "Too long", "of two lines"]


def cut(place: QWidget) -> list[str]:
    """Returns the words that have less room than they need."""
    found = []
    for part in place.findChildren(QWidget):
        if not part.isVisible():
            continue
        if isinstance(part, QLabel) and part.wordWrap():
            short = part.height() < part.heightForWidth(part.width())
        elif isinstance(part, QLabel | Chip):
            short = part.width() < part.sizeHint().width()
        elif isinstance(part, Button):
            short = part.width() < part.minimumSizeHint().width()
        else:
            continue
        if short:
            found.append(part.text())
    return found
