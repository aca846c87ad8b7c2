"""Recovers recordings whose process died or whose power was cut."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from episodes.media.segment_files import read_index
from episodes.recordings import Packet
from episodes.store.orphans import move_to_orphans
from episodes.store.places import checked_name, episode_folder
from episodes.store.reading import read_packet, rows
from episodes.store.stills import StillFiles
from episodes.store.summary_columns import next_revision, refresh
from episodes.store.writing import LibraryRows

if TYPE_CHECKING:
    from sqlite_utils import Database


@dataclass(frozen=True, slots=True)
class Recovery:
    """What the recovery at opening a library found.

    Attributes:
        episodes: names of the episodes that were cut off and are INCOMPLETE now.
        moved: pictures without a step, by their new places in the library's folder.
        lost: (first, last) revisions that were saved and are not in the database.
    """

    episodes: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    lost: tuple[tuple[int, int], ...] = ()


def recover(
    db: Database,
    pending: LibraryRows,
    folder: Path,
    before: float,
    lost: tuple[tuple[int, int], ...] = (),
) -> Recovery:
    """Makes episodes of a dead recorder INCOMPLETE.

    Whole packets in the video's file that have no row get one. If anything was cut off or lost,
    pictures without a row that are older than `before` (seconds since the epoch) are moved to
    `orphans`. The caller holds the writer's lock.
    """
    dead = db.conn.execute(
        "SELECT id, uuid, name FROM episode WHERE state = 'recording' ORDER BY id"
    ).fetchall()
    for key, uuid, _ in dead:
        with db.atomic():
            for segment, file in db.conn.execute(
                "SELECT id, file FROM segment WHERE episode = ?", (key,)
            ).fetchall():
                path = episode_folder(folder, uuid) / checked_name(file, "the segment's file")
                _recover_packets(db, pending, segment, path)
            pending.write()
            db.conn.execute(
                "UPDATE episode SET state = 'incomplete', revision = ? WHERE id = ?",
                (next_revision(db), key),
            )
            refresh(db, key)
    moved = []
    if dead or lost:
        listed = {sha256 for (sha256,) in db.conn.execute("SELECT sha256 FROM still")}
        for path in StillFiles(folder).unlisted(listed, before):
            moved.append(str(move_to_orphans(folder, path)))
    return Recovery(tuple(name for _, _, name in dead), tuple(moved), lost)


def _recover_packets(db: Database, pending: LibraryRows, segment: int, path: Path) -> None:
    """Adds the packets after the last one with a row. Rows without bytes are left to the check."""
    count = len(packets_of(db, segment))
    pending.packets(segment, (packet for packet in read_index(path) if packet.number >= count))


def packets_of(db: Database, segment: int) -> list[Packet]:
    """Returns the index of a segment, in order."""
    found = rows(db, "SELECT * FROM packet WHERE segment = ? ORDER BY number", (segment,))
    return [read_packet(row) for row in found]
