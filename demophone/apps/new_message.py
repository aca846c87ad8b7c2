"""A new conversation of the Messages app: with somebody from the contacts, or with a number."""

from __future__ import annotations

from typing import ClassVar

from demophone.apps.address_book import AddressBook, AddressEntry, digits
from demophone.apps.app import Activity, App
from demophone.apps.mailbox import Mailbox
from demophone.apps.thread import ThreadScreen
from demophone.views.bars import page_bar, search_bar
from demophone.views.fields import Field
from demophone.views.geometry import Rect
from demophone.views.parts import (
    Space,
    avatar,
    label,
    list_of,
    root,
    row,
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
        box = Rect(16, y, s.width - 32, 52)
        to = label(Rect(36, y, 30, 52), "To", 15, p.quiet)
        focused = self.has_focus(self._to)
        plate = search_bar(s, box, "Name or number", self._to, focused, (54, 24), [to])
        area = Rect(0, y + 60, s.width, s.floor - y - 60)
        people = self._people()
        number = digits(self._to.text)
        fresh = len(number) >= 3 and not people
        # Nobody stands for the number itself.
        listed: list[AddressEntry | None] = [None] if fresh else [*people]
        return root(
            s,
            list_of(
                s,
                area,
                self._scroll,
                "people",
                listed,
                s.grown(60),
                lambda box, who: self._row(s, box, who) if who else self._fresh_row(s, box),
                24,
                ("account-search-outline", "Nobody of that name"),
            ),
            *page_bar(s, "New conversation", self.host.finish),
            plate,
        )

    def _people(self) -> list[AddressEntry]:
        return [c for c in self._book.found(self._to.text) if c.phone]

    def _row(self, s: Space, box: Rect, contact: AddressEntry) -> View:
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
