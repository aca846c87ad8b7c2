"""Coordinates a model was asked for, turned into pixels of a frame, and looked at for sense.

The spaces: "pixels" of the frame itself; "0-1" fractions; "0-1000" thousandths; "0-999", where
999 is the far edge; "resized:WxH", pixels of the picture the model was shown.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from episodes import actions as a
from episodes.errors import KnownError
from episodes.geometry import Box, Point, Size

SPACES = ("pixels", "0-1", "0-999", "0-1000", "resized:WxH")
_EXTENTS = {"0-1": 1.0, "0-999": 999.0, "0-1000": 1000.0}
_RESIZED = re.compile(r"resized:([1-9][0-9]{0,4})x([1-9][0-9]{0,4})")


def extent(space: str) -> tuple[float, float] | None:
    """Returns the far right and bottom of a space; None where it is pixels of the frame.

    Raises:
        KnownError: there is no such space.
    """
    if space in ("", "pixels"):
        return None
    if space in _EXTENTS:
        return _EXTENTS[space], _EXTENTS[space]
    resized = _RESIZED.fullmatch(space)
    if resized is None:
        raise KnownError(
            f"read coordinates in “{space}”",
            "there is no such coordinate space",
            f"Use one of {', '.join(SPACES)}, with the picture's width and height for WxH.",
        )
    return float(resized[1]), float(resized[2])


def in_pixels(action: a.Action, space: str, size: Size) -> a.Action:
    """Returns the action with every point and box in pixels of a frame of that size.

    Numbers outside the space stay outside the frame: nothing is cut off.
    """
    far = extent(space)
    if far is None:
        return action
    right, bottom = far
    return _moved(action, lambda p: Point(p.x * size.width / right, p.y * size.height / bottom))


def beyond_numbers(action: a.Action) -> bool:
    """Says whether a point or box of the action is too far off for any number."""
    seen: list[float] = []

    def look(point: Point) -> Point:
        seen.extend((point.x, point.y))
        return point

    _moved(action, look)
    return not all(map(math.isfinite, seen))


def finger(action: a.Action) -> a.Action:
    """Returns an action told by where the content goes, told by where the finger goes.

    Only a scroll's direction is turned round: points say themselves where the finger went.
    """
    if isinstance(action, a.Scroll):
        return a.Scroll(action.direction.opposite, action.at)
    return action


@dataclass(slots=True)
class CoordinateCheck:
    """Counts of a run's points, to see whether they were declared in the right space.

    Attributes:
        points: points seen.
        outside: of them, outside their frame.
        tiny: of them, within 2 pixels of the frame's top left corner.
    """

    points: int = 0
    outside: int = 0
    tiny: int = 0

    def add(self, action: a.Action, size: Size) -> None:
        """Counts the action's point, if it has one."""
        point = a.place(action)
        if point is None:
            return
        self.points += 1
        self.outside += not (0 <= point.x <= size.width and 0 <= point.y <= size.height)
        self.tiny += abs(point.x) <= 2 and abs(point.y) <= 2

    def warnings(self) -> list[str]:
        """Returns what looks wrong, in sentences; nothing for fewer than 10 points."""
        if self.points < 10:
            return []
        said = []
        if self.outside * 20 > self.points:
            said.append(
                f"{self.outside} of {self.points} points lie outside their screens; "
                "the declared coordinates may be too small a space."
            )
        if self.tiny * 2 > self.points:
            said.append(
                f"{self.tiny} of {self.points} points lie in the top left corner; "
                "the file may hold fractions where larger numbers are declared."
            )
        return said


def _moved(action: a.Action, to: Callable[[Point], Point]) -> a.Action:
    def target(at: a.Target) -> a.Target:
        match at:
            case Point():
                return to(at)
            case Box():
                first, last = to(Point(at.left, at.top)), to(Point(at.right, at.bottom))
                return Box(first.x, first.y, last.x, last.y)
            case a.ElementRef():
                return at

    def path(contacts: a.Path) -> a.Path:
        return tuple(replace(contact, at=to(contact.at)) for contact in contacts)

    match action:
        case a.Tap(at, lift, way):
            return a.Tap(target(at), to(lift) if lift is not None else None, path(way))
        case a.DoubleTap(at, way):
            return a.DoubleTap(target(at), path(way))
        case a.LongPress(at, duration, way):
            return a.LongPress(target(at), duration, path(way))
        case a.Swipe(start, end, duration, way):
            return a.Swipe(to(start), to(end), duration, path(way))
        case a.Scroll(direction, place):
            return a.Scroll(direction, target(place) if place is not None else None)
        case a.Pinch(centre, scale, way):
            return a.Pinch(to(centre), scale, path(way))
        case a.TypeText(text, place, clear, submit):
            return a.TypeText(text, target(place) if place is not None else None, clear, submit)
    return action
