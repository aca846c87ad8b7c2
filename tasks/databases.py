"""The check of an app's database: a query over a copy that was pulled with its WAL."""

from __future__ import annotations

import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from tasks.compared import compared
from tasks.conditions import read_condition, text_with_holes
from tasks.evidence import Evidence
from tasks.located import Located
from tasks.parameters import fill
from tasks.situations import Situation

Look = Callable[[Situation, str], Evidence]

QUERY_SECONDS = 5.0
MAX_ROWS = 10_000
MAX_VALUE = 16 << 20
PULL_SECONDS = 60.0
_READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, 33}
"""What a query may do. 33 is SQLITE_RECURSIVE, which Python does not name."""


def read_query(told: Located, parameters: frozenset[str]) -> Look:
    """Returns a check of the first value a query gives, or of the number of its rows.

    {database: path, sql: text, is: condition} or {..., count: condition}. The query names
    parameters as :name; they are bound as values.
    """
    members = told.mapping("database", "sql", "is", "count")
    for name in ("database", "sql"):
        if name not in members:
            told.refuse(f"“{name}” is missing")
    path = text_with_holes(members["database"], parameters)
    sql = members["sql"].text()
    kinds = [name for name in ("is", "count") if name in members]
    if len(kinds) != 1:
        told.refuse("one of is, count is expected")
    condition = read_condition(members[kinds[0]], parameters)
    counting = kinds[0] == "count"

    def look(situation: Situation, place: str) -> Evidence:
        with tempfile.TemporaryDirectory() as folder:
            copy = pull_database(situation, fill(path, situation.values), Path(folder))
            rows = query(copy, sql, dict(situation.values))
        if counting:
            return compared(place, "the number of rows", str(len(rows)), condition, situation)
        if not rows:
            raise ValueError("the query gives no row")
        value = rows[0][0]
        text = "" if value is None else str(value)
        return compared(place, "the query's value", text, condition, situation)

    return look


def pull_database(situation: Situation, path: str, folder: Path) -> Path:
    """Copies a database with its WAL from the phone and returns the copy.

    Raises:
        KnownError: the phone does not let it be read.
    """
    copy = folder / "copy.db"
    parent, _, name = path.rpartition("/")
    listed = situation.say("ls", "-a", parent or "/").text.split("\n")
    for suffix in ("", "-wal", "-shm"):
        if suffix and f"{name}{suffix}" not in listed:
            continue
        data = situation.say("cat", f"{path}{suffix}", timeout=PULL_SECONDS).data
        copy.with_name(copy.name + suffix).write_bytes(data)
    return copy


def query(database: Path, sql: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Returns the rows of a query that may only read.

    Raises:
        ValueError: it is no reading query, fails, or takes too long.
    """
    deadline = time.monotonic() + QUERY_SECONDS
    try:
        with closing(sqlite3.connect(database)) as db:
            db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE)
            db.set_progress_handler(lambda: time.monotonic() > deadline, 10_000)
            db.set_authorizer(
                lambda action, *_: sqlite3.SQLITE_OK if action in _READING else sqlite3.SQLITE_DENY
            )
            rows = db.execute(sql, values).fetchmany(MAX_ROWS)
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise ValueError(f"the query failed: {error}") from error
    return rows
