"""MiMo's answers: a JSON list of actions in a fence.

    ```json
    [{"action": "click", "start_point": [540, 390]}]
    ```

Points are pixels of the screen. A drag and a scroll's direction are the finger's. After the
thought, the first fence counts; without one, the first object that names an action.

Source: lmms_eval/tasks/_task_utils/gui_utils.py of XiaomiMiMo/lmms-eval at c3abd7b.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from episodes import actions as a
from episodes.geometry import Point
from episodes.runs import Unreadable
from replay.dialects import vocabulary
from replay.dialects.answers import CONTENT, FINGER, of_answers
from replay.dialects.loose import after_thought, micros, point_of, value_in
from replay.dialects.parsed import ParseResult, first_of
from replay.dialects.writing import pair, point, seconds, to_json

_FENCE = "```json"
_NAMED = re.compile(r'(?:\[\s{0,20})?\{\s{0,20}"action"\s{0,20}:')


def parse(value: Any) -> ParseResult:
    """Returns the first action of an answer, its points in pixels."""
    found = value
    if isinstance(value, str):
        body = after_thought(value, _FENCE)
        _, fence, fenced = body.partition(_FENCE)
        begins = _beginning(fenced if fence else body, bool(fence))
        if begins < 0:
            return Unreadable("it has no JSON")
        found = value_in(fenced if fence else body, begins)
    return first_of(found, _action)


def _beginning(text: str, fenced: bool) -> int:
    found = None if fenced else _NAMED.search(text)
    if found is not None:
        return found.start()
    places = [at for sign in "[{" if (at := text.find(sign)) >= 0]
    return min(places, default=-1)


def _action(kind: str, fields: Mapping[str, Any]) -> a.Action | Unreadable:
    at = point_of(fields.get("start_point"))
    match kind:
        case "click":
            return a.Tap(at) if at is not None else vocabulary.no_point("tap")
        case "doubleclick" | "double_click":
            return a.DoubleTap(at) if at is not None else vocabulary.no_point("double_tap")
        case "longpress" | "long_press":
            return a.LongPress(at) if at is not None else vocabulary.no_point("long_press")
        case "drag" | "swipe":
            end = point_of(fields.get("end_point"))
            return a.Swipe(at, end) if at and end else vocabulary.no_point("swipe")
        case "scroll":
            return vocabulary.scroll(fields.get("direction"), at)
        case "input" | "type":
            text = fields.get("text")
            return (
                a.TypeText(text, at) if isinstance(text, str) else vocabulary.no_text("type_text")
            )
        case "press":
            return vocabulary.keys(fields.get("keys", fields.get("key")))
        case "appswitch":
            return a.PressKey(a.Key.RECENTS)
        case "open":
            app = fields.get("app", fields.get("app_name"))
            return a.OpenApp(app) if isinstance(app, str) else vocabulary.no_text("open_app")
        case "wait":
            return a.Wait(micros(fields.get("time")))
        case "finished":
            return vocabulary.ending(fields.get("status"))
    return vocabulary.unknown(kind, fields)


def write(action: a.Action, extent: Point) -> str | None:
    """Returns MiMo's list of one action in a fence."""
    fields = _fields(action)
    return None if fields is None else f"{_FENCE}\n{to_json([fields])}\n```"


def _fields(action: a.Action) -> dict[str, Any] | None:
    match action:
        case a.Tap():
            return {"action": "click", "start_point": pair(point(action))}
        case a.DoubleTap():
            return {"action": "doubleclick", "start_point": pair(point(action))}
        case a.LongPress():
            return {"action": "longpress", "start_point": pair(point(action))}
        case a.Swipe(start, end):
            return {"action": "drag", "start_point": pair(start), "end_point": pair(end)}
        case a.Scroll(direction, at):
            place = {"start_point": pair(at)} if isinstance(at, Point) else {}
            return {"action": "scroll", "direction": direction.value, **place}
        case a.TypeText(text):
            return {"action": "input", "text": text}
        case a.PressKey(a.Key.RECENTS):
            return {"action": "appswitch"}
        case a.PressKey(key, None):
            return {"action": "press", "keys": [key.value]}
        case a.OpenApp(app):
            return {"action": "open", "app": app}
        case a.Wait(duration_us):
            return {"action": "wait", "time": seconds(duration_us)}
        case a.Finish(ending):
            done = "success" if ending is a.Ending.COMPLETE else "failed"
            return {"action": "finished", "status": done}
    return None


DIALECT = of_answers(
    "mimo",
    "MiMo's answers",
    parse,
    write,
    coordinates=("pixels", "resized:WxH", "0-1000", "0-999", "0-1"),
    scrolls=(FINGER, CONTENT),
    form="mimo",
)
