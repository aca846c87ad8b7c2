"""Writes episodes as AndroidControl's TFRecords: an episode per record, with its split files.

What came from the data set goes back as it was. Of what was recorded, points become whole pixels of
the screenshot, swipes become scrolls, trees become forests, and the screen on which somebody said
that the task was done becomes the last screenshot. What has no equivalent is counted.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from episodes import actions as a
from episodes.clocks import Moment
from episodes.episodes import Episode
from episodes.formats import androidcontrol_features as cf
from episodes.formats.androidcontrol import NAME
from episodes.formats.androidcontrol_targets import TARGETS, target_text
from episodes.formats.example import Feature, FeatureKind, write_example
from episodes.formats.example_record import restore_features
from episodes.formats.input_files import StillPaths
from episodes.formats.output_files import (
    SAME_NAME,
    EpisodeWriter,
    SplitFiles,
    UnsupportedAction,
    WriteReport,
    may_export,
    new_folder,
    steps_to_write,
    still_bytes,
    still_pixels,
    write_all,
)
from episodes.formats.tfrecord import MAX_RECORD_BYTES, RecordWriter
from episodes.formats.tfrecord_folder import split_file
from episodes.media import pictures
from episodes.screens import Frame, StepTree, TreeFit
from episodes.steps import Step
from episodes.trees import forest
from episodes.trees.step_trees import TREE_OF_ANOTHER_SCREEN, NoTree, tree_on_frame
from episodes.trees.values import Tree
from episodes.wire import BadWire

SHARD = "android_control-00000-of-00001"
FIRST_NEW_ID = 1_000_000  # above all ids of the data set


def write(
    episodes: Iterable[Episode], folder: Path, stills: StillPaths, version: str = "1"
) -> WriteReport:
    """Writes one GZIP shard, `splits.json` and the files of other splits.

    Raises:
        KnownError: the folder is not empty, a picture is missing, or the disk is full.
    """
    doing = f"export AndroidControl to {folder}"
    with new_folder(folder, ("splits", "splits.json", SHARD, f"{SHARD}.part"), doing):
        return write_all(_Writer(folder, stills, doing), episodes)


class _Writer(EpisodeWriter):
    """Writes one data set and counts what it could not take."""

    def __init__(self, folder: Path, stills: StillPaths, doing: str) -> None:
        super().__init__(folder, stills, doing)
        self._numbers: set[int] = set()
        self._next = FIRST_NEW_ID
        self._shard = RecordWriter(folder / SHARD, doing)
        self._splits = SplitFiles(folder, doing)

    def episode(self, episode: Episode) -> None:
        """Writes the record of an episode."""
        written, name = self.written, episode.name
        if not may_export(episode, written):
            return
        number = self._number(name)
        if number is None:
            written.count_loss(SAME_NAME, name)
            return
        own = episode.origin.dataset == NAME
        shown = self._with_own_steps(episode, own)
        data = self._record(shown, number, own)
        if len(data) > MAX_RECORD_BYTES:
            written.count_loss(f"an episode of more than {MAX_RECORD_BYTES} bytes", name)
            return
        for lost in _lost_of_episode(episode, own):
            written.count_loss(lost, name)
        self._shard.write(data)
        written.episodes += 1
        written.steps += len(shown.steps)
        self._splits.add(episode, number)
        if str(number) != name:
            written.names[episode.uuid] = str(number)

    def close(self) -> None:
        """Ends the shard and writes the split files."""
        self._shard.close()
        self._splits.write(self.written, {name: split_file(name) for name in self._splits.names()})

    def abandon(self) -> None:
        """Deletes what was written."""
        self._shard.abandon()
        self._splits.remove()

    def _number(self, name: str) -> int | None:
        """Ids are numbers; a name that is none gets the next that is free."""
        number = int(name) if name.isascii() and name.isdigit() and len(name) < 20 else -1
        if str(number) == name and number < 1 << 63:
            if number in self._numbers:
                return None
        else:
            self.written.count_loss("an episode's name; ids are numbers", name)
            while self._next in self._numbers:
                self._next += 1
            number = self._next
        self._numbers.add(number)
        return number

    def _with_own_steps(self, episode: Episode, own: bool) -> Episode:
        """Returns the episode with the steps that can be written, in the data set's words."""
        final = episode.final
        steps: list[Step] = []
        for where, step in steps_to_write(episode, self.written):
            if not cf.has_own_action(step) and isinstance(step.action, a.Finish):
                self.written.count_loss("the claim that the task is done, or cannot be", where)
                final = step.frame if final is None else final
                continue
            try:
                native = step.native if cf.has_own_action(step) else None
                native = native or cf.to_native(step.action, step.frame)
            except UnsupportedAction as error:
                self.written.count_loss(str(error), where)
                continue
            for what in _lost_of_step(step, native is step.native):
                self.written.count_loss(what, where)
            steps.append(replace(step, native=native))
        if final is None and not own and steps:
            final = steps[-1].after
        return replace(episode, steps=tuple(steps), final=final)

    def _record(self, episode: Episode, number: int, own: bool) -> bytes:
        features = cf.features_of(episode, number)
        told = json.loads(episode.extra) if own and episode.extra else {}
        if own and episode.extra:
            beside = restore_features(
                features, episode.extra, (cf.SCREENSHOTS, cf.TREES, "episode_id")
            )
            for name in cf.PER_STEP:  # steps may have been taken away since
                if name not in beside or _length(beside[name]) != _length(features[name]):
                    beside[name] = features[name]
            if TARGETS in features:  # somebody may have chosen otherwise since
                beside[TARGETS] = features[TARGETS]
            elif len(episode.steps) != episode.declared_steps:  # nobody knows whose are left
                beside.pop(TARGETS, None)
            features = beside
        frames = [*(step.frame for step in episode.steps), episode.final]
        trees = [self._forest(step, episode.name) for step in episode.steps]
        features[cf.SCREENSHOTS] = Feature.of_bytes([self._png(frame) for frame in frames])
        features[cf.TREES] = Feature.of_bytes([*trees, _final_tree(told, episode)])
        return write_example(features)

    def _png(self, frame: Frame | None) -> bytes:
        if frame is None or frame.still is None:
            return b""
        if frame.still.media_type == "image/png":
            data = still_bytes(frame.still, self._stills, self._doing)
        else:
            data = pictures.encode_png(still_pixels(frame.still, self._stills, self._doing))
        self.written.pictures += 1
        return data

    def _forest(self, step: Step, name: str) -> bytes:
        record = step.tree.record if step.tree is not None else None
        if step.tree is None or record is None or not record.data:
            return b""
        if record.format == forest.FORMAT and step.tree.fit is TreeFit.IMPORTED:
            return record.data
        where = f"{name} step {step.index}"
        tree = _tree_on_picture(step, step.tree)
        if isinstance(tree, NoTree):
            unreadable = "a tree that cannot be read"
            lost = TREE_OF_ANOTHER_SCREEN if tree.of_another_screen else unreadable
            self.written.count_loss(lost, where)
            return b""
        if record.format == forest.FORMAT:
            return record.data
        self.written.count_loss("a tree in another form; its nodes are written", where)
        return forest.forest_bytes(tree)


