"""UGround's answers: a planner's action, and a grounding model's point.

    {"episode_id": 7249, "step": 7, "action": {"action_type": "click", "element": "Save"}}
    {"episode_id": 7249, "step": 7, "output": "(540, 390)", "scale": 0.5}

The point divided by its scale is in pixels. Plan lines and answer lines of a step may stand in one
file in any order (`cat plan.jsonl answers.jsonl`), or in one object with "action" and "answer". A
scroll's direction is where the content goes.

Source: offline_evaluation/AndroidControl of OSU-NLP-Group/UGround at 3a9b9f2.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from episodes.geometry import Point
from episodes.runs import Unreadable
from replay.dialect import Limits, Row
from replay.dialects import json_actions
from replay.dialects.answers import CONTENT, FINGER, Reading, of_answers
from replay.dialects.layouts import ANSWERS, place_of, row_of, told_in
from replay.dialects.loose import number_of, point_of, value_in

_GROUNDED = ("click", "long_press", "type_text")
_PLAN = "plan"


def read(value: Any) -> Reading:
    """Returns the action of a plan, with the point of its answer in pixels."""
    told = value
    if isinstance(value, str):
        begins = value.find("{")
        if begins < 0:
            return Unreadable("it has no plan")
        told = value_in(value, begins)
    plan = told.get("action") if isinstance(told, dict) else None
    if not isinstance(plan, dict) or not isinstance(plan.get("action_type"), str):
        return Unreadable("the plan names no action")
    kind = plan["action_type"].lower()
    point = _point(told.get("answer"))
    if kind in _GROUNDED and point is None:
        return Unreadable("there is no grounding answer with a point", kind)
    placed = {} if point is None else {"x": point.x, "y": point.y}
    return json_actions.action_of(kind, {**plan, **placed})


def rows(path: Path, limits: Limits) -> Iterator[Row]:
    """Yields a row for each plan, with the grounding answer to its step if the file has one.

    Raises:
        KnownError: the file cannot be read, or is larger than is read.
    """
    plans: list[Row] = []
    outputs: dict[tuple[str, int], dict[str, Any]] = {}
    for number, told in told_in(path, limits):
        if isinstance(told, Row):
            yield told
        elif "output" in told and "action" not in told:
            where = place_of(told)
            if isinstance(where, str):
                yield row_of(told, path, number, ("output",))
            else:
                outputs.setdefault(where, {key: told.get(key) for key in ("output", "scale")})
        elif "raw" in told or "action" not in told:
            yield row_of(told, path, number, ANSWERS)
        else:
            plan = {key: told.get(key) for key in ("action", "answer")}
            plans.append(row_of({**told, _PLAN: plan}, path, number, (_PLAN,)))
    for row in plans:
        if not row.problem and row.value["answer"] is None:
            value = {**row.value, "answer": outputs.get((row.episode, row.step))}
            yield replace(row, value=value, raw=json.dumps(value, ensure_ascii=False))
        else:
            yield row


def _point(answer: Any) -> Point | None:
    if not isinstance(answer, dict):
        return None
    at, scale = point_of(answer.get("output")), number_of(answer.get("scale", 1))
    if at is None or scale is None or scale < 1e-6:
        return None
    return Point(at.x / scale, at.y / scale)


DIALECT = of_answers(
    "uground",
    "UGround's plans and grounding answers",
    read,
    coordinates=("pixels",),
    scrolls=(CONTENT, FINGER),
    form="uground",
    keep=lambda value: value if isinstance(value, str | dict) else None,
    rows=rows,
)
