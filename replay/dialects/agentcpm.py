"""AgentCPM-GUI's answers: one JSON object of upper-case keys, points in whole thousandths.

    {"thought": "...", "POINT": [723, 536], "to": "up"}

"to" is where the finger goes, a word or a second point. "duration" is in milliseconds; a point held
for more than 200 is a long press, a duration alone a wait.

Source: eval/utils/schema and eval/utils/evaluator.py of OpenBMB/AgentCPM-GUI at acbaf50.
"""

from __future__ import annotations

from typing import Any

from episodes import actions as a
from episodes.runs import Unreadable
from replay.dialects import meanings
from replay.dialects.answers import FINGER, Reading, Told, of_answers
from replay.dialects.layouts import with_answers
from replay.dialects.loose import micros, number_of, point_of, value_in

TAP_MS = 200
_ENDS = ("finish", "satisfied", "impossible", "interrupt", "need_feedback")


def read(value: Any) -> Reading:
    """Returns the action of an answer, its points in thousandths."""
    told = value
    if isinstance(value, str):
        begins = value.find("{")
        if begins < 0:
            return Unreadable("it has no JSON object")
        told = value_in(value, begins)
    if not isinstance(told, dict):
        return Unreadable("the answer is not an object")
    action = _action(told)
    return action if isinstance(action, Unreadable) else Told(action)


def _action(told: dict[str, Any]) -> a.Action | Unreadable:
    status = told.get("STATUS")
    if isinstance(status, str) and status.lower() in _ENDS:
        return meanings.ending(status)
    if "TYPE" in told:
        text = told["TYPE"]
        return a.TypeText(text) if isinstance(text, str) else meanings.no_text("type_text")
    if "POINT" in told:
        return _touch(told)
    if "PRESS" in told:
        return meanings.key(told["PRESS"])
    for name in ("CLEAR", "DEEP_LINK", "OPEN_APP", "open_app"):
        if name in told:
            app = told[name]
            if name.lower() == "open_app" and isinstance(app, str):
                return a.OpenApp(app)
            return meanings.other(name, {name: app})
    if "duration" in told:
        return a.Wait(micros(told["duration"], 1000))
    return Unreadable("it has none of POINT, PRESS, TYPE, STATUS and duration")


def _touch(told: dict[str, Any]) -> a.Action | Unreadable:
    at = point_of(told["POINT"])
    if at is None:
        return meanings.no_point("scroll" if "to" in told else "tap")
    if (number_of(told.get("duration")) or 0) > TAP_MS:
        return a.LongPress(at, micros(told["duration"], 1000))
    if "to" not in told:
        return a.Tap(at)
    if isinstance(told["to"], str):
        return meanings.scroll(told["to"], at)
    end = point_of(told["to"])
    return a.Swipe(at, end) if end is not None else meanings.no_point("swipe")


DIALECT = of_answers(
    "agentcpm",
    "AgentCPM-GUI's answers",
    read,
    coordinates=("0-1000", "0-999", "0-1", "pixels"),
    scrolls=(FINGER,),
    form="agentcpm",
    keep=lambda value: value if isinstance(value, str | dict) else None,
    rows=with_answers("pred"),
)
