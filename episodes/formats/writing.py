"""What all writers share: counting what a format cannot hold, and files that appear whole."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from episodes.errors import KnownError
from episodes.formats.reading import StillPaths
from episodes.screens import Still

SUFFIXES = {"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp"}


@dataclass(frozen=True, slots=True)
class Loss:
    """Something a format has no place for.

    Attributes:
        what: in words, the same for each loss of its kind.
        first: where it was met first.
    """

    what: str
    first: str
    count: int


@dataclass(slots=True)
class Written:
    """What a writer has put into its folder, and what it had to leave out."""

    episodes: int = 0
    steps: int = 0
    pictures: int = 0
    _counts: Counter[str] = field(default_factory=Counter)
    _first: dict[str, str] = field(default_factory=dict)

    def lose(self, what: str, where: str) -> None:
        """Counts one thing that the format cannot hold."""
        self._counts[what] += 1
        self._first.setdefault(what, where)

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What was left out, the most frequent first."""
        return tuple(Loss(what, self._first[what], n) for what, n in self._counts.most_common())


@contextmanager
def new_folder(folder: Path, parts: tuple[str, ...], doing: str) -> Iterator[None]:
    """Makes the folder to write to; where the block ends early, nothing of it is left.

    Args:
        parts: names the block may make in it.

    Raises:
        KnownError: there is something in it already, or it cannot be made.
    """
    try:
        was_there = folder.is_dir()
        folder.mkdir(parents=True, exist_ok=True)
        taken = next(folder.iterdir(), None)
    except OSError as error:
        raise KnownError(
            doing, f"{folder}: {error.strerror or error}", "Choose another folder."
        ) from error
    if taken is not None:
        raise KnownError(
            doing, f"{folder} is not empty ({taken.name})", "Choose a new or an empty folder."
        )
    try:
        yield
    except BaseException:
        for part in parts:
            with suppress(OSError):
                _remove(folder / part)
        if not was_there:
            with suppress(OSError):
                folder.rmdir()
        raise


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


def write_whole(path: Path, data: bytes, doing: str) -> None:
    """Writes a file so that it is there whole or not at all.

    Raises:
        KnownError: the disk is full or the folder may not be written.
    """
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise KnownError(
            doing, f"{path}: {error.strerror or error}", "Make room or choose another folder."
        ) from error


def copy_still(still: Still, stills: StillPaths, target: Path, doing: str) -> None:
    """Copies a still's file.

    Raises:
        KnownError: the library lacks it, or it cannot be written.
    """
    source = stills.path(still.sha256, still.media_type)
    try:
        data = source.read_bytes()
    except OSError as error:
        raise KnownError(
            doing,
            f"{source}: {error.strerror or error}",
            "Run `taptrail episodes check` on the library.",
        ) from error
    write_whole(target, data, doing)
