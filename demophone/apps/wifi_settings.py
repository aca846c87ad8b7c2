"""The Wi-Fi pages of the Settings app: networks in reach, and the password of one of them."""

from __future__ import annotations

from typing import ClassVar

from demophone.apps.app import Activity, App
from demophone.apps.setting_row import setting_row
from demophone.apps.vault import wifi_password
from demophone.views.bars import page_bar
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
    root,
    row,
    scroll_list,
    switch,
)
from demophone.views.view import View

HOME = "Wren"
# name, whether it wants a password, bars of its signal
NETWORKS = (
    (HOME, True, 4),
    ("Lighthouse", True, 3),
    ("Harbour guests", False, 3),
    ("Mill Lane 14", True, 2),
    ("Printer direct", True, 1),
)
SHORTEST = 8
"""Characters that a password has at least."""


class WifiPage(Activity):
    """On or off, and the networks."""

    name: ClassVar[str] = ".WifiSettingsActivity"
    path: ClassVar[str] = "settings/wifi"

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._scroll = self.host.scroller()

    def build(self, s: Space) -> View:
        """The switch and a row for each network."""
        p = s.palette
        on = self.host.setting("global", "wifi_on") == "1"
        area = Rect(0, s.top + 60, s.width, s.floor - s.top - 60)
        height = s.grown(68)
        count = len(NETWORKS) if on else 0
        content = 84 + height * count + 24 + s.floor - s.bottom
        top = area.y - self._scroll.measure(content, area.h)

        def plate(c: Canvas, v: View) -> None:
            c.fill(v.box, p.tint if on else p.surface, 28)

        use = row(
            Rect(16, top + 8, s.width - 32, 60), "use-wifi", lambda: self._turn(not on), s,
            label(Rect(40, top + 8, s.width - 150, 60), "Use Wi-Fi", 18,
                  p.on_tint if on else p.text, key="use-wifi/title", res="switch_text"),
            switch(s, s.width - 58, top + 38, on),
            radius=28,
        )  # fmt: skip
        use.paint = plate
        rows = [use]
        for i, (name, secured, bars) in enumerate(NETWORKS[:count]):
            box = Rect(0, top + 84 + height * i, s.width, height)
            rows.append(self._row(s, box, name, secured, bars))
        return root(
            s,
            scroll_list(area, self._scroll, "networks", *rows),
            *page_bar(s, "Wi-Fi", self.host.finish),
        )

    def _row(self, s: Space, box: Rect, name: str, secured: bool, bars: int) -> View:
        p = s.palette
        joined = self.host.setting("global", "wifi_ssid") == name
        note = "Connected" if joined else "Password needed" if secured else "Open"
        key = f"network-{name.lower().replace(' ', '-')}"
        tone = p.primary if joined else p.quiet
        made = setting_row(
            s,
            box,
            key,
            icon(40, box.cy, f"wifi-strength-{bars}", tone),
            name,
            note,
            lambda: self._chosen(name, secured),
            right=74,
            ink=tone,
        )
        if secured:
            made.add(icon(s.width - 40, box.cy, "lock-outline", p.quiet, 20))
        return made

    def _turn(self, on: bool) -> None:
        self.host.put_setting("global", "wifi_on", "1" if on else "0")

    def _chosen(self, name: str, secured: bool) -> None:
        if self.host.setting("global", "wifi_ssid") == name:
            self.host.show(
                dialog(
                    name,
                    "The phone is connected to this network.",
                    [OverlayChoice("Disconnect", self._leave), OverlayChoice("OK", _nothing)],
                )
            )
        elif secured:
            self.host.push(WifiJoin(self.app, name))
        else:
            self.host.put_setting("global", "wifi_ssid", name)

    def _leave(self) -> None:
        self.host.put_setting("global", "wifi_ssid", "")


class WifiJoin(Activity):
    """Asks for a network's password."""

    name: ClassVar[str] = ".WifiPasswordActivity"
    path: ClassVar[str] = "settings/wifi-password"

    def __init__(self, app: App, network: str) -> None:
        super().__init__(app)
        self._network = network
        self._wrong = False
        self._password = Field(
            "password",
            kind="password",
            action="done",
            on_change=self._typed,
            on_action=self._connect,
        )

    def shown(self) -> None:
        """The field has the cursor at once."""
        self.host.focus(self._password)

    def build(self, s: Space) -> View:
        """The field, a box to see what is typed, and Connect."""
        p = s.palette
        room = min(s.width - 40, 480.0)
        x = (s.width - room) / 2
        y = s.top + 72
        field = outlined_field(
            s, Rect(x, y, room, 56), "Password", self._password, self.has_focus(self._password)
        )
        on = self._password.revealed

        def tick(c: Canvas, v: View) -> None:
            symbol = "checkbox-marked" if on else "checkbox-blank-outline"
            c.icon(v.box.x + 20, v.box.cy, symbol, 22, p.primary if on else p.quiet)
            c.text(Rect(v.box.x + 44, v.box.y, v.box.w - 44, v.box.h), "Show password", 15, p.text)

        show = View(
            Rect(x - 8, y + 84, 200, 44),
            "android.widget.CheckBox",
            key="show-password",
            res="show_password",
            text="Show password",
            paint=tick,
            tap=self._reveal,
            checkable=True,
            checked=on,
            ripple=10,
            ripple_on=p.text,
        )
        words = "Wrong password" if self._wrong else f"At least {SHORTEST} characters"
        tone = p.error if self._wrong else p.quiet
        note = label(Rect(x + 16, y + 58, room - 16, 22), words, 12.5, tone, key="note", res="note")
        ready = len(self._password.text) >= SHORTEST
        connect = button(
            s, Rect(x + room - 120, y + 86, 120, 40), "Connect", self._connect, "connect",
            enabled=ready,
        )  # fmt: skip
        return root(s, field, show, note, connect, *page_bar(s, self._network, self.host.finish))

    def _typed(self) -> None:
        self._wrong = False
        self.host.changed("text")

    def _reveal(self) -> None:
        self._password.revealed = not self._password.revealed

    def _connect(self) -> None:
        if len(self._password.text) < SHORTEST:
            return
        if self._password.text != _passwords(self.host.seed).get(self._network):
            self._wrong = True
            return
        self.host.put_setting("global", "wifi_ssid", self._network)
        self.host.finish()
        self.host.toast(f"Connected to {self._network}")


def _passwords(seed: int) -> dict[str, str]:
    """The passwords that open a network; the note about the hut has the one of Lighthouse."""
    return {"Lighthouse": "grey-heron-27", HOME: wifi_password(seed)}


def _nothing() -> None:
    """Only closes the dialog."""
