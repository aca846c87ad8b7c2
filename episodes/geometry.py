"""Where things are on a screen.

Inside the program there is one coordinate system: float pixels of one recorded frame, origin at
the top left, x to the right, y downwards. Numbers in any other system (0..1, 0..1000, y before
x, widget pixels) are converted where they enter, and kept beside as `Native`. Rounding happens
once, where a touch is encoded or a file is written.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

MAX_SIDE = 20_000
"""No screen and no picture that is read has more pixels along a side."""


@dataclass(frozen=True, slots=True)
class Size:
    """Width and height of a frame, in pixels."""

    width: int
    height: int

    def __post_init__(self) -> None:
        if self.width <= 0 or self.height <= 0:
            raise ValueError(f"a size must be positive, not {self.width}x{self.height}")

    def at(self, u: float, v: float) -> Point:
        """Returns the point at the fractions u (across) and v (down), each 0..1."""
        return Point(u * self.width, v * self.height)

    def __str__(self) -> str:
        return f"{self.width}x{self.height}"


@dataclass(frozen=True, slots=True)
class Point:
    """A place on one frame, in pixels."""

    x: float
    y: float

    def distance_to(self, other: Point) -> float:
        """Returns the Euclidean distance in pixels."""
        return math.hypot(self.x - other.x, self.y - other.y)


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on one frame, in pixels; left and top are inside, right and bottom are not.

    Benchmarks often count all four edges as inside; their protocols do that themselves, on the
    native numbers.
    """

    left: float
    top: float
    right: float
    bottom: float

    def __contains__(self, point: Point) -> bool:
        return self.left <= point.x < self.right and self.top <= point.y < self.bottom

    @property
    def width(self) -> float:
        """Pixels from left to right; negative where the edges are swapped."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Pixels from top to bottom; negative where the edges are swapped."""
        return self.bottom - self.top

    @property
    def area(self) -> float:
        """Square pixels; 0 for an empty or turned-round box."""
        return max(0.0, self.width) * max(0.0, self.height)

    @property
    def centre(self) -> Point:
        """The point half way between the edges."""
        return Point((self.left + self.right) / 2, (self.top + self.bottom) / 2)

    def intersection(self, other: Box) -> Box:
        """Returns what both cover; its area is 0 if they do not meet."""
        return Box(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    def overlap(self, other: Box) -> float:
        """Returns intersection over union, 0..1."""
        shared = self.intersection(other).area
        union = self.area + other.area - shared
        return shared / union if union else 0.0


class Direction(StrEnum):
    """Direction of a finger. Formats that mean the content convert when reading and writing."""

    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"

    @property
    def opposite(self) -> Direction:
        """The other end of the same axis."""
        return _OPPOSITE[self]


_OPPOSITE = {
    Direction.UP: Direction.DOWN,
    Direction.DOWN: Direction.UP,
    Direction.LEFT: Direction.RIGHT,
    Direction.RIGHT: Direction.LEFT,
}


def direction_between(start: Point, end: Point) -> Direction:
    """Returns where a finger went in pixels; the vertical one on an exact diagonal or no move."""
    across, down = end.x - start.x, end.y - start.y
    if abs(across) > abs(down):
        return Direction.RIGHT if across > 0 else Direction.LEFT
    return Direction.DOWN if down > 0 else Direction.UP


@dataclass(frozen=True, slots=True)
class Native:
    """Numbers or text as a file, a model or a phone gave them, with the name of their space.

    A round trip through pixels moves verdicts that sit on a threshold, so protocols under a
    benchmark's name read these.

    Attributes:
        space: whose numbers these are, e.g. "guiodyssey" (0..1000, x before y) or "aitw"
            (float32 fractions, y before x). The formats' documentation lists them.
        text: the value as compact JSON, so that 140 and 140.0 and "140" stay apart.
    """

    space: str
    text: str

    @classmethod
    def of(cls, space: str, value: Any) -> Native:
        """Keeps a JSON value as it is."""
        return cls(space, json.dumps(value, ensure_ascii=False, separators=(",", ":")))

    @property
    def value(self) -> Any:
        """The JSON value again."""
        return json.loads(self.text)
