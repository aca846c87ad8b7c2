"""The parts that screens are made of: labels, buttons, rows, bars.

Each function returns a view with its box, its look and what it is to a finger and to a dump.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from demophone.views import fonts
from demophone.views.canvas import Align, Canvas, text_pixels
from demophone.views.geometry import Rect, centred
from demophone.views.motion import ScrollPosition
from demophone.views.theme import Palette
from demophone.views.view import View

TEXT = "android.widget.TextView"
BUTTON = "android.widget.Button"
IMAGE = "android.widget.ImageView"
IMAGE_BUTTON = "android.widget.ImageButton"
LINEAR = "android.widget.LinearLayout"
FRAME = "android.widget.FrameLayout"
GROUP = "android.view.ViewGroup"
LIST = "androidx.recyclerview.widget.RecyclerView"
EDIT = "android.widget.EditText"

Tap = Callable[[], None]
Look = Literal["filled", "tonal", "text", "outlined"]
Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True)
class Space:
    """What a screen is built for.

    Attributes:
        width, height: of the screen in dp.
        top: where content begins, below the status bar.
        bottom: where content ends, above navigation or keyboard.
        palette: the colours to draw with.
        scale: pixels of a dp.
        font_scale: the text size that the user chose; 1 is normal.
        cursor: whether the text cursor is drawn now.
    """

    width: float
    height: float
    top: float
    bottom: float
    palette: Palette
    scale: float
    font_scale: float
    cursor: bool

    @property
    def wide(self) -> bool:
        """Whether the phone is in landscape."""
        return self.width > self.height

    @property
    def floor(self) -> float:
        """Where lists end: at the glass's edge, unless buttons or the keyboard are there."""
        return self.height if self.height - self.bottom <= 24 else self.bottom

    def text_width(self, text: str, size: float, weight: int = 400) -> float:
        """The advance of a line, in dp."""
        px = text_pixels(size, self.scale, self.font_scale)
        return fonts.width(text, px, weight) / self.scale

    def wrap(self, text: str, size: float, room: float, weight: int = 400) -> list[str]:
        """The lines of a text set into `room` dp."""
        return [text[start:end] for start, end in self.line_ends(text, size, room, weight)]

    def line_ends(
        self, text: str, size: float, room: float, weight: int = 400
    ) -> tuple[tuple[int, int], ...]:
        """Start and end of each line of a text set into `room` dp."""
        px = text_pixels(size, self.scale, self.font_scale)
        return fonts.wrapped(text, px, weight, int(room * self.scale))

    def grown(self, height: float) -> float:
        """A row's height, grown with large text."""
        return height * max(1.0, 0.5 + self.font_scale / 2)


def root(s: Space, *children: View, res: str = "root") -> View:
    """The whole screen in the background's colour."""
    tone = s.palette.background
    return View(
        Rect(0, 0, s.width, s.height),
        GROUP,
        res=res,
        paint=lambda c, v: c.fill(v.box, tone),
        children=list(children),
    )


def label(
    box: Rect,
    text: str,
    size: float,
    tone: str,
    weight: int = 400,
    align: Align = "left",
    key: str = "",
    res: str = "",
) -> View:
    """One line of text in the middle of the box's height."""

    def paint(c: Canvas, v: View) -> None:
        c.text(v.box, text, size, tone, weight, align)

    return View(box, TEXT, key=key, res=res, text=text, paint=paint)


def paragraph(
    s: Space,
    x: float,
    y: float,
    room: float,
    text: str,
    size: float,
    tone: str,
    weight: int = 400,
    key: str = "",
    res: str = "",
) -> View:
    """Text of several lines; the view is as high as they need."""
    lines = s.wrap(text, size, room, weight)
    step = size * s.font_scale * 1.36
    box = Rect(x, y, room, step * len(lines))

    def paint(c: Canvas, v: View) -> None:
        for i, line in enumerate(lines):
            c.text(Rect(v.box.x, v.box.y + i * step, v.box.w + 2, step), line, size, tone, weight)

    return View(box, TEXT, key=key, res=res, text=text, paint=paint)


def icon(cx: float, cy: float, name: str, tone: str, size: float = 24, desc: str = "") -> View:
    """A picture that does nothing."""
    return View(
        centred(cx, cy, size),
        IMAGE,
        desc=desc,
        paint=lambda c, v: c.icon(v.box.cx, v.box.cy, name, size, tone),
    )


