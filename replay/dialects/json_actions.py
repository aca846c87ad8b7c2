"""AndroidControl's and AndroidWorld's actions: a JSON object with its "action_type".

    {"action_type": "click", "x": 540, "y": 390}

Points are pixels. A scroll's direction is where the content goes, a swipe's where the finger goes.
AndroidWorld names elements by "index", and its texts end with Enter; before its object there may be
a reason and "Action:". The first object after the last "Action:" counts; without one the last, as
a reason may quote one.

Source: android_control/README.md of google-research/google-research at 1963839;
android_world/env/json_action.py and actuation.py of google-research/android_world at d9c569f.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from episodes import actions as a
from episodes.geometry import Point
from episodes.runs import Unreadable
from replay.dialects import meanings
from replay.dialects.answers import CONTENT, FINGER, Reading, Told, object_alone, of_answers
from replay.dialects.layouts import with_answers
from replay.dialects.loose import number_of, point_of, value_in

_KEYS = {
    "navigate_home": a.Key.HOME,
    "navigate_back": a.Key.BACK,
    "keyboard_enter": a.Key.ENTER,
}


def read(value: Any, *, world: bool = False) -> Reading:
    """Returns the action of an answer, its point in pixels.

    Args:
        world: whether texts are submitted, as AndroidWorld does it.
    """
    told, more = value, 0
    if isinstance(value, str):
        at = value.rfind("Action:")
        marked = at >= 0 and "action_type" in value[at:]
        answer = value[at:] if marked else value
        begins, more = _beginning(answer, first=marked)
        if begins < 0:
            return Unreadable("it has no object with an “action_type”")
        told = value_in(answer, begins)
    if not isinstance(told, dict) or not isinstance(told.get("action_type"), str):
        return Unreadable("it has no “action_type”")
    found = action_of(told["action_type"].lower(), told, world=world)
    return found if isinstance(found, Unreadable) else replace(found, more=more)


def _beginning(text: str, *, first: bool) -> tuple[int, int]:
    """Returns where the object begins, and how many more there are behind it; -1 for none."""
    for mark in ('"action_type"', "'action_type'"):
        at = text.find(mark) if first else text.rfind(mark)
        begins = text.rfind("{", 0, max(at, 0))
        if begins >= 0:
            return begins, text.count(mark, at) - 1
    return -1, 0


def action_of(kind: str, told: dict[str, Any], *, world: bool = False) -> Reading:
    """Returns the action of an object of this kind."""
    action = _action(kind, told, world)
    if isinstance(action, Unreadable):
        return action
    return Told(action, by_finger=kind == "swipe")


def _action(kind: str, told: dict[str, Any], world: bool) -> a.Action | Unreadable:
    at = _target(told)
    match kind:
        case "click":
            return a.Tap(at) if at is not None else meanings.no_point("tap")
        case "double_tap":
            return a.DoubleTap(at) if at is not None else meanings.no_point("double_tap")
        case "long_press":
            return a.LongPress(at) if at is not None else meanings.no_point("long_press")
        case "scroll" | "swipe":
            told_way = meanings.scroll(told.get("direction"))
            if isinstance(told_way, Unreadable):
                return told_way
            return a.Scroll(told_way.direction, at)
        case "input_text" | "type" | "type_text":
            text = told.get("text")
            if not isinstance(text, str):
                return meanings.no_text("type_text")
            return a.TypeText(text, at, told.get("clear_text") is True, world or kind == "type")
        case "open_app":
            app = told.get("app_name")
            return a.OpenApp(app) if isinstance(app, str) else meanings.no_text("open_app")
        case "wait":
            return a.Wait()
        case "answer":
            text = told.get("text")
            return a.Answer(text) if isinstance(text, str) else meanings.no_text("answer")
        case "status":
            return meanings.ending(told.get("goal_status"))
        case name if name in _KEYS:
            return a.PressKey(_KEYS[name])
    return meanings.other(kind, told)


def _target(told: dict[str, Any]) -> Point | a.ElementRef | None:
    x, y = number_of(told.get("x")), number_of(told.get("y"))
    if x is not None and y is not None:
        return Point(x, y)
    index = told.get("index")
    if isinstance(index, str) and index.isascii() and index.isdecimal() and len(index) <= 6:
        index = int(index)
    if isinstance(index, int) and not isinstance(index, bool) and 0 <= index < 1_000_000:
        return a.ElementRef(index=index)
    element = told.get("element")
    return a.ElementRef(text=element) if isinstance(element, str) else point_of(element)


CONTROL = of_answers(
    "androidcontrol",
    "AndroidControl's JSON actions",
    read,
    coordinates=("pixels", "0-1", "0-999", "0-1000", "resized:WxH"),
    scrolls=(CONTENT, FINGER),
    form="androidcontrol",
    keep=object_alone,
    rows=with_answers("action"),
)
WORLD = of_answers(
    "androidworld",
    "AndroidWorld's JSON actions",
    partial(read, world=True),
    coordinates=("pixels", "0-1", "0-999", "0-1000", "resized:WxH"),
    scrolls=(CONTENT, FINGER),
    rows=with_answers("action"),
)
