"""The messages of the phone, in SQLite; names are those of the contacts. Knows no screen."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from demophone.apps.address_book import AddressBook, digits
from demophone.apps.app import Files
from demophone.apps.conversations import conversations
from demophone.apps.database import Database
from demophone.views.theme import AVATARS

PATH = "/data/data/com.taptrail.demo.messages/databases/messages.db"
_SCHEMA = """
CREATE TABLE threads (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    phone TEXT NOT NULL,
    colour TEXT NOT NULL,
    unread INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    thread_id INTEGER NOT NULL REFERENCES threads (id),
    body TEXT NOT NULL,
    sent_at TEXT NOT NULL,
    outgoing INTEGER NOT NULL,
    liked INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX messages_of_thread ON messages (thread_id, id);
"""
_THREAD = "INSERT INTO threads (id, name, phone, colour, unread) VALUES (?, ?, ?, ?, ?)"
_MESSAGE = "INSERT INTO messages (thread_id, body, sent_at, outgoing) VALUES (?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class MailMessage:
    """One message."""

    number: int
    thread: int
    body: str
    when: datetime.datetime
    outgoing: bool
    liked: bool


@dataclass(frozen=True, slots=True)
class Thread:
    """All messages with somebody, the oldest first."""

    number: int
    name: str
    phone: str
    tone: str
    unread: bool
    messages: tuple[MailMessage, ...]

    @property
    def initial(self) -> str:
        """The letter on its picture."""
        return self.name[0].upper() if self.name[:1].isalpha() else ""


class Mailbox:
    """Reads and writes the messages."""

    def __init__(self, files: Files, seed: int, book: AddressBook) -> None:
        self._book = book
        threads, messages = [], []
        for number, talk in enumerate(conversations(seed), 1):
            threads.append((number, talk.name, talk.phone, talk.tone, int(talk.unread)))
            messages += [(number, m.text, m.when, int(m.outgoing)) for m in talk.lines]
        messages.sort(key=lambda m: str(m[2]))
        self._database = Database(files, PATH, _SCHEMA, [(_THREAD, threads), (_MESSAGE, messages)])
        self._known: list[Thread] = []
        self._version = ((0, 0), (0, 0))

    def threads(self) -> list[Thread]:
        """All threads that have messages, the newest first."""
        version = (self._database.version, self._book.version)
        if version != self._version:
            self._known = self._read()
            self._version = version
        return self._known

    def thread(self, number: int) -> Thread | None:
        """A thread by its id."""
        return next((t for t in self.threads() if t.number == number), None)

    def found(self, text: str) -> list[tuple[Thread, MailMessage]]:
        """Messages that contain the text, the newest first."""
        wanted = text.strip().lower()
        hits = [
            (thread, message)
            for thread in self.threads()
            for message in thread.messages
            if wanted and (wanted in message.body.lower() or wanted in thread.name.lower())
        ]
        return sorted(hits, key=lambda hit: (hit[1].when, hit[1].number), reverse=True)

    def begin(self, name: str, phone: str, tone: str = "") -> int:
        """A thread with a number. Returns its id; one that there is already stays."""
        known = self._database.rows("SELECT id, phone FROM threads")
        for number, other in known:
            if digits(other) == digits(phone):
                return int(number)
        tone = tone or AVATARS[len(known) % len(AVATARS)]
        return self._database.run(_THREAD, None, name, phone, tone, 0)

    def facts(self, number: int) -> tuple[str, str, str]:
        """Name, telephone number and colour of a thread, also of one without messages."""
        rows = self._database.rows("SELECT name, phone, colour FROM threads WHERE id = ?", number)
        return self._named(*rows[0]) if rows else ("", "", AVATARS[0])

    def send(self, thread: int, body: str, when: datetime.datetime) -> int:
        """Adds a message of the user's. Returns its id."""
        return self._database.run(_MESSAGE, thread, body, f"{when:%Y-%m-%d %H:%M}", 1)

    def read(self, thread: int, unread: bool = False) -> None:
        """Marks a thread as read, or as unread."""
        self._database.run("UPDATE threads SET unread = ? WHERE id = ?", int(unread), thread)

    def like(self, message: int, on: bool) -> None:
        """Adds a heart to a message, or removes it."""
        self._database.run("UPDATE messages SET liked = ? WHERE id = ?", int(on), message)

    def delete(self, message: int) -> None:
        """Deletes a message."""
        self._database.run("DELETE FROM messages WHERE id = ?", message)

    def delete_thread(self, thread: int) -> None:
        """Deletes all messages of a thread."""
        self._database.run("DELETE FROM messages WHERE thread_id = ?", thread)

    def reset(self) -> None:
        """Puts the messages back to how they were shipped."""
        self._database.reset()

    def _named(self, name: str, phone: str, tone: str) -> tuple[str, str, str]:
        contact = self._book.by_phone(phone)
        return (contact.name, phone, contact.tone) if contact is not None else (name, phone, tone)

    def _read(self) -> list[Thread]:
        messages: dict[int, list[MailMessage]] = {}
        for row in self._database.rows(
            "SELECT id, thread_id, body, sent_at, outgoing, liked FROM messages ORDER BY id"
        ):
            number, thread, body, when, outgoing, liked = row
            stamp = datetime.datetime.fromisoformat(when)
            message = MailMessage(number, thread, body, stamp, bool(outgoing), bool(liked))
            messages.setdefault(thread, []).append(message)
        made = [
            Thread(number, *self._named(name, phone, tone), bool(unread), tuple(messages[number]))
            for number, name, phone, tone, unread in self._database.rows(
                "SELECT id, name, phone, colour, unread FROM threads"
            )
            if number in messages
        ]
        return sorted(
            made, key=lambda t: (t.messages[-1].when, t.messages[-1].number), reverse=True
        )


def day(when: datetime.datetime, now: datetime.datetime, brief: bool = False) -> str:
    """A day as one says it: Today, Wednesday, 3 May; `brief` gives the time for today."""
    days = (now.date() - when.date()).days
    if days == 0:
        return f"{when:%H:%M}" if brief else "Today"
    if days == 1 and not brief:
        return "Yesterday"
    if 0 < days < 7:
        return f"{when:%a}" if brief else f"{when:%A}"
    return f"{when.day} {when:%b}"
