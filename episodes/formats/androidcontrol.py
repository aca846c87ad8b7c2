"""AndroidControl: TFRecords with an episode per record, and the files of its splits.

An episode has one screenshot and one accessibility forest more than it has actions: the screen at
the end. Nothing in the files says that an episode ended, so nothing here does; a protocol that
scores an end adds it. One episode is in memory at a time.

Source: android_control/README.md of google-research/google-research at 1963839.
"""

from __future__ import annotations

import base64
import json
import uuid
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from episodes import actions as a
from episodes.annotations import Region
from episodes.episodes import Actor, Episode, EpisodeState, Origin, Task
from episodes.errors import KnownError
from episodes.formats import androidcontrol_features as cf
from episodes.formats import tfrecord_folder as tf
from episodes.formats.androidcontrol_targets import TARGETS, target_region
from episodes.formats.example import Feature, FeatureKind
from episodes.formats.example_record import BadRecord, Record, features_not_restored
from episodes.formats.input_files import (
    BadPicture,
    ImportNote,
    MissingPicture,
    PictureStore,
    Refused,
)
from episodes.geometry import Size
from episodes.screens import Basis, Frame, StepTree, Still, TreeFit, TreeRecord, TreeStatus
from episodes.steps import Step, StepTexts
from episodes.trees import forest
from episodes.wire import BadWire

NAME = "androidcontrol"
VERSION = "1"
MAX_STEPS = 10_000
MAX_SIDE = 20_000


def count(path: Path) -> int:
    """Returns about how many episodes there are, by a quick look.

    Raises:
        KnownError: there is no TFRecord file.
    """

    def begins(features: dict[str, Feature]) -> int | None:
        if cf.ACTIONS not in features or cf.SCREENSHOTS not in features:
            return None
        told = features["episode_id"].ints() if "episode_id" in features else []
        return told[0] if told else -1

    doing = f"import AndroidControl from {path}"
    return tf.estimate_episodes(tf.inspect_folder(path, doing), doing, begins)


def read(
    path: Path, picture_store: PictureStore, version: str = ""
) -> Iterator[Episode | Refused | ImportNote]:
    """Yields the episodes of a folder or of one shard, and what was refused.

    Raises:
        KnownError: there is no TFRecord file at `path`, or a split file cannot be read.
    """
    doing = f"import AndroidControl from {path}"
    layout = tf.inspect_folder(path, doing)
    splits = tf.read_splits(layout.splits)
    yield from splits.notes
    seen: dict[str, str] = {}
    for shard, where, features in tf.records(layout, doing):
        if isinstance(features, Refused):
            yield features
            continue
        try:
            reader = _EpisodeReader(Record(features), picture_store, where)
            episode = reader.episode(shard.name, seen)
        except (BadRecord, BadWire) as error:
            yield Refused(where, str(error))
            continue
        yield from reader.problems
        seen[episode.name] = where
        yield replace(episode, splits=splits.of_episode.get(episode.name, ()))
    if layout.whole:
        yield from splits.absent(set(seen))


def episode_uuid(name: str) -> str:
    """Returns the same uuid for the same episode wherever it is imported."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"taptrail:{NAME}/{VERSION}/{name}"))


def packed_tree(data: bytes) -> str:
    """Returns a forest as text for an episode's `extra`: deflated, in base 64."""
    return base64.b64encode(zlib.compress(data)).decode()


def _ours(record: Record) -> bool:
    """Whether the feature is texts; another of the same name is kept beside like any."""
    feature = record.features.get(TARGETS)
    return feature is not None and feature.kind is FeatureKind.BYTES


