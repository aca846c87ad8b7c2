"""The Calendar app: a month with the appointments of one day, a day by its hours, and search."""

from __future__ import annotations

import calendar
import datetime
from typing import ClassVar

from demophone.apps.agenda import Agenda, Event
from demophone.apps.app import Activity, App, Host, Shared
from demophone.apps.day_view import DayView
from demophone.apps.event_editor import EventEditor
from demophone.apps.event_list import EventSearch, event_row
from demophone.apps.event_page import EventPage
from demophone.apps.links import first_date
from demophone.apps.pickers import WEEKDAYS, month_after
from demophone.apps.sideways import Sideways
from demophone.views.bars import more_button
from demophone.views.canvas import Canvas
from demophone.views.geometry import Rect, centred
from demophone.views.overlays import OverlayChoice, menu
from demophone.views.parts import (
    TEXT,
    Space,
    empty,
    fab,
    icon_button,
    label,
    line,
    root,
    scroll_list,
)
from demophone.views.theme import ROSE, Palette
from demophone.views.view import View

HOUR = datetime.timedelta(hours=1)


class Calendar(App):
    """Appointments."""

    package: ClassVar[str] = "com.taptrail.demo.calendar"
    label: ClassVar[str] = "Calendar"
    symbol: ClassVar[str] = "calendar-month"
    tone: ClassVar[str] = "#c94b5b"
    palettes: ClassVar[tuple[Palette, Palette]] = ROSE
    version: ClassVar[str] = "3.4.0"

    def __init__(self, host: Host, agenda: Agenda) -> None:
        super().__init__(host)
        self.agenda = agenda

    def home(self) -> Activity:
        """The month."""
        return Month(self)

    def activity(self, name: str) -> Activity | None:
        """The month, or the form of a new appointment."""
        if name == EventEditor.name:
            return self.new_event(self.host.wall().date())
        return super().activity(name)

    def opening(self, uri: str) -> Activity | None:
        """`event:` with a day or a time leads to the form of a new appointment."""
        if not uri.startswith("event:"):
            return None
        try:
            moment = datetime.datetime.fromisoformat(uri.removeprefix("event:"))
        except ValueError:
            return None
        timed = "T" in uri
        return self.new_event(moment.date(), moment.time() if timed else None)

    def receiving(self, shared: Shared) -> Activity | None:
        """The form of a new appointment, on the first day that the text names."""
        words = shared.title or shared.text.strip().partition("\n")[0]
        target = self.opening(first_date(shared.text, self.host.wall()))
        if isinstance(target, EventEditor):
            target.fill(words[:60], shared.text)
        return target

    def new_event(self, day: datetime.date, time: datetime.time | None = None) -> EventEditor:
        """A form for that day; at the next full hour where no time is given."""
        hour = datetime.time(min(22, self.host.wall().hour + 1))
        start = datetime.datetime.combine(day, time or hour)
        return EventEditor(self, self.agenda, Event(0, "", start, start + HOUR))

    def reset(self) -> None:
        """Puts the appointments back to how they were shipped."""
        self.agenda.reset()


