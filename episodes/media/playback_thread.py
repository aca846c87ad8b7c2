"""Decode and show a player's pictures in time, on a thread of its own; count those that are late.

A seek ends the decoding for the seek before it. While a person drags, seeks come faster than
pictures can be decoded: after `PATIENCE_S` without a picture one decoding is finished, so that
pictures show during the drag. At most `KEPT` decoded frames are in memory, so that one frame back
costs nothing.
"""

from __future__ import annotations

import threading
import time
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
from av.video.frame import VideoFrame
from av.video.reformatter import Interpolation
from numpy.typing import NDArray

from episodes.errors import KnownError
from episodes.media.packets import SegmentReader
from episodes.media.playback import Picture, Player, VideoPicture
from episodes.recordings import Packet

KEPT = 12

PATIENCE_S = 0.1
"""So long after an unanswered seek, the next ones do not end a decoding any more."""


@dataclass(frozen=True, slots=True)
class SegmentFile:
    """A segment's file of packets, with the index of the packets."""

    path: Path
    packets: Sequence[Packet]
    codec: str = "h264"


@dataclass(frozen=True, slots=True)
class ShownPicture:
    """A picture that the projector has just made ready to show.

    Attributes:
        at_us: the position on the track that it was decoded for.
        pixels: (height, width, 4) bytes in the order BGRA, alpha 255, rows without padding; None
            for a step's still, which the window loads itself.
        dropped: number of pictures that were due since play began and came too late to be shown.
    """

    picture: Picture
    at_us: float
    pixels: NDArray[np.uint8] | None
    dropped: int


class FrameCache:
    """Decodes frames of an episode's segments and keeps the last ones. Belongs to one thread.

    Attributes:
        decoded: counts the packets that were decoded.
    """

    def __init__(self, files: Mapping[int, SegmentFile], kept: int = KEPT) -> None:
        self.decoded = 0
        self._files = files
        self._keys = {
            number: [packet.number for packet in file.packets if packet.key]
            for number, file in files.items()
        }
        self._kept: OrderedDict[VideoPicture, VideoFrame] = OrderedDict()
        self._room = kept
        self._open: tuple[int, SegmentReader] | None = None
        self._last = -1

    def frame(
        self, picture: VideoPicture, wanted: Callable[[], bool] = lambda: True
    ) -> VideoFrame | None:
        """Returns a frame, or None if `wanted` returns False before it is decoded.

        Raises:
            KnownError: the file is missing, or does not hold what its index says.
        """
        if picture in self._kept:
            self._kept.move_to_end(picture)
            return self._kept[picture]
        reader = self._reader(picture.segment)
        keys = self._keys[picture.segment]
        key = keys[max(0, bisect_right(keys, picture.packet) - 1)]
        first = self._last + 1 if key <= self._last < picture.packet else key
        for number in range(first, picture.packet + 1):
            if not wanted():
                return None
            frame = reader.frame(number)
            self._last = number
            self.decoded += 1
            self._keep(VideoPicture(picture.segment, number), frame)
        return self._kept[picture]

    def close(self) -> None:
        """Closes the file and drops all frames."""
        self._kept.clear()
        if self._open is not None:
            self._open[1].close()
        self._open = None

    def _reader(self, segment: int) -> SegmentReader:
        if self._open is not None and self._open[0] == segment:
            return self._open[1]
        if self._open is not None:
            self._open[1].close()
            self._open = None
        file = self._files[segment]
        reader = SegmentReader(file.path, file.packets, file.codec)
        self._open, self._last = (segment, reader), -1
        return reader

    def _keep(self, picture: VideoPicture, frame: VideoFrame) -> None:
        self._kept[picture] = frame
        self._kept.move_to_end(picture)
        while len(self._kept) > self._room:
            self._kept.popitem(last=False)


