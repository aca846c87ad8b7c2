"""Replays the edits of another library on an episode that both libraries have.

An edit is applied under its author's name if the value it changes is the same as when it was made.
Otherwise this library's value stays, and the edit is added to the journal as undone. A step that
was created by an edit is copied in its present state, so later edits of it are only recorded.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from episodes.annotations import Author
from episodes.store import columns as c
from episodes.store import journal
from episodes.store.copier import Copier
from episodes.store.errors import NotStorable
from episodes.store.journal import UNDO, JournalFields
from episodes.store.journal_operations import COMPOUNDS, OPERATIONS
from episodes.store.journal_values import State, Target
from episodes.store.merge_report import Conflict, MergeReport
from episodes.store.reading import rows as query
from episodes.store.writing import LibraryRows

if TYPE_CHECKING:
    from sqlite_utils import Database

MERGER = Author("taptrail:merge", "Merging libraries", "program")
_RECORDED = re.compile(r"\d+(\.\d+)?")


_NAMING = ("region", "gold", "private_box", "rule", "round", "author_uuid")


class SharedEpisode:
    """An episode both libraries have."""

    def __init__(
        self,
        ours: Database,
        rows: LibraryRows,
        theirs: Database,
        copier: Copier,
        here: Any,
        there: Any,
        report: MergeReport,
    ) -> None:
        self._ours = ours
        self._rows = rows
        self._theirs = theirs
        self._copier = copier
        self._here = here
        self._there = there
        self._report = report
        self._fresh: set[str] = set()  # made steps that came in just now
        self._conflicts: dict[tuple[object, ...], Conflict] = {}

    def merge(self) -> bool:
        """Merges new steps, regions, golds and edits of the other library; returns whether there
        were any."""
        self._same_recording()
        new = [edit for edit in self._journal() if self._known(edit["uuid"]) is None]
        if not new:
            return False
        self._made_steps(new)
        self._parts_of_steps(new)
        for edit in new:
            self._replay(edit)
        self._report.conflicts += self._conflicts.values()
        return True

    def _same_recording(self) -> None:
        sql = "SELECT origin, action FROM step WHERE episode = ?"
        steps = [
            {origin: action for origin, action in db.conn.execute(sql, (row["id"],))}
            for db, row in ((self._ours, self._here), (self._theirs, self._there))
        ]
        here, there = (
            {origin: action for origin, action in found.items() if _RECORDED.fullmatch(origin)}
            for found in steps
        )
        if here != there:
            raise NotStorable(
                f"it was recorded otherwise here ({len(here)} steps) than there ({len(there)})"
            )

    def _journal(self) -> list[Any]:
        sql = (
            "SELECT edit.*, step.origin, author.uuid AS author_uuid, author.name AS author_name, "
            "author.kind AS author_kind FROM edit JOIN author ON author.id = edit.author "
            "LEFT JOIN step ON step.id = edit.step WHERE edit.episode = ? ORDER BY edit.number"
        )
        edits = list(query(self._theirs, sql, (self._there["id"],)))
        for edit in edits:
            if not (_sound(edit["before"]) and _sound(edit["after"])):
                raise NotStorable(f"line {edit['number']} of its journal there is damaged")
        return edits

    def _known(self, uuid: str) -> Any | None:
        return next(query(self._ours, "SELECT * FROM edit WHERE uuid = ?", (uuid,)), None)

    def _made_steps(self, new: list[Any]) -> None:
        first_numbers: dict[str, int] = {}
        for edit in new:
            for part in c.read_json(edit["before"], dict, "before").get("parts", ()):
                number = part["state"].get("number")
                if part["operation"] == "step.number" and isinstance(number, int):
                    first_numbers.setdefault(part["step"], number)
        known = {
            origin
            for (origin,) in self._ours.conn.execute(
                "SELECT origin FROM step WHERE episode = ?", (self._here["id"],)
            )
        }
        sql = "SELECT * FROM step WHERE episode = ? ORDER BY id"
        for step in list(query(self._theirs, sql, (self._there["id"],))):
            if step["origin"] not in known:
                self._fresh.add(step["origin"])
                number = first_numbers.get(step["origin"], step["number"])
                self._copier.step(step, self._here["id"], deleted=1, number=number)

    def _parts_of_steps(self, new: list[Any]) -> None:
        first: dict[str, dict[str, str]] = {}
        for edit in new:
            before = c.read_json(edit["before"], dict, "before")
            single = [{"operation": edit["operation"], "state": before}]
            for part in before.get("parts", single):
                table, _, column = part["operation"].partition(".")
                uuid, was = part["state"].get(table), part["state"].get(column)
                if column in ("label", "status") and isinstance(uuid, str) and isinstance(was, str):
                    first.setdefault(uuid, {}).setdefault(column, was)
        pairs = self._theirs.conn.execute(
            "SELECT id, origin FROM step WHERE episode = ?", (self._there["id"],)
        ).fetchall()
        for their_step, origin in pairs:
            if origin not in self._fresh:
                step = journal.step_by_origin(self._ours, self._here["id"], origin)
                assert step is not None
                self._copier.parts_of_step(their_step, step, first)

    def _replay(self, edit: Any) -> None:
        match edit["operation"]:
            case "undo":
                self._undone(edit)
            case "redo":
                self._redone(edit)
            case _:
                self._made(edit)

    def _undone(self, edit: Any) -> None:
        first = self._first(edit)
        if first is None or first["undone_by"] is not None:
            return
        if self._wholly_fresh(first["operation"], edit["origin"]) or self._is(
            first, c.read_json(first["after"], dict, "after")
        ):
            journal.take_back(self._ours, self._rows, first, self._line(edit))
            self._report.edits += 1
        else:
            self._conflict(edit, first["operation"], c.read_json(edit["after"], dict, "after"))

    def _redone(self, edit: Any) -> None:
        first = self._first(edit)
        if first is None or first["undone_by"] is None:
            return
        undo_here = next(
            query(self._ours, "SELECT uuid FROM edit WHERE number = ?", (first["undone_by"],))
        )["uuid"]
        known_there = self._theirs.conn.execute(
            "SELECT 1 FROM edit WHERE uuid = ?", (undo_here,)
        ).fetchone()
        fresh = self._wholly_fresh(first["operation"], edit["origin"])
        if known_there and (fresh or self._is(first, c.read_json(first["before"], dict, "before"))):
            journal.make_again(self._ours, self._rows, first, self._line(edit))
            self._report.edits += 1

    def _first(self, edit: Any) -> Any | None:
        """Returns our edit that an undo or redo of the other library refers to."""
        found = self._theirs.conn.execute(
            "SELECT uuid FROM edit WHERE number = ?", (edit["turns"],)
        ).fetchone()
        return None if found is None else self._known(found[0])

    def _made(self, edit: Any) -> None:
        operation = edit["operation"]
        before, after = (
            c.read_json(edit["before"], dict, "before"),
            c.read_json(edit["after"], dict, "after"),
        )
        try:
            target = self._target(edit)
            now = self._now(target, operation, after)
        except NotStorable:
            self._conflict(edit, operation, after, "")
            return
        fresh = self._wholly_fresh(operation, edit["origin"])
        if fresh or self._fits(target, operation, before, after):
            self._write(edit, target, before, after)
        elif _says(now, after):
            self._write(edit, target, now, after)
        else:
            self._conflict(edit, operation, after)
            made = self._write(edit, target, now, after)
            row = next(query(self._ours, "SELECT * FROM edit WHERE number = ?", (made,)))
            journal.take_back(self._ours, self._rows, row, JournalFields(UNDO, MERGER, None))

    def _fits(self, target: Target, operation: str, before: State, after: State) -> bool:
        """Applies the change if the present state equals the state before it; returns whether it
        did."""
        try:
            with self._ours.atomic():
                if operation not in COMPOUNDS:
                    single = [(OPERATIONS[operation], target, before, after)]
                else:
                    was = journal.parts_of(self._ours, target, before)
                    then = journal.parts_of(self._ours, target, after)
                    single = [
                        (one, at, b, a) for (one, at, b), (_, _, a) in zip(was, then, strict=True)
                    ]
                for one, at, was_, then_ in single:
                    fresh = self._is_fresh(at) and one not in _STRUCTURE
                    if not fresh and one.now(self._ours, at, then_) != was_:
                        raise _NotAsBefore
                    one.make(self._ours, self._rows, at, then_)
        except (_NotAsBefore, NotStorable):
            self._rows.forget()
            return False
        return True

    def _now(self, target: Target, operation: str, after: State) -> State:
        if operation not in COMPOUNDS:
            if operation not in OPERATIONS:
                raise NotStorable(f"there is no change “{operation[:40]}”")
            return OPERATIONS[operation].now(self._ours, target, after)
        parts = journal.parts_of(self._ours, target, after)
        return {
            "parts": [
                {**told, "state": one.now(self._ours, at, state)}
                for told, (one, at, state) in zip(after["parts"], parts, strict=True)
            ]
        }

    def _is(self, edit: Any, state: State) -> bool:
        """Whether the value that one of our edits changes now equals this state."""
        target = Target(edit["episode"], edit["step"])
        try:
            return _says(self._now(target, edit["operation"], state), state)
        except NotStorable:
            return False

    def _target(self, edit: Any) -> Target:
        episode = self._here["id"]
        return Target(episode, journal.step_by_origin(self._ours, episode, edit["origin"]))

    def _wholly_fresh(self, operation: str, origin: str | None) -> bool:
        """Whether the edit concerns only a step copied by this merge, which already includes it."""
        single = OPERATIONS.get(operation)
        structure = single in _STRUCTURE or operation in ("steps.merge", "step.split")
        return origin in self._fresh and not structure

    def _is_fresh(self, target: Target) -> bool:
        return journal.origin_of(self._ours, target.step) in self._fresh

    def _line(self, edit: Any) -> JournalFields:
        author = Author(edit["author_uuid"], edit["author_name"], edit["author_kind"])
        return JournalFields(
            edit["operation"], author, edit["step_number"], edit["uuid"], edit["made_utc"]
        )

    def _write(self, edit: Any, target: Target, before: State, after: State) -> int:
        line = self._line(edit)
        made = journal.write_down(self._ours, self._rows, target, line, before, after)
        self._report.edits += 1
        return made.number

    def _conflict(self, edit: Any, operation: str, there: State, here: str | None = None) -> None:
        if here is None:
            now = self._now(self._target(edit), operation, there)
            here = json.dumps(now, ensure_ascii=False)
        what = json.dumps([there.get(key) for key in _NAMING])
        self._conflicts[(edit["origin"], operation, what)] = Conflict(
            self._here["name"],
            edit["step_number"],
            operation,
            here,
            json.dumps(there, ensure_ascii=False),
        )


class _NotAsBefore(Exception):
    """The value that an edit changes is not the same as when the edit was made."""


_STRUCTURE = (OPERATIONS["step.delete"], OPERATIONS["step.number"])


def _sound(text: str) -> bool:
    """Whether a line's state is well-formed; its values are checked when it is applied."""
    try:
        state = json.loads(text)
    except ValueError:
        return False
    if not isinstance(state, dict):
        return False
    parts = state.get("parts", [])
    return isinstance(parts, list) and all(
        isinstance(part, dict)
        and isinstance(part.get("operation"), str)
        and isinstance(part.get("step"), str)
        and isinstance(part.get("state"), dict)
        for part in parts
    )


def _says(now: State, state: State) -> bool:
    """Whether a state equals the present one; it may have further fields, such as a reason."""
    if "parts" in now:
        both = zip(now["parts"], state["parts"], strict=True)
        return all(_says(one["state"], other["state"]) for one, other in both)
    return all(state.get(name) == value for name, value in now.items())
