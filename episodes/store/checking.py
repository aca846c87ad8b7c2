"""Reads a whole library, reports what is damaged, and repairs what can be.

Nothing is deleted: files without a row are moved into the folder `orphans`, and each repair is
listed. Faults that cannot be repaired are listed too. A lost picture is restored only from the
video, and only if the result is identical. A picture that was never written is made from the
video (`redrawing`). Nothing is repaired while rows that repairs rely on are damaged.
"""

from __future__ import annotations

import hashlib
import math
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from episodes.episodes import EpisodeState
from episodes.errors import KnownError
from episodes.media.pictures import decode
from episodes.media.segment_files import SegmentWriter, index_path, read_index
from episodes.recordings import Packet
from episodes.screens import TreeStatus
from episodes.store import columns as c
from episodes.store import journal, reviews
from episodes.store.checking_library import (
    check_database,
    check_files,
    check_lost,
    check_values,
)
from episodes.store.errors import Damaged
from episodes.store.findings import CheckReport, Fault, Findings, Repair
from episodes.store.lock import is_locked
from episodes.store.orphans import count_orphans
from episodes.store.places import checked_name, episode_folder, still_path
from episodes.store.queries import EpisodeQuery, keys
from episodes.store.reading import deleted_steps, read_episodes, read_packet
from episodes.store.reading import rows as query
from episodes.store.redrawing import PNG, draw, hang, redraw, rename
from episodes.store.revision_file import RevisionFile
from episodes.store.stills import UNFINISHED, StillFiles
from episodes.store.summary_columns import refresh
from episodes.store.writing import LibraryRows
from episodes.trees.readers import READERS, read_tree

if TYPE_CHECKING:
    from sqlite_utils import Database

__all__ = ["CheckReport", "Fault", "check"]

Progress = Callable[[int, int | None], None]


def check(
    db: Database,
    folder: Path,
    rows: LibraryRows | None,
    query: EpisodeQuery,
    age: float,
    revision_file: RevisionFile,
    on_progress: Progress | None,
) -> CheckReport:
    """Checks the episodes of a query; see `Library.check`.

    Args:
        age: seconds. Files that changed more recently are skipped if the library is open for
            writing, because their row may not be committed yet.
    """
    findings = Findings(db, folder, rows)
    checker = Checker(findings)
    whole = query == EpisodeQuery()
    found: list[int] = []
    with findings.looking_at("", "the list of episodes"):
        found = keys(db, query)
        if whole:
            found += keys(db, EpisodeQuery(state=EpisodeState.DELETED))
    changed = check_database(findings, None if whole else found)
    checker.episodes(found, changed, on_progress)
    if whole:
        check_values(findings)
        check_lost(findings, revision_file)
        before = time.time() - age if rows is not None or is_locked(folder) else math.inf
        check_files(findings, before, checker.seen)
    if held := findings.held_back:
        repairs = f"{held} {'repair was' if held == 1 else 'repairs were'} not made"
        findings.add("", "library.db", f"{repairs}, because the database itself is damaged")
    findings.report.orphans = count_orphans(folder)
    return findings.report


