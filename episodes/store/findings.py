"""Results of checking a library: faults and repairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from episodes.errors import KnownError
from episodes.store.errors import convert_errors
from episodes.store.orphans import ORPHANS, move_to_orphans
from episodes.store.writing import LibraryRows

if TYPE_CHECKING:
    from sqlite_utils import Database

Repair = Callable[[], str]


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in the library.

    Attributes:
        episode: its name; "" if the fault belongs to no episode.
        place: where, e.g. "step 3", "segment-000.h264".
        repaired: the repair that was made; "" if none.
    """

    episode: str
    place: str
    found: str
    repaired: str = ""


@dataclass(slots=True)
class CheckReport:
    """How much was read, and the faults that were found.

    Attributes:
        rows: rows of the database whose digest was compared.
        made: pictures made from the video for frames that never had one.
        orphans: files in the library's folder `orphans`, of this and earlier repairs.
        moved: (from, to) of every file that was moved there, relative to the library.
    """

    episodes: int = 0
    rows: int = 0
    pictures: int = 0
    segments: int = 0
    trees: int = 0
    made: int = 0
    orphans: int = 0
    faults: list[Fault] = field(default_factory=list)
    moved: list[tuple[str, str]] = field(default_factory=list)

    def list_moved(self, moved: Sequence[str]) -> None:
        """Lists pictures that opening the library has moved to `orphans`, by their new places."""
        for new in moved:
            old = new.removeprefix(f"{ORPHANS}/")
            self.moved.append((old, new))
            self.faults.append(Fault("", old, "no step speaks of this picture", f"moved to {new}"))

    @property
    def left(self) -> list[Fault]:
        """The faults that are not repaired."""
        return [fault for fault in self.faults if not fault.repaired]


class Findings:
    """Collects the faults of one check.

    Attributes:
        rows: writes repairs; None for a read-only check.
        damaged: whether the rows that repairs rely on are damaged. Then nothing is repaired.
        held_back: how many repairs were not made for that reason.
    """

    def __init__(self, db: Database, folder: Path, rows: LibraryRows | None) -> None:
        self.report = CheckReport()
        self.db = db
        self.folder = folder
        self.rows = rows
        self.damaged = False
        self.held_back = 0

    def add(self, episode: str, place: str, found: str, repair: Repair | None = None) -> None:
        """Adds a fault. Repairs it first, if it has a repair and repairs are requested."""
        done = ""
        if repair is not None and self.rows is not None:
            if self.damaged:
                self.held_back += 1
            else:
                done = repair()
        self.report.faults.append(Fault(episode, place, found, done))

    @contextmanager
    def looking_at(self, episode: str, place: str) -> Iterator[None]:
        """Adds a fault if the database or the disk cannot be read there."""
        try:
            with convert_errors("check the library"):
                yield
        except KnownError as error:
            if self.rows is not None:
                self.rows.forget()
            self.add(episode, place, error.found)

    def move(self, path: Path) -> Path:
        """Moves a file or folder to `orphans`, lists it, and returns its new place."""
        old = path.relative_to(self.folder)
        new = move_to_orphans(self.folder, path)
        self.report.moved.append((str(old), str(new)))
        return new
