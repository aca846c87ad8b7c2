"""Threads and picture caches of a window, started in order and stopped in reverse order."""

from __future__ import annotations

import threading
from pathlib import Path

from PySide6.QtCore import QObject

from episodes.screens import Still
from episodes.store.library import Library
from taptrail.gui.thumbnails import Pictures
from taptrail.gui.work import WorkThread
from taptrail.usecases import episode_list

_SMALL_ROOM, _LARGE_ROOM = 96 << 20, 192 << 20
_SMALL_ACROSS = 180


class WindowServices(QObject):
    """Threads of one library: one for writing, two for reading, two for pictures.

    Attributes:
        library: runs use cases that open the library for writing.
        reader: short queries for what the user is looking at.
        judge: long queries, such as scoring a run.
        small, large: picture caches for lists and for frames.
    """

    def __init__(
        self, folder: Path, parent: QObject | None = None, ready: threading.Event | None = None
    ) -> None:
        """Creates the threads; readers wait for `ready` if the library must be created first."""
        super().__init__(parent)
        self.folder = folder
        self.library: WorkThread[None] = WorkThread("library", lambda: None)
        self.reader: WorkThread[Library] = _reading("reader", folder, ready)
        self.judge: WorkThread[Library] = _reading("judge", folder, ready)
        self.drawing: WorkThread[None] = WorkThread("thumbnails", lambda: None)
        self.showing: WorkThread[None] = WorkThread("frames", lambda: None)

        def find(still: Still) -> Path:
            return episode_list.still_path(folder, still)

        self.small = Pictures(
            self.drawing, find, across=_SMALL_ACROSS, room=_SMALL_ROOM, parent=self
        )
        self.large = Pictures(self.showing, find, across=0, room=_LARGE_ROOM, parent=self)

    def stop(self) -> None:
        """Stops all threads, last one first; returns after they have ended."""
        for thread in (self.showing, self.drawing, self.judge, self.reader, self.library):
            thread.stop()


def _reading(name: str, folder: Path, ready: threading.Event | None) -> WorkThread[Library]:
    def opened() -> Library:
        if ready is not None:
            ready.wait()
        return Library.read(folder)

    return WorkThread(name, opened, lambda library: library.close())
