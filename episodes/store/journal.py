# ruff: noqa: S608 - only names of our own tables and columns are put in; values are bound
"""The journal: every change made by a person, as an edit that can be undone.

An edit stores the states before and after as JSON. Undo restores the state before, and is an edit
itself. So undo works after a restart, and the gold revision grows with each change. The single
operations are in `journal_operations`. A compound edit of several operations is undone as one.
"""

from __future__ import annotations

import datetime
import json
import uuid as uuids
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from episodes.annotations import Author, Edit, Gold, Region
from episodes.codec import action_to_json
from episodes.episodes import EpisodeState
from episodes.store import columns as c
from episodes.store.errors import NotStorable
from episodes.store.journal_operations import COMPOUNDS, OPERATIONS, ref_of
from episodes.store.journal_values import Operation, State, Target
from episodes.store.queries import key_of
from episodes.store.reading import rows as query
from episodes.store.summary_columns import next_revision, refresh
from episodes.store.writing import LibraryRows

if TYPE_CHECKING:
    from sqlite_utils import Database

NOBODY = Author("", "", "person")
UNDO = "undo"
REDO = "redo"
_BY_PEOPLE = " AND author NOT IN (SELECT id FROM author WHERE kind = 'program')"


class EditPart(NamedTuple):
    """One single change of a compound edit.

    Attributes:
        step: `step.origin` of the changed step; None for the step of the edit.
    """

    operation: str
    after: State
    step: str | None = None


class JournalFields(NamedTuple):
    """Fields of a journal line besides its states. Missing fields are filled in when it is
    written."""

    operation: str
    author: Author
    step_number: int | None
    uuid: str = ""
    made_utc: str = ""
    turns: int | None = None


def record_edit(
    db: Database,
    rows: LibraryRows,
    uuid: str,
    step_number: int | None,
    operation: str,
    after: Mapping[str, Any],
    author: Author,
) -> Edit:
    """Makes one change and records it, in one transaction.

    Raises:
        NotStorable: the operation, episode or step does not exist, or the change is not possible.
    """
    with db.atomic():
        return change(db, rows, uuid, step_number, operation, dict(after), author)


def change(
    db: Database,
    rows: LibraryRows,
    uuid: str,
    step_number: int | None,
    operation: str,
    after: State,
    author: Author,
) -> Edit:
    """Same as `record_edit`, inside the caller's transaction."""
    found = _operation(operation)
    if found.of_step != (step_number is not None):
        raise NotStorable(f"“{operation}” is about {'a step' if found.of_step else 'an episode'}")
    target = target_of(db, uuid, step_number)
    before = found.now(db, target, after)
    found.make(db, rows, target, after)
    return write_down(
        db, rows, target, JournalFields(operation, author, step_number), before, after
    )


def change_together(
    db: Database,
    rows: LibraryRows,
    target: Target,
    line: JournalFields,
    parts: Sequence[EditPart],
    **told: str | float | None,
) -> Edit:
    """Makes several changes as one edit, inside the caller's transaction.

    Args:
        told: what else the edit says, such as a reason; not part of the state.
    """
    assert line.operation in COMPOUNDS
    was, now = [], []
    for part in parts:
        operation = _operation(part.operation)
        step = part.step if part.step is not None else origin_of(db, target.step)
        at = Target(target.episode, step_by_origin(db, target.episode, step))
        was.append(_part(part.operation, step, operation.now(db, at, part.after)))
        operation.make(db, rows, at, part.after)
        now.append(_part(part.operation, step, part.after))
    after = {"parts": now} | {name: one for name, one in told.items() if one not in ("", None)}
    return write_down(db, rows, target, line, {"parts": was}, after)


def make(
    db: Database, rows: LibraryRows, target: Target, operation: str, state: State, *, back: bool
) -> None:
    """Applies a state. With `back`, applies the parts of a compound edit from last to first."""
    if operation not in COMPOUNDS:
        _operation(operation).make(db, rows, target, state)
        return
    parts = parts_of(db, target, state)
    for operation_of_part, at, part in reversed(parts) if back else parts:
        operation_of_part.make(db, rows, at, part)