class PlaybackThread:
    """Shows the pictures of a player until it is stopped.

    Args:
        show: called on the projector's thread with each new picture; must be quick.
        failed: called there once for each segment whose file cannot be decoded; its pictures are
            skipped from then on.
        room: largest width and height of a picture in pixels; `set_room` changes it.
    """

    def __init__(
        self,
        player: Player,
        files: Mapping[int, SegmentFile],
        show: Callable[[ShownPicture], None],
        failed: Callable[[KnownError], None],
        room: tuple[int, int] = (1 << 15, 1 << 15),
    ) -> None:
        self.player = player
        self._show, self._failed = show, failed
        self._cache = FrameCache(files)
        self._room = room
        self._wake = threading.Condition()
        self._stopping = False
        self._again = False
        self._dropped = 0
        self._asked_s: float | None = None
        self._broken: set[int] = set()
        self._thread = threading.Thread(target=self._loop, name="projector", daemon=True)
        self._thread.start()

    def changed(self) -> None:
        """Wakes the projector after a command to the player. Any thread."""
        with self._wake:
            self._again = True
            self._wake.notify()

    def set_room(self, width: int, height: int) -> None:
        """Sets the largest size of the pictures from the next one on. Any thread."""
        with self._wake:
            self._room = (max(1, width), max(1, height))

    def dropped(self) -> int:
        """Returns how many pictures came too late to be shown since play began."""
        return self._dropped

    def stop(self) -> None:
        """Ends the thread and waits for its end; a second call does nothing."""
        with self._wake:
            self._stopping = True
            self._wake.notify()
        self._thread.join()

    def _loop(self) -> None:
        shown: Picture | None = None
        number, changes = -1, -1
        if not self.player.track.pictures:
            return
        try:
            while self._next(shown):
                told = self.player.changes
                direction, at_us = self.player.direction(), self.player.at_us()
                track = self.player.track
                now = track.number(at_us)
                if told == changes:
                    self._dropped += max(0, abs(now - number) - 1)
                elif direction:
                    self._dropped = 0
                picture = track.pictures[now]
                if picture == shown and told == changes:
                    continue
                pixels = self._pixels(picture, told)
                if pixels is not None or not isinstance(picture, VideoPicture):
                    self._show(ShownPicture(picture, at_us, pixels, self._dropped))
                elif self.player.changes != told:
                    continue  # a newer command ended the decoding
                shown, number, changes = picture, now, told
                self._asked_s = None
        finally:
            self._cache.close()

    def _pixels(self, picture: Picture, changes: int) -> NDArray[np.uint8] | None:
        """Returns the pixels of a picture; None for a still, a broken file or a newer command."""
        if not isinstance(picture, VideoPicture) or picture.segment in self._broken:
            return None
        if self._asked_s is None:
            self._asked_s = time.monotonic()
        patient_until = self._asked_s + PATIENCE_S

        def wanted() -> bool:
            if self._stopping:
                return False
            return self.player.changes == changes or time.monotonic() > patient_until

        try:
            frame = self._cache.frame(picture, wanted)
        except KnownError as error:
            self._broken.add(picture.segment)
            self._failed(error)
            return None
        return _fitted(frame, self._room) if frame is not None else None

    def _next(self, last: Picture | None) -> bool:
        """Waits until a new picture is due; returns False when it should end."""
        with self._wake:
            while not self._stopping and not self._again:
                if self.player.frame() != last:
                    break
                due = self.player.due_ns()
                if due is None:
                    self._wake.wait()
                else:
                    self._wake.wait(max(0.0, (due - time.monotonic_ns()) / 1e9))
            self._again = False
            return not self._stopping


def _fitted(frame: VideoFrame, room: tuple[int, int]) -> NDArray[np.uint8]:
    scale = min(1.0, room[0] / frame.width, room[1] / frame.height)
    size = {
        "width": max(1, round(frame.width * scale)),
        "height": max(1, round(frame.height * scale)),
    }
    made = frame.reformat(**size, format="bgra", interpolation=Interpolation.AREA, threads=1)
    return cast("NDArray[np.uint8]", np.ascontiguousarray(made.to_ndarray()))
