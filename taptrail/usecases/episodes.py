"""Looking through a library: list, show, put into the bin and take out again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from episodes.episodes import Episode
from episodes.store.library import EVERYTHING, Library
from episodes.store.queries import EpisodeQuery, EpisodeSummary, Order


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of a library's episodes, and how many there are in all."""

    episodes: tuple[EpisodeSummary, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Shown:
    """A whole episode, with the place of each picture that is there."""

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
) -> Listing:
    """Returns the episodes a query finds.

    Raises:
        KnownError: there is no library.
    """
    with Library.read(library_folder) as library:
        page = library.episodes(query, order, limit, offset, descending)
        return Listing(tuple(page), library.count(query))


def show_episode(library_folder: Path, name: str, dataset: str | None = None) -> Shown:
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
        return Shown(episode, pictures)


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
    """Takes an episode out of the bin and returns its name.

    Raises:
        KnownError: there is no such episode, or another process writes to the library.
    """
    with Library.open(library_folder, create=False) as library:
        episode = library.episode(name, dataset)
        library.restore_episode(episode.uuid)
        return episode.name
