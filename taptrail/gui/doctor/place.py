"""The Doctor page: each finding with its meaning and its remedy, worst first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from episodes.errors import KnownError
from recorder.doctor import CheckLevel, CheckResult
from taptrail.gui.commands import key
from taptrail.gui.components.button import QUIET, Button
from taptrail.gui.components.keycap import KeyHint
from taptrail.gui.components.labels import label
from taptrail.gui.components.messages import Bar, ErrorBand
from taptrail.gui.components.panel import (
    Facts,
    Icon,
    Panel,
    PanelHead,
    PanelSplitter,
    Scrolled,
    Section,
    WidgetRow,
    section_head,
)
from taptrail.gui.components.shell import Head, Page, StatusBar
from taptrail.gui.fonts import BODY, FACTS
from taptrail.gui.remedies import window_words
from taptrail.gui.work import WorkThread
from taptrail.usecases import doctor
from taptrail.words import tr

_TOP, _STYLED = Qt.AlignmentFlag.AlignTop, Qt.WidgetAttribute.WA_StyledBackground
_MARKS = {
    CheckLevel.ERROR: ("alert-octagon", "record", "Missing"),
    CheckLevel.WARNING: ("alert", "mismatch", "To look at"),
}


class DoctorPlace(Page):
    """Runs the checks when the page is opened, and again on request."""

    def __init__(
        self,
        folder: Path,
        thread: WorkThread[None],
        port: Callable[[], int | None],
        checkpoint: Callable[[], Path | None] = lambda: None,
    ) -> None:
        """`port` returns the port of the adb server, `checkpoint` the SAM 2 file of the settings.

        The checks run on `thread`.
        """
        super().__init__("Doctor")
        self._folder, self._thread, self._port = folder, thread, port
        self._checkpoint = checkpoint
        self._busy = False
        self.findings: tuple[CheckResult, ...] = ()
        self.rows: list[FindingRow] = []
        self.again = Button(tr("Check again"), "refresh", key=key("check-again"))
        self.again.clicked.connect(self.look)
        self.copy = Button(tr("Copy report"), "content-copy", key=key("copy-report"), cap=False)
        self.copy.clicked.connect(self._copy)
        self.error = ErrorBand()
        self._bar = Bar(2, tr("Looking"))
        self._bar.hide()
        self.summary = label("", BODY, 600)
        self._list = QVBoxLayout()
        self._list.setSpacing(0)
        self.fine = Facts(112, wrap=True)
        self._fine_head = label("", FACTS, 600)
        rows = QWidget()
        rows.setLayout(self._list)
        self._list.setContentsMargins(0, 0, 0, 0)
        page = Panel(tr("Findings"))
        page.add(rows, None)
        left = Panel(tr("What to do"))
        left.add(PanelHead(self.summary, None), self.error, self._bar, Scrolled(page))
        fine = Panel(tr("What is fine"))
        fine.add(Section(None, self.fine, line=False), None)
        right = Panel(tr("What is fine"))
        right.add(PanelHead(self._fine_head, None), Scrolled(fine))
        split = PanelSplitter(
            Qt.Orientation.Horizontal, [left, right], [0, 460], [360, 280], [0, 420]
        )
        hints: list[QWidget] = [
            KeyHint([key("check-again")], tr("Check again")),
            KeyHint([key("keys")], tr("All keys")),
        ]
        self.furnish(Head(tr("Doctor"), right=[self.copy, self.again]), split, StatusBar(hints))

    def entered(self) -> None:
        """Looks."""
        self.look()

    def look(self) -> None:
        """Runs all checks on the thread; earlier findings stay until the result arrives."""
        checkpoint = self._checkpoint()
        self._run(
            lambda folder, port: doctor.doctor(folder, port, checkpoint=checkpoint),
            self.show_findings,
        )

    def repair(self, name: str) -> None:
        """Applies one fix, then runs the checks again."""

        def done(said: str) -> None:
            self.status.say(said)
            self.look()

        self._run(lambda folder, port: doctor.repair(name, folder, port), done)

    def show_findings(self, findings: tuple[CheckResult, ...]) -> None:
        """Shows the findings, worst first; passed checks are one short list."""
        self.findings = findings
        for row in self.rows:
            self._list.removeWidget(row)
            row.deleteLater()
        self.rows = []
        self.fine.clear()
        fine = 0
        for finding in doctor.worst_first(findings):
            if finding.severity is CheckLevel.OK:
                fine += 1
                self.fine.put(
                    _named(finding.subject), finding.found, icon="check-circle", ink="match"
                )
                continue
            row = FindingRow(finding, self.repair)
            self._list.addWidget(row)
            self.rows.append(row)
        self.summary.setText(_summary(findings))
        self._fine_head.setText(tr("{n} of {all} are fine", n=fine, all=len(findings)))
        self.status.say_health(tr("Looked just now"))

    def _run(self, job: Callable[[Path, int | None], object], done: Callable[..., None]) -> None:
        if self._busy:
            return
        self._busy = True
        self.again.setEnabled(False)
        self._bar.set_unknown()
        self._bar.show()
        folder, port = self._folder, self._port()

        def settled() -> None:
            self._busy = False
            self.again.setEnabled(True)
            self._bar.hide()
            self.error.hide()

        def well(found: object) -> None:
            settled()
            done(found)

        def failed(error: KnownError) -> None:
            settled()
            self.error.tell(error)

        self._thread.run(lambda _: job(folder, port), owner=self, done=well, failed=failed)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(doctor.report(self.findings))
        self.status.say(tr("The report is in the clipboard"))


class FindingRow(Section):
    """Row of one finding: shape, subject, what was found, what it means, what to do."""

    def __init__(self, finding: CheckResult, repair: Callable[[str], None]) -> None:
        icon, ink, word = _MARKS[finding.severity]
        self.fix: Button | None = None
        subject = _named(finding.subject)
        head = section_head(subject)
        if finding.fix:
            self.fix = Button(tr("Try it now"), size="s")
            self.fix.setAccessibleDescription(window_words(finding.remedy))
            self.fix.clicked.connect(lambda: repair(finding.fix))
        words = QWidget()
        column = QVBoxLayout(words)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        found = _named(finding.found)
        column.addWidget(head)
        column.addWidget(label(f"{found}.", FACTS, wrap=True, selectable=True))
        for said, weight in ((finding.meaning, 400), (finding.remedy, 500)):
            if said:
                column.addWidget(label(window_words(said), FACTS, weight, tone="2", wrap=True))
        if finding.command:
            column.addSpacing(4)
            column.addWidget(_Command(finding.command))
        mark = Icon(icon, 18, ink, tr(word))
        row = WidgetRow(mark, words, *([self.fix] if self.fix is not None else []), gap=10)
        row.row.setStretch(1, 1)
        row.row.setAlignment(mark, _TOP)
        if self.fix is not None:
            row.row.setAlignment(self.fix, _TOP)
        super().__init__(None, row)
        self.finding = finding
        self.setAccessibleName(
            f"{tr(word)}: {subject}. {found}. {finding.meaning} {finding.remedy}"
        )


class _Command(WidgetRow):
    """A terminal command with a Copy button."""

    def __init__(self, command: str) -> None:
        copy = Button("", "content-copy", kind=QUIET, size="s", tip=tr("Copy the command"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(command))
        said = label(command, FACTS, mono=True, wrap=True, selectable=True)
        super().__init__(said, copy, gap=8, margins=(8, 4, 4, 4))
        self.row.setStretch(0, 1)
        self.setProperty("ground", "raised")
        self.setAttribute(_STYLED)


def _summary(findings: tuple[CheckResult, ...]) -> str:
    counts = {one: sum(f.severity is one for f in findings) for one in CheckLevel}
    if not counts[CheckLevel.ERROR] and not counts[CheckLevel.WARNING]:
        return tr("All is well")
    said = []
    if counts[CheckLevel.ERROR]:
        said.append(tr("{n} missing", n=counts[CheckLevel.ERROR]))
    if counts[CheckLevel.WARNING]:
        said.append(tr("{n} to check", n=counts[CheckLevel.WARNING]))
    return ", ".join(said)


def _named(words: str) -> str:
    """Returns the text with a capital first letter."""
    return words[:1].upper() + words[1:]
