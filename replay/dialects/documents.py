"""Rows in files that are not JSON lines: one JSON value, or a table.

A JSON value may be a list of rows, of lists of rows or of answers; an object that holds such a list
("predictions", "metrics": {"pred": ...}); an object of answers by step (`"<episode>_<step>": ...`);
or an object of step lists by episode. A table has a first line with the names of its columns,
divided by tabs, semicolons or commas.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import IO, Any

import msgspec

from episodes.errors import KnownError
from replay.dialect import Limits, Row
from replay.dialects.lines import (
    BOM,
    DECODER,
    broken,
    lines_of,
    not_utf8,
    opened,
    rescue,
    respelled,
    too_large,
    too_many,
)
from replay.dialects.places import identity_of, place_of_key, word_of

WRAPPERS = (
    *("predictions", "prediction", "preds", "pred", "results", "result", "responses", "outputs"),
    *("answers", "records", "samples", "items", "rows", "data", "episodes", "trajectories"),
    *("metrics", "details", "logs", "steps"),
)
STEP_LISTS = (
    *("steps", "predictions", "preds", "actions", "answers", "responses", "outputs", "results"),
    *("trajectory", "steplist", "stepresults", "data"),
)
_MOST_DEPTH = 5
_VALUE_BYTES = 100
"""What a value takes in memory at most beside its text, about."""
_PART = 1 << 20
_DELIMITERS = ("\t", ";", ",")


def values_in(path: Path, limits: Limits) -> Iterator[tuple[int, Any]]:
    """Yields the number and value of each row of a file, or a row with what is wrong with it.

    Raises:
        KnownError: the file cannot be read as a whole, or is larger than is read.
    """
    with opened(path) as file:
        head = file.read(4096).removeprefix(BOM).lstrip()
        file.seek(0)
        if head.startswith(b"[") or (head.startswith(b"{") and _is_document(file, limits)):
            yield from _document(_text(file, path, limits), path, limits)
            return
        file.seek(0)
        delimiter = _delimiter(head)
        if delimiter:
            yield from _table(file, delimiter, path, limits)
        else:
            yield from _flat_lines(lines_of(file, path, limits))


def _flat_lines(lines: Iterator[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    for number, value in lines:
        if isinstance(value, Row):
            yield number, value
        else:
            for one in expanded(value):
                yield number, one


def expanded(value: Any, depth: int = 0) -> Iterator[Any]:
    """Yields the rows of a value: those of the lists in it, and an episode's steps one by one."""
    if isinstance(value, list) and depth < _MOST_DEPTH:
        for one in value:
            yield from expanded(one, depth + 1)
    elif isinstance(value, dict):
        yield from _steps_of(value)
    else:
        yield value


