"""Brings a data set's files into a library, and says what came in and what did not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.formats import FORMATS, Format
from episodes.formats.reading import Missing, Note, Refused
from episodes.formats.shelf import LibraryShelf
from episodes.store.library import Library

OnProgress = Callable[[int, int | None], None]

MAX_LISTED = 2_000


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing that did not come in, or not as one would expect.

    Attributes:
        count: how many such things there are at this place.
    """

    where: str
    reason: str
    count: int


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import brought.

    Attributes:
        episodes, steps: that are in the library now, also those that were there already.
        screens: steps with their picture.
        missing_screens: steps whose picture is not there or cannot be used.
        unchanged, replaced: how many of the episodes were there before.
    """

    format: str
    episodes: int
    steps: int
    screens: int
    missing_screens: int
    unchanged: int
    replaced: int
    refused: tuple[Remark, ...]
    notes: tuple[Remark, ...]


def known_format(name: str, doing: str) -> Format:
    """Returns the format of that name.

    Raises:
        KnownError: there is none.
    """
    if name not in FORMATS:
        raise KnownError(
            doing, f"there is no format “{name}”", f"Use one of: {', '.join(FORMATS)}."
        )
    return FORMATS[name]


def import_episodes(
    format_name: str,
    path: Path,
    library_folder: Path,
    *,
    version: str = "",
    replace: bool = False,
    on_progress: OnProgress | None = None,
) -> Imported:
    """Imports the episodes at `path`; what `on_progress` raises ends it, and what is saved stays.

    Args:
        version: of the data set; "" lets the files tell.
        replace: whether an episode with other content takes the place of the one that is there.

    Raises:
        KnownError: no such format or version, nothing at `path`, or the library refuses.
    """
    chosen = known_format(format_name, f"import {path}")
    if version and version not in chosen.versions:
        raise KnownError(
            f"import {path}",
            f"{format_name} has no version “{version}”",
            f"Use one of: {', '.join(chosen.versions)}.",
        )
    total = chosen.count(path)
    with Library.open(library_folder) as library:
        tally = _Tally()
        shelf = LibraryShelf(library.stills)
        report = library.save_episodes(
            tally.episodes(chosen.read(path, shelf, version)), on_progress, total, replace
        )
    for where, reason in report.refused:
        tally.take_back(where, reason)
    return Imported(
        format=format_name,
        episodes=report.saved + report.unchanged + report.replaced,
        steps=tally.steps,
        screens=tally.screens,
        missing_screens=tally.missing,
        unchanged=report.unchanged,
        replaced=report.replaced,
        refused=tally.refused.listed(),
        notes=tally.notes.listed(),
    )


class _Remarks:
    """Remarks in order; beyond `MAX_LISTED` places, those of one reason are put together."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], int] = {}
        self._more: dict[str, tuple[str, int]] = {}

    def add(self, where: str, reason: str, count: int) -> None:
        key = (where, reason)
        if key in self._counts or len(self._counts) < MAX_LISTED:
            self._counts[key] = self._counts.get(key, 0) + count
            return
        first, so_far = self._more.get(reason, (where, 0))
        self._more[reason] = (first, so_far + count)

    def listed(self) -> tuple[Remark, ...]:
        return (
            *(Remark(where, reason, n) for (where, reason), n in self._counts.items()),
            *(
                Remark(f"{where} and after it", reason, n)
                for reason, (where, n) in self._more.items()
            ),
        )


class _Tally:
    """Counts what a reader yields on its way into the library."""

    def __init__(self) -> None:
        self.steps = self.screens = self.missing = 0
        self.refused, self.notes = _Remarks(), _Remarks()
        self._of: dict[str, tuple[int, int, int]] = {}

    def episodes(self, found: Iterator[Episode | Refused | Note]) -> Iterator[Episode]:
        missing = 0
        for item in found:
            if isinstance(item, Missing):
                missing += item.count
            if isinstance(item, Refused):
                self.refused.add(item.where, item.reason, item.count)
            elif isinstance(item, Note):
                self.notes.add(item.where, item.reason, item.count)
            else:
                self._count(item, missing)
                missing = 0
                yield item

    def take_back(self, where: str, reason: str) -> None:
        """An episode the library did not take."""
        self.refused.add(where, reason, 1)
        steps, screens, missing = self._of.get(where, (0, 0, 0))
        self.steps -= steps
        self.screens -= screens
        self.missing -= missing

    def _count(self, episode: Episode, missing: int) -> None:
        screens = sum(
            1 for step in episode.steps if step.frame is not None and step.frame.still is not None
        )
        origin = episode.origin
        where = " ".join(part for part in (origin.dataset, origin.version, episode.name) if part)
        self._of[where] = (len(episode.steps), screens, missing)
        self.steps += len(episode.steps)
        self.screens += screens
        self.missing += missing
