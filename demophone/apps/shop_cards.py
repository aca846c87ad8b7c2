"""The parts of Fernway's places: cards and rows of products, basket, orders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demophone.apps import plants
from demophone.apps.checkout import Checkout
from demophone.apps.greenhouse import MOST, Product, price
from demophone.apps.stepper import HEIGHT, WIDTH, stepper
from demophone.views.canvas import Canvas
from demophone.views.geometry import Rect, centred
from demophone.views.motion import ScrollPosition
from demophone.views.parts import (
    GROUP,
    IMAGE,
    LINEAR,
    Space,
    Tap,
    button,
    empty,
    icon,
    label,
    line,
    list_of,
    paragraph,
    row,
    scroll_list,
)
from demophone.views.theme import blend
from demophone.views.view import View

if TYPE_CHECKING:
    from demophone.apps.shop import Shop

PICTURE = 120.0


def badge(cx: float, cy: float, count: int) -> View:
    """A small count over an icon."""
    box = centred(cx, cy, 18)

    def paint(c: Canvas, v: View) -> None:
        c.circle(v.box.cx, v.box.cy, 9, "#b4532a")
        c.text(v.box, str(count), 11 / c.font_scale, "#ffffff", 600, "centre")

    return View(box, "android.widget.TextView", res="badge", text=str(count), paint=paint)


def card(
    s: Space, box: Rect, product: Product, count: int, liked: bool, tap: Tap, add: Tap
) -> View:
    """A product of the grid. Its price and "Add" are drawn by hand: a dump has no node for them."""
    p = s.palette
    fill = p.surface if p.dark else "#ffffff"
    picture = Rect(box.x, box.y, box.w, PICTURE)
    tone = plants.plate_tone(s.palette, product.plate)
    key = f"product-{product.slug}"

    def frame(c: Canvas, v: View) -> None:
        c.fill(v.box, fill, 14)
        c.corners(picture, tone, (14, 14, 0, 0))
        c.outline(v.box, p.line, 1, 14)
        if liked:
            c.icon(v.box.right - 18, v.box.y + 18, "heart", 17, "#b4532a")

    def photo(c: Canvas, v: View) -> None:
        plants.draw(c, product.look, v.box.cx, v.box.y + 86, 1.05)

    drawn = Rect(box.x + 4, box.y + 156, box.w - 8, 56)
    return View(
        box,
        GROUP,
        key=key,
        res="product_card",
        desc=product.name,
        paint=frame,
        tap=tap,
        ripple=14,
        ripple_on=p.text,
        children=[
            View(picture, IMAGE, key=f"{key}/photo", res="photo", paint=photo),
            label(Rect(box.x + 12, box.y + 126, box.w - 24, 26), product.name, 15, p.text, 500,
                  key=f"{key}/name", res="name"),
            _drawn(s, drawn, product, count, key, add),
        ],
    )  # fmt: skip


def _drawn(s: Space, box: Rect, product: Product, count: int, key: str, add: Tap) -> View:
    """The part of a card that is painted as one picture, with the button in it."""
    p = s.palette
    words = f"Add · {count}" if count else "Add"
    place = Rect(box.right - 80, box.y + 8, 72, 40)

    def paint(c: Canvas, v: View) -> None:
        c.text(Rect(v.box.x + 8, v.box.y, 70, v.box.h), product.price, 15, p.text, 600)

    def button_paint(c: Canvas, v: View) -> None:
        c.fill(Rect(v.box.x, v.box.y + 2, v.box.w, 36), p.primary, 18)
        c.text(v.box, words, 14 / c.font_scale, p.on_primary, 500, "centre")

    full = count >= MOST
    inner = View(
        place,
        "android.view.View",
        key=f"{key}/add",
        text=words,
        paint=button_paint,
        tap=None if full else add,
        ripple=18,
        ripple_on=p.on_primary,
    )
    return View(box, "android.view.View", res="canvas", paint=paint, opaque=True, children=[inner])


def loading_card(s: Space, box: Rect, share: float) -> View:
    """A card whose product is not there yet: grey, with a light that runs over it."""
    p = s.palette
    shine = blend(p.line, p.background, 0.5)

    def paint(c: Canvas, v: View) -> None:
        c.outline(v.box, p.line, 1, 14)
        for area in (
            Rect(v.box.x, v.box.y, v.box.w, PICTURE),
            Rect(v.box.x + 12, v.box.y + 134, v.box.w * 0.6, 14),
            Rect(v.box.x + 12, v.box.y + 178, v.box.w * 0.3, 14),
        ):
            c.fill(area, p.line, 7)
            at = ((share * 2.6) % 1.0) * (area.w + 60) - 60
            light = Rect(area.x + at, area.y, 60, area.h).intersection(area)
            if light.w > 1:
                c.fill(light, shine, 7)

    return View(box, GROUP, res="placeholder", paint=paint)


def product_row(s: Space, box: Rect, product: Product, tap: Tap) -> View:
    """A product as a line of a list."""
    p = s.palette
    key = f"result-{product.slug}"
    return row(
        box,
        key,
        tap,
        s,
        thumbnail(s, Rect(16, box.cy - 26, 52, 52), product),
        label(Rect(84, box.cy - 24, s.width - 170, 24), product.name, 16, p.text,
              key=f"{key}/name", res="name"),
        label(Rect(84, box.cy + 1, s.width - 170, 20), ", ".join(product.kinds), 13, p.quiet,
              key=f"{key}/kinds", res="kinds"),
        label(Rect(s.width - 90, box.y, 74, box.h), product.price, 15, p.text, 600, "right",
              key=f"{key}/price", res="price"),
    )  # fmt: skip


def thumbnail(s: Space, box: Rect, product: Product) -> View:
    """A small picture of a product."""
    tone = plants.plate_tone(s.palette, product.plate)

    def paint(c: Canvas, v: View) -> None:
        c.fill(v.box, tone, 10)
        plants.draw(c, product.look, v.box.cx, v.box.y + v.box.h * 0.68, v.box.w / 104)

    return View(box, IMAGE, res="photo", paint=paint)


def basket_view(
    s: Space, area: Rect, shop: Shop, scroll: ScrollPosition, to_shop: Tap
) -> list[View]:
    """What is in the basket, with steppers; the sum, and the way to the till."""
    p = s.palette
    lines = shop.greenhouse.basket()
    head = label(Rect(20, area.y + 4, s.width - 40, 52), "Basket", 24, p.text, 600, key="title",
                 res="title")  # fmt: skip
    if not lines:
        place = Rect(0, area.y + 56, s.width, area.h - 116)
        go = button(
            s, centred(s.width / 2, area.bottom - 44, 168, 40), "Look for plants", to_shop,
            "to-shop", "tonal",
        )  # fmt: skip
        return [head, empty(s, place, "basket-outline", "The basket is empty"), go]
    foot = 112.0
    inner = Rect(0, area.y + 58, s.width, area.h - 58 - foot)
    total = price(shop.greenhouse.total())
    y = area.bottom - foot

    def check_out() -> None:
        shop.host.push(Checkout(shop, shop.greenhouse, shop.address))

    return [
        list_of(s, inner, scroll, "lines", lines, 92.0,
                lambda box, held: _line(s, box, shop, *held), 8),
        head,
        line(s, 0, y, s.width),
        label(Rect(20, y + 8, 120, 40), "Total", 16, p.text, key="total-label", res="total_label"),
        label(Rect(s.width - 140, y + 8, 120, 40), total, 20, p.text, 600, "right", key="total",
              res="total"),
        button(s, Rect(20, y + 56, s.width - 40, 44), "Check out", check_out, "check-out",
               radius=22),
    ]  # fmt: skip


def _line(s: Space, box: Rect, shop: Shop, product: Product, count: int) -> View:
    p = s.palette
    key = f"line-{product.slug}"

    def change(to: int) -> None:
        shop.greenhouse.put(product.slug, to)

    return View(
        box,
        LINEAR,
        key=key,
        res="basket_line",
        children=[
            thumbnail(s, Rect(16, box.cy - 32, 64, 64), product),
            label(Rect(92, box.cy - 30, s.width - WIDTH - 120, 24), product.name, 16, p.text,
                  key=f"{key}/name", res="name"),
            label(Rect(92, box.cy - 4, s.width - WIDTH - 120, 22), price(product.cents * count), 15,
                  p.text, 600, key=f"{key}/price", res="price"),
            stepper(s, s.width - WIDTH - 16, box.cy - HEIGHT / 2, key, count, change, 0, MOST),
        ],
    )  # fmt: skip


def you_view(
    s: Space, area: Rect, shop: Shop, scroll: ScrollPosition, favourites: Tap
) -> list[View]:
    """Favourites, and what was ordered."""
    p = s.palette
    orders = shop.greenhouse.orders()
    count = len(shop.greenhouse.liked())
    inner = Rect(0, area.y + 58, s.width, area.h - 58)
    y = inner.y - scroll.offset
    note = f"{count} plant{'s' * (count != 1)}" if count else "None yet"
    views: list[View] = [
        row(
            Rect(0, y, s.width, 64), "your-favourites", favourites, s,
            icon(40, y + 32, "heart-outline", p.primary),
            label(Rect(76, y + 8, s.width - 120, 26), "Favourites", 16, p.text,
                  key="your-favourites/title", res="title"),
            label(Rect(76, y + 32, s.width - 120, 22), note, 14, p.quiet,
                  key="your-favourites/summary", res="summary"),
        ),
        label(Rect(20, y + 72, s.width - 40, 32), "Orders", 15, p.primary, 500, key="orders-title",
              res="section_title"),
    ]  # fmt: skip
    y += 108
    for order in orders:
        day = f"{order.when.day} {order.when:%B}, {order.when:%H:%M}"
        head = label(Rect(20, y + 4, s.width - 120, 24), f"Order {order.number:04d} · {day}", 15,
                     p.text, 500, key=f"order-{order.number}", res="order")  # fmt: skip
        total = label(Rect(s.width - 100, y + 4, 80, 24), price(order.cents), 15, p.text, 600,
                      "right", key=f"order-{order.number}/total", res="order_total")  # fmt: skip
        items = paragraph(s, 20, y + 30, s.width - 40, order.items, 14, p.quiet,
                          key=f"order-{order.number}/items", res="order_items")  # fmt: skip
        views += [head, total, items]
        y = items.box.bottom + 14
    if not orders:
        words = "Nothing ordered yet"
        views.append(label(Rect(20, y, s.width - 40, 30), words, 14, p.quiet, key="no-orders",
                           res="empty"))  # fmt: skip
        y += 40
    scroll.measure(y + scroll.offset - inner.y + 16, inner.h)
    head = label(Rect(20, area.y + 4, s.width - 40, 52), "You", 24, p.text, 600, key="title",
                 res="title")  # fmt: skip
    return [scroll_list(inner, scroll, "you", *views), head]
