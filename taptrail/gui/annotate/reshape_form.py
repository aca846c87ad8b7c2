"""Form that deletes, merges or splits steps, with a reason.

It asks no confirmation: undo exists.
"""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import Qt, Signal

from episodes import actions as a
from taptrail.gui.components.button import DANGER_FILL, MAIN, QUIET, Button
from taptrail.gui.components.fields import FormField, named
from taptrail.gui.components.labels import label
from taptrail.gui.components.panel import Section, WidgetRow
from taptrail.gui.fonts import CAPTION, FACTS
from taptrail.words import tr


class Reshaping(Enum):
    """The operation on a step: delete, merge or split."""

    DELETE = "delete"
    MERGE = "merge"
    SPLIT = "split"


class ReshapeForm(Section):
    """Signals:
    wanted: the Reshaping, the reason, and the position at which a text is split, or None.
    closed: the user cancelled the form.
    """

    wanted = Signal(object, str, object)
    closed = Signal()

    def __init__(self) -> None:
        self._title = label("", FACTS, 600)
        self._what = label("", FACTS, tone="2", wrap=True)
        self.at = FormField(tr("Cut before character"), tr("a number; empty cuts the Enter off"))
        self._at_row = named(tr("Cut before"), self.at)
        self.reason = FormField(tr("Reason"), tr("reason, shown in the history"))
        self._wrong = label("", CAPTION, tone="record", wrap=True)
        self.go = Button("", size="l")
        close = Button(tr("Cancel"), kind=QUIET, size="s")
        super().__init__(
            WidgetRow(self._title, None, close),
            self._what,
            self._at_row,
            named(tr("Reason"), self.reason),
            self._wrong,
            WidgetRow(self.go, None),
        )
        self._doing = Reshaping.DELETE
        for line in (self.at, self.reason):
            line.done.connect(self._send)
            line.left.connect(self.closed)
        self.go.clicked.connect(self._send)
        close.clicked.connect(self.closed)
        self.hide()

    def open_with(self, doing: Reshaping, number: int, after: int | None, action: a.Action) -> None:
        """Opens the form; `number` is the step's, `after` the next one's, both counted from 1."""
        self._doing = doing
        words = {
            Reshaping.DELETE: (
                tr("Delete step {n}", n=number),
                tr("It stays in the library, and undo brings it back. Later steps move up by one."),
                "delete-outline",
            ),
            Reshaping.MERGE: (
                tr("Merge steps {n} and {m}", n=number, m=after),
                tr("They become one step, on the screen of the first."),
                "call-merge",
            ),
            Reshaping.SPLIT: (
                tr("Split step {n}", n=number),
                tr("A text is cut, or a double tap becomes two. The second has no picture."),
                "call-split",
            ),
        }[doing]
        self._title.setText(words[0])
        self._what.setText(words[1])
        self.go.set_words(words[0], words[2])
        self.go.set_kind(DANGER_FILL if doing is Reshaping.DELETE else MAIN)
        self._at_row.setVisible(doing is Reshaping.SPLIT and isinstance(action, a.TypeText))
        self.at.setText("")
        self.reason.setText("")
        self.say_wrong("")
        self.show()
        first = self.at if self._at_row.isVisible() else self.reason
        first.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def say_wrong(self, words: str) -> None:
        """Shows why the operation is refused; "" hides the message."""
        self._wrong.setText(words)
        self._wrong.setVisible(bool(words))

    def _send(self) -> None:
        text = self.at.text().strip() if self._doing is Reshaping.SPLIT else ""
        if text and not (text.isascii() and text.isdigit()):
            self.at.say_wrong(wrong=True)
            self.say_wrong(tr("Write a number, as 3."))
            return
        self.at.say_wrong(wrong=False)
        self.wanted.emit(self._doing, self.reason.text().strip(), int(text) if text else None)
