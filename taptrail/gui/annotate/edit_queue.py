"""Saves edits immediately and in order, on the library thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from episodes.annotations import Author
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.steps import Step
from episodes.store.library import Library
from taptrail.gui.annotate.modes import ChosenTarget, Mode, OpenMode
from taptrail.gui.annotate.open_episode import AnnotatedEpisode
from taptrail.gui.work import WorkThread

Change = Callable[[Library, Author], object]


class EditQueue(QObject):
    """Makes edits as one author.

    Signals:
        changed: the AnnotatedEpisode after an edit, and the index of the step to show, or None.
        failed: the KnownError of an edit that was not made.
        waiting: the number of edits that are not saved yet.
    """

    changed = Signal(object, object)
    failed = Signal(object)
    waiting = Signal(int)

    def __init__(self, thread: WorkThread[None], folder: Path, author: Author) -> None:
        super().__init__()
        self._thread, self._folder, self._author = thread, folder, author
        self._mode: Mode = OpenMode()
        self._newest: AnnotatedEpisode | None = None
        self._pending = 0

    def set_author(self, author: Author) -> None:
        """Sets the author of all further edits."""
        self._author = author

    def author(self) -> Author:
        """Returns the author of the edits."""
        return self._author

    def mode(self) -> Mode:
        """Returns the annotation mode."""
        return self._mode

    def set_mode(self, mode: Mode) -> None:
        """Sets the annotation mode."""
        self._mode, self._newest = mode, None

    def take(self, episode: Episode, step: Step, taken: ChosenTarget) -> None:
        """Saves the target chosen for a step, as the mode requires."""
        mode = self._mode
        self.make(
            episode.uuid,
            lambda library, author: mode.take(library, author, episode, step, taken),
        )

    def make(self, uuid: str, change: Change) -> None:
        """Makes an edit of an episode; emits `changed` or `failed` afterwards."""
        self._run(uuid, lambda library: self._made(library, change))

    def undo(self, uuid: str) -> None:
        """Undoes the newest edit of an episode."""
        mode, author = self._mode, self._author
        self._run(uuid, lambda library: mode.undo(library, author, uuid))

    def redo(self, uuid: str) -> None:
        """Redoes the last undone edit."""
        mode, author = self._mode, self._author
        self._run(uuid, lambda library: mode.redo(library, author, uuid))

    def know(self, whole: AnnotatedEpisode) -> None:
        """Keeps the episode that was read, so that unchanged steps are not computed again."""
        self._newest = whole

    def pending(self) -> int:
        """Returns the number of edits that are not saved yet."""
        return self._pending

    def settle(self, seconds: float) -> bool:
        """Waits until all edits are saved. Returns whether they are."""
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
        """Checks whether the library can be written to now."""

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
        mode, author = self._mode, self._author

        def job(_: None) -> tuple[AnnotatedEpisode, int | None]:
            with Library.open(self._folder, create=False) as library:
                step = make(library)
                return mode.read(library, uuid, author, self._newest), step

        def done(result: tuple[AnnotatedEpisode, int | None]) -> None:
            self._less()
            if mode is self._mode:
                self._newest = result[0]
                self.changed.emit(*result)

        def failed(error: KnownError) -> None:
            self._less()
            self.failed.emit(error)

        self._thread.run(job, owner=self, done=done, failed=failed)

    def _less(self) -> None:
        self._pending -= 1
        self.waiting.emit(self._pending)
