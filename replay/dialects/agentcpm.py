"""AgentCPM-GUI's answers: one JSON object of upper-case keys, points in whole thousandths.

    {"thought": "...", "POINT": [723, 536], "to": "up"}

"to" is where the finger goes, a word or a second point. "duration" is in milliseconds; a point held
for more than 200 is a long press, a duration alone a wait.

Source: eval/utils/schema and eval/utils/evaluator.py of OpenBMB/AgentCPM-GUI at acbaf50.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from episodes import actions as a
from episodes.geometry import Point
from episodes.runs import Unreadable
from replay.dialects import vocabulary
from replay.dialects.answers import FINGER, of_answers
from replay.dialects.layouts import with_answers
from replay.dialects.loose import micros, number_of, object_in, point_of
from replay.dialects.parsed import Parsed, ParseResult
from replay.dialects.writing import LONG_PRESS_MS, WAIT_US, pair, point, stroke

TAP_MS = 200
_ENDS = ("finish", "satisfied", "impossible", "interrupt", "need_feedback")


def parse(value: Any) -> ParseResult:
    """Returns the action of an answer, its points in thousandths."""
    fields = object_in(value)
    if isinstance(fields, Unreadable):
        return fields
    if not isinstance(fields, dict):
        return Unreadable("the answer is not an object")
    action = _action(fields)
    return action if isinstance(action, Unreadable) else Parsed(action)


def _action(fields: Mapping[str, Any]) -> a.Action | Unreadable:
    status = fields.get("STATUS")
    if isinstance(status, str) and status.lower() in _ENDS:
        return vocabulary.ending(status)
    if "TYPE" in fields:
        text = fields["TYPE"]
        return a.TypeText(text) if isinstance(text, str) else vocabulary.no_text("type_text")
    if "POINT" in fields:
        return _touch(fields)
    if "PRESS" in fields:
        return vocabulary.key(fields["PRESS"])
    for name in ("CLEAR", "DEEP_LINK", "OPEN_APP", "open_app"):
        if name in fields:
            app = fields[name]
            if name.lower() == "open_app" and isinstance(app, str):
                return a.OpenApp(app)
            return vocabulary.unknown(name, {name: app})
    if "duration" in fields:
        return a.Wait(micros(fields["duration"], 1000))
    return Unreadable("it has none of POINT, PRESS, TYPE, STATUS and duration")


def _touch(fields: Mapping[str, Any]) -> a.Action | Unreadable:
    at = point_of(fields["POINT"])
    if at is None:
        return vocabulary.no_point("scroll" if "to" in fields else "tap")
    if (number_of(fields.get("duration")) or 0) > TAP_MS:
        return a.LongPress(at, micros(fields["duration"], 1000))
    if "to" not in fields:
        return a.Tap(at)
    if isinstance(fields["to"], str):
        return vocabulary.scroll(fields["to"], at)
    end = point_of(fields["to"])
    return a.Swipe(at, end) if end is not None else vocabulary.no_point("swipe")


def write(action: a.Action, extent: Point) -> str | None:
    """Returns AgentCPM-GUI's object."""
    match action:
        case a.Tap():
            fields: dict[str, Any] = {"POINT": pair(point(action))}
        case a.LongPress():
            fields = {"POINT": pair(point(action)), "duration": LONG_PRESS_MS}
        case a.Scroll(direction, at):
            start = at if isinstance(at, Point) else stroke(action, extent)[0]
            fields = {"POINT": pair(start), "to": direction.value}
        case a.TypeText(text):
            fields = {"TYPE": text}
        case a.PressKey(a.Key.HOME | a.Key.BACK | a.Key.ENTER):
            fields = {"PRESS": action.key.upper()}
        case a.Wait():
            fields = {"duration": (action.duration_us or WAIT_US) // 1000}
        case a.Finish(ending):
            fields = {"STATUS": "finish" if ending is a.Ending.COMPLETE else "impossible"}
        case _:
            return None
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


DIALECT = of_answers(
    "agentcpm",
    "AgentCPM-GUI's answers",
    parse,
    write,
    coordinates=("0-1000", "0-999", "0-1", "pixels"),
    scrolls=(FINGER,),
    form="agentcpm",
    keep=lambda value: value if isinstance(value, str | dict) else None,
    rows=with_answers("pred"),
)
