"""The tables of the format parquet: their columns, and rows written and read one by one.

All tables are in the order of the episodes, and name the episode by `uuid`. So all are read side by
side with a few rows of each in memory. `pyarrow` is an extra: it is looked for when it is needed.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from episodes.errors import KnownError
from episodes.formats.input_files import file_in_folder, regular_file_size

EPISODES, STEPS, ACTIONS = "episodes.parquet", "steps.parquet", "actions.parquet"
TREES, REGIONS, PICTURES = "trees.parquet", "regions.parquet", "pictures.parquet"
TABLES = (EPISODES, STEPS, ACTIONS, TREES, REGIONS, PICTURES)

BATCH_ROWS = 512
BATCH_BYTES = 16 * 1024 * 1024
MAX_GROUP_BYTES = 256 * 1024 * 1024

_TEXT, _WHOLE, _NUMBER, _BYTES, _BOOL = "string", "int64", "float64", "binary", "bool"
_TEXTS, _PAIRS = "texts", "pairs"
COLUMNS: dict[str, dict[str, str]] = {
    EPISODES: {
        "uuid": _TEXT,
        "episode": _TEXT,
        "dataset": _TEXT,
        "version": _TEXT,
        "instruction": _TEXT,
        "category": _TEXT,
        "apps": _TEXTS,
        "splits": _PAIRS,
        "steps": _WHOLE,
        "line": _TEXT,
    },
    STEPS: {
        "uuid": _TEXT,
        "episode": _TEXT,
        "step": _WHOLE,
        "width": _WHOLE,
        "height": _WHOLE,
        "picture": _TEXT,
        "instruction": _TEXT,
        "package": _TEXT,
        "line": _TEXT,
    },
    ACTIONS: {
        "uuid": _TEXT,
        "episode": _TEXT,
        "step": _WHOLE,
        "number": _WHOLE,
        "role": _TEXT,
        "status": _TEXT,
        "kind": _TEXT,
        "x": _NUMBER,
        "y": _NUMBER,
        "end_x": _NUMBER,
        "end_y": _NUMBER,
        "direction": _TEXT,
        "text": _TEXT,
        "key": _TEXT,
        "app": _TEXT,
        "ending": _TEXT,
        "native_space": _TEXT,
        "native": _TEXT,
        "action": _TEXT,
    },
    TREES: {
        "uuid": _TEXT,
        "episode": _TEXT,
        "step": _WHOLE,
        "format": _TEXT,
        "status": _TEXT,
        "name": _TEXT,
        "data": _BYTES,
    },
    REGIONS: {
        "uuid": _TEXT,
        "episode": _TEXT,
        "step": _WHOLE,
        "left": _NUMBER,
        "top": _NUMBER,
        "right": _NUMBER,
        "bottom": _NUMBER,
        "source": _TEXT,
        "label": _TEXT,
        "status": _TEXT,
        "chosen": _BOOL,
        "name": _TEXT,
        "data": _BYTES,
    },
    PICTURES: {
        "uuid": _TEXT,
        "name": _TEXT,
        "media_type": _TEXT,
        "width": _WHOLE,
        "height": _WHOLE,
        "data": _BYTES,
    },
}
READ_OF = {
    EPISODES: ("uuid", "line"),
    STEPS: ("uuid", "line"),
    TREES: ("uuid", "name", "data"),
    REGIONS: ("uuid", "name", "data"),
    PICTURES: ("uuid", "name", "data"),
}
"""The columns an import reads; the others are for queries."""


def import_pyarrow(doing: str) -> Any:
    """Returns the module `pyarrow`, with its `parquet`.

    Raises:
        KnownError: it is not installed.
    """
    try:
        importlib.import_module("pyarrow.parquet")
        return importlib.import_module("pyarrow")
    except ImportError as error:
        raise KnownError(
            doing, "the package pyarrow is not installed", "Run: pip install taptrail[parquet]"
        ) from error


class TableWriter:
    """Writes one table; rows wait until there are enough for a group."""

    def __init__(self, folder: Path, name: str, doing: str) -> None:
        self._pa = import_pyarrow(doing)
        self._path = folder / name
        self._doing = doing
        self._schema = self._pa.schema(
            [(column, _type(self._pa, kind)) for column, kind in COLUMNS[name].items()]
        )
        packed = {column: "zstd" for column in COLUMNS[name] if column != "data"}
        plain = {"data": "none" if name == PICTURES else "zstd"} if "data" in COLUMNS[name] else {}
        with self._known():
            self._writer = self._pa.parquet.ParquetWriter(
                self._path, self._schema, compression={**packed, **plain}
            )
        self._rows: list[dict[str, Any]] = []
        self._bytes = 0

    def add(self, row: dict[str, Any]) -> None:
        """Writes a row; columns that are left out are null."""
        self._rows.append(row)
        self._bytes += sum(len(v) for v in row.values() if isinstance(v, str | bytes))
        if len(self._rows) >= BATCH_ROWS or self._bytes >= BATCH_BYTES:
            self._flush()

    def close(self) -> None:
        """Ends the file."""
        self._flush()
        with self._known():
            self._writer.close()

    def abandon(self) -> None:
        """Lets go of a file that is taken away."""
        with suppress(OSError, self._pa.ArrowException):
            self._writer.close()

    def _flush(self) -> None:
        if not self._rows:
            return
        with self._known():
            table = self._pa.Table.from_pylist(self._rows, schema=self._schema)
            self._writer.write_table(table)
        self._rows, self._bytes = [], 0

    def _known(self) -> _Known:
        return _Known(self._doing, self._path)


class TableReader:
    """The rows of one table, taken in order, as far as they belong to an episode."""

    def __init__(self, folder: Path, name: str, doing: str) -> None:
        self.left = 0
        self._name = name
        self._rows = _read(file_in_folder(folder, name, doing), READ_OF[name], doing)
        self._next = next(self._rows, None)

    def all(self) -> Iterator[dict[str, Any]]:
        """Yields every row."""
        while self._next is not None:
            row, self._next = self._next, next(self._rows, None)
            yield row

    def of(self, uuid: str) -> Iterator[dict[str, Any]]:
        """Yields the next rows, while they belong to that episode."""
        while self._next is not None and self._next["uuid"] == uuid:
            row, self._next = self._next, next(self._rows, None)
            yield row

    def rest(self) -> int:
        """Returns the number of unused rows."""
        return sum(1 for _ in self.all())


class _Known:
    """What pyarrow and the disk can do wrong, as a known error."""

    def __init__(self, doing: str, path: Path) -> None:
        self._doing = doing
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, OSError):
            raise KnownError(
                self._doing,
                f"{self._path}: {error.strerror or error}",
                "Make room or choose another folder.",
            ) from error


def _read(path: Path, columns: tuple[str, ...], doing: str) -> Iterator[dict[str, Any]]:
    pa = import_pyarrow(doing)
    regular_file_size(path, doing)
    try:
        with pa.parquet.ParquetFile(path, memory_map=False) as file:
            _check(pa, file, path, columns, doing)
            for group in range(file.metadata.num_row_groups):
                size = file.metadata.row_group(group).total_byte_size
                if size > MAX_GROUP_BYTES:
                    raise KnownError(
                        doing,
                        f"{path.name} has a row group of {size} bytes; "
                        f"at most {MAX_GROUP_BYTES} are read",
                        "Write it with smaller row groups.",
                    )
                batches = file.iter_batches(
                    batch_size=64, row_groups=[group], columns=list(columns), use_threads=False
                )
                for batch in batches:
                    yield from batch.to_pylist()
    except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
        told = str(error).partition("\n")[0][:200]
        raise KnownError(
            doing, f"{path.name}: {told}", "Check that it is a whole Parquet file."
        ) from error


def _check(pa: Any, file: Any, path: Path, columns: tuple[str, ...], doing: str) -> None:
    schema = file.schema_arrow
    for column in columns:
        there = schema.get_all_field_indices(column)
        kind = schema.field(there[0]).type if len(there) == 1 else None
        text = kind is not None and (pa.types.is_string(kind) or pa.types.is_large_string(kind))
        data = kind is not None and (pa.types.is_binary(kind) or pa.types.is_large_binary(kind))
        if not (data if column == "data" else text):
            wanted = "bytes" if column == "data" else "text"
            raise KnownError(
                doing,
                f"{path.name} has no column “{column}” of {wanted}",
                "Give the folder that `taptrail export parquet` wrote.",
            )


def _type(pa: Any, kind: str) -> Any:
    match kind:
        case "texts":
            return pa.list_(pa.string())
        case "pairs":
            return pa.list_(pa.struct([("split", pa.string()), ("part", pa.string())]))
        case "bool":
            return pa.bool_()
    return getattr(pa, kind)()
