"""The Reader app: a list of articles, and an article in a web view."""

from __future__ import annotations

import math
from typing import ClassVar

from demophone.apps import links, pictures
from demophone.apps.app import Activity, App, Host
from demophone.apps.articles import ARTICLES, Article, article
from demophone.apps.bookmarks import SIZES, Bookmarks
from demophone.apps.sharing import share
from demophone.views.bars import back_button
from demophone.views.canvas import Canvas
from demophone.views.geometry import Rect
from demophone.views.motion import ScrollPosition
from demophone.views.overlays import OverlayChoice, dialog
from demophone.views.parts import (
    IMAGE,
    Space,
    Tap,
    chip,
    icon,
    icon_button,
    label,
    list_of,
    paragraph,
    root,
    row,
)
from demophone.views.theme import PAPER, Palette
from demophone.views.view import View
from demophone.views.webpage import PageButton, web_page

ROW = 104.0


class Reader(App):
    """Things to read."""

    package: ClassVar[str] = "com.taptrail.demo.reader"
    label: ClassVar[str] = "Reader"
    symbol: ClassVar[str] = "book-open-variant"
    tone: ClassVar[str] = "#7a57b8"
    palettes: ClassVar[tuple[Palette, Palette]] = PAPER
    version: ClassVar[str] = "1.9.3"

    def __init__(self, host: Host, bookmarks: Bookmarks) -> None:
        super().__init__(host)
        self.bookmarks = bookmarks

    def home(self) -> Activity:
        """The list."""
        return ArticleList(self)

    def opening(self, uri: str) -> Activity | None:
        """`article:` leads to an article."""
        found = article(uri.removeprefix("article:")) if uri.startswith("article:") else None
        return ArticlePage(self, found) if found is not None else None

    def reset(self) -> None:
        """Forgets bookmarks and the size of the type."""
        self.bookmarks.reset()


class ArticleList(Activity):
    """All articles, or those with a bookmark."""

    name: ClassVar[str] = ".ArticleListActivity"
    path: ClassVar[str] = "reader/list"

    def __init__(self, app: Reader) -> None:
        super().__init__(app)
        self._reader = app
        self._marked = False
        self._scroll = self.host.scroller()

    def build(self, s: Space) -> View:
        """Title, filters, articles."""
        p = s.palette
        y = s.top + 4
        title = label(Rect(24, y, s.width - 48, 56), "Reader", 26, p.text, key="title", res="title")
        y += 60
        every = chip(s, 20, y, "All", not self._marked, lambda: self._filter(False), "filter-all")
        marked = chip(s, every.box.right + 8, y, "Bookmarks", self._marked,
                      lambda: self._filter(True), "filter-bookmarks")  # fmt: skip
        (marked if self._marked else every).tap = None
        y += 42
        area = Rect(0, y, s.width, s.floor - y)
        marks = self._reader.bookmarks.all()
        wanted = [one for one in ARTICLES if not self._marked or one.slug in marks]
        articles = list_of(
            s,
            area,
            self._scroll,
            "articles",
            wanted,
            s.grown(ROW),
            lambda box, one: self._row(s, box, one, marks[one.slug][0] if one.slug in marks else 0),
            16,
            ("bookmark-outline", "No bookmarks yet"),
            to_edge=True,
        )
        return root(s, articles, title, every, marked)

    def _row(self, s: Space, box: Rect, one: Article, page: int) -> View:
        p = s.palette
        key = f"article-{one.slug}"
        picture = Rect(20, box.cy - 40, 104, 80)
        left = 138.0
        about = f"{one.author} · {one.minutes} min"
        made = row(
            box, key, lambda: self.host.push(ArticlePage(self._reader, one)), s,
            View(picture, IMAGE, res="picture",
                 paint=lambda c, v: pictures.draw(c, one.look, v.box, 12)),
            paragraph(s, left, box.cy - 36, s.width - left - 20, one.title, 16, p.text, 500,
                      key=f"{key}/title", res="title"),
            label(Rect(left, box.cy + 16, s.width - left - 20, 22), about, 13, p.quiet,
                  key=f"{key}/author", res="author"),
        )  # fmt: skip
        if page:
            made.add(icon(s.width - 32, box.cy + 26, "bookmark", p.primary, 18, f"Page {page}"))
        return made

    def _filter(self, marked: bool) -> None:
        self._marked = marked
        self._scroll.offset = 0.0


