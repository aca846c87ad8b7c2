# ruff: noqa: S608 - only names of our own tables and columns are put in; values are bound
"""Every change people make, as a line that can be taken back.

An operation is a name and two functions: what is now, and make it so. An edit stores what was
before and what is after as JSON; undo makes it so again as it was before and is a line itself.
So undo works after a restart, and a gold revision grows with each change.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias

from sqlite_utils import Database

from episodes.annotations import Author, Edit, Gold, Region
from episodes.codec import action_to_json
from episodes.episodes import EpisodeState
from episodes.store import columns as c
from episodes.store.faults import NotStorable
from episodes.store.queries import key_of
from episodes.store.reading import read_episodes
from episodes.store.reading import rows as query
from episodes.store.sums import next_revision, refresh
from episodes.store.writing import Rows

NOBODY = Author("", "", "person")
UNDO = "undo"
REDO = "redo"

State: TypeAlias = dict[str, Any]


class Target(NamedTuple):
    """Keys of what an edit is about; `step` is None where it is about the whole episode."""

    episode: int
    step: int | None


@dataclass(frozen=True, slots=True)
class Operation:
    """One kind of edit.

    Attributes:
        now: returns the present state of what `after` would change, in the same form.
        make: makes it so.
    """

    now: Callable[[Database, Target, State], State]
    make: Callable[[Database, Rows, Target, State], None]
    of_step: bool = True


def record_edit(
    db: Database,
    rows: Rows,
    uuid: str,
    step_number: int | None,
    operation: str,
    after: Mapping[str, Any],
    author: Author,
) -> Edit:
    """Makes one change and writes it down, in one transaction.

    Raises:
        NotStorable: there is no such operation, episode or step, or the change is not possible.
    """
    with db.atomic():
        return change(db, rows, uuid, step_number, operation, dict(after), author)


def change(
    db: Database,
    rows: Rows,
    uuid: str,
    step_number: int | None,
    operation: str,
    after: State,
    author: Author,
) -> Edit:
    """As `record_edit`, inside the caller's transaction."""
    found = OPERATIONS.get(operation)
    if found is None:
        raise NotStorable(f"there is no change “{operation}”")
    if found.of_step != (step_number is not None):
        raise NotStorable(f"“{operation}” is about {'a step' if found.of_step else 'an episode'}")
    target = _target(db, uuid, step_number)
    before = found.now(db, target, after)
    found.make(db, rows, target, after)
    return _write_down(db, rows, target, step_number, operation, before, after, author)


def undo(db: Database, rows: Rows, author: Author, uuid: str | None) -> Edit | None:
    """Takes back the newest edit, of one episode or of all; None where there is none."""
    with db.atomic():
        found = _newest(db, uuid, f"operation NOT IN ('{UNDO}', '{REDO}') AND undone_by IS NULL")
        if found is None:
            return None
        back = _turn(db, rows, found, UNDO, found["before"], found["after"], author)
        db.conn.execute(
            "UPDATE edit SET undone_by = ? WHERE number = ?", (back.number, found["number"])
        )
        return back


def redo(db: Database, rows: Rows, author: Author, uuid: str | None) -> Edit | None:
    """Makes the edit again that was taken back last; None after a new edit or where none was."""
    with db.atomic():
        last = _newest(db, uuid, f"operation NOT IN ('{UNDO}', '{REDO}')")
        taken_back = _newest(db, uuid, f"operation = '{UNDO}' AND undone_by IS NULL")
        if last is None or taken_back is None or taken_back["number"] < last["number"]:
            return None
        first = next(query(db, "SELECT * FROM edit WHERE undone_by = ?", (taken_back["number"],)))
        again = _turn(db, rows, first, REDO, first["after"], first["before"], author)
        db.conn.execute(
            "UPDATE edit SET undone_by = ? WHERE number = ?", (again.number, taken_back["number"])
        )
        db.conn.execute("UPDATE edit SET undone_by = NULL WHERE number = ?", (first["number"],))
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
        )
        for row in found
    ]


