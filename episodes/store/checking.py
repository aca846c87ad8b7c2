# ruff: noqa: S608 - only names of our own tables and columns are put in; values are bound
"""Looks whether a library is whole, and repairs what can be.

Nothing is deleted: what belongs to nobody goes into the folder `orphans`, and each repair is told.
What cannot be repaired is told too: lost pictures come back only from the video, and only when
they are the very same; those that were never written are made from it (`redrawing`).
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import zstandard
from sqlite_utils import Database

from episodes.episodes import EpisodeState
from episodes.errors import KnownError
from episodes.media.segment_files import SegmentWriter, index_path, read_index
from episodes.recordings import Packet
from episodes.screens import TreeStatus
from episodes.store import columns as c
from episodes.store.places import EPISODES, FRAMES, SUFFIXES, episode_folder, still_path
from episodes.store.queries import EpisodeQuery, keys
from episodes.store.reading import read_packet
from episodes.store.reading import rows as query
from episodes.store.redrawing import PNG, draw, hang, redraw, rename
from episodes.store.stills import UNFINISHED, StillFiles
from episodes.store.sums import refresh
from episodes.store.writing import Rows
from episodes.trees.reading import READERS, read_tree

ORPHANS = "orphans"
Progress = Callable[[int, int | None], None]


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is not as it should be.

    Attributes:
        episode: its name; "" for what belongs to no episode.
        place: where, e.g. "step 3", "segment-000.h264".
        repaired: what was done about it; "" for nothing.
    """

    episode: str
    place: str
    found: str
    repaired: str = ""


@dataclass(slots=True)
class CheckReport:
    """How much was looked at, and what is wrong.

    Attributes:
        made: pictures that a frame never had, made from the video.
    """

    episodes: int = 0
    pictures: int = 0
    segments: int = 0
    trees: int = 0
    made: int = 0
    faults: list[Fault] = field(default_factory=list)

    @property
    def left(self) -> list[Fault]:
        """The faults that are still there."""
        return [fault for fault in self.faults if not fault.repaired]


