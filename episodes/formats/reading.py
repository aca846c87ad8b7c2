"""What all readers share: refusals, bounded files, names that may not leave their folder."""

from __future__ import annotations

import codecs
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Protocol

import msgspec

from episodes.errors import KnownError
from episodes.screens import Still

MAX_JSON_BYTES = 64 * 1024 * 1024
MAX_LINE_BYTES = 16 * 1024 * 1024
MAX_DEPTH = 64
MAX_NAME = 200
MAX_PART = 255
MAX_WHOLE = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Refused:
    """Something that did not come in.

    Attributes:
        where: file, and step and field where there are such.
        count: how many pieces of this kind at this place.
    """

    where: str
    reason: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Note:
    """Something that came in, but not as one would expect."""

    where: str
    reason: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Missing(Note):
    """A step that came in without its picture: it is not there, or cannot be used."""


class BadPicture(KnownError):
    """A picture's file cannot be read, or is no picture."""


class Shelf(Protocol):
    """Where readers put pictures: a library's still files."""

    def keep(self, path: Path) -> Still:
        """Keeps the file's bytes, unchanged.

        Raises:
            BadPicture: it cannot be read, is no picture, or is too large.
            KnownError: the shelf has no room for it.
        """


class StillPaths(Protocol):
    """Where writers find pictures: a library's still files."""

    def path(self, sha256: str, media_type: str) -> Path:
        """Returns the file of a still."""


def file_bytes(path: Path, doing: str, limit: int = MAX_JSON_BYTES) -> bytes:
    """Returns a file's bytes.

    Raises:
        KnownError: it is missing, unreadable or longer than `limit`.
    """
    try:
        size = path.stat().st_size
        if size > limit:
            raise KnownError(
                doing,
                f"{path.name} has {size} bytes; at most {limit} are read",
                "Split the file, or leave it out.",
            )
        return path.read_bytes()
    except OSError as error:
        raise KnownError(
            doing,
            f"{path.name}: {error.strerror or error}",
            "Check that the file is there and may be read.",
        ) from error


def json_value(data: bytes) -> Any:
    """Returns the JSON value in the bytes; a byte order mark before it is passed over.

    Raises:
        ValueError: it is no JSON, or nested deeper than `MAX_DEPTH`, in a few words.
    """
    if not data.strip():
        raise ValueError("it is empty")
    try:
        value = msgspec.json.decode(data.removeprefix(codecs.BOM_UTF8))
    except RecursionError as error:
        raise ValueError(_TOO_DEEP) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"it is not JSON ({error})") from error
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [
            inner
            for held in level
            if isinstance(held, list | dict)
            for inner in (held.values() if isinstance(held, dict) else held)
        ]
        if not level:
            return value
    raise ValueError(_TOO_DEEP)


_TOO_DEEP = f"it is nested deeper than {MAX_DEPTH}"


def json_lines(path: Path, doing: str) -> Iterator[tuple[int, Any | Refused]]:
    """Yields (line number from 1, JSON value or why there is none); blank lines are passed over.

    A line longer than `MAX_LINE_BYTES` is refused, not held in memory.

    Raises:
        KnownError: the file cannot be opened.
    """
    try:
        stream = path.open("rb")
    except OSError as error:
        raise KnownError(
            doing, f"{path.name}: {error.strerror or error}", "Check that the file is there."
        ) from error
    with stream:
        number = 0
        while line := stream.readline(MAX_LINE_BYTES + 1):
            number += 1
            where = f"{path.name} line {number}"
            if len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
                length = len(line)
                while line and not line.endswith(b"\n"):
                    line = stream.readline(MAX_LINE_BYTES)
                    length += len(line)
                yield (
                    number,
                    Refused(where, f"it has {length} bytes; at most {MAX_LINE_BYTES} are read"),
                )
                continue
            if not line.strip():
                continue
            try:
                yield number, json_value(line)
            except ValueError as error:
                yield number, Refused(where, str(error))


def inside(folder: Path, name: str) -> Path | None:
    """Returns the path of a file named by a file, or None where it would leave `folder`.

    Symbolic links are followed first: one that points out of the folder leaves it.
    """
    if not name or len(name) > MAX_NAME * 4 or "\0" in name or "\\" in name:
        return None
    pure = PurePosixPath(name)
    if pure.is_absolute() or ".." in pure.parts:
        return None
    if any(len(part.encode(errors="replace")) > MAX_PART for part in pure.parts):
        return None
    path = folder / pure
    try:
        resolved = path.resolve()
    except (OSError, RuntimeError, UnicodeEncodeError):  # a loop of links is a RuntimeError
        return None
    return path if resolved.is_relative_to(folder.resolve()) else None


def plain_name(name: str) -> bool:
    """Says whether a text can be a file's name as it is: no folder, no surprises."""
    return (
        0 < len(name) <= MAX_NAME
        and name not in (".", "..")
        and not any(c in '/\\\0:*?"<>|' or ord(c) < 32 for c in name)
    )


def sha256_hex(data: bytes) -> str:
    """Returns the bytes' SHA-256 as 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def shown(value: Any) -> str:
    """Returns a JSON value for a sentence: cut short, and "missing" for null."""
    if value is None:
        return "missing"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "…"
