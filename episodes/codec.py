"""Actions as JSON, and back.

One form for the journal, the store and the `taptrail` format:

    {"kind": "tap", "at": {"point": [540.0, 820.5]}, "lift": [541.0, 820.5],
     "path": [["down", 540.0, 820.5, 0, 0, 1.0], ["up", 541.0, 820.5, 81000, 0, 0.0]]}

Reading is strict: an unknown kind or field, a wrong type or a number that is not finite is a
`BadValue` that names the field. It knows nothing of files; callers add the place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from episodes import actions as a
from episodes.geometry import Box, Direction, Point

MAX_PATH = 100_000
MAX_TEXT = 1_000_000
MAX_WHOLE = 2**63 - 1
"""The largest whole number a database keeps."""
MAX_POINTER = 2**31 - 1


class BadValue(ValueError):
    """A JSON value is not what it should be; the text begins with the field's name."""


def action_to_json(action: a.Action) -> dict[str, Any]:
    """Returns the action as JSON values; None, empty and false fields are left out."""
    fields: dict[str, Any]
    match action:
        case a.Tap(at, lift, path):
            fields = {"at": _target(at), "lift": _point(lift), "path": _path(path)}
        case a.DoubleTap(at, path):
            fields = {"at": _target(at), "path": _path(path)}
        case a.LongPress(at, duration_us, path):
            fields = {"at": _target(at), "duration_us": duration_us, "path": _path(path)}
        case a.Swipe(start, end, duration_us, path):
            fields = {
                "start": _point(start),
                "end": _point(end),
                "duration_us": duration_us,
                "path": _path(path),
            }
        case a.Scroll(direction, target):
            fields = {"direction": direction.value, "at": _target(target)}
        case a.Pinch(centre, scale, path):
            fields = {"centre": _point(centre), "scale": scale, "path": _path(path)}
        case a.TypeText(text, target, clear, submit):
            fields = {
                "text": text,
                "at": _target(target),
                "clear": clear or None,
                "submit": submit or None,
            }
        case a.PressKey(key, name):
            fields = {"key": key.value, "name": name}
        case a.OpenApp(app):
            fields = {"app": app}
        case a.Wait(duration_us):
            fields = {"duration_us": duration_us}
        case a.Answer(text):
            fields = {"text": text}
        case a.Finish(ending, reason):
            fields = {"ending": ending.value, "reason": reason}
        case a.Other(name, arguments):
            fields = {"name": name, "arguments": arguments}
    return {"kind": a.kind(action)} | {k: v for k, v in fields.items() if v is not None}


def action_from_json(value: Any) -> a.Action:
    """Returns the action of a JSON object.

    Raises:
        BadValue: it is not an action; the text names the field.
    """
    fields = _Fields(value)
    kind = fields.text("kind")
    read = _READERS.get(kind)
    if read is None:
        raise BadValue(f"kind: there is no action “{kind[:40]}”")
    action = read(fields)
    fields.nothing_left()
    return action


class _Fields:
    """The members of one JSON object, taken out one by one."""

    def __init__(self, value: Any) -> None:
        if not isinstance(value, Mapping):
            raise BadValue(f"an action is an object, not {_name(value)}")
        self._left: dict[str, Any] = dict(value)

    def take(self, name: str, *, needed: bool = True) -> Any:
        if name not in self._left:
            if needed:
                raise BadValue(f"{name}: is missing")
            return None
        return self._left.pop(name)

    def nothing_left(self) -> None:
        if self._left:
            raise BadValue(f"{min(self._left)[:40]}: is not a field of this action")

    def text(self, name: str) -> str:
        found = self.take(name)
        if not isinstance(found, str):
            raise BadValue(f"{name}: is {_name(found)}, not a text")
        if len(found) > MAX_TEXT:
            raise BadValue(f"{name}: has {len(found)} characters; at most {MAX_TEXT} are read")
        return found

    def maybe_text(self, name: str) -> str | None:
        if self._left.get(name) is None:
            self._left.pop(name, None)
            return None
        return self.text(name)

    def number(self, name: str) -> float:
        return _number(self.take(name), name)

    def maybe_whole(self, name: str) -> int | None:
        found = self.take(name, needed=False)
        if found is not None and (not isinstance(found, int) or isinstance(found, bool)):
            raise BadValue(f"{name}: is {_name(found)}, not a whole number")
        if found is not None and abs(found) > MAX_WHOLE:
            raise BadValue(f"{name}: {_brief(found)} is too large a number")
        return found

    def yes(self, name: str) -> bool:
        found = self.take(name, needed=False)
        if found is not None and not isinstance(found, bool):
            raise BadValue(f"{name}: is {_name(found)}, not true or false")
        return bool(found)

    def point(self, name: str) -> Point:
        return _read_point(self.take(name), name)

    def maybe_point(self, name: str) -> Point | None:
        found = self.take(name, needed=False)
        return None if found is None else _read_point(found, name)

    def target(self, name: str) -> a.Target:
        return _read_target(self.take(name), name)

    def maybe_target(self, name: str) -> a.Target | None:
        found = self.take(name, needed=False)
        return None if found is None else _read_target(found, name)

    def path(self) -> a.Path:
        found = self.take("path", needed=False)
        if found is None:
            return ()
        if not isinstance(found, list) or len(found) > MAX_PATH:
            raise BadValue(f"path: is not a list of at most {MAX_PATH} contacts")
        return tuple(_read_contact(item, number) for number, item in enumerate(found))

    def choice(self, name: str, kind: Callable[[str], Any]) -> Any:
        found = self.text(name)
        try:
            return kind(found)
        except ValueError:
            raise BadValue(f"{name}: “{found[:40]}” is not one of the known words") from None


