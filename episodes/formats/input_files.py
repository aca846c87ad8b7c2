"""What all readers share: refusals, bounded files, names that may not leave their folder."""

from __future__ import annotations

import codecs
import hashlib
import json
import math
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Protocol

import msgspec

from episodes.errors import KnownError
from episodes.media.pictures import Pixels
from episodes.screens import Still

MAX_JSON_BYTES = 64 * 1024 * 1024
MAX_LINE_BYTES = 16 * 1024 * 1024
MAX_DEPTH = 64
MAX_NAME_BYTES = 200
MAX_PART_BYTES = 255
MAX_PATH_BYTES = 800


@dataclass(frozen=True, slots=True)
class Refused:
    """Something that was refused.

    Attributes:
        where: file, and step and field where there are such.
        count: how many pieces of this kind at this place.
    """

    where: str
    reason: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class ImportNote:
    """Something that came in, but not as one would expect."""

    where: str
    reason: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class MissingPicture(ImportNote):
    """A step that came in without its picture: it is not there, or cannot be used."""


class BadName(ValueError):
    """A name does not lead to a file of its folder; the text says why, and follows the name."""


class BadPicture(KnownError):
    """A picture's file cannot be read, or is not a picture."""


class PictureStore(Protocol):
    """Where readers put pictures: a library's still files."""

    def keep(self, path: Path) -> Still:
        """Keeps the file's bytes, unchanged.

        Raises:
            BadPicture: it cannot be read, is not a picture, or is too large.
            KnownError: the picture store has no room for it.
        """

    def keep_bytes(self, data: bytes, name: str) -> Still:
        """Keeps a picture's bytes, unchanged; `name` says in errors where they come from.

        Raises: as `keep`.
        """

    def keep_pixels(self, pixels: Pixels, name: str) -> Still:
        """Keeps pixels, (height, width, 3), red first, as a PNG.

        Raises: as `keep`.
        """


class StillPaths(Protocol):
    """Where writers find pictures: a library's still files."""

    def path(self, sha256: str, media_type: str) -> Path:
        """Returns the file of a still."""


def regular_file_size(path: Path, doing: str) -> int:
    """Returns how many bytes a file has. A pipe or a device, which may never end, is refused.

    Raises:
        KnownError: it is missing, or no plain file.
    """
    try:
        about = path.stat()
    except OSError as error:
        raise _unreadable(path, doing, error) from error
    if not stat.S_ISREG(about.st_mode):
        raise KnownError(
            doing, f"{path.name} is not a regular file", "Replace it with a file, or remove it."
        )
    return about.st_size


def file_bytes(path: Path, doing: str, limit: int = MAX_JSON_BYTES) -> bytes:
    """Returns a file's bytes. A pipe or a device, which may never end, is not opened.

    Raises:
        KnownError: it is missing, unreadable, no plain file, or longer than `limit`.
    """
    size = regular_file_size(path, doing)
    if size > limit:
        raise KnownError(
            doing,
            f"{path.name} has {size} bytes; at most {limit} are read",
            "Split the file, or leave it out.",
        )
    try:
        return path.read_bytes()
    except OSError as error:
        raise _unreadable(path, doing, error) from error


def first_bytes(path: Path, count: int) -> bytes:
    """Returns how a file begins; nothing where it is not a regular file of its folder."""
    try:
        if not path_inside(path.parent, path.name).is_file():
            return b""
        with path.open("rb") as stream:
            return stream.read(count)
    except (BadName, OSError):
        return b""


def _unreadable(path: Path, doing: str, error: OSError) -> KnownError:
    return KnownError(
        doing,
        f"{path.name}: {error.strerror or error}",
        "Check that the file is there and may be read.",
    )