def parts_of(db: Database, target: Target, state: State) -> list[tuple[Operation, Target, State]]:
    """Returns the single changes of a compound edit's state."""
    parts = state.get("parts")
    if not isinstance(parts, list):
        raise NotStorable("an edit of several changes has none")
    found = []
    for part in parts:
        if not isinstance(part, dict) or not isinstance(part.get("state"), dict):
            raise NotStorable("a part of an edit is none")
        at = Target(target.episode, step_by_origin(db, target.episode, part.get("step")))
        found.append((_operation(str(part.get("operation"))), at, part["state"]))
    return found


def undo(db: Database, rows: LibraryRows, author: Author, uuid: str | None) -> Edit | None:
    """Undoes the newest edit, of one episode or of all. Returns None if there is none.

    Proposals made by a program in between are undone last, so that people undo their own edits.
    """
    with db.atomic():
        standing = f"operation NOT IN ('{UNDO}', '{REDO}') AND undone_by IS NULL"
        found = _newest(db, uuid, standing + _BY_PEOPLE) or _newest(db, uuid, standing)
        return (
            None if found is None else take_back(db, rows, found, JournalFields(UNDO, author, None))
        )


def take_back(db: Database, rows: LibraryRows, edit: Any, line: JournalFields) -> Edit:
    """Undoes a row of `edit` that is in force, inside the caller's transaction."""
    back = _turn(db, rows, edit, line, edit["before"], edit["after"], back=True)
    db.conn.execute("UPDATE edit SET undone_by = ? WHERE number = ?", (back.number, edit["number"]))
    return back


def redo(db: Database, rows: LibraryRows, author: Author, uuid: str | None) -> Edit | None:
    """Redoes the edit that was undone last. Returns None after a new edit, or if nothing was
    undone."""
    with db.atomic():
        last = _newest(db, uuid, f"operation NOT IN ('{UNDO}', '{REDO}')" + _BY_PEOPLE)
        taken_back = _newest(db, uuid, f"operation = '{UNDO}' AND undone_by IS NULL")
        if taken_back is None or (last is not None and taken_back["number"] < last["number"]):
            return None
        first = next(query(db, "SELECT * FROM edit WHERE undone_by = ?", (taken_back["number"],)))
        return make_again(db, rows, first, JournalFields(REDO, author, None))


def make_again(db: Database, rows: LibraryRows, edit: Any, line: JournalFields) -> Edit:
    """Redoes a row of `edit` that was undone, inside the caller's transaction."""
    again = _turn(db, rows, edit, line, edit["after"], edit["before"], back=False)
    db.conn.execute(
        "UPDATE edit SET undone_by = ? WHERE number = ?", (again.number, edit["undone_by"])
    )
    db.conn.execute("UPDATE edit SET undone_by = NULL WHERE number = ?", (edit["number"],))
    return again


def edits(db: Database, uuid: str | None) -> list[Edit]:
    """Returns the journal, oldest first, of one episode or of all."""
    where, values = ("", ()) if uuid is None else ("WHERE episode.uuid = ?", (uuid,))
    found = query(
        db,
        f"""
        SELECT edit.*, episode.uuid AS episode_uuid, author.uuid AS author_uuid,
            author.name AS author_name, author.kind AS author_kind
        FROM edit JOIN episode ON episode.id = edit.episode JOIN author ON author.id = edit.author
        {where} ORDER BY edit.number
        """,
        values,
    )
    return [
        Edit(
            row["number"],
            row["episode_uuid"],
            row["step_number"],
            row["operation"],
            row["before"],
            row["after"],
            Author(row["author_uuid"], row["author_name"], row["author_kind"]),
            row["made_utc"],
            row["undone_by"],
            row["turns"],
        )
        for row in found
    ]


