"""The Vault app: codes and cards. Its screens are protected from screenshots and video.

The first screen may be seen; the one behind it is protected, as an app's with Android's
FLAG_SECURE.
"""

from __future__ import annotations

import random
from typing import ClassVar

from demophone.apps.app import Activity, App
from demophone.views.bars import back_button
from demophone.views.geometry import Rect
from demophone.views.parts import (
    Space,
    Tap,
    button,
    icon,
    icon_button,
    label,
    list_of,
    paragraph,
    root,
    row,
)
from demophone.views.theme import TEAL, Palette
from demophone.views.view import View


class Vault(App):
    """Keeps secrets."""

    package: ClassVar[str] = "com.taptrail.demo.vault"
    label: ClassVar[str] = "Vault"
    symbol: ClassVar[str] = "shield-lock"
    tone: ClassVar[str] = "#1c7a80"
    palettes: ClassVar[tuple[Palette, Palette]] = TEAL
    version: ClassVar[str] = "1.4.0"

    def home(self) -> Activity:
        """The door."""
        return Door(self)

    def secrets(self) -> list[tuple[str, str, str]]:
        """Icon, name and code of each item; the codes depend on the seed."""
        chance = random.Random(f"{self.host.seed}:vault")  # noqa: S311 - nothing is locked by it

        def digits(count: int) -> str:
            return "".join(str(chance.randrange(10)) for _ in range(count))

        card = " ".join(["4000", *(digits(4) for _ in range(3))])
        return [
            ("credit-card-outline", "Harbour Bank card", card),
            ("dialpad", "Card PIN", digits(4)),
            ("wifi", "Wi-Fi Wren", wifi_password(self.host.seed)),
            ("gate", "Allotment gate", f"{digits(4)}#"),
            ("passport", "Passport number", f"X{digits(8)}"),
        ]


def wifi_password(seed: int) -> str:
    """The password of the network at home."""
    chance = random.Random(f"{seed}:wifi")  # noqa: S311 - nothing is locked by it
    return f"otter-{chance.randrange(1000, 10000)}"


class Door(Activity):
    """Says what is behind it, and opens."""

    name: ClassVar[str] = ".DoorActivity"
    path: ClassVar[str] = "vault/door"

    def __init__(self, app: Vault) -> None:
        super().__init__(app)
        self._vault = app

    def build(self, s: Space) -> View:
        """A lock, a sentence and the button."""
        p = s.palette
        room = min(s.width - 64, 400.0)
        x = (s.width - room) / 2
        y = s.top + (s.bottom - s.top) * (0.06 if s.wide else 0.24)
        words = "Codes and cards. They are not shown in screenshots, recordings and mirrors."
        note = paragraph(s, x, y + 146, room, words, 15, p.quiet, key="note", res="note")
        return root(
            s,
            icon(s.width / 2, y + 44, "shield-lock-outline", p.primary, 76),
            label(Rect(x, y + 96, room, 44), "Vault", 28, p.text, 400, "centre", key="title",
                  res="title"),
            note,
            button(s, Rect(s.width / 2 - 92, note.box.bottom + 24, 184, 48), "Unlock", self._open,
                   "unlock", symbol="fingerprint", radius=24),
        )  # fmt: skip

    def _open(self) -> None:
        self.host.push(Secrets(self._vault))


class Secrets(Activity):
    """The list of items; a tap copies one."""

    name: ClassVar[str] = ".SecretsActivity"
    path: ClassVar[str] = "vault/secrets"
    secure: ClassVar[bool] = True

    def __init__(self, app: Vault) -> None:
        super().__init__(app)
        self._vault = app
        self._shown = True
        self._scroll = self.host.scroller()

    def build(self, s: Space) -> View:
        """The list under a bar with Hide and Lock."""
        p = s.palette
        y = s.top + 28
        symbol = "eye-off-outline" if self._shown else "eye-outline"
        word = "Hide codes" if self._shown else "Show codes"
        area = Rect(0, s.top + 60, s.width, s.floor - s.top - 60)
        secrets = [(f"secret-{i}", *one) for i, one in enumerate(self._vault.secrets(), 1)]
        listed = list_of(
            s,
            area,
            self._scroll,
            "secrets",
            secrets,
            s.grown(72),
            lambda box, secret: self._row(s, box, *secret),
            0,
            to_edge=True,
        )
        return root(
            s,
            listed,
            back_button(s, 28, y, self.host.finish),
            label(Rect(58, s.top + 4, s.width - 170, 48), "Vault", 20, p.text, key="title",
                  res="title"),
            icon_button(s.width - 76, y, symbol, word, self._turn, "show", p.quiet),
            icon_button(s.width - 28, y, "lock-outline", "Lock", self.host.finish, "lock", p.quiet),
        )  # fmt: skip

    def _row(self, s: Space, box: Rect, key: str, symbol: str, name: str, code: str) -> View:
        p = s.palette
        words = code if self._shown else "•" * len(code)
        return row(
            box, key, self._copying(name, code), s,
            icon(40, box.cy, symbol, p.primary),
            label(Rect(76, box.cy - 24, s.width - 130, 24), name, 14, p.quiet, key=f"{key}/name",
                  res="name"),
            label(Rect(76, box.cy, s.width - 130, 26), words, 18, p.text, 500, key=f"{key}/code",
                  res="code"),
            icon(s.width - 36, box.cy, "content-copy", p.quiet, 20),
        )  # fmt: skip

    def _copying(self, name: str, code: str) -> Tap:
        def copy() -> None:
            self.host.copy(code)
            self.host.toast(f"{name} copied")

        return copy

    def _turn(self) -> None:
        self._shown = not self._shown