class _EpisodeReader:
    """Turns one record into an episode, and collects what it could not take."""

    def __init__(self, record: Record, picture_store: PictureStore, where: str) -> None:
        """Takes the record's lists.

        Raises:
            NoRecord: one of its texts is longer than is read.
        """
        self.problems: list[Refused | ImportNote] = []
        self._record = record
        self._picture_store = picture_store
        self._where = where
        self._shots = record.pieces(cf.SCREENSHOTS)
        self._trees = record.pieces(cf.TREES)
        self._widths = record.wholes(cf.WIDTHS)
        self._heights = record.wholes(cf.HEIGHTS)
        self._instructions = record.texts(cf.INSTRUCTIONS)
        self._targets = record.texts(TARGETS) if _ours(record) else []

    def episode(self, file: str, seen: dict[str, str]) -> Episode:
        """Returns the episode.

        Raises:
            NoRecord: the record lacks what an episode needs, or the id was in `seen`.
        """
        record = self._record
        number = record.whole("episode_id")
        if number is None or number < 0:
            raise BadRecord(f"episode_id is {'missing' if number is None else number}, not from 0")
        name = str(number)
        if name in seen:
            raise BadRecord(f"episode {name} was already in {seen[name]}")
        if cf.ACTIONS not in record.features:
            raise BadRecord("actions is missing")
        actions = record.pieces(cf.ACTIONS)
        if len(actions) > MAX_STEPS:
            raise BadRecord(f"there are {len(actions)} actions; at most {MAX_STEPS} are read")
        self._compare(len(actions))
        if len(self._targets) not in (0, len(actions)):
            self._note(f"for {len(actions)} actions there are {len(self._targets)} {TARGETS}")
        steps = [
            step for index, data in enumerate(actions) if (step := self._step(index, data, name))
        ]
        final, tree = self._final(len(actions))
        episode = Episode(
            uuid=episode_uuid(name),
            name=name,
            origin=Origin(NAME, VERSION, file),
            task=Task(record.text("goal")),
            state=EpisodeState.FINISHED,
            steps=tuple(steps),
            actor=Actor("person"),
            final=final,
            declared_steps=len(actions),
        )
        per_step = (*cf.PER_STEP, TARGETS) if len(steps) < len(actions) else ()
        never = (cf.SCREENSHOTS, cf.TREES, *per_step)
        again = cf.features_of(episode, number)
        extra = features_not_restored(record.features, again, never)
        if tree:
            extra[cf.FINAL_TREE] = packed_tree(tree)
        for odd in record.odd:
            self._note(odd)
        told = json.dumps(extra, separators=(",", ":")) if extra else ""
        return replace(episode, extra=told)

    def _compare(self, actions: int) -> None:
        screens = {
            cf.SCREENSHOTS: len(self._shots),
            cf.TREES: len(self._trees),
            cf.WIDTHS: len(self._widths),
            cf.HEIGHTS: len(self._heights),
        }
        odd = [f"{n} {name}" for name, n in screens.items() if n != actions + 1]
        if len(self._instructions) != actions:
            odd.append(f"{len(self._instructions)} {cf.INSTRUCTIONS}")
        if odd:
            self._note(f"for {actions} actions there are {', '.join(odd)}")

    def _step(self, index: int, data: memoryview, episode: str) -> Step | None:
        place = f"step {index}"
        try:
            native = cf.native_of(bytes(data))
        except ValueError as error:
            self.problems.append(Refused(f"{self._where} {place}", f"its action: {error}"))
            return None
        action = cf.action_of(native.value)
        if isinstance(action, a.Other):
            self._note(
                f"the action {action.name[:40]} is not possible; it is stored by name", place
            )
        frame, missing = self._frame(index, Basis.IMPORTED, place)
        if missing:
            self.problems.append(MissingPicture(f"{self._where} {place}", missing))
        known = index < len(self._instructions)
        target = self._target(index, episode, place)
        return Step(
            index=index,
            action=action,
            frame=frame,
            native=native,
            tree=self._tree(index, frame, place),
            texts=StepTexts(self._instructions[index]) if known else StepTexts(),
            regions=() if target is None else (target,),
        )

    def _target(self, index: int, episode: str, place: str) -> Region | None:
        if index >= len(self._targets):
            return None
        try:
            return target_region(self._targets[index], episode, index)
        except ValueError as error:
            self._note(f"its target is stored unread: {error}", place)
            return None

    def _final(self, index: int) -> tuple[Frame | None, bytes]:
        """Returns the screen at the end, and its forest."""
        if index >= len(self._shots) and index >= len(self._trees):
            return None, b""
        frame, missing = self._frame(index, Basis.FINAL, "the last screen")
        if missing:
            self._note(missing, "the last screen")
        tree = bytes(self._trees[index]) if index < len(self._trees) else b""
        if len(tree) > forest.MAX_BYTES:
            self._note(f"its tree has {len(tree)} bytes and is left out", "the last screen")
            tree = b""
        return frame, tree

    def _frame(self, index: int, basis: Basis, place: str) -> tuple[Frame | None, str]:
        """Returns a screen, and why it has no picture, if it has none."""
        told = self._told_size(index)
        still: Still | None = None
        missing = ""
        if index >= len(self._shots) or not self._shots[index]:
            missing = "the screenshot is not there"
        else:
            try:
                still = self._picture_store.keep_bytes(bytes(self._shots[index]), "of a record")
            except BadPicture as error:
                missing = f"the screenshot cannot be used: {error.found}"
        if still is not None and told is not None and still.size != told:
            self._note(f"the screenshot is {still.size}, the file says {told}", place)
        size = still.size if still is not None else told
        return (Frame(size, basis, still=still) if size is not None else None), missing

    def _told_size(self, index: int) -> Size | None:
        if index >= len(self._widths) or index >= len(self._heights):
            return None
        width, height = self._widths[index], self._heights[index]
        if not (0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE):
            return None
        return Size(width, height)

    def _tree(self, index: int, frame: Frame | None, place: str) -> StepTree | None:
        if index >= len(self._trees):
            return None
        data = bytes(self._trees[index])
        size = frame.size if frame is not None else None
        status, detail = TreeStatus.OK, ""
        if len(data) > forest.MAX_BYTES:
            data, status, detail = b"", TreeStatus.UNREADABLE, f"it had {len(data)} bytes"
            self._note(f"the tree is left out: {detail}", place)
        elif not data:
            status = TreeStatus.EMPTY
        else:
            try:
                forest.read_forest(data)
            except KnownError as error:
                status, detail = TreeStatus.UNREADABLE, error.found
                self._note(f"the tree cannot be read: {error.found}", place)
        record = TreeRecord(forest.FORMAT, data, "import", status, size=size, detail=detail)
        return StepTree(record, TreeFit.IMPORTED)

    def _note(self, reason: str, place: str = "") -> None:
        self.problems.append(ImportNote(f"{self._where} {place}".rstrip(), reason))
