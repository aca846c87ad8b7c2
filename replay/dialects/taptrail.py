"""Our own prediction file: JSON lines with an action each.

    {"episode": "e-0001", "step": 3, "raw": "tap the blue button",
     "action": {"kind": "tap", "at": {"point": [540, 820]}}}

"action" is written as `episodes.codec` writes actions, its coordinates in the declared space
(pixels of the step's frame where nothing is declared). "raw" is what the model said, and may be
left out. A line with "raw" and no "action" is an answer nobody could read: it counts as wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from episodes.actions import Action
from episodes.codec import BadValue, action_from_json
from episodes.episodes import Episode
from episodes.geometry import Native, Size
from episodes.runs import Unreadable
from episodes.steps import Step
from replay.coordinates import SPACES, finger, in_pixels
from replay.dialect import Declared, Dialect, Limits, Row
from replay.dialects.lines import broken, clean, objects, place


def rows(path: Path, limits: Limits) -> Iterator[Row]:
    """Yields the rows of a file of JSON lines."""
    for number, told in objects(path, limits):
        if isinstance(told, Row):
            yield told
            continue
        where = place(told)
        value = told.get("action")
        raw = told.get("raw")
        if raw is None:
            raw = json.dumps(value, ensure_ascii=False) if value is not None else ""
        if isinstance(where, str):
            yield broken(str(raw)[:1000], where, path, number)
        elif not isinstance(raw, str):
            text = json.dumps(raw, ensure_ascii=False)
            problem = "“raw” is not a text"
            yield Row(*where, clean(text), problem=problem, file=path.name, line=number)
        else:
            problem = "it has no “action”" if value is None else ""
            yield Row(*where, clean(raw), value, None, problem, path.name, number)


def action(row: Row, size: Size | None, declared: Declared) -> Action | Unreadable:
    """Returns the row's action in pixels of the step's frame, scrolls by the finger."""
    try:
        told = action_from_json(row.value)
    except BadValue as error:
        return Unreadable(f"the action cannot be read: {error}", _guess(row))
    if declared.coordinates not in ("", "pixels"):
        if size is None:
            return Unreadable("the step's frame has no size to put the action in", _guess(row))
        told = in_pixels(told, declared.coordinates, size)
    return finger(told) if declared.scroll == "content" else told


def native(row: Row, declared: Declared) -> Native | None:
    """Returns the action's JSON as it came, with the space it was declared in."""
    if row.problem or declared.coordinates in ("", "pixels"):
        return None
    return Native.of(declared.coordinates, row.value)


def disagreements(row: Row, step: Step, episode: Episode) -> list[str]:
    """Returns nothing: this dialect says nothing of the gold."""
    return []


def _guess(row: Row) -> str:
    kind = row.value.get("kind") if isinstance(row.value, dict) else None
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
)
