# ruff: noqa: S608 - only names of our own columns are put in; values are bound
"""Verdicts of devices and benchmarks on episodes; a newer one of a bench replaces the older."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, fields
from typing import TYPE_CHECKING

from episodes.store.errors import NotStorable
from episodes.task_verdicts import TaskVerdict

if TYPE_CHECKING:
    from sqlite_utils import Database

_COLUMNS = tuple(field.name for field in fields(TaskVerdict))


def keep(db: Database, uuid: str, verdict: TaskVerdict) -> None:
    """Stores a verdict of an episode.

    Raises:
        NotStorable: there is no such episode.
    """
    found = db.conn.execute("SELECT id FROM episode WHERE uuid = ?", (uuid,)).fetchone()
    if found is None:
        raise NotStorable(f"there is no episode {uuid}")
    names = ", ".join(("episode", *_COLUMNS))
    holes = ", ".join("?" * (len(_COLUMNS) + 1))
    with db.atomic():
        db.conn.execute(
            "DELETE FROM task_verdict WHERE episode = ? AND bench = ? AND version = ? AND task = ?",
            (found[0], verdict.bench, verdict.version, verdict.task),
        )
        db.conn.execute(
            f"INSERT INTO task_verdict ({names}) VALUES ({holes})",
            (found[0], *asdict(verdict).values()),
        )


def load(db: Database, uuid: str | None = None) -> Iterator[tuple[str, TaskVerdict]]:
    """Yields (uuid of the episode, verdict), of one episode or of all, oldest first."""
    columns = ", ".join(f"task_verdict.{name}" for name in _COLUMNS)
    found = db.conn.execute(
        f"SELECT episode.uuid, {columns} FROM task_verdict JOIN episode "
        "ON episode.id = task_verdict.episode WHERE ? IS NULL OR episode.uuid = ? "
        "ORDER BY task_verdict.id",
        (uuid, uuid),
    )
    for episode, *values in found:
        told = dict(zip(_COLUMNS, values, strict=True))
        if told["satisfied_at_start"] is not None:
            told["satisfied_at_start"] = bool(told["satisfied_at_start"])
        yield episode, TaskVerdict(**told)
