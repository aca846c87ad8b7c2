"""Appointments as rows of a list, and the search for them."""

from __future__ import annotations

from typing import ClassVar

from demophone.apps.agenda import Agenda, Event
from demophone.apps.app import App
from demophone.apps.event_page import EventPage
from demophone.apps.search import SearchPage
from demophone.views.canvas import Canvas
from demophone.views.geometry import Rect
from demophone.views.parts import (
    LINEAR,
    Space,
    Tap,
    label,
    list_of,
)
from demophone.views.theme import blend
from demophone.views.view import View


def event_row(s: Space, box: Rect, event: Event, tap: Tap, dated: bool = False) -> View:
    """The time at the left, then a plate in the appointment's colour."""
    p = s.palette
    key = f"event-{event.number}"
    plate = Rect(box.x + 84, box.y + 4, box.w - 100, box.h - 8)
    fill = blend(p.background, event.tone, 0.3 if p.dark else 0.2)
    when = f"{event.start.day} {event.start:%b}" if dated else ""
    if not dated:
        when = "All day" if event.all_day else f"{event.start:%H:%M}"
    second = event.hours if dated else event.place or event.hours

    def paint(c: Canvas, v: View) -> None:
        c.fill(plate, fill, 12)
        c.fill(Rect(plate.x, plate.y + 10, 4, plate.h - 20), event.tone, 2)

    inner = Rect(plate.x + 16, plate.y, plate.w - 24, plate.h)
    return View(
        Rect(box.x + 16, box.y, box.w - 24, box.h),
        LINEAR,
        key=key,
        res="event",
        paint=paint,
        tap=tap,
        ripple=12,
        ripple_on=p.text,
        children=[
            label(Rect(box.x + 24, box.y, 64, box.h), when, 13, p.quiet, key=f"{key}/time",
                  res="time"),
            label(Rect(inner.x, inner.cy - 22, inner.w, 24), event.title, 15, p.text, 500,
                  key=f"{key}/title", res="title"),
            label(Rect(inner.x, inner.cy + 1, inner.w, 20), second, 13, p.quiet,
                  key=f"{key}/detail", res="detail"),
        ],
    )  # fmt: skip


class EventSearch(SearchPage):
    """Finds appointments by a word."""

    name: ClassVar[str] = ".SearchActivity"
    path: ClassVar[str] = "calendar/search"
    hint: ClassVar[str] = "Search events"

    def __init__(self, app: App, agenda: Agenda) -> None:
        super().__init__(app)
        self._agenda = agenda

    def _results(self, s: Space, area: Rect) -> View:
        found = sorted(self._agenda.found(self._query.text), key=lambda e: (e.start, e.number))
        return list_of(
            s,
            area,
            self._scroll,
            "results",
            found,
            s.grown(66),
            lambda box, event: event_row(s, box, event, self._opening(event), dated=True),
            24,
            ("calendar-search", "No event has that"),
            to_edge=True,
        )

    def _opening(self, event: Event) -> Tap:
        return lambda: self.host.push(EventPage(self.app, self._agenda, event.number))
