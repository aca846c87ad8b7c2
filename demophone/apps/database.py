"""An app's SQLite file on the phone: read anew when it changed, also from outside."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from demophone.apps.app import Files


class Database:
    """A database file.

    Args:
        files: the phone's file system.
        path: of the file on the phone.
        schema: the statements that make an empty database.
        shipped: initial contents: a statement, and the rows to run it with.
    """

    def __init__(
        self,
        files: Files,
        path: str,
        schema: str,
        shipped: Sequence[tuple[str, Sequence[tuple[Any, ...]]]],
    ) -> None:
        self._file: Path = files.host(path)
        self._schema = schema
        self._shipped = shipped
        if not self._file.exists():
            self.reset()

    def reset(self) -> None:
        """Puts the data back to how it was shipped."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.unlink(missing_ok=True)
        with closing(self._open()) as db, db:
            db.executescript(self._schema)
            for statement, rows in self._shipped:
                db.executemany(statement, rows)

    @property
    def version(self) -> tuple[int, int]:
        """Differs after each change of the file; a file that was removed is made anew."""
        if not self._file.exists():
            self.reset()
        facts = self._file.stat()
        return facts.st_mtime_ns, facts.st_size

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        with closing(self._open()) as db:
            return db.execute(query, values).fetchall()

    def run(self, statement: str, *values: Any) -> int:
        """Runs a statement and commits. Returns the id of the row it inserted, if it did."""
        with closing(self._open()) as db, db:
            return db.execute(statement, values).lastrowid or 0

    def _open(self) -> sqlite3.Connection:
        """A connection that does not wait for the disk: a phone that isn't there loses no power."""
        db = sqlite3.connect(self._file)
        db.execute("PRAGMA synchronous = OFF")
        return db
