"""An appointment of the Calendar app."""

from __future__ import annotations

from typing import ClassVar

from demophone.apps.agenda import Agenda, Event
from demophone.apps.app import Activity, App
from demophone.apps.event_editor import EventEditor
from demophone.apps.sharing import share
from demophone.views.bars import back_button
from demophone.views.geometry import Rect, centred
from demophone.views.overlays import OverlayChoice, dialog
from demophone.views.parts import (
    Space,
    empty,
    icon,
    icon_button,
    paragraph,
    root,
    scroll_list,
)
from demophone.views.view import View


class EventPage(Activity):
    """What, when and where; Edit, Share, Delete."""

    name: ClassVar[str] = ".EventActivity"
    path: ClassVar[str] = "calendar/event"

    def __init__(self, app: App, agenda: Agenda, number: int) -> None:
        super().__init__(app)
        self._agenda = agenda
        self._number = number
        self._scroll = self.host.scroller()

    def build(self, s: Space) -> View:
        """The facts."""
        p = s.palette
        event = self._agenda.get(self._number)
        back = back_button(s, 28, s.top + 28, self.host.finish)
        area = Rect(0, s.top + 60, s.width, s.floor - s.top - 60)
        if event is None:
            return root(s, back, empty(s, area, "calendar-remove", "This event is gone"))
        buttons = [
            icon_button(s.width - 124, s.top + 28, "pencil-outline", "Edit",
                        lambda: self._edit(event), "edit", p.quiet),
            icon_button(s.width - 76, s.top + 28, "share-variant-outline", "Share",
                        lambda: share(self, event.title, _as_text(event)), "share", p.quiet),
            icon_button(s.width - 28, s.top + 28, "delete-outline", "Delete",
                        lambda: self._ask(event), "delete", p.quiet),
        ]  # fmt: skip
        room = s.width - 64 - 24
        y = area.y - self._scroll.offset
        title = paragraph(s, 64, y + 8, room, event.title, 24, p.text, key="title", res="title")
        tone = event.tone
        dot = View(
            centred(32, y + 8 + 16, 18), paint=lambda c, v: c.fill(v.box, tone, 5), res="colour"
        )
        views = [dot, title]
        y = title.box.bottom + 8
        for key, symbol, text in (
            ("when", "clock-outline", _when(event)),
            ("location", "map-marker-outline", event.place),
            ("notes", "text", event.notes),
            ("reminder", "bell-outline", _reminder(event)),
        ):
            if not text:
                continue
            words = paragraph(s, 64, y + 12, room, text, 16, p.text, key=key, res=key)
            views += [icon(32, y + 23, symbol, p.quiet, 22), words]
            y = words.box.bottom + 12
        self._scroll.measure(y + self._scroll.offset - area.y + s.floor - s.bottom, area.h)
        return root(s, scroll_list(area, self._scroll, "page", *views), back, *buttons)

    def _edit(self, event: Event) -> None:
        self.host.push(EventEditor(self.app, self._agenda, event))

    def _ask(self, event: Event) -> None:
        def delete() -> None:
            self._agenda.delete(event.number)
            self.host.finish()

        self.host.show(
            dialog(
                "Delete event?",
                f"{event.title} will be taken out of the calendar.",
                [OverlayChoice("Cancel", _nothing), OverlayChoice("Delete", delete, danger=True)],
            )
        )


def _day(event: Event) -> str:
    return f"{event.start:%A}, {event.start.day} {event.start:%B %Y}"


def _when(event: Event) -> str:
    return f"{_day(event)}\n{event.hours}"


def _reminder(event: Event) -> str:
    if event.reminder < 0:
        return ""
    return f"{event.reminder} minutes before" if event.reminder else "At the time"


def _as_text(event: Event) -> str:
    """An appointment as one writes it to somebody."""
    hours = "" if event.all_day else f" at {event.start:%H:%M}"
    place = f", {event.place}" if event.place else ""
    return f"{event.title}: {event.start:%A} {event.start.day} {event.start:%B}{hours}{place}"


def _nothing() -> None:
    """Only closes the dialog."""
