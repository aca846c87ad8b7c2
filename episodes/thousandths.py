"""GUIOdyssey's coordinates: 0..1000 along each axis, x before y, and its words for actions.

The one place where recorded pixels become the data set's integers, rounded once. Its writer and
its protocols both use it, so a recording is scored as it would be after an export.

Source: OpenGVLab/GUI-Odyssey@fefcbe9, introduction.md and data/format_converter.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from episodes import actions as a
from episodes.geometry import Box, Direction, Point, Size

SPACE = "guiodyssey"
FULL = 1000
LARGEST = 1e9

KEYS = {
    a.Key.HOME: "KEY_HOME",
    a.Key.BACK: "KEY_BACK",
    a.Key.RECENTS: "KEY_APPSELECT",
}
KEYS_READ = {word: key for key, word in KEYS.items()}


@dataclass(frozen=True, slots=True)
class NotExpressible:
    """Why the data set has no way to write an action."""

    reason: str


def pixels(value: tuple[float, float], size: Size) -> Point:
    """Returns the point in pixels for one in thousandths."""
    return Point(value[0] / FULL * size.width, value[1] / FULL * size.height)


def box_pixels(value: tuple[float, float, float, float], size: Size) -> Box:
    """Returns the box in pixels for left, top, right, bottom in thousandths."""
    left_top, right_bottom = pixels(value[:2], size), pixels(value[2:], size)
    return Box(left_top.x, left_top.y, right_bottom.x, right_bottom.y)


def thousandths(point: Point, size: Size) -> list[int]:
    """Returns [x, y] rounded to whole thousandths."""
    return [round(point.x / size.width * FULL), round(point.y / size.height * FULL)]


def box_thousandths(box: Box, size: Size) -> list[int]:
    """Returns [x1, y1, x2, y2] rounded to whole thousandths; all four edges count as inside.

    A `Box` ends before its right and bottom edge, so its last column is one pixel further in.
    """
    last = Point(max(box.left, box.right - 1), max(box.top, box.bottom - 1))
    return [*thousandths(Point(box.left, box.top), size), *thousandths(last, size)]


def is_too_far(point: Point, size: Size) -> bool:
    """Returns whether a point is beyond what the data set's own files may say."""
    across, down = abs(point.x) / size.width * FULL, abs(point.y) / size.height * FULL
    return not (across <= LARGEST and down <= LARGEST)


def to_native(action: a.Action, size: Size | None) -> dict[str, Any] | NotExpressible:
    """Returns the `action` and `info` that the data set would hold for an action in pixels."""
    match action:
        case a.PressKey(key, _) if key in KEYS:
            return {"action": "CLICK", "info": KEYS[key]}
        case a.PressKey(key, name):
            return NotExpressible(f"GUIOdyssey has no key {name or key.value}")
        case a.TypeText(text):
            return {"action": "TEXT", "info": text}
        case a.Finish(ending):
            word = "COMPLETE" if ending is a.Ending.COMPLETE else "INCOMPLETE"
            return {"action": word, "info": ""}
        case a.Tap() | a.LongPress():
            at = a.place(action)
            if at is None:
                return NotExpressible("the element is named, not pointed at")
            if size is None:
                return NotExpressible("the step has no frame to measure its point in")
            if is_too_far(at, size):
                return NotExpressible("its point lies too far off the screen to be a number")
            word = "CLICK" if isinstance(action, a.Tap) else "LONG_PRESS"
            first = thousandths(at, size)
            return {"action": word, "info": [first, list(first)]}
        case a.Swipe(start, end):
            if size is None:
                return NotExpressible("the step has no frame to measure its points in")
            if is_too_far(start, size) or is_too_far(end, size):
                return NotExpressible("its points lie too far off the screen to be numbers")
            return {"action": "SCROLL", "info": [thousandths(start, size), thousandths(end, size)]}
        case a.Scroll(direction, _):
            return {"action": "SCROLL", "info": _middle_stroke(direction)}
        case a.DoubleTap() | a.Pinch() | a.OpenApp() | a.Wait() | a.Answer():
            return NotExpressible(f"GUIOdyssey has no {a.kind(action).replace('_', ' ')}")
        case a.Other(name, _):
            return NotExpressible(f"GUIOdyssey has no action “{name}”")


def _middle_stroke(direction: Direction) -> list[list[int]]:
    """Two points that say a direction and no more: 300 thousandths about the screen's middle."""
    ends = {
        Direction.UP: [[500, 650], [500, 350]],
        Direction.DOWN: [[500, 350], [500, 650]],
        Direction.LEFT: [[650, 500], [350, 500]],
        Direction.RIGHT: [[350, 500], [650, 500]],
    }
    return ends[direction]
