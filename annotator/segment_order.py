"""Orders the steps to segment, and estimates how long the rest will take.

The step that a person looks at comes first, then those that they will look at next.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

AHEAD, BEHIND = 7, 2
"""Numbers of steps after and before the open one that are segmented first."""
REMEMBERED = 8
"""Number of recent steps that the speed is measured on."""


class StepPlace(NamedTuple):
    """A step of an episode: its uuid and the step's index."""

    episode: str
    step: int


def order_steps(waiting: Sequence[StepPlace], opened: StepPlace | None) -> list[StepPlace]:
    """Returns the open step, the next seven, the two before it, then all others in order.

    Args:
        waiting: each step once, the steps of an episode by index.
        opened: the step a person has before them, whether it waits or not.
    """
    if opened is None:
        return list(waiting)
    beside = [place for place in waiting if place.episode == opened.episode]
    first = [place for place in beside if place.step == opened.step]
    after = [place for place in beside if place.step > opened.step][:AHEAD]
    before = [place for place in reversed(beside) if place.step < opened.step][:BEHIND]
    near = [*first, *after, *before]
    taken = set(near)
    return [*near, *(place for place in waiting if place not in taken)]


class Pace:
    """How long a step takes, as measured."""

    def __init__(self) -> None:
        self._seconds: deque[float] = deque(maxlen=REMEMBERED)

    def add(self, seconds: float) -> None:
        """Notes what one step took."""
        self._seconds.append(seconds)

    @property
    def seconds(self) -> float | None:
        """Seconds for one step; None before the first."""
        return sum(self._seconds) / len(self._seconds) if self._seconds else None

    def left(self, steps: int) -> float | None:
        """Returns the expected seconds for a number of steps; None before the first is done."""
        each = self.seconds
        return None if each is None else each * steps
