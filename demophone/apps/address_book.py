"""The contacts of the phone, in SQLite. Knows no screen."""

from __future__ import annotations

from dataclasses import dataclass

from demophone.apps.app import Files
from demophone.apps.database import Database
from demophone.apps.people import people
from demophone.views.theme import AVATARS

PATH = "/data/data/com.taptrail.demo.contacts/databases/contacts.db"
_SCHEMA = """
CREATE TABLE contacts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    phone TEXT NOT NULL,
    email TEXT NOT NULL,
    colour TEXT NOT NULL,
    starred INTEGER NOT NULL DEFAULT 0
);
"""
_INSERT = (
    "INSERT INTO contacts (first_name, last_name, phone, email, colour) VALUES (?, ?, ?, ?, ?)"
)


@dataclass(frozen=True, slots=True)
class AddressEntry:
    """An entry of the address book."""

    number: int
    first: str
    last: str
    phone: str
    email: str
    tone: str
    starred: bool

    @property
    def name(self) -> str:
        """First and last name, or what there is of it."""
        return f"{self.first} {self.last}".strip() or self.phone or self.email or "No name"

    @property
    def initial(self) -> str:
        """The letter on its picture, "" if the name begins with none."""
        return self.name[0].upper() if self.name[0].isalpha() else ""


class AddressBook:
    """Reads and writes the contacts."""

    def __init__(self, files: Files, seed: int) -> None:
        rows = [(p.first, p.last, p.phone, p.email, p.tone) for p in people(seed)]
        self._database = Database(files, PATH, _SCHEMA, [(_INSERT, rows)])
        self._known: list[AddressEntry] = []
        self._version = (0, 0)

    @property
    def version(self) -> tuple[int, int]:
        """Differs after each change."""
        return self._database.version

    def all(self) -> list[AddressEntry]:
        """Everybody, by first name."""
        version = self._database.version
        if version != self._version:
            rows = self._database.rows(
                "SELECT id, first_name, last_name, phone, email, colour, starred FROM contacts"
            )
            made = [_contact(*row) for row in rows]
            self._known = sorted(made, key=lambda c: (c.name.lower(), c.number))
            self._version = version
        return self._known

    def get(self, number: int) -> AddressEntry | None:
        """A contact by its id."""
        return next((c for c in self.all() if c.number == number), None)

    def by_phone(self, phone: str) -> AddressEntry | None:
        """Who has this telephone number."""
        wanted = digits(phone)
        return next((c for c in self.all() if wanted and digits(c.phone) == wanted), None)

    def found(self, text: str) -> list[AddressEntry]:
        """Those whose name, number or address contains the text."""
        wanted = text.strip().lower()
        number = digits(wanted)
        return [
            c
            for c in self.all()
            if wanted in c.name.lower()
            or wanted in c.email.lower()
            or (number and number in digits(c.phone))
        ]

    def add(self, first: str, last: str, phone: str, email: str, tone: str = "") -> int:
        """Adds a contact. Returns its id."""
        tone = tone or AVATARS[len(self.all()) % len(AVATARS)]
        return self._database.run(_INSERT, first, last, phone, email, tone)

    def change(self, number: int, first: str, last: str, phone: str, email: str, tone: str) -> None:
        """Writes a contact anew."""
        self._database.run(
            "UPDATE contacts SET first_name = ?, last_name = ?, phone = ?, email = ?, colour = ? "
            "WHERE id = ?",
            first,
            last,
            phone,
            email,
            tone,
            number,
        )

    def star(self, number: int, on: bool) -> None:
        """Makes somebody a favourite, or not."""
        self._database.run("UPDATE contacts SET starred = ? WHERE id = ?", int(on), number)

    def delete(self, number: int) -> None:
        """Deletes a contact."""
        self._database.run("DELETE FROM contacts WHERE id = ?", number)

    def reset(self) -> None:
        """Puts the contacts back to how they were shipped."""
        self._database.reset()


def _contact(
    number: int, first: str, last: str, phone: str, email: str, tone: str, starred: int
) -> AddressEntry:
    return AddressEntry(number, first, last, phone, email, tone, bool(starred))


def digits(phone: str) -> str:
    """The digits of a telephone number."""
    return "".join(c for c in phone if c.isdigit())
