"""The notes of the phone: one text file each, in the folder that a person finds them in.

The file's name is the note's title. Files that others put there are notes too.
"""

from __future__ import annotations

import datetime
import os
import zlib
from dataclasses import dataclass
from pathlib import Path

from demophone.apps.app import Files

FOLDER = "/storage/emulated/0/Documents/Notes"
SUFFIX = ".txt"
MAX_BYTES = 64 * 1024
"""Maximum size of a file from outside; the rest is not shown."""
_MAX_NAME = 120
"""Bytes."""
# title, when it was written last, text
_SHIPPED = (
    ("Packing", "2026-05-14 08:02", "Tent, pegs\nHead torch\nDry socks x3\nCash for the ferry"),
    ("Soup", "2026-05-11 13:30", "2 leeks\n1 celery root\n1 litre of stock\nThyme, salt\n\n"
     "Cook 25 min. Thyme: the pot from Fernway is enough for both of us."),
    ("Wi-Fi at the hut", "2026-05-10 17:44", "Network Lighthouse\nPassword grey-heron-27"),
    ("Calls", "2026-05-13 18:20", "Boiler service\nOren, after six\nDentist, to move the 3 June"),
    ("Meter reading", "2026-05-14 07:40", "14 May  20 418\n14 Apr  20 102\n14 Mar  19 786"),
    ("Presents", "2026-05-08 20:15", "Petra: a fern, a small one\nJoss: bicycle bell\n"
     "Nia: nothing, she says"),
    ("Books to read", "2026-05-03 21:05", "Tides & Timetables\nThe Salt Ledger\nAll the Small "
     "Harbours"),
    ("Questions for Lise", "2026-05-12 09:00", "Which folder is the blue one?\nWho brings tea?\n"
     "Six or seven o'clock?"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Note:
    """A note; its title is its name."""

    title: str
    text: str
    when: datetime.datetime

    @property
    def number(self) -> str:
        """A short name for its views, the same as long as it has its title."""
        return f"{zlib.crc32(self.title.encode()):08x}"


class Notebook:
    """Reads and writes the notes."""

    def __init__(self, files: Files) -> None:
        self._folder: Path = files.host(FOLDER)
        self._writes = 0
        if not self._folder.exists() or not any(self._folder.iterdir()):
            self._ship()

    def all(self) -> list[Note]:
        """All notes, the newest first."""
        made = []
        for path in self._paths():
            when = datetime.datetime.fromtimestamp(path.stat().st_mtime, datetime.UTC)
            made.append((-path.stat().st_mtime_ns, path.stem, when, path))
        return [
            Note(title, _read(path), when.replace(tzinfo=None))
            for _, title, when, path in sorted(made)
        ]

    def get(self, title: str) -> Note | None:
        """A note by its title."""
        return next((note for note in self.all() if note.title == title), None)

    def put(self, before: str, title: str, text: str, now: datetime.datetime) -> str:
        """Writes a note; `before` is the title it had, "" for a new one. Returns its title."""
        title = self._free(_name(title or text.strip().partition("\n")[0]), before)
        self._write(title, text, now)
        if before and before != title:
            self.delete(before)
        return title

    def delete(self, title: str) -> None:
        """Deletes a note."""
        for path in self._paths():
            if path.stem == title:
                path.unlink()

    def reset(self) -> None:
        """Puts the notes back to how they were shipped."""
        for path in self._paths():
            path.unlink()
        self._ship()

    def _paths(self) -> list[Path]:
        if not self._folder.is_dir():
            return []
        files = [path for path in self._folder.iterdir() if path.suffix == SUFFIX]
        return [path for path in files if path.is_file() and not path.is_symlink()]

    def _ship(self) -> None:
        for title, when, text in _SHIPPED:
            self._write(title, text, datetime.datetime.fromisoformat(when))

    def _write(self, title: str, text: str, now: datetime.datetime) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{title}{SUFFIX}"
        path.write_text(text, encoding="utf-8", errors="replace")
        # The phone's clock may stand; of two notes of a minute the later one comes first.
        self._writes += 1
        moment = int(now.replace(tzinfo=datetime.UTC, second=0, microsecond=0).timestamp())
        stamp = moment * 1_000_000_000 + self._writes * 1000
        os.utime(path, ns=(stamp, stamp))

    def _free(self, title: str, before: str) -> str:
        """Returns the title, with a number if another note has it already."""
        taken = {path.stem.lower() for path in self._paths()} - {before.lower()}
        names = [title, *(f"{title} ({i})" for i in range(2, len(taken) + 3))]
        return next(name for name in names if name.lower() not in taken)


def _name(title: str) -> str:
    """A title as a file may be called."""
    kept = "".join(" " if c in '/\\:*?"<>|' or not c.isprintable() else c for c in title)
    kept = " ".join(kept.split()).strip(" .")
    cut = kept.encode("utf-8", "ignore")[:_MAX_NAME].decode("utf-8", "ignore")
    return cut.rstrip(" .") or "Note"


def _read(path: Path) -> str:
    with path.open("rb") as file:
        text = file.read(MAX_BYTES).decode("utf-8", "replace").replace("\r\n", "\n")
    return "".join(c for c in text if c in "\n\t" or c.isprintable())
