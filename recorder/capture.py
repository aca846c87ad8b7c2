"""Writes an episode's video: the thread that receives packets appends them to files.

Each configuration begins a new segment. Events report segments and packets for the index. A full
disk ends the segment and is reported once; later packets are counted as lost.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from episodes.errors import KnownError
from episodes.media.packets import SegmentWriter
from episodes.recordings import Packet
from recorder.device.interface import VideoPacket
from recorder.mirror import Place

_SUFFIXES = {"h264": "h264", "h265": "h265", "av1": "obu"}


@dataclass(frozen=True, slots=True)
class SegmentBegan:
    """A new file with this configuration; its size is known when a frame is decoded."""

    number: int
    file: str
    codec: str
    config: bytes
    received_ns: int


@dataclass(frozen=True, slots=True)
class CaptureBroke:
    """Nothing more can be written."""

    error: KnownError


CaptureEvent: TypeAlias = SegmentBegan | CaptureBroke


class EpisodeSink:
    """Writes packets into an episode's folder. `append` belongs to the video reader's thread."""

    def __init__(
        self, episode: str, folder: Path, codec: str, tell: Callable[[CaptureEvent], None]
    ) -> None:
        self.episode = episode
        self._folder = folder
        self._codec = codec
        self._tell = tell
        self._lock = threading.Lock()
        self._writer: SegmentWriter | None = None
        self._number = -1
        self._begun = 0
        self._awaits_key = True
        self._index: dict[int, list[Packet]] = {}
        self._lost = 0
        self._closed = False
        self._broken = False

    @property
    def lost(self) -> int:
        """How many packets could not be written."""
        return self._lost

    def append(self, packet: VideoPacket, received_ns: int) -> Place | None:
        """Writes a packet; a configuration begins a new segment."""
        with self._lock:
            if self._closed:
                return None
            try:
                return self._append(packet, received_ns)
            except KnownError as error:
                self._lost += 1
                self._broken = True
                self._end()
                self._tell(CaptureBroke(error))
                return None

    def end_segment(self, number: int) -> None:
        """Closes the file of this segment, if it is still the newest. Any thread.

        Packets are dropped until the next configuration.
        """
        with self._lock:
            if number == self._number:
                self._end()

    def close(self) -> None:
        """Closes the file for good. Any thread."""
        with self._lock:
            self._end()
            self._closed = True

    def take_index(self) -> dict[int, list[Packet]]:
        """Returns the packets written since the last call, by segment. Any thread."""
        with self._lock:
            taken, self._index = self._index, {}
            return taken

    def put_back(self, index: Mapping[int, Sequence[Packet]]) -> None:
        """Returns packets whose rows could not be written, to be tried again. Any thread."""
        with self._lock:
            for number, packets in index.items():
                self._index[number] = [*packets, *self._index.get(number, [])]

    def _append(self, packet: VideoPacket, received_ns: int) -> Place | None:
        if packet.config:
            self._end()
            self._broken = False
            number = self._begun
            file = f"segment-{number:03d}.{_SUFFIXES[self._codec]}"
            self._writer = SegmentWriter(self._folder / file, packet.data)
            self._number = number
            self._begun += 1
            self._awaits_key = True
            self._tell(SegmentBegan(number, file, self._codec, packet.data, received_ns))
            return None
        if self._writer is None:
            self._lost += self._broken
            return None
        if self._awaits_key and not packet.key:
            return None  # nothing before a key frame can be shown
        self._awaits_key = False
        kept = self._writer.write(packet.data, packet.pts_us or 0, packet.key, received_ns)
        self._index.setdefault(self._number, []).append(kept)
        return Place(self._number, kept.number)

    def _end(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()
