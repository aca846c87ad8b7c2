"""AndroidWorld's actions: what a JSON action may hold, and the commands that carry it out.

Source: env/json_action.py, env/actuation.py, env/adb_utils.py.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

Command = tuple[str | int, ...]
"""An adb command as its words; a tap is ("tap", x, y), a key ("press_button", name), text
("input_text", text) and an app ("open_app", name), which adb has no single word for."""

BoxOfElement = tuple[float, float, float, float]
"""x_min, x_max, y_min, y_max in pixels: the benchmark's order."""

ACTION_TYPES = (
    *("click", "double_tap", "scroll", "swipe", "input_text", "navigate_home", "navigate_back"),
    *("keyboard_enter", "open_app", "status", "wait", "long_press", "answer", "unknown"),
)
DIRECTIONS = ("left", "right", "down", "up")
_TAPS = ("click", "double_tap", "long_press")
_ESCAPED = "\\;|`\r '\"&<>()#$"
_CLEAR = ("shell", "input", "keycombination", "113", "29", "&&", "input", "keyevent", "67")


@dataclass(frozen=True, slots=True)
class JsonAction:
    """One action as an agent of AndroidWorld writes it.

    Raises:
        ValueError: it names no action there is, an element and a point, or a wrong direction.
    """

    action_type: str | None = None
    index: int | None = None
    x: int | None = None
    y: int | None = None
    text: str | None = None
    direction: str | None = None
    goal_status: str | None = None
    app_name: str | None = None
    keycode: str | None = None
    clear_text: bool | None = None

    def __post_init__(self) -> None:
        if self.action_type not in ACTION_TYPES:
            raise ValueError(f"Invalid action type: {self.action_type}")
        if self.index is not None:
            object.__setattr__(self, "index", int(self.index))
            if self.x is not None or self.y is not None:
                raise ValueError("Either an index or a <x, y> should be provided.")
        if self.direction and self.direction not in DIRECTIONS:
            raise ValueError(f"Invalid scroll direction: {self.direction}")
        if self.text is not None:
            object.__setattr__(self, "text", str(self.text))
        if self.keycode is not None and not self.keycode.startswith("KEYCODE_"):
            raise ValueError(f"Invalid keycode: {self.keycode}")

    def to_dict(self) -> dict[str, Any]:
        """Returns the fields that are set, in the benchmark's order."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value is not None}

    def to_json(self) -> str:
        """Returns the action as the benchmark writes it: compact, without empty fields."""
        return json.dumps(self.to_dict(), separators=(",", ":"))


def read_action(told: dict[str, Any]) -> JsonAction:
    """Returns the action of a JSON object.

    Raises:
        ValueError: a field does not exist, or has a value the benchmark refuses.
    """
    known = {field.name for field in fields(JsonAction)}
    if unknown := sorted(set(told) - known):
        raise ValueError(f"unknown fields: {', '.join(unknown)}")
    return JsonAction(**told)


def same_action(a: JsonAction, b: JsonAction) -> bool:
    """Returns whether two actions are equal: case of texts and `clear_text` do not count."""
    return _folded(a) == _folded(b)


def commands(
    action: JsonAction, boxes: Sequence[BoxOfElement | None], screen: tuple[int, int]
) -> list[Command]:
    """Returns the commands that carry an action out, in order; pauses are left out.

    Args:
        boxes: the elements of the screen; an index of the action counts in them.
        screen: width and height in pixels.

    Raises:
        ValueError: the action points at no element and at no place, or names no app.
    """
    kind = action.action_type
    if kind in _TAPS:
        return _tap(str(kind), *_point(action, boxes))
    if kind == "input_text":
        return list(_typing(action, boxes)) if action.text else []
    if kind == "scroll":
        return _scroll(action, boxes, screen)
    if kind == "swipe":
        return _swipe(action.direction, screen)
    if kind == "open_app":
        if not action.app_name:
            raise ValueError("No app name provided")
        return [("open_app", action.app_name)]
    keys = {"keyboard_enter": "ENTER", "navigate_home": "HOME", "navigate_back": "BACK"}
    return [("press_button", keys[kind])] if kind in keys else []


def _folded(action: JsonAction) -> JsonAction:
    return replace(
        action,
        clear_text=None,
        text=action.text.lower() if action.text is not None else None,
        app_name=action.app_name.lower() if action.app_name is not None else None,
    )


def _point(action: JsonAction, boxes: Sequence[BoxOfElement | None]) -> tuple[int, int]:
    if action.index is not None:
        if not 0 <= action.index < len(boxes):
            raise ValueError(
                f"Invalid element index: {action.index}, must be between 0 and {len(boxes) - 1}."
            )
        box = boxes[action.index]
        if box is None:
            raise ValueError("Bbox is not present on element.")
        return int((box[0] + box[1]) / 2), int((box[2] + box[3]) / 2)
    if action.x is None or action.y is None:
        raise ValueError(f"Invalid click action: {action.to_json()}")
    return int(action.x), int(action.y)


def _tap(kind: str, x: int, y: int) -> list[Command]:
    if kind == "click":
        return [("tap", x, y)]
    if kind == "double_tap":
        return [("tap", x, y), ("tap", x, y)]
    return [("shell", "input", "swipe", str(x), str(y), str(x), str(y), "1000")]


def _typing(action: JsonAction, boxes: Sequence[BoxOfElement | None]) -> Iterator[Command]:
    """An index or a point is clicked first; Enter always follows the text."""
    if action.index is not None or (action.x is not None and action.y is not None):
        yield ("tap", *_point(action, boxes))
    if action.clear_text:
        yield _CLEAR
    for word in _words(action.text or ""):
        if word == "\n":
            yield ("press_button", "ENTER")
        else:
            yield ("input_text", _for_adb(word))
    yield ("press_button", "ENTER")


def _words(text: str) -> Iterator[str]:
    for row, line in enumerate(text.split("\n")):
        if row:
            yield "\n"
        for number, word in enumerate(line.split(" ")):
            if number:
                yield "%s"
            if word:
                yield word


def _for_adb(word: str) -> str:
    for char in _ESCAPED:
        word = word.replace(char, "\\" + char)
    return unicodedata.normalize("NFKD", word).encode("ascii", "ignore").decode("ascii")


def _scroll(
    action: JsonAction, boxes: Sequence[BoxOfElement | None], screen: tuple[int, int]
) -> list[Command]:
    """From the middle of an element, or of the screen, to its edge against the direction."""
    left, top, right, bottom = 0.0, 0.0, float(screen[0]), float(screen[1])
    if action.index:  # index 0 scrolls the whole screen: the benchmark's quirk
        box = boxes[action.index]
        if box is None:
            raise ValueError("Bbox is not present on element.")
        left, right = max(box[0], 0), min(box[1], screen[0])
        top, bottom = max(box[2], 0), min(box[3], screen[1])
    x, y = (left + right) // 2, (top + bottom) // 2
    ends = {"down": (x, top), "up": (x, bottom), "right": (left, y), "left": (right, y)}
    if action.direction not in ends:
        return []
    return [_finger((x, y), ends[action.direction], "")]


def _swipe(direction: str | None, screen: tuple[int, int]) -> list[Command]:
    """From edge to edge; left and right go the same way as for scroll: the benchmark's quirk."""
    width, height = screen
    x, y = 0.5 * width, 0.5 * height
    paths = {
        "down": ((x, 0.0), (x, float(height))),
        "up": ((x, float(height)), (x, 0.0)),
        "left": ((0.0, y), (float(width), y)),
        "right": ((float(width), y), (0.0, y)),
    }
    if direction not in paths:
        return []
    return [_finger(*paths[direction], "500")]


def _finger(start: tuple[float, float], end: tuple[float, float], duration: str) -> Command:
    points = (str(int(value)) for value in (*start, *end))
    return ("shell", "input", "swipe", *points, duration)
