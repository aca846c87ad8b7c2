"""Suggestions for all presses of the library, asked for by one button: an episode at a time.

Each episode is a job of its own on the library's thread, so that what a person does in between is
saved in between. What is done stays when it is stopped, and is not done again.
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
    """What came of it.

    Attributes:
        episodes: how many were looked at.
        regions: how many candidates are new.
        unseen: how many presses have no picture that could be looked at.
    """

    episodes: int = 0
    regions: int = 0
    unseen: int = 0


class SuggestionJob(QObject):
    """Signals:
    began: it is under way.
    moved: episodes done and in all.
    kept: the uuid of an episode that has new candidates.
    ended: the SuggestionResult, and whether it was stopped before its end.
    failed: the KnownError that ended it.
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
        """Returns whether it is under way."""
        return self._progress is not None

    def begin(self, first: str) -> None:
        """Looks at all presses that have no target, those of an episode first."""
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
        """Ends it after the press it looks at; what is done stays."""
        if self._progress is not None:
            self._progress.cancel()
            self._waiting = []

    def stop(self) -> None:
        """Ends it because the window closes; nothing more is told."""
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

        def job(_: None) -> annotating.Proposed:
            with Library.open(folder, create=False) as library:
                return annotating.propose(
                    library, author, names=(uuid,), suggest=True, on_progress=progress
                )

        def done(found: annotating.Proposed) -> None:
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
                self.kept.emit(uuid)  # as far as it went
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
