"""The launcher: home screen, search for apps, and the recent apps."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import ClassVar

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPainterPath

from demophone.apps.app import Activity, App, Host
from demophone.apps.search import SearchPage
from demophone.apps.tile import app_tile
from demophone.views.canvas import Canvas
from demophone.views.geometry import Rect, centred
from demophone.views.parts import (
    FRAME,
    LIST,
    TEXT,
    Space,
    button,
    icon,
    label,
    list_of,
    row,
)
from demophone.views.theme import colour
from demophone.views.view import View


class Launcher(App):
    """Shows what there is to open."""

    package: ClassVar[str] = "com.taptrail.demo.launcher"
    label: ClassVar[str] = "Home"
    symbol: ClassVar[str] = "home"
    tone: ClassVar[str] = "#35588c"
    listed: ClassVar[bool] = False

    def home(self) -> Activity:
        """The home screen."""
        return Home(self)


@lru_cache(maxsize=4)
def wallpaper(width: int, height: int, dark: bool) -> QImage:
    """Hills, water and a low sun, drawn once for a size in pixels."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    tones = (
        ("#101c30", "#182a47", "#0e2c31", "#0a2226", "#c9a877")
        if dark
        else ("#25406b", "#35588c", "#1f5a5c", "#17444a", "#f2d6a2")
    )
    painter.fillRect(image.rect(), colour(tones[0]))
    w, h = float(width), float(height)

    def ridge(points: Sequence[tuple[float, float]], tone: str, upper: bool = False) -> None:
        edge = 0.0 if upper else h
        path = QPainterPath(QPointF(0, edge))
        path.lineTo(QPointF(points[0][0] * w, points[0][1] * h))
        for (ax, ay), (bx, by), (cx, cy) in zip(
            points[0::3], points[1::3], points[2::3], strict=False
        ):
            path.cubicTo(QPointF(ax * w, ay * h), QPointF(bx * w, by * h), QPointF(cx * w, cy * h))
        path.lineTo(QPointF(w, edge))
        path.closeSubpath()
        painter.setBrush(colour(tone))
        painter.drawPath(path)

    ridge(
        ((0, 0.56), (0.30, 0.40), (0.52, 0.53), (0.70, 0.64), (0.86, 0.50), (1, 0.53)),
        tones[1],
        upper=True,
    )
    sun = min(w, h) * 0.095
    painter.setBrush(colour(tones[4]))
    painter.drawEllipse(QPointF(0.765 * w, 0.31 * h), sun, sun)
    ridge(((0, 0.59), (0.22, 0.47), (0.40, 0.52), (0.58, 0.58), (0.76, 0.52), (1, 0.50)), tones[2])
    ridge(((0, 0.70), (0.25, 0.58), (0.45, 0.64), (0.66, 0.73), (0.80, 0.66), (1, 0.64)), tones[3])
    painter.end()
    return image


