"""Scrolling and other motion, as functions of time. Knows no view and starts no timer."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

FRICTION = 4.2
"""How fast a fling slows down, per second: velocity falls by e in 1/FRICTION seconds."""
STOP_VELOCITY = 24.0
"""Speed in dp per second below which a fling stops."""
MIN_FLING = 60.0
MAX_FLING = 6000.0


def fling_distance(velocity: float) -> float:
    """Returns the distance in dp of a fling that starts with `velocity` dp per second."""
    if abs(velocity) < MIN_FLING:
        return 0.0
    capped = math.copysign(min(abs(velocity), MAX_FLING), velocity)
    return (capped - math.copysign(STOP_VELOCITY, capped)) / FRICTION


def fling_duration(velocity: float) -> float:
    """Returns the seconds until a fling stops."""
    if abs(velocity) < MIN_FLING:
        return 0.0
    return math.log(min(abs(velocity), MAX_FLING) / STOP_VELOCITY) / FRICTION


def fling_offset(velocity: float, seconds: float) -> float:
    """How far a fling has come after some seconds, in dp."""
    if seconds >= fling_duration(velocity):
        return fling_distance(velocity)
    capped = math.copysign(min(abs(velocity), MAX_FLING), velocity)
    return capped / FRICTION * (1 - math.exp(-FRICTION * seconds))


def eased(share: float) -> float:
    """Where a motion is when `share` of its time has gone: fast first, then slow."""
    return 1 - (1 - min(1.0, max(0.0, share))) ** 3


@dataclass(slots=True, eq=False)
class Animation:
    """Something that moves for a while.

    Attributes:
        start_us: when it began.
        duration_us: its duration.
        step: called with the elapsed share of its time, 0 to 1; the last call is with 1.
    """

    start_us: int
    duration_us: int
    step: Callable[[float], None]

    def advance(self, now_us: int) -> bool:
        """Advances. Returns whether it continues."""
        share = min(1.0, (now_us - self.start_us) / max(1, self.duration_us))
        self.step(share)
        return share < 1.0


@dataclass(slots=True, eq=False)
class ScrollPosition:
    """How far a list is scrolled; it outlives the views that show the list."""

    horizontal: bool = False
    offset: float = 0.0
    extent: float = 0.0
    """The largest offset."""
    on_move: Callable[[], None] | None = None
    on_fling: Callable[[ScrollPosition, float], None] | None = None

    def measure(self, content: float, viewport: float) -> float:
        """Takes the sizes in dp, keeps the offset inside them and returns it."""
        self.extent = max(0.0, content - viewport)
        self.offset = min(max(0.0, self.offset), self.extent)
        return self.offset

    def to(self, offset: float) -> bool:
        """Scrolls to an offset within the limits. Returns whether it moved."""
        before = self.offset
        self.offset = min(max(0.0, offset), self.extent)
        if self.offset == before:
            return False
        if self.on_move is not None:
            self.on_move()
        return True

    def takes(self, dx: float, dy: float) -> bool:
        """Whether a drag in this direction is along the list."""
        along = abs(dx) > abs(dy) if self.horizontal else abs(dy) >= abs(dx)
        return along and self.extent > 0

    def move(self, dx: float, dy: float) -> None:
        """Follows the finger."""
        self.to(self.offset - (dx if self.horizontal else dy))

    def end(self, vx: float, vy: float) -> None:
        """Goes on as a fling."""
        velocity = -(vx if self.horizontal else vy)
        if abs(velocity) >= MIN_FLING and self.on_fling is not None:
            self.on_fling(self, velocity)
