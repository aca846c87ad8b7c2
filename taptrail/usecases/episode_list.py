"""Lists, shows, deletes and restores the episodes of a library; creates and checks its folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.formats import FORMATS
from episodes.screens import Still
from episodes.store.library import EVERYTHING, Library
from episodes.store.queries import EpisodeQuery, EpisodeSummary, Order
from episodes.store.recovery import Recovery
from episodes.store.stills import StillFiles
from scoring.protocols import lookup
from taptrail.usecases.importing import OnProgress
from taptrail.usecases.scoring import score_run


@dataclass(frozen=True, slots=True)
class EpisodeMatches:
    """Number of episodes that a query matches, and the row numbers of some of them.

    Attributes:
        found: number of matching episodes; `of` is the number of all episodes not in the bin.
        rows: row number of each requested episode that matches, by uuid.
    """

    found: int
    of: int
    rows: Mapping[str, int]


def look_up(
    library: Library,
    query: EpisodeQuery,
    order: Order = Order.ADDED,
    *,
    descending: bool = True,
    uuids: Sequence[str] = (),
) -> EpisodeMatches:
    """Returns the number of matching episodes, and the row numbers of the given ones."""
    rows = library.rows_of(query, order, descending, uuids) if uuids else {}
    return EpisodeMatches(library.count(query), library.count(), rows)


def has_episodes(folder: Path) -> bool:
    """Returns whether the folder is a readable library with at least one episode."""
    try:
        library = Library.read(folder)
    except KnownError:
        return False  # missing, or unreadable: opening it reports why
    with library:
        return library.count() > 0


def check_folder(folder: Path) -> None:
    """Checks that a folder is a library, or is empty and can become one.

    Raises:
        KnownError: it is neither, or the library cannot be read.
    """
    if folder.is_dir() and any(folder.iterdir()):
        Library.read(folder).close()


def page(
    library: Library,
    query: EpisodeQuery,
    order: Order,
    *,
    descending: bool,
    start: int,
    count: int,
) -> list[EpisodeSummary]:
    """Returns `count` rows of the list from row `start` on; fewer at its end."""
    return library.episodes(query, order, count, start, descending)


def uuids_of(
    library: Library,
    query: EpisodeQuery,
    order: Order,
    *,
    descending: bool,
    ranges: list[tuple[int, int]],
) -> tuple[str, ...]:
    """Returns the uuids of ranges of rows, given as (first, count)."""
    return tuple(
        row.uuid
        for start, count in ranges
        for row in page(library, query, order, descending=descending, start=start, count=count)
    )


def keep_verdicts(
    library_folder: Path, run: str, protocol: str, on_progress: OnProgress | None = None
) -> int:
    """Stores a run's verdicts for queries, scoring the run if they are missing or outdated.

    Returns the number of stored verdicts; 0 if the stored ones are up to date.

    Raises:
        KnownError: there is no such run or protocol, or the library cannot be written.
    """
    rules = lookup(protocol)
    with Library.read(library_folder) as library:
        revision = library.gold_revision()
        if library.verdicts(run, rules.name, rules.version, revision) is not None:
            return 0
    result = score_run(run, rules.key, library_folder, on_progress=on_progress)
    kept = {(one.episode, one.step): one.verdict for one in result.steps if not one.doubled}
    with Library.open(library_folder, create=False) as library:
        library.keep_verdicts(run, rules.name, rules.version, revision, kept)
    return len(kept)


def whole_episode(library: Library, uuid: str) -> Episode:
    """Returns an episode with its steps."""
    return library.episode(uuid)


def still_path(folder: Path, still: Still) -> Path:
    """Returns the path of a picture in a library."""
    return StillFiles(folder).path(still.sha256, still.media_type)


def make_ready(folder: Path) -> Recovery:
    """Creates the library if it is missing; returns what was recovered of interrupted recordings.

    Raises:
        KnownError: it is no library, another process writes to it, or the disk is full.
    """
    with Library.open(folder) as library:
        return library.recovery


def formats_there_are() -> tuple[tuple[str, str], ...]:
    """Returns name and title of each format that can be imported."""
    return tuple((name, found.title) for name, found in FORMATS.items() if found.read is not None)


def format_at(path: Path) -> str:
    """Returns the format that finds most episodes at a path, from a quick scan.

    Raises:
        KnownError: none of them finds any.
    """
    counts: dict[str, int] = {}
    for name, found in FORMATS.items():
        with suppress(KnownError):
            counts[name] = found.count(path)
    best = max(counts, key=lambda name: counts[name], default="")
    if not best or not counts[best]:
        raise KnownError(
            f"import {path.name}",
            "it contains no episodes of a format that is known",
            f"Known are: {', '.join(title for _, title in formats_there_are())}.",
        )
    return best


@dataclass(frozen=True, slots=True)
class EpisodePage:
    """One page of a library's episodes, and the number of all matches."""

    episodes: tuple[EpisodeSummary, ...]
    total: int


@dataclass(frozen=True, slots=True)
class ShownEpisode:
    """An episode and the paths of its existing pictures, by step index."""

    episode: Episode
    pictures: dict[int, Path]


def list_episodes(
    library_folder: Path,
    query: EpisodeQuery = EVERYTHING,
    *,
    order: Order = Order.ADDED,
    descending: bool = False,
    limit: int = -1,
    offset: int = 0,
) -> EpisodePage:
    """Returns the episodes that match a query.

    Raises:
        KnownError: there is no library.
    """
    with Library.read(library_folder) as library:
        page = library.episodes(query, order, limit, offset, descending)
        return EpisodePage(tuple(page), library.count(query))


def show_episode(library_folder: Path, name: str, dataset: str | None = None) -> ShownEpisode:
    """Returns one episode.

    Raises:
        KnownError: there is no library, no such episode, or several of that name.
    """
    with Library.read(library_folder) as library:
        episode = library.episode(name, dataset)
        pictures = {}
        for step in episode.steps:
            still = step.still
            if still is not None:
                pictures[step.index] = library.stills.path(still.sha256, still.media_type)
        return ShownEpisode(episode, pictures)


def delete_episode(library_folder: Path, name: str, dataset: str | None = None) -> str:
    """Puts an episode into the library's bin and returns its name.

    Raises:
        KnownError: there is no such episode, or another process writes to the library.
    """
    with Library.open(library_folder, create=False) as library:
        episode = library.episode(name, dataset)
        library.delete_episode(episode.uuid)
        return episode.name


def restore_episode(library_folder: Path, name: str, dataset: str | None = None) -> str:
    """Restores an episode from the bin and returns its name.

    Raises:
        KnownError: there is no such episode, or another process writes to the library.
    """
    with Library.open(library_folder, create=False) as library:
        episode = library.episode(name, dataset)
        library.restore_episode(episode.uuid)
        return episode.name
