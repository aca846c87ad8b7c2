"""In which dialects a file of predictions can be read, by trying each on its beginning."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from episodes.actions import Other
from episodes.errors import KnownError
from episodes.geometry import Size
from episodes.runs import Unreadable
from replay.dialect import Declared, Dialect, Limits
from replay.dialects import DIALECTS

ROWS = 20
WHOLE_BYTES = 8_000_000
"""A file that is one JSON value is tried as a whole; a larger one is not tried."""
_SHARE = 0.5
_SCREEN = Size(1080, 2400)
_NAMED = 3


def dialects_that_read(file: Path) -> tuple[str, ...]:
    """Returns the dialects that read actions in most of a file's first rows, the best first.

    Nothing is joined to a library, so two dialects of like syntax may both be named. Reads the
    file some twenty times over, its beginning only: not for a GUI thread.
    """
    shares: dict[str, tuple[float, float]] = {}
    with _beginning(file) as begun:
        if begun is not None:
            shares = {name: _share(begun, dialect) for name, dialect in DIALECTS.items()}
    found = [name for name, (share, _) in shares.items() if share >= _SHARE]
    return tuple(sorted(found, key=shares.__getitem__, reverse=True))


def or_in_another(error: KnownError, files: Sequence[Path], tried: str) -> KnownError:
    """Returns the error, with the dialects that do read the first file in its remedy."""
    words = in_other_words(files, tried)
    return KnownError(error.doing, error.found, f"{error.remedy} {words}") if words else error


def in_other_words(files: Sequence[Path], tried: str) -> str:
    """Returns which other dialects read the first file, in a sentence; "" for none."""
    if not files:
        return ""
    found = [name for name in dialects_that_read(files[0]) if name != tried][:_NAMED]
    if not found:
        return ""
    return f"Its first rows can be read in the dialect {' or '.join(found)}."


@contextmanager
def _beginning(file: Path) -> Iterator[Path | None]:
    """Yields the file, or one with the first lines of a large one; None for what is not tried."""
    most = Limits().row_bytes
    try:
        if file.stat().st_size <= WHOLE_BYTES:
            yield file  # one JSON value may stand on many lines
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
    """Returns the share of rows with a known action, and of those that the dialect itself lists."""
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
