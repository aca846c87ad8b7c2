"""Reads files of predictions as rows, bounded in number and memory, and finds their dialect."""

from __future__ import annotations

import hashlib
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path

from episodes.actions import Other
from episodes.errors import KnownError
from episodes.geometry import Size
from episodes.runs import RunFile, Unreadable
from replay.dialect import Declared, Dialect, Limits, Row
from replay.dialects import DIALECTS
from replay.findings import RunFinding
from replay.positions import in_order, name_no_step, places_in

ROW_BYTES = 1_000
"""Approximate memory in bytes of a row, its prediction and its action, without its text."""


def read_rows(
    files: tuple[Path, ...],
    dialect: Dialect,
    name: str,
    first_step: int = 0,
    limits: Limits = Limits(),  # noqa: B008 - frozen
) -> tuple[list[Row], tuple[RunFile, ...]]:
    """Returns the rows of the files, and each file's entry in the run's manifest.

    Args:
        name: the dialect's name as the user gave it.
        first_step: the files' number of an episode's first step.

    Raises:
        KnownError: a file cannot be read, or exceeds the limits.
    """
    if not files:
        raise KnownError("read the predictions", "no file is named", "Name one or more files.")
    rows: list[Row] = []
    read = []
    held = empty = 0
    for file in files:
        check_plain(file)
        before = len(rows)
        try:
            for row in dialect.rows(file, limits):
                held += ROW_BYTES + 2 * len(row.raw)
                empty += row.value is None and row.step < 0 and not row.episode
                if empty > limits.empty_rows:
                    raise KnownError(
                        f"read {file.name}",
                        f"more than {limits.empty_rows:,} rows name no step and hold no answer",
                        "Remove those rows, or look for the file's form in "
                        "docs/formats/predictions.md.",
                    )
                if held > limits.held_bytes:
                    raise KnownError(
                        f"read {file.name}",
                        f"its rows would take more than {limits.held_bytes / 1e9:g} GB of memory",
                        "Import it as several runs, each for a part of the steps.",
                    )
                if first_step and row.step >= 0:
                    row = replace(row, step=row.step - first_step)
                rows.append(row)
        except KnownError as error:
            raise or_in_another(error, (file,), name) from error
        with file.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        read.append(RunFile(file.name, digest, len(rows) - before))
    return (dialect.together(rows) if dialect.together is not None else rows), tuple(read)


def in_order_of_file(rows: list[Row], order: Path | None) -> tuple[list[Row], list[RunFinding]]:
    """Joins rows that name no step to the steps that a file lists; also returns a finding.

    Raises:
        KnownError: the rows name their steps, or their number differs from the file's.
    """
    if order is None:
        return rows, []
    doing = f"take the steps of the predictions from {order.name}"
    check_plain(order)
    if not name_no_step(rows):
        raise KnownError(doing, "they name their steps themselves", "Leave the order out.")
    places = places_in(order, Limits())
    if len(places) != len(rows):
        raise KnownError(
            doing,
            f"it lists {len(places)} steps, and there are {len(rows)} predictions",
            "Give the file whose order they are in, whole.",
        )
    text = (
        f"No row names its step: they were joined by their position to the {len(places)} steps of "
        f"{order.name}. If one is lacking or out of place, all after it are wrong."
    )
    return in_order(rows, places), [RunFinding("joined_by_position", text, len(rows))]


def check_plain(file: Path) -> None:
    """Refuses pipes and other files that can be read only once; the manifest needs their hash.

    Raises:
        KnownError: the file is missing, or is not a regular file.
    """
    doing = f"read {file.name or file}"
    try:
        plain = stat.S_ISREG(file.stat().st_mode)
    except OSError as error:
        raise KnownError(
            doing, error.strerror or str(error), "Check the path and its permissions."
        ) from error
    if not plain:
        raise KnownError(
            doing, "it is not a regular file", "Save the predictions in a file, and name that."
        )


ROWS = 20
WHOLE_BYTES = 8_000_000
"""A file of one JSON value is tried as a whole up to this size, and not at all beyond it."""
_SHARE = 0.5
_SCREEN = Size(1080, 2400)
_NAMED = 3


def dialects_that_read(file: Path) -> tuple[str, ...]:
    """Returns the dialects that can read most of a file's first rows, best first.

    Rows are not joined to a library, so two dialects of similar syntax may both be returned. Reads
    the beginning of the file about twenty times: not for a GUI thread.
    """
    shares: dict[str, tuple[float, float]] = {}
    with _beginning(file) as begun:
        if begun is not None:
            shares = {name: _share(begun, dialect) for name, dialect in DIALECTS.items()}
    found = [name for name, (share, _) in shares.items() if share >= _SHARE]
    return tuple(sorted(found, key=shares.__getitem__, reverse=True))


def or_in_another(error: KnownError, files: Sequence[Path], tried: str) -> KnownError:
    """Returns the error with the dialects that can read the first file added to its remedy."""
    words = in_other_words(files, tried)
    return KnownError(error.doing, error.found, f"{error.remedy} {words}") if words else error


def in_other_words(files: Sequence[Path], tried: str) -> str:
    """Returns a sentence with the other dialects that can read the first file; "" for none."""
    if not files:
        return ""
    found = [name for name in dialects_that_read(files[0]) if name != tried][:_NAMED]
    if not found:
        return ""
    return f"Its first rows can be read in the dialect {' or '.join(found)}."


@contextmanager
def _beginning(file: Path) -> Iterator[Path | None]:
    """Yields the file, or a copy of a large file's first lines; None if it cannot be tried."""
    most = Limits().row_bytes
    try:
        if file.stat().st_size <= WHOLE_BYTES:
            yield file  # one JSON value may span many lines
            return
        with file.open("rb") as stream:
            lines = [stream.readline(most) for _ in range(ROWS)]
    except OSError:
        yield None
        return
    first = lines[0].removeprefix(b"\xef\xbb\xbf").lstrip()
    if first.startswith(b"[") or not first.endswith(b"\n"):
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="taptrail-dialect-") as folder:
        copy = Path(folder, file.name)
        copy.write_bytes(b"".join(lines))
        yield copy


def _share(file: Path, dialect: Dialect) -> tuple[float, float]:
    """Returns the share of rows with a known action, and with an action the dialect lists."""
    try:
        rows = list(islice(dialect.rows(file, Limits()), ROWS))
        if dialect.together is not None:
            rows = dialect.together(rows)
    except KnownError:
        return 0.0, 0.0
    said = dialect.declared(Declared())
    read = [row for row in rows if not row.problem]
    actions = [dialect.action(row, _SCREEN, said) for row in read]
    fine = sum(not isinstance(action, Unreadable | Other) for action in actions)
    listed = sum(dialect.lists(row) for row in read)
    return (fine / len(rows), listed / len(rows)) if rows else (0.0, 0.0)