def icon_button(
    cx: float,
    cy: float,
    name: str,
    desc: str,
    tap: Tap,
    key: str,
    tone: str,
    size: float = 24,
    side: float = 48,
    enabled: bool = True,
    res: str = "",
) -> View:
    """A round button with an icon; 48 dp for the finger."""

    def paint(c: Canvas, v: View) -> None:
        c.icon(v.box.cx, v.box.cy, name, size, tone)

    return View(
        centred(cx, cy, side),
        IMAGE_BUTTON,
        key=key,
        res=res or key.replace("-", "_"),
        desc=desc,
        paint=paint,
        tap=tap,
        enabled=enabled,
        ripple=side / 2,
        ripple_on=tone,
    )


def button(
    s: Space,
    box: Rect,
    text: str,
    tap: Tap,
    key: str,
    look: Look = "filled",
    symbol: str = "",
    enabled: bool = True,
    tone: str = "",
    res: str = "",
    radius: float = 20,
) -> View:
    """A button with words, and an icon before them when one is named."""
    p = s.palette
    fill = {"filled": tone or p.primary, "tonal": p.tint}.get(look, "")
    ink = {"filled": p.on_primary, "tonal": p.on_tint}.get(look, tone or p.primary)
    if not enabled:
        fill = p.line if fill else ""
        ink = p.outline

    def paint(c: Canvas, v: View) -> None:
        if fill:
            c.fill(v.box, fill, radius)
        elif look == "outlined":
            c.outline(v.box, p.outline, 1, radius)
        if not symbol:
            c.text(v.box, text, 14, ink, 500, "centre")
            return
        room = s.text_width(text, 14, 500) if text else 0.0
        left = v.box.cx - (room + (28 if text else 20)) / 2
        c.icon(left + 10, v.box.cy, symbol, 20, ink)
        c.text(Rect(left + 28, v.box.y, room + 2, v.box.h), text, 14, ink, 500)

    return View(
        box,
        BUTTON,
        key=key,
        res=res or key.replace("-", "_"),
        text=text,
        paint=paint,
        tap=tap,
        enabled=enabled,
        ripple=radius,
        ripple_on=ink,
    )


def round_button(
    cx: float,
    cy: float,
    r: float,
    symbol: str,
    fill: str,
    ink: str,
    desc: str,
    tap: Tap,
    key: str,
    enabled: bool = True,
    res: str = "",
) -> View:
    """A filled circle of radius `r` with an icon."""

    def paint(c: Canvas, v: View) -> None:
        c.circle(v.box.cx, v.box.cy, r, fill, 1.0 if enabled else 0.35)
        c.icon(v.box.cx, v.box.cy, symbol, r * 0.9, ink)

    return View(
        centred(cx, cy, 2 * r),
        IMAGE_BUTTON,
        key=key,
        res=res or key.replace("-", "_"),
        desc=desc,
        paint=paint,
        tap=tap,
        enabled=enabled,
        ripple=r,
        ripple_on=ink,
    )


def fab(s: Space, right: float, bottom: float, symbol: str, text: str, tap: Tap, key: str) -> View:
    """The floating main button, its right and lower edges given."""
    p = s.palette
    room = s.text_width(text, 15, 500)
    w = room + 68 if text else 56
    box = Rect(right - w, bottom - 56, w, 56)

    def paint(c: Canvas, v: View) -> None:
        shade = "#000000"
        c.fill(v.box.moved(0, 3).inset(-1, -1), shade, 18, 0.06)
        c.fill(v.box.moved(0, 1.5), shade, 16, 0.10)
        c.fill(v.box, p.tint, 16)
        c.icon(v.box.x + 28, v.box.cy, symbol, 24, p.on_tint)
        if text:
            c.text(Rect(v.box.x + 48, v.box.y, room + 2, 56), text, 15, p.on_tint, 500)

    return View(
        box,
        BUTTON if text else IMAGE_BUTTON,
        key=key,
        res=key.replace("-", "_"),
        text=text,
        desc="" if text else key.replace("-", " ").capitalize(),
        paint=paint,
        tap=tap,
        ripple=16,
        ripple_on=p.on_tint,
    )


def avatar(cx: float, cy: float, r: float, letter: str, tone: str, desc: str = "") -> View:
    """A round picture with an initial."""

    def paint(c: Canvas, v: View) -> None:
        c.circle(v.box.cx, v.box.cy, r, tone)
        if letter:
            c.text(v.box, letter, r * 0.92 / c.font_scale, "#ffffff", 500, "centre")
        else:
            c.icon(v.box.cx, v.box.cy, "account", r * 1.15, "#ffffff")

    return View(centred(cx, cy, 2 * r), IMAGE, desc=desc, paint=paint)


