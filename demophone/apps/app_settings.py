"""The pages of the Settings app about apps: all of them, and one of them."""

from __future__ import annotations

from typing import ClassVar

from demophone.apps.app import Activity, App
from demophone.apps.preferences import notifications_key
from demophone.apps.setting_row import setting_row
from demophone.apps.tile import app_tile
from demophone.views.bars import page_bar
from demophone.views.geometry import Rect, centred
from demophone.views.overlays import OverlayChoice, dialog
from demophone.views.parts import (
    IMAGE,
    Space,
    Tap,
    button,
    label,
    list_of,
    root,
    scroll_list,
    switch,
)
from demophone.views.view import View


class AppList(Activity):
    """All apps by name."""

    name: ClassVar[str] = ".AppListActivity"
    path: ClassVar[str] = "settings/apps"

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._scroll = self.host.scroller()

    def build(self, s: Space) -> View:
        """A row for each app."""
        listed = list_of(
            s,
            Rect(0, s.top + 60, s.width, s.floor - s.top - 60),
            self._scroll,
            "apps",
            sorted(self.host.apps, key=lambda a: a.label),
            s.grown(68),
            lambda box, one: self._row(s, box, one),
            16,
            to_edge=True,
        )
        return root(s, listed, *page_bar(s, "Apps", self.host.finish))

    def _row(self, s: Space, box: Rect, one: App) -> View:
        return setting_row(
            s,
            box,
            f"app-{one.label.lower()}",
            _picture(one, 44, box.cy, 40),
            one.label,
            f"Version {one.version}",
            self._opening(one),
            left=84,
            right=26,
        )

    def _opening(self, one: App) -> Tap:
        return lambda: self.host.push(AppInfo(self.app, one))


class AppInfo(Activity):
    """One app: open it, end it, silence it, empty it."""

    name: ClassVar[str] = ".AppInfoActivity"
    path: ClassVar[str] = "settings/app"

    def __init__(self, app: App, about: App) -> None:
        super().__init__(app)
        self._about = about
        self._scroll = self.host.scroller()

    def build(self, s: Space) -> View:
        """Icon and name, two buttons, two rows."""
        p = s.palette
        one = self._about
        area = Rect(0, s.top + 60, s.width, s.floor - s.top - 60)
        top = area.y - self._scroll.measure(330 + s.floor - s.bottom, area.h)
        runs = any(task is one for task, _ in self.host.recent()) and one is not self.app
        told = self.host.setting("global", notifications_key(one.package)) != "0"
        half = (s.width - 60) / 2
        y = top + 148
        views = [
            _picture(one, s.width / 2, top + 40, 60),
            label(Rect(24, top + 76, s.width - 48, 32), one.label, 22, p.text, 400, "centre",
                  key="name", res="entity_header_title"),
            label(Rect(24, top + 106, s.width - 48, 22), one.package, 13, p.quiet, 400, "centre",
                  key="package", res="entity_header_summary"),
            button(s, Rect(24, y, half, 44), "Open", self._open, "open", "tonal", "open-in-new",
                   enabled=one is not self.app),
            button(s, Rect(s.width - 24 - half, y, half, 44), "Force stop", self._ask_stop,
                   "force-stop", "tonal", "close-octagon-outline", enabled=runs),
            self._row(s, top + 208, "notifications", "bell-outline", "Notifications",
                      "On" if told else "Off", lambda: self._tell(not told)),
            self._row(s, top + 276, "clear-data", "database-remove-outline", "Clear data",
                      f"Version {one.version}", self._ask_clear),
        ]  # fmt: skip
        views[-2].add(switch(s, s.width - 48, top + 208 + 34, told))
        bar = page_bar(s, "App info", self.host.finish)
        return root(s, scroll_list(area, self._scroll, "info", *views, res="info"), *bar)

    def _row(
        self, s: Space, y: float, key: str, symbol: str, text: str, note: str, tap: Tap
    ) -> View:
        return setting_row(s, Rect(0, y, s.width, 68), key, symbol, text, note, tap)

    def _open(self) -> None:
        self.host.start_app(self._about.package)

    def _tell(self, on: bool) -> None:
        self.host.put_setting("global", notifications_key(self._about.package), "1" if on else "0")

    def _ask_stop(self) -> None:
        def stop() -> None:
            self.host.stop_app(self._about.package)

        self.host.show(
            dialog(
                "Force stop?",
                f"{self._about.label} forgets where it was.",
                [OverlayChoice("Cancel", _nothing), OverlayChoice("Force stop", stop)],
            )
        )

    def _ask_clear(self) -> None:
        def clear() -> None:
            if self._about is not self.app:
                self.host.stop_app(self._about.package)
            self._about.reset()
            self.host.toast("Data cleared")
            self.host.changed("data")

        self.host.show(
            dialog(
                "Clear data?",
                f"{self._about.label} will be as it was on the new phone.",
                [OverlayChoice("Cancel", _nothing), OverlayChoice("Clear", clear, danger=True)],
            )
        )


def _picture(one: App, cx: float, cy: float, side: float) -> View:
    box = centred(cx, cy, side)
    return View(box, IMAGE, res="icon", paint=lambda c, v: app_tile(c, v.box, one))


def _nothing() -> None:
    """Only closes the dialog."""
