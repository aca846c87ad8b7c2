# ruff: noqa: S608 - only names of our own tables and columns are put in; values are bound
"""Upgrades a journal from schema 1 to 2: gives uuids to edits and to the rows they added.

In schema 1 an edit identified regions and golds by their number in the step, which is not unique
across libraries. The uuids are computed from the content, so two copies of one library agree.
"""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlite_utils import Database


_ADDED = {"region.add": "region", "gold.add": "gold"}


def name_edits(db: Database) -> None:
    """Gives a uuid to every edit, and to every region and gold that an edit added."""
    edits = db.conn.execute(
        "SELECT edit.number, episode.uuid, edit.step, operation, before, after, made_utc "
        "FROM edit JOIN episode ON episode.id = edit.episode ORDER BY edit.number"
    ).fetchall()
    for number, episode, step, operation, _, after, made_utc in edits:
        name = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{episode}/{number}/{operation}/{made_utc}"))
        db.conn.execute("UPDATE edit SET uuid = ? WHERE number = ?", (name, number))
        if table := _ADDED.get(operation):
            db.conn.execute(
                f"UPDATE {table} SET uuid = ? WHERE step = ? AND number = ? AND uuid = ''",
                (name, step, json.loads(after)["number"]),
            )
    for number, _, step, operation, before, after, _ in edits:
        told = operation if operation not in ("undo", "redo") else _turned(db, number, step)
        was, now = (
            json.dumps(_named(db, step, told, json.loads(text)), ensure_ascii=False)
            for text in (before, after)
        )
        db.conn.execute(
            "UPDATE edit SET before = ?, after = ? WHERE number = ?", (was, now, number)
        )


def _turned(db: Database, number: int, step: int | None) -> str:
    """Finds and stores the edit that an undo or redo refers to, and returns its operation.

    It is the newest earlier edit of the same step with the same two states.
    """
    found = db.conn.execute(
        """
        SELECT first.number, first.operation FROM edit AS turn JOIN edit AS first
            ON first.episode = turn.episode AND first.step IS turn.step
            AND first.number < turn.number AND first.operation NOT IN ('undo', 'redo')
        WHERE turn.number = ? AND (first.undone_by = turn.number OR first.number = (
            SELECT max(other.number) FROM edit AS other
            WHERE other.episode = turn.episode AND other.step IS turn.step
                AND other.number < turn.number AND other.operation NOT IN ('undo', 'redo')
                AND json_remove(other.before, '$.label', '$.action') IN
                    (json(turn.before), json(turn.after))
        ))
        ORDER BY first.undone_by IS turn.number DESC, first.number DESC LIMIT 1
        """,
        (number,),
    ).fetchone()
    if found is None:
        return ""
    db.conn.execute("UPDATE edit SET turns = ? WHERE number = ?", (found[0], number))
    return str(found[1])


def _named(db: Database, step: int | None, operation: str, state: dict[str, Any]) -> dict[str, Any]:
    if operation in _ADDED:
        table = _ADDED[operation]
        rest = {key: value for key, value in state.items() if key != "number"}
        return {table: _name(db, table, step, state["number"]), **rest}
    if operation == "region.choose":
        return {"chosen": [_name(db, "region", step, number) for number in state["chosen"]]}
    return state


def _name(db: Database, table: str, step: int | None, number: int) -> str:
    (name,) = db.conn.execute(
        f"SELECT uuid FROM {table} WHERE step = ? AND number = ?", (step, number)
    ).fetchone()
    return name or f"#{number}"
