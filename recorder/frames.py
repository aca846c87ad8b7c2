"""A decoded frame of the mirror, and a holder for the newest one."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from episodes.geometry import Box, Size
from episodes.media.pictures import encode_png

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class FrameNote:
    """A frame without its pixels; fields as in `LiveFrame`."""

    size: Size
    pts_us: int
    received_ns: int
    content: int
    episode: str = ""
    segment: int | None = None
    packet: int | None = None
    blink: Box | None = None
    sharpens: bool = False
    blocks: npt.NDArray[np.uint8] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class LiveFrame:
    """One decoded frame. Immutable: it may be kept as long as needed.

    Attributes:
        pixels: (height, width, 4) uint8, blue, green, red, 255; rows may be padded, so use
            `pixels.strides[0]` as bytes per line.
        pts_us: the phone's monotonic clock.
        received_ns: host clock when its packet came in.
        decoded_ns: host clock when it was ready to be shown.
        blocks: (height / 8, width / 8) uint8, its luma downscaled by averaging.
        content: grows by one with each change of the content; repeated frames keep it.
        episode, segment, packet: where the packet is in a recording; "" and None while
            nothing is recorded.
        sharpens: whether its content may be that of the picture before, made sharper or coarser
            by an encoder that has just begun.
        blink: where a cursor blinks, in pixels, if the last three changes of the content, the
            last of which this frame made, were nothing else.
    """

    pixels: npt.NDArray[np.uint8]
    size: Size
    pts_us: int
    received_ns: int
    decoded_ns: int
    blocks: npt.NDArray[np.uint8]
    content: int
    episode: str = ""
    segment: int | None = None
    packet: int | None = None
    blink: Box | None = None
    sharpens: bool = False

    @property
    def note(self) -> FrameNote:
        """The frame without its pixels."""
        return FrameNote(
            self.size,
            self.pts_us,
            self.received_ns,
            self.content,
            self.episode,
            self.segment,
            self.packet,
            self.blink,
            self.sharpens,
            self.blocks,
        )

    @property
    def signature(self) -> bytes:
        """Its downscaled luma, as it is stored with a still."""
        return encode_png(self.blocks)

    def rgb(self) -> npt.NDArray[np.uint8]:
        """Returns a copy, (height, width, 3) uint8, red first, rows without padding."""
        return np.ascontiguousarray(self.pixels[:, :, 2::-1])


class Latest(Generic[T]):
    """Holds one value: a newer one replaces it. Any thread."""

    def __init__(self) -> None:
        self._lock = threading.Condition()
        self._newest: T | None = None
        self._fresh = False
        self._count = 0

    def put(self, value: T) -> bool:
        """Replaces the value; returns whether it was empty, so that the taker is notified once."""
        with self._lock:
            was_empty = not self._fresh
            self._newest = value
            self._fresh = True
            self._count += 1
            self._lock.notify_all()
            return was_empty

    def take(self) -> T | None:
        """Returns the newest value and removes it; None if it was taken before."""
        with self._lock:
            if not self._fresh:
                return None
            self._fresh = False
            return self._newest

    def peek(self) -> T | None:
        """Returns the newest value, whether or not it was taken."""
        with self._lock:
            return self._newest

    @property
    def count(self) -> int:
        """How many values have been put."""
        with self._lock:
            return self._count

    def wait_beyond(self, count: int, timeout: float) -> T | None:
        """Waits until more than `count` values were put; returns the newest, None on timeout."""
        with self._lock:
            self._lock.wait_for(lambda: self._count > count, timeout)
            return self._newest if self._count > count else None

    def clear(self) -> None:
        """Removes the value; `count` continues."""
        with self._lock:
            self._newest = None
            self._fresh = False
