"""One writer a library: a lock the system takes back when its holder dies."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

from episodes.errors import KnownError
from episodes.store.places import LOCK

PATIENCE_SECONDS = 0.5
"""Whoever keeps one thing gives the lock back in milliseconds; a recording holds it for minutes."""
_AGAIN_SECONDS = 0.01


class LibraryBusy(KnownError):
    """Somebody else has the library open for writing."""


class WriterLock:
    """The lock on a library's folder, held until `release` or the end of the process."""

    def __init__(self, folder: Path) -> None:
        """Takes the lock, waiting a moment for whoever keeps one thing.

        Raises:
            LibraryBusy: another process, or this one, has the library open for writing.
        """
        self._descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        if not self._taken():
            holder = os.read(self._descriptor, 20).decode("ascii", "replace").strip()
            os.close(self._descriptor)
            mine = " (this one)" if holder == str(os.getpid()) else ""
            raise LibraryBusy(
                f"open the library {folder} for writing",
                f"process {holder or 'unknown'}{mine} has it open",
                "Close it there, or only look.",
            )
        try:
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, f"{os.getpid()}\n".encode("ascii"), 0)
        except OSError:  # a full disk must not hold the lock
            self.release()
            raise

    def _taken(self) -> bool:
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return True
            except BlockingIOError:
                if time.monotonic() >= until:
                    return False
                time.sleep(_AGAIN_SECONDS)

    def release(self) -> None:
        """Gives the lock back; a second call does nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
