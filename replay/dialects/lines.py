"""Files of predictions opened with bounded sizes, and JSON lines read one by one.

Files may be compressed with gzip. Everything is UTF-8: a file in another encoding is refused as a
whole, because reading the lines that happen to be ASCII would leave the others out of the score.
"""

from __future__ import annotations

import gzip
import json
import math
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

import msgspec

from episodes.errors import KnownError
from replay.dialect import NO_STEP, Limits, Row
from replay.dialects.places import identity_of, rescued

BOM = b"\xef\xbb\xbf"
_OTHER_FILES = {
    b"PK\x03\x04": "a ZIP archive or a spreadsheet",
    b"PAR1": "a Parquet file",
    b"\x28\xb5\x2f\xfd": "compressed with Zstandard",
    b"BZh": "compressed with bzip2",
    b"\xfd7zXZ": "compressed with xz",
}
_FOREIGN = ("gb18030", "big5", "shift_jis", "euc_kr", "cp1252")
_GZIP = b"\x1f\x8b"


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """Opens a file, unpacking gzip.

    Raises:
        KnownError: it cannot be read, is damaged, or holds neither UTF-8 nor gzip.
    """
    doing = f"read {path.name}"
    try:
        with path.open("rb") as plain:
            head = plain.read(4)
        with gzip.open(path) if head.startswith(_GZIP) else path.open("rb") as found:
            file = cast(IO[bytes], found)
            _check_bytes(file.read(4096), path)
            file.seek(0)
            yield file
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise KnownError(
            doing, f"the compressed file is damaged or cut off ({error})", "Copy it here again."
        ) from error
    except OSError as error:
        raise KnownError(
            doing, f"{error.strerror}", "Check the file's place and its rights."
        ) from error


def objects(path: Path, limits: Limits) -> Iterator[tuple[int, Any]]:
    """Yields each line's number and JSON value, or a row with its problem; empty lines are nothing.

    A line with several objects, as writers that share a file leave it, yields each of them.

    Raises:
        KnownError: the file cannot be read, has too many lines, or is in another encoding.
    """
    with opened(path) as file:
        yield from lines_of(file, path, limits)


def lines_of(file: IO[bytes], path: Path, limits: Limits) -> Iterator[tuple[int, Any]]:
    """Yields what `objects` yields of an open file."""
    number = size = 0
    encoding = _Encoding(path)
    while line := file.readline(limits.row_bytes + 1):
        number += 1
        size += len(line)
        if number > limits.rows:
            raise too_many(path, limits)
        if size > limits.file_bytes:
            raise too_large(path, limits.file_bytes)
        if len(line) > limits.row_bytes and not line.endswith(b"\n"):
            while (rest := file.readline(limits.row_bytes)) and not rest.endswith(b"\n"):
                size += len(rest)
            problem = f"the line is longer than {limits.row_bytes} bytes"
            yield number, _rescued(line.decode("utf-8", "replace"), problem, path, number)
        elif line.strip():
            line = line.removeprefix(BOM).rstrip(b"\r\n")
            encoding.add(line, number)
            for value in _values(line, path, number):
                yield number, value
    encoding.check()


def respelled(data: bytes) -> bytes:
    """Returns JSON without what Python's own writer and reader take and the strict one does not.

    Half a surrogate pair becomes a question mark; NaN, Infinity and numbers beyond 64 bits become
    texts.

    Raises:
        ValueError: it is not JSON for Python either.
        RecursionError: it is nested too deeply.
    """
    return json.dumps(json_value(data.decode()), ensure_ascii=False).encode("utf-8", "replace")


def json_value(text: str) -> Any:
    """Returns the JSON value of a text as Python reads it, with bounded numbers."""
    return json.loads(text, parse_constant=str, parse_float=_finite, parse_int=_whole)


DECODER = json.JSONDecoder(
    parse_constant=str, parse_float=lambda text: _finite(text), parse_int=lambda text: _whole(text)
)


def broken(raw: str, problem: str, path: Path, number: int) -> Row:
    """Returns a row of which not even the step is known."""
    return Row("", NO_STEP, clean(raw), problem=problem, file=path.name, line=number)


def clean(text: str) -> str:
    """Returns the text with what is not a character (half a surrogate pair) replaced."""
    return text.encode("utf-8", "replace").decode("utf-8") if not text.isascii() else text


def too_many(path: Path, limits: Limits) -> KnownError:
    """Returns the error for a file with more rows than are read."""
    return KnownError(
        f"read {path.name}",
        f"it has more than {limits.rows} rows",
        "Split it into several files.",
    )