_READERS: dict[str, Callable[[_Fields], a.Action]] = {
    "tap": lambda f: a.Tap(f.target("at"), f.maybe_point("lift"), f.path()),
    "double_tap": lambda f: a.DoubleTap(f.target("at"), f.path()),
    "long_press": lambda f: a.LongPress(f.target("at"), f.maybe_whole("duration_us"), f.path()),
    "swipe": lambda f: a.Swipe(
        f.point("start"), f.point("end"), f.maybe_whole("duration_us"), f.path()
    ),
    "scroll": lambda f: a.Scroll(f.choice("direction", Direction), f.maybe_target("at")),
    "pinch": lambda f: a.Pinch(f.point("centre"), f.number("scale"), f.path()),
    "type_text": lambda f: a.TypeText(
        f.text("text"), f.maybe_target("at"), f.yes("clear"), f.yes("submit")
    ),
    "press_key": lambda f: a.PressKey(f.choice("key", a.Key), f.maybe_text("name")),
    "open_app": lambda f: a.OpenApp(f.text("app")),
    "wait": lambda f: a.Wait(f.maybe_whole("duration_us")),
    "answer": lambda f: a.Answer(f.text("text")),
    "finish": lambda f: a.Finish(f.choice("ending", a.Ending), f.maybe_text("reason")),
    "other": lambda f: a.Other(f.text("name"), f.text("arguments")),
}


def _point(point: Point | None) -> list[float] | None:
    return None if point is None else [point.x, point.y]


def _target(target: a.Target | None) -> dict[str, Any] | None:
    match target:
        case None:
            return None
        case Point():
            return {"point": [target.x, target.y]}
        case Box():
            return {"box": [target.left, target.top, target.right, target.bottom]}
        case a.ElementRef(index, text, path):
            named = {"index": index, "text": text, "path": path}
            return {"element": {k: v for k, v in named.items() if v is not None}}


def _path(path: a.Path) -> list[list[Any]] | None:
    if not path:
        return None
    return [[c.phase.value, c.at.x, c.at.y, c.time_us, c.pointer, c.pressure] for c in path]


def _number(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadValue(f"{name}: is {_name(value)}, not a number")
    try:
        number = float(value)
    except OverflowError:
        raise BadValue(f"{name}: is too large a number") from None
    if not math.isfinite(number):
        raise BadValue(f"{name}: is not a finite number")
    return number


def _read_point(value: Any, name: str) -> Point:
    if not isinstance(value, list) or len(value) != 2:
        raise BadValue(f"{name}: is not [x, y]")
    return Point(_number(value[0], name), _number(value[1], name))


def _read_target(value: Any, name: str) -> a.Target:
    match value:
        case {"point": point, **rest} if not rest:
            return _read_point(point, name)
        case {"box": [left, top, right, bottom], **rest} if not rest:
            return Box(*(_number(edge, name) for edge in (left, top, right, bottom)))
        case {"element": dict(named), **rest} if not rest and named.keys() <= {
            "index",
            "text",
            "path",
        }:
            fields = _Fields(named)
            element = a.ElementRef(
                fields.maybe_whole("index"), fields.maybe_text("text"), fields.maybe_text("path")
            )
            if element == a.ElementRef():
                raise BadValue(f"{name}.element: has none of index, text and path")
            return element
    raise BadValue(f"{name}: is none of a point, a box and an element")


def _read_contact(value: Any, number: int) -> a.Contact:
    name = f"path[{number}]"
    match value:
        case [str(phase), x, y, int(time_us), int(pointer), pressure] if not (
            isinstance(time_us, bool) or isinstance(pointer, bool)
        ):
            for what, whole, most in (
                ("time", time_us, MAX_WHOLE),
                ("pointer", pointer, MAX_POINTER),
            ):
                if abs(whole) > most:
                    raise BadValue(f"{name}: its {what} {_brief(whole)} is too large a number")
            try:
                return a.Contact(
                    a.Phase(phase),
                    Point(_number(x, name), _number(y, name)),
                    time_us,
                    pointer,
                    _number(pressure, name),
                )
            except ValueError as error:
                raise BadValue(f"{name}: {error}") from None
    raise BadValue(f"{name}: is not [phase, x, y, time_us, pointer, pressure]")


def _brief(number: int) -> str:
    text = str(number) if abs(number) < 10**30 else "of more than 30 digits"
    return text


def _name(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    return names.get(type(value), "null" if value is None else "a number")
