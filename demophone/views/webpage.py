"""A page as a browser draws it: headings, paragraphs with links, lists, quotations, a picture.

For the screen reader's tree it is one node, a web view without children; fingers and the truth
log know what is in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from demophone.views.canvas import Canvas
from demophone.views.geometry import Rect
from demophone.views.linked import LinkedText, LinkSpan, TextStyle
from demophone.views.motion import ScrollPosition
from demophone.views.parts import Space
from demophone.views.view import View

WEB_VIEW = "android.webkit.WebView"
_LINK = re.compile(r"\[([^\]]+)\]\(([^)]+)\)")

Follow = Callable[[str], None]
Paint = Callable[[Canvas, View], None]


@dataclass(frozen=True, slots=True)
class PageButton:
    """A button at the end of a page."""

    key: str
    text: str
    act: Callable[[], None]


def web_page(
    s: Space,
    area: Rect,
    scroll: ScrollPosition,
    title: str,
    lead: str,
    text: str,
    size: float,
    picture: Paint,
    follow: Follow,
    buttons: Sequence[PageButton],
) -> View:
    """The page in a viewport.

    Args:
        area: of the viewport.
        title, lead: heading of the page, and the small line under it.
        text: paragraphs, `## ` headings, `> ` quotations, `- ` lists, `[words](link)`.
        size: of the text, in sp.
        picture: paints the picture above the title.
        follow: called with the address of a tapped link.
        buttons: below the text.
    """
    page = _Page(s, area, scroll, size, follow)
    page.picture(picture)
    page.block("title", title, size * 1.32, weight=600, gap=16)
    page.block("lead", lead, size * 0.8, quiet=True, gap=6)
    counts: dict[str, int] = {}
    for part in text.strip().split("\n\n"):
        for line in part.split("\n") if part.startswith("- ") else [part]:
            page.part(line, counts)
    page.buttons(buttons)
    scroll.measure(page.height + 32 + s.floor - s.bottom, area.h)
    tone = s.palette.background
    return View(
        area,
        WEB_VIEW,
        key="web",
        res="web_view",
        text=title,
        paint=lambda c, v: c.fill(v.box, tone),
        drag=scroll,
        scrollable=scroll.extent > 0,
        clip=True,
        opaque=True,
        children=page.views,
    )


class _Page:
    def __init__(
        self, s: Space, area: Rect, scroll: ScrollPosition, size: float, follow: Follow
    ) -> None:
        self._s = s
        self._area = area
        self._size = size
        self._follow = follow
        self._room = min(area.w - 40, 620.0)
        self._left = area.x + (area.w - self._room) / 2
        self._top = area.y - scroll.offset
        self.height = 10.0
        self.views: list[View] = []

    def picture(self, paint: Paint) -> None:
        tall = min(self._room * 0.46, self._area.h * 0.5)
        box = Rect(self._left, self._top + self.height, self._room, tall)
        self._show(View(box, "img", key="web/picture", desc="Drawing", paint=paint))
        self.height += tall

    def part(self, text: str, counts: dict[str, int]) -> None:
        sign, _, rest = text.partition(" ")
        name = {"##": "heading", ">": "quote", "-": "item"}.get(sign, "paragraph")
        words = rest if name != "paragraph" else text
        counts[name] = counts.get(name, 0) + 1
        key = f"{name}-{counts[name]}"
        if name == "heading":
            self.block(key, words, self._size * 1.14, weight=600, gap=22)
        elif name == "paragraph":
            self.block(key, words, self._size, gap=14)
        else:
            self.block(key, words, self._size, gap=10 if name == "item" else 16, sign=sign)

    def block(
        self,
        key: str,
        marked: str,
        size: float,
        weight: int = 400,
        gap: float = 0,
        quiet: bool = False,
        sign: str = "",
    ) -> None:
        """One piece of text, with its links."""
        p = self._s.palette
        text, spans = self._spans(key, marked)
        inset = 20.0 if sign else 0.0
        ink = p.quiet if quiet or sign == ">" else p.text
        face = TextStyle(size, size * self._s.font_scale * 1.5, ink, p.primary, weight)
        words = LinkedText(self._s, text, self._room - inset, face, spans)
        self.height += gap
        box = Rect(self._left, self._top + self.height, self._room, words.height)

        def paint(c: Canvas, v: View) -> None:
            if sign == ">":
                c.fill(Rect(v.box.x, v.box.y + 2, 3, v.box.h - 4), p.primary, 1.5)
            elif sign:
                c.circle(v.box.x + 7, v.box.y + face.step / 2, 2.5, p.primary)
            words.paint(c, v.box.x + inset, v.box.y)

        children = words.views(box.x + inset, box.y, "a")
        self._show(View(box, "p", key=f"web/{key}", text=text, paint=paint, children=children))
        self.height += words.height

    def buttons(self, buttons: Sequence[PageButton]) -> None:
        p = self._s.palette
        self.height += 24
        x = self._left
        for one in buttons:
            w = self._s.text_width(one.text, 14, 500) + 36
            if x + w > self._left + self._room + 1 and x > self._left:
                x = self._left
                self.height += 52
            box = Rect(x, self._top + self.height, w, 44)

            def paint(c: Canvas, v: View, one: PageButton = one) -> None:
                c.outline(v.box, p.outline, 1, 8)
                c.text(v.box, one.text, 14, p.primary, 500, "centre")

            self._show(
                View(box, "button", key=f"web/{one.key}", text=one.text, paint=paint, tap=one.act,
                     ripple=8, ripple_on=p.primary)
            )  # fmt: skip
            x += w + 8
        self.height += 44

    def _show(self, view: View) -> None:
        if view.box.bottom > self._area.y and view.box.y < self._area.bottom:
            self.views.append(view)

    def _spans(self, key: str, marked: str) -> tuple[str, list[LinkSpan]]:
        """The text without its marks, and its links."""
        text, spans, done = "", [], 0
        for i, match in enumerate(_LINK.finditer(marked), 1):
            text += marked[done : match.start()]
            start = len(text)
            text += match[1]
            act = self._following(match[2])
            spans.append(LinkSpan(start, len(text), act, f"web/{key}/link-{i}"))
            done = match.end()
        return text + marked[done:], spans

    def _following(self, uri: str) -> Callable[[], None]:
        return lambda: self._follow(uri)
