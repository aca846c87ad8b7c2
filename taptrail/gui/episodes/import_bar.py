"""Progress and result of an import or export, below the list of episodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy

from episodes.errors import KnownError
from taptrail.gui.components.button import QUIET, Button
from taptrail.gui.components.labels import ElidedLabel
from taptrail.gui.components.messages import ErrorBand, JobBar
from taptrail.gui.components.panel import Icon, Panel, WidgetRow
from taptrail.gui.episodes.predictions_form import PredictionsForm
from taptrail.gui.fonts import FACTS, font
from taptrail.gui.work import Progress, WorkThread
from taptrail.words import tr

_LISTED = 200


@dataclass(frozen=True)
class ImportOutcome:
    """Result of an import as text.

    Attributes:
        text: one sentence.
        remarks: (where, reason, count) of what was skipped.
        some: whether anything was imported.
        remarked: text of the chip for the remarks, with `{n}` in it.
    """

    text: str
    remarks: tuple[tuple[str, str, int], ...] = ()
    some: bool = True
    remarked: str = ""


class ImportBar(Panel):
    """The bars below the list; hidden while nothing is imported.

    Signals:
        finished: an import has ended; the library may have changed.
    """

    finished = Signal()

    def __init__(self, library_thread: WorkThread[None]) -> None:
        super().__init__(tr("Imports"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._thread = library_thread
        self._progress: Progress | None = None
        self._job = JobBar()
        self._job.cancelled.connect(self._cancel)
        self.error = ErrorBand()
        self._result = ElidedLabel("", FACTS)
        self._left_out = Button("", "alert", size="s")
        self._left_out.clicked.connect(self._toggle)
        close = Button("", "close", kind=QUIET, size="s", tip=tr("Close the report"))
        close.clicked.connect(self._close_report)
        self._mark = Icon("check-circle", 17, "match")
        self._report = WidgetRow(
            self._mark,
            self._result,
            self._left_out,
            close,
            height=44,
            margins=(12, 0, 8, 0),
        )
        self._report.row.setStretch(1, 1)
        self._list = QPlainTextEdit()
        self._list.setReadOnly(True)
        self._list.setProperty("quiet", "true")
        self._list.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self._list.setFont(font(FACTS))
        self._list.setFixedHeight(132)
        self._list.setAccessibleName(tr("Skipped rows"))
        self.form = PredictionsForm()
        self.add(self._list, self.error, self._report, self.form, self._job)
        for part in (self._list, self._report, self.form):
            part.hide()

    def busy(self) -> bool:
        """Returns whether an import is under way."""
        return self._progress is not None

    def run(
        self,
        title: str,
        unit: tuple[str, str],
        job: Callable[[Progress], Any],
        outcome: Callable[[Any], ImportOutcome],
        icon: str = "import",
        stopped: str = "",
        again: Callable[[], None] | None = None,
    ) -> None:
        """Runs an import or export on the library thread; further ones are queued.

        Args:
            unit: the progress text, such as EPISODES_DONE.
            job: does the work and reports to the given progress.
            outcome: describes the result.
            stopped: the message after a cancel.
            again: called on failure, to ask for the options again.
        """
        progress = Progress(self)
        self._progress = progress
        self.error.hide()
        self._close_report()
        self._job.begin(title, unit, icon)
        progress.moved.connect(self._job.moved)

        def done(result: Any) -> None:
            self._end(progress)
            self._tell(outcome(result))
            self.finished.emit()

        def failed(error: KnownError) -> None:
            self._end(progress)
            self.error.tell(error)
            if again is not None:
                again()
            self.finished.emit()

        def cancelled() -> None:
            self._end(progress)
            self._tell(ImportOutcome(stopped or tr("Stopped. What was imported so far is kept.")))
            self.finished.emit()

        self._thread.run(
            lambda _: job(progress),
            owner=self,
            done=done,
            failed=failed,
            cancelled=cancelled,
            progress=progress,
        )

    def _end(self, progress: Progress) -> None:
        self._job.hide()
        self._progress = None
        progress.deleteLater()

    def _cancel(self) -> None:
        if self._progress is not None:
            self._progress.cancel()

    def _tell(self, outcome: ImportOutcome) -> None:
        self._result.set_text(outcome.text)
        self._mark.set_icon(*(("check-circle", "match") if outcome.some else ("alert", "mismatch")))
        refused = sum(count for _, _, count in outcome.remarks)
        self._left_out.setVisible(refused > 0)
        self._left_out.set_words(tr(outcome.remarked or "{n} left out", n=refused))
        self._list.setPlainText(_by_reason(outcome.remarks))
        self._report.show()

    def _toggle(self) -> None:
        self._list.setVisible(not self._list.isVisible())

    def _close_report(self) -> None:
        self._report.hide()
        self._list.hide()


def _by_reason(remarks: tuple[tuple[str, str, int], ...]) -> str:
    """Lists what was skipped, most frequent reason first."""
    counts: Counter[str] = Counter()
    places: dict[str, list[str]] = {}
    for where, reason, count in remarks:
        counts[reason] += count
        places.setdefault(reason, []).append(where)
    lines = []
    for reason, count in counts.most_common(_LISTED):
        where = ", ".join(places[reason][:3]) + (" …" if len(places[reason]) > 3 else "")
        lines.append(f"{reason[:1].upper()}{reason[1:]}: {count:,}  ({where})")
    return "\n".join(lines)
