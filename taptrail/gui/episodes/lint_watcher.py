"""Runs lint on episodes in the background, for the Findings column."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from episodes.errors import KnownError
from episodes.store.lock import LibraryBusy
from taptrail.gui.work import Progress, WorkThread
from taptrail.usecases import linting

_FIRST_AGAIN_MS, _LAST_AGAIN_MS = 5_000, 300_000


class LintWatcher(QObject):
    """Runs lint on unchecked episodes, each time `look` is called.

    Other writers to the library go first: it then waits, longer each time.

    Signals:
        moved: (done, total); (0, 0) at the end.
        kept: new findings were stored.
        failed: a KnownError.
    """

    moved = Signal(int, int)
    kept = Signal()
    failed = Signal(object)

    def __init__(
        self,
        folder: Path,
        thread: WorkThread[None],
        may: Callable[[], bool],
        parent: QObject | None = None,
    ) -> None:
        """`may` returns whether the library is free now; it is not during a recording."""
        super().__init__(parent)
        self._folder, self._thread, self._may = folder, thread, may
        self._running = self._again = False
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_FIRST_AGAIN_MS)
        self._later.timeout.connect(self.look)

    def look(self) -> None:
        """Starts, or starts again after the current pass."""
        if self._running:
            self._again = True
            return
        if not self._may():
            self._later.start()
            return
        self._running, self._again = True, False
        folder, progress = self._folder, Progress(self)
        progress.moved.connect(self.moved)
        self._thread.run(
            lambda _: linting.keep_findings(folder, progress),
            owner=self,
            done=self._done,
            failed=self._broken,
            cancelled=self._end,
            progress=progress,
        )

    def running(self) -> bool:
        """Returns whether lint is running."""
        return self._running

    def _done(self, kept: int) -> None:
        self._later.setInterval(_FIRST_AGAIN_MS)
        self._end()
        if kept:
            self.kept.emit()
        if self._again:
            self.look()

    def _broken(self, error: KnownError) -> None:
        self._end()
        if isinstance(error, LibraryBusy):
            self._later.setInterval(min(2 * self._later.interval(), _LAST_AGAIN_MS))
            self._later.start()
        else:
            self.failed.emit(error)

    def _end(self) -> None:
        self._running = False
        self.moved.emit(0, 0)
