"""The Fernway app: a shop for plants, with its four places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from demophone.apps.app import Activity, App, Host
from demophone.apps.greenhouse import KINDS, PRODUCTS, Greenhouse, Product, product
from demophone.apps.product_page import ProductPage
from demophone.apps.shop_cards import badge, basket_view, card, loading_card, product_row, you_view
from demophone.apps.system import Notice
from demophone.views.bars import Tabs, clear_button, search_bar
from demophone.views.fields import Field
from demophone.views.geometry import Rect
from demophone.views.parts import (
    Space,
    Tap,
    chip,
    empty,
    icon_button,
    label,
    list_of,
    root,
    scroll_list,
)
from demophone.views.theme import LEAF, Palette
from demophone.views.view import View

PLACES = (
    ("shop", "Shop", "store-outline"),
    ("find", "Find", "magnify"),
    ("basket", "Basket", "basket-outline"),
    ("you", "You", "account-outline"),
)
TABS = Tabs(PLACES, widest=160.0, icon_left=34)
LOADING_MS = 1100


class Shop(App):
    """Plants, pots and tools."""

    package: ClassVar[str] = "com.taptrail.demo.shop"
    label: ClassVar[str] = "Fernway"
    symbol: ClassVar[str] = "basket"
    tone: ClassVar[str] = "#d2683a"
    palettes: ClassVar[tuple[Palette, Palette]] = LEAF
    version: ClassVar[str] = "5.1.2"

    def __init__(self, host: Host, greenhouse: Greenhouse) -> None:
        super().__init__(host)
        self.greenhouse = greenhouse
        self.address = ""
        self._told = True

    def home(self) -> Activity:
        """The shop."""
        return Storefront(self)

    def opening(self, uri: str) -> Activity | None:
        """`plant:` leads to a product's page."""
        found = product(uri.removeprefix("plant:")) if uri.startswith("plant:") else None
        return self.page(found) if found is not None else None

    def page(self, found: Product) -> Activity:
        """The page of a product."""
        return ProductPage(self, self.greenhouse, found, lambda: Storefront(self, "basket"))

    def notices(self) -> Sequence[Notice]:
        """Messages of the shop."""
        if not self._told:
            return []

        def act() -> None:
            self.host.start_app(self.package)

        text = "Ferns and hostas, from 6.40"
        return [Notice("Good in shade", text, self.label, "08:30", self.tone, act)]

    def clear_notices(self) -> None:
        """Says no more."""
        self._told = False

    def reset(self) -> None:
        """Empties basket, orders and favourites."""
        self._told = True
        self.address = ""
        self.greenhouse.reset()


