"""AndroidControl's and AndroidWorld's actions: a JSON object with its "action_type".

    {"action_type": "click", "x": 540, "y": 390}

Points are pixels. A scroll's direction is where the content goes. A swipe is AndroidWorld's: `up`
and `down` are where the finger goes, but `left` and `right` move it the way that a scroll of that
direction does, to the right and to the left. AndroidWorld names elements by "index", and its texts
end with Enter; before its object there may be a reason and "Action:". The first object after the
last "Action:" counts; without one the last, as a reason may quote one. MobileWorld's agents write
the same objects with a "coordinate".

Source: android_control/README.md of google-research/google-research at 1963839;
android_world/env/json_action.py and actuation.py of google-research/android_world at d9c569f.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from episodes import actions as a
from episodes.geometry import Direction, Point
from episodes.runs import Unreadable
from replay.dialects import vocabulary
from replay.dialects.answers import CONTENT, FINGER, object_alone, of_answers
from replay.dialects.layouts import with_answers
from replay.dialects.loose import number_of, point_of, value_in
from replay.dialects.parsed import Parsed, ParseResult
from replay.dialects.writing import plain_number, point, to_json

_KEYS = {
    "navigate_home": a.Key.HOME,
    "navigate_back": a.Key.BACK,
    "keyboard_enter": a.Key.ENTER,
}
_TAPS = {a.Tap: "click", a.LongPress: "long_press", a.DoubleTap: "double_tap"}


def parse(value: Any, *, world: bool = False) -> ParseResult:
    """Returns the action of an answer, its point in pixels.

    Args:
        world: whether texts are submitted, as AndroidWorld does it.
    """
    found = object_in(value)
    if isinstance(found, Unreadable):
        return found
    fields, more = found
    action = action_of(fields["action_type"].lower(), fields, world=world)
    return action if isinstance(action, Unreadable) else replace(action, more=more)


def object_in(value: Any) -> tuple[dict[str, Any], int] | Unreadable:
    """Returns the object of an answer, and how many objects follow it."""
    fields, more = value, 0
    if isinstance(value, str):
        at = value.rfind("Action:")
        marked = at >= 0 and "action_type" in value[at:]
        answer = value[at:] if marked else value
        begins, more = _beginning(answer, first=marked)
        if begins < 0:
            return Unreadable("it has no object with an “action_type”")
        fields = value_in(answer, begins)
    if not isinstance(fields, dict) or not isinstance(fields.get("action_type"), str):
        return Unreadable("it has no “action_type”")
    return fields, more


def _beginning(text: str, *, first: bool) -> tuple[int, int]:
    """Returns where the object begins, and how many there are after it; -1 if there is none."""
    for mark in ('"action_type"', "'action_type'"):
        at = text.find(mark) if first else text.rfind(mark)
        begins = text.rfind("{", 0, max(at, 0))
        if begins >= 0:
            return begins, text.count(mark, at) - 1
    return -1, 0


def action_of(kind: str, fields: Mapping[str, Any], *, world: bool = False) -> ParseResult:
    """Returns the action of an object of this kind."""
    action = _action(kind, fields, world)
    if isinstance(action, Unreadable):
        return action
    return Parsed(action, by_finger=kind == "swipe")


def _action(kind: str, fields: Mapping[str, Any], world: bool) -> a.Action | Unreadable:
    at = _target(fields)
    match kind:
        case "click":
            return a.Tap(at) if at is not None else vocabulary.no_point("tap")
        case "double_tap":
            return a.DoubleTap(at) if at is not None else vocabulary.no_point("double_tap")
        case "long_press":
            return a.LongPress(at) if at is not None else vocabulary.no_point("long_press")
        case "scroll":
            return vocabulary.scroll(fields.get("direction"), at)
        case "swipe":
            return _swipe(vocabulary.scroll(fields.get("direction"), at))
        case "input_text" | "type" | "type_text":
            text = fields.get("text")
            if not isinstance(text, str):
                return vocabulary.no_text("type_text")
            submit = world or kind == "type"
            return a.TypeText(text, at, fields.get("clear_text") is True, submit)
        case "open_app":
            app = fields.get("app_name")
            return a.OpenApp(app) if isinstance(app, str) else vocabulary.no_text("open_app")
        case "wait":
            return a.Wait()
        case "answer":
            text = fields.get("text")
            return a.Answer(text) if isinstance(text, str) else vocabulary.no_text("answer")
        case "status":
            return vocabulary.ending(fields.get("goal_status"))
        case "drag_and_drop" | "drag":
            return _drag(fields)
        case name if name in _KEYS:
            return a.PressKey(_KEYS[name])
    return vocabulary.unknown(kind, fields)


def _swipe(named: a.Scroll | Unreadable) -> a.Scroll | Unreadable:
    """Returns an AndroidWorld swipe by the finger: sideways it goes against its own name."""
    if isinstance(named, a.Scroll) and named.direction in (Direction.LEFT, Direction.RIGHT):
        return a.Scroll(named.direction.opposite, named.at)
    return named


def _drag(fields: Mapping[str, Any]) -> a.Action | Unreadable:
    """Returns AndroidWorld's drag by touch and lift, or MobileWorld's by start and end."""
    start = point_of(fields.get("touch_xy", fields.get("start_coordinate")))
    end = point_of(fields.get("lift_xy", fields.get("end_coordinate")))
    start = start or _point(fields, "start_x", "start_y")
    end = end or _point(fields, "end_x", "end_y")
    return a.Swipe(start, end) if start and end else vocabulary.no_point("swipe")


def _point(fields: Mapping[str, Any], across: str, down: str) -> Point | None:
    x, y = number_of(fields.get(across)), number_of(fields.get(down))
    return Point(x, y) if x is not None and y is not None else None


def _target(fields: Mapping[str, Any]) -> Point | a.ElementRef | None:
    at = _point(fields, "x", "y")
    if at is not None:
        return at
    index = fields.get("index")
    if isinstance(index, str) and index.isascii() and index.isdecimal() and len(index) <= 6:
        index = int(index)
    if isinstance(index, int) and not isinstance(index, bool) and 0 <= index < 1_000_000:
        return a.ElementRef(index=index)
    element = fields.get("element", fields.get("coordinate"))
    return a.ElementRef(text=element) if isinstance(element, str) else point_of(element)


def object_of(action: a.Action) -> dict[str, Any] | None:
    """Returns the object of an action; AndroidWorld's kinds replace those AndroidControl lacks.

    Returns None for a stroke: AndroidControl has only directions.
    """
    match action:
        case a.Tap() | a.LongPress() | a.DoubleTap():
            at = point(action)
            return {
                "action_type": _TAPS[type(action)],
                "x": plain_number(at.x),
                "y": plain_number(at.y),
            }
        case a.Scroll(direction):
            return {"action_type": "scroll", "direction": direction.value}
        case a.TypeText(text):
            return {"action_type": "input_text", "text": text}
        case a.PressKey(a.Key.HOME | a.Key.BACK):
            return {"action_type": f"navigate_{action.key.value}"}
        case a.PressKey(a.Key.ENTER):
            return {"action_type": "keyboard_enter"}
        case a.OpenApp(app):
            return {"action_type": "open_app", "app_name": app}
        case a.Wait():
            return {"action_type": "wait"}
        case a.Answer(text):
            return {"action_type": "answer", "text": text}
        case a.Finish(ending):
            done = "complete" if ending is a.Ending.COMPLETE else "infeasible"
            return {"action_type": "status", "goal_status": done}
    return None


def write_control(action: a.Action, extent: Point) -> str | None:
    """Returns AndroidControl's object as text."""
    fields = object_of(action)
    return None if fields is None else to_json(fields)


