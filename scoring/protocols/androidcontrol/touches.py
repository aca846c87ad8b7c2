"""Distances and boxes as several evaluators compute them, in their order of operations.

Boxes here are (y, x, height, width) in fractions of the screen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from scoring.protocols.androidcontrol.elements import LTRB

YXHW = tuple[float, float, float, float]

SCALE = 1.2
NEAREST = 5


def norm(across: float, down: float, limit: float) -> float:
    """Returns the length of a difference in float64, as numpy rounds it near the limit."""
    apart = math.sqrt(across * across + down * down)
    if abs(apart - limit) > 1e-9 * max(1.0, limit):
        return apart
    import numpy as np

    with np.errstate(all="ignore"):
        return float(np.linalg.norm(np.array([across, down])))


def yxhw(box: LTRB, width: float, height: float) -> YXHW:
    """Returns a box in pixels as (y, x, height, width), fractions of a screen of this size."""
    left, top, right, bottom = box
    return top / height, left / width, (bottom - top) / height, (right - left) / width


def enlarged(box: YXHW) -> YXHW:
    """Returns a box 1.2 times as large; its top left stays on the screen, its sides end at 1."""
    y, x, height, width = box
    taller, wider = (SCALE - 1) * height, (SCALE - 1) * width
    return (
        max(0, y - taller / 2),
        max(0, x - wider / 2),
        min(1, height + taller),
        min(1, width + wider),
    )


def holds(box: YXHW, x: float, y: float) -> bool:
    """Whether a point is in a box, all four edges included."""
    top, left, height, width = box
    return top <= y <= top + height and left <= x <= left + width


def nearest(boxes: Sequence[YXHW], x: float, y: float) -> list[YXHW]:
    """Returns the five boxes whose centres are nearest to a point; the first of equals."""

    def apart(box: YXHW) -> float:
        top, left, height, width = box
        across, down = left + width / 2 - x, top + height / 2 - y
        return float((down**2 + across**2) ** 0.5)

    return sorted(boxes, key=apart)[:NEAREST]
