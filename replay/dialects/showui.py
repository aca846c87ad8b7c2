"""ShowUI's answers: a Python dictionary of an action, a value and a position.

    {'action': 'CLICK', 'value': None, 'position': [0.49, 0.42]}

Positions are fractions. `SCROLL UP` and its like say where the content goes: the evaluator puts a
finger that moves down in the place of `SCROLL UP`. `SWIPE` has two positions, the finger's. An
answer that is a status (`task complete`) ends the task.

Source: main/utils_aitw.py, main/eval_aitw.py and data/template/shared_navigation.py of
showlab/ShowUI at 21ed7cb.
"""

from __future__ import annotations

from typing import Any

from episodes import actions as a
from episodes.runs import Unreadable
from replay.dialects import meanings
from replay.dialects.answers import CONTENT, FINGER, Reading, Told, of_answers
from replay.dialects.loose import point_of, value_in

_ENDINGS = {
    "STATUS TASK COMPLETE": a.Ending.COMPLETE,
    "TASK COMPLETE": a.Ending.COMPLETE,
    "COMPLETE": a.Ending.COMPLETE,
    "STATUS TASK IMPOSSIBLE": a.Ending.IMPOSSIBLE,
    "TASK IMPOSSIBLE": a.Ending.IMPOSSIBLE,
    "IMPOSSIBLE": a.Ending.IMPOSSIBLE,
}


def read(value: Any) -> Reading:
    """Returns the first action of an answer, its position in fractions."""
    told = value
    if isinstance(value, str):
        places = [at for sign in "[{" if (at := value.find(sign)) >= 0]
        if not places:
            return Unreadable("it has no dictionary")
        told = value_in(value, min(places))
    many = told if isinstance(told, list) else [told]
    first = many[0] if many else None
    if not isinstance(first, dict) or not isinstance(first.get("action"), str):
        return Unreadable("the answer names no action")
    action = _action(" ".join(first["action"].upper().replace("_", " ").split()), first)
    return action if isinstance(action, Unreadable) else Told(action, more=len(many) - 1)


def _action(name: str, told: dict[str, Any]) -> a.Action | Unreadable:
    at, text = point_of(told.get("position")), told.get("value")
    match name:
        case "CLICK" | "TAP":
            return a.Tap(at) if at is not None else meanings.no_point("tap")
        case "LONG PRESS":
            return a.LongPress(at) if at is not None else meanings.no_point("long_press")
        case "INPUT" | "TYPE":
            if not isinstance(text, str):
                return meanings.no_text("type_text")
            return a.TypeText(text, at)
        case "SWIPE":
            return _stroke(told.get("position"))
        case "SCROLL":
            return meanings.scroll(text, at)
        case "ENTER" | "PRESS ENTER" | "PRESS BACK" | "PRESS HOME" | "PRESS RECENT":
            return meanings.key(name.removeprefix("PRESS "))
        case "ANSWER" if isinstance(text, str) and text.strip().upper() in _ENDINGS:
            return a.Finish(_ENDINGS[text.strip().upper()])
        case "ANSWER":
            return a.Answer(text) if isinstance(text, str) else meanings.no_text("answer")
        case "WAIT":
            return a.Wait()
        case name if name in _ENDINGS:
            return a.Finish(_ENDINGS[name])
        case name if name.startswith("SCROLL "):
            return meanings.scroll(name.removeprefix("SCROLL "), at)
    return meanings.other(name, told)


def _stroke(position: Any) -> a.Swipe | Unreadable:
    ends = position if isinstance(position, list) and len(position) == 2 else [None, None]
    start, end = point_of(ends[0]), point_of(ends[1])
    return a.Swipe(start, end) if start and end else meanings.no_point("swipe")


DIALECT = of_answers(
    "showui",
    "ShowUI's answers",
    read,
    coordinates=("0-1", "0-1000", "0-999", "pixels"),
    scrolls=(CONTENT, FINGER),
)
