"""The writer's lock: one writer for each library. The system releases it when its holder dies.

The lock is on the folder itself and on the file `.lock` in it. The folder cannot be deleted while
there is a library in it, so nobody gets the lock by deleting the file. The file holds the lock
where folders cannot be locked (NFS, Windows), and the number of the process that has it.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from episodes.errors import KnownError
from episodes.operating_system import FileLock, FolderLock
from episodes.store.places import LOCK

PATIENCE_SECONDS = 0.5
"""A process that saves one change releases the lock in milliseconds; a recording holds it long."""
_AGAIN_SECONDS = 0.01


class LibraryBusy(KnownError):
    """Somebody else has the library open for writing."""


class WriterLock:
    """The lock on a library's folder, held until `release` or the end of the process."""

    def __init__(self, folder: Path) -> None:
        """Takes the lock; waits a moment if another process is saving a single change.

        Raises:
            LibraryBusy: another process, or this one, has the library open for writing.
        """
        self._locks: list[FolderLock | FileLock] = [FolderLock(folder)]
        try:
            file = FileLock(folder / LOCK)
            self._locks.append(file)
            if not self._acquired():
                holder = file.holder()
                mine = " (this one)" if holder == str(os.getpid()) else ""
                raise LibraryBusy(
                    f"open the library {folder} for writing",
                    f"process {holder or 'unknown'}{mine} has it open",
                    "Close it there, or only look.",
                )
            file.write_holder()
        except BaseException:  # a full disk, too, must not hold the lock
            self.release()
            raise

    def _acquired(self) -> bool:
        until = time.monotonic() + PATIENCE_SECONDS
        while not all(lock.acquire() for lock in self._locks):
            if time.monotonic() >= until:
                return False
            time.sleep(_AGAIN_SECONDS)
        return True

    def release(self) -> None:
        """Gives the lock back; a second call does nothing."""
        for lock in self._locks:
            lock.release()


def is_locked(folder: Path) -> bool:
    """Whether anybody has the library open for writing."""
    lock = FolderLock(folder)
    try:
        return not lock.acquire()
    finally:
        lock.release()