class Month(Activity):
    """The month above, the chosen day's appointments below; beside it on a wide screen."""

    name: ClassVar[str] = ".MonthActivity"
    path: ClassVar[str] = "calendar/month"

    def __init__(self, app: Calendar) -> None:
        super().__init__(app)
        self._calendar = app
        self._day = self.host.wall().date()
        self._month = self._day.replace(day=1)
        self._scroll = self.host.scroller()

    def build(self, s: Space) -> View:
        """Bar, grid, list, and the button for a new appointment."""
        p = s.palette
        today = self.host.wall().date()
        y = s.top + 4
        now = f"{self._month:%B}" + (
            f" {self._month.year}" if self._month.year != today.year else ""
        )
        away = self._day != today or self._month != today.replace(day=1)
        bar = [
            label(Rect(24, y, s.width - 230, 52), now, 26, p.text, key="title", res="title"),
            icon_button(s.width - 172, y + 26, "calendar-today", "Today", self._today, "today",
                        p.quiet if away else p.outline, enabled=away),
            icon_button(s.width - 124, y + 26, "view-day-outline", "Day view", self._open_day,
                        "day-view", p.quiet),
            icon_button(s.width - 76, y + 26, "magnify", "Search", self._search, "search", p.quiet),
            more_button(s, s.width - 28, y + 26, self.menu),
        ]  # fmt: skip
        y += 54
        width = s.width * 0.46 if s.wide else s.width
        cell = min(46.0, (s.bottom - y - 28) / 6) if s.wide else min(46.0, s.height * 0.056)
        grid = self._grid(s, Rect(0, y, width, 24 + 6 * cell))
        if s.wide:
            area = Rect(width, y, s.width - width, s.floor - y)
        else:
            area = Rect(0, grid.box.bottom + 1, s.width, s.floor - grid.box.bottom - 1)
            bar.append(line(s, 0, grid.box.bottom, s.width))
        new = fab(s, s.width - 20, s.bottom - 20, "plus", "", self._new, "new-event")
        return root(s, self._list(s, area), grid, *bar, new)

    def menu(self) -> None:
        """The menu of the bar."""
        self.host.show(
            menu(
                [
                    OverlayChoice("Previous month", lambda: self._turn(-1)),
                    OverlayChoice("Next month", lambda: self._turn(1)),
                ],
                1e4,
                44,
            )
        )

    # --- parts -------------------------------------------------------------------------------
    def _grid(self, s: Space, box: Rect) -> View:
        p = s.palette
        left = box.x + 12
        column = (box.w - 24) / 7
        cell = (box.h - 24) / 6
        made = View(
            box, "android.view.ViewGroup", key="grid", res="month_grid", drag=Sideways(self._turn)
        )
        for i, letter in enumerate(WEEKDAYS):
            made.add(
                label(
                    Rect(left + column * i, box.y, column, 24), letter, 12, p.quiet, 500, "centre"
                )
            )
        weeks = calendar.Calendar().monthdatescalendar(self._month.year, self._month.month)
        for row, week in enumerate(weeks):
            for i, day in enumerate(week):
                place = Rect(left + column * i, box.y + 24 + cell * row, column, cell)
                made.add(self._cell(s, place, day))
        return made

    def _cell(self, s: Space, box: Rect, day: datetime.date) -> View:
        p = s.palette
        events = self._calendar.agenda.on(day)
        on = day == self._day
        today = day == self.host.wall().date()
        here = day.month == self._month.month
        tones = [event.tone for event in events[:3]]
        ink = p.on_primary if on else p.primary if today else p.text if here else p.outline

        def paint(c: Canvas, v: View) -> None:
            up = v.box.cy - 3
            if on:
                c.circle(v.box.cx, up, min(17.0, v.box.h / 2 - 3), p.primary)
            text = centred(v.box.cx, up, v.box.w, 20)
            c.text(text, str(day.day), 14 / c.font_scale, ink, 500 if today else 400, "centre")
            for i, tone in enumerate(tones):
                c.circle(v.box.cx + (i - (len(tones) - 1) / 2) * 7, v.box.bottom - 4, 2.3, tone)

        def choose() -> None:
            self._day = day
            self._month = day.replace(day=1)
            self._scroll.offset = 0.0

        count = f", {len(events)} event{'s' * (len(events) != 1)}" if events else ""
        return View(
            box,
            TEXT,
            key=f"day-{day.isoformat()}",
            res="day",
            text=str(day.day),
            desc=f"{day:%A}, {day.day} {day:%B}{count}",
            paint=paint,
            tap=self._open_day if on else choose,
            selected=on,
            ripple=18,
            ripple_on=p.text,
        )

    def _list(self, s: Space, area: Rect) -> View:
        p = s.palette
        events = self._calendar.agenda.on(self._day)
        height = s.grown(66)
        content = 44 + height * max(1, len(events)) + 88 + s.floor - s.bottom
        y = area.y - self._scroll.measure(content, area.h)
        head = Rect(area.x + 24, y + 6, area.w - 48, 32)
        words = f"{self._day:%A} {self._day.day}"
        views = [label(head, words, 15, p.text, 500, key="day-title", res="day_title")]
        if not events:
            place = Rect(area.x, y + 44, area.w, 100)
            views.append(empty(s, place, "calendar-blank-outline", "Nothing planned"))
        for i, event in enumerate(events):
            box = Rect(area.x, y + 42 + height * i, area.w, height)
            if box.bottom > area.y and box.y < area.bottom:
                views.append(event_row(s, box, event, lambda e=event: self._open(e)))  # type: ignore[misc]
        return scroll_list(area, self._scroll, "agenda", *views)

    # --- acts --------------------------------------------------------------------------------
    def _turn(self, by: int) -> None:
        self._month = month_after(self._month, by)
        today = self.host.wall().date()
        self._day = (
            today
            if (today.year, today.month) == (self._month.year, self._month.month)
            else self._month
        )
        self.host.changed("month")

    def _today(self) -> None:
        self._day = self.host.wall().date()
        self._month = self._day.replace(day=1)

    def _open_day(self) -> None:
        self.host.push(
            DayView(self._calendar, self._calendar.agenda, self._day, self._calendar.new_event)
        )

    def _open(self, event: Event) -> None:
        self.host.push(EventPage(self.app, self._calendar.agenda, event.number))

    def _search(self) -> None:
        self.host.push(EventSearch(self.app, self._calendar.agenda))

    def _new(self) -> None:
        self.host.push(self._calendar.new_event(self._day))
