"""List of the findings of the current step, with severity, reason and actions."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from annotator.lint.findings import Fix
from episodes.errors import KnownError
from episodes.store.library import Library
from taptrail.gui.annotate.texts import SEVERITIES
from taptrail.gui.components.button import QUIET, Button
from taptrail.gui.components.chip import Chip
from taptrail.gui.components.fields import FormField
from taptrail.gui.components.labels import label
from taptrail.gui.components.panel import Icon, Section, WidgetRow, section_head
from taptrail.gui.fonts import CAPTION, FACTS
from taptrail.gui.work import WorkThread
from taptrail.usecases import linting
from taptrail.usecases.linting import ReportedFinding
from taptrail.words import tr

_FIXES = {
    Fix.DELETE_STEP: ("Delete the step", "delete-outline"),
    Fix.PROPOSE_TARGET: ("Take the tree's target", "file-tree-outline"),
}
# Width for two buttons side by side in the panel of 336 px.
_ACROSS = 280


class FindingsWatch(QObject):
    """Runs lint on the open episode, on the reader thread.

    Signals:
        found: the uuid of the episode, and its findings.
        failed: a KnownError.
    """

    found = Signal(str, object)
    failed = Signal(object)

    def __init__(self, reader: WorkThread[Library], parent: QObject) -> None:
        super().__init__(parent)
        self._reader = reader
        self._search = 0

    def look(self, uuid: str) -> None:
        """Runs lint again; the result of an earlier request is dropped."""
        self._search += 1
        search = self._search

        def job(library: Library) -> tuple[ReportedFinding, ...]:
            if search != self._search:  # a newer request was made
                return ()
            around = linting.surroundings(library)
            return tuple(linting.lint_episode(library, library.episode(uuid), around))

        def done(told: tuple[ReportedFinding, ...]) -> None:
            if search == self._search:
                self.found.emit(uuid, told)

        def failed(error: KnownError) -> None:
            if search == self._search:
                self.failed.emit(error)

        self._reader.run(job, owner=self, done=done, failed=failed)


class FindingsList(Section):
    """Signals:
    fixed: the finding to fix automatically.
    accepted: the finding to accept, and the reason.
    reopened: the accepted finding to open again.
    left: the user left the list; the frame should get the keyboard focus.
    """

    fixed = Signal(object)
    accepted = Signal(object, str)
    reopened = Signal(object)
    left = Signal()

    def __init__(self) -> None:
        self._count = Chip("", "mismatch")
        super().__init__(section_head(tr("Findings"), self._count, None))
        self._rows: list[_Finding] = []
        self._shown: tuple[tuple[ReportedFinding, ...], str] = ((), "")
        self.hide()

    def show_findings(self, told: Sequence[ReportedFinding], off: str) -> None:
        """Shows the findings; `off` is the reason why their actions are disabled, or ""."""
        if (tuple(told), off) == self._shown:
            return
        self._shown = tuple(told), off
        for row in self._rows:
            self.column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._rows = [_Finding(one, off) for one in told]
        for row in self._rows:
            self.column.addWidget(row)
            row.fixed.connect(self.fixed)
            row.accepted.connect(self.accepted)
            row.reopened.connect(self.reopened)
            row.left.connect(self.left)
        still = sum(one.accepted is None for one in told)
        self._count.set_words(str(still), "mismatch" if still else "match")
        self.setVisible(bool(told))

    def lines(self) -> list[str]:
        """Returns the shown texts."""
        return [row.words() for row in self._rows]

    def begin(self) -> bool:
        """Moves the keyboard focus to the first action. Returns False if there is none."""
        return any(row.begin() for row in self._rows)

    def row(self, number: int) -> _Finding:
        """Returns the row of one finding, from 0."""
        return self._rows[number]


class _Finding(QWidget):
    fixed = Signal(object)
    accepted = Signal(object, str)
    reopened = Signal(object)
    left = Signal()

    def __init__(self, told: ReportedFinding, off: str) -> None:
        super().__init__()
        self._told = told
        finding = told.finding
        icon, ink, word = SEVERITIES[finding.severity]
        if told.accepted is not None:
            icon, ink = "check", "match"
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        reason = label(finding.reason, FACTS, wrap=True)
        sign = Icon(icon, 16, ink, tr(word))
        head = WidgetRow(sign, reason, gap=8)
        head.row.setStretch(1, 1)
        head.row.setAlignment(sign, Qt.AlignmentFlag.AlignTop)
        column.addWidget(head)
        self.fix = Button("", kind=QUIET, size="s")
        self.let = Button(tr("Accept with a reason…"), kind=QUIET, size="s")
        self.again = Button(tr("Open it again"), "undo-variant", kind=QUIET, size="s")
        self.reason = FormField(tr("Why it is accepted"), tr("why it is accepted"))
        if told.accepted is not None:
            who = told.accepted.author.name or tr("somebody")
            words = tr("Accepted by {who}: {why}", who=who, why=told.accepted.reason)
            said = label(words, CAPTION, tone="3", wrap=True)
            said.setContentsMargins(24, 0, 0, 0)
            column.addWidget(said)
        if finding.fix is not None:
            does, drawn = _FIXES[finding.fix]
            self.fix.set_words(tr(does), drawn)
        room = (16, 0, 0, 0)
        across = self.fix.sizeHint().width() + self.let.sizeHint().width()
        if finding.fix is not None and across > _ACROSS:
            column.addWidget(WidgetRow(self.fix, None, margins=room))
            column.addWidget(WidgetRow(self.let, self.again, None, gap=4, margins=room))
        else:
            column.addWidget(WidgetRow(self.fix, self.let, self.again, None, gap=4, margins=room))
        column.addWidget(WidgetRow(self.reason, margins=(24, 0, 0, 0)))
        self.reason.hide()
        self.fix.setVisible(finding.fix is not None and told.accepted is None)
        self.let.setVisible(told.accepted is None)
        self.again.setVisible(told.accepted is not None)
        for button in (self.fix, self.let, self.again):
            button.setEnabled(not off)
            if off:
                button.set_tip(off)
        self.fix.clicked.connect(lambda: self.fixed.emit(self._told))
        self.let.clicked.connect(self._ask)
        self.again.clicked.connect(lambda: self.reopened.emit(self._told))
        self.reason.done.connect(self._accept)
        self.reason.left.connect(self._close)

    def words(self) -> str:
        finding, accepted = self._told.finding, self._told.accepted
        said = f"{tr(SEVERITIES[finding.severity][2])}: {finding.reason}"
        return said if accepted is None else f"{said} {tr('Accepted')}: {accepted.reason}"

    def begin(self) -> bool:
        for button in (self.fix, self.let, self.again):
            if button.isVisibleTo(self) and button.isEnabled():
                button.setFocus(Qt.FocusReason.ShortcutFocusReason)
                return True
        return False

    def _ask(self) -> None:
        self.reason.show()
        self.reason.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _accept(self) -> None:
        words = self.reason.text().strip()
        self.reason.say_wrong(wrong=not words)
        if words:
            self.accepted.emit(self._told, words)
            self._close()

    def _close(self) -> None:
        self.reason.hide()
        self.left.emit()
