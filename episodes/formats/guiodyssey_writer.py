"""Writes episodes as GUIOdyssey annotation files, screenshots and splits.

What came from GUIOdyssey goes back number for number; what was recorded is measured in the data
set's thousandths, rounded once. What the data set has no word for is left out and counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from episodes import thousandths as th
from episodes.actions import Finish, LongPress, Tap
from episodes.episodes import Episode
from episodes.formats.guiodyssey import CATEGORIES, NAME
from episodes.formats.reading import StillPaths, plain_name
from episodes.formats.writing import SUFFIXES, Written, copy_still, new_folder, write_whole
from episodes.steps import Step


def write(
    episodes: Iterable[Episode], folder: Path, stills: StillPaths, version: str = "2"
) -> Written:
    """Writes `annotations/`, `screenshots/` and `splits/` into a new folder.

    Version 1 has neither regions nor texts of a step; they are counted as losses.

    Raises:
        KnownError: the folder is not empty, a picture is missing, or the disk is full.
    """
    doing = f"export GUIOdyssey to {folder}"
    new_folder(folder, doing)
    written = Written()
    splits: dict[str, dict[str, list[str]]] = {}
    for episode in episodes:
        if episode.private:
            written.lose("a private episode", episode.name)
            continue
        if not plain_name(episode.name):
            written.lose("an episode's name cannot be a file's name", episode.name)
            continue
        file = f"{episode.name}.json"
        value = _episode(episode, folder, stills, version, written, doing)
        text = json.dumps(value, ensure_ascii=False, indent=1)
        write_whole(folder / "annotations" / file, text.encode(), doing)
        written.episodes += 1
        for split, part in episode.splits:
            splits.setdefault(split, {"train": [], "test": []}).setdefault(part, []).append(file)
    for split, parts in splits.items():
        if not plain_name(split):
            written.lose("a split's name cannot be a file's name", split)
            continue
        data = json.dumps(parts, ensure_ascii=False).encode()
        write_whole(folder / "splits" / f"{split}_split.json", data, doing)
    return written


def _episode(
    episode: Episode, folder: Path, stills: StillPaths, version: str, written: Written, doing: str
) -> dict[str, Any]:
    own = episode.origin.dataset == NAME
    extra = json.loads(episode.extra) if own and episode.extra else {}
    if episode.extra and not own:
        written.lose("what another data set said of an episode", episode.name)
    if episode.segments:
        written.lose("the recorded video", episode.name)
    if episode.task.category not in CATEGORIES:
        written.lose("a category that is not one of the six", episode.name)
    steps: list[dict[str, Any]] = []
    for step in episode.steps:
        if step.private:
            written.lose("a private step", f"{episode.name} step {step.index}")
            continue
        number = step.index if own else len(steps)
        value = _step(step, number, episode.name, version, written)
        if value is None:
            continue
        if step.frame is not None and step.frame.still is not None:
            suffix = SUFFIXES[step.frame.still.media_type]
            native = step.frame.native if own else None
            name = native if native and plain_name(native) else f"{episode.name}_{number}{suffix}"
            copy_still(step.frame.still, stills, folder / "screenshots" / name, doing)
            value["screenshot"] = name
            written.pictures += 1
        elif own and step.frame is not None and step.frame.native is not None:
            value["screenshot"] = step.frame.native
        steps.append(value)
        written.steps += 1
    value = {
        "episode_id": episode.name,
        "device_info": _device(episode),
        "task_info": {
            "category": episode.task.category,
            "app": list(episode.task.apps),
            "meta_task": episode.task.template,
            "task": episode.task.filled,
            "instruction": episode.task.instruction,
        }
        | extra.pop("task_info", {}),
        "step_length": len(steps) if episode.declared_steps is None else episode.declared_steps,
        "steps": steps,
    }
    return value | extra


def _device(episode: Episode) -> dict[str, Any]:
    device = episode.device
    if device.native and episode.origin.dataset == NAME:
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


def _step(
    step: Step, number: int, episode: str, version: str, written: Written
) -> dict[str, Any] | None:
    where = f"{episode} step {step.index}"
    size = step.frame.size if step.frame is not None else None
    if step.native is not None and step.native.space == th.SPACE:
        native = dict(step.native.value)
    else:
        made = th.as_native(step.action, size)
        if isinstance(made, th.CannotHold):
            written.lose(made.reason, where)
            return None
        native = made
    value: dict[str, Any] = {"step": number} | native
    if step.extra and step.native is not None and step.native.space == th.SPACE:
        value |= json.loads(step.extra)
    elif isinstance(step.action, Finish) and step.action.reason:
        value["ps"] = step.action.reason
    if version == "1":
        if any(
            (step.texts.instruction, step.texts.description, step.texts.intention, step.regions)
        ):
            written.lose("texts and regions of a step (version 1 has none)", where)
    else:
        value |= {
            "description": step.texts.description,
            "intention": step.texts.intention,
            "low_level_instruction": step.texts.instruction,
            "context": step.texts.context,
        }
        value |= _region(step)
    for lost, there in {
        "a step's tree": step.tree,
        "further gold actions": step.golds,
        "a note": step.texts.note,
    }.items():
        if there:
            written.lose(lost, where)
    return value


def _region(step: Step) -> dict[str, Any]:
    """`[]` where nothing was clicked, null for a click without a region, else the rectangle."""
    for region in step.regions:
        if region.native is not None and region.native.space == th.SPACE:
            return {"sam2_bbox": region.native.value}
    if step.native is not None and step.native.space == th.SPACE:
        return {}
    if not isinstance(step.action, Tap | LongPress):
        return {"sam2_bbox": []}
    target = step.target
    if target is None or target.box is None or step.frame is None:
        return {"sam2_bbox": None}
    return {"sam2_bbox": th.box_thousandths(target.box, step.frame.size)}
