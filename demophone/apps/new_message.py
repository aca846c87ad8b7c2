"""A new conversation of the Messages app: with somebody from the contacts, or with a number."""

from __future__ import annotations

from typing import ClassVar

from demophone.apps.address_book import AddressBook, Contact, digits
from demophone.apps.app import Activity, App
from demophone.apps.mailbox import Mailbox
from demophone.apps.thread import ThreadScreen
from demophone.views.fields import Field
from demophone.views.geometry import Rect
from demophone.views.inputs import plain_field
from demophone.views.parts import (
    FRAME,
    Space,
    avatar,
    empty,
    icon_button,
    label,
    root,
    row,
    scroll_list,
)
from demophone.views.view import View


class NewMessage(Activity):
    """Whom to write to: a name from the contacts, or a number; `draft` is written there then."""

    name: ClassVar[str] = ".NewMessageActivity"
    path: ClassVar[str] = "messages/new"

    def __init__(self, app: App, mailbox: Mailbox, book: AddressBook, draft: str = "") -> None:
        super().__init__(app)
        self._draft = draft
        self._mailbox = mailbox
        self._book = book
        self._scroll = self.host.scroller()
        self._to = Field(
            "recipient", kind="search", action="go", on_change=self._changed, on_action=self._first
        )

    def shown(self) -> None:
        """The field has the cursor at once."""
        self.host.focus(self._to)

    def build(self, s: Space) -> View:
        """The field, and who fits."""
        p = s.palette
        y = s.top + 60
        plate = View(
            Rect(16, y, s.width - 32, 52), FRAME, paint=lambda c, v: c.fill(v.box, p.surface, 26)
        )
        plate.add(
            label(Rect(36, y, 30, 52), "To", 15, p.quiet),
            plain_field(
                s,
                Rect(70, y, s.width - 110, 52),
                "Name or number",
                self._to,
                self.has_focus(self._to),
                16,
            ),
        )
        area = Rect(0, y + 60, s.width, s.floor - y - 60)
        people = self._people()
        number = digits(self._to.text)
        fresh = len(number) >= 3 and not people
        height = s.grown(60)
        count = len(people) + fresh
        top = area.y - self._scroll.measure(count * height + 24, area.h)
        rows: list[View] = []
        if fresh:
            rows.append(self._fresh_row(s, Rect(0, top, s.width, height)))
        for i, contact in enumerate(people):
            box = Rect(0, top + i * height, s.width, height)
            if box.bottom > area.y and box.y < area.bottom:
                rows.append(self._row(s, box, contact))
        if not rows:
            rows.append(empty(s, area, "account-search-outline", "Nobody of that name"))
        return root(
            s,
            scroll_list(area, self._scroll, "people", *rows),
            icon_button(28, s.top + 28, "arrow-left", "Back", self.host.finish, "back", p.quiet),
            label(
                Rect(56, s.top + 8, s.width - 80, 40),
                "New conversation",
                20,
                p.text,
                key="title",
                res="title",
            ),
            plate,
        )

    def _people(self) -> list[Contact]:
        return [c for c in self._book.found(self._to.text) if c.phone]

    def _row(self, s: Space, box: Rect, contact: Contact) -> View:
        key = f"person-{contact.number}"
        return row(
            box,
            key,
            lambda: self._begin(contact.name, contact.phone, contact.tone),
            s,
            avatar(42, box.cy, 20, contact.initial, contact.tone),
            label(
                Rect(78, box.cy - 23, s.width - 98, 24),
                contact.name,
                16,
                s.palette.text,
                key=f"{key}/name",
                res="name",
            ),
            label(
                Rect(78, box.cy + 1, s.width - 98, 20),
                contact.phone,
                13.5,
                s.palette.quiet,
                key=f"{key}/phone",
                res="phone",
            ),
        )

    def _fresh_row(self, s: Space, box: Rect) -> View:
        phone = self._to.text.strip()
        return row(
            box,
            "number",
            lambda: self._begin(phone, phone, ""),
            s,
            avatar(42, box.cy, 20, "", s.palette.outline),
            label(
                Rect(78, box.y, s.width - 98, box.h),
                f"Send to {phone}",
                16,
                s.palette.text,
                key="number/name",
                res="name",
            ),
        )

    def _begin(self, name: str, phone: str, tone: str) -> None:
        number = self._mailbox.begin(name, phone, tone)
        self.host.replace(ThreadScreen(self.app, self._mailbox, number, draft=self._draft))

    def _first(self) -> None:
        people = self._people()
        if people:
            self._begin(people[0].name, people[0].phone, people[0].tone)
        elif len(digits(self._to.text)) >= 3:
            self._begin(self._to.text.strip(), self._to.text.strip(), "")

    def _changed(self) -> None:
        self._scroll.offset = 0.0
        self.host.changed("search")
