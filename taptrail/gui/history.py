"""What the window changes in the library, and undo and redo of it.

Changes run on the library's thread, one after the other. What was changed together in this window
is taken back together; after a restart each line of the journal is taken back by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from episodes.annotations import Author, Edit
from episodes.episodes import Episode
from episodes.store.library import Library
from taptrail.gui.work import WorkThread
from taptrail.usecases import changing
from taptrail.usecases.attempts import Counting
from taptrail.usecases.changing import Change, Pending


class History(QObject):
    """Signals:
    pending: what undo and redo would do, a Pending.
    changed: something was changed, a Change.
    failed: a KnownError.
    """

    pending = Signal(object)
    changed = Signal(object)
    failed = Signal(object)

    def __init__(
        self,
        folder: Path,
        library_thread: WorkThread[None],
        reader: WorkThread[Library],
        author: Author,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.author = author
        self._folder, self._thread, self._reader = folder, library_thread, reader
        self._made: dict[int, int] = {}
        self._undone: dict[int, int] = {}

    def look(self) -> None:
        """Emits `pending` with what undo and redo would do."""
        self._reader.run(
            changing.pending, owner=self, done=self._tell_pending, failed=self.failed.emit
        )

    def delete(self, uuids: Sequence[str], done: Callable[[Change], None]) -> None:
        """Puts episodes into the bin."""
        folder, author = self._folder, self.author
        self._run(lambda: changing.delete_episodes(folder, uuids, author), self._made, done)

    def restore(self, uuids: Sequence[str], done: Callable[[Change], None]) -> None:
        """Restores episodes from the bin."""
        folder, author = self._folder, self.author
        self._run(lambda: changing.restore_episodes(folder, uuids, author), self._made, done)

    def change_instruction(self, uuid: str, words: str, done: Callable[[Change], None]) -> None:
        """Changes the instruction of an episode."""
        folder, author = self._folder, self.author
        self._run(
            lambda: changing.change_instruction(folder, uuid, words, author), self._made, done
        )

    def decide_attempt(
        self,
        uuid: str,
        how: str,
        counting: Counting,
        reason: str,
        done: Callable[[Change], None],
    ) -> None:
        """Sets the outcome of an attempt, and whether it counts."""
        folder, author = self._folder, self.author
        self._run(
            lambda: changing.decide_attempt(folder, uuid, how, counting, reason, author),
            self._made,
            done,
        )

    def change(
        self,
        uuid: str,
        make: Callable[[Library, Episode, Author], Edit | None],
        done: Callable[[Change], None],
    ) -> None:
        """Makes one change of an episode, on the library's thread."""
        folder, author = self._folder, self.author
        self._run(
            lambda: changing.change_episode(folder, uuid, lambda lib, ep: make(lib, ep, author)),
            self._made,
            done,
        )

    def undo(self, done: Callable[[Change], None]) -> None:
        """Undoes the newest change."""
        folder, author, together = self._folder, self.author, self._made
        self._run(lambda: changing.undo(folder, author, together), self._undone, done)

    def redo(self, done: Callable[[Change], None]) -> None:
        """Redoes what was undone last."""
        folder, author, together = self._folder, self.author, self._undone
        self._run(lambda: changing.redo(folder, author, together), None, done)

    def _run(
        self,
        job: Callable[[], Change],
        groups: dict[int, int] | None,
        then: Callable[[Change], None],
    ) -> None:
        def done(change: Change) -> None:
            if groups is not None and change.numbers:
                groups[change.numbers[-1]] = len(change.numbers)
            self._tell_pending(change.pending)
            then(change)
            if change.numbers:
                self.changed.emit(change)

        self._thread.run(lambda _: job(), owner=self, done=done, failed=self.failed.emit)

    def _tell_pending(self, found: Pending) -> None:
        self.pending.emit(found)
