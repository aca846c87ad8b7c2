"""Writes a library's episodes as files of a format, and says what the format could not hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.formats.writing import Loss
from episodes.store.library import EVERYTHING, Library
from episodes.store.queries import EpisodeQuery
from taptrail.usecases.importing import OnProgress, known_format


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export wrote, and what had to be left out."""

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
    on_progress: OnProgress | None = None,
) -> Exported:
    """Writes episodes into a new folder.

    Args:
        version: of the format; "" for the newest.
        names: names or uuids of single episodes; none for all that `query` finds.

    Raises:
        KnownError: no such format, version or episode; the folder is not empty; the disk is full.
    """
    chosen = known_format(format_name, f"export to {folder}")
    wanted = version or chosen.versions[0]
    if wanted not in chosen.versions:
        raise KnownError(
            f"export to {folder}",
            f"{format_name} has no version “{version}”",
            f"Use one of: {', '.join(chosen.versions)}.",
        )
    with Library.read(library_folder) as library:
        found = map(library.episode, names) if names else library.iterate(query)
        total = len(names) or library.count(query)
        if total == 0:
            raise KnownError(
                f"export to {folder}",
                f"there is no such episode in {library_folder}",
                "See which there are: taptrail episodes list.",
            )
        written = chosen.write(_counted(found, total, on_progress), folder, library.stills, wanted)
    return Exported(
        format_name,
        wanted,
        folder,
        written.episodes,
        written.steps,
        written.pictures,
        written.losses,
    )


def _counted(
    episodes: Iterator[Episode], total: int, on_progress: OnProgress | None
) -> Iterator[Episode]:
    for done, episode in enumerate(episodes, start=1):
        yield episode
        if on_progress is not None:
            on_progress(done, total)
