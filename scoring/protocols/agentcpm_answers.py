"""Parses answers in AgentCPM-GUI's form as its evaluator does.

An answer is a JSON object: {"POINT": [x, y], "to": "up" or [x, y], "PRESS": "BACK", "TYPE": "...",
"duration": ms, "STATUS": "finish"}, coordinates in whole thousandths. First a schema is
checked; an answer that it refuses has no kind. Then the keys are tested in order to find the
kind.

Source: eval/utils/evaluator.py, eval/utils/convert_output.py and
eval/utils/schema/schema_for_extraction.json of OpenBMB/AgentCPM-GUI at acbaf50.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from episodes.runs import Unreadable
from scoring.expressions import NoValue, value_of
from scoring.protocols.guiodyssey_steps import ParsedAnswer

TAP_MS = 200
LONG_MS = 1000
MAX_TEXT = 20_000
DIRECTIONS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
NO_DIRECTION = "no direction"
STOPS = ("finish", "satisfied", "impossible", "interrupt", "need_feedback")

_STATUSES = ("continue", "start", *STOPS)
_PRESSES = ("HOME", "BACK", "ENTER", "APPSELECT")
_ACTS = ("POINT", "PRESS", "TYPE", "DEEP_LINK", "CLEAR")
_KEYS = {*_ACTS, "thought", "to", "duration", "STATUS"}


@dataclass(frozen=True, slots=True)
class CpmAction:
    """One action as the evaluator compares it.

    Attributes:
        kind: "click", "long_point", "scroll", "type", "press" or "stop".
        point: (x, y) in 0..1 of a click or long press.
        text: typed text, button or direction, as the kind has it.
    """

    kind: str
    point: tuple[float, float] | None = None
    text: str = ""


def of_text(raw: str) -> CpmAction | Unreadable:
    """Returns the action of a model's text, which is JSON."""
    if len(raw) > MAX_TEXT:
        return Unreadable(f"{len(raw)} characters are more than are read as an action")
    try:
        return of_object(json.loads(raw))
    except (ValueError, RecursionError):
        return Unreadable("the answer is not JSON")


def of_object(decoded: Any) -> CpmAction | Unreadable:
    """Returns the action of an answer's object; an object that the schema refuses is unreadable."""
    problem = _refused(decoded)
    if problem:
        return Unreadable(f"AgentCPM-GUI's schema refuses it: {problem}")
    duration = decoded.get("duration", TAP_MS)
    if decoded.get("STATUS", "continue") in STOPS:
        return CpmAction("stop")
    if "TYPE" in decoded:
        return CpmAction("type", text=decoded["TYPE"])
    if "POINT" in decoded and duration >= TAP_MS:
        x, y = decoded["POINT"]
        if duration > TAP_MS:
            return CpmAction("long_point", (x / 1000, y / 1000))
        if "to" in decoded:
            return CpmAction("scroll", text=_way((x, y), decoded["to"]))
        return CpmAction("click", (x / 1000, y / 1000))
    if "PRESS" in decoded:
        return CpmAction("press", text=decoded["PRESS"].lower())
    return CpmAction("stop")  # a wait, a cleared field and a point held too shortly, too


def of_answer(answer: ParsedAnswer) -> CpmAction | Unreadable:
    """Converts an answer from GUIOdyssey's syntax to AgentCPM-GUI's form."""
    match answer.kind:
        case "CLICK" | "LONG_PRESS":
            try:
                point = value_of(answer.argument)
            except NoValue:
                return Unreadable("its point is no pair of numbers")
            if not isinstance(point, tuple | list):
                return Unreadable("its point is no pair of numbers")
            duration = TAP_MS if answer.kind == "CLICK" else LONG_MS
            return of_object({"POINT": list(point), "duration": duration})
        case "SCROLL":
            return of_object({"POINT": [500, 500], "to": answer.argument.lower()})
        case "TYPE":
            return of_object({"TYPE": answer.argument})
        case "COMPLETE":
            return of_object({"STATUS": "finish"})
        case "IMPOSSIBLE":
            return of_object({"STATUS": "impossible"})
        case "PRESS_RECENT":
            return of_object({"PRESS": "APPSELECT"})
        case "WAIT":
            return of_object({"duration": LONG_MS})
    if answer.kind.startswith("PRESS_"):
        return of_object({"PRESS": answer.kind.removeprefix("PRESS_")})
    return Unreadable(f"AgentCPM-GUI has no {answer.kind[:40] or 'such action'}")


def direction(start: tuple[float, float], end: tuple[float, float]) -> str:
    """Returns the one of four directions with the largest cosine; up and down win ties."""
    across, down = end[0] - start[0], end[1] - start[1]
    length = math.sqrt(across * across + down * down)
    if length == 0:
        return NO_DIRECTION
    best, found = -math.inf, NO_DIRECTION
    for word, (dx, dy) in DIRECTIONS.items():
        cosine = across / length * dx + down / length * dy
        if cosine > best:
            best, found = cosine, word
    return found


def _way(start: tuple[float, float], to: Any) -> str:
    return to if isinstance(to, str) else direction(start, (to[0], to[1]))


def _refused(decoded: Any) -> str:
    """Returns the schema error; "" if the object is valid."""
    if not isinstance(decoded, dict):
        return "it is no object"
    odd = sorted(str(key)[:40] for key in decoded if key not in _KEYS)
    if odd:
        return f"it has “{odd[0]}”"
    for key, value in decoded.items():
        if not _fits(key, value):
            return f"“{key}” is {json.dumps(value, ensure_ascii=False)[:40]}"
    acts = [key for key in _ACTS if key in decoded]
    if len(acts) > 1:
        return f"it has {acts[0]} and {acts[1]}"
    if "to" in decoded and "POINT" not in decoded:
        return "it has “to” and no POINT"
    goes_on = decoded.get("STATUS", "continue") in ("continue", "start")
    if goes_on and not acts and "duration" not in decoded:
        return "it goes on and does nothing"
    return ""


def _fits(key: str, value: Any) -> bool:
    match key:
        case "POINT":
            return _is_place(value)
        case "to":
            return _is_place(value) or (isinstance(value, str) and value in DIRECTIONS)
        case "duration":
            return _is_whole(value) and value >= 0
        case "PRESS":
            return value in _PRESSES
        case "STATUS":
            return value in _STATUSES
        case "DEEP_LINK" | "CLEAR":
            return value is None
    return isinstance(value, str)


def _is_place(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(_is_whole(number) and 0 <= number <= 1000 for number in value)
    )


def _is_whole(value: Any) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float) and value.is_integer())


_MARKS = tuple(f'"{key}"' for key in (*_ACTS, "STATUS", "duration"))


def is_own_text(raw: str) -> bool:
    """Whether a text looks like AgentCPM-GUI's JSON."""
    return raw.lstrip().startswith("{") and any(mark in raw for mark in _MARKS)
