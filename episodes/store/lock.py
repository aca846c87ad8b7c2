"""The writer's lock: one writer for each library. The system releases it when its holder dies.

The lock is on the folder itself and on the file `.lock` in it. The folder cannot be deleted while
there is a library in it, so nobody gets the lock by deleting the file. The file holds the lock
where a file system cannot lock folders (NFS), and the number of the process that has it.
"""

from __future__ import annotations

import errno
import fcntl
import os
import time
from pathlib import Path

from episodes.errors import KnownError
from episodes.store.places import LOCK

PATIENCE_SECONDS = 0.5
"""Whoever keeps one thing gives the lock back in milliseconds; a recording holds it for minutes."""
_AGAIN_SECONDS = 0.01
_NO_FOLDER_LOCKS = (errno.EBADF, errno.EINVAL, errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)


class LibraryBusy(KnownError):
    """Somebody else has the library open for writing."""


class WriterLock:
    """The lock on a library's folder, held until `release` or the end of the process."""

    def __init__(self, folder: Path) -> None:
        """Takes the lock; waits a moment if another process is saving a single change.

        Raises:
            LibraryBusy: another process, or this one, has the library open for writing.
        """
        self._held = [os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)]
        try:
            self._held.append(os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644))
            if not self._taken():
                holder = os.read(self._held[1], 20).decode("ascii", "replace").strip()
                mine = " (this one)" if holder == str(os.getpid()) else ""
                raise LibraryBusy(
                    f"open the library {folder} for writing",
                    f"process {holder or 'unknown'}{mine} has it open",
                    "Close it there, or only look.",
                )
            os.ftruncate(self._held[1], 0)
            os.pwrite(self._held[1], f"{os.getpid()}\n".encode("ascii"), 0)
        except BaseException:  # a full disk, too, must not hold the lock
            self.release()
            raise

    def _taken(self) -> bool:
        until = time.monotonic() + PATIENCE_SECONDS
        while not (_lock_folder(self._held[0]) and _lock(self._held[1])):
            if time.monotonic() >= until:
                return False
            time.sleep(_AGAIN_SECONDS)
        return True

    def release(self) -> None:
        """Gives the lock back; a second call does nothing."""
        for descriptor in self._held:
            os.close(descriptor)
        self._held.clear()


def is_locked(folder: Path) -> bool:
    """Whether anybody has the library open for writing."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        return not _lock_folder(descriptor)
    finally:
        os.close(descriptor)


def _lock_folder(descriptor: int) -> bool:
    try:
        return _lock(descriptor)
    except OSError as error:
        if error.errno in _NO_FOLDER_LOCKS:
            return True  # the file beside the database holds the lock
        raise


def _lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
