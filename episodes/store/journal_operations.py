# ruff: noqa: S608 - only names of our own tables and columns are put in; values are bound
"""The operations of the journal: each has a name, reads the present state and applies a state.

A state is JSON and the same in every library. Regions, golds and private boxes are identified by
uuid, or by "#3", their number in the step, if the data set gave no uuid. States come from files
too, so
they are read strictly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from episodes.annotations import Status
from episodes.episodes import EpisodeState
from episodes.store import columns as c
from episodes.store.errors import NotStorable
from episodes.store.journal_values import Operation, State, Target, a_text
from episodes.store.reviews import REVIEW_OPERATIONS
from episodes.store.writing import LibraryRows

if TYPE_CHECKING:
    from sqlite_utils import Database

TEXTS = ("instruction", "description", "intention", "context", "note")


def ref_of(db: Database, table: str, step: int | None, number: int) -> str:
    """Returns the name of a region or gold in states, from its number in the step."""
    (name, bearers) = db.conn.execute(
        f"SELECT uuid, (SELECT count(*) FROM {table} WHERE step = ?1 AND uuid = found.uuid) "
        f"FROM {table} AS found WHERE step = ?1 AND number = ?2",
        (step, number),
    ).fetchone()
    return str(name) if name and bearers == 1 else f"#{number}"


def key_by_ref(db: Database, table: str, step: int | None, ref: str) -> int:
    """Returns the key of the region, gold or private box a state names.

    Raises:
        NotStorable: the step has no row of that name.
    """
    if ref.startswith("#") and ref[1:].isascii() and ref[1:].isdigit() and len(ref) < 10:
        where, value = "number = ?", int(ref[1:])
    else:
        where, value = "uuid = ?", ref  # type: ignore[assignment]
    found = db.conn.execute(
        f"SELECT id FROM {table} WHERE step = ? AND {where} ORDER BY id LIMIT 1", (step, value)
    ).fetchone()
    if found is None:
        raise NotStorable(f"the step has no {table.replace('_', ' ')} “{ref[:40]}”")
    return int(found[0])


def _yes(state: State, name: str) -> bool:
    found = state.get(name)
    if not isinstance(found, bool):
        raise NotStorable(f"{name} is neither true nor false")
    return found


def _column(db: Database, table: str, column: str, key: int | None) -> Any:
    return db.conn.execute(f"SELECT {column} FROM {table} WHERE id = ?", (key,)).fetchone()[0]


def _set(db: Database, table: str, column: str, key: int | None, value: c.Column) -> None:
    c.checked({column: value})
    db.conn.execute(f"UPDATE {table} SET {column} = ? WHERE id = ?", (value, key))


# Of an episode.


def _instruction(db: Database, target: Target, after: State) -> State:
    (text,) = db.conn.execute(
        "SELECT text FROM episode JOIN task ON task.id = task "
        "JOIN instruction ON instruction.id = task.instruction WHERE episode.id = ?",
        (target.episode,),
    ).fetchone()
    return {"instruction": text}


def _set_instruction(db: Database, rows: LibraryRows, target: Target, state: State) -> None:
    rows.change_instruction(target.episode, a_text(state, "instruction"))


def _episode_state(db: Database, target: Target, after: State) -> State:
    return {"state": _column(db, "episode", "state", target.episode)}


def _set_episode_state(db: Database, rows: LibraryRows, target: Target, state: State) -> None:
    if _episode_state(db, target, state)["state"] == EpisodeState.RECORDING:
        raise NotStorable("the episode is being recorded")
    wanted = a_text(state, "state")
    if wanted not in (EpisodeState.FINISHED, EpisodeState.INCOMPLETE, EpisodeState.DELETED):
        raise NotStorable(f"“{wanted[:40]}” is no state an edit can give")
    _set(db, "episode", "state", target.episode, wanted)


def _attempt(db: Database, target: Target, after: State) -> State:
    found = db.conn.execute(
        "SELECT number, outcome, left_out, taken_in FROM attempt WHERE episode = ?",
        (target.episode,),
    ).fetchone()
    names = ("number", "outcome", "left_out", "taken_in")
    return {"attempt": None if found is None else dict(zip(names, found, strict=True))}


def _set_attempt(db: Database, rows: LibraryRows, target: Target, state: State) -> None:
    db.conn.execute("DELETE FROM attempt WHERE episode = ?", (target.episode,))
    wanted = state.get("attempt")
    if wanted is None:
        return
    if not isinstance(wanted, dict) or type(wanted.get("number")) is not int:
        raise NotStorable("the attempt has no number")
    texts = [a_text(wanted, name) for name in ("outcome", "left_out", "taken_in")]
    values = c.checked({"number": wanted["number"]} | {str(i): t for i, t in enumerate(texts)})
    db.conn.execute(
        "INSERT INTO attempt (episode, number, outcome, left_out, taken_in) VALUES (?, ?, ?, ?, ?)",
        (target.episode, *values.values()),
    )


# Of a step.


def _texts(db: Database, target: Target, after: State) -> State:
    names = [name for name in TEXTS if name in after]
    return {name: _column(db, "step", name, target.step) for name in names}


def _set_texts(db: Database, rows: LibraryRows, target: Target, state: State) -> None:
    if not state or set(state) - set(TEXTS):
        raise NotStorable(f"a step has no such text; it has {', '.join(TEXTS)}")
    for name in state:
        _set(db, "step", name, target.step, a_text(state, name))


def _instruction_of_step(db: Database, target: Target, after: State) -> State:
    return {"instruction": _column(db, "step", "instruction", target.step)}


def _set_instruction_of_step(db: Database, rows: LibraryRows, target: Target, state: State) -> None:
    _set(db, "step", "instruction", target.step, a_text(state, "instruction"))


def _step_deleted(db: Database, target: Target, after: State) -> State:
    return {"deleted": bool(_column(db, "step", "deleted", target.step))}


def _set_step_deleted(db: Database, rows: LibraryRows, target: Target, state: State) -> None:
    deleted = _yes(state, "deleted")
    if not deleted:
        _free_number(db, target, _column(db, "step", "number", target.step))
    _set(db, "step", "deleted", target.step, int(deleted))


def _step_number(db: Database, target: Target, after: State) -> State:
    return {"number": _column(db, "step", "number", target.step)}


def _set_step_number(db: Database, rows: LibraryRows, target: Target, state: State) -> None:
    number = state.get("number")
    if type(number) is not int or number < 0:
        raise NotStorable("the step's number is none")
    if not _column(db, "step", "deleted", target.step):
        _free_number(db, target, number)
    _set(db, "step", "number", target.step, number)


def _free_number(db: Database, target: Target, number: int) -> None:
    taken = db.conn.execute(
        "SELECT 1 FROM step WHERE episode = ? AND number = ? AND deleted = 0 AND id != ?",
        (target.episode, number, target.step),
    ).fetchone()
    if taken:
        raise NotStorable(f"another step has taken its number, {number}")


def _private(table: str) -> Operation:
    def key(target: Target) -> int | None:
        return target.episode if table == "episode" else target.step

    def now(db: Database, target: Target, after: State) -> State:
        return {"private": bool(_column(db, table, "private", key(target)))}

    def make(db: Database, rows: LibraryRows, target: Target, state: State) -> None:
        _set(db, table, "private", key(target), int(_yes(state, "private")))

    return Operation(now, make, of_step=table == "step")


# Of what hangs on a step.


def _chosen(db: Database, target: Target, after: State) -> State:
    found = db.conn.execute(
        "SELECT number FROM region WHERE step = ? AND chosen = 1 ORDER BY number", (target.step,)
    ).fetchall()
    return {"chosen": [ref_of(db, "region", target.step, number) for (number,) in found]}


def _choose(db: Database, rows: LibraryRows, target: Target, state: State) -> None:
    wanted = state.get("chosen")
    if not isinstance(wanted, list) or not all(isinstance(ref, str) for ref in wanted):
        raise NotStorable("what is chosen is no list of regions")
    keys = [key_by_ref(db, "region", target.step, ref) for ref in wanted]
    db.conn.execute("UPDATE region SET chosen = 0 WHERE step = ?", (target.step,))
    db.conn.executemany("UPDATE region SET chosen = 1 WHERE id = ?", [(key,) for key in keys])


def _there(table: str) -> Operation:
    """Returns the operation that withdraws an added row or restores it; the row itself is kept."""

    def now(db: Database, target: Target, after: State) -> State:
        ref = a_text(after, table)
        withdrawn = _column(db, table, "withdrawn", key_by_ref(db, table, target.step, ref))
        return {table: ref, "there": not withdrawn}

    def make(db: Database, rows: LibraryRows, target: Target, state: State) -> None:
        key = key_by_ref(db, table, target.step, a_text(state, table))
        _set(db, table, "withdrawn", key, int(not _yes(state, "there")))

    return Operation(now, make)


def _field(table: str, column: str, allowed: type[Status] | None = None) -> Operation:
    """Returns the operation that sets one text column of a region or gold."""

    def now(db: Database, target: Target, after: State) -> State:
        ref = a_text(after, table)
        key = key_by_ref(db, table, target.step, ref)
        return {table: ref, column: _column(db, table, column, key)}

    def make(db: Database, rows: LibraryRows, target: Target, state: State) -> None:
        text = a_text(state, column)
        if allowed is not None and text not in tuple(allowed):
            raise NotStorable(f"“{text[:40]}” is no {column}")
        _set(db, table, column, key_by_ref(db, table, target.step, a_text(state, table)), text)

    return Operation(now, make)


OPERATIONS: dict[str, Operation] = {
    "instruction.change": Operation(_instruction, _set_instruction, of_step=False),
    "episode.state": Operation(_episode_state, _set_episode_state, of_step=False),
    "episode.private": _private("episode"),
    "attempt.set": Operation(_attempt, _set_attempt, of_step=False),
    "step.instruction": Operation(_instruction_of_step, _set_instruction_of_step),
    "step.texts": Operation(_texts, _set_texts),
    "step.delete": Operation(_step_deleted, _set_step_deleted),
    "step.number": Operation(_step_number, _set_step_number),
    "step.private": _private("step"),
    "region.add": _there("region"),
    "region.choose": Operation(_chosen, _choose),
    "region.label": _field("region", "label"),
    "region.status": _field("region", "status", Status),
    "gold.add": _there("gold"),
    "gold.status": _field("gold", "status", Status),
    "private_box.add": _there("private_box"),
    **REVIEW_OPERATIONS,
}

COMPOUNDS = frozenset(
    {
        "region.accept",
        "region.propose",
        "action.change",
        "steps.merge",
        "step.split",
    }
)
"""Edits that are several single changes, taken back as one. Their state is {"parts": [...]}."""
