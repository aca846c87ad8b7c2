"""Writes episodes as Parquet tables: episodes, steps, actions, trees, regions, pictures.

The lines of the format taptrail stand in columns of their own, so nothing is lost that they hold;
what is worth a query stands in further columns. Rows are written as they come.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from episodes import actions as a
from episodes.annotations import Region
from episodes.codec import action_to_json
from episodes.episodes import Episode
from episodes.formats import parquet_tables as tables
from episodes.formats import taptrail_values as v
from episodes.formats.input_files import StillPaths
from episodes.formats.output_files import (
    SUFFIXES,
    EpisodeWriter,
    WriteReport,
    copy_still,
    new_folder,
    steps_to_write,
    still_bytes,
    write_all,
)
from episodes.formats.taptrail_writer import can_write, episode_line, line_text, step_line
from episodes.geometry import Native, Point
from episodes.screens import Frame
from episodes.steps import Step

INSIDE, BESIDE = "bytes", "files"
FOLDER = "pictures"


def write(
    episodes: Iterable[Episode], folder: Path, stills: StillPaths, version: str = INSIDE
) -> WriteReport:
    """Writes six tables into a new folder.

    Args:
        version: "bytes" for pictures inside `pictures.parquet`, "files" for pictures in
            `pictures/`, of which the table holds the names.

    Raises:
        KnownError: pyarrow is not installed, the folder is not empty, a picture is missing, or the
            disk is full.
    """
    doing = f"export Parquet to {folder}"
    tables.import_pyarrow(doing)
    with new_folder(folder, (*tables.TABLES, FOLDER), doing):
        return write_all(_Writer(folder, stills, version == INSIDE, doing), episodes)


class _Writer(EpisodeWriter):
    """Writes the tables, and is where the lines' files go."""

    def __init__(self, folder: Path, stills: StillPaths, inside: bool, doing: str) -> None:
        super().__init__(folder, stills, doing)
        self._inside = inside
        self._tables = {name: tables.TableWriter(folder, name, doing) for name in tables.TABLES}
        self._uuid = ""
        self._of_episode: set[str] = set()
        self._files: set[str] = set()
        self._trees: list[tuple[str, bytes]] = []
        self._masks: list[tuple[str, bytes]] = []
        self._count = 0

    def episode(self, episode: Episode) -> None:
        """Writes the rows of an episode."""
        if not can_write(episode, self.written):
            return
        self._uuid, self._of_episode, self._count = episode.uuid, set(), 0
        own = {"uuid": episode.uuid, "episode": episode.name}
        line = episode_line(episode, self)
        steps = 0
        for _, step in steps_to_write(episode, self.written):
            self._step(step, episode.name, own)
            steps += 1
        self._add(
            tables.EPISODES,
            own
            | {
                "dataset": episode.origin.dataset,
                "version": episode.origin.version,
                "instruction": episode.task.instruction,
                "category": episode.task.category,
                "apps": list(episode.task.apps),
                "splits": [{"split": split, "part": part} for split, part in episode.splits],
                "steps": steps,
                "line": line_text(line),
            },
        )
        self.written.episodes += 1
        self.written.steps += steps

    def close(self) -> None:
        """Ends the tables."""
        for table in self._tables.values():
            table.close()

    def abandon(self) -> None:
        """Lets go of the files."""
        for table in self._tables.values():
            table.abandon()

    def frame(self, frame: Frame | None) -> dict[str, Any] | None:
        """Returns a frame as JSON; its picture is kept once an episode."""
        if frame is None:
            return None
        name = None
        still = frame.still
        if still is not None:
            name = f"{FOLDER}/{still.sha256}{SUFFIXES[still.media_type]}"
            if name not in self._of_episode:
                self._of_episode.add(name)
                row = {
                    "uuid": self._uuid,
                    "name": name,
                    "media_type": still.media_type,
                    "width": still.size.width,
                    "height": still.size.height,
                }
                if self._inside:
                    row["data"] = still_bytes(still, self._stills, self._doing)
                    self.written.pictures += 1
                elif name not in self._files:
                    self._files.add(name)
                    copy_still(still, self._stills, self._folder / name, self._doing)
                    self.written.pictures += 1
                self._add(tables.PICTURES, row)
        return v.frame_to_json(frame, name)

    def tree(self, data: bytes) -> str | None:
        """Keeps a tree's bytes for its row, and returns their name."""
        if not data:
            return None
        self._trees.append((self._numbered("trees"), data))
        return self._trees[-1][0]

    def mask(self, png: bytes) -> str:
        """Keeps a mask for its row, and returns its name."""
        self._masks.append((self._numbered("masks"), png))
        return self._masks[-1][0]

    def _numbered(self, folder: str) -> str:
        self._count += 1
        return f"{folder}/{self._count}"

    def _step(self, step: Step, episode: str, own: dict[str, Any]) -> None:
        self._trees, self._masks = [], []
        line = step_line(step, episode, self)
        at = own | {"step": step.index}
        size = step.frame.size if step.frame is not None else None
        self._add(
            tables.STEPS,
            at
            | {
                "width": size.width if size is not None else None,
                "height": size.height if size is not None else None,
                "picture": line.get("frame", {}).get("picture"),
                "instruction": step.texts.instruction,
                "package": step.foreground.package if step.foreground is not None else None,
                "line": line_text(line),
            },
        )
        self._add(tables.ACTIONS, at | {"number": 0} | _action(step.action, step.native))
        for gold in step.golds:
            told = {"number": gold.number, "role": gold.role, "status": gold.status.value}
            self._add(tables.ACTIONS, at | told | _action(gold.action, gold.native))
        if step.tree is not None:
            record = step.tree.record
            name, data = self._trees[0] if self._trees else (None, None)
            told = {"format": record.format, "status": record.status.value}
            self._add(tables.TREES, at | told | {"name": name, "data": data})
        masks = iter(self._masks)
        for region in step.regions:
            name, data = next(masks) if region.mask is not None else (None, None)
            self._add(tables.REGIONS, at | _region(region) | {"name": name, "data": data})

    def _add(self, table: str, row: dict[str, Any]) -> None:
        self._tables[table].add(row)


