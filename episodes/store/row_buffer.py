# ruff: noqa: S608 - only names of our own tables and columns are put in; values are bound
"""Buffers new rows and writes them together, parents before children.

Keys are assigned here, because there is one writer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from episodes.store import columns as c
from episodes.store.digests import Digests

if TYPE_CHECKING:
    from sqlite_utils import Database

_TABLES = (  # parents first
    "author", "actor", "instruction", "task", "episode", "episode_app", "episode_split",
    "attempt", "device", "app_version", "segment", "packet", "gap", "clock_sample", "still",
    "frame", "tree_data", "tree", "step", "gesture", "region", "mask", "gold", "private_box",
)  # fmt: skip


Mark: TypeAlias = tuple[dict[str, int], int, int]


class RowBuffer:
    """Buffered rows. Belongs to the writer's thread."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self.digests = Digests(db)
        self._rows: dict[str, list[c.Columns]] = {table: [] for table in _TABLES}
        self._next: dict[str, int] = {}
        self._known: dict[tuple[str, object], int] = {}
        self.signatures: list[tuple[bytes, int]] = []

    def write(self) -> None:
        """Writes all buffered rows. Call it inside a transaction."""
        try:
            for table in _TABLES:
                rows = self._rows[table]
                if rows:
                    complete = self.digests.tables[table].completed(rows[0])
                    rows = [complete(row) for row in rows]
                    names = list(rows[0])
                    marks = ", ".join(f":{name}" for name in names)
                    self._db.conn.executemany(
                        f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})",
                        rows,
                    )
            self._db.conn.executemany(
                "UPDATE still SET signature = ? WHERE id = ? AND signature IS NULL",
                self.signatures,
            )
        finally:
            self.forget()

    def forget(self) -> None:
        """Drops all buffered rows."""
        for rows in self._rows.values():
            rows.clear()
        self.signatures.clear()
        self._known.clear()

    @property
    def size(self) -> int:
        """Number of buffered rows."""
        return sum(map(len, self._rows.values()))

    def mark(self) -> Mark:
        """Returns a mark for `back_to`."""
        counts = {table: len(rows) for table, rows in self._rows.items()}
        return counts, len(self.signatures), len(self._known)

    def back_to(self, mark: Mark) -> None:
        """Drops all rows that were added since `mark`."""
        counts, signatures, known = mark
        for table, count in counts.items():
            del self._rows[table][count:]
        del self.signatures[signatures:]
        while len(self._known) > known:
            self._known.popitem()

    def add(self, table: str, **values: c.Column) -> None:
        """Adds a row to the buffer.

        Raises:
            NotStorable: SQLite cannot store a value without changing it.
        """
        self._rows[table].append(c.checked(values))

    def new_key(self, table: str) -> int:
        """Returns a free key of this table."""
        if table not in self._next:
            (last,) = self._db.conn.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()
            self._next[table] = last
        self._next[table] += 1
        return self._next[table]

    def once(self, table: str, **values: c.Column) -> tuple[int, bool]:
        """Returns the key of the row with these values, and whether it is new."""
        c.checked(values)
        key = (table, tuple(values.values()))
        if key in self._known:
            return self._known[key], False
        where = " AND ".join(f"{name} IS :{name}" for name in values)
        found = self._db.conn.execute(
            f"SELECT id FROM {table} WHERE {where}",
            values,
        ).fetchone()
        number = found[0] if found else self.new_key(table)
        self._known[key] = number
        return number, found is None
