"""The alarms of the phone, in SQLite. Knows no screen."""

from __future__ import annotations

from dataclasses import dataclass

from demophone.apps.app import Files
from demophone.apps.database import Database

PATH = "/data/data/com.taptrail.demo.clock/databases/alarms.db"
_SCHEMA = """
CREATE TABLE alarms (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    hour INTEGER NOT NULL,
    minute INTEGER NOT NULL,
    days TEXT NOT NULL,
    enabled INTEGER NOT NULL
);
"""
_INSERT = "INSERT INTO alarms (hour, minute, days, enabled) VALUES (?, ?, ?, ?)"
_SHIPPED = ((6, 45, "Mon to Fri", 1), (8, 30, "Sat, Sun", 0), (17, 15, "Every day", 0))


@dataclass(frozen=True, slots=True)
class Alarm:
    """A time at which the phone rings."""

    number: int
    hour: int
    minute: int
    days: str
    on: bool


class Alarms:
    """Reads and writes the alarms."""

    def __init__(self, files: Files) -> None:
        self._database = Database(files, PATH, _SCHEMA, [(_INSERT, _SHIPPED)])

    def all(self) -> list[Alarm]:
        """All alarms by their time."""
        _ = self._database.version
        rows = self._database.rows(
            "SELECT id, hour, minute, days, enabled FROM alarms ORDER BY hour, minute, id"
        )
        return [
            Alarm(number, hour, minute, days, bool(on)) for number, hour, minute, days, on in rows
        ]

    def add(self, hour: int, minute: int) -> int:
        """A new alarm that is on. Returns its id."""
        return self._database.run(_INSERT, hour, minute, "Once", 1)

    def turn(self, number: int, on: bool) -> None:
        """Turns an alarm on or off."""
        self._database.run("UPDATE alarms SET enabled = ? WHERE id = ?", int(on), number)

    def delete(self, number: int) -> None:
        """Deletes an alarm."""
        self._database.run("DELETE FROM alarms WHERE id = ?", number)

    def reset(self) -> None:
        """Puts the alarms back to how they were shipped."""
        self._database.reset()