class Checker:
    """Checks single episodes."""

    def __init__(self, findings: Findings) -> None:
        self.report = findings.report
        self.seen: set[str] = set()
        self._findings = findings
        self._fault = findings.add
        self._db = findings.db
        self._folder = findings.folder
        self._stills = StillFiles(findings.folder)
        self._trees: set[int] = set()

    def episodes(
        self, found: Sequence[int], changed: set[str], on_progress: Progress | None
    ) -> None:
        """Checks some episodes.

        Args:
            changed: names of the episodes with rows whose digest is wrong; these are read and not
                repaired.
        """
        for done, key in enumerate(found, start=1):
            with self._findings.looking_at("", f"episode {key}"):
                row = next(query(self._db, "SELECT * FROM episode WHERE id = ?", (key,)))
                self._read(row)
                if row["name"] not in changed:
                    self._check(row)
            self.report.episodes += 1
            if on_progress is not None:
                on_progress(done, len(found))

    def _read(self, row: Any) -> None:
        """Reads all stored data of an episode."""
        with self._findings.looking_at(row["name"], ""):
            read_episodes(self._db, [row["id"]])
            deleted_steps(self._db, row["id"])
        with self._findings.looking_at(row["name"], "what people said"):
            journal.edits(self._db, row["uuid"])
            reviews.accepted_findings(self._db, row["id"])
            reviews.episode_review(self._db, row["id"])
            reviews.step_judgements(self._db, row["id"])
            reviews.blind_choices(self._db, row["id"], None)

    def _check(self, row: Any) -> None:
        name, key = row["name"], row["id"]
        with self._findings.looking_at(name, "the list"):
            self._counts(row)
            self._order(row)
        for segment in list(
            query(self._db, "SELECT * FROM segment WHERE episode = ? ORDER BY number", (key,))
        ):
            with self._findings.looking_at(name, segment["file"]):
                self._segment(row, segment)
        for place, frame in list(self._frames(key, row["final_frame"])):
            with self._findings.looking_at(name, place):
                self._frame(row, place, frame)
        with self._findings.looking_at(name, "the trees"):
            self._read_trees(row)

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

    def _counted(self, key: int) -> Repair:
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
            "SELECT frame.*, sha256, media_type, byte_count, signature, ? AS place FROM frame "
            "LEFT JOIN still ON still.id = frame.still WHERE frame.id = ?"
        )
        steps = self._db.conn.execute(
            "SELECT number, frame, frame_after FROM step WHERE episode = ? ORDER BY number, id",
            (key,),
        ).fetchall()
        for number, frame, after in steps:
            for place, one in ((f"step {number}", frame), (f"after step {number}", after)):
                if one is not None:
                    yield from ((place, row) for row in query(self._db, sql, (place, one)))
        if final is not None:
            yield from (("the end", row) for row in query(self._db, sql, ("the end", final)))

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
        if sha256 is None or sha256 in self.seen:
            return
        self.seen.add(sha256)
        self.report.pictures += 1
        path = still_path(self._folder, sha256, frame["media_type"])
        found = ""
        try:
            with path.open("rb") as stream:
                if hashlib.file_digest(stream, "sha256").hexdigest() != sha256:
                    found = "the picture's bytes have changed"
            if not found and frame["signature"] is None and frame["still_source"] == "import":
                decode(path.read_bytes())
        except OSError as error:
            found = f"the picture cannot be read: {error.strerror}"
        except KnownError as error:
            self._fault(episode["name"], place, f"the picture cannot be decoded: {error.found}")
            return
        if found:
            self._fault(episode["name"], place, found, self._drawn(frame, path))
        elif (size := path.stat().st_size) != frame["byte_count"]:
            found = f"the picture is said to have {frame['byte_count']} bytes, and has {size}"
            self._fault(episode["name"], place, found, self._measured(frame["still"], size))

    def _made(self, episode: int, frame: int) -> Repair:
        """Makes a picture that was never written, for example because the disk was full, from its
        packet."""

        def repair() -> str:
            drawn = draw(self._db, self._folder, frame)
            if drawn is None:
                return ""
            sha256 = self._stills.write(drawn.data, PNG)
            with self._db.atomic():
                hang(self._db, frame, sha256, drawn)
                refresh(self._db, episode)
            self.seen.add(sha256)
            self.report.pictures += 1
            self.report.made += 1
            return "made from the video"

        return repair

    def _measured(self, still: int, size: int) -> Repair:
        def repair() -> str:
            with self._db.atomic():
                self._db.conn.execute("UPDATE still SET byte_count = ? WHERE id = ?", (size, still))
            return "counted again"

        return repair

    def _drawn(self, frame: Any, path: Path) -> Repair:
        """Restores a lost picture from the video, if the video shows the identical picture."""

        def repair() -> str:
            data = redraw(self._db, self._folder, frame["still"])
            if data is None:
                return ""
            old = f"; what was there is {self._findings.move(path)} now" if path.exists() else ""
            sha256 = self._stills.write(data, PNG)
            self.seen.add(sha256)
            if sha256 == frame["sha256"]:
                return f"drawn again from the video{old}"
            with self._db.atomic():
                rename(self._db, frame["still"], sha256, len(data))
            return (
                f"drawn again from the video, the same picture in other bytes ({sha256[:12]}){old}"
            )

        return repair

    def _segment(self, episode: Any, segment: Any) -> None:
        self.report.segments += 1
        name, place = episode["name"], segment["file"]
        path = episode_folder(self._folder, episode["uuid"]) / checked_name(
            segment["file"], "the segment's file"
        )
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
        with path.open("rb") as video:
            if video.read(len(segment["config"])) != segment["config"]:
                self._fault(name, place, "the codec configuration at its beginning has changed")
        whole = list(read_index(path))
        if len(whole) > len(packets):
            more = len(whole) - len(packets)
            found = f"{more} packets of the video are not in the library's index"
            self._fault(name, place, found, self._indexed(segment, path))
        elif len(whole) < len(packets):
            found = f"packet {len(whole)} of the video, or of the index beside it, has changed"
            self._fault(name, place, found)
        elif whole != packets:
            number = next(
                n for n, (one, other) in enumerate(zip(whole, packets, strict=True)) if one != other
            )
            found = f"packet {number} is another one in the index beside the video"
            self._fault(name, place, found)

    def _indexed(self, segment: Any, path: Path) -> Repair:
        def repair() -> str:
            known = {packet.number for packet in self._packets(segment["id"])}
            new = [packet for packet in read_index(path) if packet.number not in known]
            if not new:
                return ""
            rows = self._findings.rows
            assert rows is not None
            with self._db.atomic():
                rows.packets(segment["id"], new)
                rows.write()
            return f"took {len(new)} packets from the index beside the video"

        return repair

    def _index_written(self, segment: Any, path: Path, packets: Sequence[Packet]) -> Repair:
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
                index_path(made).replace(index_path(path))
            return "written again from the library's index"

        return repair

    def _packets(self, segment: int) -> list[Packet]:
        sql = "SELECT * FROM packet WHERE segment = ? ORDER BY number"
        return [read_packet(row) for row in query(self._db, sql, (segment,))]

    def _read_trees(self, episode: Any) -> None:
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
                data = c.unpack_tree(row["zstd"])
            except Damaged as error:
                self._fault(episode["name"], place, f"its {str(error).removeprefix('a ')}")
                continue
            if hashlib.sha256(data).hexdigest() != row["sha256"]:
                self._fault(episode["name"], place, "its tree's bytes have changed")
            elif row["status"] == TreeStatus.OK and row["format"] in READERS:
                try:
                    read_tree(row["format"], data)
                except KnownError as error:
                    self._fault(episode["name"], place, f"its tree cannot be read: {error.found}")
