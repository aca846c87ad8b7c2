"""JSON lines, read one by one with bounded sizes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from episodes.errors import KnownError
from replay.dialect import NO_STEP, Limits, Row

MAX_STEP = 1_000_000
MAX_NAME = 200


def objects(path: Path, limits: Limits) -> Iterator[tuple[int, dict[str, Any] | Row]]:
    """Yields each line's number and object, or a row with its problem; empty lines are nothing.

    Raises:
        KnownError: the file cannot be read, or has too many lines.
    """
    with _opened(path) as file:
        number = 0
        while line := file.readline(limits.row_bytes + 1):
            number += 1
            if number > limits.rows:
                raise too_many(path, limits)
            if len(line) > limits.row_bytes and not line.endswith(b"\n"):
                while (rest := file.readline(limits.row_bytes)) and not rest.endswith(b"\n"):
                    pass
                size = f"the line is longer than {limits.row_bytes} bytes"
                yield number, broken("", size, path, number)
            elif line.strip():
                yield number, _object(line, path, number)


def place(told: dict[str, Any]) -> tuple[str, int] | str:
    """Returns the episode and step an object speaks of, or what is wrong with them."""
    episode, step = told.get("episode"), told.get("step")
    if not isinstance(episode, str) or not 0 < len(episode) <= MAX_NAME:
        return "“episode” is not a text with the episode's name"
    if not isinstance(step, int) or isinstance(step, bool) or not 0 <= step <= MAX_STEP:
        return "“step” is not the step's number"
    return clean(episode), step


def broken(raw: str, problem: str, path: Path, number: int) -> Row:
    """Returns a row of which not even the step is known."""
    return Row("", NO_STEP, clean(raw), problem=problem, file=path.name, line=number)


def clean(text: str) -> str:
    """Returns the text with what is no character (half a surrogate pair) replaced."""
    return text.encode("utf-8", "replace").decode("utf-8") if not text.isascii() else text


def too_many(path: Path, limits: Limits) -> KnownError:
    """Returns the error for a file with more rows than are read."""
    return KnownError(
        f"read {path.name}",
        f"it has more than {limits.rows} rows",
        "Split it into several files.",
    )


def _opened(path: Path) -> Any:
    try:
        return path.open("rb")
    except OSError as error:
        raise KnownError(
            f"read {path.name}", f"{error.strerror}", "Check the file's place and its rights."
        ) from error


def _object(line: bytes, path: Path, number: int) -> dict[str, Any] | Row:
    try:
        told = msgspec.json.decode(line.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raw = line[:1000].decode("utf-8", "replace").strip()
        return broken(raw, f"the line is not JSON: {error}", path, number)
    if not isinstance(told, dict):
        raw = line[:1000].decode("utf-8", "replace").strip()
        return broken(raw, "the line is not an object", path, number)
    return told
