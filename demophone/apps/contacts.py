"""The Contacts app: its list, and a person's page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from demophone.apps import contact_editor
from demophone.apps.address_book import AddressBook, Contact
from demophone.apps.app import Activity, App, Host
from demophone.views.canvas import Canvas
from demophone.views.fields import Field
from demophone.views.geometry import Rect
from demophone.views.inputs import plain_field
from demophone.views.overlays import Choice, dialog, menu
from demophone.views.parts import (
    FRAME,
    GROUP,
    Space,
    avatar,
    card,
    empty,
    fab,
    icon,
    icon_button,
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
        if name == contact_editor.Editor.name:
            return contact_editor.Editor(self, self.book)
        return super().activity(name)

    def adding(self, phone: str) -> Activity | None:
        """A form with the number in it."""
        return contact_editor.Editor(self, self.book, phone=phone)

    def showing(self, phone: str) -> Activity | None:
        """The page of who has the number."""
        contact = self.book.by_phone(phone)
        return ContactPage(self, contact.number) if contact is not None else None

    def words(self) -> Sequence[str]:
        """First and last names."""
        return [name for c in self.book.all() for name in (c.first, c.last) if name]

    def reset(self) -> None:
        """Puts the contacts back to how they were shipped."""
        self.by_last = False
        self.book.reset()


class ContactList(Activity):
    """Everybody by letter, with search."""

    name: ClassVar[str] = ".ContactListActivity"
    path: ClassVar[str] = "contacts/list"

    def __init__(self, app: Contacts) -> None:
        super().__init__(app)
        self._contacts = app
        self._scroll = self.host.scroller()
        self._query = Field(
            "search_field", kind="search", action="search", on_change=self._searched
        )

    def build(self, s: Space) -> View:
        """Search bar, letters and rows, and the button for a new contact."""
        bar = Rect(16, s.top + 8, s.width - 32, 52)
        area = Rect(0, bar.bottom + 8, s.width, s.floor - bar.bottom - 8)
        return root(s, self._list(s, area), self._bar(s, bar), *self._button(s))

    def back(self) -> bool:
        """Leaves the search."""
        if not self._query.text and not self.focused:
            return False
        self._query.put("")
        self.host.focus(None)
        return True

    def menu(self) -> None:
        """The menu of the bar."""
        app = self._contacts
        other = "Sort by first name" if app.by_last else "Sort by last name"
        self.host.show(
            menu(
                [
                    Choice(other, self._sort),
                    Choice("Go to the top", self._top),
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

    def _searched(self) -> None:
        self._scroll.offset = 0.0
        self.host.changed("search")

    def _bar(self, s: Space, bar: Rect) -> View:
        p = s.palette
        plate = View(bar, FRAME, res="search_bar", paint=lambda c, v: c.fill(v.box, p.surface, 26))
        searching = bool(self._query.text) or self.focused is not None
        hint = f"Search {len(self._contacts.book.all())} contacts"
        field = plain_field(
            s,
            Rect(bar.x + 52, bar.y, bar.w - 104, 52),
            hint,
            self._query,
            self.has_focus(self._query),
            16,
        )
        if searching:
            plate.add(
                icon_button(bar.x + 26, bar.cy, "arrow-left", "Back", self._leave, "back", p.quiet),
                field,
            )
            if self._query.text:
                plate.add(
                    icon_button(
                        bar.right - 26,
                        bar.cy,
                        "close",
                        "Clear text",
                        self._clear,
                        "clear-text",
                        p.quiet,
                    )
                )
        else:
            plate.add(
                icon(bar.x + 26, bar.cy, "magnify", p.quiet),
                field,
                icon_button(
                    bar.right - 26,
                    bar.cy,
                    "dots-vertical",
                    "More options",
                    self.menu,
                    "more",
                    p.quiet,
                ),
            )
        return plate

    def _leave(self) -> None:
        self.back()

    def _clear(self) -> None:
        self._query.put("")
        self._searched()

    def _button(self, s: Space) -> list[View]:
        if self.keyboard and self.focused is not None:
            return []
        return [
            fab(s, s.width - 20, s.bottom - 20, "plus", "New contact", self._new, "new-contact")
        ]

    def _new(self) -> None:
        self.host.push(contact_editor.Editor(self.app, self._contacts.book))

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
        placed: list[tuple[float, str, Contact | None]] = []
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

    def _row(self, s: Space, box: Rect, contact: Contact, again: bool) -> View:
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
        self.host.push(ContactPage(self._contacts, number))

    def _held(self, contact: Contact, box: Rect) -> None:
        star = "Remove from favourites" if contact.starred else "Add to favourites"
        self.host.show(
            menu(
                [
                    Choice(
                        "Edit",
                        lambda: self.host.push(
                            contact_editor.Editor(self.app, self._contacts.book, contact)
                        ),
                        "pencil-outline",
                    ),
                    Choice(
                        star,
                        lambda: self._contacts.book.star(contact.number, not contact.starred),
                        "star-outline",
                    ),
                    Choice(
                        "Delete",
                        lambda: ask_delete(self, self._contacts, contact),
                        "delete-outline",
                        danger=True,
                    ),
                ],
                100,
                box.bottom - 8,
            )
        )


def ask_delete(activity: Activity, app: Contacts, contact: Contact) -> None:
    """Asks whether a contact is to go, and lets it go."""

    def delete() -> None:
        app.book.delete(contact.number)
        if isinstance(activity, ContactPage):
            activity.host.finish()
        activity.host.toast(f"{contact.name} deleted")
        activity.host.changed("data")

    activity.host.show(
        dialog(
            "Delete contact?",
            f"{contact.name} will be removed from this phone.",
            [Choice("Cancel", lambda: None), Choice("Delete", delete, danger=True)],
        )
    )


class ContactPage(Activity):
    """A person: picture, what can be done, number and address."""

    name: ClassVar[str] = ".ContactDetailActivity"
    path: ClassVar[str] = "contacts/detail"

    def __init__(self, app: Contacts, number: int) -> None:
        super().__init__(app)
        self._contacts = app
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
        contact = self._contacts.book.get(self._number)
        back = icon_button(28, s.top + 28, "arrow-left", "Back", self.host.finish, "back", p.quiet)
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
            icon_button(
                s.width - 28,
                s.top + 28,
                "dots-vertical",
                "More options",
                self.menu,
                "more",
                p.quiet,
            ),
        ]
        page, height = self._page(s, contact, area)
        self._scroll.measure(height + s.floor - s.bottom, area.h)
        return root(s, scroll_list(area, self._scroll, "page", *page), *bar)

    def menu(self) -> None:
        """The menu of the bar."""
        contact = self._contacts.book.get(self._number)
        if contact is None:
            return
        choices = [Choice("Delete", lambda: ask_delete(self, self._contacts, contact), danger=True)]
        if contact.phone:
            choices.insert(0, Choice("Copy number", lambda: self._copy(contact.phone)))
        self.host.show(menu(choices, 1e4, 40))

    def _page(self, s: Space, contact: Contact, area: Rect) -> tuple[list[View], float]:
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
        self, s: Space, box: Rect, symbol: str, value: str, kind: str, key: str, contact: Contact
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
        contact = self._contacts.book.get(self._number)
        if contact is not None:
            self._contacts.book.star(self._number, not contact.starred)

    def _edit(self) -> None:
        contact = self._contacts.book.get(self._number)
        self.host.push(contact_editor.Editor(self.app, self._contacts.book, contact))

    def _copy(self, text: str) -> None:
        self.host.copy(text)
        self.host.toast("Copied")


def _act(s: Space, box: Rect, symbol: str, text: str, tap: object, enabled: bool) -> View:
    p = s.palette
    ink = p.on_tint if enabled else p.outline

    def paint(c: Canvas, v: View) -> None:
        c.fill(v.box, p.tint if enabled else p.line, 20)
        c.icon(v.box.cx, v.box.y + 22, symbol, 23, ink)
        c.text(Rect(v.box.x, v.box.y + 36, v.box.w, 22), text, 13, ink, 500, "centre")

    return View(
        box,
        "android.widget.Button",
        key=text.lower(),
        res=text.lower(),
        text=text,
        paint=paint,
        tap=tap if callable(tap) else None,
        enabled=enabled,
        ripple=20,
        ripple_on=ink,
    )


def call(host: Host, contact: Contact) -> None:
    """Calls somebody with the Phone app."""
    for app in host.apps:
        target = app.calling(contact.phone)
        if target is not None:
            host.open(target)
            return


def write(host: Host, contact: Contact) -> None:
    """Opens the messages with somebody."""
    for app in host.apps:
        target = app.writing(contact.phone)
        if target is not None:
            host.open(target)
            return
