"""Messages to and from SAM 2's process: plain values as MessagePack.

Each message is four bytes of length, little-endian, and that many bytes. Nothing is pickled, sizes
are bounded, and what does not decode to one of these types ends the conversation.
"""

from __future__ import annotations

import struct
from typing import BinaryIO, TypeVar

import msgspec

from annotator.sam2.values import MaskProposal
from episodes.geometry import Box, Point

MAX_BYTES = 1 << 26
LENGTH = struct.Struct("<I")


class LoadRequest(msgspec.Struct, tag=True, frozen=True):
    """Load this checkpoint; the first message, and the only one of its kind.

    Attributes:
        threads: for computing.
        cache: folder of the embeddings; "" keeps none on the disk.
    """

    path: str
    name: str
    sha256: str
    listed: bool
    config: str
    overrides: tuple[str, ...]
    size: int | None
    threads: int
    cache: str
    cache_limit: int


class SegmentRequest(msgspec.Struct, tag=True, frozen=True):
    """Segment.

    Attributes:
        job: a number the answer carries.
        view: part of the frame to show; None for the square around the prompt.
        ahead: only have the view's embedding ready.
    """

    job: int
    frame: str
    path: str
    points: tuple[Point, ...]
    avoid: tuple[Point, ...]
    box: Box | None
    view: Box | None
    ahead: bool


class CancelRequest(msgspec.Struct, tag=True, frozen=True):
    """A job is not wanted any more."""

    job: int


class WorkerReady(msgspec.Struct, tag=True, frozen=True):
    """The model is loaded. `side` is that of its input, in pixels."""

    side: int
    seconds: float


class JobDone(msgspec.Struct, tag=True, frozen=True):
    """What came of a job."""

    job: int
    view: Box
    masks: tuple[MaskProposal, ...]
    refused: tuple[str, ...]
    warm: bool
    seconds: float
    damaged: int


class RequestCancelled(msgspec.Struct, tag=True, frozen=True):
    """A job was given up, as was asked."""

    job: int


class JobFailed(msgspec.Struct, tag=True, frozen=True):
    """Something outside of the program was not as it should be. Job 0 is the loading."""

    job: int
    doing: str
    found: str
    remedy: str


class WorkerBug(msgspec.Struct, tag=True, frozen=True):
    """A bug, with its traceback; the process ends after it."""

    job: int
    story: str


Request = LoadRequest | SegmentRequest | CancelRequest
Reply = WorkerReady | JobDone | RequestCancelled | JobFailed | WorkerBug

_T = TypeVar("_T")
_requests = msgspec.msgpack.Decoder(Request)
_replies = msgspec.msgpack.Decoder(Reply)


class BadMessage(Exception):
    """What came through the pipe is not a message."""


def send(stream: BinaryIO, message: Request | Reply) -> None:
    """Writes one message and flushes.

    Raises:
        OSError: the other side has ended.
    """
    data = msgspec.msgpack.encode(message)
    if len(data) > MAX_BYTES:
        raise ValueError(f"a message of {len(data):,} bytes")
    stream.write(LENGTH.pack(len(data)) + data)
    stream.flush()


def read_request(stream: BinaryIO) -> Request | None:
    """Reads one request, waiting for it; None at the end.

    Raises:
        NotUnderstood: it is none.
    """
    return _received(stream, _requests)


def read_reply(stream: BinaryIO) -> Reply | None:
    """Reads one reply, waiting for it; None at the end.

    Raises:
        NotUnderstood: it is none.
    """
    return _received(stream, _replies)


def _received(stream: BinaryIO, decoder: msgspec.msgpack.Decoder[_T]) -> _T | None:
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    if length > MAX_BYTES:
        raise BadMessage(f"a message of {length:,} bytes")
    data = stream.read(length)
    if len(data) < length:
        return None
    try:
        return decoder.decode(data)
    except msgspec.MsgspecError as error:
        raise BadMessage(str(error)) from error