def path_exists(path: Path) -> bool:
    """Returns whether there is anything at a path.

    Raises:
        OSError: there is no telling: a folder on the way may not be entered.
    """
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def json_value(data: bytes, *, odd_numbers: bool = False) -> Any:
    """Returns the JSON value in the bytes; a byte order mark before it is skipped.

    Args:
        odd_numbers: whether NaN and numbers beyond all floats are taken, and halves of
            characters; the caller then looks for them (`invalid_json_part`).

    Raises:
        ValueError: it is not JSON, or nested deeper than `MAX_DEPTH`, in a few words.
    """
    if not data.strip():
        raise ValueError("it is empty")
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        value = msgspec.json.decode(data)
    except RecursionError as error:
        raise ValueError(_TOO_DEEP) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        try:
            text = data.decode()
        except UnicodeDecodeError:
            raise ValueError("it is not UTF-8") from error
        if "\0" in text[:4]:  # UTF-16 or UTF-32 without a mark
            raise ValueError("it is not UTF-8") from error
        reason = f"it is not JSON ({error})"
        if not odd_numbers:
            raise ValueError(reason) from error
        try:
            value = json.loads(text)
        except RecursionError:
            raise ValueError(_TOO_DEEP) from error
        except ValueError:
            raise ValueError(reason) from error
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


def invalid_json_part(value: Any, name: str = "") -> str:
    """Returns what in a JSON value JSON itself does not allow, with its place; "" for nothing."""
    if isinstance(value, float) and not math.isfinite(value):
        return f"{name} is {format_value(value)}, not a finite number"
    if isinstance(value, str) and any("\ud800" <= c <= "\udfff" for c in value):
        return f"{name} holds half a character"
    if isinstance(value, dict):
        inner = [(f"{name}.{key}" if name else str(key), held) for key, held in value.items()]
        inner += [(name or "a member's name", key) for key in value]
    elif isinstance(value, list):
        inner = [(f"{name}[{number}]", held) for number, held in enumerate(value)]
    else:
        return ""
    return next((found for place, held in inner if (found := invalid_json_part(held, place))), "")


_TOO_DEEP = f"it is nested deeper than {MAX_DEPTH}"


def json_lines(path: Path, doing: str) -> Iterator[tuple[int, Any | Refused]]:
    """Yields (line number from 1, JSON value or why there is none); blank lines are skipped.

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


def path_inside(folder: Path, name: str) -> Path:
    """Returns the path of a file named by a file.

    Symbolic links are followed first: one that points out of the folder leaves it.

    Raises:
        BadName: it would leave `folder`, or cannot be a name.
    """
    if not name:
        raise BadName("is empty")
    for character, called in (("\0", "a NUL"), ("\\", "a backslash")):
        if character in name:
            raise BadName(f"holds {called}")
    pure = PurePosixPath(name)
    sizes = [len(part.encode(errors="replace")) for part in pure.parts]
    if max(sizes, default=0) > MAX_PART_BYTES or sum(sizes) > MAX_PATH_BYTES:
        raise BadName("is too long for a file's name")
    if pure.is_absolute() or ".." in pure.parts:
        raise BadName("leads out of its folder")
    path = folder / pure
    try:
        resolved = path.resolve()
    except (OSError, RuntimeError) as error:  # a loop of links is a RuntimeError
        raise BadName("leads round in a circle") from error
    except UnicodeEncodeError as error:
        raise BadName("is no text") from error
    if not resolved.is_relative_to(folder.resolve()):
        raise BadName("leads out of its folder")
    return path


def file_in_folder(folder: Path, name: str, doing: str) -> Path:
    """Returns the path of a file that belongs to a data set's folder, there or not.

    Raises:
        KnownError: it is a link that leads out of the folder.
    """
    try:
        return path_inside(folder, name)
    except BadName as error:
        raise KnownError(
            doing, f"{name} is a link that {error}", "Put the file itself there."
        ) from error


def is_file_name(name: str) -> bool:
    """Returns whether a text can be a file's name as it is: no folder, no surprises."""
    return not file_name_problem(name)


def file_name_problem(name: str) -> str:
    """Returns why a text cannot be a file's name, to follow its place; "" if it can."""
    if not name:
        return "is empty"
    if name in (".", ".."):
        return f"is {format_value(name)}, which names a folder"
    wrong = next((c for c in name if c in '/\\\0:*?"<>|' or ord(c) < 32), "")
    if wrong:
        return f"holds {format_value(wrong)}, which no file's name can"
    try:
        size = len(name.encode())
    except UnicodeEncodeError:
        return "holds half a character"
    if size > MAX_NAME_BYTES:
        return f"has {size} bytes; a file's name has at most {MAX_NAME_BYTES} here"
    return ""


def sha256_hex(data: bytes) -> str:
    """Returns the bytes' SHA-256 as 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def format_value(value: Any) -> str:
    """Returns a JSON value for a sentence: cut short, and "missing" for null."""
    if value is None:
        return "missing"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "…"
