"""Form for the decision on an episode: accepted, sent back or rejected, with a reason."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal

from episodes.annotations import Decision, EpisodeReview
from taptrail.gui.components.button import DANGER_FILL, MAIN, QUIET, Button, SegmentedControl
from taptrail.gui.components.fields import FormField, named
from taptrail.gui.components.labels import label
from taptrail.gui.components.panel import Section, WidgetRow
from taptrail.gui.fonts import CAPTION, FACTS
from taptrail.words import tr

_DECISIONS = (Decision.ACCEPTED, Decision.SENT_BACK, Decision.REJECTED)
_DOES = {
    Decision.ACCEPTED: ("Accept the episode", "check", MAIN),
    Decision.SENT_BACK: ("Send it back", "undo-variant", MAIN),
    Decision.REJECTED: ("Reject the episode", "cancel", DANGER_FILL),
}


class JudgeForm(Section):
    """Signals:
    wanted: the Decision, or None to remove it, and the reason.
    closed: the user cancelled the form.
    """

    wanted = Signal(object, str)
    closed = Signal()

    def __init__(self) -> None:
        close = Button(tr("Cancel"), kind=QUIET, size="s")
        self._back = Button(tr("Take it away"), "undo-variant", kind=QUIET, size="s")
        self._choice = SegmentedControl(
            [("", tr("Accept")), ("", tr("Send back")), ("", tr("Reject"))], tr("The episode is")
        )
        self._open = label("", FACTS, tone="2", wrap=True)
        self.reason = FormField(tr("Reason"), "")
        self._wrong = label("", CAPTION, tone="record", wrap=True)
        self.go = Button("", size="l")
        super().__init__(
            WidgetRow(
                label(tr("What is your decision on the episode?"), FACTS, 600),
                None,
                self._back,
                close,
            ),
            WidgetRow(self._choice, None),
            self._open,
            named(tr("Reason"), self.reason),
            self._wrong,
            WidgetRow(self.go, None),
        )
        self._choice.chosen.connect(lambda _: self._show_choice())
        self.reason.done.connect(self._send)
        self.reason.left.connect(self.closed)
        self.go.clicked.connect(self._send)
        self._back.clicked.connect(lambda: self.wanted.emit(None, ""))
        close.clicked.connect(self.closed)
        self.hide()

    def open_with(self, decision: Decision, review: EpisodeReview | None, still_open: str) -> None:
        """Fills the form with a decision; `still_open` describes what nobody has reviewed yet."""
        self._choice.set_choice(_DECISIONS.index(decision))
        same = review is not None and review.decision is decision
        self.reason.setText(review.reason if same and review is not None else "")
        self._back.setVisible(review is not None)
        self._open.setText(still_open)
        self._open.setVisible(bool(still_open))
        self.say_wrong("")
        self._show_choice()
        self.show()
        self.reason.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def decision(self) -> Decision:
        """Returns the decision chosen in the form."""
        return _DECISIONS[self._choice.choice()]

    def say_wrong(self, words: str) -> None:
        """Shows why the values are not accepted; "" hides the message."""
        self._wrong.setText(words)
        self._wrong.setVisible(bool(words))

    def _show_choice(self) -> None:
        words, icon, kind = _DOES[self.decision()]
        self.go.set_words(tr(words), icon)
        self.go.set_kind(kind)
        needed = self.decision() is not Decision.ACCEPTED
        hint = tr("what is wrong with it") if needed else tr("if there is one")
        self.reason.setPlaceholderText(hint)

    def _send(self) -> None:
        if self.decision() is not Decision.ACCEPTED and not self.reason.text().strip():
            self.reason.say_wrong(wrong=True)
            self.say_wrong(tr("Say what is wrong with it."))
            return
        self.reason.say_wrong(wrong=False)
        self.wanted.emit(self.decision(), self.reason.text().strip())
