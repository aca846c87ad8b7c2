"""Suggests targets for all presses of the library, one episode at a time.

Each episode is one job on the library thread, so that edits of the user are saved in between.
Results stay when the job is stopped and are not computed again.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from episodes.errors import KnownError
from episodes.store.library import Library
from taptrail.gui.annotate.edit_queue import EditQueue
from taptrail.gui.work import Progress, WorkThread
from taptrail.usecases import annotating, reviewing


@dataclass(frozen=True, slots=True)
class SuggestionResult:
    """Result of a suggestion job.

    Attributes:
        episodes: how many were processed.
        regions: the number of new candidates.
        unseen: how many presses have no usable picture.
    """

    episodes: int = 0
    regions: int = 0
    unseen: int = 0


class SuggestionJob(QObject):
    """Signals:
    began: the job has started.
    moved: episodes done, and their total.
    kept: the uuid of an episode with new candidates.
    ended: the SuggestionResult, and whether the job was stopped early.
    failed: the KnownError that ended the job.
    """

    began = Signal()
    moved = Signal(int, int)
    kept = Signal(str)
    ended = Signal(object, bool)
    failed = Signal(object)

    def __init__(
        self,
        folder: Path,
        reader: WorkThread[Library],
        library_thread: WorkThread[None],
        edits: EditQueue,
    ) -> None:
        super().__init__()
        self._folder, self._reader, self._thread = folder, reader, library_thread
        self._edits = edits
        self._progress: Progress | None = None
        self._waiting: list[str] = []
        self._total = 0
        self._told = SuggestionResult()

    def running(self) -> bool:
        """Returns whether the job is running."""
        return self._progress is not None

    def begin(self, first: str) -> None:
        """Processes all presses without a target; those of one episode come first."""
        if self.running():
            return
        progress = self._progress = Progress(self)
        self._told = SuggestionResult()
        self.began.emit()

        def done(order: tuple[str, ...]) -> None:
            if self._progress is progress:
                self._waiting = sorted(order, key=lambda uuid: uuid != first)
                self._total = len(order)
                self._next(progress)

        self._reader.run(
            reviewing.episode_order, owner=self, done=done, failed=self._fail, next_up=True
        )

    def cancel(self) -> None:
        """Stops after the current press; results stay."""
        if self._progress is not None:
            self._progress.cancel()
            self._waiting = []

    def stop(self) -> None:
        """Stops because the window closes; emits nothing more."""
        if self._progress is not None:
            self._progress.cancel()
            self._progress, self._waiting = None, []

    def _next(self, progress: Progress) -> None:
        self.moved.emit(self._told.episodes, self._total)
        if not self._waiting:
            self._end(stopped=self._told.episodes < self._total)
            return
        uuid = self._waiting.pop(0)
        folder, author = self._folder, self._edits.author()

        def job(_: None) -> annotating.ProposalCounts:
            with Library.open(folder, create=False) as library:
                return annotating.propose(
                    library, author, names=(uuid,), suggest=True, on_progress=progress
                )

        def done(found: annotating.ProposalCounts) -> None:
            if self._progress is not progress:
                return
            told = self._told
            self._told = SuggestionResult(
                told.episodes + 1, told.regions + found.regions, told.unseen + found.unseen
            )
            if found.regions:
                self.kept.emit(uuid)
            self._next(progress)

        def cancelled() -> None:
            if self._progress is progress:
                self.kept.emit(uuid)  # partial result
                self._end(stopped=True)

        self._thread.run(
            job, owner=self, done=done, failed=self._fail, cancelled=cancelled, progress=progress
        )

    def _end(self, *, stopped: bool) -> None:
        self._progress, self._waiting = None, []
        self.ended.emit(self._told, stopped)

    def _fail(self, error: KnownError) -> None:
        self._progress, self._waiting = None, []
        self.failed.emit(error)
