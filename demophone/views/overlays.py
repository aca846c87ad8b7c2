"""Overlays: dialogs, menus, and the bar of text actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from demophone.views.canvas import Canvas
from demophone.views.geometry import Rect
from demophone.views.parts import BUTTON, FRAME, LINEAR, TEXT, Space, Tap, label
from demophone.views.view import View


@dataclass(slots=True, eq=False)
class Overlay:
    """Something over a screen.

    Attributes:
        name: last part of its path in the truth log, e.g. "menu".
        build: makes its views; the first child of the root is the plate.
        modal: whether it takes every touch; one beside it then dismisses it.
        dismissed: called when it closes without an answer.
    """

    name: str
    build: Callable[[Space], View]
    modal: bool = True
    dismissed: Tap | None = None


@dataclass(frozen=True, slots=True)
class OverlayChoice:
    """A line of a menu or a button of a dialog."""

    text: str
    act: Tap
    symbol: str = ""
    danger: bool = False
    chosen: bool | None = None
    """For lines of which one is chosen: whether it is this one."""


def plate(tone: str, radius: float, shadow: bool = True) -> Callable[[Canvas, View], None]:
    """What paints a dialog's plate, with the shadow under it."""

    def paint(c: Canvas, v: View) -> None:
        if shadow:
            for grow, down, alpha in ((3, 4, 0.05), (1.5, 3, 0.07), (0.5, 1.5, 0.10)):
                c.fill(v.box.moved(0, down).inset(-grow), "#000000", radius + grow, alpha)
        c.fill(v.box, tone, radius)

    return paint


def _scrim(alpha: float) -> Callable[[Canvas, View], None]:
    return lambda c, v: c.fill(v.box, "#000000", 0, alpha)


def menu(choices: Sequence[OverlayChoice], x: float, y: float, name: str = "menu") -> Overlay:
    """A menu whose upper corner would like to be at (x, y)."""

    def build(s: Space) -> View:
        p = s.palette
        symbols = any(choice.symbol for choice in choices)
        left = 52 if symbols else 16
        w = max(144.0, max(s.text_width(c.text, 16) for c in choices) + left + 28)
        h = 48.0 * len(choices) + 16
        px = min(max(8.0, x), s.width - w - 8)
        py = min(max(s.top + 4, y), max(s.top + 4, s.bottom - h - 8))
        board = View(Rect(px, py, w, h), LINEAR, paint=plate(p.high, 10))
        for i, choice in enumerate(choices):
            board.add(_menu_line(s, Rect(px, py + 8 + 48 * i, w, 48), choice, left))
        return View(Rect(0, 0, s.width, s.height), FRAME, children=[board])

    return Overlay(name, build)


def _menu_line(s: Space, box: Rect, choice: OverlayChoice, left: float) -> View:
    p = s.palette
    tone = p.error if choice.danger else p.text

    def paint(c: Canvas, v: View) -> None:
        if choice.symbol:
            c.icon(v.box.x + 28, v.box.cy, choice.symbol, 22, p.error if choice.danger else p.quiet)

    key = choice.text.lower().replace(" ", "-")
    name = label(
        Rect(box.x + left, box.y, box.w - left - 8, box.h),
        choice.text,
        16,
        tone,
        key=f"{key}/title",
        res="title",
    )
    return View(
        box,
        LINEAR,
        key=key,
        res="menu_item",
        paint=paint,
        tap=choice.act,
        ripple=0,
        ripple_on=p.text,
        children=[name],
    )


