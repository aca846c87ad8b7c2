"""The drawings of what Fernway sells."""

from __future__ import annotations

import math
from collections.abc import Callable

from demophone.views.canvas import Canvas
from demophone.views.geometry import Rect
from demophone.views.theme import Palette, blend

At = Callable[[float, float], tuple[float, float]]

_GREENS = ("#4f8a5b", "#6fa35a", "#3d7a6a", "#86a653")
_POTS = ("#c9764c", "#d9b08c", "#8c6a56", "#e0dcd2")


def plate_tone(palette: Palette, plate: str) -> str:
    """The colour behind a drawing; in the dark a shade of the app's own."""
    if not palette.dark:
        return plate
    return blend(blend(palette.background, palette.primary, 0.16), plate, 0.1)


def draw(c: Canvas, look: int, cx: float, base: float, size: float) -> None:
    """Draws a product; `base` is its bottom centre, `size` 1 is about 90 dp high."""

    def at(x: float, y: float) -> tuple[float, float]:
        return cx + x * size, base + y * size

    if look <= 3:
        _plant(c, look, at, size)
        _pot(c, at, _POTS[look], 1.0)
    elif look == 4:
        _pot(c, at, "#c9764c", 1.5)
    elif look == 5:
        _pot(c, at, "#5d83ad", 1.5)
        c.ellipse(*at(-9, 6), 3 * size, 12 * size, "#86a7c9", 8)
    elif look == 6:
        _basket(c, at, size)
    elif look == 7:
        _fork(c, at, size)
    elif look == 8:
        _can(c, at, size)
    else:
        _labels(c, at, size)


def _plant(c: Canvas, look: int, at: At, size: float) -> None:
    green = _GREENS[look]
    if look == 0:
        for turn in (-50, 50, -25, 25, 0):
            angle = math.radians(turn)
            x, y = 26 * math.sin(angle), -26 * math.cos(angle)
            tone = green if turn % 50 else "#6b9f75"
            c.ellipse(*at(x, y), 8 * size, 26 * size, tone, turn)
    elif look == 1:
        c.stroke(*at(0, 0), *at(0, -44), "#5d7a3c", 4 * size)
        for x, y in ((-14, -40), (14, -34), (-16, -20), (15, -14), (0, -52)):
            c.ellipse(*at(x, y), 14 * size, 8 * size, green, -18 if x > 0 else 18)
    elif look == 2:
        for x, y, r in ((-16, -18, 14), (0, -32, 17), (16, -18, 14), (0, -14, 14)):
            c.circle(*at(x, y), r * size, green)
    else:
        for turn in (-35, 35, -18, 18, 0):
            angle = math.radians(turn)
            tip = at(54 * math.sin(angle), -54 * math.cos(angle))
            across = (4 * math.cos(angle), 4 * math.sin(angle))
            c.polygon([at(-across[0], -across[1]), tip, at(*across)], green)


def _pot(c: Canvas, at: At, tone: str, wide: float) -> None:
    w = wide
    up = -14 * (w - 1) * 2
    c.polygon([at(-20 * w, up), at(20 * w, up), at(15 * w, 30), at(-15 * w, 30)], tone)
    left, top = at(-23 * w, up - 3)
    right, bottom = at(23 * w, up + 5 * w)
    c.fill(Rect(left, top, right - left, bottom - top), tone, 2)


def _basket(c: Canvas, at: At, size: float) -> None:
    for x in (-26, 0, 26):
        c.stroke(*at(0, -56), *at(x, -10), "#8d8676", 1.5 * size)
    c.polygon([at(-32, -10), at(32, -10), at(20, 28), at(-20, 28)], "#b98f5a")
    for y in (0, 10, 20):
        c.stroke(*at(-27 + y / 3, y), *at(27 - y / 3, y), "#94703f", 2 * size)


def _fork(c: Canvas, at: At, size: float) -> None:
    c.stroke(*at(0, 30), *at(0, -4), "#b98f5a", 10 * size)
    c.stroke(*at(0, -8), *at(0, -24), "#7d858c", 5 * size)
    c.stroke(*at(-15, -24), *at(15, -24), "#7d858c", 5 * size)
    for x in (-15, 0, 15):
        c.stroke(*at(x, -24), *at(x, -54), "#7d858c", 5 * size)


def _can(c: Canvas, at: At, size: float) -> None:
    c.arc(*at(-2, -12), 26 * size, -60, 130, "#3d7a6a", 5)
    c.stroke(*at(20, 12), *at(46, -24), "#4c8f7d", 7 * size)
    c.ellipse(*at(48, -26), 9 * size, 4 * size, "#3d7a6a", 54)
    c.polygon([at(-28, -12), at(24, -12), at(28, 30), at(-32, 30)], "#4c8f7d")


def _labels(c: Canvas, at: At, size: float) -> None:
    for i, x in enumerate((-22, 0, 22)):
        top = -34 - 6 * (i % 2)
        tones = ("#e2cfa4", "#d8c294", "#e2cfa4")
        c.polygon(
            [at(x - 8, top), at(x + 8, top), at(x + 8, 14), at(x, 30), at(x - 8, 14)], tones[i]
        )
        c.stroke(*at(x, top + 8), *at(x, top + 26), "#8a7750", 2 * size)