def add_region(
    db: Database, rows: LibraryRows, uuid: str, step_number: int, region: Region, author: Author
) -> int:
    """Adds a candidate to a step, not chosen yet, and returns its index among the candidates."""
    with db.atomic():
        target = target_of(db, uuid, step_number)
        ref = put_region(db, rows, target, region)
        after = {"region": ref, "there": True, "label": region.label}
        change(db, rows, uuid, step_number, "region.add", after, author)
        (place,) = db.conn.execute(
            "SELECT count(*) - 1 FROM region WHERE step = ? AND withdrawn = 0", (target.step,)
        ).fetchone()
    return int(place)


def put_region(db: Database, rows: LibraryRows, target: Target, region: Region) -> str:
    """Adds a new region and returns its name. A region without a uuid gets one."""
    name = region.uuid or str(uuids.uuid4())
    number = _next_number(db, "region", target)
    rows.region(key_of_step(target), number, replace(region, uuid=name, chosen=False))
    rows.write()
    _withdraw(db, "region", target, number)
    return name


def add_gold(
    db: Database, rows: LibraryRows, uuid: str, step_number: int, gold: Gold, author: Author
) -> int:
    """Adds a further right action to a step and returns its number; `gold.number` is not used."""
    with db.atomic():
        target = target_of(db, uuid, step_number)
        ref, number = put_gold(db, rows, target, gold)
        after = {"gold": ref, "there": True, "action": action_to_json(gold.action)}
        change(db, rows, uuid, step_number, "gold.add", after, author)
    return number


def put_gold(db: Database, rows: LibraryRows, target: Target, gold: Gold) -> tuple[str, int]:
    """Adds a new gold action and returns its name and number."""
    number = max(1, _next_number(db, "gold", target))
    name = str(uuids.uuid4())
    rows.gold(key_of_step(target), gold, number, name)
    rows.write()
    _withdraw(db, "gold", target, number)
    return name, number


def choose_region(
    db: Database, rows: LibraryRows, uuid: str, step_number: int, place: int | None, author: Author
) -> Edit:
    """Makes a candidate, by its index, the step's target; None clears the target."""
    with db.atomic():
        target = target_of(db, uuid, step_number)
        chosen = [] if place is None else [ref_of_place(db, target, step_number, place)]
        return change(db, rows, uuid, step_number, "region.choose", {"chosen": chosen}, author)


def ref_of_place(db: Database, target: Target, step_number: int, place: int) -> str:
    """Returns the name of the region at a place of `Step.regions`."""
    numbers = [
        number
        for (number,) in db.conn.execute(
            "SELECT number FROM region WHERE step = ? AND withdrawn = 0 ORDER BY number",
            (target.step,),
        )
    ]
    if not 0 <= place < len(numbers):
        raise NotStorable(f"step {step_number} has {len(numbers)} candidates, no {place}")
    return ref_of(db, "region", target.step, numbers[place])


def restore_episode(db: Database, rows: LibraryRows, uuid: str, author: Author) -> Edit:
    """Restores an episode from the bin to its earlier state."""
    with db.atomic():
        found = db.conn.execute(
            "SELECT before FROM edit WHERE episode = ? AND operation = 'episode.state' "
            "AND json_extract(after, '$.state') = 'deleted' ORDER BY number DESC LIMIT 1",
            (key_of(db, uuid),),
        ).fetchone()
        state = (
            c.read_json(found[0], dict, "before")
            if found
            else {"state": EpisodeState.FINISHED.value}
        )
        return change(db, rows, uuid, None, "episode.state", state, author)


def target_of(db: Database, uuid: str, step_number: int | None) -> Target:
    """Returns the keys of an episode and of its step with that number, also a deleted step."""
    episode = key_of(db, uuid)
    if step_number is None:
        return Target(episode, None)
    found = db.conn.execute(
        "SELECT id FROM step WHERE episode = ? AND number = ? ORDER BY deleted, id DESC",
        (episode, step_number),
    ).fetchone()
    if found is None:
        raise NotStorable(f"the episode has no step {step_number}")
    return Target(episode, found[0])


