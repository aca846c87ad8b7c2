"""Rectangles in dp of the present rotation. Knows nothing of pixels or of views."""

from __future__ import annotations

from typing import NamedTuple


class Rect(NamedTuple):
    """Left, top, width and height, in dp."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.w

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.h

    @property
    def cx(self) -> float:
        """The middle, from left."""
        return self.x + self.w / 2

    @property
    def cy(self) -> float:
        """The middle, from the top."""
        return self.y + self.h / 2

    def contains(self, x: float, y: float) -> bool:
        """Whether the point is inside; the right and lower edges are outside."""
        return self.x <= x < self.right and self.y <= y < self.bottom

    def inset(self, dx: float, dy: float | None = None) -> Rect:
        """Smaller on every side by `dx`, and by `dy` above and below."""
        dy = dx if dy is None else dy
        return Rect(self.x + dx, self.y + dy, self.w - 2 * dx, self.h - 2 * dy)

    def moved(self, dx: float, dy: float) -> Rect:
        """The same size elsewhere."""
        return Rect(self.x + dx, self.y + dy, self.w, self.h)

    def intersection(self, other: Rect) -> Rect:
        """What both cover; width or height 0 if they do not meet."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        return Rect(
            x,
            y,
            max(0.0, min(self.right, other.right) - x),
            max(0.0, min(self.bottom, other.bottom) - y),
        )


def centred(cx: float, cy: float, w: float, h: float | None = None) -> Rect:
    """A rectangle round a point; a square when only one side is given."""
    h = w if h is None else h
    return Rect(cx - w / 2, cy - h / 2, w, h)
