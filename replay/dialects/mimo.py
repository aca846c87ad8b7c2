"""MiMo's answers: a JSON list of actions in a fence.

    ```json
    [{"action": "click", "start_point": [540, 390]}]
    ```

Points are pixels of the screen. A drag is the finger's, and so is a scroll's direction. After the
thought, the first fence counts; without one, the first object that names an action.

Source: lmms_eval/tasks/_task_utils/gui_utils.py of XiaomiMiMo/lmms-eval at c3abd7b.
"""

from __future__ import annotations

import re
from typing import Any

from episodes import actions as a
from episodes.runs import Unreadable
from replay.dialects import meanings
from replay.dialects.answers import CONTENT, FINGER, Reading, Told, of_answers
from replay.dialects.loose import after_thought, micros, point_of, value_in

_FENCE = "```json"
_NAMED = re.compile(r'(?:\[\s{0,20})?\{\s{0,20}"action"\s{0,20}:')


def read(value: Any) -> Reading:
    """Returns the first action of an answer, its points in pixels."""
    told = value
    if isinstance(value, str):
        body = after_thought(value, _FENCE)
        _, fence, fenced = body.partition(_FENCE)
        begins = _beginning(fenced if fence else body, bool(fence))
        if begins < 0:
            return Unreadable("it has no JSON")
        told = value_in(fenced if fence else body, begins)
    many = told if isinstance(told, list) else [told]
    first = many[0] if many else None
    if not isinstance(first, dict) or not isinstance(first.get("action"), str):
        return Unreadable("the answer names no action")
    action = _action(first["action"].lower(), first)
    return action if isinstance(action, Unreadable) else Told(action, more=len(many) - 1)


def _beginning(text: str, fenced: bool) -> int:
    found = None if fenced else _NAMED.search(text)
    if found is not None:
        return found.start()
    places = [at for sign in "[{" if (at := text.find(sign)) >= 0]
    return min(places, default=-1)


def _action(kind: str, told: dict[str, Any]) -> a.Action | Unreadable:
    at = point_of(told.get("start_point"))
    match kind:
        case "click":
            return a.Tap(at) if at is not None else meanings.no_point("tap")
        case "doubleclick" | "double_click":
            return a.DoubleTap(at) if at is not None else meanings.no_point("double_tap")
        case "longpress" | "long_press":
            return a.LongPress(at) if at is not None else meanings.no_point("long_press")
        case "drag" | "swipe":
            end = point_of(told.get("end_point"))
            return a.Swipe(at, end) if at and end else meanings.no_point("swipe")
        case "scroll":
            return meanings.scroll(told.get("direction"), at)
        case "input" | "type":
            text = told.get("text")
            return a.TypeText(text, at) if isinstance(text, str) else meanings.no_text("type_text")
        case "press":
            keys = told.get("keys", told.get("key"))
            single = "+".join(map(str, keys)) if isinstance(keys, list) else keys
            return meanings.key(single)
        case "appswitch":
            return a.PressKey(a.Key.RECENTS)
        case "open":
            app = told.get("app", told.get("app_name"))
            return a.OpenApp(app) if isinstance(app, str) else meanings.no_text("open_app")
        case "wait":
            return a.Wait(micros(told.get("time")))
        case "finished":
            return meanings.ending(told.get("status"))
    return meanings.other(kind, told)


DIALECT = of_answers(
    "mimo",
    "MiMo's answers",
    read,
    coordinates=("pixels", "resized:WxH", "0-1000", "0-999", "0-1"),
    scrolls=(FINGER, CONTENT),
    form="mimo",
)
