"""Stores pictures as files named by their hash. No SQL.

Any thread may write a picture. Calls without `sync` must come from one thread.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from episodes.operating_system import make_folder, sync_file, sync_folder
from episodes.store.errors import convert_errors
from episodes.store.places import FRAMES, SUFFIXES, checked_media_type, still_path

UNFINISHED = ".unfinished-"
SYNCS_AT_ONCE = 16


class StillFiles:
    """The `frames` folder of a library."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._written: dict[Path, Path] = {}  # to be synced: name -> file beside

    def write(self, data: bytes, media_type: str, *, sync: bool = True, sha256: str = "") -> str:
        """Stores a picture's bytes and returns their SHA-256. Equal bytes are stored once.

        The file is on the disk, whole, when this returns: written beside, synced, renamed. Without
        `sync` it has its name only after `sync_written`, which syncs many in less time.

        Args:
            sha256: of the bytes, if it is known.

        Raises:
            KnownError: the disk is full or not writable. No partial file remains.
        """
        with convert_errors(f"save a picture in {self._folder}"):
            checked_media_type(media_type)
            sha256 = sha256 or hashlib.sha256(data).hexdigest()
            path = still_path(self._folder, sha256, media_type)
            if path in self._written or self._whole(path, len(data)):
                return sha256
            make_folder(path.parent)
            beside = _write_beside(path, data, sync=sync)
            if sync:
                beside.replace(path)
                sync_folder(path.parent)
            else:
                self._written[path] = beside
            return sha256

    def sync_written(self) -> None:
        """Syncs pictures that were written without `sync`, then gives them their names.

        First the files, then the names, then the folders: a loss of power leaves a picture that is
        whole, or an unfinished file, never a name with other bytes.

        Raises:
            KnownError: the disk is full or fails.
        """
        written, self._written = self._written, {}
        if not written:
            return
        with (
            convert_errors(f"save pictures in {self._folder}"),
            ThreadPoolExecutor(SYNCS_AT_ONCE) as pool,
        ):
            for _ in pool.map(sync_file, written.values()):
                pass
            for path, beside in written.items():
                beside.replace(path)
            for _ in pool.map(sync_folder, {path.parent for path in written}):
                pass

    def path(self, sha256: str, media_type: str) -> Path:
        """Returns a picture's path, whether or not it exists.

        Raises:
            NotStorable: `sha256` or `media_type` is invalid.
        """
        return still_path(self._folder, sha256, media_type)

    def read(self, sha256: str, media_type: str) -> bytes:
        """Returns a picture's bytes.

        Raises:
            KnownError: it is missing or cannot be read.
        """
        with convert_errors(f"read the picture {sha256[:12]}"):
            return self.path(sha256, media_type).read_bytes()

    def unlisted(self, listed: set[str], before: float) -> list[Path]:
        """Returns the pictures without a row, and unfinished ones, in order.

        Args:
            listed: the hashes that rows name.
            before: seconds since the epoch; files changed later are left out.
        """
        return [
            path
            for path in sorted((self._folder / FRAMES).glob("[0-9a-f][0-9a-f]/*"))
            if (
                path.name.startswith(UNFINISHED)
                or (path.suffix in SUFFIXES.values() and path.stem not in listed)
            )
            and path.lstat().st_mtime < before
        ]

    def has(self, data: bytes, media_type: str, sha256: str) -> bool:
        """Whether these bytes, with this hash, are stored already."""
        path = still_path(self._folder, sha256, media_type)
        return path in self._written or self._whole(path, len(data))

    def _whole(self, path: Path, length: int) -> bool:
        try:
            whole = path.stat().st_size == length
        except FileNotFoundError:
            return False
        if whole:
            os.utime(path)  # young again, so that no sweep takes it before its row is committed
        return whole


def _write_beside(path: Path, data: bytes, *, sync: bool) -> Path:
    """Writes the bytes to a file beside `path`, and returns its path."""
    descriptor, name = tempfile.mkstemp(prefix=UNFINISHED, dir=path.parent)
    beside = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            if sync:
                os.fsync(file.fileno())
        beside.chmod(0o644)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    return beside