class ArticlePage(Activity):
    """An article; the page itself is one node of the tree."""

    name: ClassVar[str] = ".ArticleActivity"
    path: ClassVar[str] = "reader/article"

    def __init__(self, app: Reader, one: Article) -> None:
        super().__init__(app)
        self._reader = app
        self._article = one
        self._scroll = self.host.scroller()
        self._liked = False
        mark = app.bookmarks.all().get(one.slug)
        self._scroll.offset = mark[1] if mark is not None else 0.0
        self._pages = (1, 1)

    def build(self, s: Space) -> View:
        """The bar of the app, the web view, and which page it is."""
        p = s.palette
        one = self._article
        area = Rect(0, s.top + 56, s.width, s.floor - s.top - 56)
        following = article(one.following)
        buttons = [
            PageButton("useful", "Useful ✓" if self._liked else "Was it useful?", self._like)
        ]
        if following is not None:
            uri = f"article:{one.following}"
            buttons.append(PageButton("next", "Read next", lambda: self._follow(uri)))
        size = SIZES[self._reader.bookmarks.size]
        web = web_page(
            s, area, self._scroll, one.title, f"By {one.author} · {one.minutes} min", one.text,
            size, self._picture, self._follow, buttons,
        )  # fmt: skip
        self._pages = _pages(self._scroll, area.h)
        mark = self._reader.bookmarks.all().get(one.slug)
        symbol = "bookmark" if mark is not None else "bookmark-outline"
        y = s.top + 28
        page = f"Page {self._pages[0]} of {self._pages[1]}"
        return root(
            s,
            web,
            back_button(s, 28, y, self.host.finish),
            label(Rect(58, s.top + 6, s.width - 220, 26), "Reader", 18, p.text, 500, key="title",
                  res="title"),
            label(Rect(58, s.top + 31, s.width - 220, 18), page, 12.5, p.quiet, key="page",
                  res="page"),
            icon_button(s.width - 124, y, "format-size", "Type size", self._choose, "type-size",
                        p.quiet),
            icon_button(s.width - 76, y, symbol, "Bookmark", self._mark, "bookmark",
                        p.primary if mark is not None else p.quiet),
            icon_button(s.width - 28, y, "share-variant-outline", "Share", self._share, "share",
                        p.quiet),
        )  # fmt: skip

    def _picture(self, c: Canvas, v: View) -> None:
        pictures.draw(c, self._article.look, v.box)

    def _follow(self, uri: str) -> None:
        links.follow(self, uri)

    def _like(self) -> None:
        self._liked = not self._liked

    def _mark(self) -> None:
        marks = self._reader.bookmarks
        if self._article.slug in marks.all():
            marks.remove(self._article.slug)
            self.host.toast("Bookmark removed")
        else:
            marks.put(self._article.slug, self._pages[0], self._scroll.offset)
            self.host.toast(f"Bookmark on page {self._pages[0]}")

    def _choose(self) -> None:
        now = self._reader.bookmarks.size
        options = [OverlayChoice(name, self._sizing(name), chosen=name == now) for name in SIZES]
        self.host.show(dialog("Type size", "", [OverlayChoice("Cancel", lambda: None)], options))

    def _sizing(self, name: str) -> Tap:
        return lambda: self._reader.bookmarks.set_size(name)

    def _share(self) -> None:
        first = self._article.text.strip().partition("\n")[0]
        share(self, self._article.title, f"{self._article.title}\n{first}")


def _pages(scroll: ScrollPosition, height: float) -> tuple[int, int]:
    """Which page shows, and how many there are; a page is a good half of the viewport."""
    step = height * 0.56
    pages = math.ceil((scroll.extent + height) / step)
    if scroll.extent > 0 and scroll.offset >= scroll.extent - 1:
        return pages, pages
    return min(pages, 1 + int((scroll.offset + step / 2) // step)), pages
