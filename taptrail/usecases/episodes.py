"""Looking through a library: list, show, check, put into the bin and take out again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from episodes.episodes import Episode
from episodes.screens import Frame
from episodes.store.library import EVERYTHING, Library
from episodes.store.queries import EpisodeQuery, EpisodeSummary, Order
from taptrail.usecases.importing import OnProgress


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


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a check found wrong with an episode's files."""

    episode: str
    place: str
    found: str


@dataclass(frozen=True, slots=True)
class Checked:
    """What was looked at, and what is wrong."""

    episodes: int
    pictures: int
    segments: int
    findings: tuple[Finding, ...]


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
            still = step.frame.still if step.frame is not None else None
            if still is not None:
                pictures[step.index] = library.stills.path(still.sha256, still.media_type)
        return Shown(episode, pictures)


def check_episodes(
    library_folder: Path,
    query: EpisodeQuery = EVERYTHING,
    on_progress: OnProgress | None = None,
) -> Checked:
    """Reads every picture and looks at every segment of the episodes a query finds.

    Raises:
        KnownError: there is no library.
    """
    findings: list[Finding] = []
    seen: set[str] = set()
    segments = done = 0
    with Library.read(library_folder) as library:
        total = library.count(query)
        for episode in library.iterate(query):
            for place, frame in _frames(episode):
                wrong = _wrong_picture(library, frame, seen)
                if wrong:
                    findings.append(Finding(episode.name, place, wrong))
            for segment in episode.segments:
                segments += 1
                file = library.episode_folder(episode.uuid) / segment.file
                packets = library.packets(episode.uuid, segment.number)
                end = max((packet.offset + packet.length for packet in packets), default=0)
                if not file.is_file():
                    findings.append(Finding(episode.name, segment.file, "the video is missing"))
                elif file.stat().st_size < end:
                    short = f"the video has {file.stat().st_size} of {end} bytes"
                    findings.append(Finding(episode.name, segment.file, short))
            done += 1
            if on_progress is not None:
                on_progress(done, total)
    return Checked(done, len(seen), segments, tuple(findings))


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


def _frames(episode: Episode) -> Iterator[tuple[str, Frame]]:
    for step in episode.steps:
        if step.frame is not None:
            yield f"step {step.index}", step.frame
        if step.after is not None:
            yield f"after step {step.index}", step.after
    if episode.final is not None:
        yield "the end", episode.final


def _wrong_picture(library: Library, frame: Frame, seen: set[str]) -> str:
    still = frame.still
    if still is None or still.sha256 in seen:
        return ""
    seen.add(still.sha256)
    path = library.stills.path(still.sha256, still.media_type)
    try:
        with path.open("rb") as stream:
            found = hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        return f"the picture cannot be read: {error.strerror}"
    return "" if found == still.sha256 else "the picture's bytes have changed"
