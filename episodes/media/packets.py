"""The frame of one packet, exactly: files of packets read back, decoded from the key frame before.

Frames are addressed by packet number, never by time: two may share a time, and containers round
it. Colours are converted by swscale alone, which honours the stream's colour matrix and range.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import av
import numpy as np
from av.codec.context import Flags, ThreadType
from av.video.codeccontext import VideoCodecContext
from av.video.frame import VideoFrame
from numpy.typing import NDArray

from episodes.errors import KnownError
from episodes.media.segment_files import SegmentWriter, read_index
from episodes.recordings import Packet

__all__ = ["SegmentReader", "SegmentWriter", "decoder", "luma", "read_index", "rgb"]

_PLANAR = ("yuv420p", "yuvj420p", "nv12", "yuv422p", "yuv444p", "gray")


def decoder(codec: str = "h264") -> VideoCodecContext:
    """Returns a decoder that gives each frame as soon as its packet is in; for one thread."""
    context = cast(VideoCodecContext, av.CodecContext.create(codec, "r"))
    context.thread_count = 1
    context.thread_type = ThreadType.NONE
    context.flags |= Flags.low_delay
    return context


def rgb(frame: VideoFrame) -> NDArray[np.uint8]:
    """Returns a frame's pixels, (height, width, 3), red first."""
    return cast("NDArray[np.uint8]", frame.reformat(format="rgb24", threads=1).to_ndarray())


def luma(frame: VideoFrame) -> NDArray[np.uint8]:
    """Returns a frame's brightness, (height, width): a view where the format allows one."""
    if frame.format.name not in _PLANAR:
        frame = frame.reformat(format="yuv420p", threads=1)
    plane = frame.planes[0]
    rows = np.frombuffer(cast(Any, plane), np.uint8).reshape(-1, plane.line_size)
    return rows[: frame.height, : frame.width]


class SegmentReader:
    """Frames of a segment's file by packet number. Belongs to one thread."""

    def __init__(self, path: Path, packets: Sequence[Packet], codec: str = "h264") -> None:
        """Opens the file.

        Args:
            packets: its index; numbers 0, 1, 2, ... in order.

        Raises:
            KnownError: the file is missing, or the index is not in order.
        """
        self._path = path
        self._codec = codec
        self._packets = packets
        if [packet.number for packet in packets] != list(range(len(packets))):
            raise self._broken("the index does not count its packets 0, 1, 2, ...")
        self._keys = [packet.number for packet in packets if packet.key]
        self._next = -1
        self._decoder: VideoCodecContext | None = None
        try:
            self._file = path.open("rb")
        except OSError as error:
            raise self._broken(f"the system said: {error.strerror}") from error

    def frame(self, number: int) -> VideoFrame:
        """Returns the frame of a packet, decoding from the key frame before it.

        The next one after it costs one packet. Several packets on, it goes on from where it was
        unless a key frame lies between.

        Raises:
            IndexError: there is no such packet.
            KnownError: the file does not hold what the index says.
        """
        if not 0 <= number < len(self._packets):
            raise IndexError(f"packet {number} of {len(self._packets)}")
        key = self._key_before(number)
        if self._decoder is None or not key <= self._next <= number:
            self._start(key)
        found: VideoFrame | None = None
        for at in range(self._next, number + 1):
            found = self._decode(at)
        if found is None:
            raise self._broken(f"packet {number} gives no frame")
        return found

    def frames(self, numbers: range) -> Iterator[VideoFrame]:
        """Yields the frames of a stretch of packets, in the order of `numbers`."""
        for number in numbers:
            yield self.frame(number)

    def close(self) -> None:
        """Closes the file."""
        self._file.close()
        self._decoder = None

    def __enter__(self) -> SegmentReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _key_before(self, number: int) -> int:
        at = bisect_right(self._keys, number)
        if at == 0:
            raise self._broken(f"there is no key frame up to packet {number}")
        return self._keys[at - 1]

    def _start(self, key: int) -> None:
        self._decoder = decoder(self._codec)
        self._next = key

    def _decode(self, number: int) -> VideoFrame | None:
        assert self._decoder is not None
        data = self._bytes(number)
        if self._next == self._key_before(number):
            data = self._config() + data
        packet = av.Packet(data)
        packet.pts = packet.dts = number
        self._next = number + 1
        try:
            frames = self._decoder.decode(packet)
        except av.FFmpegError as error:
            self._decoder = None
            raise self._broken(f"packet {number} cannot be decoded: {error}") from error
        return next((frame for frame in frames if frame.pts == number), None)

    def _bytes(self, number: int) -> bytes:
        packet = self._packets[number]
        self._file.seek(packet.offset)
        data = self._file.read(packet.length)
        if len(data) != packet.length:
            raise self._broken(f"packet {number} is cut off")
        return data

    def _config(self) -> bytes:
        self._file.seek(0)
        return self._file.read(self._packets[0].offset)

    def _broken(self, found: str) -> KnownError:
        return KnownError(
            f"show the video {self._path}", found, "The stills of the steps are still there."
        )
