"""A drag to the side that turns a page."""

from __future__ import annotations

from collections.abc import Callable

FAR = 56.0
FAST = 500.0


class Sideways:
    """Turns a page forward (1) if the finger moves left, back (-1) if it moves right."""

    def __init__(self, turn: Callable[[int], None]) -> None:
        self._turn = turn
        self._far = 0.0

    def takes(self, dx: float, dy: float) -> bool:
        """Accepts only horizontal movements."""
        return abs(dx) > abs(dy)

    def move(self, dx: float, dy: float) -> None:
        """Adds up the finger's movement."""
        self._far += dx

    def end(self, vx: float, vy: float) -> None:
        """Turns the page if the finger moved far enough, or was fast."""
        far, self._far = self._far, 0.0
        if abs(far) > FAR or (abs(vx) > FAST and abs(far) > FAR / 3):
            self._turn(-1 if far > 0 else 1)
