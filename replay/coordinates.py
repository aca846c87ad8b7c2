"""Converts a model's coordinates into pixels of a frame, and checks that they are plausible.

The spaces: "pixels" of the frame itself; "0-1" fractions; "0-1000" thousandths; "0-999", where
999 is the far edge; "resized:WxH", pixels of the picture the model was shown. "yx:" before a space
says that y comes before x.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from episodes import actions as a
from episodes.errors import KnownError
from episodes.geometry import Box, Point, Size
from replay.findings import RunFinding

SPACES = ("pixels", "0-1", "0-999", "0-1000", "resized:WxH")
_EXTENTS = {"0-1": 1.0, "0-999": 999.0, "0-1000": 1000.0}
_RESIZED = re.compile(r"resized:([1-9][0-9]{0,4})x([1-9][0-9]{0,4})")
_LONGEST = re.compile(r"resized:longest:([1-9][0-9]{0,4})")
_NUMBERS = re.compile(r"resized:([1-9][0-9]{0,3}):([1-9][0-9]{0,9}):([1-9][0-9]{0,9})")
SWAPPED = "yx:"
MAX_RATIO = 200


@dataclass(frozen=True, slots=True)
class ResizeRule:
    """The numbers of a rule by which a picture is resized before a model sees it.

    Attributes:
        factor: both sides become multiples of it.
        min_pixels, max_pixels: how many pixels the picture may have.
    """

    factor: int
    min_pixels: int
    max_pixels: int


RESIZE_RULES = {
    "qwen2.5-vl": ResizeRule(28, 3_136, 12_845_056),
    "infigui-r1": ResizeRule(28, 3_136, 5_017_600),
    "gui-owl": ResizeRule(28, 3_136, 10_035_200),
    "qwen3-vl": ResizeRule(32, 4_096, 16_777_216),
    "ui-tars-1.5": ResizeRule(28, 78_400, 12_845_056),
    "ui-venus-1.0": ResizeRule(28, 830_000, 937_664),
}
"""Rules by name, for "resized:NAME"; the limits are those of the families' own scripts."""


def smart_resize(size: Size, rule: ResizeRule) -> Size:
    """Returns the size of the picture a model of Qwen's family sees of a frame.

    Source: smart_resize of qwen_vl_utils; action_parser.py of bytedance/UI-TARS at 582f3a7.

    Raises:
        ValueError: one side is more than 200 times the other, which the original refuses.
    """
    if max(size.width, size.height) > MAX_RATIO * min(size.width, size.height):
        raise ValueError(f"{size} is too long a picture: more than {MAX_RATIO} to 1")
    factor = rule.factor
    width, height = (max(factor, round(n / factor) * factor) for n in (size.width, size.height))
    pixels = size.width * size.height
    if width * height > rule.max_pixels:
        by = math.sqrt(pixels / rule.max_pixels)
        width, height = (
            max(factor, math.floor(n / by / factor) * factor) for n in (size.width, size.height)
        )
    elif width * height < rule.min_pixels:
        by = math.sqrt(rule.min_pixels / pixels)
        width, height = (math.ceil(n * by / factor) * factor for n in (size.width, size.height))
    return Size(width, height)


