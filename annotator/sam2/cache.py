"""Cache of embeddings on disk: bounded, least recently used removed first, damaged files ignored.

An embedding costs seconds and 8 MB in half precision. One is filed under all it depends on: the
picture, the part of it that was shown, the checkpoint, the model's input size and the version of
our session. It knows nothing of torch. For one thread.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from episodes.geometry import Box

Maps = tuple[npt.NDArray[np.floating[Any]], ...]

SESSION_VERSION = 1
"""Grows when the same picture and weights would give other features."""
LIMIT = 1 << 30
"""Size in bytes: about 120 screens."""
MAX_VALUES = 1 << 26
"""No embedding has more numbers than this."""


def embedding_key(frame: str, view: Box, checkpoint: str, side: int) -> str:
    """Returns what an embedding is filed under, 64 hexadecimal digits.

    Args:
        frame, checkpoint: sha256 of the files.
        side: of the model's input, in pixels.
    """
    edges = [round(edge) for edge in (view.left, view.top, view.right, view.bottom)]
    told = json.dumps([frame, edges, checkpoint, side, SESSION_VERSION])
    return hashlib.sha256(told.encode()).hexdigest()


def to_half_precision(maps: Maps) -> Maps:
    """Returns the embedding in half precision; as it is where a number is too large for that.

    What is kept is halved before it is first used, so an answer does not depend on whether the
    embedding was there already.
    """
    with np.errstate(over="ignore"):
        half = tuple(one.astype(np.float16) for one in maps)
    return half if all(np.isfinite(one).all() for one in half) else maps


class EmbeddingCache:
    """A folder of embeddings.

    Attributes:
        damaged: how many files were found damaged, and removed.
    """

    def __init__(self, folder: Path, limit: int = LIMIT) -> None:
        self._folder = folder
        self._limit = limit
        self.damaged = 0

    def get(self, name: str) -> Maps | None:
        """Returns an embedding; None if there is none, or a damaged one, which is removed."""
        path = self._path(name)
        try:
            with path.open("rb") as stream:
                maps = _read(stream)
            os.utime(path)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            self.damaged += 1
            path.unlink(missing_ok=True)
            return None
        return maps

    def put(self, name: str, maps: Maps) -> bool:
        """Keeps an embedding and makes room for it; False if the disk did not take it.

        One in full precision is not kept: it has numbers that half precision has not.
        """
        if any(one.dtype != np.float16 for one in maps):
            return False
        path = self._path(name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(
                dir=path.parent, suffix=".part", delete=False
            ) as stream:
                np.savez(stream, *maps)
            Path(stream.name).replace(path)
        except OSError:
            if "stream" in locals():
                Path(stream.name).unlink(missing_ok=True)
            return False
        self._make_room()
        return True

    def size(self) -> int:
        """Returns how many bytes the embeddings take."""
        return sum(size for _, size, _ in self._files())

    def _make_room(self) -> None:
        files = sorted(self._files())
        total = sum(size for _, size, _ in files)
        for _, size, path in files[:-1]:  # the newest stays, however small the limit
            if total <= self._limit:
                return
            path.unlink(missing_ok=True)
            total -= size

    def _files(self) -> list[tuple[int, int, Path]]:
        """Last use in ns, bytes, path."""
        found = []
        for path in self._folder.glob("??/*"):
            try:
                state = path.stat()
            except FileNotFoundError:  # another process made room
                continue
            found.append((state.st_mtime_ns, state.st_size, path))
        return found

    def _path(self, name: str) -> Path:
        return self._folder / name[:2] / f"{name}.npz"


def _read(stream: Any) -> Maps:
    """Three maps of half precision, all finite, or ValueError."""
    with np.load(stream, allow_pickle=False) as held:
        if sorted(held.files) != ["arr_0", "arr_1", "arr_2"]:
            raise ValueError("an embedding has three maps")
        maps = tuple(held[f"arr_{at}"] for at in range(3))
    for one in maps:
        if one.dtype != np.float16 or one.ndim != 4 or one.size > MAX_VALUES:
            raise ValueError("a map has one picture, channels, rows and columns")
        if not np.isfinite(one).all():
            raise ValueError("a map has numbers that are none")
    return maps
