"""Writes episodes as Android in the Wild's TFRecords: a step per record, pictures as raw pixels.

What came from the data set goes back bit for bit. What was recorded is measured in float32
fractions; the elements of its trees become flat annotations. What the data set has no word for is
left out and counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np

from episodes import actions as a
from episodes.clocks import Moment
from episodes.episodes import Episode
from episodes.formats import aitw_features as af
from episodes.formats.aitw import MAX_ID, NAME
from episodes.formats.example import Feature, write_example
from episodes.formats.example_record import restore_features
from episodes.formats.input_files import StillPaths, is_file_name
from episodes.formats.output_files import (
    EpisodeWriter,
    SplitFiles,
    UnsupportedAction,
    WriteReport,
    new_folder,
    steps_to_write,
    still_pixels,
    write_all,
)
from episodes.formats.tfrecord import RecordWriter
from episodes.geometry import Box, Direction, Size
from episodes.screens import Frame, StepTree, TreeFit, TreeRecord, TreeStatus
from episodes.steps import Step
from episodes.trees import flat
from episodes.trees.step_trees import (
    TREE_OF_ANOTHER_SCREEN,
    NoTree,
    has_tree_of_another_screen,
    tree_of_step,
)

_STROKES = {
    Direction.UP: ([0.8, 0.5], [0.2, 0.5]),
    Direction.DOWN: ([0.2, 0.5], [0.8, 0.5]),
    Direction.LEFT: ([0.5, 0.8], [0.5, 0.2]),
    Direction.RIGHT: ([0.5, 0.2], [0.5, 0.8]),
}
_KEYS = {
    a.Key.BACK: af.PRESS_BACK,
    a.Key.HOME: af.PRESS_HOME,
    a.Key.ENTER: af.PRESS_ENTER,
}
_NOWHERE = {"touch": [-1.0, -1.0], "lift": [-1.0, -1.0]}

NO_SCREEN = "a step on a screen of unknown size"


def write(
    episodes: Iterable[Episode], folder: Path, stills: StillPaths, version: str = "1"
) -> WriteReport:
    """Writes a GZIP shard per part, `<part>-00000-of-00001`, and `splits/`.

    Raises:
        KnownError: the folder is not empty, a picture is missing, or the disk is full.
    """
    doing = f"export Android in the Wild to {folder}"
    with new_folder(folder, ("splits",), doing):
        return write_all(_Writer(folder, stills, doing), episodes)


class _Writer(EpisodeWriter):
    """Writes one data set and counts what it could not take."""

    def __init__(self, folder: Path, stills: StillPaths, doing: str) -> None:
        super().__init__(folder, stills, doing)
        self._shards: dict[str, RecordWriter] = {}
        self._splits = SplitFiles(folder, doing)

    def episode(self, episode: Episode) -> None:
        """Writes the records of an episode."""
        written, name = self.written, episode.name
        if not self._names.may_write(episode):
            return
        if not name.isprintable() or not 0 < len(name.encode(errors="replace")) <= MAX_ID:
            written.count_loss("an episode whose name cannot be an id", name)
            return
        steps = self._steps(episode)
        if not steps:
            written.count_loss("an episode without a step that can be written", name)
            return
        self._names.add(name)
        for lost in _lost_of_episode(episode):
            written.count_loss(lost, name)
        shard = self._shard(episode)
        length = len(steps)
        if episode.origin.dataset == NAME:
            length = episode.declared_steps or 0
        for step in steps:
            shard.write(self._record(episode, step, length))
            written.steps += 1
        written.episodes += 1
        self._splits.add(episode, name)

    def close(self) -> None:
        """Ends the shards and writes the split files."""
        for shard in self._shards.values():
            shard.close()
        self._splits.write(self.written)

    def abandon(self) -> None:
        """Deletes the shards."""
        for shard in self._shards.values():
            shard.abandon()

    def _shard(self, episode: Episode) -> RecordWriter:
        part = episode.task.category
        if part and not is_file_name(f"{part}-00000-of-00001.part"):
            self.written.count_loss("a category that cannot be a file's name", episode.name)
            part = ""
        if part not in self._shards:
            path = self._folder / (f"{part}-00000-of-00001" if part else "steps.tfrecord")
            self._shards[part] = RecordWriter(path, self._doing)
        return self._shards[part]

    def _steps(self, episode: Episode) -> list[Step]:
        own = episode.origin.dataset == NAME
        steps: list[Step] = []
        for where, step in steps_to_write(episode, self.written):
            try:
                made = with_aitw_numbers(step)
            except UnsupportedAction as error:
                self.written.count_loss(str(error), where)
                continue
            if step.frame is None:  # a reader takes no record of 0 by 0 pixels
                self.written.count_loss(NO_SCREEN, where)
                continue
            for what in _lost_of_step(step, made is step, own):
                self.written.count_loss(what, where)
            steps.append(made if own else replace(made, index=len(steps), extra=""))
        return steps

    def _record(self, episode: Episode, step: Step, length: int) -> bytes:
        pixels, size = self._pixels(step.frame)
        features = af.features_of(episode, step, length)
        # words of a covered screen may not come back by what was kept of its odd features
        never = (af.PICTURE, *((af.TEXTS, af.TYPES) if step.tree is None else ()))
        features = restore_features(features, step.extra, never)
        if size is not None:
            features["image/width"] = Feature.of_ints([size.width])
            features["image/height"] = Feature.of_ints([size.height])
        features[af.PICTURE] = Feature.of_bytes([pixels])
        return write_example(features)

    def _pixels(self, frame: Frame | None) -> tuple[bytes, Size | None]:
        if frame is None or frame.still is None:
            return b"", None
        pixels = still_pixels(frame.still, self._stills, self._doing)
        self.written.pictures += 1
        return pixels.tobytes(), Size(pixels.shape[1], pixels.shape[0])


def with_aitw_numbers(step: Step) -> Step:
    """Returns a step with the data set's own numbers; itself where it has them.

    Raises:
        UnsupportedAction: the data set has no such action, or its place is unknown.
    """
    if af.aitw_numbers(step) is not None:
        return step
    size = step.frame.size if step.frame is not None else None
    told = _told(step.action, size)
    record = None
    boxes, texts = _elements(step)
    if size is not None:
        rows = [_row(box, size) for box in boxes]
        told["boxes"] = rows
        types = ["TEXT" if words else "" for words in texts]
        data = flat.flat_bytes(size, rows, texts, types)
        record = TreeRecord(flat.FORMAT, data, "export", TreeStatus.OK, size=size)
    return replace(
        step,
        native=af.native(told),
        tree=StepTree(record, TreeFit.IMPORTED) if record is not None else None,
    )


def _told(action: a.Action, size: Size | None) -> dict[str, object]:
    match action:
        case a.Tap() | a.LongPress() | a.Swipe():
            start = a.place(action)
            if start is None:
                raise UnsupportedAction("a touch of an element that is named, not pointed at")
            if size is None:
                raise UnsupportedAction("a touch on a step without a frame")
            end = start
            if isinstance(action, a.Swipe):
                end = action.end
            elif isinstance(action, a.Tap) and action.lift is not None:
                end = action.lift
            places = (start.x, end.x, start.y, end.y)
            if not all(abs(place) <= af.FARTHEST for place in places):
                raise UnsupportedAction("a touch farther off the screen than a file can say")
            touch, lift = af.fraction(start, size), af.fraction(end, size)
            return {"action_type": af.DUAL_POINT, "touch": touch, "lift": lift, "text": ""}
        case a.Scroll(direction):
            touch, lift = _STROKES[direction]
            return {"action_type": af.DUAL_POINT, "touch": touch, "lift": lift, "text": ""}
        case a.TypeText(text):
            return {"action_type": af.TYPE, **_NOWHERE, "text": text}
        case a.PressKey(key) if key in _KEYS:
            return {"action_type": _KEYS[key], **_NOWHERE, "text": ""}
        case a.Finish(ending):
            code = af.COMPLETE if ending is a.Ending.COMPLETE else af.IMPOSSIBLE
            return {"action_type": code, **_NOWHERE, "text": ""}
        case a.PressKey(key, name):
            raise UnsupportedAction(f"the key {name or key.value}")
        case a.Other(name):
            raise UnsupportedAction(f"the action “{name[:40]}”")
    raise UnsupportedAction(f"the action {a.kind(action).replace('_', ' ')}")


def _elements(step: Step) -> tuple[list[Box], list[str]]:
    """Visible nodes that take touches, have words of their own, or hold nothing."""
    tree = tree_of_step(step)
    if isinstance(tree, NoTree) or step.frame is None:
        return [], []
    screen = Box(0, 0, step.frame.size.width, step.frame.size.height)
    found: dict[tuple[Box, str], None] = {}
    for node in tree.walk():
        words = node.text or node.description
        shown = node.box.intersection(screen)
        tells = words or node.interactive or not node.children
        if node.visible and tells and shown.area > 0 and len(found) < flat.MAX_ELEMENTS:
            found[shown, words] = None
    return [box for box, _ in found], [words for _, words in found]


def _row(box: Box, size: Size) -> list[float]:
    tall, wide = box.height / size.height, box.width / size.width
    row = (box.top / size.height, box.left / size.width, tall, wide)
    return [float(np.float32(number)) for number in row]


def _lost_of_episode(episode: Episode) -> list[str]:
    own = episode.origin.dataset == NAME
    there = {
        "another data set's facts about an episode": bool(episode.extra) and not own,
        "the recorded video": bool(episode.segments),
        "the screen at the end": episode.final is not None,
        "a task's template or apps": bool(
            episode.task.template or episode.task.filled or episode.task.apps
        ),
    }
    return [what for what, lost in there.items() if lost]


def _lost_of_step(step: Step, native: bool, own: bool) -> list[str]:
    """What a step holds that the data set has no place for."""
    action, texts = step.action, step.texts
    words = (texts.instruction, texts.description, texts.intention, texts.context, texts.note)
    moved = isinstance(action, a.Tap | a.LongPress | a.Swipe)
    other_screen = not native and has_tree_of_another_screen(step)
    there = {
        "a tree's structure; its elements are written": (
            step.tree is not None and not native and not other_screen
        ),
        TREE_OF_ANOTHER_SCREEN: other_screen,
        "the screen after a step": step.after is not None,
        "the time of a step": step.began != Moment(),
        "further gold actions": bool(step.golds),
        "a step's regions": bool(step.regions),
        "a step's texts": any(words),
        "the path of a finger between its ends": moved and bool(getattr(action, "path", ())),
        "how long a finger was held": isinstance(action, a.LongPress) and not native,
        "the way of a scroll; a stroke is written": isinstance(action, a.Scroll) and not native,
        "the key that sent a text off": isinstance(action, a.TypeText) and action.submit,
        "why a task cannot be done": isinstance(action, a.Finish) and bool(action.reason),
        "another data set's facts about a step": bool(step.extra) and not own,
    }
    return [what for what, lost in there.items() if lost]
