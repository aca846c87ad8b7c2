"""What a recording left behind when its process died, made whole again."""

from __future__ import annotations

from pathlib import Path

from sqlite_utils import Database

from episodes.media.segment_files import read_index
from episodes.recordings import Packet
from episodes.store.places import episode_folder
from episodes.store.reading import read_packet, rows
from episodes.store.stills import StillFiles
from episodes.store.sums import next_revision, refresh
from episodes.store.writing import Rows


def recover(db: Database, pending: Rows, folder: Path, before: float) -> list[str]:
    """Makes episodes of a dead recorder INCOMPLETE and returns their names.

    Packets that are whole in the video's file but were not committed are added to the index;
    index rows whose bytes are not there are taken out. Pictures no row speaks of are removed if
    they are older than `before` (seconds since the epoch). The caller holds the writer's lock.
    """
    dead = db.conn.execute(
        "SELECT id, uuid, name FROM episode WHERE state = 'recording' ORDER BY id"
    ).fetchall()
    for key, uuid, _ in dead:
        with db.atomic():
            for segment, file in db.conn.execute(
                "SELECT id, file FROM segment WHERE episode = ?", (key,)
            ).fetchall():
                _recover_packets(db, pending, segment, episode_folder(folder, uuid) / file)
            pending.write()
            db.conn.execute(
                "UPDATE episode SET state = 'incomplete', revision = ? WHERE id = ?",
                (next_revision(db), key),
            )
            refresh(db, key)
    if dead:
        wanted = {sha256 for (sha256,) in db.conn.execute("SELECT sha256 FROM still")}
        StillFiles(folder).sweep(wanted, before)
    return [name for _, _, name in dead]


def _recover_packets(db: Database, pending: Rows, segment: int, path: Path) -> None:
    indexed = packets_of(db, segment)
    size = path.stat().st_size if path.is_file() else 0
    whole = [packet for packet in indexed if packet.offset + packet.length <= size]
    if len(whole) < len(indexed):
        db.conn.execute(
            "DELETE FROM packet WHERE segment = ? AND offset + length > ?", (segment, size)
        )
    pending.packets(segment, (packet for packet in read_index(path) if packet.number >= len(whole)))


def packets_of(db: Database, segment: int) -> list[Packet]:
    """Returns the index of a segment, in order."""
    found = rows(db, "SELECT * FROM packet WHERE segment = ? ORDER BY number", (segment,))
    return [read_packet(row) for row in found]
