"""UGround's answers: a planner's action, and a grounding model's point.

    {"episode_id": 7249, "step": 7, "action": {"action_type": "click", "element": "Save"}}
    {"episode_id": 7249, "step": 7, "output": "(540, 390)", "scale": 0.5}

The point divided by its scale is in pixels. The plan line and the answer line of a step may be in
one file in any order, in two files of one run, or in one object with "action" and "answer". A line
with only a "description" is the question to the grounding model, not an answer. A scroll's
direction is where the content goes.

Source: offline_evaluation/AndroidControl of OSU-NLP-Group/UGround at 3a9b9f2.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from episodes import actions as a
from episodes.geometry import Point
from episodes.runs import Unreadable
from replay.dialect import Limits, Row
from replay.dialects import json_actions
from replay.dialects.answers import CONTENT, FINGER, of_answers
from replay.dialects.layouts import ANSWERS, place_of, read_objects, row_of
from replay.dialects.loose import number_of, point_of, value_in
from replay.dialects.parsed import ParseResult
from replay.dialects.writing import plain_number, point, to_json

_GROUNDED = ("click", "long_press", "type_text")
_PLAN = "plan"
_ALONE = "it is an answer to no plan"
_QUESTION = "it is a question to the grounding model, and holds no answer"


def parse(value: Any) -> ParseResult:
    """Returns the action of a plan, with the point of its answer in pixels."""
    found = value
    if isinstance(value, str):
        begins = value.find("{")
        if begins < 0:
            return Unreadable("it has no plan")
        found = value_in(value, begins)
    plan = found.get("action") if isinstance(found, dict) else None
    if not isinstance(plan, dict) or not isinstance(plan.get("action_type"), str):
        return Unreadable("the plan names no action")
    kind = plan["action_type"].lower()
    at = _point(found.get("answer"))
    if kind in _GROUNDED and at is None:
        return Unreadable("there is no grounding answer with a point", kind)
    placed = {} if at is None else {"x": at.x, "y": at.y}
    return json_actions.action_of(kind, {**plan, **placed})


def rows(path: Path, limits: Limits) -> Iterator[Row]:
    """Yields the plans and the grounding answers of a file, which `together` joins.

    Raises:
        KnownError: the file cannot be read, or is larger than is read.
    """
    for number, told in read_objects(path, limits):
        if isinstance(told, Row):
            yield told
        elif "action" in told and "raw" not in told:
            plan = {key: told.get(key) for key in ("action", "answer")}
            yield row_of({**told, _PLAN: plan}, path, number, (_PLAN,))
        elif "output" in told and "raw" not in told:
            where = place_of(told)
            row = row_of(told, path, number, ("output",))
            if not isinstance(where, str):
                value = {key: told.get(key) for key in ("output", "scale")}
                row = replace(row, value=value, problem=_ALONE)
            yield row
        else:
            row = row_of(told, path, number, ANSWERS)
            asks = "description" in told and row.value is None
            yield replace(row, problem=_QUESTION) if asks else row


def together(found: list[Row]) -> list[Row]:
    """Returns the rows of all files, with each plan's answer beside it wherever it stood."""
    outputs: dict[tuple[str, int], Row] = {}
    for row in found:
        if row.problem == _ALONE:
            outputs.setdefault((row.episode, row.step), row)
    taken: set[int] = set()
    joined = []
    for row in found:
        answer = outputs.get((row.episode, row.step))
        if answer is not None and _lacks_answer(row):
            taken.add(id(answer))
            value = {**row.value, "answer": answer.value}
            row = replace(row, value=value, raw=json.dumps(value, ensure_ascii=False))
        joined.append(row)
    rest = [row for row in joined if row.problem or not _is_plan(row)]
    plans = [row for row in joined if not row.problem and _is_plan(row)]
    return [row for row in (*rest, *plans) if id(row) not in taken]


def _is_plan(row: Row) -> bool:
    return isinstance(row.value, dict) and row.value.keys() == {"action", "answer"}


def _lacks_answer(row: Row) -> bool:
    return not row.problem and _is_plan(row) and row.value["answer"] is None


def _point(answer: Any) -> Point | None:
    if not isinstance(answer, dict):
        return None
    at, scale = point_of(answer.get("output")), number_of(answer.get("scale", 1))
    if at is None or scale is None or scale < 1e-6:
        return None
    return Point(at.x / scale, at.y / scale)


def write(action: a.Action, extent: Point) -> str | None:
    """Returns a plan and its grounding answer in one object."""
    plan = json_actions.object_of(action)
    if plan is None:
        return None
    if not isinstance(action, a.Tap | a.LongPress | a.DoubleTap):
        return to_json({"action": plan})
    at = point(action)
    output = f"({plain_number(at.x)}, {plain_number(at.y)})"
    return to_json(
        {"action": {"action_type": plan["action_type"]}, "answer": {"output": output, "scale": 1}}
    )


DIALECT = of_answers(
    "uground",
    "UGround's plans and grounding answers",
    parse,
    write,
    coordinates=("pixels",),
    scrolls=(CONTENT, FINGER),
    form="uground",
    keep=lambda value: value if isinstance(value, str | dict) else None,
    rows=rows,
    together=together,
)
