"""Text with links in it: each link is underlined and can be tapped.

The links are views inside the text's view, which must be opaque: in a dump a text is one node,
whatever is linked in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from demophone.views.canvas import Canvas
from demophone.views.geometry import Rect
from demophone.views.parts import Space
from demophone.views.view import View


@dataclass(frozen=True, slots=True)
class LinkSpan:
    """A linked part of a text: its first character, the one after its last, and what it does."""

    start: int
    end: int
    act: Callable[[], None]
    key: str


@dataclass(frozen=True, slots=True)
class TextStyle:
    """How a text is set: size in sp, line height in dp, colours of words and links, weight."""

    size: float
    step: float
    ink: str
    link_ink: str
    weight: int = 400


class LinkedText:
    """A text set into a width, with its links."""

    def __init__(
        self, s: Space, text: str, room: float, face: TextStyle, spans: Sequence[LinkSpan] = ()
    ) -> None:
        self._s = s
        self._face = face
        self._text = text
        self._spans = spans
        self._lines = s.line_ends(text, face.size, room, face.weight)
        self.height = face.step * len(self._lines)
        self.width = max(self._advance(start, end) for start, end in self._lines)

    def paint(self, c: Canvas, x: float, y: float) -> None:
        """Draws all lines, the first at (x, y)."""
        face = self._face
        for row, (start, end) in enumerate(self._lines):
            top = y + row * face.step
            at = start
            for low, high, span in (*self._linked(start, end), (end, end, None)):
                self._piece(c, x, top, start, at, low, face.ink)
                if span is not None:
                    self._piece(c, x, top, start, low, high, face.link_ink)
                    left, right = self._advance(start, low), self._advance(start, high)
                    base = top + face.step / 2 + face.size * self._s.font_scale * 0.46
                    c.fill(Rect(x + left, base, right - left, 1), face.link_ink)
                at = high

    def views(self, x: float, y: float, link_class: str = "android.view.View") -> list[View]:
        """A view for each link; one that is broken over lines has a further one a line."""
        made: list[View] = []
        counts: dict[str, int] = {}
        for row, (start, end) in enumerate(self._lines):
            for low, high, span in self._linked(start, end):
                left, right = self._advance(start, low), self._advance(start, high)
                counts[span.key] = counts.get(span.key, 0) + 1
                further = f"-{counts[span.key]}" if counts[span.key] > 1 else ""
                step = self._face.step
                made.append(
                    View(
                        Rect(x + left, y + row * step, right - left, step),
                        link_class,
                        key=span.key + further,
                        text=self._text[span.start : span.end],
                        tap=span.act,
                        ripple=4,
                        ripple_on=self._face.link_ink,
                    )
                )
        return made

    def _linked(self, start: int, end: int) -> list[tuple[int, int, LinkSpan]]:
        """The linked parts of a line."""
        parts = [(max(start, one.start), min(end, one.end), one) for one in self._spans]
        return [part for part in parts if part[0] < part[1]]

    def _piece(
        self, c: Canvas, x: float, top: float, start: int, low: int, high: int, ink: str
    ) -> None:
        if low < high:
            left = self._advance(start, low)
            room = self._advance(low, high) + 8
            box = Rect(x + left, top, room, self._face.step)
            c.text(box, self._text[low:high], self._face.size, ink, self._face.weight)

    def _advance(self, start: int, end: int) -> float:
        return self._s.text_width(self._text[start:end], self._face.size, self._face.weight)
