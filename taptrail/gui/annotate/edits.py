"""From the place to the journal: each change is made at once, on the library's thread, in order."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from episodes.annotations import Author, Edit
from episodes.errors import KnownError
from episodes.store.library import Library
from taptrail.gui.annotate.whole import Whole, read_whole
from taptrail.gui.work import WorkThread

Change = Callable[[Library, Author], object]


class Edits(QObject):
    """Makes changes in the name of one person.

    Signals:
        changed: the Whole after a change, and the index of a step to turn to, or None.
        failed: the KnownError of a change that was not made.
        waiting: how many changes are not saved yet.
    """

    changed = Signal(object, object)
    failed = Signal(object)
    waiting = Signal(int)

    def __init__(self, thread: WorkThread[None], folder: Path, author: Author) -> None:
        super().__init__()
        self._thread, self._folder, self._author = thread, folder, author
        self._newest: Whole | None = None
        self._pending = 0

    def set_author(self, author: Author) -> None:
        """Makes all further changes in the name of somebody else."""
        self._author = author

    def make(self, uuid: str, change: Change) -> None:
        """Makes a change of an episode; `changed` or `failed` follows."""
        self._run(uuid, lambda library: self._made(library, change))

    def undo(self, uuid: str) -> None:
        """Takes the newest edit of an episode back."""
        self._run(uuid, lambda library: _step(library.undo(self._author, uuid)))

    def redo(self, uuid: str) -> None:
        """Makes the edit again that was taken back last."""
        self._run(uuid, lambda library: _step(library.redo(self._author, uuid)))

    def know(self, whole: Whole) -> None:
        """Notes what has been read, so that what stays the same is not worked out again."""
        self._newest = whole

    def pending(self) -> int:
        """Returns how many changes are not saved yet."""
        return self._pending

    def settle(self, seconds: float) -> bool:
        """Waits until all that was asked for is saved; returns whether it is."""
        if not self._pending:
            return True
        through = threading.Event()
        self._thread.run(
            lambda _: through.set(), owner=self, done=lambda _: None, failed=lambda _: None
        )
        return through.wait(seconds)

    def try_lock(
        self, owner: QObject, done: Callable[[None], None], failed: Callable[[KnownError], None]
    ) -> None:
        """Finds out whether the library can be written to now."""

        def look(_: None) -> None:
            with Library.open(self._folder, create=False):
                pass

        self._thread.run(look, owner=owner, done=done, failed=failed)

    def _made(self, library: Library, change: Change) -> int | None:
        change(library, self._author)
        return None

    def _run(self, uuid: str, make: Callable[[Library], int | None]) -> None:
        self._pending += 1
        self.waiting.emit(self._pending)

        def job(_: None) -> tuple[Whole, int | None]:
            with Library.open(self._folder, create=False) as library:
                step = make(library)
                return read_whole(library, uuid, self._newest), step

        def done(result: tuple[Whole, int | None]) -> None:
            self._less()
            self._newest = result[0]
            self.changed.emit(*result)

        def failed(error: KnownError) -> None:
            self._less()
            self.failed.emit(error)

        self._thread.run(job, owner=self, done=done, failed=failed)

    def _less(self) -> None:
        self._pending -= 1
        self.waiting.emit(self._pending)


def _step(edit: Edit | None) -> int | None:
    return None if edit is None else edit.step
