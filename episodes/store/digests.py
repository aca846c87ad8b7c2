# ruff: noqa: S608 - only names of our own tables and columns are put in; values are bound
"""A digest in every row, so that a check finds rows that changed outside Taptrail.

The column `digest` holds the CRC-32 of a row's other columns, as MessagePack, in the order of the
table. CRC-32 finds every single flipped bit and every burst of up to 32 bits. Triggers that exist
only in the writer's connection keep the digests up to date: an edit with another program, a failing
disk or faulty memory leaves a wrong digest. Bulk writers pass the digest with the row, which costs
a third of what a trigger costs.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import msgspec

from episodes.store import columns as c

if TYPE_CHECKING:
    from sqlite_utils import Database

_FUNCTION = "row_digest"
_encode = msgspec.msgpack.Encoder().encode

_TABLES = (
    "SELECT name FROM main.sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' "
    "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_%' ESCAPE '\\' "
    "AND name NOT LIKE 'instruction\\_fts%' ESCAPE '\\' ORDER BY name"
)
_SCHEMA = (
    "SELECT type, name, tbl_name, sql FROM main.sqlite_master "
    "WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name"
)


@dataclass(frozen=True, slots=True)
class DigestColumns:
    """The columns of a table that its rows' digests cover.

    Attributes:
        keys: the columns of the primary key.
        defaults: what a column holds when an INSERT does not name it.
        reals: the columns in which SQLite turns whole numbers into floats.
    """

    name: str
    columns: tuple[str, ...]
    keys: tuple[str, ...]
    defaults: dict[str, c.Column]
    reals: tuple[str, ...]

    def completed(self, names: Iterable[str]) -> Callable[[c.Columns], c.Columns]:
        """Returns a function that adds defaults and the digest to rows with these columns.

        The rows have their `id` if the table has one, and hold no booleans (`columns.checked`).
        """
        given = set(names)
        missing = {name: value for name, value in self.defaults.items() if name not in given}
        reals = [name for name in self.reals if name in given]
        values_of = itemgetter(*self.columns)

        def complete(row: c.Columns) -> c.Columns:
            row.update(missing)
            for name in reals:
                if type(value := row[name]) is int:
                    row[name] = float(value)
            row["digest"] = zlib.crc32(_encode(values_of(row)))
            return row

        return complete


def row_digest(*values: Any) -> int:
    """Returns the digest of a row's values, as SQLite gives them back."""
    return zlib.crc32(_encode(values))


class Digests:
    """The tables and columns that digests cover, read once from the schema."""

    def __init__(self, db: Database) -> None:
        self._db = db

    @cached_property
    def tables(self) -> dict[str, DigestColumns]:
        """The tables that have digests, by name."""
        names = [name for (name,) in self._db.conn.execute(_TABLES).fetchall()]
        return {name: _table(self._db.conn, name) for name in names}

    def install(self) -> None:
        """Adds the triggers that keep the digests up to date. Call it once, on the writer's
        connection."""
        self._db.conn.execute("PRAGMA temp_store = MEMORY")
        _add_function(self._db)
        self._db.conn.executescript("".join(map(_triggers, self.tables.values())))


def add_columns(db: Database) -> None:
    """Adds the column `digest` to every table. Call it inside a transaction."""
    for (name,) in db.conn.execute(_TABLES).fetchall():
        columns = [row[1] for row in db.conn.execute(f"PRAGMA main.table_info({name})")]
        if "digest" not in columns:
            db.conn.execute(f"ALTER TABLE main.{name} ADD COLUMN digest INTEGER")


def fill(db: Database) -> None:
    """Writes the digests of all rows and of the schema. Call it inside a transaction."""
    _add_function(db)
    db.conn.execute("UPDATE library SET schema_digest = ?", (schema_digest(db),))
    for table in Digests(db).tables.values():
        db.conn.execute(f"UPDATE main.{table.name} SET digest = {_call(table)}")


def schema_digest(db: Database) -> int:
    """Returns the digest of the schema as it is stored."""
    return zlib.crc32(_encode([tuple(row) for row in db.conn.execute(_SCHEMA)]))


def changed_rows(
    conn: sqlite3.Connection, table: DigestColumns, where: str = "1", values: Sequence[Any] = ()
) -> Iterator[dict[str, Any]]:
    """Yields the rows with a wrong digest, of the whole table or of a condition."""
    names = (*table.columns, "digest")
    listed = ", ".join(f'"{name}"' for name in names)
    cursor = conn.execute(f"SELECT {listed} FROM {table.name} WHERE {where}", values)
    for row in cursor:
        if row[-1] != zlib.crc32(_encode(row[:-1])):
            yield dict(zip(names, row, strict=True))


def _table(conn: sqlite3.Connection, name: str) -> DigestColumns:
    info = [row for row in conn.execute(f"PRAGMA main.table_info({name})") if row[1] != "digest"]
    defaults = {row[1]: _default(conn, row[4]) for row in info}
    return DigestColumns(
        name=name,
        columns=tuple(row[1] for row in info),
        keys=tuple(row[1] for row in sorted(info, key=lambda row: row[5]) if row[5]),
        defaults=defaults,
        reals=tuple(row[1] for row in info if row[2] == "REAL"),
    )


def _default(conn: sqlite3.Connection, literal: str | None) -> c.Column:
    if literal is None:
        return None
    (value,) = conn.execute(f"SELECT {literal}").fetchone()
    return value  # type: ignore[no-any-return]


def _add_function(db: Database) -> None:
    db.conn.create_function(_FUNCTION, -1, row_digest, deterministic=True)


def _call(table: DigestColumns, prefix: str = "") -> str:
    values = ", ".join(f'{prefix}"{name}"' for name in table.columns)
    return f"{_FUNCTION}({values})"


def _triggers(table: DigestColumns) -> str:
    same = " AND ".join(f'"{key}" = new."{key}"' for key in table.keys)
    columns = ", ".join(f'"{name}"' for name in table.columns)
    update = f"UPDATE {table.name} SET digest = {_call(table, 'new.')} WHERE {same};"
    return (
        f"CREATE TEMP TRIGGER {table.name}_added AFTER INSERT ON main.{table.name} "
        f"WHEN new.digest IS NULL BEGIN {update} END;\n"
        f"CREATE TEMP TRIGGER {table.name}_updated AFTER UPDATE OF {columns} "
        f"ON main.{table.name} BEGIN {update} END;\n"
    )
