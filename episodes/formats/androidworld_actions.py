"""Actions as AndroidWorld writes them (`JSONAction`), to ours and back.

A scroll says where the content goes. A swipe's `up` and `down` are the finger's directions, but its
`left` and `right` move the finger as a scroll of that direction does. Texts end with Enter.

Source: env/json_action.py, env/actuation.py of google-research/android_world at d9c569f.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from episodes import actions as a
from episodes.geometry import Box, Direction, Point

SPACE = "androidworld"
MAX_TEXT = 200_000
JsonObject = dict[str, Any]
FIELDS = (
    *("action_type", "index", "x", "y", "text", "direction", "goal_status", "app_name"),
    *("keycode", "clear_text"),
)
"""What an action of AndroidWorld may hold."""

_KEYS = {
    "navigate_home": a.Key.HOME,
    "navigate_back": a.Key.BACK,
    "keyboard_enter": a.Key.ENTER,
}
_KEY_WORDS = {key: word for word, key in _KEYS.items()}
_TAPS = {a.Tap: "click", a.DoubleTap: "double_tap", a.LongPress: "long_press"}
_FINGER = {"up": "down", "down": "up", "left": "right", "right": "left"}


def action_of(told: Mapping[str, Any], boxes: list[Box | None]) -> a.Action:
    """Returns the action of a JSON action; what has no equivalent becomes `Other`.

    Args:
        boxes: of the elements that an index may name.
    """
    kind = text_of(told.get("action_type"))
    target = _target(told, boxes)
    direction = text_of(told.get("direction"))
    match kind:
        case "click" if target is not None:
            return a.Tap(target)
        case "double_tap" if target is not None:
            return a.DoubleTap(target)
        case "long_press" if target is not None:
            return a.LongPress(target)
        case "input_text":
            text = text_of(told.get("text"))
            return a.TypeText(text, target, bool(told.get("clear_text")), submit=True)
        case "scroll" if direction in _FINGER:
            return a.Scroll(Direction(_FINGER[direction]), target)
        case "swipe" if direction in ("up", "down"):
            return a.Scroll(Direction(direction))
        case "swipe" if direction in _FINGER:  # left and right go as for scroll
            return a.Scroll(Direction(_FINGER[direction]))
        case "drag" if (ends := _drag(told)) is not None:
            return a.Swipe(*ends)
        case _ if kind in _KEYS:
            return a.PressKey(_KEYS[kind])
        case "open_app":
            return a.OpenApp(text_of(told.get("app_name")))
        case "wait":
            return a.Wait(1_000_000)
        case "answer":
            return a.Answer(text_of(told.get("text")))
        case "status" | "finished":
            ending = told.get("goal_status")
            done = a.Ending.IMPOSSIBLE if ending == "infeasible" else a.Ending.COMPLETE
            return a.Finish(done)
        case _:
            return a.Other(kind, json.dumps(plain(dict(told)), ensure_ascii=False))


def json_action(action: a.Action) -> JsonObject | None:
    """Returns the fields of AndroidWorld's action; None for one it has no word for.

    A stroke becomes a scroll, which has a direction and no path.
    """
    match action:
        case a.Tap(at=at) | a.DoubleTap(at=at) | a.LongPress(at=at):
            place = _place(at)
            return {"action_type": _TAPS[type(action)], **place} if place else None
        case a.Scroll(direction=direction, at=at):
            index = _place(at) if isinstance(at, a.ElementRef) else None
            return {
                "action_type": "scroll",
                "direction": direction.opposite.value,
                **(index or {}),
            }
        case a.Swipe():
            return {"action_type": "scroll", "direction": action.direction.opposite.value}
        case a.TypeText(text=text, target=target, clear=clear):
            place = _place(target) or {}
            return {
                "action_type": "input_text",
                "text": text,
                **place,
                **({"clear_text": True} if clear else {}),
            }
        case a.PressKey(key=key) if key in _KEY_WORDS:
            return {"action_type": _KEY_WORDS[key]}
        case a.OpenApp(app=app):
            return {"action_type": "open_app", "app_name": app}
        case a.Wait():
            return {"action_type": "wait"}
        case a.Answer(text=text):
            return {"action_type": "answer", "text": text}
        case a.Finish(ending=ending):
            done = "complete" if ending is a.Ending.COMPLETE else "infeasible"
            return {"action_type": "status", "goal_status": done}
        case _:
            return None


def text_of(value: Any) -> str:
    """Returns a text; "" for anything else, which may be too deep to be written out."""
    return value[:MAX_TEXT] if isinstance(value, str) else ""


def plain(value: Any, depth: int = 0) -> Any:
    """Returns a value as JSON has it; an object is described by its kind."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return value[:MAX_TEXT]
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, dict) and depth < 4:
        members = list(value.items())[:200]
        return {text_of(key)[:200]: plain(one, depth + 1) for key, one in members}
    if isinstance(value, list | tuple) and depth < 4:
        return [plain(one, depth + 1) for one in value[:200]]
    return f"<{type(value).__name__}>"


def _target(told: Mapping[str, Any], boxes: list[Box | None]) -> a.Target | None:
    index = told.get("index")
    if isinstance(index, int | str) and str(index)[:6].isdigit():
        number = int(str(index)[:6])
        box = boxes[number] if number < len(boxes) else None
        return box if box is not None else a.ElementRef(index=number)
    return _point(told, "x", "y")


def _drag(told: Mapping[str, Any]) -> tuple[Point, Point] | None:
    start, end = _point(told, "start_x", "start_y"), _point(told, "end_x", "end_y")
    return (start, end) if start is not None and end is not None else None


def _point(told: Mapping[str, Any], across: str, down: str) -> Point | None:
    x, y = told.get(across), told.get(down)
    if isinstance(x, int | float) and isinstance(y, int | float) and max(abs(x), abs(y)) < 1e6:
        return Point(float(x), float(y))
    return None


def _place(at: a.Target | None) -> JsonObject | None:
    if isinstance(at, a.ElementRef):
        return {"index": at.index} if at.index is not None else None
    point = at.centre if isinstance(at, Box) else at
    return None if point is None else {"x": round(point.x), "y": round(point.y)}
