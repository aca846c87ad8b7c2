"""The Notes tab: the note on the step, and all objections to it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from episodes.annotations import Objection, StepJudgement
from episodes.steps import Step
from taptrail.gui.components.fields import SavedField
from taptrail.gui.components.labels import WrappedLabel, label
from taptrail.gui.components.panel import Icon, Panel, Scrolled, Section, WidgetRow, section_head
from taptrail.gui.components.tips import tip
from taptrail.gui.fonts import CAPTION, FACTS
from taptrail.gui.review.head import protocol_words
from taptrail.words import tr


class NotesTab(Panel):
    """Signals:
    written: the new note on the step.
    left: the user left the field.
    """

    written = Signal(str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Notes"))
        self.note = SavedField(tr("Note"), tr("visible to everybody who opens this step"))
        self.note.saved.connect(self.written)
        self.note.left.connect(self.left)
        self._said = _Objections()
        self._none = label(tr("Nobody objects to this step."), FACTS, tone="2", wrap=True)
        inside = Panel(tr("Notes"))
        inside.add(
            Section(section_head(tr("Note")), self.note),
            Section(section_head(tr("What people object to")), self._none, self._said, line=False),
            None,
        )
        self.add(Scrolled(inside))

    def show_step(self, step: Step, said: Sequence[StepJudgement], why_not: str) -> None:
        """Shows a step's note and the objections to it; `why_not` is why the note is read-only."""
        self.note.show_value(step.texts.note)
        self.note.setReadOnly(bool(why_not))
        self.note.setToolTip(tip(why_not))
        self._said.show_said(said)
        self._none.setVisible(not said)

    def objections(self) -> list[str]:
        """Returns the objections as text."""
        return self._said.words()


class _Objections(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self._panel = Panel("")
        self._panel.column.setSpacing(10)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._panel)
        self._words: list[str] = []

    def words(self) -> list[str]:
        return list(self._words)

    def show_said(self, said: Sequence[StepJudgement]) -> None:
        wanted = [f"{_what(one)}: {one.reason} ({one.author.name})" for one in said]
        if wanted == self._words:
            return
        self._words = wanted
        while (item := self._panel.column.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.deleteLater()
        for one in said:
            icon = "flag-outline" if one.objection is Objection.GOLD else "scale-balance"
            words = WrappedLabel(FACTS)
            words.set_text(one.reason)
            about = WrappedLabel(CAPTION, "3")
            about.set_text(f"{_what(one)} · {one.author.name or tr('somebody')}")
            inner = Panel("")
            inner.column.setSpacing(2)
            inner.add(words, about)
            mark = Icon(icon, 15, "mismatch", _what(one))
            row = WidgetRow(mark, inner, gap=8)
            row.row.setStretch(1, 1)
            row.row.setAlignment(mark, Qt.AlignmentFlag.AlignTop)
            self._panel.add(row)


def _what(one: StepJudgement) -> str:
    if one.objection is Objection.GOLD:
        return tr("the gold is wrong")
    return tr(
        "disagrees about {run}, {protocol}", run=one.run, protocol=protocol_words(one.protocol)
    )
