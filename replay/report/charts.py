"""Small charts as SVG: shares as dots on a line from 0 to 100, with their intervals."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from replay.report.contents import Cell
from scoring.statistics import Interval

WIDTH, EDGE, ROW = 168, 6, 11
_SPAN = WIDTH - 2 * EDGE


def dots(cells: Sequence[Cell | None], letters: Sequence[str]) -> Markup:
    """Returns one line for each side, its shape and colour by letter; the style sheet colours.

    The page's numbers say the same, so it is hidden from screen readers.
    """
    height = ROW * len(cells) + 3
    drawn = Markup('<svg class="dots" viewBox="0 0 {0} {1}" width="{0}" height="{1}" ').format(
        WIDTH, height
    )
    drawn += Markup('aria-hidden="true">')
    for part in (0.0, 0.25, 0.5, 0.75, 1.0):
        drawn += Markup('<path class="tick" d="M{0} 0V{1}"/>').format(_x(part), height)
    for number, (cell, letter) in enumerate(zip(cells, letters, strict=True)):
        if cell is None or cell.value is None:
            continue
        y = ROW * number + ROW / 2 + 1.5
        drawn += _side(cell.value / 100, cell.interval, y, letter)
    return drawn + Markup("</svg>")


def _side(part: float, interval: Interval | None, y: float, letter: str) -> Markup:
    name = f"n{letter.lower()}"
    drawn = Markup("")
    if interval is not None:
        drawn += Markup('<path class="band {}" d="M{} {}H{}"/>').format(
            name, _x(interval.low), y, _x(interval.high)
        )
    return drawn + Markup('<path class="dot {}" d="{}"/>').format(name, _shape(letter, _x(part), y))


def _x(part: float) -> float:
    return round(EDGE + _SPAN * min(1.0, max(0.0, part)), 1)


def _shape(letter: str, x: float, y: float) -> str:
    """Returns a circle, square, diamond or triangle, so that sides can be distinguished without
    colours."""
    match letter:
        case "A":
            return f"M{x - 4} {y}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z"
        case "B":
            return f"M{x - 3.6} {y - 3.6}h7.2v7.2h-7.2z"
        case "C":
            return f"M{x} {y - 5}l5 5l-5 5l-5 -5z"
    return f"M{x} {y - 4.6}l5 8.4h-10z"
