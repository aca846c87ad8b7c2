"""Dialogs that choose a day or a time of day."""

from __future__ import annotations

import calendar
import datetime
import math
from collections.abc import Callable

from demophone.apps.app import Host
from demophone.views.canvas import Canvas
from demophone.views.geometry import Rect, centred
from demophone.views.overlays import Overlay, plate
from demophone.views.parts import FRAME, TEXT, Space, Tap, button, icon_button, label
from demophone.views.view import View

WEEKDAYS = "MTWTFSS"


class Picker:
    """A dialog that stays until Cancel or OK."""

    name = "picker"

    def __init__(self, host: Host) -> None:
        self._host = host
        self._overlay = Overlay(self.name, self._build)

    def show(self) -> None:
        """Opens the dialog."""
        self._host.show(self._overlay)

    def _again(self, act: Tap) -> Tap:
        """An act inside the dialog: a tap closes a dialog, this one opens again."""

        def tap() -> None:
            act()
            self.show()

        return tap

    def _done(self) -> None:
        raise NotImplementedError

    def _build(self, s: Space) -> View:
        raise NotImplementedError

    def _frame(self, s: Space, box: Rect, *views: View) -> View:
        """The plate with its two buttons and what is on it, over the dimmed screen."""
        right = box.right - 12
        y = box.bottom - 50
        ok = button(s, Rect(right - 72, y, 72, 40), "OK", self._done, "ok", "text")
        cancel = button(s, Rect(right - 172, y, 92, 40), "Cancel", _nothing, "cancel", "text")
        card = View(box, FRAME, paint=plate(s.palette.high, 26), children=[*views, cancel, ok])
        scrim = lambda c, v: c.fill(v.box, "#000000", 0, 0.36)  # noqa: E731
        return View(Rect(0, 0, s.width, s.height), FRAME, paint=scrim, children=[card])


class DatePicker(Picker):
    """A month of which one day is chosen."""

    name = "date-picker"

    def __init__(
        self, host: Host, day: datetime.date, chosen: Callable[[datetime.date], None]
    ) -> None:
        super().__init__(host)
        self._day = day
        self._month = day.replace(day=1)
        self._chosen = chosen

    def _done(self) -> None:
        self._chosen(self._day)

    def _build(self, s: Space) -> View:
        p = s.palette
        room = s.bottom - s.top - 16
        side = 132.0 if s.wide else 0.0
        width = min(s.width - 32, 328.0 + side)
        head = 16.0 if s.wide else 76.0
        cell = min(40.0, (room - head - 48 - 24 - 58) / 6)
        height = head + 48 + 24 + 6 * cell + 58
        box = Rect((s.width - width) / 2, s.top + 8 + (room - height) / 2, width, height)
        words = f"{self._day:%a}, {self._day.day} {self._day:%b}"
        x, y = box.x + side + 14, box.y + head
        column = (width - side - 28) / 7
        views = [
            label(Rect(box.x + 24, box.y + 18, 200, 20), "Select date", 13, p.quiet),
            label(
                Rect(box.x + 24, box.y + 36, 220, 36), words, 26 if not s.wide else 19, p.text,
                key="chosen", res="mtrl_picker_header_selection_text",
            ),
            label(
                Rect(x + 10, y, 160, 48), f"{self._month:%B %Y}", 15, p.text, 500,
                key="month", res="month_navigation_fragment_toggle",
            ),
            icon_button(box.right - 80, y + 24, "chevron-left", "Previous month",
                        self._again(lambda: self._turn(-1)), "previous", p.quiet, side=44),
            icon_button(box.right - 34, y + 24, "chevron-right", "Next month",
                        self._again(lambda: self._turn(1)), "next", p.quiet, side=44),
        ]  # fmt: skip
        y += 48
        for i, letter in enumerate(WEEKDAYS):
            cell_box = Rect(x + column * i, y, column, 24)
            views.append(label(cell_box, letter, 12, p.quiet, 500, "centre"))
        y += 24
        for row, week in enumerate(calendar.Calendar().monthdatescalendar(*_of(self._month))):
            for i, day in enumerate(week):
                if day.month == self._month.month:
                    place = Rect(x + column * i, y + cell * row, column, cell)
                    views.append(self._cell(s, place, day))
        return self._frame(s, box, *views)

    def _cell(self, s: Space, box: Rect, day: datetime.date) -> View:
        p = s.palette
        on = day == self._day
        today = day == self._host.wall().date()

        def paint(c: Canvas, v: View) -> None:
            r = min(18.0, v.box.h / 2 - 1)
            if on:
                c.circle(v.box.cx, v.box.cy, r, p.primary)
            elif today:
                c.outline(centred(v.box.cx, v.box.cy, 2 * r), p.primary, 1, r)
            ink = p.on_primary if on else p.primary if today else p.text
            c.text(v.box, str(day.day), 14 / c.font_scale, ink, 400, "centre")

        def choose() -> None:
            self._day = day

        return View(
            box,
            TEXT,
            key=f"day-{day.isoformat()}",
            res="month_day",
            text=str(day.day),
            desc=f"{day:%A}, {day.day} {day:%B}",
            paint=paint,
            tap=None if on else self._again(choose),
            selected=on,
            ripple=18,
            ripple_on=p.text,
        )

    def _turn(self, by: int) -> None:
        self._month = month_after(self._month, by)


