"""Writes episodes as GUIOdyssey annotation files, screenshots and splits.

What came from GUIOdyssey goes back number for number; what was recorded is measured in the data
set's thousandths, rounded once. What the data set has no word for is left out and counted.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from episodes import thousandths as th
from episodes.actions import Finish, LongPress, Swipe, Tap, TypeText
from episodes.annotations import Region
from episodes.clocks import Moment
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.foreground_apps import foreground_apps
from episodes.formats.guiodyssey import ABSENT, NAME, TEXTS
from episodes.formats.guiodyssey_tests import FOLDER as TESTS
from episodes.formats.guiodyssey_tests import INDEX, EvaluatorFiles
from episodes.formats.input_files import BadName, StillPaths, is_file_name, path_inside
from episodes.formats.output_files import (
    SUFFIXES,
    EpisodeWriter,
    WriteReport,
    copy_still,
    new_folder,
    steps_to_write,
    write_all,
    write_whole,
)
from episodes.geometry import Point
from episodes.screens import Frame
from episodes.steps import Step

NO_REGION = "a press without a region; its sam2_bbox is null, and distance alone will count"
FOLDERS = ("annotations", "screenshots", "splits")


def write(
    episodes: Iterable[Episode], folder: Path, stills: StillPaths, version: str = "2"
) -> WriteReport:
    """Writes `annotations/`, `screenshots/` and `splits/` into a new folder.

    Version 1 has neither regions nor texts of a step; they are counted as losses.

    Raises:
        KnownError: the folder is not empty, a picture is missing, or the disk is full.
    """
    doing = f"export GUIOdyssey to {folder}"
    with new_folder(folder, FOLDERS, doing):
        return write_all(_Writer(folder, stills, version, doing), episodes)


def write_with_tests(
    episodes: Iterable[Episode], folder: Path, stills: StillPaths, version: str = "2"
) -> WriteReport:
    """Writes what `write` writes, and `test_anno/` and `his_index.json`, made from it.

    Raises:
        KnownError: the folder is not empty, a picture is missing, or the disk is full.
    """
    doing = f"export GUIOdyssey with its test files to {folder}"
    with new_folder(folder, (*FOLDERS, TESTS, INDEX), doing):
        try:
            tests = EvaluatorFiles(folder)
            return write_all(_Writer(folder, stills, version, doing, tests), episodes)
        except OSError as error:
            found = f"{folder}: {error.strerror or error}"
            raise KnownError(doing, found, "Make room or choose another folder.") from error


class _Writer(EpisodeWriter):
    """Writes one data set and counts what it could not take."""

    def __init__(
        self,
        folder: Path,
        stills: StillPaths,
        version: str,
        doing: str,
        tests: EvaluatorFiles | None = None,
    ) -> None:
        super().__init__(folder, stills, doing)
        self._tests = tests
        self._version = version
        self._pictures: dict[str, str] = {}
        self._splits: dict[str, dict[str, list[str]]] = {}

    def episode(self, episode: Episode) -> None:
        """Writes an episode's annotation and pictures."""
        written, name = self.written, episode.name
        if not self._names.may_write(episode):
            return
        if not is_file_name(name):
            written.count_loss("an episode whose name cannot be a file's name", name)
            return
        self._names.add(name)
        value = self._annotation(episode)
        text = json.dumps(value, ensure_ascii=False, indent=1)
        write_whole(self._folder / "annotations" / f"{name}.json", text.encode(), self._doing)
        written.episodes += 1
        if self._tests is not None:
            self._tests.add(value, episode.splits, written)
        for split, part in episode.splits:
            parts = self._splits.setdefault(split, {"train": [], "test": []})
            parts.setdefault(part, []).append(f"{name}.json")

    def close(self) -> None:
        """Writes the split files of all episodes written."""
        if self._tests is not None:
            self._tests.close()
        for split, parts in self._splits.items():
            if not is_file_name(split):
                self.written.count_loss("a split whose name cannot be a file's name", split)
                continue
            data = json.dumps(parts, ensure_ascii=False).encode()
            write_whole(self._folder / "splits" / f"{split}_split.json", data, self._doing)

    def abandon(self) -> None:
        """Lets go of the files; the folder takes them away."""
        if self._tests is not None:
            self._tests.abandon()

    def _annotation(self, episode: Episode) -> dict[str, Any]:
        own = episode.origin.dataset == NAME
        extra = json.loads(episode.extra) if own and episode.extra else {}
        task_extra = extra.pop("task_info", {})
        steps = self._steps(episode, own)
        for lost, there in {
            "another data set's facts about an episode": episode.extra and not own,
            "the recorded video": episode.segments,
            "the screen at the end": episode.final,
        }.items():
            if there:
                self.written.count_loss(lost, episode.name)
        task = {
            "category": episode.task.category,
            "app": list(episode.task.apps or (() if own else _apps(episode))),
            "meta_task": episode.task.template,
            "task": episode.task.filled,
            "instruction": episode.task.instruction,
        }
        return extra | {
            "episode_id": episode.name,
            "device_info": _device(episode, own),
            "task_info": task_extra | task if isinstance(task_extra, dict) else task,
            "step_length": len(steps) if episode.declared_steps is None else episode.declared_steps,
            "steps": steps,
        }

    def _steps(self, episode: Episode, own: bool) -> list[dict[str, Any]]:
        steps: list[dict[str, Any]] = []
        for where, step in steps_to_write(episode, self.written):
            number = step.index if own else len(steps)
            value = self._step(step, number, where)
            if value is None:
                continue
            picture = self._picture(step.frame, f"{episode.name}_{number}", own)
            if picture is not None:
                value["screenshot"] = picture
            steps.append(value)
            self.written.steps += 1
        return steps

    def _step(self, step: Step, number: int, where: str) -> dict[str, Any] | None:
        native = _native(step)
        size = step.frame.size if step.frame is not None else None
        made = native if native is not None else th.to_native(step.action, size)
        if isinstance(made, th.NotExpressible):
            self.written.count_loss(made.reason, where)
            return None
        value: dict[str, Any] = {}
        absent: list[str] = []
        if step.extra and native is not None:
            value |= json.loads(step.extra)
            absent = value.pop(ABSENT, [])
        elif isinstance(step.action, Finish) and step.action.reason:
            value["ps"] = step.action.reason
        value |= {"step": number} | made
        texts = step.texts
        if self._version == "1":
            words = (texts.instruction, texts.description, texts.intention, texts.context)
            if any(words) or step.regions:
                self.written.count_loss("texts and regions of a step (version 1 has none)", where)
        else:
            told = {key: getattr(texts, ours) for key, ours in TEXTS.items()}
            value |= {key: text for key, text in told.items() if text or key not in absent}
            region = _region(step, native is not None)
            value |= region
            if region.get("sam2_bbox", []) is None and not any(map(_published, step.regions)):
                self.written.count_loss(NO_REGION, where)
        for what in _lost(step, native is not None):
            self.written.count_loss(what, where)
        return value

    def _picture(self, frame: Frame | None, name: str, own: bool) -> str | None:
        """Copies the picture and returns its name; a missing one keeps the name it had."""
        if frame is None:
            return None
        native = frame.native if own else None
        if native is not None:
            try:
                path_inside(self._folder / "screenshots", native)
            except BadName:
                native = None
        if frame.still is None:
            return native
        sha256 = frame.still.sha256
        suffix = SUFFIXES[frame.still.media_type]
        marks = itertools.chain([""], (f"-{n}" for n in itertools.count(2)))
        names = (f"{name}{mark}{suffix}" for mark in marks)
        file = next(
            file
            for file in itertools.chain([native] if native else [], names)
            if self._pictures.get(file, sha256) == sha256
        )
        if file not in self._pictures:
            copy_still(frame.still, self._stills, self._folder / "screenshots" / file, self._doing)
            self._pictures[file] = sha256
            self.written.pictures += 1
        return file