def dialog(
    title: str,
    text: str,
    buttons: Sequence[OverlayChoice],
    options: Sequence[OverlayChoice] = (),
    dismissed: Tap | None = None,
) -> Overlay:
    """A question in the middle of the screen, with options one above the other if given."""

    def build(s: Space) -> View:
        p = s.palette
        w = min(s.width - 48, 360.0)
        lines = s.wrap(text, 15, w - 48) if text else []
        step = 15 * s.font_scale * 1.42
        h = 24 + 34 + (12 + step * len(lines) if lines else 0) + 52.0 * len(options) + 16 + 40 + 20
        x, y = (s.width - w) / 2, max(s.top, (s.bottom + s.top - h) / 2)
        board = View(Rect(x, y, w, h), FRAME, paint=plate(p.high, 26))
        board.add(
            label(
                Rect(x + 24, y + 22, w - 48, 34), title, 22, p.text, key="title", res="alertTitle"
            )
        )
        at = y + 58
        if lines:
            board.add(_lines(Rect(x + 24, at + 8, w - 48, step * len(lines)), text, lines, s))
            at += 12 + step * len(lines)
        for option in options:
            board.add(_option(s, Rect(x, at + 4, w, 52), option))
            at += 52
        right = x + w - 16
        for choice in reversed(buttons):
            bw = s.text_width(choice.text, 14, 500) + 28
            board.add(_dialog_button(s, Rect(right - bw, y + h - 56, bw, 40), choice))
            right -= bw + 4
        return View(Rect(0, 0, s.width, s.height), FRAME, paint=_scrim(0.36), children=[board])

    return Overlay("dialog", build, dismissed=dismissed)


def _lines(box: Rect, text: str, lines: Sequence[str], s: Space) -> View:
    step = box.h / len(lines)
    tone = s.palette.quiet

    def paint(c: Canvas, v: View) -> None:
        for i, piece in enumerate(lines):
            c.text(Rect(v.box.x, v.box.y + i * step, v.box.w + 2, step), piece, 15, tone)

    return View(box, TEXT, key="message", res="message", text=text, paint=paint)


def _option(s: Space, box: Rect, choice: OverlayChoice) -> View:
    p = s.palette
    on = bool(choice.chosen)
    one_of_many = choice.chosen is not None

    def paint(c: Canvas, v: View) -> None:
        symbol = choice.symbol
        if one_of_many:
            symbol = "radiobox-marked" if on else "radiobox-blank"
        if symbol:
            c.icon(v.box.x + 36, v.box.cy, symbol, 24, p.primary if on else p.quiet)
        c.text(Rect(v.box.x + 64, v.box.y, v.box.w - 88, v.box.h), choice.text, 16, p.text)

    return View(
        box,
        "android.widget.CheckedTextView" if one_of_many else TEXT,
        key=f"option-{choice.text.lower().replace(' ', '-')}",
        res="text1",
        text=choice.text,
        paint=paint,
        tap=choice.act,
        checkable=one_of_many,
        checked=on,
        ripple=0,
        ripple_on=p.text,
    )


def _dialog_button(s: Space, box: Rect, choice: OverlayChoice) -> View:
    p = s.palette
    tone = p.error if choice.danger else p.primary
    return View(
        box,
        BUTTON,
        key=f"button-{choice.text.lower().replace(' ', '-')}",
        res="button",
        text=choice.text,
        paint=lambda c, v: c.text(v.box, choice.text, 14, tone, 500, "centre"),
        tap=choice.act,
        ripple=20,
        ripple_on=tone,
    )


def text_actions(choices: Sequence[OverlayChoice], near: Rect) -> Overlay:
    """The small bar with Cut, Copy and Paste above a field; it leaves other touches alone."""

    def build(s: Space) -> View:
        p = s.palette
        widths = [s.text_width(choice.text, 14, 500) + 28 for choice in choices]
        w = sum(widths) + 8
        x = min(max(8.0, near.cx - w / 2), s.width - w - 8)
        y = near.y - 56 if near.y - 56 > s.top else near.bottom + 8
        board = View(Rect(x, y, w, 48), LINEAR, paint=plate(p.high, 24))
        at = x + 4
        for choice, room in zip(choices, widths, strict=True):
            board.add(_action(s, Rect(at, y, room, 48), choice))
            at += room
        return View(board.box, FRAME, children=[board])

    return Overlay("actions", build, modal=False)


def _action(s: Space, box: Rect, choice: OverlayChoice) -> View:
    p = s.palette
    return View(
        box,
        BUTTON,
        key=choice.text.lower().replace(" ", "-"),
        res="floating_toolbar_menu_item_text",
        text=choice.text,
        paint=lambda c, v: c.text(v.box, choice.text, 14, p.text, 500, "centre"),
        tap=choice.act,
        ripple=24,
        ripple_on=p.text,
    )
