"""Pictures as files named by their content. No SQL: any thread may write them."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

from episodes.disk import make_folder, sync_folder
from episodes.store.faults import told
from episodes.store.places import FRAMES, SUFFIXES, checked_media_type, still_path

UNFINISHED = ".unfinished-"


class StillFiles:
    """The `frames` folder of a library."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def write(self, data: bytes, media_type: str, sync: bool = True) -> str:
        """Keeps a picture's bytes and returns their sha256. The same bytes are kept once.

        The file is on the disk, whole, when this returns: written beside, synced, renamed.
        Importers may go without `sync`: after a loss of power they can import again.

        Raises:
            KnownError: the disk is full or may not be written; nothing half is left.
        """
        with told(f"save a picture in {self._folder}"):
            checked_media_type(media_type)
            sha256 = hashlib.sha256(data).hexdigest()
            path = still_path(self._folder, sha256, media_type)
            if not self._whole(path, len(data)):
                make_folder(path.parent)
                _write_whole(path, data, sync)
            return sha256

    def path(self, sha256: str, media_type: str) -> Path:
        """Returns where a picture lies, whether or not it is there.

        Raises:
            NotStorable: `sha256` or `media_type` is no such thing.
        """
        return still_path(self._folder, sha256, media_type)

    def read(self, sha256: str, media_type: str) -> bytes:
        """Returns a picture's bytes.

        Raises:
            KnownError: it is missing or cannot be read.
        """
        with told(f"read the picture {sha256[:12]}"):
            return self.path(sha256, media_type).read_bytes()

    def unlisted(self, listed: set[str], before: float) -> list[Path]:
        """Returns the pictures that no row names, and unfinished ones, in order.

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

    def _whole(self, path: Path, length: int) -> bool:
        try:
            whole = path.stat().st_size == length
        except FileNotFoundError:
            return False
        if whole:
            os.utime(path)  # young again, so that no sweep takes it before its row is committed
        return whole


def _write_whole(path: Path, data: bytes, sync: bool) -> None:
    descriptor, beside = tempfile.mkstemp(prefix=UNFINISHED, dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            if sync:
                os.fsync(file.fileno())
        Path(beside).chmod(0o644)
        Path(beside).rename(path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise
    if sync:
        sync_folder(path.parent)
