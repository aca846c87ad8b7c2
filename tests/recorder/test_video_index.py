"""The rows of a video while the library takes none: refused, told, and tried again."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import pytest

from episodes.episodes import Actor, Episode, EpisodeState, Origin, Task
from episodes.errors import KnownError
from episodes.geometry import Size
from episodes.recordings import DeviceFacts
from episodes.screens import Basis, Frame
from recorder.capture import CaptureEvent, EpisodeSink, SegmentBegan
from recorder.clock import ClockMap
from recorder.device.interface import VideoPacket
from recorder.frames import FrameNote, LiveFrame
from recorder.library_thread import LibraryThread
from recorder.video_index import FLUSH_NS, VideoIndex

EPISODE = "0c0ffee0-0000-4000-8000-000000000000"
SIZE = Size(720, 1600)
SHOWN = Frame(SIZE, Basis.PAINTED, segment=0, packet=0)


class Video:
    """An index with a segment that has begun, and a library that can refuse."""

    def __init__(self, folder: Path) -> None:
        self.library = LibraryThread(folder).start()
        self.library.call(lambda library: library.begin_episode(_episode()))
        told: list[CaptureEvent] = []
        self.sink = EpisodeSink(EPISODE, folder / "episodes" / EPISODE, "h264", told.append)
        self.failed: list[Future[None]] = []
        clock = ClockMap()
        self.index = VideoIndex(
            EPISODE, self.library, self.sink, clock, "3.3.4", 0, self.failed.append
        )
        self.sink.append(VideoPacket(b"config", None), 0)
        self.sink.append(VideoPacket(b"key!", 100, key=True), 1)
        (began,) = told
        assert isinstance(began, SegmentBegan)
        self.index.began(began)
        self.index.see(FrameNote(SIZE, 100, 1, 1, EPISODE, 0, 0))
        self.index.turned(0, 0)
        self.now = FLUSH_NS

    def next(self, number: int) -> None:
        self.sink.append(VideoPacket(b"next" * 2000, 100 + number), number)

    @contextmanager
    def refusing(self) -> Iterator[None]:
        """The library takes no rows meanwhile, as another program is writing to it."""
        self.library.call(lambda library: library._db.conn.execute("PRAGMA busy_timeout = 0"))
        with closing(sqlite3.connect(self.library.folder / "library.db")) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.rollback()

    def tick(self) -> list[KnownError]:
        """A second later; returns what the library refused since the last call."""
        self.now += FLUSH_NS
        self.index.tick(self.now)
        return self.refused()

    def refused(self) -> list[KnownError]:
        self.library.call(lambda library: None)
        errors = [future.exception() for future in self.failed]
        self.failed.clear()
        return [error for error in errors if isinstance(error, KnownError)]

    def stored(self) -> tuple[list[int], list[int]]:
        """The numbers of the segments, and of the packets of the first, in the library."""
        episode = self.library.call(lambda library: library.episode(EPISODE))
        packets = self.library.call(lambda library: library.packets(EPISODE, 0))
        return (
            [segment.number for segment in episode.segments],
            [packet.number for packet in packets],
        )


def _episode() -> Episode:
    return Episode(
        uuid=EPISODE,
        name="e-0001",
        origin=Origin("recorded"),
        task=Task("do it"),
        state=EpisodeState.RECORDING,
        steps=(),
        actor=Actor(),
        device=DeviceFacts(),
        started_utc="2026-01-01T00:00:00.000Z",
    )


def _live() -> LiveFrame:
    pixels = np.zeros((SIZE.height, SIZE.width, 4), np.uint8)
    return LiveFrame(pixels, SIZE, 100, 1, 1, pixels[::8, ::8, 0], 1, EPISODE, 0, 0)


@pytest.fixture
def video(tmp_path: Path) -> Iterator[Video]:
    made = Video(tmp_path / "library")
    yield made
    made.sink.close()
    made.library.close()


def test_a_segment_and_packets_that_were_refused_are_written_later(video: Video) -> None:
    with video.refusing():
        video.next(1)
        (told,) = video.tick()
        assert "another program is writing" in str(told)
        assert not video.index.awaits(_live())  # steps go on without it
        assert not video.index.holds(_live())
        with pytest.raises(KnownError, match="another program is writing"):
            video.index.ready(SHOWN)
    assert video.tick() == []
    assert video.index.holds(_live())
    assert video.tick() == []
    assert video.stored() == ([0], [0, 1])


def test_a_refused_index_is_written_with_the_row_that_points_into_it(video: Video) -> None:
    assert video.tick() == []
    with video.refusing():
        for number in (1, 2):
            video.next(number)
        assert len(video.tick()) == 1
    video.next(3)
    taken = video.index.take_index()
    video.next(4)
    ready = video.library.call(lambda _: video.index.ready(SHOWN, taken))
    assert [packet.number for packet in ready[0]] == [1, 2, 3, 4]
    assert video.stored() == ([0], [0])


def test_a_segment_that_ended_while_it_was_refused_is_ended_when_it_is_written(
    video: Video,
) -> None:
    with video.refusing():
        video.index.end_segment(video.now)
        assert len(video.refused()) == 1
    assert video.tick() == []
    assert video.tick() == []
    (segment,) = video.library.call(lambda library: library.episode(EPISODE)).segments
    assert segment.ended is not None
    assert video.stored() == ([0], [0])
