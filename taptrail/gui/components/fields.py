"""Text fields that save when they lose the focus; Esc restores the old text."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from taptrail.gui.components.labels import ElidedLabel
from taptrail.gui.components.panel import WidgetRow
from taptrail.gui.fonts import FACTS, font

_ACROSS = 82


class _Field(QLineEdit):
    """A text field that knows when the user is finished with it.

    Signals:
        left: the user finished with Esc, or a saved field with Enter.
    """

    left = Signal()

    def __init__(self, name: str, hint: str = "") -> None:
        super().__init__()
        self.setFont(font(FACTS))
        self.setAccessibleName(name)
        self.setPlaceholderText(hint)
        self.setMaxLength(4000)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.enter()
        elif event.key() == Qt.Key.Key_Escape:
            self.restore()
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def enter(self) -> None:
        """Enter was pressed."""

    def restore(self) -> None:
        """Restores the text before the user left."""


class SavedField(_Field):
    """A field that saves.

    Signals:
        saved: the new text.
    """

    saved = Signal(str)

    def __init__(self, name: str, hint: str = "") -> None:
        super().__init__(name, hint)
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

    def enter(self) -> None:
        self.keep()
        self.left.emit()

    def restore(self) -> None:
        self.setText(self._value)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.keep()


class FormField(_Field):
    """A text field of a form; the form handles Enter and Esc.

    Signals:
        done: Enter.
    """

    done = Signal()

    def enter(self) -> None:
        self.done.emit()

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