class TimePicker(Picker):
    """A dial: first the hour, then the minute."""

    name = "time-picker"

    def __init__(
        self, host: Host, time: datetime.time, chosen: Callable[[datetime.time], None]
    ) -> None:
        super().__init__(host)
        self._hour, self._minute = time.hour, time.minute
        self._minutes = False
        self._chosen = chosen

    def _done(self) -> None:
        self._chosen(datetime.time(self._hour, self._minute))

    def _build(self, s: Space) -> View:
        p = s.palette
        room = s.bottom - s.top - 16
        side = 216.0 if s.wide else 0.0
        head = 12.0 if s.wide else 126.0
        dial = min(256.0, room - head - 64)
        width = min(s.width - 32, 312.0 + side)
        height = head + dial + 12 + 58
        box = Rect((s.width - width) / 2, s.top + 8 + (room - height) / 2, width, height)
        at = box.x + 24 if s.wide else box.cx - 100
        top = box.y + (head + 60 if s.wide else 46)
        views = [
            label(Rect(box.x + 24, box.y + 18, 200, 20), "Select time", 13, p.quiet),
            self._half(s, Rect(at, top, 92, 68), self._hour, not self._minutes, "hour"),
            label(Rect(at + 92, top, 16, 64), ":", 44, p.text, 400, "centre"),
            self._half(s, Rect(at + 108, top, 92, 68), self._minute, self._minutes, "minute"),
        ]
        middle = Rect(box.x + side, box.y + head, width - side, dial)
        views += self._dial(s, middle.cx, middle.cy, dial / 2)
        return self._frame(s, box, *views)

    def _half(self, s: Space, box: Rect, number: int, on: bool, key: str) -> View:
        p = s.palette

        def paint(c: Canvas, v: View) -> None:
            c.fill(v.box, p.tint if on else p.surface, 10)
            ink = p.on_tint if on else p.text
            c.text(v.box, f"{number:02d}", 44 / c.font_scale, ink, 400, "centre")

        def turn() -> None:
            self._minutes = key == "minute"

        return View(
            box,
            "android.widget.CompoundButton",
            key=key,
            res=f"material_{key}_tv",
            text=f"{number:02d}",
            paint=paint,
            tap=None if on else self._again(turn),
            checkable=True,
            checked=on,
            ripple=10,
            ripple_on=p.text,
        )

    def _dial(self, s: Space, cx: float, cy: float, r: float) -> list[View]:
        p = s.palette
        outer, inner = r - 22, r - 58
        angle, far = self._pointer(outer, inner)
        end = (cx + far * math.sin(angle), cy - far * math.cos(angle))

        def paint(c: Canvas, v: View) -> None:
            c.circle(cx, cy, r, p.surface)
            c.stroke(cx, cy, *end, p.primary, 2)
            c.circle(cx, cy, 4, p.primary)
            c.circle(*end, 19, p.primary)

        views = [View(centred(cx, cy, 2 * r), FRAME, res="material_clock_face", paint=paint)]
        if self._minutes:
            rings = [(outer, [(5 * i, i) for i in range(12)])]
        else:
            hours = [(i or 12, i) for i in range(12)]
            rings = [(outer, hours), (inner, [(i + 12 if i else 0, i) for i in range(12)])]
        for far, numbers in rings:
            for number, i in numbers:
                at = math.tau * i / 12
                x, y = cx + far * math.sin(at), cy - far * math.cos(at)
                views.append(self._number(s, x, y, number, far == inner))
        return views

    def _pointer(self, outer: float, inner: float) -> tuple[float, float]:
        if self._minutes:
            return math.tau * self._minute / 60, outer
        return math.tau * (self._hour % 12) / 12, outer if 1 <= self._hour <= 12 else inner

    def _number(self, s: Space, x: float, y: float, number: int, small: bool) -> View:
        p = s.palette
        minutes = self._minutes
        on = number == (self._minute if minutes else self._hour)
        words = f"{number:02d}" if minutes or not number else str(number)

        def paint(c: Canvas, v: View) -> None:
            ink = p.on_primary if on else p.quiet if small else p.text
            c.text(v.box, words, (13 if small else 15) / c.font_scale, ink, 400, "centre")

        def choose() -> None:
            if minutes:
                self._minute = number
            else:
                self._hour, self._minutes = number, True

        return View(
            centred(x, y, 38, 36),
            TEXT,
            key=f"{'minute' if minutes else 'hour'}-{number}",
            res="material_clock_number",
            text=words,
            paint=paint,
            tap=None if on and minutes else self._again(choose),
            selected=on,
            ripple=18,
            ripple_on=p.text,
        )


def month_after(month: datetime.date, by: int) -> datetime.date:
    """Returns the first day of the month a number of months later."""
    count = month.year * 12 + month.month - 1 + by
    count = min(max(count, 1990 * 12), 2080 * 12)
    return datetime.date(count // 12, count % 12 + 1, 1)


def _of(month: datetime.date) -> tuple[int, int]:
    return month.year, month.month


def _nothing() -> None:
    """Only closes the dialog."""
