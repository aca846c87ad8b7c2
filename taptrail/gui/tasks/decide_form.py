"""Form for the outcome of an attempt and whether it counts. No confirmation: it can be undone."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal

from taptrail.gui.components.button import QUIET, Button, SegmentedControl
from taptrail.gui.components.fields import FormField
from taptrail.gui.components.labels import ElidedLabel, label
from taptrail.gui.components.panel import Section, WidgetRow
from taptrail.gui.fonts import CAPTION, FACTS
from taptrail.gui.tasks.texts import outcome_words, person
from taptrail.usecases.attempts import OUTCOMES, CountingDecision, PersonsAttempt
from taptrail.words import tr

_HOW = ("", *OUTCOMES)
_COUNTING = (CountingDecision.RULE, CountingDecision.LEFT_OUT, CountingDecision.TAKEN_IN)


class DecideForm(Section):
    """Signals:
    wanted: uuid, outcome ("" for the claimed one), Counting, reason.
    closed: the user cancelled the form.
    """

    wanted = Signal(str, str, object, str)
    closed = Signal()

    def __init__(self) -> None:
        self._title = label("", FACTS, 600)
        words = [tr("As claimed"), *(outcome_words(one)[2] for one in OUTCOMES)]
        self.how = SegmentedControl([("", word) for word in words], tr("How it ended"))
        counting = (tr("By the rule"), tr("Leave out"), tr("Take in"))
        self.counting = SegmentedControl([("", word) for word in counting], tr("Whether it counts"))
        self.reason = FormField(tr("Reason"), tr("reason, shown in the history"))
        self._wrong = label("", CAPTION, tone="record", wrap=True)
        self.save = Button(tr("Save"), "check")
        close = Button(tr("Cancel"), kind=QUIET, size="s")
        super().__init__(
            WidgetRow(self._title, None, close),
            WidgetRow(_name(tr("It ended")), self.how, None),
            WidgetRow(_name(tr("It counts")), self.counting, None),
            WidgetRow(_name(tr("Reason")), self.reason, self.save),
            self._wrong,
        )
        self._uuid = ""
        self.reason.done.connect(self._send)
        self.reason.left.connect(self.closed)
        self.save.clicked.connect(self._send)
        close.clicked.connect(self.closed)
        self.hide()

    def open_with(self, one: PersonsAttempt) -> None:
        """Fills the form with the current values of an attempt."""
        self._uuid = one.uuid
        self._title.setText(tr("{who} ({name})", who=person(one), name=one.name))
        self.how.set_choice(_HOW.index(one.outcome) if one.judged else 0)
        self.counting.set_choice(_COUNTING.index(one.counting))
        self.reason.setText("" if one.counting is CountingDecision.RULE else one.why)
        self._say_wrong("")
        self.show()
        self.how.part(self.how.choice()).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def wrong(self) -> str:
        """Returns the shown problem; "" if there is none."""
        return "" if self._wrong.isHidden() else self._wrong.text()

    def _send(self) -> None:
        counting = _COUNTING[self.counting.choice()]
        reason = self.reason.text().strip()
        if counting is not CountingDecision.RULE and not reason:
            self._say_wrong(tr("Write why it is excluded or included."))
            self.reason.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self.wanted.emit(self._uuid, _HOW[self.how.choice()], counting, reason)

    def _say_wrong(self, words: str) -> None:
        self._wrong.setText(words)
        self._wrong.setVisible(bool(words))
        self.reason.say_wrong(wrong=bool(words))


def _name(text: str) -> ElidedLabel:
    made = ElidedLabel(text, FACTS, ink="text2")
    made.setFixedWidth(68)
    return made
