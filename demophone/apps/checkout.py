"""The till of the Fernway app: where to, how, and the order."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from demophone.apps.app import Activity
from demophone.apps.greenhouse import DELIVERIES, Greenhouse, price
from demophone.views.bars import back_button
from demophone.views.canvas import Canvas
from demophone.views.fields import Field
from demophone.views.geometry import Rect
from demophone.views.inputs import outlined_field
from demophone.views.overlays import OverlayChoice, dialog
from demophone.views.parts import (
    Space,
    button,
    icon,
    label,
    line,
    paragraph,
    root,
    scroll_list,
)
from demophone.views.view import View

if TYPE_CHECKING:
    from demophone.apps.shop import Shop

FOOT = 76.0


class Checkout(Activity):
    """Address, delivery, sum; Place order asks once more."""

    name: ClassVar[str] = ".CheckoutActivity"
    path: ClassVar[str] = "shop/checkout"

    def __init__(self, app: Shop, greenhouse: Greenhouse, address: str) -> None:
        super().__init__(app)
        self._shop = app
        self._greenhouse = greenhouse
        self._delivery = next(iter(DELIVERIES))
        self._scroll = self.host.scroller()
        self._name = Field("recipient_name", kind="name", action="next", on_change=self._typed)
        self._street = Field("address_line", action="done", on_change=self._typed)
        self._name.following = self._street
        name, _, street = address.partition("\n")
        self._name.put(name)
        self._street.put(street)

    def build(self, s: Space) -> View:
        """The form above the button."""
        p = s.palette
        keyboard = s.height - s.bottom > 60
        foot = s.bottom - (0 if keyboard else FOOT)
        area = Rect(0, s.top + 57, s.width, foot - s.top - 57)
        room = min(s.width - 40, 560.0)
        x = (s.width - room) / 2
        y = area.y - self._scroll.offset
        fields = ((self._name, "Name"), (self._street, "Street and town"))
        views: list[View] = []
        for i, (field, hint) in enumerate(fields):
            box = Rect(x, y + 14 + 70 * i, room, 56)
            views.append(outlined_field(s, box, hint, field, self.has_focus(field)))
        y += 160
        views.append(label(Rect(x, y, room, 28), "Delivery", 15, p.primary, 500))
        y += 30
        for name, cents in DELIVERIES.items():
            views.append(self._way(s, Rect(x - 8, y, room + 16, 48), name, cents))
            y += 48
        lines = "\n".join(f"{count} × {one.name}" for one, count in self._greenhouse.basket())
        items = paragraph(s, x, y + 16, room, lines, 14, p.quiet, key="items", res="items")
        y = items.box.bottom + 12
        total = price(self._greenhouse.total() + DELIVERIES[self._delivery])
        views += [
            line(s, x, items.box.y - 8, room),
            items,
            label(Rect(x, y, 100, 36), "To pay", 16, p.text, key="total-label", res="total_label"),
            label(Rect(x + room - 140, y, 140, 36), total, 20, p.text, 600, "right", key="total",
                  res="total"),
        ]  # fmt: skip
        self._scroll.measure(y + 48 + self._scroll.offset - area.y, area.h)
        ready = bool(self._name.text.strip() and self._street.text.strip() and lines)
        bar = [
            back_button(s, 28, s.top + 28, self.host.finish),
            label(Rect(58, s.top + 4, s.width - 80, 48), "Check out", 20, p.text, key="title",
                  res="title"),
        ]  # fmt: skip
        if not keyboard:
            place = button(s, Rect(20, foot + 16, s.width - 40, 44), "Place order", self._ask,
                           "place-order", enabled=ready, radius=22)  # fmt: skip
            bar.append(place)
        return root(s, scroll_list(area, self._scroll, "form", *views, res="form"), *bar)

    def _way(self, s: Space, box: Rect, name: str, cents: int) -> View:
        p = s.palette
        on = name == self._delivery

        def paint(c: Canvas, v: View) -> None:
            symbol = "radiobox-marked" if on else "radiobox-blank"
            c.icon(v.box.x + 22, v.box.cy, symbol, 22, p.primary if on else p.quiet)
            c.text(Rect(v.box.x + 46, v.box.y, v.box.w - 120, v.box.h), name, 16, p.text)
            cost = price(cents) if cents else "Free"
            c.text(v.box.inset(8, 0), cost, 15, p.quiet, 400, "right")

        def choose() -> None:
            self._delivery = name

        key = name.lower().replace(",", "").replace(" ", "-")
        return View(
            box,
            "android.widget.RadioButton",
            key=f"delivery-{key}",
            res="delivery",
            text=name,
            paint=paint,
            tap=None if on else choose,
            checkable=True,
            checked=on,
            ripple=10,
            ripple_on=p.text,
        )

    def _ask(self) -> None:
        total = price(self._greenhouse.total() + DELIVERIES[self._delivery])
        to = "Pick it up in the shop" if self._delivery == "Pick up" else self._street.text.strip()
        self.host.show(
            dialog(
                "Place this order?",
                f"{self._greenhouse.pieces()} things for {total}. {to}.",
                [OverlayChoice("Cancel", lambda: None), OverlayChoice("Order", self._order)],
            )
        )

    def _order(self) -> None:
        name, street = self._name.text.strip(), self._street.text.strip()
        self._shop.address = f"{name}\n{street}"
        address = f"{name}, {street}"
        number = self._greenhouse.order(self._delivery, address, self.host.wall())
        self.host.replace(Ordered(self._shop, number))

    def _typed(self) -> None:
        self.host.changed("text")


class Ordered(Activity):
    """Says that the order was placed."""

    name: ClassVar[str] = ".OrderedActivity"
    path: ClassVar[str] = "shop/ordered"

    def __init__(self, app: Shop, number: int) -> None:
        super().__init__(app)
        self._number = number

    def build(self, s: Space) -> View:
        """Thanks, the number, and the way back."""
        p = s.palette
        middle = s.height * 0.4
        words = f"Order {self._number:04d} is on its way"
        return root(
            s,
            icon(s.width / 2, middle - 70, "check-circle", p.primary, 72),
            label(Rect(24, middle - 8, s.width - 48, 36), "Thank you", 24, p.text, 500, "centre",
                  key="title", res="title"),
            label(Rect(24, middle + 30, s.width - 48, 28), words,
                  16, p.quiet, 400, "centre", key="order-number", res="order_number"),
            button(s, Rect(s.width / 2 - 84, middle + 84, 168, 44), "Back to the shop",
                   self.host.finish, "done", "tonal", radius=22),
        )  # fmt: skip
