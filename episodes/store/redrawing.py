"""Draws pictures from the recorded video: lost ones, and those that were never written.

The file of a picture is named by its bytes, and another version of a library may pack the same
pixels into other bytes. Then the signature that is stored with the picture says whether the
packet shows the same screen; without one nothing is drawn.

A frame that has no picture because the disk was full gets the one its packet shows.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from episodes.errors import KnownError
from episodes.media import signature
from episodes.media.packets import SegmentReader, luma, rgb
from episodes.media.pictures import encode_png
from episodes.media.segment_files import read_index
from episodes.store.places import checked_name, episode_folder
from episodes.store.reading import read_packet
from episodes.store.reading import rows as query

if TYPE_CHECKING:
    from sqlite_utils import Database

PNG = "image/png"

_FRAMES = """
    SELECT episode.uuid, segment.id, segment.file, segment.codec, frame.packet
    FROM frame
    JOIN episode ON episode.id = frame.episode
    JOIN segment ON segment.episode = frame.episode AND segment.number = frame.segment
    WHERE frame.still = ? AND frame.still_source = 'stream' AND frame.packet IS NOT NULL
    ORDER BY frame.id
"""

_FRAME = """
    SELECT episode.uuid, segment.id, segment.file, segment.codec, frame.packet, segment.width,
        segment.height
    FROM frame
    JOIN episode ON episode.id = frame.episode
    JOIN segment ON segment.episode = frame.episode AND segment.number = frame.segment
    WHERE frame.id = ? AND frame.packet IS NOT NULL
"""


def redraw(db: Database, folder: Path, still: int) -> bytes | None:
    """Returns a picture's file, drawn from a packet that shows it; None if no packet does.

    The bytes are a PNG: those that were lost, or others of the same picture.

    Args:
        still: key of the row of the lost picture.
    """
    (row,) = query(db, "SELECT * FROM still WHERE id = ?", (still,))
    for uuid, segment, file, codec, packet in db.conn.execute(_FRAMES, (still,)).fetchall():
        found = query(db, "SELECT * FROM packet WHERE segment = ? ORDER BY number", (segment,))
        packets = [read_packet(one) for one in found]
        path = episode_folder(folder, uuid) / checked_name(file, "a segment")
        try:
            with SegmentReader(path, packets, codec) as reader:
                frame = reader.frame(packet)
            data = encode_png(rgb(frame))
            if row["media_type"] == PNG and hashlib.sha256(data).hexdigest() == row["sha256"]:
                return data
            if (frame.width, frame.height) != (row["width"], row["height"]):
                continue
            if row["signature"] is not None and not signature.differs(
                signature.signature(luma(frame)), row["signature"]
            ):
                return data
        except (KnownError, IndexError):
            continue  # the video is damaged here; another frame may show the same picture
    return None


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture made of a packet: its PNG, its size and its signature."""

    data: bytes
    width: int
    height: int
    signature: bytes


def draw(db: Database, folder: Path, frame: int) -> Drawn | None:
    """Returns a picture for a frame without one, drawn from its packet; None if it has no packet.

    Nothing is drawn if the packet, or a packet it depends on, is damaged, or if it decodes to
    another size than its segment's.

    Args:
        frame: key of the frame's row.
    """
    told = db.conn.execute(_FRAME, (frame,)).fetchone()
    if told is None:
        return None
    uuid, segment, file, codec, packet, width, height = told
    found = query(db, "SELECT * FROM packet WHERE segment = ? ORDER BY number", (segment,))
    packets = [read_packet(one) for one in found]
    path = episode_folder(folder, uuid) / checked_name(file, "a segment")
    try:
        whole = list(read_index(path))
        if packet >= len(whole) or whole[: packet + 1] != packets[: packet + 1]:
            return None
        with SegmentReader(path, packets, codec) as reader:
            shown = reader.frame(packet)
    except (KnownError, IndexError, OSError):
        return None  # the video is damaged here
    if (shown.width, shown.height) != (width, height):
        return None
    return Drawn(encode_png(rgb(shown)), width, height, signature.signature(luma(shown)))


def hang(db: Database, frame: int, sha256: str, drawn: Drawn) -> None:
    """Links a frame to the picture that was drawn for it. Call it inside a transaction."""
    row = db.conn.execute("SELECT id FROM still WHERE sha256 = ?", (sha256,)).fetchone()
    if row is None:
        row = db.conn.execute(
            "INSERT INTO still (sha256, media_type, width, height, byte_count, signature) "
            "VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
            (sha256, PNG, drawn.width, drawn.height, len(drawn.data), drawn.signature),
        ).fetchone()
    db.conn.execute(
        "UPDATE frame SET still = ?, still_source = 'stream', still_lossless = 1 WHERE id = ?",
        (row[0], frame),
    )


def rename(db: Database, still: int, sha256: str, byte_count: int) -> None:
    """Makes all frames of a picture refer to its new file. Call it inside a transaction.

    Nothing that edits refer to changes, so they can still be undone.
    """
    known = db.conn.execute("SELECT id FROM still WHERE sha256 = ?", (sha256,)).fetchone()
    if known is None:
        db.conn.execute(
            "UPDATE still SET sha256 = ?, byte_count = ?, media_type = ? WHERE id = ?",
            (sha256, byte_count, PNG, still),
        )
    else:
        db.conn.execute("UPDATE frame SET still = ? WHERE still = ?", (known[0], still))
        db.conn.execute("DELETE FROM still WHERE id = ?", (still,))
    kept = still if known is None else known[0]
    db.conn.execute(
        "UPDATE frame SET still_lossless = 1 WHERE still = ? AND still_source = 'stream'", (kept,)
    )
