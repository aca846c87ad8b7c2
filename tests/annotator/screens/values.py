"""A screen with its true boxes, and presses on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from episodes.geometry import Box, Point


@dataclass(frozen=True, slots=True)
class Element:
    """Something that takes touches, with all of its touch area."""

    box: Box
    kind: str


@dataclass(frozen=True, eq=False, slots=True)
class Screen:
    """One picture. `app` is what splits go by; `pixels` are (rows, columns, 3), RGB.

    `per_dp` is how many pixels one dp covers. `tree` is its dump as uiautomator prints it, b"" for
    a drawn one.
    """

    app: str
    pixels: npt.NDArray[np.uint8]
    per_dp: float
    elements: tuple[Element, ...]
    dark: bool
    tree: bytes = b""


@dataclass(frozen=True, eq=False, slots=True)
class Click:
    """A press on an element of a screen."""

    screen: Screen
    point: Point
    truth: Box
    kind: str


def clicks(screens: list[Screen], count: int, seed: int, spread: float = 0.16) -> Iterator[Click]:
    """Yields presses on elements in turn of their screens, near the middle as people press.

    The element of a press is the smallest one under it.

    Args:
        spread: standard deviation from the middle, in sides of the element.
    """
    chance = np.random.default_rng(seed)
    made = 0
    while made < count:
        screen = screens[int(chance.integers(len(screens)))]
        element = screen.elements[int(chance.integers(len(screen.elements)))]
        box = element.box
        across, down = np.clip(chance.normal(0.5, spread, 2), 0.03, 0.97)
        point = Point(
            float(int(box.left + across * box.width)), float(int(box.top + down * box.height))
        )
        hit = min((e for e in screen.elements if point in e.box), key=lambda e: e.box.area)
        yield Click(screen, point, hit.box, hit.kind)
        made += 1
