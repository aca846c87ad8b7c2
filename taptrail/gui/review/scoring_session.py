"""The compared runs, the protocol, and the verdicts, scored one run after the other."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from episodes.errors import KnownError
from episodes.runs import Run
from episodes.store.library import Library
from taptrail.gui.review.filters import DifferingStep, differing
from taptrail.gui.review.head import LETTERS
from taptrail.gui.work import Progress, WorkThread
from taptrail.usecases import reviewing


class ScoringSession(QObject):
    """Attributes:
    own_choice: whether the user selected the runs.

    Signals:
    changed: runs, protocol or verdicts changed.
    listed: all runs are scored; the list of `Parting`s between them.
    moved: progress of the current run as done and total.
    failed: the KnownError that ended the job.
    """

    changed = Signal()
    listed = Signal(object)
    moved = Signal(int, int)
    failed = Signal(object)

    def __init__(
        self, thread: WorkThread[Library], protocol: str, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._thread = thread
        self.protocol = protocol
        self.there_are: dict[str, Run] = {}
        self.runs: list[str] = []
        self.judged: dict[str, reviewing.JudgedRun] = {}
        self.own_choice = False
        self._stale: set[str] = set()
        self._progress: Progress | None = None

    def take(
        self, there_are: tuple[Run, ...], answering: tuple[str, ...], *, fresh: bool
    ) -> list[str] | None:
        """Updates the list of runs. Returns the runs to compare now, or None if they stay.

        Args:
            answering: the runs with predictions for the episode to open.
            fresh: whether the user opened that episode. Its runs are then compared, unless a run
                selected by the user is among them.
        """
        before = set(self.there_are)
        self.there_are = {run.name: run for run in there_are}
        kept = [name for name in self.runs if name in self.there_are]
        new = [name for name in answering if name not in before and name not in kept]
        wanted = (kept + new)[: len(LETTERS)]
        mine = self.own_choice and any(name in answering for name in kept)
        if fresh and not mine:
            self.own_choice = False
            wanted = list(answering[: len(LETTERS)])
        return wanted if wanted != self.runs or not before else None

    def choose(self, names: list[str]) -> None:
        """Compares these runs, at most four, in this order."""
        self.runs = names[: len(LETTERS)]
        self.judged = {name: run for name, run in self.judged.items() if name in self.runs}
        self._go_on()

    def choose_protocol(self, key: str) -> None:
        """Scores all runs by another protocol."""
        self.protocol, self.judged = key, {}
        self._go_on()

    def judge_again(self) -> None:
        """Scores all runs again after a change of gold; the old numbers stay until then."""
        self._stale = set(self.runs)
        self._go_on()

    def pairs(self) -> list[tuple[str, str]]:
        """Returns letter and name of each run, A first."""
        return list(zip(LETTERS, self.runs, strict=False))

    def cancel(self) -> None:
        """Cancels scoring."""
        if self._progress is not None:
            self._progress.cancel()
            self._progress = None

    def _go_on(self) -> None:
        self.cancel()
        self.changed.emit()
        missing = [n for n in self.runs if n not in self.judged or n in self._stale]
        if not missing:
            self._list()
            return
        name, protocol = missing[0], self.protocol
        progress = Progress(self)
        progress.moved.connect(self.moved)
        self._progress = progress

        def done(judged: reviewing.JudgedRun) -> None:
            if self._progress is progress:
                self._progress = None
                self.judged[name] = judged
                self._stale.discard(name)
                self._go_on()

        def failed(error: KnownError) -> None:
            if self._progress is progress:
                self._progress = None
                self.failed.emit(error)

        self._thread.run(
            lambda library: reviewing.judge_run(library, name, protocol, progress),
            owner=self,
            done=done,
            failed=failed,
            progress=progress,
        )

    def _list(self) -> None:
        found = [(letter, self.judged[name]) for letter, name in self.pairs()]

        def done(lines: list[DifferingStep]) -> None:
            if found == [(letter, self.judged.get(name)) for letter, name in self.pairs()]:
                self.listed.emit(lines)

        self._thread.run(lambda _: differing(found), owner=self, done=done, failed=self.failed.emit)
