"""Compares runs on a background thread; only the newest request is answered."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from episodes.errors import KnownError
from episodes.store.library import Library
from replay.comparison import Comparison, ComparisonRow, Only, RuleGroup, grouped
from taptrail.gui.work import Progress, WorkThread
from taptrail.usecases.published import PublishedFigures, published_beside
from taptrail.usecases.run_comparison import compare_in


@dataclass(frozen=True, slots=True)
class ComparisonResult:
    """A comparison, grouped for the page; `partings` are all steps with different verdicts."""

    comparison: Comparison
    differing: tuple[ComparisonRow, ...]
    groups: tuple[RuleGroup, ...]
    figures: tuple[PublishedFigures, ...]


class ComparisonWorker(QObject):
    """Signals:
    ready: the ComparisonResult for the newest request.
    moved: progress as done and total.
    failed: the KnownError that ended the job.
    """

    ready = Signal(object)
    moved = Signal(int, int)
    failed = Signal(object)

    def __init__(self, thread: WorkThread[Library], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread = thread
        self._asked: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        self._progress: Progress | None = None

    def ask(self, runs: tuple[str, ...], protocols: tuple[str, ...]) -> None:
        """Compares these runs; repeating a request computes it again."""
        self.cancel()
        self._asked = (runs, protocols)
        progress = Progress(self)
        progress.moved.connect(self.moved)
        self._progress = progress

        def work(library: Library) -> ComparisonResult:
            comparison = compare_in(library, runs, protocols, on_progress=progress).comparison
            differing = comparison.chosen(Only("differ"))
            keys = [judged.side.protocol.key for judged in comparison.sides]
            figures = published_beside((one.side.run for one in comparison.sides), keys)
            return ComparisonResult(comparison, differing, grouped(differing), figures)

        def done(answer: ComparisonResult) -> None:
            if self._progress is progress:
                self._progress = None
                self.ready.emit(answer)

        def failed(error: KnownError) -> None:
            if self._progress is progress:
                self._progress = None
                self.failed.emit(error)

        self._thread.run(work, owner=self, done=done, failed=failed, progress=progress)

    def asked(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Returns runs and protocols of the newest request."""
        return self._asked

    def cancel(self) -> None:
        """Cancels the running comparison without a signal."""
        if self._progress is not None:
            self._progress.cancel()
            self._progress = None