def _apps(episode: Episode) -> tuple[str, ...]:
    return foreground_apps(step for step in episode.steps if not step.private)


def _native(step: Step) -> dict[str, Any] | None:
    """The step's `action` and `info` as the data set gave them."""
    if step.native is None or step.native.space != th.SPACE:
        return None
    value = step.native.value
    if not isinstance(value, dict) or not isinstance(value.get("action"), str):
        return None
    return {key: value[key] for key in ("action", "info") if key in value}


def _device(episode: Episode, own: bool) -> dict[str, Any]:
    device = episode.device
    if device.native and own:
        return dict(json.loads(device.native))
    first = next((s.frame.size for s in episode.steps if s.frame is not None), device.size)
    return {
        "product": device.product,
        "release_version": device.android_release,
        "sdk_version": "" if device.sdk is None else str(device.sdk),
        "h": None if first is None else first.height,
        "w": None if first is None else first.width,
        "device_name": device.model,
    }


def _region(step: Step, own: bool) -> dict[str, Any]:
    """Returns `[]` for other actions than clicks, null without a region, or the rectangle."""
    target = step.target
    if target is None or _published(target):  # else somebody has chosen otherwise since
        for region in step.regions:
            if region.native is not None and _published(region):
                return {"sam2_bbox": region.native.value}
        if own:
            return {}
    if not isinstance(step.action, Tap | LongPress):
        return {"sam2_bbox": []}
    box = target.box if target is not None else None
    if box is None or box.area <= 0 or step.frame is None:
        return {"sam2_bbox": None}
    size = step.frame.size
    if any(
        th.is_too_far(p, size) for p in (Point(box.left, box.top), Point(box.right, box.bottom))
    ):
        return {"sam2_bbox": None}
    return {"sam2_bbox": th.box_thousandths(box, size)}


def _published(region: Region) -> bool:
    return region.native is not None and region.native.space == th.SPACE


def _lost(step: Step, own: bool) -> list[str]:
    """What else a step holds that the data set has no place for."""
    action = step.action
    there = {
        "a step's tree": step.tree is not None,
        "the app in front": step.foreground is not None,
        "the screen after a step": step.after is not None,
        "the time of a step": step.began != Moment(),
        "further gold actions": bool(step.golds),
        "a note": bool(step.texts.note),
        "the path of a finger between its ends": isinstance(action, Tap | LongPress | Swipe)
        and bool(action.path),
        "the key that sent a text off": isinstance(action, TypeText) and action.submit,
        "another data set's facts about a step": bool(step.extra) and not own,
    }
    return [what for what, lost in there.items() if lost]
