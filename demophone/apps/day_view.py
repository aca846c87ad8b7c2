"""A day of the Calendar app by its hours."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import ClassVar

from demophone.apps.agenda import Agenda, Event
from demophone.apps.app import Activity, App
from demophone.apps.event_page import EventPage
from demophone.apps.sideways import Sideways
from demophone.views.bars import back_button
from demophone.views.canvas import Canvas
from demophone.views.geometry import Rect
from demophone.views.parts import FRAME, Space, icon_button, label, root, scroll_list
from demophone.views.theme import blend
from demophone.views.view import View

HOUR = 56.0
LEFT = 64.0


class DayView(Activity):
    """The hours of a day from above to below, with what is planned."""

    name: ClassVar[str] = ".DayActivity"
    path: ClassVar[str] = "calendar/day"

    def __init__(
        self,
        app: App,
        agenda: Agenda,
        day: datetime.date,
        new: Callable[[datetime.date, datetime.time], Activity],
    ) -> None:
        super().__init__(app)
        self._agenda = agenda
        self._day = day
        self._new = new
        self._scroll = self.host.scroller()
        self._scroll.offset = 7.5 * HOUR

    def build(self, s: Space) -> View:
        """Bar, events of the whole day, hours."""
        p = s.palette
        events = self._agenda.on(self._day)
        whole = [event for event in events if event.all_day]
        y = s.top + 4
        words = f"{self._day:%a}, {self._day.day} {self._day:%B}"
        bar = [
            back_button(s, 28, y + 26, self.host.finish),
            label(Rect(58, y, s.width - 170, 52), words, 20, p.text, key="title", res="title"),
            icon_button(s.width - 76, y + 26, "chevron-left", "Previous day",
                        lambda: self._turn(-1), "previous", p.quiet),
            icon_button(s.width - 28, y + 26, "chevron-right", "Next day",
                        lambda: self._turn(1), "next", p.quiet),
        ]  # fmt: skip
        y += 54
        for event in whole:
            bar.append(self._block(s, Rect(LEFT, y, s.width - LEFT - 12, 36), event))
            y += 40
        area = Rect(0, y, s.width, s.floor - y)
        top = area.y - self._scroll.measure(24 * HOUR + 24 + s.floor - s.bottom, area.h)
        views: list[View] = []
        for hour in range(24):
            box = Rect(0, top + 8 + HOUR * hour, s.width, HOUR)
            if box.bottom > area.y and box.y < area.bottom:
                views.append(self._slot(s, box, hour))
        views += [self._block(s, box, event) for box, event in self._placed(s, top, events)]
        hours = scroll_list(area, self._scroll, "hours", *views)
        frame = View(area, FRAME, drag=Sideways(self._turn), children=[hours])
        return root(s, frame, *bar)

    def _placed(self, s: Space, top: float, events: list[Event]) -> list[tuple[Rect, Event]]:
        """Positions of the appointments with a time; simultaneous ones are side by side."""
        timed = [event for event in events if not event.all_day]
        made = []
        for event in timed:
            start, end = self._hours(event)
            beside = [e for e in timed if self._hours(e)[0] < end and start < self._hours(e)[1]]
            width = (s.width - LEFT - 12) / len(beside)
            x = LEFT + width * beside.index(event)
            height = max(26.0, (end - start) * HOUR - 2)
            made.append((Rect(x, top + 8 + start * HOUR + 1, width - 3, height), event))
        return made

    def _hours(self, event: Event) -> tuple[float, float]:
        """Start and end on this day in hours; at least half an hour."""
        midnight = datetime.datetime.combine(self._day, datetime.time())
        start = max(0.0, (event.start - midnight).total_seconds() / 3600)
        end = min(24.0, (event.end - midnight).total_seconds() / 3600)
        return start, max(end, start + 0.5)

    def _slot(self, s: Space, box: Rect, hour: int) -> View:
        p = s.palette

        def paint(c: Canvas, v: View) -> None:
            c.fill(Rect(LEFT, v.box.y, v.box.w - LEFT, 1), p.line)
            text = Rect(0, v.box.y - 9, LEFT - 12, 18)
            c.text(text, f"{hour:02d}:00", 12, p.quiet, 400, "right")

        time = datetime.time(hour)
        return View(
            box,
            FRAME,
            key=f"hour-{hour}",
            res="hour",
            desc=f"{hour:02d}:00, add event",
            paint=paint,
            tap=lambda: self.host.push(self._new(self._day, time)),
            ripple=0,
            ripple_on=p.text,
        )

    def _block(self, s: Space, box: Rect, event: Event) -> View:
        p = s.palette
        fill = blend(p.background, event.tone, 0.3 if p.dark else 0.2)

        def paint(c: Canvas, v: View) -> None:
            c.fill(v.box, fill, 8)
            c.fill(Rect(v.box.x, v.box.y + 4, 4, v.box.h - 8), event.tone, 2)
            inner = v.box.inset(12, 0)
            if v.box.h < 44:
                c.text(inner, event.title, 14, p.text, 500)
                return
            c.text(Rect(inner.x, inner.y + 5, inner.w, 20), event.title, 14, p.text, 500)
            c.text(Rect(inner.x, inner.y + 25, inner.w, 18), event.hours, 12.5, p.quiet)

        return View(
            box,
            "android.view.View",
            key=f"event-{event.number}",
            res="event",
            text=event.title,
            desc=f"{event.title}, {event.hours}",
            paint=paint,
            tap=lambda: self.host.push(EventPage(self.app, self._agenda, event.number)),
            ripple=8,
            ripple_on=p.text,
        )

    def _turn(self, by: int) -> None:
        self._day += datetime.timedelta(days=by)
        self.host.changed("day")
