"""The Clock app: alarms, the time, a stopwatch.

The hands of the clock and a running stopwatch move without end: such a screen never is idle.
"""

from __future__ import annotations

import datetime
import math
from typing import ClassVar

from demophone.apps.alarms import Alarm, Alarms
from demophone.apps.app import Activity, App, Host
from demophone.apps.pickers import TimePicker
from demophone.views.bars import Tabs
from demophone.views.canvas import Canvas
from demophone.views.geometry import Rect, centred
from demophone.views.overlays import OverlayChoice, menu
from demophone.views.parts import (
    FRAME,
    Space,
    Tap,
    fab,
    label,
    list_of,
    root,
    round_button,
    row,
    scroll_list,
    switch,
)
from demophone.views.theme import NIGHT, Palette
from demophone.views.view import View

TABS = Tabs(
    (
        ("alarm", "Alarm", "alarm"),
        ("clock", "Clock", "clock-outline"),
        ("stopwatch", "Stopwatch", "timer-outline"),
    ),
    widest=200.0,
    icon_left=42,
    word_left=8,
    grows=True,
)
BEAT = 0.1
LAPS = 50


class ClockApp(App):
    """The Clock app: time and stopwatch."""

    package: ClassVar[str] = "com.taptrail.demo.clock"
    label: ClassVar[str] = "Clock"
    symbol: ClassVar[str] = "clock-outline"
    tone: ClassVar[str] = "#27364f"
    palettes: ClassVar[tuple[Palette, Palette]] = NIGHT
    version: ClassVar[str] = "6.0.1"

    def __init__(self, host: Host, alarms: Alarms) -> None:
        super().__init__(host)
        self.alarms = alarms
        self.watch = Stopwatch(host)

    def home(self) -> Activity:
        """The alarms."""
        return ClockScreen(self)

    def reset(self) -> None:
        """Puts the alarms back to how they were shipped."""
        self.alarms.reset()
        self.watch = Stopwatch(self.host)