def step_by_origin(db: Database, episode: int, origin: object) -> int | None:
    """Returns the key of a step by the name it has in every library; None for None."""
    if origin is None:
        return None
    found = db.conn.execute(
        "SELECT id FROM step WHERE episode = ? AND origin = ?", (episode, str(origin))
    ).fetchone()
    if found is None:
        raise NotStorable(f"the episode has no step that was “{str(origin)[:40]}”")
    return int(found[0])


def origin_of(db: Database, step: int | None) -> str | None:
    """Returns the name a step has in every library; None for None."""
    if step is None:
        return None
    return str(db.conn.execute("SELECT origin FROM step WHERE id = ?", (step,)).fetchone()[0])


def key_of_step(target: Target) -> int:
    """Returns the key of the step an edit is about."""
    assert target.step is not None
    return target.step


def write_down(
    db: Database,
    rows: LibraryRows,
    target: Target,
    line: JournalFields,
    before: State,
    after: State,
) -> Edit:
    """Adds a line to the journal and increments the gold revision."""
    key = rows.author(line.author)
    rows.write()
    made = line.made_utc or datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
    was, now = (json.dumps(state, ensure_ascii=False, allow_nan=False) for state in (before, after))
    number = db.conn.execute(
        "INSERT INTO edit (episode, step_number, step, operation, before, after, author, "
        "made_utc, uuid, turns) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(target.episode, line.step_number, target.step, line.operation, was, now, key, made),
            line.uuid or str(uuids.uuid4()),
            line.turns,
        ),
    ).lastrowid
    db.conn.execute(
        "UPDATE episode SET revision = ? WHERE id = ?", (next_revision(db), target.episode)
    )
    refresh(db, target.episode)
    (uuid,) = db.conn.execute("SELECT uuid FROM episode WHERE id = ?", (target.episode,)).fetchone()
    return Edit(
        int(number or 0),
        uuid,
        line.step_number,
        line.operation,
        was,
        now,
        line.author,
        made,
        turns=line.turns,
    )


def _operation(name: str) -> Operation:
    found = OPERATIONS.get(name)
    if found is None:
        raise NotStorable(f"there is no change “{name[:40]}”")
    return found


def _part(operation: str, step: str | None, state: State) -> State:
    return {"operation": operation, "step": step, "state": state}


def _newest(db: Database, uuid: str | None, where: str) -> Any | None:
    of = "" if uuid is None else " AND episode = (SELECT id FROM episode WHERE uuid = ?)"
    values = () if uuid is None else (uuid,)
    sql = f"SELECT * FROM edit WHERE {where}{of} ORDER BY number DESC LIMIT 1"
    return next(query(db, sql, values), None)


def _turn(
    db: Database,
    rows: LibraryRows,
    edit: Any,
    line: JournalFields,
    to: str,
    was: str,
    *,
    back: bool,
) -> Edit:
    target = Target(edit["episode"], edit["step"])
    old, new = (c.read_json(text, dict, "edit") for text in (was, to))
    make(db, rows, target, edit["operation"], new, back=back)
    line = line._replace(step_number=edit["step_number"], turns=edit["number"])
    return write_down(db, rows, target, line, old, new)


def _withdraw(db: Database, table: str, target: Target, number: int) -> None:
    db.conn.execute(
        f"UPDATE {table} SET withdrawn = 1 WHERE step = ? AND number = ?", (target.step, number)
    )


def _next_number(db: Database, table: str, target: Target) -> int:
    (number,) = db.conn.execute(
        f"SELECT coalesce(max(number) + 1, 0) FROM {table} WHERE step = ?", (target.step,)
    ).fetchone()
    return int(number)
