"""What the system draws round the apps: status bar, navigation, shade, toast; and its drags."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from demophone.views.canvas import Canvas
from demophone.views.geometry import Rect, centred
from demophone.views.keycodes import KeyCode
from demophone.views.parts import (
    BUTTON,
    FRAME,
    IMAGE_BUTTON,
    LINEAR,
    TEXT,
    Space,
    Tap,
    avatar,
    label,
)
from demophone.views.view import View

STATUS_HEIGHT = 32.0
GESTURE_HEIGHT = 24.0
BUTTONS_HEIGHT = 48.0
PACKAGE = "com.taptrail.demo.systemui"


def status_bar(s: Space, time: str, tone: str, wifi: bool = True) -> View:
    """Time, reception and battery along the upper edge."""

    def paint(c: Canvas, v: View) -> None:
        y = STATUS_HEIGHT / 2 + 1
        c.icon(s.width - 70, y, "wifi" if wifi else "wifi-off", 15, tone)
        c.icon(s.width - 49, y, "signal-cellular-3", 15, tone)
        c.icon(s.width - 29, y, "battery-70", 15, tone)

    clock = View(
        Rect(20, 0, 80, STATUS_HEIGHT),
        TEXT,
        key="clock",
        res="clock",
        text=time,
        paint=lambda c, v: c.text(v.box.moved(4, 1), time, 13.5 / c.font_scale, tone, 500),
    )
    return View(Rect(0, 0, s.width, STATUS_HEIGHT), FRAME, paint=paint, children=[clock])


def gesture_pill(s: Space, tone: str) -> View:
    """The line at the lower edge."""
    return View(
        Rect(0, s.height - GESTURE_HEIGHT, s.width, GESTURE_HEIGHT),
        FRAME,
        paint=lambda c, v: c.fill(centred(v.box.cx, v.box.bottom - 11, 112, 4), tone, 2),
    )


def navigation_buttons(s: Space, tone: str, fill: str, press: Callable[[int], None]) -> View:
    """Back, Home and Recents as three buttons."""
    top = s.height - BUTTONS_HEIGHT
    bar = View(
        Rect(0, top, s.width, BUTTONS_HEIGHT),
        FRAME,
        paint=(lambda c, v: c.fill(v.box, fill)) if fill else None,
    )
    kinds = (
        ("back", "triangle", KeyCode.BACK),
        ("home", "circle", KeyCode.HOME),
        ("recents", "square", KeyCode.RECENTS),
    )
    for i, (key, symbol, code) in enumerate(kinds):
        cx = s.width / 2 + (i - 1) * min(110.0, s.width / 4)

        def paint(c: Canvas, v: View, symbol: str = symbol) -> None:
            if symbol == "triangle":
                c.back_arrow(v.box.cx, v.box.cy, 17, tone)
            else:
                c.icon(v.box.cx, v.box.cy, f"{symbol}-outline", 19, tone)

        bar.add(
            View(
                centred(cx, top + BUTTONS_HEIGHT / 2, 72, BUTTONS_HEIGHT),
                IMAGE_BUTTON,
                key=key,
                res=key,
                desc=key.capitalize() if key != "recents" else "Overview",
                paint=paint,
                tap=lambda code=code: press(int(code)),  # type: ignore[misc]
                ripple=24,
                ripple_on=tone,
            )
        )
    return bar


def toast(s: Space, text: str) -> View:
    """Words near the lower edge that go by themselves."""
    w = min(s.width - 48, s.text_width(text, 14) + 40)
    box = centred(s.width / 2, s.bottom - 56, w, 44)
    dark = s.palette.dark

    def paint(c: Canvas, v: View) -> None:
        c.fill(v.box, "#e5e6ea" if dark else "#2f3036", 22)
        c.text(v.box.inset(20, 0), text, 14, "#1b1c1f" if dark else "#f2f2f6", 400, "centre")

    return View(box, TEXT, key="toast", res="message", text=text, paint=paint)


@dataclass(frozen=True, slots=True)
class Toggle:
    """A tile of the shade."""

    key: str
    text: str
    symbol: str
    on: bool
    act: Tap


@dataclass(frozen=True, slots=True)
class Notice:
    """A notification."""

    title: str
    text: str
    app: str
    when: str
    tone: str
    act: Tap


def shade(
    s: Space,
    time: str,
    date: str,
    toggles: Sequence[Toggle],
    notices: Sequence[Notice],
    clear: Tap,
    close: Tap,
) -> View:
    """The panel from the top, over everything."""
    p = s.palette
    base = "#16171c" if p.dark else "#eceaf3"
    whole = View(
        Rect(0, 0, s.width, s.height),
        FRAME,
        key="shade",
        desc="Notification shade",
        tap=close,
        paint=lambda c, v: c.fill(v.box, base),
    )
    width = min(s.width - 32, 720.0 if s.wide else 480.0)
    x = (s.width - width) / 2
    whole.add(
        label(Rect(x + 4, 40, width, 44), time, 32, p.text, 400, key="time", res="clock"),
        label(
            Rect(x + 4, 40, width - 8, 44), date, 14, p.quiet, 400, "right", key="date", res="date"
        ),
    )
    columns = 4 if s.wide else 2
    cell = (width - 8 * (columns - 1)) / columns
    y = 96.0
    for i, toggle in enumerate(toggles):
        box = Rect(x + (i % columns) * (cell + 8), y + (i // columns) * 72, cell, 64)
        whole.add(_tile(s, box, toggle))
    y += 72 * ((len(toggles) + columns - 1) // columns) + 16
    across = 2 if s.wide else 1
    room = (width - 8 * (across - 1)) / across
    for i, notice in enumerate(notices):
        box = Rect(x + (i % across) * (room + 8), y + (i // across) * 92, room, 84)
        whole.add(_notice(s, box, f"notice-{i + 1}", notice))
    y += 92 * ((len(notices) + across - 1) // across)
    if notices:
        w = s.text_width("Clear all", 14, 500) + 40
        whole.add(
            View(
                Rect(x + width - w, y + 4, w, 40),
                BUTTON,
                key="clear-all",
                res="clear_all",
                text="Clear all",
                tap=clear,
                ripple=20,
                ripple_on=p.text,
                paint=lambda c, v: _clear_paint(c, v, s),
            )
        )
    else:
        whole.add(
            label(
                Rect(x, y + 8, width, 32),
                "No notifications",
                14,
                p.quiet,
                400,
                "centre",
                key="none",
                res="no_notifications",
            )
        )
    return whole


def _clear_paint(c: Canvas, v: View, s: Space) -> None:
    c.outline(v.box, s.palette.outline, 1, 20)
    c.text(v.box, "Clear all", 14, s.palette.text, 500, "centre")


def _tile(s: Space, box: Rect, toggle: Toggle) -> View:
    p = s.palette
    fill = p.primary if toggle.on else ("#2a2c33" if p.dark else "#ffffff")
    ink = p.on_primary if toggle.on else p.text

    def paint(c: Canvas, v: View) -> None:
        c.fill(v.box, fill, 20)
        c.icon(v.box.x + 28, v.box.cy, toggle.symbol, 22, ink)
        room = v.box.w - 60
        c.text(Rect(v.box.x + 52, v.box.y + 12, room, 22), toggle.text, 14, ink, 500)
        word = "On" if toggle.on else "Off"
        c.text(Rect(v.box.x + 52, v.box.y + 32, room, 20), word, 12.5, ink, alpha=0.85)

    return View(
        box,
        "android.widget.Switch",
        key=f"tile-{toggle.key}",
        res="tile",
        text=toggle.text,
        desc=f"{toggle.text}, {'on' if toggle.on else 'off'}",
        paint=paint,
        tap=toggle.act,
        checkable=True,
        checked=toggle.on,
        ripple=20,
        ripple_on=ink,
    )


def _notice(s: Space, box: Rect, key: str, notice: Notice) -> View:
    p = s.palette
    fill = "#24262d" if p.dark else "#ffffff"
    room = box.w - 84
    return View(
        box,
        LINEAR,
        key=key,
        res="expandableNotificationRow",
        tap=notice.act,
        paint=lambda c, v: c.fill(v.box, fill, 22),
        ripple=22,
        ripple_on=p.text,
        children=[
            avatar(box.x + 34, box.cy, 20, notice.title[:1], notice.tone),
            label(
                Rect(box.x + 66, box.y + 8, room, 20),
                f"{notice.app}  ·  {notice.when}",
                12,
                p.quiet,
                key=f"{key}/app",
                res="app_name_text",
            ),
            label(
                Rect(box.x + 66, box.y + 28, room, 22),
                notice.title,
                15,
                p.text,
                500,
                key=f"{key}/title",
                res="title",
            ),
            label(
                Rect(box.x + 66, box.y + 50, room, 22),
                notice.text,
                14,
                p.quiet,
                key=f"{key}/text",
                res="text",
            ),
        ],
    )


@dataclass(slots=True, eq=False)
class EdgeDrag:
    """A drag from an edge of the glass that ends in one of the system's own acts."""

    finish: Callable[[float, float, float, float], None]
    """Called with the finger's distance and final speed, in dp and dp per second."""
    dx: float = 0.0
    dy: float = 0.0

    def takes(self, dx: float, dy: float) -> bool:
        """Always: the stage has decided already."""
        return True

    def move(self, dx: float, dy: float) -> None:
        """Adds up the finger's movement."""
        self.dx += dx
        self.dy += dy

    def end(self, vx: float, vy: float) -> None:
        """Decides."""
        self.finish(self.dx, self.dy, vx, vy)
