# ruff: noqa: S608 - only names of our own tables and columns are put in; values are bound
"""Copies rows and files of another library into this one, with new keys."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from episodes.media.segment_files import index_path
from episodes.store.places import checked_name, episode_folder, still_path
from episodes.store.reading import rows as query
from episodes.store.stills import StillFiles
from episodes.store.summary_columns import next_revision, refresh
from episodes.store.writing import LibraryRows

if TYPE_CHECKING:
    from sqlite_utils import Database

_SHARED = {  # what makes a row the same one in another library
    "author": ("uuid", "name", "kind"),
    "actor": ("kind", "author", "agent"),
    "instruction": ("text",),
    "task": ("instruction", "template", "filled", "category", "apps", "goal_id"),
    "still": ("sha256",),
    "tree_data": ("sha256",),
    "step_set": ("name", "count", "sha256"),
}
_POINTS = {  # columns that point to other rows; those to the episode, step, ... are given
    "actor": {"author": "author"},
    "task": {"instruction": "instruction"},
    "episode": {"task": "task", "actor": "actor"},
    "frame": {"still": "still"},
    "tree": {"data": "tree_data"},
    "step": {"frame": "frame", "frame_after": "frame", "tree": "tree"},
    "region": {"author": "author"},
    "gold": {"author": "author"},
    "private_box": {"author": "author"},
    "edit": {"author": "author", "step": "step"},
    "run": {"step_set": "step_set"},
}
_KEYED = (
    *("author", "actor", "instruction", "task", "episode", "segment", "still", "frame"),
    *("tree_data", "tree", "step", "region", "gold", "private_box"),
)
_OF_EPISODE = (
    *("attempt", "device", "app_version", "episode_split", "gap", "clock_sample"),
    *("accepted_finding", "episode_review", "blind_choice", "step_judgement", "task_verdict"),
)


def _of_run(row: Any, run: int, renamed: dict[str, str]) -> dict[str, Any]:
    values = dict(row) | {"run": run}
    if "episode" in values:
        values["episode"] = renamed.get(values["episode"], values["episode"])
    return values


class CopiedFiles(NamedTuple):
    """How many files were copied, and the names of files that are missing or changed."""

    files: int
    missing: list[str]


class Copier:
    """Copies rows and maps the other library's keys to ours."""

    def __init__(self, ours: Database, rows: LibraryRows, theirs: Database) -> None:
        """Shares the key counter of `rows`, so that both never assign the same key."""
        self._ours = ours
        self._pending = rows
        self._theirs = theirs
        self._keys: dict[tuple[str, int], int] = {}

    def episode(self, episode: Any, name: str) -> int:
        """Copies a whole episode with its journal, under another name if the name is taken."""
        key = self._insert(
            "episode",
            episode,
            name=name,
            final_frame=None,
            first_frame=None,
            revision=next_revision(self._ours),
        )
        for table in _OF_EPISODE:
            for row in self._rows(table, "episode", episode["id"]):
                self._insert(table, row, episode=key)
        for segment in self._rows("segment", "episode", episode["id"]):
            number = self._insert("segment", segment, episode=key)
            for packet in self._rows("packet", "segment", segment["id"]):
                self._insert("packet", packet, segment=number)
        for step in self._rows("step", "episode", episode["id"], "id"):
            self.step(step, key)
        if episode["final_frame"] is not None:
            final = self._frame(episode["final_frame"], key)
            self._ours.conn.execute("UPDATE episode SET final_frame = ? WHERE id = ?", (final, key))
        self._journal(episode["id"], key)
        refresh(self._ours, key)
        return key

    def step(self, step: Any, episode: int, **changed: int) -> int:
        """Copies a step with its frames, regions, golds and private boxes."""
        for column in ("frame", "frame_after"):
            if step[column] is not None:
                self._frame(step[column], episode)
        if step["tree"] is not None and ("tree", step["tree"]) not in self._keys:
            (tree,) = self._rows("tree", "id", step["tree"])
            self._insert("tree", tree, episode=episode)
        key = self._insert("step", step, episode=episode, **changed)
        for row in self._rows("gesture", "step", step["id"]):
            self._insert("gesture", row, step=key)
        for region in self._rows("region", "step", step["id"], "number"):
            self._region(region, step=key)
        for table in ("gold", "private_box"):
            for row in self._rows(table, "step", step["id"], "id"):
                self._insert(table, row, step=key)
        return key

    def parts_of_step(
        self, their_step: int, step: int, first: Mapping[str, dict[str, str]]
    ) -> None:
        """Copies regions, golds and private boxes the step lacks, as withdrawn.

        Rows without a uuid came with the data set and exist already. `first` maps a uuid to the
        columns' values before any edit.
        """
        for table in ("region", "gold", "private_box"):
            known = {
                uuid
                for (uuid,) in self._ours.conn.execute(
                    f"SELECT uuid FROM {table} WHERE step = ?", (step,)
                )
            }
            for row in self._rows(table, "step", their_step, "id"):
                if not row["uuid"] or row["uuid"] in known:
                    continue
                if table == "private_box":
                    self._insert(table, row, step=step, withdrawn=1)
                    continue
                (number,) = self._ours.conn.execute(
                    f"SELECT coalesce(max(number) + 1, 0) FROM {table} WHERE step = ?", (step,)
                ).fetchone()
                changed = {"step": step, "withdrawn": 1} | first.get(row["uuid"], {})
                if table == "gold":
                    self._insert(table, row, number=max(1, number), **changed)
                else:
                    self._region(row, chosen=0, number=number, **changed)

    def run(self, run: Any, renamed: dict[str, str]) -> None:
        """Copies a run with its answers; `renamed` maps the other library's episode names to
        ours."""
        key = self._insert("run", run)
        for table in ("run_file", "prediction", "orphan"):
            rows = query(self._theirs, f"SELECT * FROM {table} WHERE run = ?", (run["id"],))
            names = renamed if table == "prediction" else {}
            self._insert_all(table, (_of_run(row, key, names) for row in rows))
        if run["step_set"] is not None:
            step_set = self._keys["step_set", run["step_set"]]
            members = self._ours.conn.execute(
                "SELECT 1 FROM step_set_member WHERE step_set = ? LIMIT 1", (step_set,)
            )
            if members.fetchone() is None:  # a step set is known by its hash
                sql = "SELECT * FROM step_set_member WHERE step_set = ?"
                found = query(self._theirs, sql, (run["step_set"],))
                self._insert_all(
                    "step_set_member", (dict(row) | {"step_set": step_set} for row in found)
                )

    def _journal(self, their_episode: int, episode: int) -> None:
        edits = self._rows("edit", "episode", their_episode, "number")
        for edit in edits:
            values = dict(edit) | {"episode": episode, "undone_by": None, "turns": None}
            values["author"] = self.shared("author", edit["author"])
            values["step"] = self._keys.get(("step", edit["step"]))
            del values["number"]
            self._keys["edit", edit["number"]] = self._put("edit", values)
        for edit in edits:
            links = [self._keys.get(("edit", edit[name])) for name in ("undone_by", "turns")]
            self._ours.conn.execute(
                "UPDATE edit SET undone_by = ?, turns = ? WHERE number = ?",
                (*links, self._keys["edit", edit["number"]]),
            )

    def _frame(self, frame: int, episode: int) -> int:
        if ("frame", frame) not in self._keys:
            (row,) = self._rows("frame", "id", frame)
            self._insert("frame", row, episode=episode)
        return self._keys["frame", frame]

    def _region(self, region: Any, **changed: Any) -> None:
        key = self._insert("region", region, **changed)
        for mask in self._rows("mask", "region", region["id"]):
            self._insert("mask", mask, region=key)

    def shared(self, table: str, key: int) -> int:
        """Returns our key of a row that libraries share; adds the row if it is new."""
        if (table, key) in self._keys:
            return self._keys[table, key]
        (row,) = self._rows(table, "id", key)
        values = dict(row)
        for column, target in _POINTS.get(table, {}).items():
            if values[column] is not None:
                values[column] = self.shared(target, values[column])
        names = _SHARED[table]
        where = " AND ".join(f"{name} IS ?" for name in names)
        found = self._ours.conn.execute(
            f"SELECT id FROM {table} WHERE {where}", [values[name] for name in names]
        ).fetchone()
        del values["id"]
        self._keys[table, key] = found[0] if found else self._put(table, values)
        return self._keys[table, key]

    def _insert(self, table: str, row: Any, **changed: Any) -> int:
        values = dict(row)
        for column, target in _POINTS.get(table, {}).items():
            if values[column] is not None:
                mine = self._keys.get((target, values[column]))
                values[column] = mine if mine is not None else self.shared(target, values[column])
        values |= changed
        own = values.pop("id", None)
        key = self._put(table, values)
        if own is not None:
            self._keys[table, own] = key
        return key

    def _insert_all(self, table: str, rows: Iterator[dict[str, Any]]) -> None:
        """Inserts many rows that no other row refers to, with their digests."""
        layout = self._pending.digests.tables[table]
        complete = layout.completed(layout.columns)
        names = (*layout.columns, "digest")
        marks = ", ".join(f":{name}" for name in names)
        listed = ", ".join(f'"{name}"' for name in names)
        next_id = None
        if layout.keys == ("id",):
            sql = f"SELECT coalesce(max(id), 0) + 1 FROM {table}"
            next_id = count(self._ours.conn.execute(sql).fetchone()[0])
        self._ours.conn.executemany(
            f"INSERT INTO {table} ({listed}) VALUES ({marks})",
            (complete(row if next_id is None else row | {"id": next(next_id)}) for row in rows),
        )

    def _put(self, table: str, values: dict[str, Any]) -> int:
        values.pop("digest", None)  # the keys are others here
        if table in _KEYED:
            values = {"id": self._pending.new_key(table)} | values
        names = ", ".join(values)
        marks = ", ".join("?" * len(values))
        cursor = self._ours.conn.execute(
            f"INSERT INTO {table} ({names}) VALUES ({marks})", list(values.values())
        )
        return int(cursor.lastrowid or 0)

    def _rows(self, table: str, column: str, key: int, order: str = "1, 2") -> list[Any]:
        sql = f"SELECT * FROM {table} WHERE {column} = ? ORDER BY {order}"
        return list(query(self._theirs, sql, (key,)))


