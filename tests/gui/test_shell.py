"""The frame of the window: it fits the screen, and shows where one is."""

import pytest
from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from taptrail.gui import theme
from taptrail.gui.components.messages import Toast
from taptrail.gui.components.shell import Head, Page, Rail, StatusBar
from taptrail.gui.main_window import MainWindow, first_size


class Empty(Page):
    """A place with nothing in it."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.furnish(Head(name), QWidget(), StatusBar([]))


@pytest.mark.parametrize(
    ("room", "size"),
    [
        ((1920, 1080), (1440, 900)),
        ((1280, 1024), (1280, 900)),
        ((1366, 768), (1366, 728)),
        ((800, 600), (800, 560)),
    ],
)
def test_the_first_size_fits_the_screen(room: tuple[int, int], size: tuple[int, int]) -> None:
    assert first_size(QSize(*room)) == QSize(*size)


def test_a_new_window_is_no_larger_than_its_screen(qtbot: QtBot) -> None:
    window = MainWindow([(Empty("Record"), "compare"), (Empty("Review"), "compare")])
    qtbot.addWidget(window)
    window.show()
    room = window.screen().availableGeometry().size()
    assert window.size() == first_size(room)
    assert window.size().boundedTo(room) == window.size()


class Watched(Rail):
    """Counts how often it is painted as a whole, not only one of its items."""

    painted = 0

    def paintEvent(self, event: QPaintEvent) -> None:
        self.painted += event.region().contains(QPoint(1, self._items[1].y() + 20))
        super().paintEvent(event)


def test_the_bar_of_the_rail_goes_along_with_the_place(qtbot: QtBot) -> None:
    rail = Watched([("Record", "compare", "Ctrl+1"), ("Review", "compare", "Ctrl+4")])
    qtbot.addWidget(rail)
    rail.resize(64, 400)
    rail.show()
    rail.set_place(0)
    qtbot.waitUntil(lambda: rail.painted > 0)
    before = rail.painted
    rail.set_place(1)
    qtbot.waitUntil(lambda: rail.painted > before)
    picture = rail.grab().toImage()
    bars = [picture.pixelColor(1, item.y() + 20) for item in rail._items]
    assert bars == [theme.colour("window"), theme.colour("accent")]


def test_a_toast_is_as_wide_as_each_of_its_texts(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1200, 700)
    window.show()
    toast = Toast(window)
    for text in (
        "Undone",
        "e-0002 saved, 7 steps",
        "1 episode was interrupted. Its saved steps are kept",
    ):
        toast.tell(text, "check-circle")
        QApplication.processEvents()
        assert toast._text.width() >= toast._text.sizeHint().width()
        toast.hide()


def test_a_head_with_a_name_alone_has_no_line_behind_it(qtbot: QtBot) -> None:
    alone, full = Head("Doctor"), Head("Review", [QWidget()])
    for head in (alone, full):
        qtbot.addWidget(head)
    assert alone._left.row.count() == 1
    assert full._left.row.count() == 3


def test_the_status_begins_at_the_left_whatever_it_says(qtbot: QtBot) -> None:
    bar = StatusBar([])
    qtbot.addWidget(bar)
    bar.resize(600, 26)
    bar.show()
    bar.say_health("Looked just now")
    qtbot.waitUntil(lambda: bar._health.x() == 14)
    bar.say("All changes saved")
    qtbot.waitUntil(lambda: bar._health.x() > 100)
