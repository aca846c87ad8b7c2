"""The form of the Calendar app: a new appointment, or one to change."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from demophone.apps.agenda import TONES, Agenda, Event
from demophone.apps.app import Activity, App
from demophone.apps.pickers import DatePicker, TimePicker
from demophone.views.canvas import Canvas
from demophone.views.fields import Field
from demophone.views.geometry import Rect
from demophone.views.inputs import area_height, cursor_bottom, plain_field, text_area
from demophone.views.overlays import OverlayChoice, dialog
from demophone.views.parts import (
    TEXT,
    Space,
    Tap,
    button,
    icon,
    icon_button,
    label,
    line,
    root,
    row,
    scroll_list,
    switch,
)
from demophone.views.view import View

REMINDERS = {"None": -1, "At the time": 0, "10 minutes before": 10, "1 hour before": 60,
             "1 day before": 1440}  # fmt: skip
_ROW = 52.0


class EventEditor(Activity):
    """Title, times, place, reminder, colour, notes."""

    name: ClassVar[str] = ".EventEditorActivity"
    path: ClassVar[str] = "calendar/editor"

    def __init__(self, app: App, agenda: Agenda, event: Event) -> None:
        super().__init__(app)
        self._agenda = agenda
        self._event = event
        self._scroll = self.host.scroller()
        self._title = Field("title_text", action="next")
        self._place = Field("location_text", action="done")
        self._notes = Field("notes_text", multiline=True)
        self._fields = (self._title, self._place, self._notes)
        texts = (event.title, event.place, event.notes)
        for field, text in zip(self._fields, texts, strict=True):
            field.put(text)
            field.on_change = lambda: self.host.changed("text")
        self._title.following = self._place
        self._before = self._made()

    def fill(self, title: str, notes: str) -> None:
        """Writes into an empty form what another app gave."""
        self._title.put(" ".join(title.split()))
        self._notes.put(notes)

    def shown(self) -> None:
        """The title of a new appointment has the cursor at once."""
        if not self._event.number and not self._title.text:
            self.host.focus(self._title)

    def build(self, s: Space) -> View:
        """The form under its bar."""
        p = s.palette
        area = Rect(0, s.top + 60, s.width, s.floor - s.top - 60)
        room = min(s.width, 560.0)
        left = (s.width - room) / 2
        inner = room - 64 - 20
        written = area_height(s, self._notes, inner)
        notes = max(_ROW, written + 28)
        content = 72 + 7 * _ROW + 24 + notes + 16 + s.floor - s.bottom
        self._follow_cursor(s, area, content, inner)
        y = area.y - self._scroll.measure(content, area.h)
        x = left + 64
        views = [
            plain_field(
                s, Rect(x, y + 8, inner, 56), "Add title", self._title,
                self.has_focus(self._title), 24,
            ),
            line(s, left, y + 70, room),
        ]  # fmt: skip
        y += 72
        event = self._event
        box = Rect(left, y, room, _ROW)
        whole = self._line(s, box, "all-day", "clock-outline", "All-day", "", self._whole_day)
        whole.add(switch(s, box.right - 46, box.cy, event.all_day))
        views.append(whole)
        for name in ("start", "end"):
            y += _ROW
            views += self._moment(s, Rect(left, y, room, _ROW), name)
        y += _ROW
        views += [
            line(s, left, y, room),
            icon(left + 32, y + _ROW / 2, "map-marker-outline", p.quiet),
        ]
        views.append(
            plain_field(
                s, Rect(x, y + 1, inner, _ROW - 2), "Add location", self._place,
                self.has_focus(self._place), 16,
            )
        )  # fmt: skip
        y += _ROW
        views += [
            line(s, left, y, room),
            self._line(
                s, Rect(left, y, room, _ROW), "reminder", "bell-outline",
                _word(event.reminder), "", self._remind,
            ),
            self._colours(s, Rect(left, y + _ROW, room, _ROW)),
            line(s, left, y + 2 * _ROW, room),
            icon(left + 32, y + 2 * _ROW + 26, "text", p.quiet),
            text_area(
                s, Rect(x, y + 2 * _ROW + 14, inner, max(written, _ROW - 14)), "Add notes",
                self._notes, self.has_focus(self._notes),
            ),
        ]  # fmt: skip
        title = "Edit event" if event.number else "New event"
        return root(
            s,
            scroll_list(area, self._scroll, "form", *views, res="form"),
            icon_button(30, s.top + 30, "close", "Cancel", self._cancel, "cancel", p.quiet),
            label(
                Rect(62, s.top + 10, s.width - 170, 40), title, 20, p.text, key="title", res="title"
            ),
            button(s, Rect(s.width - 92, s.top + 10, 76, 40), "Save", self._save, "save"),
        )

    def back(self) -> bool:
        """Asks before discarding changes."""
        if self._made() == self._before:
            return False
        self.host.show(
            dialog(
                "Discard changes?",
                "This event was not saved.",
                [
                    OverlayChoice("Keep editing", _nothing),
                    OverlayChoice("Discard", self.host.finish),
                ],
            )
        )
        return True

    # --- parts -------------------------------------------------------------------------------
    def _line(
        self, s: Space, box: Rect, key: str, symbol: str, text: str, note: str, tap: Tap
    ) -> View:
        p = s.palette
        words = Rect(box.x + 64, box.y, box.w - 150, box.h)
        return row(
            box,
            key,
            tap,
            s,
            icon(box.x + 32, box.cy, symbol, p.quiet),
            label(words, text, 16, p.text, key=f"{key}/title", res="title"),
        )

    def _moment(self, s: Space, box: Rect, name: str) -> list[View]:
        """Day and time of the start or the end, each a button of its own."""
        event = self._event
        moment = event.start if name == "start" else event.end
        day = moment.date()
        if event.all_day and name == "end":
            day -= datetime.timedelta(days=1)
        words = f"{day:%a}, {day.day} {day:%b} {day.year}"
        date = Rect(box.x + 56, box.y + 2, box.w - 56 - 100, box.h - 4)
        views = [self._word(s, date, f"{name}-date", words, lambda: self._pick_day(name))]
        if not event.all_day:
            time = Rect(box.right - 96, box.y + 2, 84, box.h - 4)
            clock = f"{moment:%H:%M}"
            views.append(
                self._word(s, time, f"{name}-time", clock, lambda: self._pick_time(name), True)
            )
        return views

    def _word(self, s: Space, box: Rect, key: str, text: str, tap: Tap, end: bool = False) -> View:
        p = s.palette
        wrong = key.startswith("end") and self._event.end < self._event.start

        def paint(c: Canvas, v: View) -> None:
            ink = p.error if wrong else p.text
            c.text(v.box.inset(8, 0), text, 16, ink, 400, "right" if end else "left")

        return View(
            box,
            TEXT,
            key=key,
            res=key.replace("-", "_"),
            text=text,
            paint=paint,
            tap=tap,
            ripple=8,
            ripple_on=p.text,
        )

    def _colours(self, s: Space, box: Rect) -> View:
        p = s.palette
        names = ("Red", "Blue", "Green", "Amber", "Violet")
        made = View(
            box, res="colours", children=[icon(box.x + 32, box.cy, "palette-outline", p.quiet)]
        )
        for i, (tone, name) in enumerate(zip(TONES, names, strict=True)):
            on = tone == self._event.tone
            place = Rect(box.x + 58 + 46 * i, box.y + 4, 44, 44)

            def paint(c: Canvas, v: View, tone: str = tone, on: bool = on) -> None:
                c.circle(v.box.cx, v.box.cy, 13, tone)
                if on:
                    c.icon(v.box.cx, v.box.cy, "check", 17, "#ffffff")

            made.add(
                View(
                    place,
                    "android.widget.RadioButton",
                    key=f"colour-{name.lower()}",
                    res="colour",
                    desc=name,
                    paint=paint,
                    tap=None if on else self._changing(tone=tone),
                    checkable=True,
                    checked=on,
                    ripple=22,
                    ripple_on=p.text,
                )
            )
        return made

    def _follow_cursor(self, s: Space, area: Rect, content: float, inner: float) -> None:
        """Keeps the line with the cursor above the keyboard."""
        if not self.keyboard or self.focused not in self._fields:
            return
        self._scroll.measure(content, area.h)
        at = {self._title: 0.0, self._place: 72 + 3 * _ROW, self._notes: 72 + 6 * _ROW}
        low = at[self.focused] if self.focused is not None else 0.0
        high = low + _ROW + 20
        if self.focused is self._notes:
            high = low + 20 + cursor_bottom(s, self._notes, inner)
        view = s.bottom - area.y
        self._scroll.offset = min(max(self._scroll.offset, high - view), max(high - view, low))

    # --- acts --------------------------------------------------------------------------------
    def _changing(self, **facts: object) -> Callable[[], None]:
        def change() -> None:
            self._event = replace(self._event, **facts)  # type: ignore[arg-type]

        return change

    def _whole_day(self) -> None:
        event = self._event
        if event.all_day:
            start = event.start.replace(hour=9, minute=0)
            end = start + datetime.timedelta(hours=1)
        else:
            start = _midnight(event.start)
            end = _midnight(max(event.end, event.start)) + datetime.timedelta(days=1)
        self._event = replace(event, all_day=not event.all_day, start=start, end=end)

    def _pick_day(self, name: str) -> None:
        event = self._event
        shift = datetime.timedelta(days=1 if event.all_day and name == "end" else 0)
        moment = (event.start if name == "start" else event.end) - shift

        def chosen(day: datetime.date) -> None:
            self._move(name, datetime.datetime.combine(day, moment.time()) + shift)

        DatePicker(self.host, moment.date(), chosen).show()

    def _pick_time(self, name: str) -> None:
        moment = self._event.start if name == "start" else self._event.end

        def chosen(time: datetime.time) -> None:
            self._move(name, datetime.datetime.combine(moment.date(), time))

        TimePicker(self.host, moment.time(), chosen).show()

    def _move(self, name: str, moment: datetime.datetime) -> None:
        """Moves an end; with the start the end moves along."""
        event = self._event
        if name == "end":
            self._event = replace(event, end=moment)
        else:
            self._event = replace(event, start=moment, end=event.end + (moment - event.start))
        self.host.changed("time")

    def _remind(self) -> None:
        choices = [
            OverlayChoice(
                word, self._changing(reminder=minutes), chosen=minutes == self._event.reminder
            )
            for word, minutes in REMINDERS.items()
        ]
        self.host.show(dialog("Reminder", "", [OverlayChoice("Cancel", _nothing)], choices))

    def _made(self) -> Event:
        return replace(
            self._event,
            title=self._title.text.strip(),
            place=self._place.text.strip(),
            notes=self._notes.text.strip(),
        )

    def _cancel(self) -> None:
        if not self.back():
            self.host.finish()

    def _save(self) -> None:
        event = self._made()
        if event.end < event.start:
            self.host.show(
                dialog(
                    "Check the times",
                    "The end is before the start.",
                    [OverlayChoice("OK", _nothing)],
                )
            )
            return
        self._agenda.put(replace(event, title=event.title or "(No title)"))
        self.host.finish()
        self.host.toast("Event saved")


def _midnight(moment: datetime.datetime) -> datetime.datetime:
    return moment.replace(hour=0, minute=0)


def _word(reminder: int) -> str:
    words = [word for word, minutes in REMINDERS.items() if minutes == reminder]
    return words[0] if words else f"{reminder} minutes before"


def _nothing() -> None:
    """Only closes the dialog."""