def row(
    box: Rect,
    key: str,
    tap: Tap | None,
    s: Space,
    *children: View,
    long_press: Tap | None = None,
    res: str = "row",
    selected: bool = False,
    radius: float = 0,
) -> View:
    """A line of a list that can be pressed."""
    p = s.palette

    def paint(c: Canvas, v: View) -> None:
        if selected:
            c.fill(v.box, p.tint, radius)

    return View(
        box,
        LINEAR,
        key=key,
        res=res,
        paint=paint if selected else None,
        children=list(children),
        tap=tap,
        long_press=long_press,
        selected=selected,
        ripple=radius,
        ripple_on=p.text,
    )


def chip(s: Space, x: float, y: float, text: str, on: bool, tap: Tap, key: str) -> View:
    """A filter that is chosen or not."""
    p = s.palette
    w = s.text_width(text, 13, 500) + 32

    def paint(c: Canvas, v: View) -> None:
        if on:
            c.fill(v.box, p.tint, 8)
        else:
            c.outline(v.box, p.outline, 1, 8)
        c.text(v.box, text, 13, p.on_tint if on else p.quiet, 500, "centre")

    return View(
        Rect(x, y, w, 32),
        "android.widget.CompoundButton",
        key=key,
        res=key.replace("-", "_"),
        text=text,
        paint=paint,
        tap=tap,
        checkable=True,
        checked=on,
        ripple=8,
        ripple_on=p.on_tint,
    )


def switch(s: Space, cx: float, cy: float, on: bool) -> View:
    """The picture of a switch; the row round it is what is pressed."""
    p = s.palette

    def paint(c: Canvas, v: View) -> None:
        if on:
            c.fill(v.box, p.primary, 16)
            c.circle(v.box.right - 16, v.box.cy, 12, p.on_primary)
            c.icon(v.box.right - 16, v.box.cy, "check", 15, p.primary)
        else:
            c.fill(v.box, p.surface, 16)
            c.outline(v.box, p.outline, 2, 16)
            c.circle(v.box.x + 16, v.box.cy, 8, p.outline)

    return View(
        centred(cx, cy, 52, 32),
        "android.widget.Switch",
        res="switch_widget",
        paint=paint,
        checkable=True,
        checked=on,
    )


def line(s: Space, x: float, y: float, w: float) -> View:
    """A thin line between parts; not a node of its own in a dump worth naming."""
    tone = s.palette.line
    return View(Rect(x, y, w, 1), paint=lambda c, v: c.fill(v.box, tone))


def scroll_list(
    box: Rect, scroll: ScrollPosition, key: str, *rows: View, res: str = "list"
) -> View:
    """A list that a finger scrolls; rows outside of it are cut."""
    return View(
        box,
        LIST,
        key=key,
        res=res,
        drag=scroll,
        scrollable=scroll.extent > 0,
        clip=True,
        children=list(rows),
    )


def list_of(
    s: Space,
    box: Rect,
    scroll: ScrollPosition,
    key: str,
    things: Sequence[Thing],
    height: float,
    make: Callable[[Rect, Thing], View],
    end: float,
    nothing: tuple[str, str] | None = None,
    to_edge: bool = False,
) -> View:
    """A list with a row of `height` dp for each thing; rows that do not show are not made.

    Args:
        make: the row of a thing, from its box.
        end: dp that stay free below the last row.
        nothing: icon and text of an empty list.
        to_edge: whether the list ends at the floor and its last row is to come above the bottom.
    """
    content = len(things) * height + end
    if to_edge:
        content = content + s.floor - s.bottom
    top = box.y - scroll.measure(content, box.h)
    rows = []
    for i, thing in enumerate(things):
        place = Rect(box.x, top + i * height, box.w, height)
        if place.bottom > box.y and place.y < box.bottom:
            rows.append(make(place, thing))
    if not things and nothing is not None:
        rows.append(empty(s, box, *nothing))
    return scroll_list(box, scroll, key, *rows)


def card(s: Space, box: Rect, tone: str = "", radius: float = 16) -> View:
    """A round plate that carries others."""
    fill = tone or s.palette.surface
    return View(box, FRAME, paint=lambda c, v: c.fill(v.box, fill, radius))


def empty(s: Space, box: Rect, symbol: str, text: str) -> View:
    """What a list says when there is nothing in it."""
    p = s.palette
    return View(
        box,
        FRAME,
        children=[
            icon(box.cx, box.cy - 36, symbol, p.outline, 48),
            label(
                Rect(box.x + 24, box.cy, box.w - 48, 28),
                text,
                15,
                p.quiet,
                400,
                "centre",
                key="empty",
                res="empty",
            ),
        ],
    )
