"""The form of the Contacts app: a new contact, or one to change."""

from __future__ import annotations

from typing import ClassVar

from demophone.apps.address_book import AddressBook, AddressEntry
from demophone.apps.app import Activity, App
from demophone.views.canvas import Canvas
from demophone.views.fields import Field
from demophone.views.geometry import Rect, centred
from demophone.views.inputs import outlined_field
from demophone.views.overlays import OverlayChoice, dialog
from demophone.views.parts import (
    IMAGE_BUTTON,
    Space,
    button,
    icon,
    icon_button,
    label,
    root,
    scroll_list,
)
from demophone.views.theme import AVATARS
from demophone.views.view import View

FIELD = 56.0
STEP = 70.0


class ContactEditor(Activity):
    """First name, last name, phone and email, with Save."""

    name: ClassVar[str] = ".ContactEditorActivity"
    path: ClassVar[str] = "contacts/editor"

    def __init__(
        self, app: App, book: AddressBook, contact: AddressEntry | None = None, phone: str = ""
    ) -> None:
        super().__init__(app)
        self._book = book
        self._contact = contact
        self._tone = contact.tone if contact is not None else ""
        self._scroll = self.host.scroller()
        self._first = Field("first_name", kind="name", action="next")
        self._last = Field("last_name", kind="name", action="next")
        self._phone = Field("phone", kind="phone", action="next")
        self._email = Field("email", kind="email", action="done")
        self._fields = (self._first, self._last, self._phone, self._email)
        values = (
            (contact.first, contact.last, contact.phone, contact.email)
            if contact is not None
            else ("", "", phone, "")
        )
        for field, value in zip(self._fields, values, strict=True):
            field.put(value)
            field.on_change = lambda: self.host.changed("text")
        for field, following in zip(self._fields, self._fields[1:], strict=False):
            field.following = following
        self._before = self._values()

    def build(self, s: Space) -> View:
        """The form; the field with the cursor stays above the keyboard."""
        p = s.palette
        area = Rect(0, s.top + 60, s.width, s.bottom - s.top - 60)
        room = min(s.width, 560.0)
        left = (s.width - room) / 2
        head = 16.0 if s.wide else 124.0
        content = head + STEP * 4 + 16
        self._scroll.measure(content, area.h)
        if self.focused in self._fields and self.keyboard:
            at = head + STEP * self._fields.index(self.focused)
            low, high = at + FIELD + 12 - area.h, at - 20
            self._scroll.offset = min(max(self._scroll.offset, low), max(high, low))
            self._scroll.measure(content, area.h)
        top = area.y - self._scroll.offset
        views = [] if s.wide else [self._picture(s, s.width / 2, top + 54)]
        names = ("First name", "Last name", "Phone", "Email")
        symbols = ("account-outline", "", "phone-outline", "email-outline")
        for i, (field, hint, symbol) in enumerate(zip(self._fields, names, symbols, strict=True)):
            y = top + head + STEP * i
            if symbol:
                views.append(icon(left + 32, y + FIELD / 2, symbol, p.quiet, 22))
            box = Rect(left + 60, y, room - 80, FIELD)
            views.append(outlined_field(s, box, hint, field, self.has_focus(field)))
        title = "Edit contact" if self._contact is not None else "New contact"
        return root(
            s,
            scroll_list(area, self._scroll, "form", *views, res="form"),
            icon_button(30, s.top + 30, "close", "Cancel", self._cancel, "cancel", p.quiet),
            label(
                Rect(62, s.top + 10, s.width - 170, 40), title, 20, p.text, key="title", res="title"
            ),
            button(
                s,
                Rect(s.width - 92, s.top + 10, 76, 40),
                "Save",
                self._save,
                "save",
                enabled=any(self._values()),
            ),
        )

    def back(self) -> bool:
        """Asks before discarding changes."""
        if self._values() == self._before:
            return False
        self.host.show(
            dialog(
                "Discard changes?",
                "What you wrote will be lost.",
                [
                    OverlayChoice("Keep editing", lambda: None),
                    OverlayChoice("Discard", self.host.finish),
                ],
            )
        )
        return True

    def shown(self) -> None:
        """The first field has the cursor in an empty form."""
        if self._contact is None and not any(self._values()):
            self.host.focus(self._first)

    def _picture(self, s: Space, cx: float, cy: float) -> View:
        p = s.palette
        tone = self._tone
        initial = (self._first.text or self._last.text)[:1].upper()

        def paint(c: Canvas, v: View) -> None:
            c.circle(cx, cy, 44, tone or p.tint)
            if tone and initial.isalpha():
                c.text(v.box, initial, 40, "#ffffff", 500, "centre")
            elif tone:
                c.icon(cx, cy, "account", 52, "#ffffff")
            else:
                c.icon(cx, cy, "camera-plus-outline", 28, p.on_tint)

        return View(
            centred(cx, cy, 88),
            IMAGE_BUTTON,
            key="picture",
            res="picture",
            desc="Change picture",
            paint=paint,
            tap=self._recolour,
            ripple=44,
            ripple_on=p.on_tint,
        )

    def _recolour(self) -> None:
        at = AVATARS.index(self._tone) + 1 if self._tone in AVATARS else 0
        self._tone = AVATARS[at % len(AVATARS)]

    def _values(self) -> tuple[str, ...]:
        return (*(field.text.strip() for field in self._fields), self._tone)

    def _cancel(self) -> None:
        if not self.back():
            self.host.finish()

    def _save(self) -> None:
        first, last, phone, email, tone = self._values()
        if self._contact is None:
            self._book.add(first, last, phone, email, tone)
        else:
            self._book.change(self._contact.number, first, last, phone, email, tone)
        self.host.finish()
        self.host.toast("Contact saved")
