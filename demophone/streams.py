"""Byte streams inside the phone: bounded channels and two-way pipes over them.

Sockets, adb streams, pipelines of the shell and the scrcpy server all move bytes through these.
Nothing here knows what the bytes mean. All of it belongs to the one event loop.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from typing import Protocol

CHUNK = 64 * 1024
CHANNEL_LIMIT = 1024 * 1024


class Source(Protocol):
    """Where a command reads from."""

    async def read(self, limit: int = CHUNK) -> bytes:
        """Up to `limit` bytes as soon as there are any; `b""` at the end."""


class Sink(Protocol):
    """Where a command writes to."""

    async def write(self, data: bytes) -> None:
        """Writes all of `data`, waiting while the other end is full.

        Raises:
            BrokenPipeError: the reader has closed it.
        """


class Channel:
    """Bytes in one direction, at most `limit` of them in flight."""

    def __init__(
        self, limit: int = CHANNEL_LIMIT, on_drained: Callable[[], None] | None = None
    ) -> None:
        self._limit = limit
        self._on_drained = on_drained
        self._chunks: deque[memoryview] = deque()
        self._size = 0
        self._ended = False
        self._broken = False
        self._readable = asyncio.Event()
        self._writable = asyncio.Event()
        self._writable.set()

    @property
    def size(self) -> int:
        """Bytes written and not yet read."""
        return self._size

    def feed(self, data: bytes) -> None:
        """Adds `data` without waiting; for a writer that keeps its own bound."""
        if data and not self._ended and not self._broken:
            self._chunks.append(memoryview(data))
            self._size += len(data)
            self._readable.set()
            if self._size >= self._limit:
                self._writable.clear()

    async def write(self, data: bytes) -> None:
        """Adds `data` once there is room.

        Raises:
            BrokenPipeError: the reader is gone, or this end was closed.
        """
        for start in range(0, len(data), CHUNK):
            await self._writable.wait()
            if self._broken or self._ended:
                raise BrokenPipeError("nobody reads this channel any more")
            self.feed(data[start : start + CHUNK] if len(data) > CHUNK else data)

    async def read(self, limit: int = CHUNK) -> bytes:
        """Up to `limit` bytes as soon as there are any; `b""` at the end."""
        while not self._chunks:
            if self._ended or self._broken:
                return b""
            self._readable.clear()
            await self._readable.wait()
        first = self._chunks[0]
        if len(first) <= limit:
            self._chunks.popleft()
            taken = bytes(first)
        else:
            self._chunks[0] = first[limit:]
            taken = bytes(first[:limit])
        self._size -= len(taken)
        if self._size < self._limit:
            self._writable.set()
        if self._size == 0 and self._on_drained is not None:
            self._on_drained()
        return taken

    def unread(self, data: bytes) -> None:
        """Puts bytes back that were read too early; they come first again."""
        if data:
            self._chunks.appendleft(memoryview(data))
            self._size += len(data)
            self._readable.set()

    def left(self) -> bytes:
        """Takes all that was written and not read."""
        data = b"".join(self._chunks)
        self._chunks.clear()
        self._size = 0
        self._writable.set()
        return data

    def end(self) -> None:
        """No more bytes come; those in flight can still be read."""
        self._ended = True
        self._readable.set()
        self._writable.set()

    def break_off(self) -> None:
        """Closes the reading end; writers get an error."""
        self._broken = True
        self._chunks.clear()
        self._size = 0
        self._readable.set()
        self._writable.set()


class Pipe(ABC):
    """Bytes in both directions.

    Attributes:
        linger_s: how long whoever serves this end may go on after the other end was closed.
    """

    linger_s = 0.0

    @abstractmethod
    async def read(self, limit: int = CHUNK) -> bytes:
        """Up to `limit` bytes as soon as there are any; `b""` at the end."""

    @abstractmethod
    async def write(self, data: bytes) -> None:
        """Writes all of `data`, waiting while the other end is full.

        Raises:
            BrokenPipeError: the other end is gone.
        """

    @abstractmethod
    def close(self) -> None:
        """Ends both directions; may be called more than once."""

    async def read_exactly(self, size: int) -> bytes:
        """`size` bytes.

        Raises:
            EOFError: the stream ended before them.
        """
        parts: list[bytes] = []
        missing = size
        while missing:
            part = await self.read(min(missing, CHUNK))
            if not part:
                raise EOFError(f"the stream ended {missing} bytes early")
            parts.append(part)
            missing -= len(part)
        return b"".join(parts)


class ChannelPipe(Pipe):
    """One end of a socket pair inside the phone."""

    def __init__(self, incoming: Channel, outgoing: Channel) -> None:
        self._incoming = incoming
        self._outgoing = outgoing

    @classmethod
    def pair(cls) -> tuple[ChannelPipe, ChannelPipe]:
        """Two ends, each reading what the other writes."""
        there, back = Channel(), Channel()
        return cls(there, back), cls(back, there)

    async def read(self, limit: int = CHUNK) -> bytes:
        return await self._incoming.read(limit)

    async def write(self, data: bytes) -> None:
        await self._outgoing.write(data)

    def close(self) -> None:
        self._outgoing.end()
        self._incoming.break_off()
