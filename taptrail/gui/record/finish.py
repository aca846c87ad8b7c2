"""Right panel of the Record page: the list of steps and the ways to finish the episode."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import Qt, Signal

from episodes.actions import Ending
from taptrail.gui.commands import key
from taptrail.gui.components.button import MAIN, QUIET, Button
from taptrail.gui.components.chip import Chip
from taptrail.gui.components.fields import FormField
from taptrail.gui.components.labels import label
from taptrail.gui.components.messages import EmptyState
from taptrail.gui.components.panel import Panel, PanelHead, Section, WidgetRow
from taptrail.gui.fonts import BODY, CAPTION, FACTS, font
from taptrail.gui.record.steps import StepsList, StepsModel
from taptrail.gui.thumbnails import Pictures
from taptrail.words import tr


class FinishChoice(Enum):
    """How an episode ends; each way has a question that is asked first."""

    COMPLETE = "complete"
    IMPOSSIBLE = "impossible"
    GIVEN_UP = "given up"


class FinishQuestion(Panel):
    """Asks for a confirmation or a reason before an episode ends.

    Signals:
        answered: the FinishChoice and its reason, "" for a complete episode.
        dismissed: the user continues recording.
    """

    answered = Signal(object, str)
    dismissed = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Finish the episode"))
        self._finish = FinishChoice.COMPLETE
        self._question = label("", BODY, 600, wrap=True)
        self.reason = FormField(tr("Reason"), "")
        self.reason.setFont(font(BODY))
        self.reason.setMaxLength(1000)
        self._wrong = label("", CAPTION, tone="record", wrap=True)
        self.go = Button("", kind=MAIN, size="l", key="Return")
        self._back = Button(tr("Keep recording"), kind=QUIET, size="l", key="Esc", cap=False)
        self.reason.done.connect(self._send)
        self.reason.left.connect(self.dismissed)
        self.go.clicked.connect(self._send)
        self._back.clicked.connect(self.dismissed)
        self.column.setSpacing(8)
        self.add(self._question, self.reason, self._wrong, WidgetRow(self.go, None, self._back))
        self.hide()

    def ask(self, finish: FinishChoice, steps: int) -> None:
        """Asks whether or why an episode of `steps` steps ends, and takes the keyboard focus."""
        self._finish = finish
        complete = finish is FinishChoice.COMPLETE
        if complete:
            question = tr("Finish after 1 step?", "Finish after {n} steps?", n=steps)
        elif finish is FinishChoice.IMPOSSIBLE:
            question = tr("Why can it not be done?")
        else:
            question = tr("Why do you give up?")
        buttons = {
            FinishChoice.COMPLETE: tr("Finish as complete"),
            FinishChoice.IMPOSSIBLE: tr("Finish as impossible"),
            FinishChoice.GIVEN_UP: tr("Finish as given up"),
        }
        self._question.setText(question)
        self.go.set_words(buttons[finish])
        self.reason.clear()
        self.reason.setAccessibleName(question)
        self.reason.setVisible(not complete)
        self._say_wrong("")
        self.show()
        (self.go if complete else self.reason).setFocus(Qt.FocusReason.OtherFocusReason)

    def wrong(self) -> str:
        """Returns the problem with the answer; "" if there is none."""
        return self._wrong.text()

    def _send(self) -> None:
        reason = self.reason.text().strip()
        if self._finish is not FinishChoice.COMPLETE and not reason:
            self._say_wrong(tr("Write a reason. It is stored with the episode."))
            self.reason.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self.answered.emit(self._finish, reason)

    def _say_wrong(self, words: str) -> None:
        self._wrong.setText(words)
        self._wrong.setVisible(bool(words))
        self.reason.say_wrong(wrong=bool(words))


class StepsPanel(Panel):
    """Signals:
    finished: the claimed outcome, and its reason.
    given_up: the reason; the episode ends without a claim.
    discarded: the episode ends and goes into the bin.
    resumed: the user dismissed the question and continues recording.
    dropped: the user asked to remove the last step.
    marked, reviewed: the user asked to open the finished episode in Annotate, or in Review.
    """

    finished = Signal(object, str)
    given_up = Signal(str)
    discarded = Signal()
    resumed = Signal()
    dropped = Signal()
    marked = Signal()
    reviewed = Signal()

    def __init__(self, pictures: Pictures) -> None:
        super().__init__(tr("Steps"))
        self.model = StepsModel(self)
        self.list = StepsList(self.model, pictures)
        self._count = Chip("0")
        self._drop = Button(tr("Drop last"), "undo", kind=QUIET, size="s", key=key("drop-last"))
        self._drop.clicked.connect(self.dropped)
        self._empty = EmptyState(
            "gesture-tap",
            tr("No steps yet"),
            tr("Each touch and each text becomes a step. It is saved before it is listed here."),
        )
        complete = Button(tr("Complete…"), "check", kind=MAIN, size="l", key=key("complete"))
        impossible = Button(tr("Impossible…"), "cancel", size="l", key=key("impossible"), cap=False)
        give_up = Button(tr("Give up…"), "flag-outline", kind=QUIET, key=key("give-up"), cap=False)
        for button, finish in (
            (complete, FinishChoice.COMPLETE),
            (impossible, FinishChoice.IMPOSSIBLE),
            (give_up, FinishChoice.GIVEN_UP),
        ):
            button.clicked.connect(lambda _=False, f=finish: self.ask(f))
        discard = Button(tr("Discard"), "delete-outline", kind=QUIET, key=key("discard"), cap=False)
        discard.clicked.connect(self.discarded)
        self._ways = WidgetRow(complete, impossible)
        self._ways.row.setStretch(0, 1)
        self._rest = WidgetRow(give_up, discard, None)
        self._title = label(tr("Finish the episode as"), FACTS, tone="2")
        self.question = FinishQuestion()
        self.question.answered.connect(self._answer)
        self.question.dismissed.connect(self._go_on)
        self._finish = Section(self._title, self._ways, self._rest, self.question, line=False)
        self._saved = label("", FACTS, tone="2")
        mark = Button(
            tr("Mark targets"), "vector-square", kind=MAIN, size="l", key=key("mark-recorded")
        )
        mark.clicked.connect(self.marked)
        self.review = Button(tr("Review"), "compare", size="l", key=key("open-recorded"), cap=False)
        self.review.clicked.connect(self.reviewed)
        ways = WidgetRow(mark, self.review)
        ways.row.setStretch(0, 1)
        self._done = Section(self._saved, ways, line=False)
        head = PanelHead(label(tr("Steps"), FACTS, 600), self._count, None, self._drop, right=4)
        line = Panel("", "line")
        line.setFixedHeight(1)
        self._line = line
        self.add(head, self._empty, self.list, line, self._finish, self._done)
        self.column.setStretch(1, 1)
        self.column.setStretch(2, 1)
        self.set_recording(recording=False)

    def set_recording(self, *, recording: bool) -> None:
        """Shows the ways to finish while an episode is being recorded."""
        for part in (self._finish, self._line, self._drop):
            part.setVisible(recording)
        self._done.hide()
        if not recording:
            self.close_question()
        self._show()

    def ask(self, finish: FinishChoice) -> None:
        """Shows the question of a way to finish."""
        self._show_ways(shown=False)
        self.question.ask(finish, len(self.model.steps))

    def close_question(self) -> None:
        """Shows the ways to finish again."""
        self.question.hide()
        self._show_ways(shown=True)

    def show_done(self, name: str) -> None:
        """Offers the next actions for the episode that has just ended."""
        self._saved.setText(tr("{name} is saved", name=name))
        self.review.hide()
        self._line.show()
        self._done.show()

    def offer_review(self, offered: bool) -> None:
        """Shows or hides the Review button; there must be a run to compare with."""
        self.review.setVisible(offered)

    def show_changes(self) -> None:
        """Shows the model's steps and their number."""
        self._show()

    def _show(self) -> None:
        count = len(self.model.steps)
        self._count.set_words(str(count))
        some = self.model.rowCount() > 0
        self.list.setVisible(some)
        self._empty.setVisible(not some)
        self._drop.setEnabled(count > 0)

    def _show_ways(self, *, shown: bool) -> None:
        for part in (self._title, self._ways, self._rest):
            part.setVisible(shown)

    def _answer(self, finish: FinishChoice, reason: str) -> None:
        self.close_question()
        if finish is FinishChoice.GIVEN_UP:
            self.given_up.emit(reason)
        else:
            complete = finish is FinishChoice.COMPLETE
            self.finished.emit(Ending.COMPLETE if complete else Ending.IMPOSSIBLE, reason)

    def _go_on(self) -> None:
        self.close_question()
        self.resumed.emit()
