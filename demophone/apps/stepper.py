"""A count with a button to take one away and one to add one."""

from __future__ import annotations

from collections.abc import Callable

from demophone.views.canvas import Canvas
from demophone.views.geometry import Rect
from demophone.views.parts import FRAME, IMAGE_BUTTON, Space, label
from demophone.views.view import View

WIDTH = 128.0
HEIGHT = 44.0


def stepper(
    s: Space,
    x: float,
    y: float,
    key: str,
    count: int,
    change: Callable[[int], None],
    least: int,
    most: int,
) -> View:
    """Minus, count and plus on a round plate; `change` is called with the new count."""
    p = s.palette
    box = Rect(x, y, WIDTH, HEIGHT)
    plate = View(box, FRAME, res="stepper", paint=lambda c, v: c.fill(v.box, p.surface, 22))

    def side(place: Rect, name: str, symbol: str, desc: str, to: int) -> View:
        enabled = least <= to <= most
        ink = p.primary if enabled else p.outline

        def paint(c: Canvas, v: View) -> None:
            c.icon(v.box.cx, v.box.cy, symbol, 21, ink)

        return View(
            place,
            IMAGE_BUTTON,
            key=f"{key}/{name}",
            res=name,
            desc=desc,
            paint=paint,
            tap=lambda: change(to),
            enabled=enabled,
            ripple=22,
            ripple_on=ink,
        )

    gone = least <= 0 and count == 1
    plate.add(
        side(Rect(x, y, 44, HEIGHT), "less", "delete-outline" if gone else "minus",
             "Remove" if gone else "One less", count - 1),
        label(Rect(x + 44, y, 40, HEIGHT), str(count), 16, p.text, 500, "centre",
              key=f"{key}/count", res="count"),
        side(Rect(x + 84, y, 44, HEIGHT), "more", "plus", "One more", count + 1),
    )  # fmt: skip
    return plate
