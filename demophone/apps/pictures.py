"""The drawings above the Reader's articles."""

from __future__ import annotations

from demophone.apps import plants
from demophone.views.canvas import Canvas
from demophone.views.geometry import Rect

_SKIES = ("#2d3f5c", "#2f5f5a", "#dfe8da", "#f0e0c8", "#5f86ab")


def draw(c: Canvas, look: int, box: Rect, radius: float = 14) -> None:
    """Fills the box with a drawing."""
    c.clip(box, radius)
    c.fill(box, _SKIES[look])
    (_train, _dredger, _window, _soup, _ferry)[look](c, box)
    c.unclip()


def _train(c: Canvas, box: Rect) -> None:
    u = box.w / 328
    c.circle(box.x + box.w * 0.8, box.y + box.h * 0.24, 17 * u, "#f0dfb4")
    c.ellipse(box.cx - 60 * u, box.bottom, 240 * u, 44 * u, "#41618a")
    c.ellipse(box.right - 60 * u, box.bottom + 6 * u, 140 * u, 60 * u, "#41618a")
    y = box.bottom - 44 * u
    c.fill(Rect(box.x + 44 * u, y, 170 * u, 22 * u), "#b9553b", 5)
    for i in range(6):
        c.fill(Rect(box.x + (54 + 26 * i) * u, y + 5 * u, 16 * u, 9 * u), "#f6e7c0")
    for down in (25, 33):
        c.fill(Rect(box.x + 24 * u, y + down * u, 250 * u, 2), "#c9b48a")


def _dredger(c: Canvas, box: Rect) -> None:
    u = box.w / 328
    c.fill(Rect(box.x, box.y + box.h * 0.62, box.w, box.h), "#1d4347")
    base = box.y + box.h * 0.66
    c.polygon(
        [
            (box.cx - 90 * u, base - 22 * u),
            (box.cx + 80 * u, base - 22 * u),
            (box.cx + 64 * u, base + 8 * u),
            (box.cx - 78 * u, base + 8 * u),
        ],
        "#3f7d55",
    )
    c.fill(Rect(box.cx - 64 * u, base - 50 * u, 46 * u, 28 * u), "#e8e2d0", 3)
    c.stroke(box.cx + 8 * u, base - 22 * u, box.cx + 70 * u, base - 74 * u, "#c9a24a", 5 * u)
    c.stroke(box.cx + 70 * u, base - 74 * u, box.cx + 86 * u, base, "#c9a24a", 2 * u)
    c.circle(box.cx - 41 * u, base - 56 * u, 5 * u, "#ffe49a")  # fmt: skip


def _window(c: Canvas, box: Rect) -> None:
    u = box.w / 328
    frame = Rect(box.cx - 92 * u, box.y + 14 * u, 184 * u, box.h - 34 * u)
    c.fill(frame, "#f7faf5", 4)
    c.fill(frame.inset(7 * u), "#b9d3dd")
    c.fill(Rect(frame.cx - 2 * u, frame.y, 4 * u, frame.h), "#f7faf5")
    sill = frame.bottom
    c.fill(Rect(frame.x - 16 * u, sill, frame.w + 32 * u, 9 * u), "#c9b792", 2)
    for i, look in enumerate((0, 1, 2)):
        plants.draw(c, look, frame.x + (34 + 58 * i) * u, sill - 30 * u, 0.92 * u)


def _soup(c: Canvas, box: Rect) -> None:
    u = box.w / 328
    y = box.y + box.h * 0.5
    for x in (-30, 0, 30):
        c.stroke(box.cx + x * u, y - 26 * u, box.cx + (x + 8) * u, y - 52 * u, "#d4b98f", 4 * u)
    c.ellipse(box.cx, y + 10 * u, 96 * u, 56 * u, "#b9553b")
    c.fill(Rect(box.x, box.y, box.w, y - box.y), "#f0e0c8")
    c.ellipse(box.cx, y, 98 * u, 15 * u, "#8d3d29")
    c.ellipse(box.cx, y + 1 * u, 88 * u, 11 * u, "#dcae4f")
    for x in (-30, 0, 30):
        c.stroke(box.cx + x * u, y - 22 * u, box.cx + (x + 8) * u, y - 46 * u, "#d9c3a0", 4 * u)


def _ferry(c: Canvas, box: Rect) -> None:
    u = box.w / 328
    c.circle(box.x + 66 * u, box.y + 40 * u, 18 * u, "#f6e2a8")
    c.ellipse(box.right - 50 * u, box.y + box.h * 0.62, 110 * u, 34 * u, "#3f6a55")
    c.fill(Rect(box.right - 46 * u, box.y + 26 * u, 12 * u, 44 * u), "#f4f1ea", 2)
    c.fill(Rect(box.right - 47 * u, box.y + 18 * u, 14 * u, 10 * u), "#c9563f", 2)
    c.fill(Rect(box.x, box.y + box.h * 0.64, box.w, box.h), "#3f6a92")
    base = box.y + box.h * 0.68
    c.polygon(
        [
            (box.cx - 84 * u, base - 14 * u),
            (box.cx + 66 * u, base - 14 * u),
            (box.cx + 52 * u, base + 10 * u),
            (box.cx - 74 * u, base + 10 * u),
        ],
        "#f4f1ea",
    )
    c.fill(Rect(box.cx - 54 * u, base - 34 * u, 88 * u, 20 * u), "#dbe4ec", 3)
    c.fill(Rect(box.cx - 20 * u, base - 50 * u, 20 * u, 18 * u), "#c9563f", 2)  # fmt: skip
