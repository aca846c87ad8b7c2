"""Boxes (y, x, height, width) of Android in the Wild and AITZ, in fractions or in pixels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from episodes.geometry import Size

YXHW = tuple[float, float, float, float]
PIXEL, FRACTION = "pixel", "fraction"

_NEAR = 1e-6  # of a pixel: what is left of a whole pixel after a division and a multiplication


def converted(
    boxes: Iterable[Sequence[float]], own: str, unit: str, size: Size
) -> tuple[YXHW, ...]:
    """Returns boxes of the unit `own` in another unit, each number multiplied or divided once."""
    sides = (size.height, size.width, size.height, size.width)
    if own == unit:
        found = ([*box] for box in boxes)
    elif unit == FRACTION:
        found = ([n / side for n, side in zip(box, sides, strict=True)] for box in boxes)
    else:
        found = ([_pixel(n * side) for n, side in zip(box, sides, strict=True)] for box in boxes)
    return tuple((y, x, height, width) for y, x, height, width in found)


def _pixel(number: float) -> float:
    """Returns the whole number that a pixel was before it was divided by a side."""
    if number != number or abs(number) > 1e15:
        return number
    whole = round(number)
    return whole if abs(number - whole) < _NEAR else number