def add_region(
    db: Database, rows: Rows, uuid: str, step_number: int, region: Region, author: Author
) -> int:
    """Adds a candidate to a step, not chosen yet, and returns its place among the candidates."""
    with db.atomic():
        target = _target(db, uuid, step_number)
        number = _next_number(db, "region", target)
        rows.region(_step(target), number, replace(region, chosen=False))
        rows.write()
        _withdraw("region")(db, rows, target, {"number": number, "there": False})
        after = {"number": number, "there": True, "label": region.label}
        change(db, rows, uuid, step_number, "region.add", after, author)
        (place,) = db.conn.execute(
            "SELECT count(*) - 1 FROM region WHERE step = ? AND withdrawn = 0", (target.step,)
        ).fetchone()
    return int(place)


def add_gold(
    db: Database, rows: Rows, uuid: str, step_number: int, gold: Gold, author: Author
) -> int:
    """Adds a further right action to a step and returns its number; `gold.number` is not used."""
    with db.atomic():
        target = _target(db, uuid, step_number)
        number = max(1, _next_number(db, "gold", target))
        rows.gold(_step(target), gold, number)
        rows.write()
        _withdraw("gold")(db, rows, target, {"number": number, "there": False})
        after = {"number": number, "there": True, "action": action_to_json(gold.action)}
        change(db, rows, uuid, step_number, "gold.add", after, author)
    return number


def choose_region(
    db: Database, rows: Rows, uuid: str, step_number: int, place: int | None, author: Author
) -> Edit:
    """Makes one candidate, by its place among them, the step's target; None for none."""
    with db.atomic():
        target = _target(db, uuid, step_number)
        numbers = [
            number
            for (number,) in db.conn.execute(
                "SELECT number FROM region WHERE step = ? AND withdrawn = 0 ORDER BY number",
                (target.step,),
            )
        ]
        if place is not None and not 0 <= place < len(numbers):
            raise NotStorable(f"step {step_number} has {len(numbers)} candidates, no {place}")
        chosen = [] if place is None else [numbers[place]]
        return change(db, rows, uuid, step_number, "region.choose", {"chosen": chosen}, author)


def restore_episode(db: Database, rows: Rows, uuid: str, author: Author) -> Edit:
    """Takes an episode out of the bin, as it was before."""
    with db.atomic():
        found = db.conn.execute(
            "SELECT before FROM edit WHERE episode = ? AND operation = 'episode.state' "
            "AND json_extract(after, '$.state') = 'deleted' ORDER BY number DESC LIMIT 1",
            (key_of(db, uuid),),
        ).fetchone()
        state = json.loads(found[0]) if found else {"state": EpisodeState.FINISHED.value}
        return change(db, rows, uuid, None, "episode.state", state, author)


def _target(db: Database, uuid: str, step_number: int | None) -> Target:
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


def _step(target: Target) -> int:
    assert target.step is not None
    return target.step


def _newest(db: Database, uuid: str | None, where: str) -> Any | None:
    of = "" if uuid is None else " AND episode = (SELECT id FROM episode WHERE uuid = ?)"
    values = () if uuid is None else (uuid,)
    sql = f"SELECT * FROM edit WHERE {where}{of} ORDER BY number DESC LIMIT 1"
    return next(query(db, sql, values), None)


def _turn(
    db: Database, rows: Rows, edit: Any, word: str, to: str, was: str, author: Author
) -> Edit:
    target = Target(edit["episode"], edit["step"])
    OPERATIONS[edit["operation"]].make(db, rows, target, json.loads(to))
    return _write_down(
        db, rows, target, edit["step_number"], word, json.loads(was), json.loads(to), author
    )


def _write_down(
    db: Database,
    rows: Rows,
    target: Target,
    step_number: int | None,
    operation: str,
    before: State,
    after: State,
    author: Author,
) -> Edit:
    key = rows.author(author)
    rows.write()
    made = datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
    was, now = (json.dumps(state, ensure_ascii=False, allow_nan=False) for state in (before, after))
    number = db.conn.execute(
        "INSERT INTO edit (episode, step_number, step, operation, before, after, author, made_utc) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (target.episode, step_number, target.step, operation, was, now, key, made),
    ).lastrowid
    db.conn.execute(
        "UPDATE episode SET revision = ? WHERE id = ?", (next_revision(db), target.episode)
    )
    refresh(db, target.episode)
    (uuid,) = db.conn.execute("SELECT uuid FROM episode WHERE id = ?", (target.episode,)).fetchone()
    return Edit(int(number or 0), uuid, step_number, operation, was, now, author, made)


