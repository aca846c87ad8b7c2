"""Parquet tables damaged: footers, columns of other types, rows that are not there, bombs."""

from __future__ import annotations

import io
from random import Random
from typing import Any

import pyarrow as arrow
import pyarrow.parquet as parquet

from tests.fuzz.mutators import hostile, of_bytes, of_json
from tests.fuzz.mutators.of_records import inside


def mutated(data: bytes, rng: Random) -> bytes:
    """Returns a table with its bytes, its footer, a column or a cell changed."""
    roll = rng.random()
    if roll < 0.2:
        return of_bytes.mutated(data, rng)
    if roll < 0.4:
        return _footer(data, rng)
    try:
        table = parquet.read_table(io.BytesIO(data))
    except (arrow.ArrowException, OSError, ValueError):
        return of_bytes.mutated(data, rng)
    return _written(_changed(table, rng), rng)


def _footer(data: bytes, rng: Random) -> bytes:
    """The metadata lies at the end: its bytes, its length (4 bytes), "PAR1"."""
    length = int.from_bytes(data[-8:-4], "little")
    start = len(data) - 8 - length
    what = rng.randrange(4)
    if what == 0:
        told = rng.choice((0, 1, length - 1, length + 1, 2**31 - 1, 2**32 - 1))
        return data[:-8] + told.to_bytes(4, "little") + data[-4:]
    if what == 1:
        return data[:start] + of_bytes.mutated(data[start:-8], rng) + data[-8:]
    if what == 2:  # single bytes of the metadata: counts, sizes, offsets
        changed = bytearray(data)
        for _ in range(rng.choice((1, 2, 6))):
            changed[rng.randrange(start, len(data) - 8)] = rng.choice(
                (0, 1, 0x7F, 0x80, 0xFE, 0xFF)
            )
        return bytes(changed)
    changed = bytearray(data)
    for _ in range(rng.choice((1, 4))):  # the pages before it
        changed[rng.randrange(4, max(start, 5))] = rng.randrange(256)
    return bytes(changed)


def _changed(table: Any, rng: Random) -> Any:
    names = table.column_names
    at = rng.randrange(len(names))
    name = rng.choice((names[at], "line" if "line" in names else names[at]))
    at = names.index(name)
    roll = rng.random()
    if roll < 0.08:
        return table.remove_column(at)
    if roll < 0.14:
        return table.slice(0, rng.randrange(table.num_rows + 1))
    if roll < 0.2:
        return arrow.concat_tables([table] * rng.choice((2, 30)))
    if roll < 0.26:
        return table.take(rng.sample(range(table.num_rows), table.num_rows))
    if roll < 0.32:
        return table.rename_columns(
            [
                hostile.text(rng)[:99].encode("utf-8", "replace").decode() if n == name else n
                for n in names
            ]
        )
    values = table.column(at).to_pylist()
    if roll < 0.46:
        kind = rng.choice(
            (
                arrow.int64(),
                arrow.float64(),
                arrow.binary(),
                arrow.list_(arrow.int8()),
                arrow.null(),
                arrow.bool_(),
            )
        )
        return table.set_column(at, name, arrow.array([None] * len(values), kind))
    if not values:
        return table
    row = rng.randrange(len(values))
    if roll < 0.52:  # packs well
        values[row] = rng.choice((b"\0", b'{"a":')) * rng.choice((1_000_000, 20_000_000))
    else:
        values[row] = _cell(values[row], rng)
    try:
        column = arrow.array(values, table.schema.field(at).type)
    except (arrow.ArrowException, TypeError, ValueError, OverflowError, UnicodeError):
        values = [None] * len(values)
        column = arrow.array(values, table.schema.field(at).type)
    return table.set_column(at, name, column)


def _cell(value: Any, rng: Random) -> Any:
    if isinstance(value, str):
        found = of_json.mutated(value.encode(), rng) if value[:1] in "{[" else None
        if found is None:
            found = of_json.spoilt(value, rng).encode("utf-8", "replace")
        return found.decode("utf-8", "replace")
    if isinstance(value, bytes):
        return inside(value, rng)
    if isinstance(value, int | float):
        return rng.choice((None, 0, -1, 2**31 - 1, 2**63 - 1))
    return None


def _written(table: Any, rng: Random) -> bytes:
    stream = io.BytesIO()
    parquet.write_table(
        table,
        stream,
        compression=rng.choice(("zstd", "gzip", "snappy", "none")),
        row_group_size=rng.choice((1, 7, 10_000)),
        use_dictionary=rng.random() < 0.5,
        version=rng.choice(("1.0", "2.6")),
    )
    return stream.getvalue()
