"""What all writers share: counting what a format cannot hold, and files that appear whole."""

from __future__ import annotations

import json
import shutil
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.formats.input_files import StillPaths, file_bytes, is_file_name
from episodes.media import pictures
from episodes.screens import Still
from episodes.steps import Step

CHECK_LIBRARY = "Run `taptrail episodes check` on the library."
SAME_NAME = "an episode whose name another one has"
SUFFIXES = {"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp"}


@dataclass(frozen=True, slots=True)
class Loss:
    """Something a format has no place for.

    Attributes:
        what: in words, the same for each loss of its kind.
        first: where it was met first; steps by their index, as in the data.
        number: place of that step in its episode, from 1, as a window counts; None for no step.
    """

    what: str
    first: str
    count: int
    number: int | None = field(default=None, compare=False)


@dataclass(slots=True)
class WriteReport:
    """What a writer has put into its folder, and what it had to leave out.

    Attributes:
        names: what episodes are called there, by their uuids, where it is something else.
    """

    episodes: int = 0
    steps: int = 0
    pictures: int = 0
    names: dict[str, str] = field(default_factory=dict)
    _counts: Counter[str] = field(default_factory=Counter)
    _first: dict[str, tuple[str, int | None]] = field(default_factory=dict)
    _at: tuple[str, int] = ("", 0)

    def start_step(self, where: str, number: int) -> None:
        """Notes the step that is written now, by its place in the episode from 1."""
        self._at = (where, number)

    def count_loss(self, what: str, where: str) -> None:
        """Counts one thing that the format cannot hold."""
        self._counts[what] += 1
        self._first.setdefault(what, (where, self._at[1] if where == self._at[0] else None))

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What was left out, the most frequent first."""
        return tuple(
            Loss(what, self._first[what][0], n, self._first[what][1])
            for what, n in self._counts.most_common()
        )


class UnsupportedAction(Exception):
    """A data set has no form for an action; the message names the action."""


class EpisodeWriter(ABC):
    """Writes one data set, episode by episode, and counts what it could not take.

    Args:
        doing: what is done, for error messages.

    Attributes:
        made: the files written so far. A writer that lists them needs no `abandon` of its own.
    """

    def __init__(self, folder: Path, stills: StillPaths, doing: str) -> None:
        self.written = WriteReport()
        self.made: list[Path] = []
        self._folder = folder
        self._stills = stills
        self._doing = doing
        self._names = EpisodeNames(self.written)

    @abstractmethod
    def episode(self, episode: Episode) -> None:
        """Writes an episode."""

    def close(self) -> None:  # noqa: B027 - a writer whose files are complete has nothing to do
        """Writes the ends of the files and closes them."""

    def abandon(self) -> None:
        """Deletes what was written."""
        for path in self.made:
            path.unlink(missing_ok=True)
        for folder in sorted({p for f in self.made for p in f.parents}, reverse=True):
            inside = folder != self._folder and folder.is_relative_to(self._folder)
            if inside and folder.is_dir():
                folder.rmdir()


def write_all(writer: EpisodeWriter, episodes: Iterable[Episode]) -> WriteReport:
    """Writes the episodes and returns the counts; after an error, no file is left."""
    try:
        for episode in episodes:
            writer.episode(episode)
        writer.close()
    except BaseException:
        writer.abandon()
        raise
    return writer.written


def may_export(episode: Episode, written: WriteReport) -> bool:
    """Returns whether an episode is not private; counts it where it is."""
    if episode.private:
        written.count_loss("a private episode", episode.name)
    return not episode.private


class EpisodeNames:
    """The names of the episodes written: each is written once, and none that is private."""

    def __init__(self, written: WriteReport) -> None:
        self._written = written
        self._there: set[str] = set()

    def may_write(self, episode: Episode) -> bool:
        """Returns whether an episode is neither private nor a duplicate name; else counts it."""
        if not may_export(episode, self._written):
            return False
        if episode.name in self._there:
            self._written.count_loss(SAME_NAME, episode.name)
            return False
        return True

    def add(self, name: str) -> None:
        """Keeps the name of an episode that is written."""
        self._there.add(name)


def steps_to_write(episode: Episode, written: WriteReport) -> Iterator[tuple[str, Step]]:
    """Yields (where, step) of the steps that are not private, and counts the private ones."""
    for number, step in enumerate(episode.steps, start=1):
        where = f"{episode.name} step {step.index}"
        written.start_step(where, number)
        if step.private:
            written.count_loss("a private step", where)
        else:
            yield where, step


class SplitFiles:
    """The splits of the episodes written: JSON objects of lists of ids, a file for each split."""

    def __init__(self, folder: Path, doing: str) -> None:
        self._folder = folder
        self._doing = doing
        self._splits: dict[str, dict[str, list[str | int]]] = {}
        self._made: list[Path] = []

    def add(self, episode: Episode, name: str | int) -> None:
        """Notes the splits of an episode, which goes by that name there."""
        for split, part in episode.splits:
            self._splits.setdefault(split, {}).setdefault(part, []).append(name)

    def write(self, written: WriteReport, path_of: dict[str, str] | None = None) -> None:
        """Writes `splits/<split>.json`, or what `path_of` says of all splits there are."""
        for split, parts in self._splits.items():
            if not is_file_name(f"{split}_splits.json"):
                written.count_loss("a split whose name cannot be a file's name", split)
                continue
            path = self._folder / (path_of[split] if path_of else f"splits/{split}.json")
            self._made.append(path)
            data = json.dumps(parts, ensure_ascii=False).encode(errors="replace")
            write_whole(path, data, self._doing)

    def names(self) -> tuple[str, ...]:
        """Returns the names of the splits."""
        return tuple(self._splits)

    def remove(self) -> None:
        """Takes the files away again."""
        for path in self._made:
            path.unlink(missing_ok=True)


@contextmanager
def new_folder(folder: Path, parts: Collection[str], doing: str) -> Iterator[None]:
    """Makes the folder to write to; where the block ends early, nothing of it is left.

    Args:
        parts: names the block may make in it; the block may add to them.

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
        raise KnownError(doing, f"{source}: {error.strerror or error}", CHECK_LIBRARY) from error
    write_whole(target, data, doing)


def still_bytes(still: Still, stills: StillPaths, doing: str) -> bytes:
    """Returns the bytes of a still's file.

    Raises:
        KnownError: the library lacks it.
    """
    try:
        return file_bytes(stills.path(still.sha256, still.media_type), doing)
    except KnownError as error:
        raise KnownError(doing, error.found, CHECK_LIBRARY) from error


def still_pixels(still: Still, stills: StillPaths, doing: str) -> pictures.Pixels:
    """Returns a still's pixels, (height, width, 3), red first.

    Raises:
        KnownError: the library lacks it, or it is not a picture.
    """
    try:
        return pictures.decode(still_bytes(still, stills, doing))
    except KnownError as error:
        raise KnownError(doing, error.found, CHECK_LIBRARY) from error
