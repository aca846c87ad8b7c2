"""Parses the bytes of scrcpy's video socket.

Pure and incremental. 3.x sends one codec header and then packets; 4.x sends a session header before
each new size, with the flags of a packet one bit lower. The payload is Annex-B H.264 and is not
changed.

Source: https://github.com/Genymobile/scrcpy, tags v3.3.4 and v4.1, app/src/demuxer.c.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from episodes.geometry import Size
from recorder.device.interface import VideoPacket

MAX_PACKET = 16 * 1024 * 1024
MAX_CONFIG = 1024 * 1024
MAX_SIDE = 32_768

_CODECS = {0x68323634: "h264", 0x68323635: "h265", 0x00617631: "av1"}
_NAME_LENGTH = 64


class ServerProtocol(Enum):
    """The variant of the protocol, by the server's version."""

    V3 = 3
    V4 = 4

    @classmethod
    def of(cls, version: str) -> ServerProtocol:
        """Returns the dialect of a version such as "3.3.4"."""
        return cls.V4 if int(version.split(".", 1)[0]) >= 4 else cls.V3


class BadStream(ValueError):
    """The video socket sent impossible bytes; the message says which, for a person."""


@dataclass(frozen=True, slots=True)
class DeviceName:
    """The phone's name for itself: the first thing on the first socket."""

    name: str


@dataclass(frozen=True, slots=True)
class VideoHeader:
    """The codec of the stream; 3.x adds the size it begins with."""

    codec: str
    size: Size | None


@dataclass(frozen=True, slots=True)
class VideoSession:
    """4.x: packets of this size follow.

    Attributes:
        requested: whether this end asked for the size.
    """

    size: Size
    requested: bool


Item: TypeAlias = DeviceName | VideoHeader | VideoSession | VideoPacket


class VideoParser:
    """Reads the first socket of a session whose dummy byte has been taken off.

    Args:
        named: whether the 64 bytes of the phone's name come first.
    """

    def __init__(self, dialect: ServerProtocol = ServerProtocol.V3, named: bool = True) -> None:
        self._dialect = dialect
        self._pending = bytearray()
        self._named = named
        self._headed = False

    def feed(self, data: bytes | memoryview) -> list[Item]:
        """Takes bytes and returns the values they complete, in order.

        Raises:
            BadStream: the server says it has no video, or the bytes are not a video socket's.
        """
        self._pending += data
        found: list[Item] = []
        while (item := self._next()) is not None:
            found.append(item)
        return found

    def _next(self) -> Item | None:
        if self._named:
            return self._device_name()
        if not self._headed:
            return self._header()
        if len(self._pending) < 12:
            return None
        if self._dialect is ServerProtocol.V4 and self._pending[0] & 0x80:
            return self._session()
        return self._packet()

    def _device_name(self) -> DeviceName | None:
        taken = self._take(_NAME_LENGTH)
        if taken is None:
            return None
        self._named = False
        return DeviceName(taken.split(b"\0", 1)[0].decode(errors="replace"))

    def _header(self) -> VideoHeader | None:
        taken = self._take(12 if self._dialect is ServerProtocol.V3 else 4)
        if taken is None:
            return None
        (number,) = struct.unpack_from(">I", taken)
        if number in (0, 1):
            raise BadStream(
                "the phone has switched its video off"
                if number == 0
                else "the phone could not configure its video encoder"
            )
        codec = _CODECS.get(number)
        if codec is None:
            raise BadStream(f"the codec 0x{number:08x} is not known")
        self._headed = True
        if self._dialect is ServerProtocol.V4:
            return VideoHeader(codec, None)
        return VideoHeader(codec, _size(*struct.unpack_from(">II", taken, 4)))

    def _session(self) -> VideoSession | None:
        taken = self._take(12)
        if taken is None:
            return None
        flags, width, height = struct.unpack(">III", taken)
        return VideoSession(_size(width, height), bool(flags & 1))

    def _packet(self) -> VideoPacket | None:
        flags, length = struct.unpack_from(">QI", self._pending)
        top = 63 if self._dialect is ServerProtocol.V3 else 62
        limit = MAX_CONFIG if flags >> top & 1 else MAX_PACKET
        if length > limit:
            raise BadStream(f"a packet of {length} bytes is longer than {limit}")
        if len(self._pending) < 12 + length:
            return None
        data = bytes(self._pending[12 : 12 + length])
        del self._pending[: 12 + length]
        if flags >> top & 1:
            return VideoPacket(data, None)
        return VideoPacket(data, flags & ((1 << (top - 1)) - 1), bool(flags >> (top - 1) & 1))

    def _take(self, count: int) -> bytes | None:
        if len(self._pending) < count:
            return None
        taken = bytes(self._pending[:count])
        del self._pending[:count]
        return taken


def _size(width: int, height: int) -> Size:
    if not (0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE):
        raise BadStream(f"a video of {width}x{height} pixels cannot be")
    return Size(width, height)
