"""A drag to the side that turns a page."""

from __future__ import annotations

from collections.abc import Callable

FAR = 56.0
FAST = 500.0


class Sideways:
    """Turns one page forward (1) when the finger goes left, back (-1) when it goes right."""

    def __init__(self, turn: Callable[[int], None]) -> None:
        self._turn = turn
        self._far = 0.0

    def takes(self, dx: float, dy: float) -> bool:
        """Only what goes to the side."""
        return abs(dx) > abs(dy)

    def move(self, dx: float, dy: float) -> None:
        """Adds up how far the finger came."""
        self._far += dx

    def end(self, vx: float, vy: float) -> None:
        """Turns where it came far enough, or left fast."""
        far, self._far = self._far, 0.0
        if abs(far) > FAR or (abs(vx) > FAST and abs(far) > FAR / 3):
            self._turn(-1 if far > 0 else 1)
