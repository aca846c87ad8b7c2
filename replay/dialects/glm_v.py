"""Answers of GLM-4.1V and GLM-4.5V: a JSON object in AndroidWorld's words, places as boxes.

    Memory: None
    Reason: the list
    Action: <|begin_of_box|>{"action_type": "click", "box_2d": [[50, 590, 950, 655]]}<|end_of_box|>

Boxes are in 0 to 999, and an action is at a box's middle. Unlike AndroidWorld's, every direction of
a swipe is the finger's. A text goes into the field of its box, which is emptied first if "override"
says so, and ends with Enter.

Source: examples/gui-agent/glm-45v/agent.md and glmv_reward/scripts/gui_agent/AndroidWorld.py of
zai-org/GLM-V at 8fc9756.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from episodes import actions as a
from episodes.geometry import Point
from episodes.runs import Unreadable
from replay.dialects import json_actions, vocabulary
from replay.dialects.answers import CONTENT, FINGER, of_answers
from replay.dialects.loose import after_thought, point_of
from replay.dialects.parsed import Parsed, ParseResult
from replay.dialects.writing import pair, point, to_json

_OPEN, _CLOSE = "<|begin_of_box|>", "<|end_of_box|>"
_TAPS = {a.Tap: "click", a.LongPress: "long_press"}


def parse(value: Any) -> ParseResult:
    """Returns the action of an answer, its point in 0 to 999.

    Raises:
        Unread: the answer was cut off in its thought.
    """
    answer = value
    if isinstance(value, str):
        answer = after_thought(value, _OPEN, "Action:")
        _, mark, boxed = answer.rpartition(_OPEN)
        answer = boxed.partition(_CLOSE)[0] if mark else answer
    found = json_actions.object_in(answer)
    if isinstance(found, Unreadable):
        return found
    fields, more = found
    kind = fields["action_type"].lower()
    at = point_of(fields.get("box_2d"))
    action = _action(kind, fields, at)
    if action is not None:
        return action if isinstance(action, Unreadable) else Parsed(action, more=more)
    place = {} if at is None else {"x": at.x, "y": at.y}
    common = json_actions.action_of(kind, {**fields, **place})
    return common if isinstance(common, Unreadable) else replace(common, more=more)


def _action(kind: str, fields: Mapping[str, Any], at: Point | None) -> a.Action | Unreadable | None:
    """Returns an action that GLM-V means in its own way; None for the others."""
    if kind == "swipe":
        return vocabulary.scroll(fields.get("direction"), at)
    if kind == "input_text":
        text = fields.get("text")
        if not isinstance(text, str):
            return vocabulary.no_text("type_text")
        return a.TypeText(text, at, clear=fields.get("override") is True, submit=True)
    return None


def write(action: a.Action, extent: Point) -> str | None:
    """Returns an answer with an action; a place becomes a box without a size."""
    fields: dict[str, Any] | None
    match action:
        case a.Tap() | a.LongPress():
            at = pair(point(action))
            fields = {"action_type": _TAPS[type(action)], "box_2d": [at + at]}
        case a.Scroll(direction):
            fields = {"action_type": "swipe", "direction": direction.value}
        case a.TypeText(text, clear=clear):
            fields = {"action_type": "input_text", "text": text, "override": clear}
        case a.DoubleTap() | a.Swipe():
            return None
        case _:
            fields = json_actions.object_of(action)
    return None if fields is None else f"Action: {_OPEN}{to_json(fields)}{_CLOSE}"


DIALECT = of_answers(
    "glm-v",
    "GLM-4.1V's and GLM-4.5V's answers",
    parse,
    write,
    coordinates=("0-999", "0-1000", "0-1", "pixels", "resized:WxH"),
    scrolls=(FINGER, CONTENT),
)
