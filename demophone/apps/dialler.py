"""The Phone app: a number pad, and calls that are never answered."""

from __future__ import annotations

from typing import ClassVar

from demophone.apps.address_book import AddressBook, digits
from demophone.apps.app import Activity, App, Host
from demophone.views.canvas import Canvas
from demophone.views.geometry import Rect, centred
from demophone.views.parts import (
    BUTTON,
    Space,
    avatar,
    icon_button,
    label,
    root,
    round_button,
)
from demophone.views.theme import GREEN, Palette
from demophone.views.view import View

_KEYS = (
    ("1", ""),
    ("2", "ABC"),
    ("3", "DEF"),
    ("4", "GHI"),
    ("5", "JKL"),
    ("6", "MNO"),
    ("7", "PQRS"),
    ("8", "TUV"),
    ("9", "WXYZ"),
    ("*", ""),
    ("0", "+"),
    ("#", ""),
)
CALL = "#2b8a4b"
HANG_UP = "#c5283d"


class Dialler(App):
    """Calls people."""

    package: ClassVar[str] = "com.taptrail.demo.phone"
    label: ClassVar[str] = "Phone"
    symbol: ClassVar[str] = "phone"
    tone: ClassVar[str] = "#3a9a5a"
    palettes: ClassVar[tuple[Palette, Palette]] = GREEN
    version: ClassVar[str] = "2.8.0"

    def __init__(self, host: Host, book: AddressBook) -> None:
        super().__init__(host)
        self.book = book

    def home(self) -> Activity:
        """The pad."""
        return Pad(self)

    def calling(self, phone: str) -> Activity | None:
        """A call to a number."""
        return PhoneCall(self, phone)

    def opening(self, uri: str) -> Activity | None:
        """`tel:` leads to the pad, with the number on it."""
        return Pad(self, uri.removeprefix("tel:")) if uri.startswith("tel:") else None