class Storefront(Activity):
    """Shop, Find, Basket and You, with a bar to change between them."""

    name: ClassVar[str] = ".StorefrontActivity"
    path: ClassVar[str] = "shop/store"

    def __init__(self, app: Shop, place: str = "shop") -> None:
        super().__init__(app)
        self._shop = app
        self._first = self._place = place
        self._kind = "All"
        self._favourites = False
        self._loaded = 0.0
        self._begun = False
        self._scrolls = {name: self.host.scroller() for name, _, _ in PLACES}
        self._chips = self.host.scroller(horizontal=True)
        self._query = Field("search_field", kind="search", action="search", on_change=self._found)

    def shown(self) -> None:
        """The first time the shelves load for a moment."""
        if not self._begun:
            self._begun = True
            self.host.animate("loading", LOADING_MS, self._load)

    def build(self, s: Space) -> View:
        """The chosen place above the bar."""
        bar = self._bar(s)
        area = Rect(0, s.top, s.width, bar.box.y - s.top)
        views = {
            "shop": self._shelves,
            "find": self._find,
            "basket": self._basket,
            "you": self._you,
        }[self._place](s, area)
        return root(s, *views, bar)

    def back(self) -> bool:
        """Returns to the first page from the other pages."""
        if self._place == self._first and not self._favourites:
            return False
        self._favourites = False
        self._go(self._first)
        return True

    # --- the places --------------------------------------------------------------------------
    def _shelves(self, s: Space, area: Rect) -> list[View]:
        p = s.palette
        y = area.y + 4
        liked = self._shop.greenhouse.liked()
        pieces = self._shop.greenhouse.pieces()
        basket = icon_button(
            s.width - 34, y + 26, "basket-outline", f"Basket, {pieces}",
            lambda: self._go("basket"), "open-basket", p.text,
        )  # fmt: skip
        heart = "heart" if self._favourites else "heart-outline"
        bar: list[View] = [
            label(Rect(20, y, s.width - 130, 52), "Fernway", 24, p.text, 600, key="title",
                  res="title"),
            icon_button(s.width - 82, y + 26, heart, "Favourites", self._turn, "favourites",
                        p.primary if self._favourites else p.text),
            basket,
        ]  # fmt: skip
        if pieces:
            bar.append(badge(s.width - 24, y + 15, pieces))
        y += 54
        chips = Rect(0, y, s.width, 40)
        x = 16 - self._chips.offset
        made = []
        for kind in KINDS:
            on = kind == self._kind
            view = chip(s, x, y + 4, kind, on, self._choosing(kind), f"kind-{kind.lower()}")
            if on:
                view.tap = None
            made.append(view)
            x = view.box.right + 8
        self._chips.measure(x + self._chips.offset + 8, s.width)
        bar.append(scroll_list(chips, self._chips, "kinds", *made, res="chips"))
        y += 46
        shelf = Rect(0, y, s.width, area.bottom - y)
        wanted = [
            one
            for one in PRODUCTS
            if (self._kind == "All" or self._kind in one.kinds)
            and (not self._favourites or one.slug in liked)
        ]
        return [self._grid(s, shelf, wanted, liked), *bar]

    def _grid(self, s: Space, area: Rect, wanted: list[Product], liked: set[str]) -> View:
        p = s.palette
        columns = 4 if s.wide else 2
        width = (s.width - 32 - 8 * (columns - 1)) / columns
        height = 220.0
        rows = (len(wanted) + columns - 1) // columns
        scroll = self._scrolls["shop"]
        top = area.y - scroll.measure(44 + rows * (height + 12) + 12, area.h)
        head = "Favourites" if self._favourites else _HEADS[self._kind]
        views: list[View] = [
            label(Rect(16, top + 4, s.width - 32, 36), head, 16, p.text, 600, key="head",
                  res="section_title")
        ]  # fmt: skip
        if self._loaded < 1:
            for i in range(6 if s.wide else 4):
                box = _placed(i, columns, top, width, height)
                views.append(loading_card(s, box, self._loaded))
            return scroll_list(area, scroll, "products", *views)
        for i, one in enumerate(wanted):
            box = _placed(i, columns, top, width, height)
            if box.bottom > area.y and box.y < area.bottom:
                count = self._shop.greenhouse.count(one.slug)
                views.append(
                    card(
                        s, box, one, count, one.slug in liked, self._opening(one), self._adding(one)
                    )
                )
        if not wanted:
            views.append(empty(s, area, "heart-outline", "No favourites here yet"))
        return scroll_list(area, scroll, "products", *views)

    def _find(self, s: Space, area: Rect) -> list[View]:
        bar = Rect(16, area.y + 8, s.width - 32, 52)
        cross = []
        if self._query.text:
            cross.append(clear_button(s, bar.right - 26, bar.cy, self._clear))
        hint = "Search plants and pots"
        focused = self.has_focus(self._query)
        plate = search_bar(s, bar, hint, self._query, focused, (50, 52), after=cross, glass=22)
        words = self._query.text.lower().split()
        found = [
            one
            for one in PRODUCTS
            if all(w in f"{one.name} {' '.join(one.kinds)} {one.about}".lower() for w in words)
        ]
        inner = Rect(0, bar.bottom + 8, s.width, area.bottom - bar.bottom - 8)
        results = list_of(
            s,
            inner,
            self._scrolls["find"],
            "results",
            found,
            s.grown(68),
            lambda box, one: product_row(s, box, one, self._opening(one)),
            16,
            ("sprout-outline", "Nothing of that name"),
        )
        return [results, plate]

    def _basket(self, s: Space, area: Rect) -> list[View]:
        return basket_view(s, area, self._shop, self._scrolls["basket"], lambda: self._go("shop"))

    def _you(self, s: Space, area: Rect) -> list[View]:
        return you_view(s, area, self._shop, self._scrolls["you"], self._show_favourites)

    # --- the bar -----------------------------------------------------------------------------
    def _bar(self, s: Space) -> View:
        if s.height - s.bottom > 60:
            return View(Rect(0, s.bottom, s.width, 0))
        height = 44.0 if s.wide else 64.0
        bar = TABS.bar(s, s.bottom - height, height, self._place, self._go, "bottom_navigation")
        pieces = self._shop.greenhouse.pieces()
        if pieces:
            at = [name for name, _, _ in PLACES].index("basket")
            tab = bar.children[at].box
            bar.children.insert(at + 1, badge(tab.cx + (-20 if s.wide else 14), tab.y + 14, pieces))
        return bar

    # --- acts --------------------------------------------------------------------------------
    def _go(self, place: str) -> None:
        self._place = place
        self.host.focus(None)

    def _show_favourites(self) -> None:
        self._favourites, self._kind = True, "All"
        self._go("shop")

    def _turn(self) -> None:
        self._favourites = not self._favourites
        self._scrolls["shop"].offset = 0.0

    def _choosing(self, kind: str) -> Tap:
        def choose() -> None:
            self._kind = kind
            self._scrolls["shop"].offset = 0.0

        return choose

    def _opening(self, one: Product) -> Tap:
        return lambda: self.host.push(self._shop.page(one))

    def _adding(self, one: Product) -> Tap:
        def add() -> None:
            count = self._shop.greenhouse.count(one.slug) + 1
            self._shop.greenhouse.put(one.slug, count)
            self.host.toast(f"{one.name} is in the basket")

        return add

    def _clear(self) -> None:
        self._query.put("")
        self._found()

    def _found(self) -> None:
        self._scrolls["find"].offset = 0.0
        self.host.changed("search")

    def _load(self, share: float) -> None:
        self._loaded = share


_HEADS = {
    "All": "New this week",
    "Indoor": "For the window",
    "Shade": "Good in shade",
    "Herbs": "For the kitchen",
    "Pots": "Pots and baskets",
    "Tools": "Tools",
}


def _placed(i: int, columns: int, top: float, width: float, height: float) -> Rect:
    """Position of a card in the grid."""
    x = 16 + (width + 8) * (i % columns)
    return Rect(x, top + 44 + (height + 12) * (i // columns), width, height)
