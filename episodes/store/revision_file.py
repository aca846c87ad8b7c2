"""Stores the newest saved revision in a file next to the database.

A database whose log was cut off, or that was replaced by an older copy, is valid but older. A disk
that loses acknowledged writes causes the former. This file detects it: its revision is then higher
than the database's. It is a hint and is written without a sync. If it is missing or damaged,
nothing is reported.
"""

from __future__ import annotations

import os
import zlib
from contextlib import suppress
from pathlib import Path

import msgspec

from episodes.operating_system import open_to_write

NAME = ".revision"
MAX_BYTES = 64 * 1024
MAX_LOST = 100


class _Content(msgspec.Struct):
    library: str
    revision: int
    lost: list[tuple[int, int]]


class RevisionFile:
    """The revision file of one library. Only the writer changes it."""

    def __init__(self, folder: Path, library: str) -> None:
        """`library`: the library's uuid; a file of another library counts as missing."""
        self._path = folder / NAME
        self._content = _read(self._path, library)

    def lost(self, revision: int) -> tuple[tuple[int, int], ...]:
        """Returns the (first, last) revisions that were saved and are gone.

        Args:
            revision: the database's.
        """
        found = list(self._content.lost)
        if self._content.revision > revision:
            found.append((revision + 1, self._content.revision))
        return tuple(found)

    def begin(self, revision: int) -> tuple[tuple[int, int], ...]:
        """Stores the lost revisions, so that further changes do not hide them, and returns them."""
        lost = self.lost(revision)
        self._content.lost = list(lost[:MAX_LOST])
        self._content.revision = revision
        self._write()
        return lost

    def save(self, revision: int) -> None:
        """Writes the revision of a commit that is on the disk."""
        if revision != self._content.revision:
            self._content.revision = revision
            self._write()

    def forget_lost(self) -> None:
        """Clears the lost revisions, once a person has seen them."""
        self._content.lost = []
        self._write()

    def _write(self) -> None:
        data = msgspec.json.encode(self._content)
        data += b"\n%08x\n" % zlib.crc32(data)
        with suppress(OSError):  # a full disk must not undo a commit for the sake of a hint
            descriptor = open_to_write(self._path)
            try:
                os.write(descriptor, data)
                os.ftruncate(descriptor, len(data))
            finally:
                os.close(descriptor)


def _read(path: Path, library: str) -> _Content:
    try:
        with path.open("rb") as file:
            text, _, digest = file.read(MAX_BYTES).rstrip(b"\n").rpartition(b"\n")
        if digest == b"%08x" % zlib.crc32(text):
            content = msgspec.json.decode(text, type=_Content)
            if content.library == library:
                return content
    except (OSError, msgspec.DecodeError):
        pass  # it is a hint
    return _Content(library, 0, [])
