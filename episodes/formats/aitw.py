"""Android in the Wild: TFRecords with a step per record, the steps of an episode one after another.

Reads a folder with the shards of one part of the data set, of several parts in folders of their
own, or one shard. A part ("general", "google_apps", ...) is the task's category. Pictures are raw
pixels in the files; they are kept as PNG. One episode is in memory at a time.

Source: README.md and demo.ipynb of google-research/google-research, android_in_the_wild.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from episodes import actions as a
from episodes.episodes import Actor, Episode, EpisodeState, Origin, Task
from episodes.formats import aitw_features as af
from episodes.formats import tfrecord_folder as tf
from episodes.formats.example import Feature
from episodes.formats.example_record import BadRecord, Record, features_not_restored
from episodes.formats.input_files import (
    BadPicture,
    ImportNote,
    MissingPicture,
    PictureStore,
    Refused,
)
from episodes.geometry import Size
from episodes.media import pictures
from episodes.recordings import DeviceFacts
from episodes.screens import Basis, Frame, StepTree, Still, TreeFit, TreeRecord, TreeStatus
from episodes.steps import Step
from episodes.trees import flat
from episodes.wire import BadWire

NAME = "aitw"
VERSION = "1"
PARTS = ("google_apps", "install", "web_shopping", "general", "single")
MAX_STEPS = 10_000
MAX_ID = 1_000  # ids of the part "single" end in the instruction
MAX_SIDE = 20_000


def count(path: Path) -> int:
    """Returns about how many episodes there are, by a quick look.

    Raises:
        KnownError: there is no TFRecord file.
    """

    def begins(features: dict[str, Feature]) -> bytes | None:
        if "results/action_type" not in features or "episode_id" not in features:
            return None
        return b"".join(features["episode_id"].bytes_values())

    doing = f"import Android in the Wild from {path}"
    return tf.estimate_episodes(tf.inspect_folder(path, doing), doing, begins)


def read(
    path: Path, picture_store: PictureStore, version: str = ""
) -> Iterator[Episode | Refused | ImportNote]:
    """Yields the episodes of a folder or of one shard, and what was refused.

    Raises:
        KnownError: there is no TFRecord file at `path`, or a split file cannot be read.
    """
    doing = f"import Android in the Wild from {path}"
    layout = tf.inspect_folder(path, doing)
    splits = tf.read_splits(layout.splits)
    yield from splits.notes
    reader = _Reader(picture_store, splits)
    for shard, where, features in tf.records(layout, doing):
        if isinstance(features, Refused):
            yield features
            continue
        yield from reader.record(features, where, shard)
    yield from reader.end()
    if layout.whole:
        yield from splits.absent(reader.seen)


def part_of(shard: Path) -> str:
    """Returns which part of the data set a shard is of: by its name, else by its folder's."""
    named = tf.SHARD.fullmatch(shard.name)
    name = named["name"] if named else ""
    if name in PARTS or shard.parent.name not in PARTS:
        return name
    return shard.parent.name


@dataclass(slots=True)
class _Open:
    """The episode whose records are coming in: its steps by number."""

    head: Episode
    where: str
    steps: dict[int, Step] = field(default_factory=dict)