class Stopwatch:
    """Time that was taken, and the laps in it."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._begun: datetime.datetime | None = None
        self._before = datetime.timedelta()
        self.laps: list[datetime.timedelta] = []

    @property
    def runs(self) -> bool:
        """Whether time is being taken now."""
        return self._begun is not None

    @property
    def time(self) -> datetime.timedelta:
        """How much was taken so far."""
        if self._begun is None:
            return self._before
        return self._before + (self._host.wall() - self._begun)

    def turn(self) -> None:
        """Starts or stops."""
        now = self.time
        self._begun = None if self.runs else self._host.wall()
        self._before = now

    def lap(self) -> None:
        """Notes the time that was taken."""
        self.laps = [*self.laps, self.time][-LAPS:]

    def reset(self) -> None:
        """Begins anew."""
        self._before, self.laps, self._begun = datetime.timedelta(), [], None


class ClockScreen(Activity):
    """Three places, with a bar to change between them."""

    name: ClassVar[str] = ".ClockActivity"
    path: ClassVar[str] = "clock/main"

    def __init__(self, app: ClockApp) -> None:
        super().__init__(app)
        self._clock = app
        self._tab = "alarm"
        self._scroll = self.host.scroller()

    @property
    def beat(self) -> float:
        """The hands and a running stopwatch never rest."""
        moves = self._tab == "clock" or (self._tab == "stopwatch" and self._clock.watch.runs)
        return BEAT if moves else 0.0

    def build(self, s: Space) -> View:
        """The chosen place above the bar."""
        height = 44.0 if s.wide else 64.0
        y = s.bottom - height
        area = Rect(0, s.top, s.width, y - s.top)
        place = {"alarm": self._alarms, "clock": self._face, "stopwatch": self._stopwatch}
        return root(s, *place[self._tab](s, area), TABS.bar(s, y, height, self._tab, self._go))

    # --- the places --------------------------------------------------------------------------
    def _alarms(self, s: Space, area: Rect) -> list[View]:
        p = s.palette
        title = label(Rect(24, area.y + 4, s.width - 48, 56), "Alarm", 26, p.text, key="title",
                      res="title")  # fmt: skip
        inner = Rect(0, area.y + 62, s.width, area.h - 62)
        listed = list_of(
            s,
            inner,
            self._scroll,
            "alarms",
            self._clock.alarms.all(),
            s.grown(92),
            lambda box, alarm: self._alarm(s, box, alarm),
            88,
            ("alarm-off", "No alarms"),
        )
        new = fab(s, s.width - 20, area.bottom - 16, "plus", "", self._new, "new-alarm")
        return [listed, title, new]

    def _alarm(self, s: Space, box: Rect, alarm: Alarm) -> View:
        p = s.palette
        key = f"alarm-{alarm.number}"
        ink = p.text if alarm.on else p.outline
        made = row(
            box, key, lambda: self._clock.alarms.turn(alarm.number, not alarm.on), s,
            label(Rect(24, box.y + 10, 200, 46), f"{alarm.hour:02d}:{alarm.minute:02d}", 38, ink,
                  300, key=f"{key}/time", res="digital_clock"),
            label(Rect(24, box.y + 56, 220, 22), alarm.days, 14, p.quiet, key=f"{key}/days",
                  res="days"),
            switch(s, s.width - 52, box.cy, alarm.on),
            long_press=lambda: self._held(alarm, box),
        )  # fmt: skip
        return made

    def _face(self, s: Space, area: Rect) -> list[View]:
        p = s.palette
        now = self.host.wall()
        r = min(area.w * 0.36, (area.h - 110) / 2, 150.0)
        cx = area.w * 0.3 if s.wide else area.cx
        cy = area.cy if s.wide else area.y + 60 + r + 20

        def paint(c: Canvas, v: View) -> None:
            c.circle(cx, cy, r, p.surface)
            for i in range(60):
                inner = r - (14 if i % 5 == 0 else 8)
                start, end = _on(cx, cy, inner, i / 60), _on(cx, cy, r - 4, i / 60)
                c.stroke(*start, *end, p.quiet if i % 5 == 0 else p.line, 2 if i % 5 == 0 else 1)
            minute = now.minute + now.second / 60
            second = now.second + now.microsecond / 1e6
            hour = (now.hour % 12 + minute / 60) / 12
            c.stroke(cx, cy, *_on(cx, cy, r * 0.5, hour), p.text, 6)
            c.stroke(cx, cy, *_on(cx, cy, r * 0.74, minute / 60), p.text, 4)
            c.stroke(cx, cy, *_on(cx, cy, r * 0.84, second / 60), p.primary, 2)
            c.circle(cx, cy, 6, p.primary)

        words = f"{now:%A}, {now.day} {now:%B}"
        text = (
            Rect(area.w * 0.55, area.cy - 44, area.w * 0.4, 56)
            if s.wide
            else Rect(24, cy + r + 16, area.w - 48, 56)
        )
        below = Rect(text.x, text.bottom, text.w, 26)
        return [
            View(centred(cx, cy, 2 * r), "android.widget.AnalogClock", key="face",
                 res="analog_clock", desc=f"{now:%H:%M}", paint=paint),
            label(text, f"{now:%H:%M:%S}", 44, p.text, 300, "centre", key="time",
                  res="digital_clock"),
            label(below, words, 15, p.quiet, 400, "centre", key="date", res="date"),
        ]  # fmt: skip

    def _stopwatch(self, s: Space, area: Rect) -> list[View]:
        p = s.palette
        watch = self._clock.watch
        width = area.w / 2 if s.wide else area.w
        cy = area.y + (area.h * 0.4 if s.wide else area.h * 0.24)
        r = min(width * 0.34, area.h * (0.34 if s.wide else 0.22), 140.0)
        share = (watch.time.total_seconds() % 60) / 60

        def paint(c: Canvas, v: View) -> None:
            c.arc(v.box.cx, v.box.cy, r - 4, 0, 360, p.line, 6)
            if share:
                c.arc(v.box.cx, v.box.cy, r - 4, 0, 360 * share, p.primary, 6)

        ring = View(centred(width / 2, cy, 2 * r), FRAME, res="stopwatch_ring", paint=paint)
        y = cy + r + (44 if s.wide else 60)
        symbol, word = ("pause", "Pause") if watch.runs else ("play", "Start")
        views = [
            ring,
            label(centred(width / 2, cy, 2 * r - 20, 60), _taken(watch.time), 40, p.text, 300,
                  "centre", key="taken", res="stopwatch_time"),
            self._round(s, width / 2, y, 34, symbol, word, watch.turn, "start", True),
        ]  # fmt: skip
        if watch.runs:
            views.append(
                self._round(s, width / 2 + 92, y, 26, "flag-outline", "Lap", watch.lap, "lap")
            )
        elif watch.time or watch.laps:
            views.append(
                self._round(s, width / 2 - 92, y, 26, "restart", "Reset", watch.reset, "reset")
            )
        inner = Rect(width, area.y, area.w - width, area.h)
        if not s.wide:
            inner = Rect(0, y + 48, area.w, area.bottom - y - 48)
        return [self._laps(s, inner), *views]

    def _laps(self, s: Space, area: Rect) -> View:
        p = s.palette
        laps = list(enumerate(self._clock.watch.laps, 1))[::-1]
        top = area.y - self._scroll.measure(len(laps) * 44.0 + 12, area.h)
        rows: list[View] = []
        for i, (number, time) in enumerate(laps):
            box = Rect(area.x + 40, top + 44 * i, area.w - 80, 44)
            if box.bottom > area.y and box.y < area.bottom:
                rows += [
                    label(box, f"Lap {number}", 15, p.quiet, key=f"lap-{number}", res="lap"),
                    label(Rect(box.cx, box.y, box.w / 2, 44), _taken(time), 15, p.text, 400,
                          "right", key=f"lap-{number}/time", res="lap_time"),
                ]  # fmt: skip
        return scroll_list(area, self._scroll, "laps", *rows)

    # --- parts -------------------------------------------------------------------------------
    def _round(
        self, s: Space, cx: float, cy: float, r: float, symbol: str, word: str, tap: Tap, key: str,
        filled: bool = False,
    ) -> View:  # fmt: skip
        p = s.palette
        ink = p.on_primary if filled else p.on_tint

        fill = p.primary if filled else p.tint
        res = f"{key}_button"
        return round_button(cx, cy, r, symbol, fill, ink, word, tap, key, res=res)

    # --- acts --------------------------------------------------------------------------------
    def _go(self, tab: str) -> None:
        self._tab = tab
        self._scroll.offset = 0.0

    def _new(self) -> None:
        def chosen(time: datetime.time) -> None:
            self._clock.alarms.add(time.hour, time.minute)
            self.host.toast(f"Alarm set for {time:%H:%M}")
            self.host.changed("data")

        TimePicker(self.host, datetime.time(7, 0), chosen).show()

    def _held(self, alarm: Alarm, box: Rect) -> None:
        delete = OverlayChoice("Delete", lambda: self._clock.alarms.delete(alarm.number),
                        "delete-outline", danger=True)  # fmt: skip
        self.host.show(menu([delete], 40, box.cy))


def _on(cx: float, cy: float, r: float, turn: float) -> tuple[float, float]:
    """A point on a circle, some share of a turn after twelve."""
    return cx + r * math.sin(math.tau * turn), cy - r * math.cos(math.tau * turn)


def _taken(time: datetime.timedelta) -> str:
    tenths = int(time.total_seconds() * 10)
    return f"{tenths // 600:02d}:{tenths // 10 % 60:02d}.{tenths % 10}"
