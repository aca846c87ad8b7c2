"""A product of the Fernway app."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from demophone.apps import plants
from demophone.apps.app import Activity, App
from demophone.apps.greenhouse import MOST, Greenhouse, Product, price
from demophone.apps.sharing import share
from demophone.apps.stepper import HEIGHT, WIDTH, stepper
from demophone.views.bars import back_button
from demophone.views.canvas import Canvas
from demophone.views.geometry import Rect
from demophone.views.parts import (
    IMAGE,
    Space,
    button,
    icon_button,
    label,
    line,
    paragraph,
    root,
    scroll_list,
)
from demophone.views.view import View

FOOT = 76.0


class ProductPage(Activity):
    """Picture, price, words, how many; and the button that puts them into the basket."""

    name: ClassVar[str] = ".ProductActivity"
    path: ClassVar[str] = "shop/product"

    def __init__(
        self, app: App, greenhouse: Greenhouse, product: Product, basket: Callable[[], Activity]
    ) -> None:
        super().__init__(app)
        self._basket = basket
        self._greenhouse = greenhouse
        self._product = product
        self._count = 1
        self._scroll = self.host.scroller()

    def build(self, s: Space) -> View:
        """The page above the bar with the button."""
        p = s.palette
        product = self._product
        liked = product.slug in self._greenhouse.liked()
        foot = s.bottom - FOOT
        left = s.width * 0.44 if s.wide else 0.0
        area = Rect(left, s.top + 56, s.width - left, foot - s.top - 56)
        tall = area.h if s.wide else min(280.0, s.height * 0.32)
        y = area.y - self._scroll.offset
        views: list[View] = []
        picture = Rect(16, area.y, left - 24, tall) if s.wide else Rect(16, y, s.width - 32, tall)
        shown = self._picture(s, picture)
        if not s.wide:
            views.append(shown)
            y = picture.bottom
        x, room = area.x + 20, area.w - 40
        title = paragraph(s, x, y + 14, room, product.name, 26, p.text, 500, key="name", res="name")
        y = title.box.bottom
        views += [
            title,
            label(Rect(x, y + 2, room, 34), product.price, 22, p.primary, 600, key="price",
                  res="price"),
            label(Rect(x, y + 38, room, 26), " · ".join(product.kinds), 14, p.quiet, key="kinds",
                  res="kinds"),
        ]  # fmt: skip
        words = paragraph(s, x, y + 72, room, product.about, 16, p.text, key="about", res="about")
        inside = self._greenhouse.count(product.slug)
        note = f"{inside} in the basket" if inside else "Not in the basket yet"
        views += [
            words,
            line(s, x, words.box.bottom + 16, room),
            label(Rect(x, words.box.bottom + 24, room, 28), note, 14, p.quiet, key="in-basket",
                  res="in_basket"),
        ]  # fmt: skip
        self._scroll.measure(words.box.bottom + 64 + self._scroll.offset - area.y, area.h)
        page = scroll_list(area, self._scroll, "page", *views, res="page")
        return root(
            s, page, *([shown] if s.wide else []), *self._bar(s, liked), *self._foot(s, foot)
        )

    def _bar(self, s: Space, liked: bool) -> list[View]:
        p = s.palette
        y = s.top + 28
        heart = "heart" if liked else "heart-outline"
        return [
            back_button(s, 28, y, self.host.finish),
            icon_button(s.width - 124, y, "share-variant-outline", "Share", self._share, "share",
                        p.quiet),
            icon_button(s.width - 76, y, heart, "Favourite",
                        lambda: self._greenhouse.like(self._product.slug, not liked), "favourite",
                        "#b4532a" if liked else p.quiet),
            icon_button(s.width - 28, y, "basket-outline", "Basket", self._to_basket, "open-basket",
                        p.quiet),
        ]  # fmt: skip

    def _foot(self, s: Space, y: float) -> list[View]:
        p = s.palette
        words = f"Add to basket · {price(self._product.cents * self._count)}"
        left = 16 + WIDTH + 12
        back = View(
            Rect(0, y, s.width, s.height - y), paint=lambda c, v: c.fill(v.box, p.background)
        )
        return [
            back,
            stepper(s, 16, y + 16, "quantity", self._count, self._count_to, 1, MOST),
            button(s, Rect(left, y + 16, s.width - left - 16, HEIGHT), words, self._add, "add",
                   radius=22, enabled=self._greenhouse.count(self._product.slug) < MOST),
        ]  # fmt: skip

    def _picture(self, s: Space, box: Rect) -> View:
        product = self._product
        tone = plants.plate_tone(s.palette, product.plate)

        def paint(c: Canvas, v: View) -> None:
            c.fill(v.box, tone, 20)
            size = v.box.h / 130
            plants.draw(c, product.look, v.box.cx, v.box.y + v.box.h * 0.7, size)

        return View(box, IMAGE, key="photo", res="photo", desc=product.name, paint=paint)

    def _count_to(self, count: int) -> None:
        self._count = count

    def _add(self) -> None:
        slug = self._product.slug
        self._greenhouse.put(slug, self._greenhouse.count(slug) + self._count)
        self._count = 1
        self.host.toast(f"{self._product.name} is in the basket")

    def _to_basket(self) -> None:
        self.host.push(self._basket())

    def _share(self) -> None:
        share(self, self._product.name, f"{self._product.name} at Fernway, {self._product.price}")
