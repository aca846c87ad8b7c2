"""Keeps messages of libpng and libjpeg about damaged pictures off the terminal.

They write to standard error themselves, below Python and below OpenCV's log, and without the
picture's name; what is wrong with a picture is said where it is refused. Lines that others write
meanwhile go where they would have gone, a moment later. A program that is started in just that
moment inherits a standard error that is not read.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from episodes.operating_system import open_memory_file

TERMINAL = 2
THEIRS = (
    b"libpng ",
    b"Corrupt JPEG data",
    b"Inconsistent progression sequence",
    b"Invalid SOS parameters",
    b"Premature end of JPEG file",
    b"Unknown Adobe color transform",
    b"Unsupported marker type",
    b"Warning: unknown JFIF revision",
    b"Application transferred too",
)
"""How their lines begin. Source: jerror.h of libjpeg-turbo, pngerror.c of libpng."""


class _Aside:
    """Standard error while pictures are decoded, by how many threads whatever."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._decoding = 0
        self._terminal = self._file = -1

    def begin(self) -> bool:
        """Turns standard error aside; says whether there is one."""
        with self._lock:
            if self._decoding == 0:
                try:
                    if self._file < 0:
                        self._file = open_memory_file()
                    self._terminal = os.dup(TERMINAL)
                except OSError:
                    return False
                os.dup2(self._file, TERMINAL)
            self._decoding += 1
            return True

    def end(self) -> None:
        """Restores standard error after the last decoder, and passes on other output."""
        with self._lock:
            self._decoding -= 1
            if self._decoding:
                return
            os.dup2(self._terminal, TERMINAL)
            if size := os.fstat(self._file).st_size:
                os.lseek(self._file, 0, os.SEEK_SET)
                said = os.read(self._file, size)
                os.lseek(self._file, 0, os.SEEK_SET)
                os.ftruncate(self._file, 0)
                lines = said.splitlines(keepends=True)
                with suppress(OSError):  # nobody listens any more
                    os.write(self._terminal, b"".join(x for x in lines if not _theirs(x)))
            os.close(self._terminal)


_ASIDE = _Aside()


@contextmanager
def without_decoder_warnings() -> Iterator[None]:
    """Keeps their lines off standard error until it ends. Any number of threads at once."""
    aside = _ASIDE.begin()
    try:
        yield
    finally:
        if aside:
            _ASIDE.end()


def _theirs(line: bytes) -> bool:
    return line.startswith(THEIRS)
