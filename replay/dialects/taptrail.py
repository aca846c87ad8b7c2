"""Our own prediction file: JSON lines with an action each.

    {"episode": "e-0001", "step": 3, "raw": "tap the blue button",
     "action": {"kind": "tap", "at": {"point": [540, 820]}}}

"action" is written as `episodes.codec` writes actions, its coordinates in the declared space
(pixels of the step's frame if none is declared). "raw" is what the model answered, and is optional.
A line with "raw" and no "action" is an unreadable answer: it counts as wrong. An action may also be
the JSON text of one, as a model that is asked for it answers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from episodes.actions import Action
from episodes.codec import BadValue, action_from_json, action_to_json
from episodes.episodes import Episode
from episodes.geometry import Native, Point, Size
from episodes.runs import Unreadable
from episodes.steps import Step
from replay.coordinates import SPACES, finger, in_pixels
from replay.dialect import Declared, Dialect, Limits, Row
from replay.dialects.layouts import place_of, read_objects
from replay.dialects.lines import broken, clean
from replay.dialects.loose import Unread, value_in
from replay.dialects.writing import to_json


def rows(path: Path, limits: Limits) -> Iterator[Row]:
    """Yields the rows of a file."""
    for number, told in read_objects(path, limits):
        if isinstance(told, Row):
            yield told
            continue
        value = told.get("action")
        raw = told.get("raw")
        if raw is None:
            raw = json.dumps(value, ensure_ascii=False) if value is not None else ""
        where = place_of(told)
        problem = "it has no “action”" if value is None else ""
        if not isinstance(raw, str):
            raw, problem = json.dumps(raw, ensure_ascii=False), "“raw” is not a text"
        if isinstance(where, str):
            yield broken(raw[:1000], where, path, number)
        else:
            yield Row(*where, clean(raw), value, None, problem, path.name, number)


def action(row: Row, size: Size | None, declared: Declared) -> Action | Unreadable:
    """Returns the row's action in pixels of the step's frame, scrolls by the finger."""
    try:
        value = _value(row)
        found = action_from_json(value)
    except (BadValue, Unread) as error:
        return Unreadable(f"the action cannot be read: {error}", _guess(row.value))
    if declared.coordinates not in ("", "pixels"):
        if size is None:
            return Unreadable("the step's frame has no size to put the action in", _guess(value))
        found = in_pixels(found, declared.coordinates, size)
    return finger(found) if declared.scroll == "content" else found


def _value(row: Row) -> Any:
    """Returns the action's JSON; of a text the first object that names a kind."""
    if not isinstance(row.value, str):
        return row.value
    mark = row.value.find('"kind"')
    begins = row.value.rfind("{", 0, max(mark, 0))
    if begins < 0:
        raise Unread("the answer has no object with a “kind”")
    return value_in(row.value, begins)


def native(row: Row, declared: Declared) -> Native | None:
    """Returns the action's JSON unchanged, with the space it was declared in."""
    if row.problem or declared.coordinates in ("", "pixels"):
        return None
    return Native.of(declared.coordinates, row.value)


def disagreements(row: Row, step: Step, episode: Episode) -> list[str]:
    """Returns nothing: rows of this dialect do not state the gold."""
    return []


def write(action: Action, extent: Point) -> str | None:
    """Returns the JSON text of an action."""
    return to_json(action_to_json(action))


def _guess(value: Any) -> str:
    kind = value.get("kind") if isinstance(value, dict) else None
    return kind[:40] if isinstance(kind, str) else ""


DIALECT = Dialect(
    name="taptrail",
    title="Taptrail's prediction lines",
    coordinates=SPACES,
    scrolls=("finger", "content"),
    rows=rows,
    action=action,
    native=native,
    disagreements=disagreements,
    write=write,
)
