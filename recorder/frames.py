"""A decoded frame of the mirror, and the one place where the newest waits."""

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
    """One frame as it was decoded. It is never written to; keep it as long as you like.

    Attributes:
        pixels: (height, width, 4) uint8, blue, green, red, 255; rows may be padded, so use
            `pixels.strides[0]` as bytes per line.
        pts_us: the phone's monotonic clock.
        received_ns: host clock when its packet came in.
        decoded_ns: host clock when it was ready to be shown.
        blocks: (height / 8, width / 8) uint8, its luma made small by averaging.
        content: grows by one with each change of the content; repeated frames keep it.
        episode, segment, packet: where the packet lies in a recording; "" and None while
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
        """The frame without its pixels, for who only wants to know of it."""
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
        """Its luma made small, in the form that is stored beside a still."""
        return encode_png(self.blocks)

    def rgb(self) -> npt.NDArray[np.uint8]:
        """Returns a copy, (height, width, 3) uint8, red first, rows without padding."""
        return np.ascontiguousarray(self.pixels[:, :, 2::-1])


class Latest(Generic[T]):
    """One place: the newest value wins, and the old one is let go. Any thread."""

    def __init__(self) -> None:
        self._lock = threading.Condition()
        self._newest: T | None = None
        self._fresh = False
        self._count = 0

    def put(self, value: T) -> bool:
        """Lays a value down; returns whether the place was empty, so that somebody be told."""
        with self._lock:
            was_empty = not self._fresh
            self._newest = value
            self._fresh = True
            self._count += 1
            self._lock.notify_all()
            return was_empty

    def take(self) -> T | None:
        """Returns the newest value and empties the place; None when it was taken before."""
        with self._lock:
            if not self._fresh:
                return None
            self._fresh = False
            return self._newest

    def peek(self) -> T | None:
        """Returns the newest value there ever was, taken or not."""
        with self._lock:
            return self._newest

    @property
    def count(self) -> int:
        """How many values have been laid down."""
        with self._lock:
            return self._count

    def wait_beyond(self, count: int, timeout: float) -> T | None:
        """Waits until more than `count` values have come; returns the newest, None in vain."""
        with self._lock:
            self._lock.wait_for(lambda: self._count > count, timeout)
            return self._newest if self._count > count else None

    def clear(self) -> None:
        """Forgets the value; `count` goes on."""
        with self._lock:
            self._newest = None
            self._fresh = False