def _steps_of(decoded: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields the steps of an object that holds an episode's list of them, or the object itself."""
    found = identity_of(decoded)
    listed = next(
        (v for k, v in decoded.items() if word_of(k) in STEP_LISTS and isinstance(v, list)), None
    )
    if not found.episode or found.step >= 0 or listed is None:
        yield decoded
        return
    yield from _listed(found.episode, listed)


def _listed(episode: str, steps: list[Any]) -> Iterator[dict[str, Any]]:
    """Yields the steps of a list, numbered by their place where they do not say theirs."""
    for index, one in enumerate(steps):
        if not isinstance(one, dict):
            yield {"episode": episode, "step": index, "raw": one}
            continue
        own = identity_of(one)
        place = {"episode": own.episode or episode, "step": own.step if own.step >= 0 else index}
        bare = {k: v for k, v in one.items() if word_of(k) not in ("episode", "step")}
        yield {**place, **bare}


def _object_rows(told: dict[str, Any], depth: int = 0) -> Iterator[Any]:
    """Yields the rows of an object that is a whole file."""
    if identity_of(told).step >= 0 or depth > _MOST_DEPTH:
        yield told
        return
    if identity_of(told).episode:
        yield from _steps_of(told)
        return
    words = {word_of(key): value for key, value in told.items()}
    for name in WRAPPERS:
        held = words.get(name)
        if isinstance(held, list):
            yield from expanded(held)
            return
        if isinstance(held, dict) and held:
            yield from _object_rows(held, depth + 1)
            return
    keyed = [(key, place_of_key(key), value) for key, value in told.items()]
    if keyed and all(isinstance(value, list | dict) for _, _, value in keyed):
        inner = [_by_step(key, value) for key, _, value in keyed]
        if all(found is not None for found in inner):
            for rows in inner:
                yield from rows or ()
            return
    if keyed and all(place is not None for _, place, _ in keyed):
        for _, place, value in keyed:
            if place is not None:
                member = value if isinstance(value, dict) else {"raw": value}
                whole = identity_of(member) if isinstance(value, dict) else None
                if whole is not None and whole.episode and whole.step >= 0:
                    yield member
                else:
                    held = {"raw": value} if not _has_text(member) else member
                    yield {"episode": place[0], "step": place[1], **held}
        return
    yield told


def _has_text(member: dict[str, Any]) -> bool:
    """Returns whether an object is a row with an answer in it, and not the answer itself."""
    return any(
        word_of(key) in ("raw", "pred", "prediction", "response", "output", "answer", "text")
        for key in member
    )


def _by_step(episode: str, held: Any) -> list[dict[str, Any]] | None:
    """Returns the rows of an episode's list or object of steps; None if it is neither."""
    if isinstance(held, list):
        return list(_listed(episode, held))
    if held and all(key.removeprefix("step_").isdecimal() and len(key) < 13 for key in held):
        rows = []
        for key, value in held.items():
            step = int(key.removeprefix("step_"))
            member = value if isinstance(value, dict) and _has_text(value) else {"raw": value}
            rows.append({"episode": episode, "step": step, **member})
        return rows
    return None


def _is_document(file: IO[bytes], limits: Limits) -> bool:
    """Returns whether a file that begins with an object is one JSON value, not JSON lines."""
    first = file.readline(limits.row_bytes + 1)
    while first and not first.removeprefix(BOM).strip():
        first = file.readline(limits.row_bytes + 1)
    second = b""
    if first.endswith(b"\n"):
        while (line := file.readline(limits.row_bytes + 1)) and not second:
            second = line.strip()
    else:
        second = file.readline(1).strip()
    file.seek(0)
    try:
        msgspec.json.decode(first.removeprefix(BOM))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        unfinished = first.rstrip().endswith((b"{", b"[", b",", b":"))
        return unfinished and bool(second) and not second.startswith(b"{")
    return not second


def _text(file: IO[bytes], path: Path, limits: Limits) -> str:
    most = min(limits.document_bytes, limits.file_bytes)
    parts, size = [], 0
    while part := file.read(_PART):  # one read of all would set `most` bytes aside at once
        parts.append(part)
        size += len(part)
        if size > most:
            raise too_large(path, most)
    data = b"".join(parts).removeprefix(BOM)
    parts.clear()
    values = sum(data.count(sign) for sign in (b"{", b"[", b","))
    if values * _VALUE_BYTES + len(data) > limits.held_bytes:
        raise KnownError(
            f"read {path.name}",
            f"its {values:,} values would take more than {limits.held_bytes / 1e9:g} GB of memory",
            "Write it as JSON lines, which are read one by one.",
        )
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data":
            return data.decode("utf-8", "replace")
        raise not_utf8(path, data) from error


def _document(text: str, path: Path, limits: Limits) -> Iterator[tuple[int, Any]]:
    number = 0
    for value in _values(text, path, limits):
        rows = iter([value]) if isinstance(value, Row) else expanded(value)
        for row in rows:
            number += 1
            if number > limits.rows:
                raise too_many(path, limits)
            if isinstance(row, Row):
                row = rescue(row.raw, row.problem, path, number)
            yield number, row


def _values(text: str, path: Path, limits: Limits) -> Iterator[Any]:
    at = _skip(text, 0)
    seen = 0
    while at < len(text):
        if text[at] == "[":
            at = yield from _elements(text, at + 1, path, limits)
        else:
            value, at = _value(text, at, path, limits)
            yield from _object_rows(value) if isinstance(value, dict) else [value]
        at = _skip(text, at)
        at = _skip(text, at + 1) if text[at : at + 1] == "," else at
        seen += 1
        if seen > limits.rows:
            raise too_many(path, limits)


def _elements(text: str, at: int, path: Path, limits: Limits) -> Generator[Any, None, int]:
    """Yields a list's elements and returns where it ends."""
    at = _skip(text, at)
    count = 0
    while text[at : at + 1] != "]":
        count += 1
        if count > limits.rows:
            raise too_many(path, limits)
        value, at = _value(text, at, path, limits)
        yield value
        at = _skip(text, at)
        if at >= len(text) and isinstance(value, Row):
            return at
        if at >= len(text):
            yield broken("", "the file ends before its list does", path, count)
            return at
        if text[at] == ",":
            at = _skip(text, at + 1)
        elif text[at] != "]":
            raise _no_json(text, at, path)
    return at + 1


def _value(text: str, at: int, path: Path, limits: Limits) -> tuple[Any, int]:
    """Returns the value at a place, and where it ends; what the file's end cuts off is a row."""
    try:
        value, end = DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text) or error.msg.startswith("Unterminated string")
        if at > 0 and text[at] == "{" and (cut or "}" not in text[error.pos :]):
            problem = "the file ends inside this element"
            return broken(text[at : at + limits.row_bytes], problem, path, 0), len(text)
        raise _no_json(text, error.pos, path) from error
    except RecursionError as error:
        raise KnownError(
            f"read {path.name}", "it is nested too deeply", "Give JSON lines or one JSON list."
        ) from error
    if isinstance(value, dict) and end - at > limits.row_bytes and not _holds_rows(value):
        problem = f"the element is longer than {limits.row_bytes} bytes"
        return broken(text[at : at + limits.row_bytes], problem, path, 0), end
    if "\\u" in text[at:end]:
        value = msgspec.json.decode(respelled(text[at:end].encode()))
    return value, end


