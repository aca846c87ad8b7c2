"""SQL on a library's file from a connection of its own, as another program would run it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol


class InFolder(Protocol):
    """A library, by its folder."""

    @property
    def folder(self) -> Path: ...


def sql(library: InFolder, text: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """Runs one statement, commits, and returns its rows."""
    with closing(sqlite3.connect(library.folder / "library.db")) as db, db:
        return db.execute(text, values).fetchall()
