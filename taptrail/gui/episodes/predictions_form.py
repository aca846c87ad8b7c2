"""Form for the import options of a file of predictions, shown as a bar, not a dialog."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QPoint, QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QMenu, QWidget

from replay.dialect import Declared, Dialect
from taptrail.gui import icons
from taptrail.gui.components.button import Button
from taptrail.gui.components.labels import ElidedLabel, label
from taptrail.gui.components.panel import Icon, Panel, WidgetRow
from taptrail.gui.components.tips import menu_text
from taptrail.gui.fonts import BODY, FACTS, font
from taptrail.words import tr

_RESIZED = "resized:WxH"
_LEVELS = ("", "high", "low", "both")


class MenuChoice(Button):
    """A menu button with named values, one of them selected.

    Signals:
        chosen: the value the user selected.
    """

    chosen = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__("", size="s", menu=True, tip=name)
        self._title, self._values = name, [("", "")]
        self._value = ""
        self.clicked.connect(self._show_menu)

    def offer(self, values: Sequence[tuple[str, str]]) -> None:
        """Offers (value, text) pairs and selects the first. A single pair disables the menu."""
        self._values = list(values)
        self.put(self._values[0][0])
        self.setVisible(len(self._values) > 1)

    def put(self, value: str) -> None:
        """Selects a value."""
        self._value = value
        words = dict(self._values)[value]
        said = tr("{name}: {value}", name=self._title, value=words)
        self.set_words(said)
        self.set_tip(said)
        self.chosen.emit(value)

    def value(self) -> str:
        """Returns the selected value."""
        return self._value

    def values(self) -> list[str]:
        """Returns all offered values."""
        return [value for value, _ in self._values]

    def _show_menu(self) -> None:
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        for value, words in self._values:
            action = menu.addAction(
                icons.icon("radiobox-marked" if value == self._value else "radiobox-blank"),
                menu_text(words),
            )
            action.triggered.connect(lambda _=False, v=value: self.put(v))
        menu.popup(self.mapToGlobal(QPoint(0, self.height() + 4)))


class PredictionsForm(QWidget):
    """Signals:
    wanted: (file, dialect, run name, declared settings).
    """

    wanted = Signal(object, str, str, object)

    def __init__(self) -> None:
        super().__init__()
        self._file = Path()
        self._dialects: dict[str, Dialect] = {}
        self._words = ElidedLabel("", FACTS, 600)
        self._name = _field(tr("Name of the run"), 200)
        self._name.returnPressed.connect(self._send)
        send = Button(tr("Import predictions"), size="s")
        send.clicked.connect(self._send)
        cancel = Button(tr("Cancel"), size="s")
        cancel.clicked.connect(self.hide)
        self.dialect = MenuChoice(tr("Dialect"))
        self.coordinates = MenuChoice(tr("Coordinates"))
        self.way = MenuChoice(tr("Scroll"))
        self.level = MenuChoice(tr("Level"))
        self._size = _field(tr("Width x height of the pictures"), 96)
        self._size.setPlaceholderText("504x1120")
        self._size.setMinimumWidth(96)
        self.dialect.chosen.connect(self._show_dialect)
        self.coordinates.chosen.connect(lambda value: self._size.setVisible(value == _RESIZED))
        self._size.hide()
        first = WidgetRow(
            Icon("file-chart-outline", 17, "accent"),
            self._words,
            label(tr("Run"), FACTS, tone="3"),
            self._name,
            send,
            cancel,
            height=40,
            margins=(12, 4, 12, 0),
        )
        first.row.setStretch(1, 1)
        column = Panel(tr("Predictions"))
        column.add(
            first,
            WidgetRow(
                self.dialect,
                self.coordinates,
                self._size,
                self.way,
                self.level,
                None,
                height=40,
                margins=(37, 0, 12, 4),
            ),
        )
        outer = WidgetRow(column)
        outer.setParent(self)
        self._outer = outer
        self.setFixedHeight(80)

    def resizeEvent(self, event: object) -> None:
        self._outer.setGeometry(self.rect())

    def ask(self, file: Path, dialects: Sequence[Dialect]) -> None:
        """Opens the form for this file."""
        self._file = file
        self._words.set_text(file.name)
        self._dialects = {dialect.name: dialect for dialect in dialects}
        self.dialect.offer([(dialect.name, dialect.name) for dialect in dialects])
        levels = {"": tr("not said"), "high": tr("high"), "low": tr("low"), "both": tr("both")}
        self.level.offer([(level, levels[level]) for level in _LEVELS])
        self._name.setText(re.sub(r"[^\w.-]+", "-", file.stem)[:60])
        self.show()
        QTimer.singleShot(0, self._name.setFocus)

    def ask_again(self) -> None:
        """Opens the form again with the last sent values."""
        self.show()
        QTimer.singleShot(0, self.dialect.setFocus)

    def suggest(self, file: Path, names: Sequence[str]) -> None:
        """Selects the dialect that reads the file best, unless the user selected one."""
        first = next(iter(self._dialects), "")
        if file == self._file and names and self.dialect.value() == first:
            self.dialect.put(names[0])

    def declared(self) -> Declared:
        """Returns the declared settings of the file."""
        space = self.coordinates.value()
        if space == _RESIZED:
            size = re.sub(r"\s", "", self._size.text()).replace("×", "x")
            space = _RESIZED.replace("WxH", size)
        return Declared(space, self.way.value(), self.level.value())

    def _show_dialect(self, name: str) -> None:
        dialect = self._dialects[name]
        spaces = [
            (space, tr("resized") if space == _RESIZED else space) for space in dialect.coordinates
        ]
        self.coordinates.offer(spaces)
        self.way.offer([(way, tr(way)) for way in dialect.scrolls])

    def _send(self) -> None:
        name = self._name.text().strip()
        if self._size.isVisible() and not re.fullmatch(
            r"\s*\d+\s*[x×]\s*\d+\s*", self._size.text()
        ):
            self._size.setFocus()
        elif name:
            self.hide()
            self.wanted.emit(self._file, self.dialect.value(), name, self.declared())


def _field(words: str, width: int) -> QLineEdit:
    field = QLineEdit()
    field.setFont(font(BODY))
    field.setMaximumWidth(width)
    field.setAccessibleName(words)
    field.setPlaceholderText(words)
    return field