def _tree_on_picture(step: Step, kept: StepTree) -> Tree | NoTree:
    """Returns a step's tree in pixels of its picture, which can have another size than its frame.

    A tree without a size counts the pixels of the frame.
    """
    record = kept.record
    if record.size is None and step.frame is not None:
        record = replace(record, size=step.frame.size)
    return tree_on_frame(replace(kept, record=record), cf.size_of(step.frame))


def _final_tree(told: Any, episode: Episode) -> bytes:
    packed = told.get(cf.FINAL_TREE) if isinstance(told, dict) else None
    if not isinstance(packed, str):
        return b""
    try:
        inflate = zlib.decompressobj()
        return inflate.decompress(base64.b64decode(packed, validate=True), forest.MAX_BYTES)
    except (binascii.Error, ValueError, zlib.error):
        return b""


def _length(feature: Feature) -> int:
    try:
        values: Sequence[Any] = (
            feature.bytes_values() if feature.kind is FeatureKind.BYTES else feature.ints()
        )
        return len(values)
    except BadWire:
        return -1


def _lost_of_episode(episode: Episode, own: bool) -> list[str]:
    task = episode.task
    there = {
        "another data set's facts about an episode": bool(episode.extra) and not own,
        "the recorded video": bool(episode.segments),
        "a task's template, category or apps": bool(
            task.template or task.filled or task.category or task.apps
        ),
        "what is known of the phone": bool(episode.device.model or episode.device.sdk),
    }
    return [what for what, lost in there.items() if lost]


def _lost_of_step(step: Step, native: bool) -> list[str]:
    """What a step holds that the data set has no place for."""
    action, texts = step.action, step.texts
    words = (texts.description, texts.intention, texts.context, texts.note)
    moved = isinstance(action, a.Tap | a.LongPress | a.Swipe)
    target = step.target is not None
    press = isinstance(action, a.Tap | a.LongPress)
    lost_target = target and press and not target_text(step, cf.size_of(step.frame))
    there = {
        "where a swipe went; its direction is written": isinstance(action, a.Swipe) and not native,
        "where a scroll was": isinstance(action, a.Scroll) and action.at is not None,
        "the app in front": step.foreground is not None,
        "the time of a step": step.began != Moment(),
        "further gold actions": bool(step.golds),
        "a target on a step without a press": target and not press,
        "a target of less than a pixel, or off the screen": lost_target,
        "a step's regions but its target": any(one is not step.target for one in step.regions),
        "the shape of a target": target and step.target is not None and bool(step.target.mask),
        "a step's texts other than its instruction": any(words),
        "the path of a finger between its ends": moved and bool(getattr(action, "path", ())),
        "the field a text went into": not native
        and isinstance(action, a.TypeText)
        and action.target is not None,
        "the key that sent a text off": not native
        and isinstance(action, a.TypeText)
        and action.submit,
        "another data set's facts about a step": bool(step.extra),
    }
    return [what for what, lost in there.items() if lost]
