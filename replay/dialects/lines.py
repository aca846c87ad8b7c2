"""JSON lines, read one by one with bounded sizes."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from episodes.errors import KnownError
from replay.dialect import NO_STEP, Limits, Row

MAX_STEP = 1_000_000
MAX_NAME = 200

_BEGINS = re.compile(
    rb'\s*\{\s*"episode"\s*:\s*("(?:[^"\\\x00-\x1f]|\\.){1,1200}")\s*,\s*"step"\s*:\s*([0-9]{1,7})\s*[,}]'
)


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
                yield number, _unread(line, "", size, path, number)
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


def respelled(data: bytes) -> bytes:
    """Returns JSON without what Python's own writer and reader take and the strict one does not.

    Half a surrogate pair becomes a question mark; NaN, Infinity and numbers beyond 64 bits become
    texts.

    Raises:
        ValueError: it is no JSON for Python either.
        RecursionError: it is nested too deeply.
    """
    told = json.loads(data, parse_constant=str, parse_float=_finite, parse_int=_whole)
    return json.dumps(told, ensure_ascii=False).encode("utf-8", "replace")


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
    line = line.removeprefix(b"\xef\xbb\xbf").rstrip(b"\r\n")
    raw = line[:1000].decode("utf-8", "replace").strip()
    try:
        try:
            told = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            told = msgspec.json.decode(respelled(line))
    except (ValueError, RecursionError) as error:
        return _unread(line, raw, f"the line is not JSON: {error}", path, number)
    if not isinstance(told, dict):
        return broken(raw, "the line is not an object", path, number)
    return told


def _unread(line: bytes, raw: str, problem: str, path: Path, number: int) -> Row:
    """Returns the row of a line that cannot be read, joined to its step if it begins with it.

    An answer that was cut off or is too long is a wrong answer, not a missing one.
    """
    begins = _BEGINS.match(line[:2000])
    if begins is not None:
        try:
            where = place({"episode": json.loads(begins[1]), "step": int(begins[2])})
        except ValueError:
            where = ""
        if not isinstance(where, str):
            return Row(*where, clean(raw), problem=problem, file=path.name, line=number)
    return broken(raw, problem, path, number)


def _finite(text: str) -> float | str:
    number = float(text)
    return number if math.isfinite(number) else text


def _whole(text: str) -> int | str:
    return int(text) if len(text) < 19 else text
