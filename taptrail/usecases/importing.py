"""Imports a data set's files into a library, and reports what was and was not imported."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from episodes.annotations import Author, Region
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.formats import FORMATS, Format
from episodes.formats.input_files import ImportNote, MissingPicture, Refused
from episodes.formats.picture_store import LibraryPictureStore
from episodes.geometry import Box, Size
from episodes.store.library import Library
from episodes.task_verdicts import TaskVerdict
from replay.chat import format as chat
from replay.dialects import DIALECTS
from taptrail.usecases.split_exports import take_splits

OnProgress = Callable[[int, int | None], None]

MAX_LISTED = 2_000
ALL_FORMATS = {**FORMATS, chat.FORMAT.name: chat.FORMAT}
"""The formats of `episodes`, and chat rows, whose answers are written in a dialect."""
OF_A_FILE = Author("taptrail:file", "an imported file", "program")


@dataclass(frozen=True, slots=True)
class ImportRemark:
    """Something that was not imported, or was changed by the import.

    Attributes:
        count: how often it occurs at this place.
    """

    where: str
    reason: str
    count: int


@dataclass(frozen=True, slots=True)
class ImportResult:
    """Counts of an import.

    Attributes:
        episodes, steps: now in the library, including those that were there before.
        screens: steps with a picture.
        missing_screens: steps whose picture is missing or unusable.
        unchanged, replaced: episodes that were there before.
        splits: names of splits imported with their rule and templates.
    """

    format: str
    episodes: int
    steps: int
    screens: int
    missing_screens: int
    unchanged: int
    replaced: int
    refused: tuple[ImportRemark, ...]
    notes: tuple[ImportRemark, ...]
    splits: tuple[str, ...] = ()


def known_format(name: str, doing: str) -> Format:
    """Returns the format of that name.

    Raises:
        KnownError: there is none.
    """
    if name not in ALL_FORMATS:
        raise KnownError(
            doing, f"there is no format “{name}”", f"Use one of: {', '.join(ALL_FORMATS)}."
        )
    return ALL_FORMATS[name]


def import_episodes(
    format_name: str,
    path: Path,
    library_folder: Path,
    *,
    version: str = "",
    replace: bool = False,
    on_progress: OnProgress | None = None,
) -> ImportResult:
    """Imports the episodes at `path`, or candidate regions for steps in the library.

    An exception from `on_progress` ends the import; saved episodes stay.

    Args:
        version: of the data set; "" to read it from the files.
        replace: whether to replace existing episodes whose content differs.

    Raises:
        KnownError: there is no such format or version, nothing is at `path`, or the library cannot
        be written.
    """
    chosen = known_format(format_name, f"import {path}")
    known = chosen.versions if chosen is not chat.FORMAT else tuple(DIALECTS)
    if version and version not in known:
        raise KnownError(
            f"import {path}",
            f"{format_name} has no version “{version}”",
            f"Use one of: {', '.join(known)}.",
        )
    if chosen.read is None:
        return _import_regions(chosen, path, library_folder, on_progress)
    total = chosen.count(path)
    with Library.open(library_folder) as library:
        tally = _Tally(chosen)
        picture_store = LibraryPictureStore(library.stills, many=True)
        report = library.save_episodes(
            tally.episodes(chosen.read(path, picture_store, version)), on_progress, total, replace
        )
        splits, remarks = take_splits(library, path, tally.came)
        for where, reason in report.refused:
            tally.take_back(where, reason)
        for uuid, verdict in tally.verdicts.values():
            library.keep_task_verdict(uuid, verdict)
    for told in remarks:
        where_to = tally.refused if isinstance(told, Refused) else tally.notes
        where_to.add(told.where, told.reason, told.count)
    return ImportResult(
        format=format_name,
        episodes=report.saved + report.unchanged + report.replaced,
        steps=tally.steps,
        screens=tally.screens,
        missing_screens=tally.missing,
        unchanged=report.unchanged,
        replaced=report.replaced,
        refused=tally.refused.listed(),
        notes=tally.notes.listed(),
        splits=splits,
    )


def _import_regions(
    chosen: Format, path: Path, library_folder: Path, on_progress: OnProgress | None
) -> ImportResult:
    """Adds regions to steps in the library; existing regions stay unchanged."""
    if chosen.regions is None:
        raise KnownError(
            f"import {path}",
            f"files of the format {chosen.name} are made for others to read",
            "Import the data set they were made of.",
        )
    refused, notes = _Remarks(), _Remarks()
    episodes: set[str] = set()
    episode: Episode | None = None
    steps = screens = unchanged = 0
    with Library.open(library_folder, create=False) as library:
        editor = library.editor(OF_A_FILE)
        for done, found in enumerate(chosen.regions(path), start=1):
            if isinstance(found, Refused | ImportNote):
                remarks = refused if isinstance(found, Refused) else notes
                remarks.add(found.where, found.reason, found.count)
                continue
            wanted = found.uuid or found.episode
            try:
                if episode is None or wanted not in (episode.uuid, episode.name):
                    episode = library.episode(wanted)
            except KnownError as error:
                refused.add(found.where, error.found, len(found.regions))
                continue
            step = next((one for one in episode.steps if one.index == found.step), None)
            if step is None or step.frame is None:
                lacks = "has no such step" if step is None else "has no screen at that step"
                refused.add(found.where, f"episode {episode.name} {lacks}", len(found.regions))
                continue
            regions = tuple(_on_frame(r, found.size, step.frame.size) for r in found.regions)
            lost = sum(r.mask is None for r in regions) - sum(r.mask is None for r in found.regions)
            if lost:
                notes.add(found.where, "its picture has another size; boxes alone are read", lost)
            unchanged += editor.propose_regions(episode.uuid, step.index, regions) is None
            episodes.add(episode.uuid)
            steps += 1
            screens += step.frame.still is not None
            if on_progress is not None:
                on_progress(done, None)
    return ImportResult(
        format=chosen.name,
        episodes=len(episodes),
        steps=steps,
        screens=screens,
        missing_screens=steps - screens,
        unchanged=unchanged,
        replaced=0,
        refused=refused.listed(),
        notes=notes.listed(),
    )


def _on_frame(region: Region, picture: Size, frame: Size) -> Region:
    """Returns a region scaled from a picture's pixels to the frame's."""
    if picture == frame or region.box is None:
        return region
    across, down = frame.width / picture.width, frame.height / picture.height
    box = region.box
    moved = Box(box.left * across, box.top * down, box.right * across, box.bottom * down)
    return dataclasses.replace(region, box=moved, mask=None)


class _Remarks:
    """Collects remarks in order; beyond `MAX_LISTED` places, combines those with one reason."""

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

    def listed(self) -> tuple[ImportRemark, ...]:
        return (
            *(ImportRemark(where, reason, n) for (where, reason), n in self._counts.items()),
            *(
                ImportRemark(f"{where} and after it", reason, n)
                for reason, (where, n) in self._more.items()
            ),
        )


class _Tally:
    """Counts what a reader yields on its way into the library.

    Attributes:
        verdicts: what files say of attempts, with the uuid of the episode, by its place.
    """

    def __init__(self, chosen: Format) -> None:
        self.verdicts: dict[str, tuple[str, TaskVerdict]] = {}
        self._verdict = chosen.verdict
        self.steps = self.screens = self.missing = 0
        self.refused, self.notes = _Remarks(), _Remarks()
        self.came: set[tuple[str, str]] = set()
        self._of: dict[str, tuple[int, int, int]] = {}

    def episodes(self, found: Iterator[Episode | Refused | ImportNote]) -> Iterator[Episode]:
        missing = 0
        for item in found:
            if isinstance(item, MissingPicture):
                missing += item.count
            if isinstance(item, Refused):
                self.refused.add(item.where, item.reason, item.count)
            elif isinstance(item, ImportNote):
                self.notes.add(item.where, item.reason, item.count)
            else:
                self._count(item, missing)
                missing = 0
                yield item

    def take_back(self, where: str, reason: str) -> None:
        """Removes an episode that the library refused from the counts."""
        self.refused.add(where, reason, 1)
        self.verdicts.pop(where, None)
        steps, screens, missing = self._of.get(where, (0, 0, 0))
        self.steps -= steps
        self.screens -= screens
        self.missing -= missing

    def _count(self, episode: Episode, missing: int) -> None:
        screens = sum(
            1 for step in episode.steps if step.frame is not None and step.frame.still is not None
        )
        origin = episode.origin
        self.came.add((origin.dataset, origin.version))
        where = " ".join(part for part in (origin.dataset, origin.version, episode.name) if part)
        self._of[where] = (len(episode.steps), screens, missing)
        verdict = self._verdict(episode) if self._verdict is not None else None
        if verdict is not None:
            self.verdicts[where] = (episode.uuid, verdict)
        self.steps += len(episode.steps)
        self.screens += screens
        self.missing += missing
