"""The right of Record: the steps as they come, and how the episode ends."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QLineEdit

from episodes.actions import Ending
from taptrail.gui.commands import key
from taptrail.gui.components.button import DANGER, MAIN, QUIET, Button
from taptrail.gui.components.chip import Chip
from taptrail.gui.components.messages import EmptyState
from taptrail.gui.components.panel import Panel, PanelHead, Row, Section
from taptrail.gui.components.words import label
from taptrail.gui.fonts import BODY, FACTS, font
from taptrail.gui.record.steps import StepsList, StepsModel
from taptrail.gui.thumbnails import Pictures
from taptrail.words import tr


class StepsPanel(Panel):
    """Signals:
    finished: (ending, reason) a person claims.
    given_up, discarded: a person ends it without a claim; or wants none of it.
    dropped: a person wants the last step out again.
    marked, reviewed: a person wants the episode that has just ended in Annotate, or in Review.
    """

    finished = Signal(object, str)
    given_up = Signal()
    discarded = Signal()
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
            tr("Each touch and each text becomes a step, and is saved before it stands here."),
        )
        complete = Button(tr("Complete"), "check", kind=MAIN, size="l", key=key("complete"))
        complete.clicked.connect(lambda: self.finished.emit(Ending.COMPLETE, ""))
        impossible = Button(tr("Impossible…"), "cancel", size="l", key=key("impossible"), cap=False)
        impossible.clicked.connect(self._ask_reason)
        self._ways = Row(complete, impossible)
        self._ways.row.setStretch(0, 1)
        give_up = Button(tr("Given up"), "flag-outline", kind=QUIET, key=key("give-up"), cap=False)
        give_up.clicked.connect(self.given_up)
        discard = Button(tr("Discard"), "delete-outline", kind=QUIET, key=key("discard"), cap=False)
        discard.clicked.connect(self.discarded)
        self._rest = Row(give_up, discard, None)
        self._reason = QLineEdit()
        self._reason.setFont(font(BODY))
        self._reason.setPlaceholderText(tr("Why it cannot be done"))
        self._reason.setAccessibleName(tr("Why it cannot be done"))
        self._reason.setMaxLength(1000)
        self._reason.returnPressed.connect(self._send_reason)
        send = Button(tr("Finish as impossible"), kind=DANGER, size="l")
        send.clicked.connect(self._send_reason)
        back = Button(tr("Back"), kind=QUIET, size="l")
        back.clicked.connect(self._ask_nothing)
        self._why = Panel(tr("Why it cannot be done"))
        self._why.column.setSpacing(8)
        self._why.add(self._reason, Row(send, None, back))
        self._finish = Section(
            label(tr("Finish the episode as"), FACTS, tone="2"),
            self._ways,
            self._rest,
            self._why,
            line=False,
        )
        self._saved = label("", FACTS, tone="2")
        mark = Button(
            tr("Mark targets"), "vector-square", kind=MAIN, size="l", key=key("mark-recorded")
        )
        mark.clicked.connect(self.marked)
        self.review = Button(tr("Review"), "compare", size="l", key=key("open-recorded"), cap=False)
        self.review.clicked.connect(self.reviewed)
        ways = Row(mark, self.review)
        ways.row.setStretch(0, 1)
        self._done = Section(self._saved, ways, line=False)
        head = PanelHead(label(tr("Steps"), FACTS, 600), self._count, None, self._drop, right=4)
        line = Panel("", "line")
        line.setFixedHeight(1)
        self._line = line
        self.add(head, self._empty, self.list, line, self._finish, self._done)
        self.column.setStretch(1, 1)
        self.column.setStretch(2, 1)
        self._why.hide()
        self.set_recording(recording=False)

    def set_recording(self, *, recording: bool) -> None:
        """Shows how to end the episode while there is one."""
        for part in (self._finish, self._line, self._drop):
            part.setVisible(recording)
        self._done.hide()
        self._ask_nothing()
        self._show()

    def show_done(self, name: str) -> None:
        """Offers to go on with the episode that has just ended."""
        self._saved.setText(tr("{name} is saved", name=name))
        self.review.hide()
        self._line.show()
        self._done.show()

    def offer_review(self, offered: bool) -> None:
        """Offers Review too where there are runs to see beside the episode."""
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

    def _ask_reason(self) -> None:
        self._ways.hide()
        self._rest.hide()
        self._why.show()
        QTimer.singleShot(0, self._reason.setFocus)

    def _ask_nothing(self) -> None:
        self._why.hide()
        self._ways.show()
        self._rest.show()
        self._reason.clear()

    def _send_reason(self) -> None:
        self.finished.emit(Ending.IMPOSSIBLE, self._reason.text().strip())
