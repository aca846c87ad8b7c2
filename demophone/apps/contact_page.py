"""A person's page in the Contacts app: picture, what can be done, number and address."""

from __future__ import annotations

from typing import ClassVar

from demophone.apps.address_book import AddressBook, AddressEntry
from demophone.apps.app import Activity, App, Host
from demophone.apps.contact_editor import ContactEditor
from demophone.views.bars import back_button, more_button
from demophone.views.canvas import Canvas
from demophone.views.geometry import Rect
from demophone.views.overlays import OverlayChoice, dialog, menu
from demophone.views.parts import (
    BUTTON,
    Space,
    Tap,
    avatar,
    card,
    empty,
    icon,
    icon_button,
    label,
    root,
    row,
    scroll_list,
)
from demophone.views.view import View


class ContactPage(Activity):
    """A person: picture, what can be done, number and address."""

    name: ClassVar[str] = ".ContactDetailActivity"
    path: ClassVar[str] = "contacts/detail"

    def __init__(self, app: App, book: AddressBook, number: int) -> None:
        super().__init__(app)
        self._book = book
        self._number = number
        self._scroll = self.host.scroller()
        self._zoom = 1.0

    def pinch(self, factor: float) -> None:
        """Two fingers make the picture larger or smaller."""
        self._zoom = min(2.4, max(0.7, self._zoom * factor))
        self.host.changed("pinch")

    def build(self, s: Space) -> View:
        """The page."""
        p = s.palette
        contact = self._book.get(self._number)
        back = back_button(s, 28, s.top + 28, self.host.finish)
        area = Rect(0, s.top + 56, s.width, s.floor - s.top - 56)
        if contact is None:
            return root(s, empty(s, area, "account-off-outline", "This contact is gone"), back)
        bar = [
            back,
            icon_button(
                s.width - 124,
                s.top + 28,
                "star" if contact.starred else "star-outline",
                "Favourite",
                self._star,
                "favourite",
                p.primary if contact.starred else p.quiet,
            ),
            icon_button(
                s.width - 76, s.top + 28, "pencil-outline", "Edit", self._edit, "edit", p.quiet
            ),
            more_button(s, s.width - 28, s.top + 28, self.menu),
        ]
        page, height = self._page(s, contact, area)
        self._scroll.measure(height + s.floor - s.bottom, area.h)
        return root(s, scroll_list(area, self._scroll, "page", *page), *bar)

    def menu(self) -> None:
        """The menu of the bar."""
        contact = self._book.get(self._number)
        if contact is None:
            return
        choices = [
            OverlayChoice("Delete", lambda: ask_delete(self, self._book, contact), danger=True)
        ]
        if contact.phone:
            choices.insert(0, OverlayChoice("Copy number", lambda: self._copy(contact.phone)))
        self.host.show(menu(choices, 1e4, 40))

    def _page(self, s: Space, contact: AddressEntry, area: Rect) -> tuple[list[View], float]:
        p = s.palette
        top = area.y - self._scroll.offset
        r = (36.0 if s.wide else 60.0) * self._zoom
        middle = s.width / 2
        picture = avatar(middle, top + 8 + r, r, contact.initial, contact.tone, "Picture")
        picture.key, picture.res, picture.pinch = "picture", "picture", self
        y = top + 16 + 2 * r
        views: list[View] = [
            picture,
            label(
                Rect(24, y + 4, s.width - 48, 40),
                contact.name,
                28,
                p.text,
                400,
                "centre",
                key="name",
                res="name",
            ),
        ]
        y += 60
        acts = [
            ("phone-outline", "Call", lambda: call(self.host, contact)),
            ("message-text-outline", "Message", lambda: write(self.host, contact)),
        ]
        width = min(132.0, (s.width - 48) / len(acts) - 12)
        left = middle - (width * len(acts) + 12 * (len(acts) - 1)) / 2
        for i, (symbol, text, act) in enumerate(acts):
            box = Rect(left + i * (width + 12), y, width, 64)
            views.append(_act(s, box, symbol, text, act, bool(contact.phone)))
        y += 84
        facts = [
            f
            for f in (
                ("phone-outline", contact.phone, "Mobile", "phone"),
                ("email-outline", contact.email, "Home", "email"),
            )
            if f[1]
        ]
        room = min(s.width - 32, 520.0)
        plate = card(s, Rect(middle - room / 2, y, room, 44 + 68 * max(1, len(facts))))
        plate.add(
            label(
                Rect(plate.box.x + 16, y + 8, room - 32, 30),
                "Contact info",
                14,
                p.text,
                500,
                key="info",
                res="info_title",
            )
        )
        for i, (symbol, value, kind, key) in enumerate(facts):
            plate.add(
                self._fact(
                    s,
                    Rect(plate.box.x, y + 40 + 68 * i, room, 68),
                    symbol,
                    value,
                    kind,
                    key,
                    contact,
                )
            )
        if not facts:
            plate.add(
                label(
                    Rect(plate.box.x + 16, y + 44, room - 32, 52),
                    "No number, no address",
                    15,
                    p.quiet,
                    key="nothing",
                    res="nothing",
                )
            )
        views.append(plate)
        return views, plate.box.bottom + 24 - top

    def _fact(
        self,
        s: Space,
        box: Rect,
        symbol: str,
        value: str,
        kind: str,
        key: str,
        contact: AddressEntry,
    ) -> View:
        p = s.palette
        tap = (lambda: call(self.host, contact)) if key == "phone" else (lambda: self._copy(value))
        return row(
            box,
            key,
            tap,
            s,
            icon(box.x + 32, box.cy, symbol, p.quiet),
            label(
                Rect(box.x + 64, box.y + 10, box.w - 80, 26),
                value,
                16,
                p.text,
                key=f"{key}/value",
                res="value",
            ),
            label(
                Rect(box.x + 64, box.y + 36, box.w - 80, 20),
                kind,
                13,
                p.quiet,
                key=f"{key}/kind",
                res="kind",
            ),
            long_press=lambda: self._copy(value),
            res=f"row_{key}",
            radius=16,
        )

    def _star(self) -> None:
        contact = self._book.get(self._number)
        if contact is not None:
            self._book.star(self._number, not contact.starred)

    def _edit(self) -> None:
        contact = self._book.get(self._number)
        self.host.push(ContactEditor(self.app, self._book, contact))

    def _copy(self, text: str) -> None:
        self.host.copy(text)
        self.host.toast("Copied")


