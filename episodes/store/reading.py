# ruff: noqa: S608 - only names of our own tables and columns are put in; values are bound
"""Reads episodes from rows.

A batch of episodes costs a fixed number of queries, however many steps they have.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from episodes import actions as a
from episodes.annotations import (
    Author,
    Gold,
    Mask,
    PrivateBox,
    Provenance,
    Region,
    RegionSource,
    Status,
)
from episodes.clocks import ClockSample
from episodes.episodes import Actor, Attempt, Episode, EpisodeState, Origin, Task
from episodes.geometry import Box
from episodes.recordings import DeviceFacts, Gap, Packet, Segment
from episodes.screens import (
    AppFit,
    Basis,
    Foreground,
    Frame,
    StepTree,
    Still,
    StillSource,
    TreeFit,
    TreeRecord,
    TreeStatus,
)
from episodes.steps import Step, StepTexts
from episodes.store import columns as c
from episodes.store.columns import Value
from episodes.store.errors import Damaged

if TYPE_CHECKING:
    from sqlite_utils import Database


def rows(db: Database, sql: str, values: Sequence[Any] | dict[str, Any] = ()) -> Iterator[Any]:
    """Yields the rows of a query; columns are accessed by name."""
    cursor = db.conn.cursor()
    cursor.row_factory = sqlite3.Row
    yield from cursor.execute(sql, values)


@contextmanager
def snapshot(db: Database) -> Iterator[None]:
    """Lets several queries see the library at one moment, while another process writes."""
    if db.conn.in_transaction:
        yield
        return
    db.conn.execute("BEGIN")
    try:
        yield
    finally:
        db.conn.execute("COMMIT")


def read_episodes(db: Database, keys: Sequence[int]) -> list[Episode]:
    """Returns the episodes with these keys, in this order, with all their data."""
    with snapshot(db):
        return _read_episodes(db, keys)


def _read_episodes(db: Database, keys: Sequence[int]) -> list[Episode]:
    parts = _Parts(db, keys)
    found = {
        row["id"]: c.read_row(parts.episode, row, "episode")
        for row in rows(
            db,
            f"""
            SELECT episode.*, text, template, filled, category, task.apps AS task_apps, goal_id,
                actor.kind AS actor_kind, actor.author AS actor_author, agent,
                attempt.number AS attempt_number, outcome, left_out, taken_in
            FROM episode
            JOIN task ON task.id = episode.task
            JOIN instruction ON instruction.id = task.instruction
            JOIN actor ON actor.id = episode.actor
            LEFT JOIN attempt ON attempt.episode = episode.id
            WHERE episode.id IN ({_marks(keys)})
            """,
            keys,
        )
    }
    missing = [key for key in keys if key not in found]
    if missing:
        raise Damaged(f"episode {missing[0]} has no task, instruction or actor")
    return [found[key] for key in keys]


def deleted_steps(db: Database, key: int) -> tuple[Step, ...]:
    """Returns the deleted steps of an episode, replaced ones included."""
    with snapshot(db):
        return _Parts(db, [key], deleted=True).steps[key]


class _Parts:
    """All parts of some episodes, grouped by the row they belong to."""

    def __init__(self, db: Database, keys: Sequence[int], deleted: bool = False) -> None:
        self._db = db
        self._keys = keys
        self._deleted = deleted
        self.authors = {
            row["id"]: Author(row["uuid"], row["name"], row["kind"])
            for row in rows(db, "SELECT * FROM author")
        }
        self.devices = {row["episode"]: row for row in self._all("SELECT * FROM device")}
        self.app_versions = self._grouped("SELECT * FROM app_version", "position", _app_version)
        self.splits = self._grouped("SELECT * FROM episode_split", "position", _split)
        self.segments = self._grouped("SELECT * FROM segment", "number", read_segment)
        self.gaps = self._grouped("SELECT * FROM gap", "number", read_gap)
        self.clock_samples = self._grouped("SELECT * FROM clock_sample", "number", _clock_sample)
        self.frames = {
            row["frame_id"]: self._read(read_frame, row, "frame", row["episode"])
            for row in self._all(f"SELECT {FRAME}, frame.episode FROM frame {STILL}")
        }
        self.trees = self._trees()
        self.regions = self._of_steps(
            "SELECT region.*, mask.left AS mask_left, mask.top AS mask_top, "
            "mask.right AS mask_right, mask.bottom AS mask_bottom, png "
            "FROM region LEFT JOIN mask ON mask.region = region.id",
            self._region,
        )
        self.golds = self._of_steps("SELECT * FROM gold", self._gold)
        self.private_boxes = self._of_steps(
            "SELECT *, id AS number FROM private_box", self._private_box
        )
        self.steps = self._steps()

    def episode(self, row: Any) -> Episode:
        key = row["id"]
        return Episode(
            uuid=row["uuid"],
            name=row["name"],
            origin=Origin(row["dataset"], row["version"], row["origin_file"], row["origin_sha256"]),
            task=Task(
                row["text"],
                row["template"],
                row["filled"],
                row["category"],
                c.read_texts(row["task_apps"], "apps"),
                row["goal_id"],
            ),
            state=c.read_member(EpisodeState, row, "state"),
            steps=self.steps[key],
            actor=Actor(
                row["actor_kind"], _linked(self.authors, row, "actor_author"), row["agent"]
            ),
            attempt=None
            if row["attempt_number"] is None
            else Attempt(row["attempt_number"], row["outcome"], row["left_out"], row["taken_in"]),
            device=_device(self.devices.get(key), self.app_versions[key]),
            started_utc=row["started_utc"],
            ended_utc=row["ended_utc"],
            finish=None
            if row["finish_ending"] is None
            else a.Finish(c.read_member(a.Ending, row, "finish_ending"), row["finish_reason"]),
            final=_linked(self.frames, row, "final_frame"),
            segments=self.segments[key],
            gaps=self.gaps[key],
            clock_samples=self.clock_samples[key],
            declared_steps=row["declared_steps"],
            splits=self.splits[key],
            private=bool(row["private"]),
            extra=row["extra"],
        )

    def _all(self, sql: str, order: str = "", table: str = "") -> Iterator[Any]:
        where = f" WHERE {table}episode IN ({_marks(self._keys)})"
        return rows(self._db, sql + where + (f" ORDER BY {order}" if order else ""), self._keys)

    def _grouped(self, sql: str, order: str, read: Any) -> dict[int, tuple[Any, ...]]:
        groups: dict[int, list[Any]] = defaultdict(list)
        for row in self._all(sql, order):
            table = sql.rpartition(" ")[2]
            groups[row["episode"]].append(self._read(read, row, table, row["episode"]))
        return defaultdict(tuple, {key: tuple(values) for key, values in groups.items()})

    def _of_steps(self, sql: str, read: Any) -> dict[int, tuple[Any, ...]]:
        groups: dict[int, list[Any]] = defaultdict(list)
        steps = f"SELECT id FROM step WHERE episode IN ({_marks(self._keys)})"
        where = f"{sql} WHERE step IN ({steps}) AND withdrawn = 0 ORDER BY number"
        for row in rows(self._db, where, self._keys):
            groups[row["step"]].append(c.read_row(read, row, f"step key {row['step']}, row"))
        return defaultdict(tuple, {key: tuple(values) for key, values in groups.items()})

    def _read(self, read: Callable[[Any], Value], row: Any, table: str, episode: int) -> Value:
        try:
            return c.read_row(read, row, table)
        except Damaged as error:
            (name,) = self._db.conn.execute(
                "SELECT name FROM episode WHERE id = ?", (episode,)
            ).fetchone()
            raise Damaged(f"episode “{name}”, {error}") from error

    def _trees(self) -> dict[int, TreeRecord]:
        sql = "SELECT tree.*, zstd FROM tree LEFT JOIN tree_data ON tree_data.id = tree.data"
        return {row["id"]: self._read(_tree, row, "tree", row["episode"]) for row in self._all(sql)}

    def _steps(self) -> dict[int, tuple[Step, ...]]:
        groups: dict[int, list[Step]] = defaultdict(list)
        sql = (
            "SELECT step.*, path FROM step LEFT JOIN gesture ON gesture.step = step.id "
            f"WHERE episode IN ({_marks(self._keys)}) AND deleted = {int(self._deleted)} "
            "ORDER BY number, step.id"
        )
        for row in rows(self._db, sql, self._keys):
            groups[row["episode"]].append(self._read(self._step, row, "step", row["episode"]))
        return defaultdict(tuple, {key: tuple(steps) for key, steps in groups.items()})

    def _step(self, row: Any) -> Step:
        action = c.read_action(row["action"])
        if row["path"] is not None:
            action = c.with_path(action, c.unpack_path(row["path"]))
        return Step(
            index=row["number"],
            action=action,
            frame=_linked(self.frames, row, "frame"),
            native=c.read_native(row),
            source=row["source"],
            began=c.read_moment(row, "began"),
            ended=c.read_moment(row, "ended"),
            after=_linked(self.frames, row, "frame_after"),
            tree=None
            if (tree := _linked(self.trees, row, "tree")) is None
            else StepTree(tree, c.read_member(TreeFit, row, "tree_fit")),
            foreground=None if row["package"] is None else _foreground(row),
            texts=StepTexts(
                row["instruction"],
                row["description"],
                row["intention"],
                row["context"],
                row["note"],
            ),
            regions=self.regions[row["id"]],
            golds=self.golds[row["id"]],
            private=bool(row["private"]),
            extra=row["extra"],
            private_boxes=self.private_boxes[row["id"]],
        )

    def _region(self, row: Any) -> Region:
        mask = None
        if row["png"] is not None:
            edges = (row[f"mask_{edge}"] for edge in ("left", "top", "right", "bottom"))
            mask = Mask(Box(*edges), row["png"])
        return Region(
            box=c.read_box(row),
            provenance=Provenance(
                c.read_member(RegionSource, row, "source"),
                row["model"],
                row["version"],
                row["prompts"],
                row["score"],
                row["node"],
                row["stability"],
            ),
            label=row["label"],
            mask=mask,
            native=c.read_native(row),
            status=c.read_member(Status, row, "status"),
            chosen=bool(row["chosen"]),
            author=_linked(self.authors, row, "author"),
            uuid=row["uuid"],
        )

    def _private_box(self, row: Any) -> PrivateBox:
        edges = (row[edge] for edge in ("left", "top", "right", "bottom"))
        return PrivateBox(
            Box(*edges), row["reason"], _linked(self.authors, row, "author"), row["uuid"]
        )

    def _gold(self, row: Any) -> Gold:
        return Gold(
            number=row["number"],
            action=c.read_action(row["action"]),
            role=row["role"],
            reason=row["reason"],
            status=c.read_member(Status, row, "status"),
            author=_linked(self.authors, row, "author"),
            native=c.read_native(row),
        )


def _tree(row: Any) -> TreeRecord:
    return TreeRecord(
        format=row["format"],
        data=c.unpack_tree(row["zstd"]),
        source=row["source"],
        status=c.read_member(TreeStatus, row, "status"),
        requested=c.read_moment(row, "requested"),
        answered=c.read_moment(row, "answered"),
        size=c.read_size(row),
        rotation=row["rotation"],
        detail=row["detail"],
    )


def _linked(found: dict[int, Value], row: Any, column: str) -> Value | None:
    """Returns the value that a row points to; None for NULL."""
    key = row[column]
    if key is None:
        return None
    if key not in found:
        raise Damaged(f"{column} points to row {key}, which the episode does not have")
    return found[key]


def _device(row: Any | None, app_versions: tuple[tuple[str, str], ...]) -> DeviceFacts:
    if row is None:
        return DeviceFacts()
    scales = None
    if row["window_animation_scale"] is not None:
        scales = (
            row["window_animation_scale"],
            row["transition_animation_scale"],
            row["animator_duration_scale"],
        )
    return DeviceFacts(
        serial=row["serial"],
        manufacturer=row["manufacturer"],
        model=row["model"],
        product=row["product"],
        build=row["build"],
        android_release=row["android_release"],
        sdk=row["sdk"],
        size=c.read_size(row),
        density=row["density"],
        locale=row["locale"],
        input_method=row["input_method"],
        animation_scales=scales,
        app_versions=app_versions,
        native=row["native"],
    )


FRAME = (
    "frame.id AS frame_id, frame.width AS frame_width, frame.height AS frame_height, basis, "
    "still_source, still_lossless, pts_us, segment, packet, received_ns, painted_ns, native, "
    "protected, "
    "sha256, media_type, still.width, still.height, byte_count, signature"
)
STILL = "LEFT JOIN still ON still.id = frame.still"


def read_frame(row: Any) -> Frame:
    """Returns the frame of a row with the columns of `FRAME`."""
    return Frame(
        size=c.size_of(row["frame_width"], row["frame_height"]),
        basis=c.read_member(Basis, row, "basis"),
        still=None if row["sha256"] is None else read_still(row),
        pts_us=row["pts_us"],
        segment=row["segment"],
        packet=row["packet"],
        received_ns=row["received_ns"],
        painted_ns=row["painted_ns"],
        native=row["native"],
        protected=bool(row["protected"]),
    )


def read_still(row: Any) -> Still:
    """Returns the still of a row with the columns of `FRAME`."""
    return Still(
        sha256=row["sha256"],
        media_type=row["media_type"],
        size=c.size_of(row["width"], row["height"]),
        byte_count=row["byte_count"],
        source=c.read_member(StillSource, row, "still_source"),
        lossless=bool(row["still_lossless"]),
        signature=row["signature"],
    )


def read_segment(row: Any) -> Segment:
    """Returns the segment of a row."""
    return Segment(
        number=row["number"],
        file=row["file"],
        codec=row["codec"],
        size=c.size_of(row["width"], row["height"]),
        config=row["config"],
        rotation=row["rotation"],
        display=row["display"],
        server=row["server"],
        started=c.read_moment(row, "started"),
        ended=c.read_moment(row, "ended") if row["has_ended"] else None,
    )


def read_gap(row: Any) -> Gap:
    """Returns the gap of a row."""
    return Gap(
        row["reason"],
        c.read_moment(row, "started"),
        c.read_moment(row, "ended") if row["has_ended"] else None,
    )


def read_packet(row: Any) -> Packet:
    """Returns the packet of a row.

    Raises:
        Damaged: a number is missing.
    """
    if not all(isinstance(value, int) for value in row):
        raise Damaged(f"packet {row['number']} of a segment lacks a number")
    return Packet(
        row["number"],
        row["pts_us"],
        bool(row["key"]),
        row["offset"],
        row["length"],
        row["received_ns"],
    )


def _foreground(row: Any) -> Foreground:
    return Foreground(
        row["package"],
        row["activity"],
        row["app_label"],
        c.read_member(AppFit, row, "app_fit"),
        c.read_moment(row, "app_requested"),
        c.read_moment(row, "app_answered"),
    )


def _app_version(row: Any) -> tuple[str, str]:
    return row["package"], row["version"]


def _split(row: Any) -> tuple[str, str]:
    return row["split"], row["part"]


def _clock_sample(row: Any) -> ClockSample:
    return ClockSample(row["host_before_ns"], row["host_after_ns"], row["device_us"], row["method"])


def _marks(keys: Sequence[int]) -> str:
    return ", ".join("?" * len(keys))
