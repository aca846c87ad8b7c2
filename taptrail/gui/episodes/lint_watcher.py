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
    """Looks at the episodes that wait for it, when it is told that there may be some.

    Whoever writes to the library goes first: then it waits, longer each time.

    Signals:
        moved: (done, total); twice 0 when it has ended.
        kept: what is known of some episodes is newer now.
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
        """`may` tells whether the library is free now: it is not while something is recorded."""
        super().__init__(parent)
        self._folder, self._thread, self._may = folder, thread, may
        self._running = self._again = False
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_FIRST_AGAIN_MS)
        self._later.timeout.connect(self.look)

    def look(self) -> None:
        """Begins, or begins anew after what is under way."""
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
        """Returns whether it looks now."""
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
