"""The bars of a screen: Back with a title, the round bar for a search, and tabs at the bottom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from demophone.views.canvas import Canvas
from demophone.views.fields import Field
from demophone.views.geometry import Rect
from demophone.views.inputs import plain_field
from demophone.views.parts import FRAME, LINEAR, Space, Tap, icon_button, label
from demophone.views.view import View


def back_button(s: Space, cx: float, cy: float, tap: Tap) -> View:
    """The arrow that leads back."""
    return icon_button(cx, cy, "arrow-left", "Back", tap, "back", s.palette.quiet)


def more_button(s: Space, cx: float, cy: float, tap: Tap) -> View:
    """The three dots that open the menu of the bar."""
    return icon_button(cx, cy, "dots-vertical", "More options", tap, "more", s.palette.quiet)


def clear_button(s: Space, cx: float, cy: float, tap: Tap, side: float = 48) -> View:
    """The cross that empties a field."""
    ink = s.palette.quiet
    return icon_button(cx, cy, "close", "Clear text", tap, "clear-text", ink, side=side)


def page_bar(s: Space, title: str, back: Tap) -> list[View]:
    """Back and the title of a page behind another."""
    place = Rect(56, s.top + 8, s.width - 80, 40)
    return [
        back_button(s, 28, s.top + 28, back),
        label(place, title, 20, s.palette.text, key="title", res="title"),
    ]


def search_bar(
    s: Space,
    box: Rect,
    hint: str,
    field: Field,
    focused: bool,
    room: tuple[float, float],
    before: Sequence[View] = (),
    after: Sequence[View] = (),
    glass: float = 0,
    res: str = "",
) -> View:
    """A round plate with the field of a search.

    Args:
        room: dp that the field leaves free at its left and right.
        before, after: views that lie on the plate, behind and in front of the field.
        glass: size of a magnifier that is painted on the plate at its left; 0 for none.
    """
    p = s.palette
    radius = box.h / 2

    def paint(c: Canvas, v: View) -> None:
        c.fill(v.box, p.surface, radius)
        if glass:
            c.icon(v.box.x + radius, v.box.cy, "magnify", glass, p.quiet)

    left, right = room
    inner = Rect(box.x + left, box.y, box.w - (left + right), box.h)
    plate = View(box, FRAME, res=res, paint=paint)
    return plate.add(*before, plain_field(s, inner, hint, field, focused, 16), *after)


@dataclass(frozen=True, slots=True)
class Tabs:
    """A bar at the bottom of a screen, to change between its places.

    Attributes:
        places: name, word and icon of each.
        widest: dp of a tab where there is room for more.
        icon_left: how far left of a tab's middle its icon stands, where the word is beside it.
        word_left: the same of the word.
        grows: whether the words grow with the text size.
    """

    places: tuple[tuple[str, str, str], ...]
    widest: float
    icon_left: float
    word_left: float = 0.0
    grows: bool = False

    def bar(
        self,
        s: Space,
        y: float,
        height: float,
        chosen: str,
        go: Callable[[str], None],
        res: str = "",
    ) -> View:
        """The bar from `y` to the glass's edge; its children are the tabs, `height` dp high."""
        tone = s.palette.surface
        count = len(self.places)
        cell = min(s.width / count, self.widest)
        left = (s.width - count * cell) / 2
        ground = Rect(0, y, s.width, s.height - y)
        bar = View(ground, LINEAR, res=res, paint=lambda c, v: c.fill(v.box, tone))
        for i, place in enumerate(self.places):
            bar.add(self._tab(s, Rect(left + cell * i, y, cell, height), place, chosen, go))
        return bar

    def _tab(
        self,
        s: Space,
        box: Rect,
        place: tuple[str, str, str],
        chosen: str,
        go: Callable[[str], None],
    ) -> View:
        """A place's icon over its word, or beside it in a low bar."""
        p = s.palette
        name, word, symbol = place
        on = name == chosen
        ink = p.primary if on else p.quiet

        def paint(c: Canvas, v: View) -> None:
            beside = v.box.h < 60
            middle = v.box.cx - self.icon_left if beside else v.box.cx
            if on:
                c.fill(Rect(middle - 28, v.box.y + 7, 56, 30), p.tint, 15)
            c.icon(middle, v.box.y + 22, symbol, 22, ink)
            shrunk = 1.0 if self.grows else c.font_scale
            if beside:
                words = Rect(v.box.cx - self.word_left, v.box.y, v.box.w / 2, 44)
                c.text(words, word, 13 / shrunk, ink, 500)
                return
            words = Rect(v.box.x, v.box.y + 40, v.box.w, 18)
            c.text(words, word, 11.5 / shrunk, ink, 500, "centre")

        return View(
            box,
            FRAME,
            key=f"tab-{name}",
            res=f"tab_{name}",
            text=word,
            desc=word,
            paint=paint,
            tap=None if on else lambda: go(name),
            selected=on,
            ripple=16,
            ripple_on=p.text,
        )