class _Reader:
    """Puts records together to episodes."""

    def __init__(self, picture_store: PictureStore, splits: tf.FolderSplits) -> None:
        self.seen: set[str] = set()
        self._picture_store = picture_store
        self._splits = splits
        self._open: _Open | None = None

    def record(
        self, features: dict[str, Feature], where: str, shard: Path
    ) -> Iterator[Episode | Refused | ImportNote]:
        """Takes one record; yields the episode that it ended, if it begins another."""
        record = Record(features)
        try:
            name = self._name(features)
            part = part_of(shard)
            now = self._open
            if now is None or (now.head.name, now.head.task.category) != (name, part):
                yield from self.end()
                now = self._begin(name, part, record, where, shard)
            if now is None:
                yield Refused(where, f"episode {name} was there before, its steps apart from this")
                return
            step, missing = self._step(now, record)
        except (BadRecord, BadWire) as error:
            yield Refused(where, str(error))
            return
        yield from (ImportNote(where, odd) for odd in record.odd)
        if missing:
            yield MissingPicture(where, missing)
        if isinstance(step.action, a.Other):
            yield ImportNote(
                where, f"the action {step.action.name} is unknown; it is stored by name"
            )
        now.steps[step.index] = step

    def end(self) -> Iterator[Episode | ImportNote]:
        """Yields the episode after its last record."""
        done, self._open = self._open, None
        if done is None:
            return
        head, steps = done.head, done.steps
        where = f"{head.origin.file} episode {head.name}"
        if not steps:
            self.seen.discard(head.name)
            return
        if list(steps) != sorted(steps):
            yield ImportNote(where, "the steps are out of order; they are sorted by their numbers")
        if head.declared_steps is not None and head.declared_steps != len(steps):
            declared = head.declared_steps
            yield ImportNote(where, f"episode_length says {declared}, {len(steps)} steps came in")
        ordered = tuple(steps[index] for index in sorted(steps))
        last = ordered[-1].action
        yield replace(head, steps=ordered, finish=last if isinstance(last, a.Finish) else None)

    def _name(self, features: dict[str, Feature]) -> str:
        found = features["episode_id"].bytes_values() if "episode_id" in features else []
        if len(found) != 1 or not 0 < len(found[0]) <= MAX_ID:
            raise BadRecord("episode_id is not one text that can be an id")
        try:
            name = str(found[0], "utf-8")
        except UnicodeDecodeError as error:
            raise BadRecord("episode_id is not UTF-8") from error
        if not name.isprintable() or name != name.strip():
            raise BadRecord("episode_id holds characters that no id has")
        return name

    def _begin(self, name: str, part: str, record: Record, where: str, shard: Path) -> _Open | None:
        if name in self.seen:
            return None
        self.seen.add(name)
        level = record.whole("android_api_level")
        declared = record.whole("episode_length")
        head = Episode(
            uuid=episode_uuid(name),
            name=name,
            origin=Origin(NAME, VERSION, shard.name),
            task=Task(record.text("goal_info"), category=part),
            state=EpisodeState.FINISHED,
            steps=(),
            actor=Actor("person"),
            device=DeviceFacts(
                model=record.text("device_type"),
                sdk=level if level is not None and 0 < level < 10_000 else None,
            ),
            declared_steps=declared if declared is not None and 0 < declared < 1 << 31 else None,
            splits=self._splits.of_episode.get(name, ()),
        )
        self._open = _Open(head, where)
        return self._open

    def _step(self, now: _Open, record: Record) -> tuple[Step, str]:
        """Returns a step, and why it has no picture, if it has none."""
        index = record.whole("step_id")
        if index is None or not 0 <= index < MAX_STEPS:
            raise BadRecord(f"step_id is {'missing' if index is None else index}, not from 0")
        if index in now.steps:
            raise BadRecord(f"episode {now.head.name} has step {index} twice; the first is kept")
        size = _size(record)
        told = af.native_of(record)
        texts, types = record.texts(af.TEXTS), record.texts(af.TYPES)
        if max(len(texts), len(types)) > flat.MAX_ELEMENTS:
            raise BadRecord(f"it has more than {flat.MAX_ELEMENTS} elements")
        boxes = told.get("boxes", [])
        if {len(texts), len(types)} != {len(boxes)}:
            record.odd.append(
                f"there are {len(boxes)} positions, {len(texts)} texts and {len(types)} types"
            )
        still, missing = self._picture(record, size)
        tree = TreeRecord(
            flat.FORMAT,
            flat.flat_bytes(size, boxes, texts, types),
            "import",
            TreeStatus.OK,
            size=size,
        )
        step = Step(
            index=index,
            action=af.action_of(told, size),
            frame=Frame(size, Basis.IMPORTED, still=still),
            native=af.native(told),
            tree=StepTree(tree, TreeFit.IMPORTED),
            foreground=af.foreground_of(record.text("current_activity")),
        )
        again = af.features_of(now.head, step, now.head.declared_steps or 0)
        beside = features_not_restored(record.features, again, (af.PICTURE,))
        extra = json.dumps(beside, separators=(",", ":")) if beside else ""
        return replace(step, extra=extra), missing

    def _picture(self, record: Record, size: Size) -> tuple[Still | None, str]:
        found = record.pieces(af.PICTURE)
        if not found or not found[0]:
            return None, "image/encoded is empty"
        data = found[0]
        needed = size.width * size.height * 3
        try:
            if len(data) == needed:
                pixels = np.frombuffer(data, np.uint8).reshape(size.height, size.width, 3)
                return self._picture_store.keep_pixels(pixels, "image/encoded"), ""
            if len(data) > pictures.MAX_BYTES:
                return None, f"image/encoded has {len(data)} bytes, and {needed} are pixels"
            return self._picture_store.keep_bytes(bytes(data), "image/encoded"), ""
        except BadPicture as error:
            return None, (
                f"image/encoded has {len(data)} bytes, not the {needed} of its pixels, "
                f"and is no picture: {error.found}"
            )


def episode_uuid(name: str) -> str:
    """Returns the same uuid for the same episode wherever it is imported."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"taptrail:{NAME}/{VERSION}/{name}"))


def _size(record: Record) -> Size:
    height, width = record.whole("image/height"), record.whole("image/width")
    if height is None or width is None:
        raise BadRecord("image/height or image/width is missing")
    if not (0 < height <= MAX_SIDE and 0 < width <= MAX_SIDE):
        raise BadRecord(f"its picture is {width} by {height} pixels, which no screen has")
    return Size(width, height)