class Home(Activity):
    """Time, icons and the search field, on the wallpaper."""

    name: ClassVar[str] = ".LauncherActivity"
    path: ClassVar[str] = "launcher/home"

    def build(self, s: Space) -> View:
        """The home screen."""
        now = self.host.wall()
        dark = s.palette.dark
        side = 104.0 if s.wide else 0.0
        apps = [app for app in self.host.apps if app.listed]
        columns = _columns(s, len(apps))

        def paint(c: Canvas, v: View) -> None:
            area = c.pixels(v.box)
            c.painter.drawImage(area.topLeft(), wallpaper(area.width(), area.height(), dark))

        screen = View(Rect(0, 0, s.width, s.height), FRAME, res="launcher", paint=paint)
        screen.drag = _Up(self._search)
        screen.add(*_clock(s, now))
        pitch = (s.width - 2 * (20 + side)) / columns
        bottom = s.bottom - 56 - (0 if s.wide else 4)
        rows = (len(apps) + columns - 1) // columns
        grid = View(
            Rect(0, bottom - 12 - rows * 98, s.width, rows * 98),
            "android.view.ViewGroup",
            res="workspace",
        )
        for i, app in enumerate(apps):
            cx = 20 + side + pitch * (i % columns + 0.5)
            y = bottom - 12 - 98 * (i // columns + 1)
            grid.add(self._icon(Rect(cx - pitch / 2, y, pitch, 92), app))
        search = Rect(28 + side, bottom, s.width - 56 - 2 * side, 48)
        screen.add(grid, self._pill(s, search))
        return screen

    def _icon(self, box: Rect, app: App) -> View:
        def paint(c: Canvas, v: View) -> None:
            app_tile(c, centred(v.box.cx, v.box.y + 36, 54), app)
            c.text(
                Rect(v.box.x, v.box.y + 68, v.box.w, 18), app.label, 12.5, "#ffffff", 400, "centre"
            )

        return View(
            box,
            TEXT,
            key=f"icon-{app.label.lower()}",
            res="icon",
            text=app.label,
            desc=app.label,
            paint=paint,
            tap=lambda: _start(self.host, app.package),
            ripple=20,
            ripple_on="#ffffff",
        )

    def _pill(self, s: Space, box: Rect) -> View:
        fill = "#23262e" if s.palette.dark else "#ffffff"
        ink = "#b7bcc6" if s.palette.dark else "#4a5160"

        def paint(c: Canvas, v: View) -> None:
            c.fill(v.box, fill, 24, 0.93)
            c.icon(v.box.x + 26, v.box.cy, "magnify", 21, ink)
            c.text(Rect(v.box.x + 48, v.box.y, v.box.w - 60, v.box.h), "Search apps", 15, ink)

        return View(
            box,
            TEXT,
            key="search",
            res="search_bar",
            text="Search apps",
            paint=paint,
            tap=self._search,
            ripple=24,
            ripple_on=ink,
        )

    def _search(self) -> None:
        self.host.push(AppSearch(self.app))


def _columns(s: Space, apps: int) -> int:
    """Icons in a row."""
    return min(apps, 6 if s.wide else 4)


def _clock(s: Space, now: datetime.datetime) -> list[View]:
    """Time and date; side by side if the height is small."""
    date = f"{now:%A}, {now.day} {now:%B}  ·  19°"
    top = s.top + (8 if s.wide else s.height * 0.055)
    size = 40.0 if s.wide else 56.0
    time = Rect(32, top, s.width - 64, size + 8)
    below = Rect(34, top + 66, s.width - 64, 24)
    beside = Rect(32 + s.text_width("00:00 ", size, 300), top + 14, s.width / 2, 24)
    place = beside if s.wide else below
    return [
        label(time, f"{now:%H:%M}", size, "#ffffff", 300, key="clock", res="clock"),
        label(place, date, 15, "#e6edf7", key="date", res="date"),
    ]


def _start(host: Host, package: str) -> None:
    host.start_app(package)


class _Up:
    """A drag upwards that opens something."""

    def __init__(self, act: Callable[[], None]) -> None:
        self._act = act
        self._far = 0.0

    def takes(self, dx: float, dy: float) -> bool:
        return -dy > abs(dx)

    def move(self, dx: float, dy: float) -> None:
        self._far += dy

    def end(self, vx: float, vy: float) -> None:
        far, self._far = self._far, 0.0
        if far < -40:
            self._act()


class AppSearch(SearchPage):
    """All apps, and a field to find one by name."""

    name: ClassVar[str] = ".SearchActivity"
    path: ClassVar[str] = "launcher/search"
    hint: ClassVar[str] = "Search apps"
    field_left: ClassVar[float] = 56

    def __init__(self, app: App) -> None:
        super().__init__(app, "go", self._first)

    def shown(self) -> None:
        """Gives the field the cursor at once, even if it contains text."""
        self.host.focus(self._query)

    def _results(self, s: Space, area: Rect) -> View:
        return list_of(
            s,
            area,
            self._scroll,
            "apps",
            self._found(),
            64,
            lambda box, app: self._row(s, box, app),
            8,
            ("magnify-close", "No app has that name"),
        )

    def _changed(self) -> None:
        """Keeps the list's position."""
        self.host.changed("text")

    def _row(self, s: Space, box: Rect, app: App) -> View:
        tile = View(
            centred(44, box.cy, 44),
            "android.widget.ImageView",
            paint=lambda c, v: app_tile(c, v.box, app),
        )
        key = f"app-{app.label.lower()}"
        name = label(
            Rect(84, box.y, box.w - 100, box.h),
            app.label,
            16,
            s.palette.text,
            key=f"{key}/name",
            res="title",
        )
        return row(box, key, lambda: _start(self.host, app.package), s, tile, name)

    def _found(self) -> list[App]:
        wanted = self._query.text.strip().lower()
        apps = sorted((a for a in self.host.apps if a.listed), key=lambda a: a.label)
        return [app for app in apps if wanted in app.label.lower()]

    def _first(self) -> None:
        found = self._found()
        if found:
            self.host.start_app(found[0].package)


class Recents(Activity):
    """The apps that were used, as cards."""

    name: ClassVar[str] = ".RecentsActivity"
    path: ClassVar[str] = "launcher/recents"

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._scroll = self.host.scroller(horizontal=True)
        self._scroll.offset = 1e9
        self._lifted: dict[str, float] = {}

    def build(self, s: Space) -> View:
        """Cards, the newest at the right; below them Clear all."""
        p = s.palette
        dark = p.dark

        def paint(c: Canvas, v: View) -> None:
            area = c.pixels(v.box)
            c.painter.drawImage(area.topLeft(), wallpaper(area.width(), area.height(), dark))
            c.fill(v.box, "#0c0f16", 0, 0.55)

        screen = View(Rect(0, 0, s.width, s.height), FRAME, res="overview_panel", paint=paint)
        recent = list(self.host.recent())
        if not recent:
            screen.add(icon(s.width / 2, s.height / 2 - 30, "layers-outline", "#c9d2e2", 48))
            screen.add(
                label(
                    Rect(24, s.height / 2 + 8, s.width - 48, 28),
                    "No recent apps",
                    16,
                    "#e6edf7",
                    400,
                    "centre",
                    key="empty",
                    res="empty",
                )
            )
            return screen
        share = 0.56 if s.wide else 0.66
        w, h = s.width * share, s.height * share
        gap = 18.0
        area = Rect(0, s.top + 8, s.width, s.bottom - s.top - 72)
        content = s.width - w + len(recent) * w + (len(recent) - 1) * gap
        offset = self._scroll.measure(content, s.width)
        cards = View(
            area,
            LIST,
            key="cards",
            res="cards",
            drag=self._scroll,
            scrollable=self._scroll.extent > 0,
            clip=False,
        )
        top = area.y + max(28.0, (area.h - h) / 2)
        for i, (app, image) in enumerate(reversed(recent)):
            x = (s.width - w) / 2 + i * (w + gap) - offset
            if x < s.width and x + w > 0:
                up = self._lifted.get(app.package, 0.0)
                cards.add(self._card(Rect(x, top + up, w, min(h, area.bottom - top)), app, image))
        cards.children = [v for v in cards.children if v.box.bottom > area.y]
        clear = button(
            s,
            centred(s.width / 2, s.bottom - 32, 120, 40),
            "Clear all",
            self._clear,
            "clear-all",
            "tonal",
        )
        return screen.add(cards, clear)

    def _card(self, box: Rect, app: App, image: QImage | None) -> View:
        def paint(c: Canvas, v: View) -> None:
            head = Rect(v.box.x, v.box.y - 4, v.box.w, 28)
            app_tile(c, centred(head.x + 14, head.cy - 6, 24), app)
            c.text(Rect(head.x + 34, head.y - 8, head.w - 34, 28), app.label, 14, "#f2f5fa", 500)
            body = Rect(v.box.x, v.box.y + 24, v.box.w, v.box.h - 24)
            c.fill(body, app.palettes[0].background, 16)
            if image is not None:
                c.clip(body, 16)
                c.painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
                c.painter.drawImage(QRectF(c.pixels(body)), image, _crop(image, body))
                c.unclip()

        return View(
            box,
            FRAME,
            key=f"card-{app.label.lower()}",
            res="snapshot",
            text="",
            desc=app.label,
            paint=paint,
            tap=lambda: _start(self.host, app.package),
            drag=_Lift(self, app.package),
        )

    def lift(self, package: str, by: float) -> None:
        """Moves a card up with the finger."""
        self._lifted[package] = min(0.0, self._lifted.get(package, 0.0) + by)
        self.host.changed("drag")

    def release(self, package: str, speed: float) -> None:
        """Throws the card away, or lets it fall back."""
        far = self._lifted.pop(package, 0.0)
        if far < -120 or (far < -40 and speed < -400):
            self.host.stop_app(package)
            if not self.host.recent():
                self.host.finish()
        self.host.changed("drag")

    def _clear(self) -> None:
        for app, _ in list(self.host.recent()):
            self.host.stop_app(app.package)
        self.host.finish()


def _crop(image: QImage, body: Rect) -> QRectF:
    """The part of a snapshot that fills the card: its full width, from the top."""
    height = min(float(image.height()), image.width() * body.h / body.w)
    return QRectF(0, 0, image.width(), height)


class _Lift:
    """A drag upwards on a card."""

    def __init__(self, recents: Recents, package: str) -> None:
        self._recents = recents
        self._package = package

    def takes(self, dx: float, dy: float) -> bool:
        return -dy > abs(dx)

    def move(self, dx: float, dy: float) -> None:
        self._recents.lift(self._package, dy)

    def end(self, vx: float, vy: float) -> None:
        self._recents.release(self._package, vy)
