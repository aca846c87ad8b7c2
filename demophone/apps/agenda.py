"""The appointments of the phone, in SQLite. Knows no screen."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from demophone.apps.app import Files
from demophone.apps.database import Database

PATH = "/data/data/com.taptrail.demo.calendar/databases/calendar.db"
TONES = ("#c94b5b", "#3d6fd6", "#4a8a4f", "#b3791a", "#7a57b8")
"""The colours that an appointment can have."""
_SCHEMA = """
CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    starts_at TEXT NOT NULL,
    ends_at TEXT NOT NULL,
    all_day INTEGER NOT NULL DEFAULT 0,
    location TEXT NOT NULL DEFAULT '',
    notes TEXT NOT NULL DEFAULT '',
    reminder_minutes INTEGER NOT NULL DEFAULT 10,
    colour TEXT NOT NULL
);
CREATE INDEX events_by_start ON events (starts_at);
"""
_INSERT = (
    "INSERT INTO events (title, starts_at, ends_at, all_day, location, notes, "
    "reminder_minutes, colour) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
_FORM = "%Y-%m-%d %H:%M"
# day and hours of May 2026, title, place, notes, colour
_SHIPPED = (
    ("03 15:00 17:00", "Garden weekend", "Allotment 14", "Bring gloves", 2),
    ("09 19:30 22:00", "Concert", "Harbour hall", "", 4),
    ("12 08:30 09:00", "Team call", "", "Numbers of April", 1),
    ("14 09:00 10:00", "Boiler service", "At home", "Oren has the key", 0),
    ("14 12:30 13:30", "Lunch with Dana", "Café on the canal", "", 1),
    ("14 18:00 20:00", "Choir", "St Anne's hall", "Guests: Lise Amber, Teo Marsh, Nia Brook", 2),
    ("17 18:00 20:00", "Choir, last rehearsal", "St Anne's hall", "Blue folder", 2),
    ("18 10:00 10:30", "Library books due", "Library", "Tides & Timetables", 3),
    ("20 17:00 18:00", "Swimming", "Mill baths", "", 1),
    ("21 09:15 10:00", "Car inspection", "Garage Weir", "Take the papers", 0),
    ("22 13:00 14:00", "Lunch with Petra", "Market hall", "", 1),
    ("28 19:00 21:30", "Book club", "At Iris's", "Chapters 4 to 9", 4),
)


@dataclass(frozen=True, slots=True)
class Event:
    """An appointment; `number` 0 is one that was never saved."""

    number: int
    title: str
    start: datetime.datetime
    end: datetime.datetime
    all_day: bool = False
    place: str = ""
    notes: str = ""
    reminder: int = 10
    """Minutes before; below 0: none."""
    tone: str = TONES[0]

    def on(self, day: datetime.date) -> bool:
        """Whether some of it is on that day."""
        last = self.end - datetime.timedelta(minutes=1) if self.end > self.start else self.end
        return self.start.date() <= day <= last.date()

    @property
    def hours(self) -> str:
        """When it is, as one says it on its day."""
        return "All day" if self.all_day else f"{self.start:%H:%M} – {self.end:%H:%M}"


class Agenda:
    """Reads and writes the appointments."""

    def __init__(self, files: Files) -> None:
        rows = [_row(*shipped) for shipped in _SHIPPED]
        whole_day = ("2026-05-16 00:00", "2026-05-17 00:00")
        rows.append(("Island with Ivo", *whole_day, 1, "Lighthouse", "Cash for the ferry", -1,
                     TONES[3]))  # fmt: skip
        self._database = Database(files, PATH, _SCHEMA, [(_INSERT, rows)])
        self._known: list[Event] = []
        self._version = (0, 0)

    def all(self) -> list[Event]:
        """All appointments by their time."""
        version = self._database.version
        if version != self._version:
            rows = self._database.rows(
                "SELECT id, title, starts_at, ends_at, all_day, location, notes, "
                "reminder_minutes, colour FROM events"
            )
            made = [event for row in rows if (event := _event(*row)) is not None]
            self._known = sorted(made, key=lambda e: (not e.all_day, e.start, e.number))
            self._version = version
        return self._known

    def on(self, day: datetime.date) -> list[Event]:
        """The appointments of a day, those of the whole day first."""
        return [event for event in self.all() if event.on(day)]

    def get(self, number: int) -> Event | None:
        """An appointment by its id."""
        return next((e for e in self.all() if e.number == number), None)

    def found(self, text: str) -> list[Event]:
        """Those with the text in title, place or notes."""
        wanted = text.strip().lower()
        return [e for e in self.all() if wanted in f"{e.title}\n{e.place}\n{e.notes}".lower()]

    def put(self, event: Event) -> int:
        """Writes an appointment; a new one gets an id. Returns the id."""
        values = (
            event.title,
            f"{event.start:{_FORM}}",
            f"{event.end:{_FORM}}",
            int(event.all_day),
            event.place,
            event.notes,
            event.reminder,
            event.tone,
        )
        if not event.number:
            return self._database.run(_INSERT, *values)
        self._database.run(
            "UPDATE events SET title = ?, starts_at = ?, ends_at = ?, all_day = ?, location = ?, "
            "notes = ?, reminder_minutes = ?, colour = ? WHERE id = ?",
            *values,
            event.number,
        )
        return event.number

    def delete(self, number: int) -> None:
        """Deletes an appointment."""
        self._database.run("DELETE FROM events WHERE id = ?", number)

    def reset(self) -> None:
        """Puts the appointments back to how they were shipped."""
        self._database.reset()


def _row(when: str, title: str, place: str, notes: str, tone: int) -> tuple[object, ...]:
    day, start, end = when.split(" ")
    date = f"2026-05-{day}"
    return (title, f"{date} {start}", f"{date} {end}", 0, place, notes, 10, TONES[tone])


def _event(
    number: int, title: str, start: str, end: str, all_day: int, place: str, notes: str,
    reminder: int, tone: str,
) -> Event | None:  # fmt: skip
    """Returns a row as an appointment; None if another program wrote invalid times."""
    try:
        begins, ends = (datetime.datetime.strptime(t, _FORM) for t in (start, end))  # noqa: DTZ007
    except ValueError:
        return None
    return Event(number, title, begins, ends, bool(all_day), place, notes, reminder, tone)
