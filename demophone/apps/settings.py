"""The Settings app: the few settings that this phone really has."""

from __future__ import annotations

from typing import ClassVar

from demophone.apps.app import Activity, App
from demophone.apps.app_settings import AppList
from demophone.apps.display_settings import DisplayPage
from demophone.apps.setting_row import setting_row
from demophone.apps.wifi_settings import WifiPage
from demophone.views.bars import page_bar
from demophone.views.geometry import Rect
from demophone.views.overlays import OverlayChoice, dialog
from demophone.views.parts import (
    Space,
    Tap,
    label,
    root,
    scroll_list,
    switch,
)
from demophone.views.theme import VIOLET, Palette
from demophone.views.view import View

ROW = 72.0
_SIZES = {"Small": "0.85", "Normal": "1.0", "Large": "1.15", "Largest": "1.3"}
_NAVIGATION = {"Gestures": "2", "Three buttons": "0"}


class SettingsApp(App):
    """What can be changed about the phone."""

    package: ClassVar[str] = "com.taptrail.demo.settings"
    label: ClassVar[str] = "Settings"
    symbol: ClassVar[str] = "cog"
    tone: ClassVar[str] = "#5d6673"
    palettes: ClassVar[tuple[Palette, Palette]] = VIOLET
    version: ClassVar[str] = "15.0"

    def home(self) -> Activity:
        """The list."""
        return SettingsList(self)

    def activity(self, name: str) -> Activity | None:
        """The list, or one of the pages behind it."""
        pages: tuple[type[Activity], ...] = (About, WifiPage, DisplayPage, AppList)
        made = next((page(self) for page in pages if page.name == name), None)
        return made or super().activity(name)


class SettingsList(Activity):
    """All settings."""

    name: ClassVar[str] = ".SettingsActivity"
    path: ClassVar[str] = "settings/list"

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._scroll = self.host.scroller()

    def build(self, s: Space) -> View:
        """The rows under a large title."""
        area = Rect(0, s.top, s.width, s.floor - s.top)
        dark = self.host.setting("secure", "ui_night_mode") == "2"
        motion = self.host.setting("global", "animator_duration_scale") not in ("0", "0.0")
        wide = self.host.setting("system", "user_rotation") in ("1", "3")
        blue = self.host.setting("global", "bluetooth_on") == "1"
        lit = round(DisplayPage(self.app).level * 100 / 255)
        lines: list[tuple[str, str, str, str, bool | None, Tap]] = [
            ("wifi", "wifi", "Wi-Fi", self._network(), None,
             lambda: self.host.push(WifiPage(self.app))),
            ("bluetooth", "bluetooth", "Bluetooth", "On" if blue else "Off", blue,
             lambda: self._put("global", "bluetooth_on", "0" if blue else "1")),
            ("dark-theme", "weather-night", "Dark theme", "On" if dark else "Off", dark,
             lambda: self._put("secure", "ui_night_mode", "1" if dark else "2")),
            ("text-size", "format-size", "Text size", self._word(_SIZES, "system", "font_scale"),
             None, lambda: self._choose("Text size", _SIZES, "system", "font_scale")),
            ("navigation", "gesture-swipe", "Navigation",
             self._word(_NAVIGATION, "secure", "navigation_mode"), None,
             lambda: self._choose("Navigation", _NAVIGATION, "secure", "navigation_mode")),
            ("display", "brightness-6", "Display", f"Brightness {lit} %", None,
             lambda: self.host.push(DisplayPage(self.app))),
            ("landscape", "phone-rotate-landscape", "Landscape",
             "The screen lies on its side" if wide else "The screen stands upright", wide,
             lambda: self._put("system", "user_rotation", "0" if wide else "1")),
            ("animations", "motion-play-outline", "Animations", "On" if motion else "Off", motion,
             lambda: self._put("global", "animator_duration_scale", "0" if motion else "1.0")),
            ("app-list", "view-grid-outline", "Apps", f"{len(self.host.apps)} apps", None,
             lambda: self.host.push(AppList(self.app))),
            ("apps", "restore", "Reset app data", "As it was on the new phone", None,
             self._ask_reset),
            ("about", "cellphone-information", "About phone", "Wren 6", None, self._about),
        ]  # fmt: skip
        height = s.grown(ROW)
        content = 104 + height * len(lines) + 24 + s.floor - s.bottom
        top = area.y - self._scroll.measure(content, area.h)
        views = [
            label(
                Rect(24, top + 32, s.width - 48, 52),
                "Settings",
                32,
                s.palette.text,
                key="title",
                res="title",
            )
        ]
        for i, (key, symbol, text, note, on, tap) in enumerate(lines):
            box = Rect(0, top + 104 + height * i, s.width, height)
            if box.bottom > area.y and box.y < area.bottom:
                views.append(setting_row(s, box, key, symbol, text, note, tap))
                if on is not None:
                    views[-1].add(switch(s, s.width - 48, box.cy, on))
        return root(s, scroll_list(area, self._scroll, "settings", *views))

    def _network(self) -> str:
        if self.host.setting("global", "wifi_on") != "1":
            return "Off"
        return self.host.setting("global", "wifi_ssid") or "Not connected"

    def _put(self, namespace: str, key: str, value: str) -> None:
        self.host.put_setting(namespace, key, value)

    def _word(self, words: dict[str, str], namespace: str, key: str) -> str:
        value = self.host.setting(namespace, key)
        return next((word for word, v in words.items() if v == value), value or "")

    def _choose(self, title: str, words: dict[str, str], namespace: str, key: str) -> None:
        now = self._word(words, namespace, key)
        options = [
            OverlayChoice(word, self._putting(namespace, key, value), chosen=word == now)
            for word, value in words.items()
        ]
        self.host.show(dialog(title, "", [OverlayChoice("Cancel", lambda: None)], options))

    def _putting(self, namespace: str, key: str, value: str) -> Tap:
        return lambda: self._put(namespace, key, value)

    def _ask_reset(self) -> None:
        def reset() -> None:
            for app in self.host.apps:
                if app is not self.app:
                    self.host.stop_app(app.package)
                    app.reset()
            self.host.toast("App data reset")
            self.host.changed("data")

        self.host.show(
            dialog(
                "Reset app data?",
                "All apps will be as they were when the phone was new.",
                [OverlayChoice("Cancel", lambda: None), OverlayChoice("Reset", reset, danger=True)],
            )
        )

    def _about(self) -> None:
        self.host.push(About(self.app))


class About(Activity):
    """What phone this is."""

    name: ClassVar[str] = ".AboutActivity"
    path: ClassVar[str] = "settings/about"

    def build(self, s: Space) -> View:
        """The facts."""
        p = s.palette
        facts = (
            ("Device name", self.host.setting("global", "device_name") or "Wren 6"),
            ("Model", "Taptrail demo phone"),
            ("Android version", "15"),
            ("Screen", f"{s.width:.0f} × {s.height:.0f} dp"),
            ("Seed", str(self.host.seed)),
        )
        views = page_bar(s, "About phone", self.host.finish)
        step = min(64.0, (s.bottom - s.top - 70) / len(facts))
        for i, (name, value) in enumerate(facts):
            y = s.top + 64 + step * i
            key = name.lower().replace(" ", "-")
            views += [
                label(Rect(24, y + 4, s.width - 48, 24), name, 16, p.text, key=key, res="title"),
                label(
                    Rect(24, y + 28, s.width - 48, 22),
                    value,
                    14,
                    p.quiet,
                    key=f"{key}/value",
                    res="summary",
                ),
            ]
        return root(s, *views)