class Pad(Activity):
    """Digits, and a number."""

    name: ClassVar[str] = ".DialpadActivity"
    path: ClassVar[str] = "phone/pad"

    def __init__(self, app: Dialler, number: str = "") -> None:
        super().__init__(app)
        self._dialler = app
        self._number = number

    def build(self, s: Space) -> View:
        """The number above the keys."""
        p = s.palette
        wide = s.wide
        left = s.width / 2 if wide else 0.0
        room = s.width - left
        pad_top = s.top + 12 if wide else s.bottom - 4 * 84 - 108
        step = (s.bottom - s.top - 24) / 4 if wide else 84.0
        contact = self._dialler.book.by_phone(self._number)
        cy = s.height * 0.4 if wide else pad_top - 84
        head_room = left or s.width
        views = [
            label(
                Rect(56, cy - 30, head_room - 112, 60),
                self._number,
                36,
                p.text,
                300,
                "centre",
                key="digits",
                res="digits",
            ),
            label(
                Rect(32, cy + 28, head_room - 64, 26),
                contact.name if contact else "",
                15,
                p.quiet,
                400,
                "centre",
                key="who",
                res="contact_name",
            ),
        ]
        if self._number:
            views.append(
                icon_button(
                    head_room - 36,
                    cy,
                    "backspace-outline",
                    "Delete",
                    self._erase,
                    "backspace",
                    p.quiet,
                )
            )
            views[-1].long_press = self._clear
        unit = min(room - 48, 340.0) / 3
        x0 = left + (room - 3 * unit) / 2
        for i, (sign, letters) in enumerate(_KEYS):
            cell = Rect(x0 + unit * (i % 3), pad_top + step * (i // 3), unit, step)
            views.append(self._key(s, cell, sign, letters))
        call_y = s.height * 0.4 + 92 if wide else s.bottom - 60
        views.append(
            round_button(
                (left or s.width) / 2,
                call_y,
                32,
                "phone",
                CALL,
                "#ffffff",
                "Call",
                self._call,
                "call",
                bool(self._number),
            )
        )
        return root(s, *views)

    def _key(self, s: Space, cell: Rect, sign: str, letters: str) -> View:
        p = s.palette
        box = centred(cell.cx, cell.cy, min(cell.w - 10, 96.0), min(cell.h - 10, 72.0))

        def paint(c: Canvas, v: View) -> None:
            c.fill(v.box, p.surface, 36)
            shift = 8 if letters else 0
            c.text(v.box.moved(0, -shift), sign, 27 / c.font_scale, p.text, 400, "centre")
            if letters:
                low = Rect(v.box.x, v.box.cy + 8, v.box.w, 20)
                c.text(low, letters, 11 / c.font_scale, p.quiet, 500, "centre")

        return View(
            box,
            BUTTON,
            key=f"key-{sign}",
            res="dialpad_key",
            text=sign,
            paint=paint,
            tap=lambda: self._dial(sign),
            long_press=(lambda: self._dial("+")) if sign == "0" else None,
            ripple=36,
            ripple_on=p.text,
        )

    def _dial(self, sign: str) -> None:
        self._number = (self._number + sign)[:18]
        plain = digits(self._number)
        if plain == self._number and len(plain) in (4, 7):
            self._number = f"{plain[:3]} {plain[3:]}"

    def _erase(self) -> None:
        self._number = self._number[:-1].rstrip()

    def _clear(self) -> None:
        self._number = ""

    def _call(self) -> None:
        self.host.push(PhoneCall(self._dialler, self._number))


class PhoneCall(Activity):
    """A call that rings until it is ended."""

    name: ClassVar[str] = ".InCallActivity"
    path: ClassVar[str] = "phone/call"

    def __init__(self, app: Dialler, phone: str) -> None:
        super().__init__(app)
        self._dialler = app
        self._phone = phone
        self._on = {"mute": False, "speaker": False}

    def build(self, s: Space) -> View:
        """Who is called, and the button that ends it."""
        p = s.palette
        contact = self._dialler.book.by_phone(self._phone)
        name = contact.name if contact else self._phone
        tone = contact.tone if contact else p.outline
        middle = s.width / 2
        y = s.top + (8 if s.wide else s.height * 0.10)
        r = 30.0 if s.wide else 56.0
        return root(
            s,
            label(
                Rect(24, y, s.width - 48, 26), "Calling…", 15, p.quiet, 400, "centre", key="state",
                res="call_state",
            ),
            avatar(middle, y + 40 + r, r, contact.initial if contact else "", tone),
            label(
                Rect(24, y + 52 + 2 * r, s.width - 48, 40), name, 28, p.text, 400, "centre",
                key="name", res="name",
            ),
            label(
                Rect(24, y + 92 + 2 * r, s.width - 48, 24), self._phone, 15, p.quiet, 400, "centre",
                key="number", res="number",
            ),
            self._toggle(s, middle - 96, s.bottom - 72, "mute", "microphone-off", "Mute"),
            round_button(middle, s.bottom - 72, 34, "phone-hangup", HANG_UP, "#ffffff", "End call",
                         self.host.finish, "end-call"),
            self._toggle(s, middle + 96, s.bottom - 72, "speaker", "volume-high", "Speaker"),
        )  # fmt: skip

    def _toggle(self, s: Space, cx: float, cy: float, key: str, symbol: str, word: str) -> View:
        p = s.palette
        on = self._on[key]

        def paint(c: Canvas, v: View) -> None:
            c.circle(v.box.cx, v.box.cy, 28, p.primary if on else p.surface)
            c.icon(v.box.cx, v.box.cy, symbol, 24, p.on_primary if on else p.text)

        def tap() -> None:
            self._on[key] = not self._on[key]

        return View(
            centred(cx, cy, 56),
            "android.widget.ToggleButton",
            key=key,
            res=key,
            desc=word,
            paint=paint,
            tap=tap,
            checkable=True,
            checked=on,
            ripple=28,
            ripple_on=p.text,
        )