def _holds_rows(decoded: dict[str, Any]) -> bool:
    return identity_of(decoded).step < 0 and any(
        isinstance(v, list | dict) for v in decoded.values()
    )


def _no_json(text: str, at: int, path: Path) -> KnownError:
    line = text.count("\n", 0, at) + 1
    begins = text.rfind("\n", 0, at) + 1
    shown = text[begins : begins + 60].strip().split("\n")[0]
    comment = shown.startswith(("//", "#", "/*"))
    found = f"it stops being JSON in line {line}, at “{shown[:40]}”"
    if comment:
        return KnownError(
            f"read {path.name}",
            f"{found}: JSON has no comments",
            "Take the comments out, or give JSON lines or one JSON list.",
        )
    return KnownError(f"read {path.name}", found, "Give JSON lines or one JSON list.")


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return at


def _delimiter(head: bytes) -> str:
    """Returns what divides the columns of a table whose first line names them; "" for no table."""
    first = head.split(b"\n", 1)[0].decode("utf-8", "replace").strip()
    for delimiter in _DELIMITERS:
        names = [name.strip().strip('"') for name in first.split(delimiter)]
        known = identity_of(dict.fromkeys(names, "0_0.png"))
        columns = {word_of(name) for name in names}
        named = known.episode or columns & {"pred", "prediction", "raw", "response", "predict"}
        if len(names) > 1 and named and not first.startswith(("{", "[")):
            return delimiter
    return ""


def _table(
    file: IO[bytes], delimiter: str, path: Path, limits: Limits
) -> Iterator[tuple[int, Any]]:
    csv.field_size_limit(limits.row_bytes)
    table = csv.reader(_table_lines(file, path, limits), delimiter=delimiter)
    try:
        names = [name.strip() for name in next(table)]
        for number, cells in enumerate(table, start=1):
            if number > limits.rows:
                raise too_many(path, limits)
            if any(cells):
                yield number, dict(zip(names, cells, strict=False))
    except csv.Error as error:
        raise KnownError(
            f"read {path.name}",
            f"line {table.line_num} is no line of a table ({error})",
            "Write the table anew, or give JSON lines.",
        ) from error


def _table_lines(file: IO[bytes], path: Path, limits: Limits) -> Iterator[str]:
    size = 0
    while line := file.readline(limits.row_bytes + 1):
        size += len(line)
        if size > limits.file_bytes:
            raise too_large(path, limits.file_bytes)
        try:
            yield line.removeprefix(BOM).decode()
        except UnicodeDecodeError as error:
            raise not_utf8(path, line) from error
