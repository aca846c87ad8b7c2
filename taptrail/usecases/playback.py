"""Playback of an episode: when to show which picture, and the video files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath

from episodes.errors import KnownError
from episodes.media.playback import PlaybackTrack, make_track
from episodes.media.playback_thread import SegmentFile
from episodes.store.library import Library


@dataclass(frozen=True, slots=True)
class EpisodePlayback:
    """A playback track, and its video files by segment number; {} if there are only stills."""

    track: PlaybackTrack
    files: Mapping[int, SegmentFile]


def open_film(library: Library, uuid: str) -> EpisodePlayback:
    """Returns the playback of an episode; opens no video file.

    Segments with a missing file are skipped; if none is left, the stills are played.

    Raises:
        KnownError: there is no such episode, or a segment's file name leads out of its folder.
    """
    episode = library.episode(uuid)
    folder = library.episode_folder(uuid)
    files = {}
    for segment in episode.segments:
        if PurePath(segment.file).name != segment.file:
            raise KnownError(
                f"play the episode “{episode.name}”",
                f"the file of segment {segment.number} is “{segment.file}”, not in its folder",
                "Check the library.",
            )
        path = folder / segment.file
        packets = library.packets(uuid, segment.number) if path.is_file() else []
        if any(packet.key for packet in packets):
            files[segment.number] = SegmentFile(path, packets, segment.codec)
    return EpisodePlayback(
        make_track(episode, {n: file.packets for n, file in files.items()}), files
    )
