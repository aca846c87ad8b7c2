"""Lost pictures drawn again from the recorded video, and how it is known that they are the same.

The file of a picture is named by its bytes, and another version of a library may pack the same
pixels into other bytes. Then the signature that is stored beside the picture says whether the
packet shows the same screen; without one nothing is drawn.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from sqlite_utils import Database

from episodes.errors import KnownError
from episodes.media import signature
from episodes.media.packets import SegmentReader, luma, rgb
from episodes.media.pictures import encode_png
from episodes.store.places import checked_name, episode_folder
from episodes.store.reading import read_packet
from episodes.store.reading import rows as query

PNG = "image/png"

_FRAMES = """
    SELECT episode.uuid, segment.id, segment.file, segment.codec, frame.packet
    FROM frame
    JOIN episode ON episode.id = frame.episode
    JOIN segment ON segment.episode = frame.episode AND segment.number = frame.segment
    WHERE frame.still = ? AND frame.still_source = 'stream' AND frame.packet IS NOT NULL
    ORDER BY frame.id
"""


def redraw(db: Database, folder: Path, still: int) -> bytes | None:
    """Returns a picture's file made from a packet that shows it; None where none does.

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


def rename(db: Database, still: int, sha256: str, byte_count: int) -> None:
    """Lets all frames of a picture speak of its new file. Call it inside a transaction.

    Nothing that edits tell of is touched, so they can be taken back as before.
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
