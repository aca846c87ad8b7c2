"""The panel from the top: switches, and notifications that open their app."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Protocol

from demophone.apps import system
from demophone.apps.app import App
from demophone.apps.preferences import StoredSettings, notifications_key
from demophone.apps.system import Notice, Toggle
from demophone.views.parts import Space
from demophone.views.view import View


class ShadeHost(Protocol):
    """What the shade needs of the phone."""

    @property
    def apps(self) -> Sequence[App]: ...
    @property
    def preferences(self) -> StoredSettings: ...
    def wall(self) -> datetime.datetime: ...
    def changed(self, reason: str) -> None: ...
    def put_setting(self, namespace: str, key: str, value: str) -> None: ...


class Shade:
    """Open or closed, and what is in it."""

    def __init__(self, body: ShadeHost) -> None:
        self._body = body
        self.opened = False

    def open(self) -> None:
        """Lets it down."""
        if not self.opened:
            self.opened = True
            self._body.changed("shade")

    def close(self) -> None:
        """Pulls it up."""
        if self.opened:
            self.opened = False
            self._body.changed("shade")

    def dragged(self, dy: float) -> None:
        """A finger drew it by `dy` dp, down or up."""
        if dy > 40:
            self.open()
        elif dy < -40:
            self.close()

    def build(self, s: Space) -> View:
        """Its views."""
        now = self._body.wall()
        date = f"{now:%a}, {now.day} {now:%b}"
        told = [app for app in self._body.apps if self._may_tell(app)]
        notices = [self._closing(n) for app in told for n in app.notices()]
        return system.shade(
            s, f"{now:%H:%M}", date, self._toggles(), notices, self._clear, self.close
        )

    def _may_tell(self, app: App) -> bool:
        return self._body.preferences.get("global", notifications_key(app.package)) != "0"

    def _toggles(self) -> list[Toggle]:
        preferences = self._body.preferences
        return [
            self._toggle(
                "dark-theme",
                "Dark theme",
                "weather-night",
                preferences.dark,
                ("secure", "ui_night_mode", "2", "1"),
            ),
            self._toggle(
                "large-text",
                "Large text",
                "format-size",
                preferences.font_scale > 1.1,
                ("system", "font_scale", "1.15", "1.0"),
            ),
            self._toggle(
                "landscape",
                "Landscape",
                "phone-rotate-landscape",
                preferences.get("system", "user_rotation") in ("1", "3"),
                ("system", "user_rotation", "1", "0"),
            ),
            self._toggle(
                "motion",
                "Animations",
                "motion-play-outline",
                preferences.motion > 0,
                ("global", "animator_duration_scale", "1.0", "0"),
            ),
        ]

    def _toggle(
        self, key: str, text: str, symbol: str, on: bool, setting: tuple[str, str, str, str]
    ) -> Toggle:
        namespace, name, yes, no = setting

        def act() -> None:
            self._body.put_setting(namespace, name, no if on else yes)

        return Toggle(key, text, symbol, on, act)

    def _closing(self, notice: Notice) -> Notice:
        def act() -> None:
            self.close()
            notice.act()

        return Notice(notice.title, notice.text, notice.app, notice.when, notice.tone, act)

    def _clear(self) -> None:
        for app in self._body.apps:
            app.clear_notices()
        self._body.changed("notices")
