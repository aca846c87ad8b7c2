"""What the writers of the dialects share: numbers, quotes and strokes."""

from __future__ import annotations

import json
from typing import Any

from episodes import actions as a
from episodes.geometry import Direction, Point

LONG_PRESS_MS = 1000
WAIT_US = 1_000_000
REACH = 0.15
_ESCAPES = (("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n"), ("\t", "\\t"), ("\r", "\\r"))


def point(action: a.Tap | a.DoubleTap | a.LongPress) -> Point:
    """Returns the place of an action that has one."""
    at = a.place(action)
    assert at is not None, "an action without a place was to be written"
    return at


def plain_number(value: float) -> int | float:
    """Returns a whole number without its decimal point, but a fraction's 0 and 1 with it."""
    return int(value) if float(value).is_integer() and abs(value) > 1 else value


def pair(at: Point) -> list[int | float]:
    """Returns a point as a list of two numbers."""
    return [plain_number(at.x), plain_number(at.y)]


def seconds(duration_us: int | None, default_us: int = WAIT_US) -> int | float:
    """Returns a duration in seconds, rounded to milliseconds."""
    return plain_number(round((duration_us or default_us) / 1_000_000, 3))


def to_json(value: Any) -> str:
    """Returns a value as one line of JSON."""
    return json.dumps(value, ensure_ascii=False)


def quoted(text: str) -> str:
    """Returns a text in single quotes, as Python and the families' own calls write it."""
    for sign, escaped in _ESCAPES:
        text = text.replace(sign, escaped)
    return f"'{text}'"


def literal(value: Any) -> str:
    """Returns texts, numbers, None, lists and dictionaries as Python writes them."""
    match value:
        case str():
            return quoted(value)
        case list():
            return f"[{', '.join(map(literal, value))}]"
        case dict():
            return f"{{{', '.join(f'{literal(k)}: {literal(v)}' for k, v in value.items())}}}"
    return repr(value)


def stroke(action: a.Swipe | a.Scroll, extent: Point) -> tuple[Point, Point]:
    """Returns where a finger's movement starts and ends.

    A scroll with only a direction becomes a swipe over 0.3 of the screen, at its centre.
    """
    if isinstance(action, a.Swipe):
        return action.start, action.end
    x, y = extent.x / 2, extent.y / 2
    across, down = REACH * extent.x, REACH * extent.y
    ends = {
        Direction.UP: (Point(x, y + down), Point(x, y - down)),
        Direction.DOWN: (Point(x, y - down), Point(x, y + down)),
        Direction.LEFT: (Point(x + across, y), Point(x - across, y)),
        Direction.RIGHT: (Point(x - across, y), Point(x + across, y)),
    }
    start, end = ends[action.direction]
    if extent.x <= 1:
        return start, end
    return Point(round(start.x), round(start.y)), Point(round(end.x), round(end.y))