def _act(s: Space, box: Rect, symbol: str, text: str, tap: Tap, enabled: bool) -> View:
    p = s.palette
    ink = p.on_tint if enabled else p.outline

    def paint(c: Canvas, v: View) -> None:
        c.fill(v.box, p.tint if enabled else p.line, 20)
        c.icon(v.box.cx, v.box.y + 22, symbol, 23, ink)
        c.text(Rect(v.box.x, v.box.y + 36, v.box.w, 22), text, 13, ink, 500, "centre")

    return View(
        box,
        BUTTON,
        key=text.lower(),
        res=text.lower(),
        text=text,
        paint=paint,
        tap=tap,
        enabled=enabled,
        ripple=20,
        ripple_on=ink,
    )


def call(host: Host, contact: AddressEntry) -> None:
    """Calls somebody with the Phone app."""
    for app in host.apps:
        target = app.calling(contact.phone)
        if target is not None:
            host.open(target)
            return


def write(host: Host, contact: AddressEntry) -> None:
    """Opens the messages with somebody."""
    for app in host.apps:
        target = app.writing(contact.phone)
        if target is not None:
            host.open(target)
            return


def ask_delete(activity: Activity, book: AddressBook, contact: AddressEntry) -> None:
    """Asks whether a contact is to go, and lets it go."""

    def delete() -> None:
        book.delete(contact.number)
        if isinstance(activity, ContactPage):
            activity.host.finish()
        activity.host.toast(f"{contact.name} deleted")
        activity.host.changed("data")

    activity.host.show(
        dialog(
            "Delete contact?",
            f"{contact.name} will be removed from this phone.",
            [OverlayChoice("Cancel", lambda: None), OverlayChoice("Delete", delete, danger=True)],
        )
    )