def too_large(path: Path, most: int) -> KnownError:
    """Returns the error for a file with more bytes than are read."""
    return KnownError(
        f"read {path.name}", f"it is larger than {most} bytes", "Split it into several files."
    )


def rescue(text: str, problem: str, path: Path, number: int) -> Row:
    """Returns the row of a text that cannot be read, joined to its step if it still names one.

    An answer that was cut off or is too long is a wrong answer, not a missing one.
    """
    return _rescued(text, problem, path, number)


def _rescued(text: str, problem: str, path: Path, number: int) -> Row:
    found = identity_of(rescued(text))
    return Row(
        found.episode,
        found.step,
        clean(text[:1000].strip()),
        problem=problem,
        file=path.name,
        line=number,
        number=found.number,
    )


def _values(line: bytes, path: Path, number: int) -> Iterator[Any]:
    try:
        yield msgspec.json.decode(line)
        return
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    try:
        yield msgspec.json.decode(respelled(line))
        return
    except (ValueError, RecursionError) as error:
        problem = f"the line is not JSON: {error}"
    text = line.decode("utf-8", "replace")
    if "�" in text and not _is_utf8(line):
        yield _rescued(text, "the line is not UTF-8", path, number)
        return
    yield from _several(text, problem, path, number)


def _several(text: str, problem: str, path: Path, number: int) -> Iterator[Any]:
    """Yields the objects of a line on which several writers wrote, whole and cut ones."""
    begins = text[: text.find(":") + 1].strip()
    rows = 0
    while text.strip() and rows < 100:
        rows += 1
        try:
            value, end = DECODER.raw_decode(text, len(text) - len(text.lstrip()))
        except (ValueError, RecursionError):
            again = text.find(begins, 1) if begins.startswith("{") else -1
            cut = text if again < 0 else text[:again]
            yield _rescued(cut, problem, path, number)
            text = "" if again < 0 else text[again:]
            continue
        if not isinstance(value, dict):
            yield _rescued(text, problem, path, number)
            return
        yield value
        text = text[end:]


def _check_bytes(head: bytes, path: Path) -> None:
    doing = f"read {path.name}"
    for begins, what in _OTHER_FILES.items():
        if head.startswith(begins):
            raise KnownError(doing, f"it is {what}", "Save the predictions as JSON lines.")
    wide = next(
        (
            name
            for bom, name in ((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"))
            if head.startswith(bom)
        ),
        "",
    )
    if wide or b"\0" in head:
        raise KnownError(
            doing,
            f"it is {wide or 'UTF-16 or no text at all'}, and predictions are read as UTF-8",
            "Save it as UTF-8.",
        )


class _Encoding:
    """Counts lines that are not UTF-8, to tell a damaged line from a file in another encoding."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._wide = 0
        self._foreign: list[tuple[int, bytes]] = []
        self._count = 0

    def add(self, line: bytes, number: int) -> None:
        """Looks at one line."""
        if line.isascii():
            return
        self._wide += 1
        try:
            line.decode()
        except UnicodeDecodeError as error:
            if error.reason == "unexpected end of data":
                return  # cut off within a character
            self._count += 1
            if len(self._foreign) < 20:
                self._foreign.append((number, line))

    def check(self) -> None:
        """Refuses the file where most of its lines beyond ASCII are not UTF-8."""
        if self._count * 2 <= self._wide:
            return
        first, _ = self._foreign[0]
        raise KnownError(
            f"read {self._path.name}",
            f"it is not UTF-8: row {first} and {self._count - 1} more cannot be read"
            f"{_looks_like([line for _, line in self._foreign])}",
            "Save it as UTF-8.",
        )


def not_utf8(path: Path, data: bytes) -> KnownError:
    """Returns the error for a file that is not UTF-8."""
    return KnownError(
        f"read {path.name}", f"it is not UTF-8{_looks_like([data])}", "Save it as UTF-8."
    )


def _looks_like(lines: list[bytes]) -> str:
    for encoding in _FOREIGN:
        try:
            for line in lines:
                line.decode(encoding)
        except UnicodeDecodeError:
            continue
        return f"; it may be {encoding.upper()}"
    return ""


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data"
    return True


def _finite(text: str) -> float | str:
    number = float(text)
    return number if math.isfinite(number) else text


def _whole(text: str) -> int | str:
    return int(text) if len(text) < 19 else text
