"""Fingers that a test moves over the screen: one that strokes, two that pinch.

Source: UiDevice and UiObject of AndroidX for times and ways (a step takes 5 ms).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import pairwise

from demophone.device import DemoDevice, TouchAction

STEP_S = 0.005
MAX_STEPS = 4000
PINCH_CLOSED = 10.0
"""Pixels between a finger and the middle while two fingers are together."""


async def stroke(
    device: DemoDevice, points: Sequence[tuple[float, float]], steps: int, rest: float = 0.0
) -> None:
    """Puts a finger down, rests, moves it from point to point and lifts it."""
    steps = min(MAX_STEPS, max(1, steps))
    x, y = points[0]
    device.touch(TouchAction.DOWN, 0, x, y, 1.0, "shell")
    try:
        await asyncio.sleep(rest)
        for (ax, ay), (bx, by) in pairwise(points):
            for i in range(1, steps + 1):
                x, y = ax + (bx - ax) * i / steps, ay + (by - ay) * i / steps
                device.touch(TouchAction.MOVE, 0, x, y, 1.0, "shell")
                await asyncio.sleep(STEP_S)
    finally:  # a finger never stays down, even when the caller hangs up
        device.touch(TouchAction.UP, 0, x, y, 0.0, "shell")


async def pinch(
    device: DemoDevice, box: tuple[int, int, int, int], percent: float, steps: int, opens: bool
) -> bool:
    """Moves two fingers from the middle of a box towards its sides, or back.

    Returns whether the box is wide enough for it.
    """
    left, top, right, bottom = box
    x, y = (left + right) / 2, (top + bottom) / 2
    wide = min(100.0, max(0.0, percent)) / 100 * (right - left) / 2
    if wide <= PINCH_CLOSED:
        return False
    steps = min(MAX_STEPS, max(1, steps))
    apart = PINCH_CLOSED if opens else wide

    def both(action: TouchAction, pressure: float) -> None:
        for finger, side in enumerate((-1, 1)):
            device.touch(action, finger, x + side * apart, y, pressure, "shell")

    both(TouchAction.DOWN, 1.0)
    try:
        for step in range(1, steps + 1):
            share = step / steps if opens else 1 - step / steps
            apart = PINCH_CLOSED + (wide - PINCH_CLOSED) * share
            both(TouchAction.MOVE, 1.0)
            await asyncio.sleep(STEP_S)
    finally:
        both(TouchAction.UP, 0.0)
    return True