def shrink_to_longest(size: Size, limit: int) -> Size:
    """Returns the size with its longer side at most `limit`, the other rounded down.

    Source: run_predict_minicpm.py of OpenBMB/AgentCPM-GUI.
    """
    longest = max(size.width, size.height)
    if longest <= limit:
        return size
    return Size(max(1, size.width * limit // longest), max(1, size.height * limit // longest))


def extent(space: str, size: Size) -> tuple[float, float] | None:
    """Returns the right and bottom end of a space for a frame; None if the space is the frame's
    pixels.

    Raises:
        KnownError: there is no such space, or no picture of that shape.
    """
    if space in ("", "pixels"):
        return None
    if space in _EXTENTS:
        return _EXTENTS[space], _EXTENTS[space]
    if resized := _RESIZED.fullmatch(space):
        return float(resized[1]), float(resized[2])
    if longest := _LONGEST.fullmatch(space):
        shown = shrink_to_longest(size, int(longest[1]))
        return float(shown.width), float(shown.height)
    rule = RESIZE_RULES.get(space.removeprefix("resized:"))
    if numbers := _NUMBERS.fullmatch(space):
        rule = ResizeRule(*(int(number) for number in numbers.groups()))
    if rule is None or rule.min_pixels > rule.max_pixels:
        raise KnownError(
            f"read coordinates in “{space}”",
            "there is no such coordinate space",
            f"Use one of {', '.join(SPACES)}, with the picture's width and height for WxH, or "
            f"resized: and a rule: {', '.join(RESIZE_RULES)}, FACTOR:MIN:MAX, or longest:N.",
        )
    try:
        picture = smart_resize(size, rule)
    except ValueError as error:
        raise KnownError(
            f"read coordinates in “{space}”",
            str(error),
            "Declare the size of the picture the model was shown, as resized:WxH.",
        ) from error
    return float(picture.width), float(picture.height)


def in_pixels(action: a.Action, space: str, size: Size) -> a.Action:
    """Returns the action with every point and box in pixels of a frame of that size.

    Numbers outside the space stay outside the frame: nothing is clipped.
    """
    if space.startswith(SWAPPED):
        swapped = _moved(action, lambda p: Point(p.y, p.x))
        return in_pixels(swapped, space.removeprefix(SWAPPED), size)
    far = extent(space, size)
    if far is None:
        return action
    right, bottom = far
    return _moved(action, lambda p: Point(p.x * size.width / right, p.y * size.height / bottom))


def from_pixels(point: Point, space: str, size: Size) -> Point:
    """Returns the numbers of a space that a point in pixels of a frame came from."""
    right, bottom = extent(space.removeprefix(SWAPPED), size) or (size.width, size.height)
    told = Point(point.x * right / size.width, point.y * bottom / size.height)
    return Point(told.y, told.x) if space.startswith(SWAPPED) else told


def to_part(told: Point, space: str, size: Size) -> Point:
    """Returns a space's numbers as fractions of the frame's width and height."""
    right, bottom = extent(space.removeprefix(SWAPPED), size) or (size.width, size.height)
    x, y = (told.y, told.x) if space.startswith(SWAPPED) else (told.x, told.y)
    return Point(x / right, y / bottom)


def beyond_numbers(action: a.Action) -> bool:
    """Returns whether a point or box of the action is too far off for any number."""
    seen: list[float] = []

    def look(point: Point) -> Point:
        seen.extend((point.x, point.y))
        return point

    _moved(action, look)
    return not all(map(math.isfinite, seen))


def finger(action: a.Action) -> a.Action:
    """Converts an action from content direction to finger direction.

    Only a scroll's direction is reversed: points already give the finger's path.
    """
    if isinstance(action, a.Scroll):
        return a.Scroll(action.direction.opposite, action.at)
    return action


@dataclass(slots=True)
class CoordinateCheck:
    """Counts a run's points, to check whether they were declared in the right space.

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

    def findings(self) -> list[RunFinding]:
        """Returns findings about the points; none for fewer than 10 points."""
        if self.points < 10:
            return []
        found = []
        if self.outside * 20 > self.points:
            text = (
                f"{self.outside} of {self.points} points lie outside their screens; "
                "the declared coordinates may be too small a space."
            )
            found.append(RunFinding("points_outside", text, self.outside))
        if self.tiny * 2 > self.points:
            text = (
                f"{self.tiny} of {self.points} points lie in the top left corner; "
                "the file may hold fractions where larger numbers are declared."
            )
            found.append(RunFinding("points_in_the_corner", text, self.tiny))
        return found


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
