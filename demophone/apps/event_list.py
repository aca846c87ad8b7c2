"""Appointments as rows of a list, and the search for them."""

from __future__ import annotations

from typing import ClassVar

from demophone.apps.agenda import Agenda, Event
from demophone.apps.app import Activity, App
from demophone.apps.event_page import EventPage
from demophone.views.canvas import Canvas
from demophone.views.fields import Field
from demophone.views.geometry import Rect
from demophone.views.inputs import plain_field
from demophone.views.parts import (
    FRAME,
    LINEAR,
    Space,
    Tap,
    empty,
    icon_button,
    label,
    root,
    scroll_list,
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


class EventSearch(Activity):
    """Finds appointments by a word."""

    name: ClassVar[str] = ".SearchActivity"
    path: ClassVar[str] = "calendar/search"

    def __init__(self, app: App, agenda: Agenda) -> None:
        super().__init__(app)
        self._agenda = agenda
        self._scroll = self.host.scroller()
        self._field = Field("search_field", kind="search", action="search", on_change=self._changed)

    def shown(self) -> None:
        """The field has the cursor at once."""
        if not self._field.text:
            self.host.focus(self._field)

    def build(self, s: Space) -> View:
        """The field, and what was found."""
        p = s.palette
        bar = Rect(16, s.top + 8, s.width - 32, 52)
        plate = View(bar, FRAME, paint=lambda c, v: c.fill(v.box, p.surface, 26))
        plate.add(
            icon_button(
                bar.x + 26, bar.cy, "arrow-left", "Back", self.host.finish, "back", p.quiet
            ),
            plain_field(
                s,
                Rect(bar.x + 54, bar.y, bar.w - 74, 52),
                "Search events",
                self._field,
                self.has_focus(self._field),
                16,
            ),
        )
        area = Rect(0, bar.bottom + 8, s.width, s.floor - bar.bottom - 8)
        found = sorted(self._agenda.found(self._field.text), key=lambda e: (e.start, e.number))
        height = s.grown(66)
        top = area.y - self._scroll.measure(len(found) * height + 24 + s.floor - s.bottom, area.h)
        rows = []
        for i, event in enumerate(found):
            box = Rect(0, top + i * height, s.width, height)
            if box.bottom > area.y and box.y < area.bottom:
                rows.append(event_row(s, box, event, self._opening(event), dated=True))
        if not found:
            rows.append(empty(s, area, "calendar-search", "No event has that"))
        return root(s, scroll_list(area, self._scroll, "results", *rows), plate)

    def _opening(self, event: Event) -> Tap:
        return lambda: self.host.push(EventPage(self.app, self._agenda, event.number))

    def _changed(self) -> None:
        self._scroll.offset = 0.0
        self.host.changed("search")