def copy_files(
    theirs: Database, their_folder: Path, folder: Path, episode: Any, with_video: bool
) -> CopiedFiles:
    """Copies the pictures and video of an episode, before any row refers to them.

    A picture whose bytes do not match the hash in its name is skipped.
    """
    files, missing = 0, []
    stills = StillFiles(folder)
    found = theirs.conn.execute(
        "SELECT DISTINCT sha256, media_type FROM frame JOIN still ON still.id = still "
        "WHERE episode = ? ORDER BY 1",
        (episode["id"],),
    ).fetchall()
    for sha256, media_type in found:
        if still_path(folder, sha256, media_type).is_file():
            continue
        source = still_path(their_folder, sha256, media_type)
        data = source.read_bytes() if source.is_file() and not source.is_symlink() else b""
        if hashlib.sha256(data).hexdigest() != sha256:
            missing.append(f"the picture {sha256[:12]}")
            continue
        stills.write(data, media_type)
        files += 1
    if not with_video:
        return CopiedFiles(files, missing)
    target = episode_folder(folder, episode["uuid"])
    for (name,) in theirs.conn.execute(
        "SELECT file FROM segment WHERE episode = ? ORDER BY number", (episode["id"],)
    ).fetchall():
        source = episode_folder(their_folder, episode["uuid"]) / checked_name(name, "a segment")
        for one in (source, index_path(source)):
            if not one.is_file() or one.is_symlink():
                missing.append(f"the video {one.name}")
            elif not (target / one.name).exists():
                target.mkdir(parents=True, exist_ok=True)
                part = target / f".unfinished-{one.name}"
                shutil.copyfile(one, part)
                part.replace(target / one.name)
                files += 1
    return CopiedFiles(files, missing)
