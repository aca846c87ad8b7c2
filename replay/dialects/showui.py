"""ShowUI's answers: a Python dictionary of an action, a value and a position.

    {'action': 'CLICK', 'value': None, 'position': [0.49, 0.42]}

Positions are fractions. `SCROLL UP` and its like name the content's direction: the evaluator
replaces `SCROLL UP` by a finger that moves down. `SWIPE` has the finger's two positions. An answer
that is a status (`task complete`) ends the task.

Source: main/utils_aitw.py, main/eval_aitw.py and data/template/shared_navigation.py of
showlab/ShowUI at 21ed7cb.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from episodes import actions as a
from episodes.geometry import Point
from episodes.runs import Unreadable
from replay.dialects import vocabulary
from replay.dialects.answers import CONTENT, FINGER, of_answers
from replay.dialects.loose import point_of, value_in
from replay.dialects.parsed import Parsed, ParseResult
from replay.dialects.writing import literal, pair, point

_ENDINGS = {
    "STATUS TASK COMPLETE": a.Ending.COMPLETE,
    "TASK COMPLETE": a.Ending.COMPLETE,
    "COMPLETE": a.Ending.COMPLETE,
    "STATUS TASK IMPOSSIBLE": a.Ending.IMPOSSIBLE,
    "TASK IMPOSSIBLE": a.Ending.IMPOSSIBLE,
    "IMPOSSIBLE": a.Ending.IMPOSSIBLE,
}


def parse(value: Any) -> ParseResult:
    """Returns the first action of an answer, its position in fractions."""
    found = value
    if isinstance(value, str):
        places = [at for sign in "[{" if (at := value.find(sign)) >= 0]
        if not places:
            return Unreadable("it has no dictionary")
        found = value_in(value, min(places))
    all_actions = found if isinstance(found, list) else [found]
    first = all_actions[0] if all_actions else None
    if not isinstance(first, dict) or not isinstance(first.get("action"), str):
        return Unreadable("the answer names no action")
    action = _action(" ".join(first["action"].upper().replace("_", " ").split()), first)
    return action if isinstance(action, Unreadable) else Parsed(action, more=len(all_actions) - 1)


def _action(name: str, fields: Mapping[str, Any]) -> a.Action | Unreadable:
    at, text = point_of(fields.get("position")), fields.get("value")
    match name:
        case "CLICK" | "TAP":
            return a.Tap(at) if at is not None else vocabulary.no_point("tap")
        case "LONG PRESS":
            return a.LongPress(at) if at is not None else vocabulary.no_point("long_press")
        case "INPUT" | "TYPE":
            if not isinstance(text, str):
                return vocabulary.no_text("type_text")
            return a.TypeText(text, at)
        case "SWIPE":
            return _stroke(fields.get("position"))
        case "SCROLL":
            return vocabulary.scroll(text, at)
        case "ENTER" | "PRESS ENTER" | "PRESS BACK" | "PRESS HOME" | "PRESS RECENT":
            return vocabulary.key(name.removeprefix("PRESS "))
        case "ANSWER" if isinstance(text, str) and text.strip().upper() in _ENDINGS:
            return a.Finish(_ENDINGS[text.strip().upper()])
        case "ANSWER":
            return a.Answer(text) if isinstance(text, str) else vocabulary.no_text("answer")
        case "WAIT":
            return a.Wait()
        case name if name in _ENDINGS:
            return a.Finish(_ENDINGS[name])
        case name if name.startswith("SCROLL "):
            return vocabulary.scroll(name.removeprefix("SCROLL "), at)
    return vocabulary.unknown(name, fields)


def _stroke(position: Any) -> a.Swipe | Unreadable:
    ends = position if isinstance(position, list) and len(position) == 2 else [None, None]
    start, end = point_of(ends[0]), point_of(ends[1])
    return a.Swipe(start, end) if start and end else vocabulary.no_point("swipe")


def write(action: a.Action, extent: Point) -> str | None:
    """Returns ShowUI's dictionary."""
    text: str | None = None
    position: list[Any] | None = None
    match action:
        case a.Tap():
            name, position = "CLICK", pair(point(action))
        case a.LongPress():
            name, position = "LONG PRESS", pair(point(action))
        case a.Swipe(start, end):
            name, position = "SWIPE", [pair(start), pair(end)]
        case a.Scroll(direction):
            name = f"SCROLL {direction.upper()}"
        case a.TypeText(words):
            name, text = "TYPE", words
        case a.Answer(words):
            name, text = "ANSWER", words
        case a.PressKey(a.Key.ENTER):
            name = "ENTER"
        case a.PressKey(a.Key.BACK | a.Key.HOME):
            name = f"PRESS {action.key.upper()}"
        case a.PressKey(a.Key.RECENTS):
            name = "PRESS RECENT"
        case a.Wait():
            name = "WAIT"
        case a.Finish(ending):
            name = f"STATUS TASK {ending.upper()}"
        case _:
            return None
    return literal({"action": name, "value": text, "position": position})


DIALECT = of_answers(
    "showui",
    "ShowUI's answers",
    parse,
    write,
    coordinates=("0-1", "0-1000", "0-999", "pixels"),
    scrolls=(CONTENT, FINGER),
)
