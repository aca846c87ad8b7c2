"""Rounds numbers for reasons: few digits, but never so few that they contradict the verdict."""

from __future__ import annotations

import math

DIGITS = 4
MOST_PLACES = 17
_LARGE = 1e15


def format_pair(number: float, limit: float, places: int | None = None) -> tuple[str, str]:
    """Returns a number and its limit as texts for a sentence.

    They get more digits if rounding would make them equal or reverse their order.

    Args:
        places: decimal places to begin with; by default four significant digits of each.
    """
    of_limit = _places(limit) if places is None else places
    if not math.isfinite(number):
        return "not a number", _said(limit, of_limit)
    of_number = _places(number) if places is None else places
    for more in range(MOST_PLACES + 1):
        texts = _said(number, of_number + more), _said(limit, of_limit + more)
        if _order(float(texts[0]), float(texts[1])) == _order(number, limit):
            return texts
    return repr(number), repr(limit)


def format_root_pair(square: float, limit: float) -> tuple[str, str]:
    """Returns the roots of a square and of its limit, formatted like `beside`.

    If rounding gives the roots another order than the squares, the texts name the squares.
    """
    if _order(math.sqrt(square), math.sqrt(limit)) == _order(square, limit):
        return format_pair(math.sqrt(square), math.sqrt(limit))
    told, most = format_pair(square, limit)
    return f"the root of {told}", f"the root of {most}"


def _places(number: float) -> int:
    """Returns the decimal places that four significant digits take."""
    size = math.floor(math.log10(abs(number))) if number else 0
    return min(MOST_PLACES, max(0, DIGITS - 1 - size))


def _said(number: float, places: int) -> str:
    if abs(number) >= _LARGE:
        return f"{number:.{DIGITS}g}"
    whole = repr(float(number))
    fits = "e" not in whole and len(whole.partition(".")[2]) <= places
    text = whole if fits else f"{number:.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _order(one: float, other: float) -> int:
    return (one > other) - (one < other)
