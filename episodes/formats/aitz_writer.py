"""Writes episodes as AITZ's folders: a JSON list of steps beside its pictures.

What came from the data set goes back as it was. What was recorded is measured as for Android in
the Wild, its elements in whole pixels; the sentence about an action is made in the words that the
data set's evaluator reads. What has no equivalent is left out and counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from episodes import actions as a
from episodes.clocks import Moment
from episodes.episodes import Episode
from episodes.formats.aitw_features import aitw_numbers as aitw_native
from episodes.formats.aitw_writer import with_aitw_numbers
from episodes.formats.aitz import PARTS, SPLIT
from episodes.formats.aitz_rows import BESIDE, NAME, OF_SCREEN, SPACE, row_of, stem_of, subset_of
from episodes.formats.input_files import StillPaths, is_file_name
from episodes.formats.output_files import (
    EpisodeWriter,
    UnsupportedAction,
    WriteReport,
    new_folder,
    steps_to_write,
    still_bytes,
    still_pixels,
    write_all,
    write_whole,
)
from episodes.geometry import Native, Size
from episodes.media import pictures
from episodes.steps import Step
from episodes.trees.step_trees import TREE_OF_ANOTHER_SCREEN, has_tree_of_another_screen

_KEYS = {a.Key.BACK: "back", a.Key.HOME: "home", a.Key.ENTER: "enter"}


def write(
    episodes: Iterable[Episode], folder: Path, stills: StillPaths, version: str = "1"
) -> WriteReport:
    """Writes `<part>/<subset>/<episode>/` with a JSON file and pictures; without a part, no folder
    for it.

    Raises:
        KnownError: the folder is not empty, a picture is missing, or the disk is full.
    """
    doing = f"export AITZ to {folder}"
    writer = _Writer(folder, stills, doing)
    with new_folder(folder, (), doing):
        return write_all(writer, episodes)


class _Writer(EpisodeWriter):
    """Writes one data set and counts what it could not take."""

    def episode(self, episode: Episode) -> None:
        """Writes an episode's file and pictures."""
        written, name = self.written, episode.name
        if not self._names.may_write(episode):
            return
        own = episode.origin.dataset == NAME
        stem = stem_of(episode)
        if not is_file_name(f"{stem}_0000.json") or not is_file_name(name):
            written.count_loss("an episode whose name cannot be a file's name", name)
            return
        steps = self._steps(episode, own)
        if not steps:
            written.count_loss("an episode without a step that can be written", name)
            return
        self._names.add(name)
        for lost in _lost_of_episode(episode, own):
            written.count_loss(lost, name)
        if not own:
            episode = replace(episode, declared_steps=len(steps))
        part = next(
            (part for split, part in episode.splits if split == SPLIT and part in PARTS), ""
        )
        place = self._folder / part / subset_of(episode) / stem
        rows = [self._row(step, episode, stem, own, place) for step in steps]
        data = json.dumps(rows, ensure_ascii=False, indent=4).encode(errors="replace")
        self._keep(place / f"{stem}.json", data)
        written.episodes += 1
        written.steps += len(rows)

    def _steps(self, episode: Episode, own: bool) -> list[Step]:
        steps: list[Step] = []
        for where, step in steps_to_write(episode, self.written):
            native = aitz_numbers(step)
            made = step
            if native is None:
                try:
                    made = _in_pixels(with_aitw_numbers(step))
                except UnsupportedAction as error:
                    self.written.count_loss(str(error), where)
                    continue
            for what in _lost_of_step(step, native is not None):
                self.written.count_loss(what, where)
            if not own:
                frame = made.frame
                if frame is not None:
                    frame = replace(frame, native=None)
                made = replace(made, index=len(steps), frame=frame, extra="")
            steps.append(made)
        return steps

    def _row(
        self, step: Step, episode: Episode, stem: str, own: bool, place: Path
    ) -> dict[str, Any]:
        row = row_of(step, episode, stem)
        if own and step.extra:
            beside = json.loads(step.extra)
            lacking = beside.pop(BESIDE, [])
            # words of a covered screen may not come back by what was kept of its odd members
            never = OF_SCREEN if step.private_boxes else ()
            row |= {key: held for key, held in beside.items() if key not in never}
            if isinstance(lacking, list):
                row = {key: held for key, held in row.items() if key not in lacking}
        if step.frame is not None and step.frame.still is not None:
            named = row.get("image_path")
            name = named.rpartition("/")[2] if isinstance(named, str) else ""
            if not is_file_name(name) or not name.endswith(".png"):
                name = f"{stem}_{step.index}.png"
                row["image_path"] = f"{subset_of(episode)}/{stem}/{name}"
            still = step.frame.still
            if still.media_type == "image/png":
                data = still_bytes(still, self._stills, self._doing)
            else:
                data = pictures.encode_png(still_pixels(still, self._stills, self._doing))
            self._keep(place / name, data)
            self.written.pictures += 1
        return row

    def _keep(self, path: Path, data: bytes) -> None:
        self.made.append(path)
        write_whole(path, data, self._doing)