def _next_number(db: Database, table: str, target: Target) -> int:
    (number,) = db.conn.execute(
        f"SELECT coalesce(max(number) + 1, 0) FROM {table} WHERE step = ?", (target.step,)
    ).fetchone()
    return int(number)


def _column(db: Database, table: str, column: str, key: int | None) -> Any:
    return db.conn.execute(f"SELECT {column} FROM {table} WHERE id = ?", (key,)).fetchone()[0]


def _episode_instruction(db: Database, target: Target, after: State) -> State:
    return {"instruction": read_episodes(db, [target.episode])[0].task.instruction}


def _set_episode_instruction(db: Database, rows: Rows, target: Target, state: State) -> None:
    rows.change_instruction(target.episode, _text(state, "instruction"))


def _step_instruction(db: Database, target: Target, after: State) -> State:
    return {"instruction": _column(db, "step", "instruction", target.step)}


def _set_step_instruction(db: Database, rows: Rows, target: Target, state: State) -> None:
    values = c.checked({"text": _text(state, "instruction"), "step": target.step})
    db.conn.execute("UPDATE step SET instruction = :text WHERE id = :step", values)


def _text(state: State, name: str) -> str:
    found = state.get(name)
    if not isinstance(found, str):
        raise NotStorable(f"{name} is not a text")
    return found


def _episode_state(db: Database, target: Target, after: State) -> State:
    return {"state": _column(db, "episode", "state", target.episode)}


def _set_episode_state(db: Database, rows: Rows, target: Target, state: State) -> None:
    if _episode_state(db, target, state)["state"] == EpisodeState.RECORDING:
        raise NotStorable("the episode is being recorded")
    new = EpisodeState(_text(state, "state"))
    db.conn.execute("UPDATE episode SET state = ? WHERE id = ?", (new.value, target.episode))


def _step_deleted(db: Database, target: Target, after: State) -> State:
    return {"deleted": bool(_column(db, "step", "deleted", target.step))}


def _set_step_deleted(db: Database, rows: Rows, target: Target, state: State) -> None:
    if not state["deleted"]:
        (others,) = db.conn.execute(
            "SELECT count(*) FROM step AS there JOIN step AS gone USING (episode, number) "
            "WHERE gone.id = ? AND there.id != gone.id AND there.deleted = 0",
            (target.step,),
        ).fetchone()
        if others:
            raise NotStorable("another step has taken its number")
    db.conn.execute(
        "UPDATE step SET deleted = ? WHERE id = ?", (bool(state["deleted"]), target.step)
    )


def _chosen(db: Database, target: Target, after: State) -> State:
    found = db.conn.execute(
        "SELECT number FROM region WHERE step = ? AND chosen = 1 ORDER BY number", (target.step,)
    )
    return {"chosen": [number for (number,) in found]}


def _choose(db: Database, rows: Rows, target: Target, state: State) -> None:
    db.conn.execute("UPDATE region SET chosen = 0 WHERE step = ?", (target.step,))
    db.conn.executemany(
        "UPDATE region SET chosen = 1 WHERE step = ? AND number = ?",
        [(target.step, number) for number in state["chosen"]],
    )


def _there(table: str) -> Callable[[Database, Target, State], State]:
    def now(db: Database, target: Target, after: State) -> State:
        (withdrawn,) = db.conn.execute(
            f"SELECT withdrawn FROM {table} WHERE step = ? AND number = ?",
            (target.step, after["number"]),
        ).fetchone()
        return {"number": after["number"], "there": not withdrawn}

    return now


def _withdraw(table: str) -> Callable[[Database, Rows, Target, State], None]:
    def make(db: Database, rows: Rows, target: Target, state: State) -> None:
        db.conn.execute(
            f"UPDATE {table} SET withdrawn = ? WHERE step = ? AND number = ?",
            (not state["there"], target.step, state["number"]),
        )

    return make


OPERATIONS: dict[str, Operation] = {
    "instruction.change": Operation(_episode_instruction, _set_episode_instruction, of_step=False),
    "episode.state": Operation(_episode_state, _set_episode_state, of_step=False),
    "step.instruction": Operation(_step_instruction, _set_step_instruction),
    "step.delete": Operation(_step_deleted, _set_step_deleted),
    "region.add": Operation(_there("region"), _withdraw("region")),
    "region.choose": Operation(_chosen, _choose),
    "gold.add": Operation(_there("gold"), _withdraw("gold")),
}