def _action(action: a.Action, native: Native | None) -> dict[str, Any]:
    """The columns of an action."""
    at = a.place(action)
    end = _end(action)
    told: dict[str, Any] = {
        "kind": a.kind(action),
        "x": at.x if at is not None else None,
        "y": at.y if at is not None else None,
        "end_x": end.x if end is not None else None,
        "end_y": end.y if end is not None else None,
        "native_space": native.space if native is not None else None,
        "native": native.text if native is not None else None,
        "action": json.dumps(action_to_json(action), ensure_ascii=False, separators=(",", ":")),
    }
    match action:
        case a.Swipe() | a.Scroll():
            told["direction"] = action.direction.value
        case a.TypeText(text) | a.Answer(text):
            told["text"] = text
        case a.PressKey(key, name):
            told["key"] = name or key.value
        case a.OpenApp(app):
            told["app"] = app
        case a.Finish(ending, reason):
            told |= {"ending": ending.value, "text": reason}
        case a.Other(name, _):
            told["text"] = name
    return told


def _end(action: a.Action) -> Point | None:
    match action:
        case a.Swipe(_, end):
            return end
        case a.Tap(_, lift):
            return lift
    return None


def _region(region: Region) -> dict[str, Any]:
    """The columns of a region."""
    box = region.box
    edges = {} if box is None else {k: getattr(box, k) for k in ("left", "top", "right", "bottom")}
    return {
        **edges,
        "source": region.provenance.source.value,
        "label": region.label,
        "status": region.status.value,
        "chosen": region.chosen,
    }
