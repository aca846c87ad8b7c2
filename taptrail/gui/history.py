"""Changes that the window makes in the library, with undo and redo.

Changes run in order on the library thread. Changes made together in this window are undone
together; after a restart each journal line is undone by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from episodes.annotations import Author, Edit
from episodes.episodes import Episode
from episodes.store.library import Library
from taptrail.gui.work import WorkThread
from taptrail.usecases import saved_changes
from taptrail.usecases.attempts import CountingDecision
from taptrail.usecases.saved_changes import PendingEdits, SavedChange


class ChangeHistory(QObject):
    """Signals:
    pending: a Pending: what Undo and Redo would do.
    changed: the Change that was made.
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
        """Emits `pending` with what Undo and Redo would do."""
        self._reader.run(
            saved_changes.pending, owner=self, done=self._tell_pending, failed=self.failed.emit
        )

    def delete(self, uuids: Sequence[str], done: Callable[[SavedChange], None]) -> None:
        """Moves episodes to the bin."""
        folder, author = self._folder, self.author
        self._run(lambda: saved_changes.delete_episodes(folder, uuids, author), self._made, done)

    def restore(self, uuids: Sequence[str], done: Callable[[SavedChange], None]) -> None:
        """Restores episodes from the bin."""
        folder, author = self._folder, self.author
        self._run(lambda: saved_changes.restore_episodes(folder, uuids, author), self._made, done)

    def change_instruction(
        self, uuid: str, words: str, done: Callable[[SavedChange], None]
    ) -> None:
        """Changes the instruction of an episode."""
        folder, author = self._folder, self.author
        self._run(
            lambda: saved_changes.change_instruction(folder, uuid, words, author), self._made, done
        )

    def decide_attempt(
        self,
        uuid: str,
        how: str,
        counting: CountingDecision,
        reason: str,
        done: Callable[[SavedChange], None],
    ) -> None:
        """Sets the outcome of an attempt, and whether it counts."""
        folder, author = self._folder, self.author
        self._run(
            lambda: saved_changes.decide_attempt(folder, uuid, how, counting, reason, author),
            self._made,
            done,
        )

    def change(
        self,
        uuid: str,
        make: Callable[[Library, Episode, Author], Edit | None],
        done: Callable[[SavedChange], None],
    ) -> None:
        """Makes one change of an episode, on the library thread."""
        folder, author = self._folder, self.author
        self._run(
            lambda: saved_changes.change_episode(
                folder, uuid, lambda lib, ep: make(lib, ep, author)
            ),
            self._made,
            done,
        )

    def undo(self, done: Callable[[SavedChange], None]) -> None:
        """Undoes the newest change."""
        folder, author, together = self._folder, self.author, self._made
        self._run(lambda: saved_changes.undo(folder, author, together), self._undone, done)

    def redo(self, done: Callable[[SavedChange], None]) -> None:
        """Redoes the last undone change."""
        folder, author, together = self._folder, self.author, self._undone
        self._run(lambda: saved_changes.redo(folder, author, together), None, done)

    def _run(
        self,
        job: Callable[[], SavedChange],
        groups: dict[int, int] | None,
        then: Callable[[SavedChange], None],
    ) -> None:
        def done(change: SavedChange) -> None:
            if groups is not None and change.numbers:
                groups[change.numbers[-1]] = len(change.numbers)
            self._tell_pending(change.pending)
            then(change)
            if change.numbers:
                self.changed.emit(change)

        self._thread.run(lambda _: job(), owner=self, done=done, failed=self.failed.emit)

    def _tell_pending(self, found: PendingEdits) -> None:
        self.pending.emit(found)
