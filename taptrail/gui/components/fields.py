"""Text fields that save when they lose the focus; Esc restores the old text."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from taptrail.gui.components.labels import ElidedLabel
from taptrail.gui.components.panel import WidgetRow
from taptrail.gui.fonts import FACTS, font

_ACROSS = 82


class SavedField(QLineEdit):
    """Signals:
    saved: the new text.
    left: the user finished with Enter or Esc.
    """

    saved = Signal(str)
    left = Signal()

    def __init__(self, name: str, hint: str = "") -> None:
        super().__init__()
        self.setFont(font(FACTS))
        self.setAccessibleName(name)
        self.setPlaceholderText(hint)
        self.setMaxLength(4000)
        self._value = ""

    def show_value(self, value: str) -> None:
        """Shows the stored text, unless the user is typing."""
        typing = self.hasFocus() and self.text() != self._value
        self._value = value
        if not typing and self.text() != value:
            self.setText(value)
            self.setCursorPosition(0)

    def keep(self) -> None:
        """Saves the typed text."""
        text = " ".join(self.text().split())
        if text != self._value and not self.isReadOnly():
            self._value = text
            self.saved.emit(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.keep()
            self.left.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.setText(self._value)
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.keep()


class FormField(QLineEdit):
    """A text field of a form; the form handles Enter and Esc.

    Signals:
        done: Enter.
        left: Esc.
    """

    done = Signal()
    left = Signal()

    def __init__(self, name: str, hint: str = "") -> None:
        super().__init__()
        self.setFont(font(FACTS))
        self.setAccessibleName(name)
        self.setPlaceholderText(hint)
        self.setMaxLength(4000)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.done.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def say_wrong(self, *, wrong: bool) -> None:
        """Marks the value as not valid."""
        self.setProperty("wrong", "true" if wrong else "false")
        self.style().unpolish(self)
        self.style().polish(self)


def named(name: str, *parts: QWidget) -> WidgetRow:
    """Returns a row with a name and its field at the right."""
    said = ElidedLabel(name, FACTS, ink="text3")
    said.setFixedWidth(_ACROSS)
    row = WidgetRow(said, *parts, gap=8)
    row.row.setStretch(1, 1)
    row.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    return row