def aitz_numbers(step: Step) -> dict[str, Any] | None:
    """Returns the data set's own numbers of a step, where they are such."""
    if step.native is None or step.native.space != SPACE:
        return None
    told = step.native.value
    if not isinstance(told, dict):
        return None
    described = told.get("description", "")
    plain = {key: held for key, held in told.items() if key != "description"}
    aitw = replace(step, native=Native.of("aitw", plain))
    return told if isinstance(described, str) and aitw_native(aitw) is not None else None


def _in_pixels(step: Step) -> Step:
    """Converts a step from Android in the Wild's numbers to AITZ's."""
    told = dict(step.native.value) if step.native is not None else {}
    size = step.frame.size if step.frame is not None else None
    boxes = told.pop("boxes", [])
    if size is not None and all(isinstance(n, int | float) for box in boxes for n in box):
        told["boxes"] = [_pixels(box, size) for box in boxes]
    told["description"] = described = _described(step.action)
    texts = replace(step.texts, instruction=described)
    return replace(step, native=Native.of(SPACE, told), texts=texts)


def _pixels(box: list[float], size: Size) -> list[int]:
    sides = (size.height, size.width, size.height, size.width)
    return [round(number * side) for number, side in zip(box, sides, strict=True)]


def _described(action: a.Action) -> str:
    match action:
        case a.Swipe() | a.Scroll():
            return f"scroll {action.direction.value}"
        case a.TypeText(text):
            return f"type {text}"
        case a.PressKey(key):
            return f"press the {_KEYS.get(key, key.value)} button"
        case a.Finish(ending):
            done = "completed" if ending is a.Ending.COMPLETE else "impossible"
            return f"stop and set the query as {done}"
    return "click on the element"


def _lost_of_episode(episode: Episode, own: bool) -> list[str]:
    task = episode.task
    there = {
        "another data set's facts about an episode": bool(episode.extra) and not own,
        "the recorded video": bool(episode.segments),
        "the screen at the end": episode.final is not None,
        "a task's template or apps": bool(task.template or task.filled or task.apps),
        "what is known of the phone": bool(episode.device.model or episode.device.sdk),
        "a split other than AITZ's own": any(split != SPLIT for split, _ in episode.splits),
    }
    return [what for what, lost in there.items() if lost]


def _lost_of_step(step: Step, own: bool) -> list[str]:
    """What a step holds that the data set has no place for."""
    action, texts = step.action, step.texts
    words = (texts.context, texts.note, "" if own else texts.instruction)
    moved = isinstance(action, a.Tap | a.LongPress | a.Swipe)
    other_screen = not own and has_tree_of_another_screen(step)
    there = {
        "a tree's structure; its elements are written": (
            step.tree is not None and not own and not other_screen
        ),
        TREE_OF_ANOTHER_SCREEN: other_screen,
        "the app in front": step.foreground is not None,
        "the screen after a step": step.after is not None,
        "the time of a step": step.began != Moment(),
        "further gold actions": bool(step.golds),
        "a step's regions": bool(step.regions),
        "a step's texts other than its description and intention": any(words),
        "the path of a finger between its ends": moved and bool(getattr(action, "path", ())),
        "how long a finger was held": isinstance(action, a.LongPress) and not own,
        "the way of a scroll; a stroke is written": isinstance(action, a.Scroll) and not own,
        "the key that sent a text off": isinstance(action, a.TypeText) and action.submit,
        "why a task cannot be done": isinstance(action, a.Finish) and bool(action.reason),
        "another data set's facts about a step": bool(step.extra) and not own,
    }
    return [what for what, lost in there.items() if lost]