class Checker:
    """One look at a library; with `rows` it repairs, and the caller holds the writer's lock."""

    def __init__(self, db: Database, folder: Path, rows: Rows | None, before: float) -> None:
        """`before`: seconds since the epoch; files changed later may be about to get their row."""
        self.report = CheckReport()
        self._db = db
        self._folder = folder
        self._rows = rows
        self._before = before
        self._stills = StillFiles(folder)
        self._seen: set[str] = set()
        self._trees: set[int] = set()

    def episodes(self, found: Sequence[int], on_progress: Progress | None) -> None:
        """Looks at some episodes."""
        for done, key in enumerate(found, start=1):
            (row,) = query(self._db, "SELECT * FROM episode WHERE id = ?", (key,))
            self._counts(row)
            self._order(row)
            for segment in list(
                query(self._db, "SELECT * FROM segment WHERE episode = ? ORDER BY number", (key,))
            ):
                self._segment(row, segment)
            for place, frame in self._frames(key, row["final_frame"]):
                self._frame(row, place, frame)
            self._read_trees(row)
            self.report.episodes += 1
            if on_progress is not None:
                on_progress(done, len(found))

    def whole(self) -> None:
        """Looks at what belongs to no single episode: the database, and files nobody speaks of."""
        for (found,) in self._db.conn.execute("PRAGMA integrity_check").fetchall():
            if found != "ok":
                self._fault("", "library.db", str(found))
        for table, row, parent, _ in self._db.conn.execute("PRAGMA foreign_key_check").fetchall():
            self._fault("", "library.db", f"row {row} of {table} points to no row of {parent}")
        self._rows_of_nobody()
        self._files_of_nobody()

    # An episode.

    def _counts(self, episode: Any) -> None:
        steps, targets = self._db.conn.execute(
            "SELECT count(DISTINCT step.id), count(DISTINCT CASE WHEN chosen = 1 AND withdrawn = 0 "
            "THEN step.id END) FROM step LEFT JOIN region ON region.step = step.id "
            "WHERE episode = ? AND deleted = 0",
            (episode["id"],),
        ).fetchone()
        for name, counted in (("step_count", steps), ("target_count", targets)):
            if episode[name] != counted:
                what = name.removesuffix("_count")
                found = f"it is said to have {episode[name]} {what}s, and has {counted}"
                self._fault(episode["name"], "the list", found, self._counted(episode["id"]))

    def _counted(self, key: int) -> Callable[[], str]:
        def repair() -> str:
            with self._db.atomic():
                refresh(self._db, key)
            return "counted again"

        return repair

    def _order(self, episode: Any) -> None:
        steps = self._db.conn.execute(
            "SELECT number, began_device_us, began_host_ns FROM step "
            "WHERE episode = ? AND deleted = 0 ORDER BY number",
            (episode["id"],),
        ).fetchall()
        for clock in (1, 2):
            timed = [(step[0], step[clock]) for step in steps if step[clock] is not None]
            late = [
                (number, other)
                for (other, before), (number, began) in pairwise(timed)
                if began < before
            ]
            if late:
                for number, other in late:
                    found = f"it began before step {other}"
                    self._fault(episode["name"], f"step {number}", found)
                return

    def _frames(self, key: int, final: int | None) -> Iterator[tuple[str, Any]]:
        sql = (
            "SELECT frame.*, sha256, media_type, byte_count, ? AS place FROM frame "
            "LEFT JOIN still ON still.id = frame.still WHERE frame.id = ?"
        )
        steps = self._db.conn.execute(
            "SELECT number, frame, frame_after FROM step WHERE episode = ? ORDER BY number, id",
            (key,),
        ).fetchall()
        for number, frame, after in steps:
            for place, one in ((f"step {number}", frame), (f"after step {number}", after)):
                if one is not None:
                    yield place, next(query(self._db, sql, (place, one)))
        if final is not None:
            yield "the end", next(query(self._db, sql, ("the end", final)))

    def _frame(self, episode: Any, place: str, frame: Any) -> None:
        if frame["packet"] is not None and frame["segment"] is not None:
            there = self._db.conn.execute(
                "SELECT 1 FROM packet JOIN segment ON segment.id = packet.segment "
                "WHERE segment.episode = ? AND segment.number = ? AND packet.number = ?",
                (episode["id"], frame["segment"], frame["packet"]),
            ).fetchone()
            known = self._db.conn.execute(
                "SELECT 1 FROM segment WHERE episode = ?", (episode["id"],)
            ).fetchone()
            if known and there is None:
                found = f"packet {frame['packet']} of its frame is not in the video's index"
                self._fault(episode["name"], place, found)
            elif there is not None and frame["sha256"] is None:
                found = f"its picture was never written; packet {frame['packet']} shows it"
                self._fault(episode["name"], place, found, self._made(episode["id"], frame["id"]))
        sha256 = frame["sha256"]
        if sha256 is None or sha256 in self._seen:
            return
        self._seen.add(sha256)
        self.report.pictures += 1
        path = still_path(self._folder, sha256, frame["media_type"])
        found = ""
        try:
            with path.open("rb") as stream:
                if hashlib.file_digest(stream, "sha256").hexdigest() != sha256:
                    found = "the picture's bytes have changed"
        except OSError as error:
            found = f"the picture cannot be read: {error.strerror}"
        if found:
            self._fault(episode["name"], place, found, self._drawn(frame, path))
        elif (size := path.stat().st_size) != frame["byte_count"]:
            found = f"the picture is said to have {frame['byte_count']} bytes, and has {size}"
            self._fault(episode["name"], place, found, self._measured(frame["still"], size))

    def _made(self, episode: int, frame: int) -> Callable[[], str]:
        """Makes a picture that was never written, as on a full disk, from its packet."""

        def repair() -> str:
            drawn = draw(self._db, self._folder, frame)
            if drawn is None:
                return ""
            sha256 = self._stills.write(drawn.data, PNG)
            with self._db.atomic():
                hang(self._db, frame, sha256, drawn)
                refresh(self._db, episode)
            self._seen.add(sha256)
            self.report.pictures += 1
            self.report.made += 1
            return "made from the video"

        return repair

    def _measured(self, still: int, size: int) -> Callable[[], str]:
        def repair() -> str:
            with self._db.atomic():
                self._db.conn.execute("UPDATE still SET byte_count = ? WHERE id = ?", (size, still))
            return "counted again"

        return repair

    def _drawn(self, frame: Any, path: Path) -> Callable[[], str]:
        """Draws a lost picture from the video, where that shows the very same one."""

        def repair() -> str:
            data = redraw(self._db, self._folder, frame["still"])
            if data is None:
                return ""
            if path.exists():
                self._put_aside(path)
            sha256 = self._stills.write(data, PNG)
            self._seen.add(sha256)
            if sha256 == frame["sha256"]:
                return "drawn again from the video"
            with self._db.atomic():
                rename(self._db, frame["still"], sha256, len(data))
            return f"drawn again from the video, the same picture in other bytes ({sha256[:12]})"

        return repair

    def _segment(self, episode: Any, segment: Any) -> None:
        self.report.segments += 1
        name, place = episode["name"], segment["file"]
        path = episode_folder(self._folder, episode["uuid"]) / segment["file"]
        packets = self._packets(segment["id"])
        if not path.is_file():
            self._fault(name, place, "the video is missing")
            return
        for before, packet in pairwise(packets):
            if packet.offset < before.offset + before.length or packet.pts_us < before.pts_us:
                found = f"packet {packet.number} comes before packet {before.number}"
                self._fault(name, place, found)
        if [packet.number for packet in packets] != list(range(len(packets))):
            found = "its index does not count the packets 0, 1, 2, ..."
            self._fault(name, place, found, self._indexed(segment, path))
            return
        size = path.stat().st_size
        end = max((packet.offset + packet.length for packet in packets), default=0)
        if size < end:
            self._fault(name, place, f"the video has {size} of {end} bytes")
            return
        if not index_path(path).is_file():
            repair = self._index_written(segment, path, packets)
            self._fault(name, place, "the index beside the video is missing", repair)
            return
        whole = list(read_index(path))
        if len(whole) > len(packets):
            more = len(whole) - len(packets)
            found = f"{more} packets of the video are not in the library's index"
            self._fault(name, place, found, self._indexed(segment, path))
        elif len(whole) < len(packets):
            found = f"packet {len(whole)} of the video, or of the index beside it, has changed"
            self._fault(name, place, found)

    def _indexed(self, segment: Any, path: Path) -> Callable[[], str]:
        def repair() -> str:
            known = {packet.number for packet in self._packets(segment["id"])}
            new = [packet for packet in read_index(path) if packet.number not in known]
            if not new:
                return ""
            rows = self._rows
            assert rows is not None
            with self._db.atomic():
                rows.packets(segment["id"], new)
                rows.write()
            return f"took {len(new)} packets from the index beside the video"

        return repair

    def _index_written(
        self, segment: Any, path: Path, packets: Sequence[Packet]
    ) -> Callable[[], str]:
        def repair() -> str:
            data = path.read_bytes()
            if packets and packets[0].offset != len(segment["config"]):
                return ""
            with tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=path.parent) as beside:
                made = Path(beside) / path.name
                with SegmentWriter(made, segment["config"]) as writer:
                    for packet in packets:
                        part = data[packet.offset : packet.offset + packet.length]
                        writer.write(part, packet.pts_us, packet.key, packet.received_ns)
                if list(read_index(made)) != list(packets):
                    return ""
                index_path(made).rename(index_path(path))
            return "written again from the library's index"

        return repair

    def _packets(self, segment: int) -> list[Packet]:
        sql = "SELECT * FROM packet WHERE segment = ? ORDER BY number"
        return [read_packet(row) for row in query(self._db, sql, (segment,))]

    def _read_trees(self, episode: Any) -> None:
        unpack = zstandard.ZstdDecompressor()
        sql = (
            "SELECT tree.format, status, tree_data.*, step.number FROM step "
            "JOIN tree ON tree.id = step.tree JOIN tree_data ON tree_data.id = tree.data "
            "WHERE step.episode = ? ORDER BY step.number, step.id"
        )
        for row in query(self._db, sql, (episode["id"],)):
            if row["id"] in self._trees:
                continue
            self._trees.add(row["id"])
            self.report.trees += 1
            place = f"step {row['number']}"
            try:
                data = unpack.decompress(row["zstd"], c.MAX_TREE)
            except zstandard.ZstdError as error:
                self._fault(episode["name"], place, f"its tree cannot be unpacked: {error}")
                continue
            if hashlib.sha256(data).hexdigest() != row["sha256"]:
                self._fault(episode["name"], place, "its tree's bytes have changed")
            elif row["status"] == TreeStatus.OK and row["format"] in READERS:
                try:
                    read_tree(row["format"], data)
                except KnownError as error:
                    self._fault(episode["name"], place, f"its tree cannot be read: {error.found}")

    # The library.

    def _rows_of_nobody(self) -> None:
        pictures = self._db.conn.execute(
            "SELECT id, sha256, media_type FROM still "
            "WHERE id NOT IN (SELECT still FROM frame WHERE still IS NOT NULL)"
        ).fetchall()
        for key, sha256, media_type in pictures:
            path = still_path(self._folder, sha256, media_type)
            self._seen.add(sha256)
            place = f"{FRAMES}/{sha256[:2]}/{path.name}"
            self._fault("", place, "no step shows this picture", self._row_out("still", key, path))
        trees = self._db.conn.execute(
            "SELECT id, sha256, zstd FROM tree_data "
            "WHERE id NOT IN (SELECT data FROM tree WHERE data IS NOT NULL)"
        ).fetchall()
        for key, sha256, packed in trees:
            self._fault(
                "",
                f"tree {sha256[:12]}",
                "no step has this tree",
                self._tree_out(key, sha256, packed),
            )

    def _row_out(self, table: str, key: int, path: Path) -> Callable[[], str]:
        def repair() -> str:
            aside = f"moved to {self._put_aside(path)}" if path.exists() else "its row taken out"
            with self._db.atomic():
                self._db.conn.execute(f"DELETE FROM {table} WHERE id = ?", (key,))
            return aside

        return repair

    def _tree_out(self, key: int, sha256: str, packed: bytes) -> Callable[[], str]:
        def repair() -> str:
            place = self._folder / ORPHANS / "trees" / f"{sha256}.tree.zst"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(packed)
            with self._db.atomic():
                self._db.conn.execute("DELETE FROM tree_data WHERE id = ?", (key,))
            return f"moved to {place.relative_to(self._folder)}"

        return repair

    def _files_of_nobody(self) -> None:
        wanted = {sha256 for (sha256,) in self._db.conn.execute("SELECT sha256 FROM still")}
        for path in sorted((self._folder / FRAMES).glob("*/*")):
            if path.stem in wanted and path.suffix in SUFFIXES.values():
                continue
            if path.name.startswith(UNFINISHED):
                self._orphan(path, "a picture that was not finished")
            else:
                self._orphan(path, "no step speaks of this picture")
        known = {
            uuid: {name for (name,) in self._db.conn.execute(_FILES, (key,))}
            for key, uuid in self._db.conn.execute("SELECT id, uuid FROM episode").fetchall()
        }
        for folder in sorted((self._folder / EPISODES).glob("*")):
            if folder.name not in known:
                self._orphan(folder, "the video of an episode the library does not have")
                continue
            names = known[folder.name]
            names = names | {index_path(Path(name)).name for name in names}
            for path in sorted(folder.iterdir()):
                if path.name not in names:
                    self._orphan(path, "no stretch of capture speaks of this file")

    def _orphan(self, path: Path, found: str) -> None:
        if path.lstat().st_mtime >= self._before:
            return
        place = str(path.relative_to(self._folder))
        self._fault("", place, found, lambda: f"moved to {self._put_aside(path)}")

    def _put_aside(self, path: Path) -> Path:
        """Moves a file or folder into `orphans`, under a name of its own, and returns that."""
        target = self._folder / ORPHANS / path.relative_to(self._folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        free, number = target, 1
        while free.exists():
            number += 1
            free = target.with_name(f"{target.name}.{number}")
        shutil.move(path, free)
        return free.relative_to(self._folder)

    def _fault(
        self, episode: str, place: str, found: str, repair: Callable[[], str] | None = None
    ) -> None:
        done = repair() if repair is not None and self._rows is not None else ""
        self.report.faults.append(Fault(episode, place, found, done))


_FILES = "SELECT file FROM segment WHERE episode = ?"


def check(
    db: Database,
    folder: Path,
    rows: Rows | None,
    query: EpisodeQuery,
    age: float,
    on_progress: Progress | None,
) -> CheckReport:
    """Looks at the episodes a query finds; see `Library.check`."""
    checker = Checker(db, folder, rows, time.time() - age)
    found = keys(db, query)
    whole = query == EpisodeQuery()
    if whole:
        found += keys(db, EpisodeQuery(state=EpisodeState.DELETED))
    checker.episodes(found, on_progress)
    if whole:
        checker.whole()
    return checker.report
