"""A row of the Settings app: a picture, the name, and the value below it."""

from __future__ import annotations

from demophone.views.geometry import Rect
from demophone.views.parts import Space, Tap, icon, label, row
from demophone.views.view import View


def setting_row(
    s: Space,
    box: Rect,
    key: str,
    picture: View | str,
    title: str,
    note: str,
    tap: Tap,
    left: float = 76,
    right: float = 84,
    ink: str = "",
) -> View:
    """A row that leads to a setting, or turns it.

    Args:
        picture: before the words; the name of an icon stands for that icon in the app's colour.
        left, right: dp that the words leave free.
        ink: colour of the note; "" for the quiet one.
    """
    p = s.palette
    room = s.width - (left + right)
    return row(
        box,
        key,
        tap,
        s,
        icon(40, box.cy, picture, p.primary) if isinstance(picture, str) else picture,
        label(
            Rect(left, box.cy - 24, room, 25), title, 16.5, p.text, key=f"{key}/title", res="title"
        ),
        label(
            Rect(left, box.cy + 1, room, 22),
            note,
            14,
            ink or p.quiet,
            key=f"{key}/summary",
            res="summary",
        ),
    )
