"""Views of text fields: outlined fields of a form, and the round fields for search and writing."""

from __future__ import annotations

from collections.abc import Callable

from demophone.views import fonts
from demophone.views.canvas import Canvas, text_pixels
from demophone.views.fields import Field, TextLayout
from demophone.views.geometry import Rect
from demophone.views.parts import EDIT, Space
from demophone.views.view import View

SELECTION_ALPHA = 0.28


def outlined_field(s: Space, box: Rect, hint: str, field: Field, focused: bool) -> View:
    """A form's field: the hint moves into the border once there is text or the cursor."""
    p = s.palette
    raised = focused or bool(field.text)
    tone = p.primary if focused else p.outline
    inner = Rect(box.x + 16, box.y, box.w - 32, box.h)
    text = _text(s, inner, field, 16, focused)

    def paint(c: Canvas, v: View) -> None:
        c.outline(v.box, tone, 2 if focused else 1, 5)
        if raised:
            w = s.text_width(hint, 12)
            c.fill(Rect(v.box.x + 10, v.box.y - 7, w + 8, 14), p.background)
            shade = p.primary if focused else p.quiet
            c.text(Rect(v.box.x + 14, v.box.y - 8, w + 2, 16), hint, 12, shade)
        else:
            c.text(_beside_cursor(inner), hint, 16, p.quiet)
        text(c)

    return _edit(box, field, hint, focused, paint)


def pill_field(
    s: Space, box: Rect, hint: str, field: Field, focused: bool, left: float, right: float
) -> View:
    """A round field; `left` and `right` dp are kept free for icons that lie over it."""
    p = s.palette
    inner = Rect(box.x + left, box.y, box.w - left - right, box.h)
    text = _text(s, inner, field, 16, focused)

    def paint(c: Canvas, v: View) -> None:
        c.fill(v.box, p.surface, 26)
        if not field.text:
            c.text(_beside_cursor(inner), hint, 16, p.quiet)
        text(c)

    return _edit(box, field, hint, focused, paint)


def plain_field(
    s: Space, box: Rect, hint: str, field: Field, focused: bool, size: float = 18
) -> View:
    """A field without border, as in a search bar."""
    p = s.palette
    text = _text(s, box, field, size, focused)

    def paint(c: Canvas, v: View) -> None:
        if not field.text:
            c.text(_beside_cursor(v.box), hint, size, p.quiet)
        text(c)

    return _edit(box, field, hint, focused, paint)


def text_area(
    s: Space, box: Rect, hint: str, field: Field, focused: bool, size: float = 16
) -> View:
    """A field of several lines, written from the top; `area_height` says how high it must be."""
    p = s.palette
    step = _step(s, size)
    inner = Rect(box.x, box.y, box.w, step * len(_spans(s, field, size, box.w)))
    text = _text(s, inner, field, size, focused)

    def paint(c: Canvas, v: View) -> None:
        if not field.text:
            c.text(Rect(box.x + 3, box.y, box.w - 3, step), hint, size, p.quiet)
        text(c)

    return _edit(box, field, hint, focused, paint)


def area_height(s: Space, field: Field, room: float, size: float = 16) -> float:
    """The height of a text area that is `room` dp wide."""
    return _step(s, size) * len(_spans(s, field, size, room))


def cursor_bottom(s: Space, field: Field, room: float, size: float = 16) -> float:
    """How far below the top of its text area the line with the cursor ends."""
    spans = _spans(s, field, size, room)
    row = next((i for i, (_, end) in enumerate(spans) if field.cursor <= end), len(spans) - 1)
    return _step(s, size) * (row + 1)


def pill_height(s: Space, field: Field, room: float) -> float:
    """The height of a round field of several lines that is `room` dp wide inside."""
    lines = len(_spans(s, field, 16, room))
    return 52 + (min(lines, 4) - 1) * _step(s, 16)


def _beside_cursor(box: Rect) -> Rect:
    """Where a hint is written, so that the cursor does not strike it."""
    return Rect(box.x + 3, box.y, box.w - 3, box.h)


def _step(s: Space, size: float) -> float:
    return size * s.font_scale * 1.3


def _spans(s: Space, field: Field, size: float, room: float) -> tuple[tuple[int, int], ...]:
    if not field.multiline:
        return ((0, len(field.text)),)
    px = text_pixels(size, s.scale, s.font_scale)
    return fonts.wrapped(field.text, px, 400, int(room * s.scale))


def _edit(
    box: Rect, field: Field, hint: str, focused: bool, paint: Callable[[Canvas, View], None]
) -> View:
    return View(
        box,
        EDIT,
        key=field.name.replace("_", "-"),
        res=field.name,
        hint=hint,
        paint=paint,
        field=field,
        focused=focused,
    )


def _text(
    s: Space, inner: Rect, field: Field, size: float, focused: bool
) -> Callable[[Canvas], None]:
    """Lays a field's text out and returns what draws it, with selection and cursor."""
    p = s.palette
    px = text_pixels(size, s.scale, s.font_scale)
    spans = _spans(s, field, size, inner.w)
    step = _step(s, size)
    row = next((i for i, (_, end) in enumerate(spans) if field.cursor <= end), len(spans) - 1)
    shown = max(1, int(inner.h / step)) if field.multiline else 1
    first = max(0, min(row - shown + 1, len(spans) - shown)) if len(spans) > shown else 0
    top = inner.cy - step * min(len(spans), shown) / 2

    def width(text: str) -> float:
        return fonts.width(text, px) / s.scale

    shown_text = field.shown
    at = width(shown_text[spans[row][0] : field.cursor])
    push = 0.0
    if not field.multiline:
        push = max(0.0, at - inner.w + 4) if focused else 0.0
    field.layout = TextLayout(inner.x - push, top - first * step, step, spans, width)

    def paint(c: Canvas) -> None:
        c.clip(Rect(inner.x - 2, inner.y, inner.w + 4, inner.h))
        low, high = field.selection
        for i, (start, end) in enumerate(spans[first : first + shown]):
            y = top + i * step
            if focused and low < high and low < end and high > start:
                a = width(shown_text[start : max(start, low)])
                b = width(shown_text[start : min(end, high)])
                c.fill(Rect(inner.x - push + a, y, b - a, step), p.primary, 2, SELECTION_ALPHA)
            middle = (y + step / 2) * c.scale
            base = (middle + fonts.metrics(px).capHeight() / 2) / c.scale
            c.line(inner.x - push, base, shown_text[start:end], size, p.text)
        if focused and s.cursor and low == high:
            y = top + (row - first) * step
            c.fill(Rect(inner.x - push + at, y, 2, step), p.primary)
        c.unclip()

    return paint