def write_world(action: a.Action, extent: Point) -> str | None:
    """Returns AndroidWorld's answer: the object after "Action:"."""
    fields: dict[str, Any] | None
    match action:
        case a.Swipe(start, end):
            touch, lift = (
                [plain_number(start.x), plain_number(start.y)],
                [plain_number(end.x), plain_number(end.y)],
            )
            fields = {"action_type": "drag_and_drop", "touch_xy": touch, "lift_xy": lift}
        case a.TypeText(text, clear=True):
            fields = {"action_type": "input_text", "text": text, "clear_text": True}
        case _:
            fields = object_of(action)
    return None if fields is None else f"Action: {to_json(fields)}"


CONTROL = of_answers(
    "androidcontrol",
    "AndroidControl's JSON actions",
    parse,
    write_control,
    coordinates=("pixels", "0-1", "0-999", "0-1000", "resized:WxH"),
    scrolls=(CONTENT, FINGER),
    form="androidcontrol",
    keep=object_alone,
    rows=with_answers("action"),
)
WORLD = of_answers(
    "androidworld",
    "AndroidWorld's JSON actions",
    partial(parse, world=True),
    write_world,
    coordinates=("pixels", "0-1", "0-999", "0-1000", "resized:WxH"),
    scrolls=(CONTENT, FINGER),
    rows=with_answers("action"),
)
