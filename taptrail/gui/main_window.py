"""The main window: rail, pages, status bars, and the keys that work everywhere."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QIcon,
    QKeySequence,
    QPainter,
    QPixmap,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import QGridLayout, QMainWindow, QMessageBox, QStackedWidget, QWidget

from taptrail.gui import commands, theme
from taptrail.gui.commands import key
from taptrail.gui.components.focus import FocusRing
from taptrail.gui.components.key_map import KeyMap
from taptrail.gui.components.messages import Toast
from taptrail.gui.components.panel import PanelSplitter
from taptrail.gui.components.shell import Page, Rail, paint_logo
from taptrail.words import tr

_TITLE_BAR = 40


class MainWindow(QMainWindow):
    """Signals:
    closing: the window is about to close.
    went: this page was opened.
    undone, redone: the user asked to undo or redo the last change.
    segmented: the user asked to run SAM 2 on all presses, or to pause it.
    """

    closing = Signal()
    went = Signal(object)
    undone = Signal()
    redone = Signal()
    segmented = Signal()

    def __init__(self, places: list[tuple[Page, str]], modifier: str = "Alt", low: int = 0) -> None:
        """`places` are (page, icon) pairs of the rail from the top, `low` those at its bottom."""
        super().__init__()
        self.setWindowTitle("Taptrail")
        self.setWindowIcon(_window_icon())
        self._places = [place for place, _ in places]
        self._stack, self._status = QStackedWidget(), QStackedWidget()
        self._status.setFixedHeight(26)
        for place in self._places:
            self._stack.addWidget(place)
            self._status.addWidget(place.status)
        self.rail = Rail(
            [(place.name, icon, key(f"go-{place.key}")) for place, icon in places], low
        )
        self.rail.chosen.connect(self.go_to)
        middle = QWidget()
        middle.setProperty("ground", "window")
        grid = QGridLayout(middle)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(0)
        grid.addWidget(self.rail, 0, 0, 2, 1)
        grid.addWidget(self._stack, 0, 1)
        grid.addWidget(self._status, 2, 0, 1, 2)
        self._grid = grid
        self.setCentralWidget(middle)
        self.toast = Toast(self)
        self._ring = FocusRing(self)
        self._map = KeyMap(self)
        self._also: dict[str, tuple[str, ...]] = {}
        self.question: QMessageBox | None = None
        self._agreed = False
        for number, place in enumerate(self._places):
            self._command(f"go-{place.key}", partial(self.go_to, number))
            if number < len(places) - low:
                # The mirror leaves these keys to the window even while it has the focus.
                self._also[f"go-{place.key}"] = (f"{modifier}+{number + 1}",)
                self._key(f"{modifier}+{number + 1}", partial(self.go_to, number))
        self._command("keys", self.show_keys)
        self._command("undo", self.undone.emit)
        self._command("redo", self.redone.emit)
        self._command("segment", self.segmented.emit)
        self._command("full-screen", self._full_screen)
        self._command("quit", self.close)
        # The mirror sends Tab to the phone; these keys leave it.
        self._command("next-part", lambda: self._focus_next(forward=True))
        self._command("last-part", lambda: self._focus_next(forward=False))
        self._command("left-panel", lambda: self._hide_part(0))
        self._command("right-panel", lambda: self._hide_part(-1))
        theme.changes.changed.connect(self._show_icon)
        room = self.screen().availableGeometry().size()
        self.setMinimumSize(QSize(960, 640).boundedTo(room))
        self.resize(first_size(room))

    def go_to(self, number: int) -> None:
        """Opens a page."""
        self._stack.setCurrentIndex(number)
        self._status.setCurrentIndex(number)
        self.rail.set_place(number)
        self.setWindowTitle(f"{self._places[number].name} – Taptrail")
        self._places[number].setFocus()
        self._places[number].entered()
        self.went.emit(self._places[number])

    def add_bar(self, bar: QWidget) -> None:
        """Adds a progress bar below the pages."""
        self._grid.addWidget(bar, 1, 1)

    def place(self) -> Page:
        """Returns the open page."""
        return self._places[self._stack.currentIndex()]

    def end(self) -> None:
        """Closes the window without asking."""
        self._agreed = True
        self.close()

    def _ask(self, question: str, more: str, button: str) -> None:
        if self.question is not None:
            self.question.raise_()
            return
        self.question = QMessageBox(self)
        self.question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.question.setText(question)
        self.question.setInformativeText(more)
        go = self.question.addButton(button, QMessageBox.ButtonRole.DestructiveRole)
        stay = self.question.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
        self.question.setDefaultButton(stay)
        go.clicked.connect(self.end)
        self.question.finished.connect(self._answered)
        self.question.open()

    def _answered(self) -> None:
        self.question = None

    def show_recording(self, place: Page, words: str, time: str) -> None:
        """Shows in the rail and on every other page that a recording runs; "" hides it."""
        self.rail.mark(self._places.index(place), time, words)
        for other in self._places:
            if other is not place:
                other.status.say_recording(f"{words} {time}".strip())

    def show_keys(self) -> None:
        """Shows or hides the key map of the page."""
        place = self.place()
        live = {key for key in self.live_shortcuts() if not place.takes_key(key)}
        groups = [
            (place.name, (*_working(place.name_in_table, live, {}), *place.more_keys())),
            (tr(commands.EVERYWHERE), _working(commands.EVERYWHERE, live, self._also)),
        ]
        self._map.toggle(
            tr("Keys of {place}", place=place.name),
            [group for group in groups if group[1]],
            tr('Your own keys are under [keys] in the settings file, for example: pause = "F7"'),
        )

    def live_shortcuts(self) -> dict[str, QShortcut]:
        """Returns the active shortcuts by their portable key."""
        return {
            shortcut.key().toString(QKeySequence.SequenceFormat.PortableText): shortcut
            for shortcut in self.findChildren(QShortcut)
            if shortcut.isEnabled() and _can_be_used(shortcut.parent())
        }

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closes the window; asks first if this would end a running recording."""
        asked = next((found for place in self._places if (found := place.to_ask())[0]), None)
        if asked is not None and not self._agreed:
            event.ignore()
            self._ask(*asked)
            return
        for place in self._places:
            place.leaving()
        self.closing.emit()
        super().closeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.toast.place()
        super().resizeEvent(event)

    def _command(self, name: str, does: Callable[[], object]) -> None:
        for sequence in commands.keys(name):
            self._key(sequence, does)

    def _key(self, key: str, does: Callable[[], object]) -> None:
        shortcut = QShortcut(QKeySequence(key), self)
        shortcut.setContext(Qt.ShortcutContext.WindowShortcut)
        shortcut.activated.connect(does)

    def _show_icon(self) -> None:
        self.setWindowIcon(_window_icon())

    def _focus_next(self, *, forward: bool) -> None:
        self.focusNextPrevChild(forward)

    def _full_screen(self) -> None:
        if self.isFullScreen():
            self.showNormal()
        else:
            self.showFullScreen()

    def _hide_part(self, number: int) -> None:
        split = self.place().findChild(PanelSplitter)
        if split is not None:
            part = split.widget(number % split.count())
            if part is not None:
                part.setVisible(not part.isVisible())


def _can_be_used(part: QObject | None) -> bool:
    return isinstance(part, QWidget) and part.isVisible() and part.isEnabled()


def _working(
    place: str, live: set[str], also: dict[str, tuple[str, ...]]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    more = {tr(commands.COMMANDS[name].does): keys for name, keys in also.items()}
    rows = []
    for words, keys in commands.there_are(place):
        found = tuple(
            key
            for key in (*keys, *more.get(words, ()))
            if QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText) in live
        )
        if found:
            rows.append((words, found))
    return tuple(rows)


def first_size(room: QSize) -> QSize:
    """Returns the initial window size for the available screen size."""
    high = room.height() if room.height() >= 900 + _TITLE_BAR else room.height() - _TITLE_BAR
    return QSize(min(1440, room.width()), min(900, high))


def _window_icon() -> QIcon:
    picture = QPixmap(64, 64)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    paint_logo(painter, QPointF(2, 2), 60 / 28)
    painter.end()
    return QIcon(picture)
