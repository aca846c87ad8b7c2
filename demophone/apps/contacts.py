"""The Contacts app: everybody by letter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from demophone.apps import links
from demophone.apps.address_book import AddressBook, AddressEntry
from demophone.apps.app import Activity, App, Host, Shared
from demophone.apps.contact_editor import ContactEditor
from demophone.apps.contact_page import ContactPage, ask_delete
from demophone.apps.search import SearchableList
from demophone.views.bars import back_button, clear_button, more_button, search_bar
from demophone.views.geometry import Rect
from demophone.views.overlays import OverlayChoice, menu
from demophone.views.parts import (
    GROUP,
    Space,
    avatar,
    empty,
    fab,
    icon,
    label,
    root,
    row,
    scroll_list,
)
from demophone.views.theme import GREEN, Palette
from demophone.views.view import View

ROW = 60.0
HEAD = 32.0


class Contacts(App):
    """People, their numbers and addresses."""

    package: ClassVar[str] = "com.taptrail.demo.contacts"
    label: ClassVar[str] = "Contacts"
    symbol: ClassVar[str] = "account"
    tone: ClassVar[str] = "#2f8f73"
    palettes: ClassVar[tuple[Palette, Palette]] = GREEN
    version: ClassVar[str] = "4.12.0"

    def __init__(self, host: Host, book: AddressBook) -> None:
        super().__init__(host)
        self.book = book
        self.by_last = False

    def home(self) -> Activity:
        """The list."""
        return ContactList(self)

    def activity(self, name: str) -> Activity | None:
        """The list or an empty form."""
        if name == ContactEditor.name:
            return ContactEditor(self, self.book)
        return super().activity(name)

    def adding(self, phone: str) -> Activity | None:
        """A form with the number in it."""
        return ContactEditor(self, self.book, phone=phone)

    def showing(self, phone: str) -> Activity | None:
        """The page of who has the number."""
        contact = self.book.by_phone(phone)
        return ContactPage(self, self.book, contact.number) if contact is not None else None

    def opening(self, uri: str) -> Activity | None:
        """`contact:` leads to who has the number, or to a form with it."""
        if not uri.startswith("contact:"):
            return None
        phone = uri.removeprefix("contact:")
        return self.showing(phone) or self.adding(phone)

    def receiving(self, shared: Shared) -> Activity | None:
        """Opens a form with the first number in a text, if there is one."""
        uris = [link.uri for link in links.found(shared.text, self.host.wall())]
        numbers = [uri.removeprefix("tel:") for uri in uris if uri.startswith("tel:")]
        return self.adding(numbers[0]) if numbers else None

    def words(self) -> Sequence[str]:
        """First and last names."""
        return [name for c in self.book.all() for name in (c.first, c.last) if name]

    def reset(self) -> None:
        """Puts the contacts back to how they were shipped."""
        self.by_last = False
        self.book.reset()


class ContactList(SearchableList):
    """Everybody by letter, with search."""

    name: ClassVar[str] = ".ContactListActivity"
    path: ClassVar[str] = "contacts/list"

    def __init__(self, app: Contacts) -> None:
        super().__init__(app)
        self._contacts = app

    def build(self, s: Space) -> View:
        """Search bar, letters and rows, and the button for a new contact."""
        bar = Rect(16, s.top + 8, s.width - 32, 52)
        area = Rect(0, bar.bottom + 8, s.width, s.floor - bar.bottom - 8)
        return root(s, self._list(s, area), self._bar(s, bar), *self._button(s))

    def menu(self) -> None:
        """The menu of the bar."""
        app = self._contacts
        other = "Sort by first name" if app.by_last else "Sort by last name"
        self.host.show(
            menu(
                [
                    OverlayChoice(other, self._sort),
                    OverlayChoice("Go to the top", self._top),
                ],
                1e4,
                40,
            )
        )

    def _sort(self) -> None:
        self._contacts.by_last = not self._contacts.by_last
        self._top()

    def _top(self) -> None:
        self._scroll.offset = 0.0
        self.host.changed("scroll")

    def _bar(self, s: Space, bar: Rect) -> View:
        searching = bool(self._query.text) or self.focused is not None
        end = bar.right - 26
        if searching:
            before = back_button(s, bar.x + 26, bar.cy, self._leave)
            after = [clear_button(s, end, bar.cy, self._clear)] if self._query.text else []
        else:
            before = icon(bar.x + 26, bar.cy, "magnify", s.palette.quiet)
            after = [more_button(s, end, bar.cy, self.menu)]
        hint = f"Search {len(self._contacts.book.all())} contacts"
        focused = self.has_focus(self._query)
        return search_bar(
            s, bar, hint, self._query, focused, (52, 52), [before], after, res="search_bar"
        )

    def _leave(self) -> None:
        self.back()

    def _button(self, s: Space) -> list[View]:
        if self.keyboard and self.focused is not None:
            return []
        return [
            fab(s, s.width - 20, s.bottom - 20, "plus", "New contact", self._new, "new-contact")
        ]

    def _new(self) -> None:
        self.host.push(ContactEditor(self.app, self._contacts.book))

    def _list(self, s: Space, area: Rect) -> View:
        people = self._contacts.book.found(self._query.text)
        if self._contacts.by_last:
            people = sorted(people, key=lambda c: (c.last.lower(), c.first.lower()))
        if not people:
            return View(
                area,
                GROUP,
                children=[empty(s, area, "account-search-outline", "Nobody of that name")],
            )
        rows: list[View] = []
        y = 0.0
        letter = ""
        height = s.grown(ROW)
        starred = [] if self._query.text else [c for c in people if c.starred]
        placed: list[tuple[float, str, AddressEntry | None]] = []
        if starred:
            placed.append((y, "Favourites", None))
            y += HEAD
            for contact in starred:
                placed.append((y, "", contact))
                y += height
        for contact in people:
            first = (
                (contact.last or contact.name)[:1] if self._contacts.by_last else contact.name[:1]
            )
            if first.upper() != letter:
                letter = first.upper()
                placed.append((y, letter, None))
                y += HEAD
            placed.append((y, "", contact))
            y += height
        top = area.y - self._scroll.measure(y + 88 + s.floor - s.bottom, area.h)
        seen: set[int] = set()
        for at, head, who in placed:
            box = Rect(0, top + at, s.width, height if who else HEAD)
            again = who is not None and who.number in seen
            if who is not None:
                seen.add(who.number)
            if box.bottom > area.y and box.y < area.bottom:
                rows.append(
                    self._head(s, box, head) if who is None else self._row(s, box, who, again)
                )
        return scroll_list(area, self._scroll, "list", *rows)

    def _head(self, s: Space, box: Rect, text: str) -> View:
        inner = Rect(20, box.y + 6, s.width - 40, HEAD - 6)
        return label(
            inner, text, 14, s.palette.primary, 500, key=f"section-{text.lower()}", res="section"
        )

    def _row(self, s: Space, box: Rect, contact: AddressEntry, again: bool) -> View:
        """A person; somebody starred has two rows, of which one has the key of its own."""
        starred = contact.starred and not again and not self._query.text
        key = f"{'star' if starred else 'contact'}-{contact.number}"
        shown = contact.name
        if self._contacts.by_last and contact.first and contact.last:
            shown = f"{contact.last}, {contact.first}"
        return row(
            box,
            key,
            lambda: self._open(contact.number),
            s,
            avatar(64, box.cy, 20, contact.initial, contact.tone),
            label(
                Rect(100, box.y, s.width - 120, box.h),
                shown,
                16,
                s.palette.text,
                key=f"{key}/name",
                res="name",
            ),
            long_press=lambda: self._held(contact, box),
        )

    def _open(self, number: int) -> None:
        self.host.push(ContactPage(self.app, self._contacts.book, number))

    def _held(self, contact: AddressEntry, box: Rect) -> None:
        star = "Remove from favourites" if contact.starred else "Add to favourites"
        self.host.show(
            menu(
                [
                    OverlayChoice(
                        "Edit",
                        lambda: self.host.push(
                            ContactEditor(self.app, self._contacts.book, contact)
                        ),
                        "pencil-outline",
                    ),
                    OverlayChoice(
                        star,
                        lambda: self._contacts.book.star(contact.number, not contact.starred),
                        "star-outline",
                    ),
                    OverlayChoice(
                        "Delete",
                        lambda: ask_delete(self, self._contacts.book, contact),
                        "delete-outline",
                        danger=True,
                    ),
                ],
                100,
                box.bottom - 8,
            )
        )
