"""Writes a library's episodes as files of a format, and reports what the format cannot hold."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.formats import FORMATS
from episodes.formats.output_files import Loss
from episodes.store.library import EVERYTHING, Library
from episodes.store.queries import EpisodeQuery
from replay.chat import format as chat
from replay.chat.rows import ChatForm
from taptrail.usecases.importing import OnProgress, known_format
from taptrail.usecases.split_exports import ExportedMembers
from taptrail.usecases.step_sets import check_part


@dataclass(frozen=True, slots=True)
class ExportResult:
    """Counts of an export, with the information that was left out."""

    format: str
    version: str
    folder: Path
    episodes: int
    steps: int
    pictures: int
    losses: tuple[Loss, ...]


def export_episodes(
    format_name: str,
    folder: Path,
    library_folder: Path,
    *,
    version: str = "",
    names: tuple[str, ...] = (),
    query: EpisodeQuery = EVERYTHING,
    form: ChatForm | None = None,
    on_progress: OnProgress | None = None,
) -> ExportResult:
    """Writes episodes into a new folder, with a file about their splits.

    Args:
        version: of the format; "" for the newest. For chat rows, the answers' dialect.
        form: how chat rows are written; its dialect is the version.
        names: names or uuids of episodes; () for all that `query` finds.

    Raises:
        KnownError: there is no such format, version, split, part or episode; the folder is not
            empty; the disk is full.
    """
    chosen = known_format(format_name, f"export to {folder}")
    wanted = version or chosen.versions[0]
    if wanted not in chosen.versions:
        raise KnownError(
            f"export to {folder}",
            f"{format_name} has no version “{version}”",
            f"Use one of: {', '.join(chosen.versions)}.",
        )
    write = chosen.write
    if write is None:
        raise KnownError(
            f"export to {folder}",
            f"files of {chosen.title} are written by its own code",
            "Export another format.",
        )
    if form is not None:
        if chosen is not chat.FORMAT:
            raise KnownError(
                f"export to {folder}",
                f"{format_name} has no chat rows",
                "Leave the form of rows out.",
            )
        write = chat.writing(dataclasses.replace(form, dialect=wanted))
    with Library.read(library_folder) as library:
        if query.split is not None:
            check_part(library, query.split, f"export to {folder}", query.dataset, query.version)
        asked = dict.fromkeys(names)
        found = _once(map(library.episode, asked)) if asked else library.iterate(query)
        total = len(asked) or library.count(query)
        if total == 0:
            raise KnownError(
                f"export to {folder}",
                f"there is no such episode in {library_folder}",
                "See which there are: taptrail episodes list.",
            )
        leaving = ExportedMembers()
        counted = _counted(leaving.noted(found), total, on_progress)
        written = write(counted, folder, library.stills, wanted)
        try:
            beside = leaving.write(library, format_name, folder, written.names)
        except BaseException:
            for made in folder.iterdir():  # the folder was new or empty before
                shutil.rmtree(made) if made.is_dir() else made.unlink()
            raise
    return ExportResult(
        format_name,
        wanted,
        folder,
        written.episodes,
        written.steps,
        written.pictures,
        (*written.losses, *beside),
    )


def export_into(
    format_name: str,
    parent: Path,
    library_folder: Path,
    *,
    version: str = "",
    uuids: tuple[str, ...] = (),
    query: EpisodeQuery = EVERYTHING,
    on_progress: OnProgress | None = None,
) -> ExportResult:
    """Writes episodes into a new folder inside `parent`; removes it if the export fails.

    Raises:
        KnownError: as `export_episodes`. An exception from `on_progress` also ends the export.
    """
    folder = _free(parent, f"{library_folder.name}-{format_name}-{version or 'newest'}")
    try:
        return export_episodes(
            format_name,
            folder,
            library_folder,
            version=version,
            names=uuids,
            query=query,
            on_progress=on_progress,
        )
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def ways_out() -> tuple[tuple[str, str, str], ...]:
    """Returns (name, title, version) of each format that can be written."""
    return tuple(
        (name, found.title, version)
        for name, found in FORMATS.items()
        if found.write is not None
        for version in found.versions
    )


def _free(parent: Path, name: str) -> Path:
    """Returns an unused path in the folder."""
    found, number = parent / name, 1
    while found.exists():
        number += 1
        found = parent / f"{name}-{number}"
    return found


def _once(episodes: Iterator[Episode]) -> Iterator[Episode]:
    """Yields each episode once: it may be named by its name and by its uuid."""
    seen: set[str] = set()
    for episode in episodes:
        if episode.uuid not in seen:
            seen.add(episode.uuid)
            yield episode


def _counted(
    episodes: Iterator[Episode], total: int, on_progress: OnProgress | None
) -> Iterator[Episode]:
    for done, episode in enumerate(episodes, start=1):
        yield episode
        if on_progress is not None:
            on_progress(done, total)
