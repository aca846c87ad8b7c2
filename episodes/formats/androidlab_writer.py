"""Writes episodes as Android Lab's traces, so that its own evaluation reads them.

What came from a trace goes back as it was. Of what was recorded the target is the smallest element
that takes touches and holds the point. What a trace has no word for is left out and counted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from episodes import actions as a
from episodes.episodes import Episode
from episodes.formats.androidlab_actions import own_parsed, swipe_length, trace_lines
from episodes.formats.androidlab_trees import as_on_api_33
from episodes.formats.input_files import StillPaths, is_file_name
from episodes.formats.output_files import (
    EpisodeWriter,
    WriteReport,
    new_folder,
    steps_to_write,
    still_bytes,
    still_pixels,
    write_all,
    write_whole,
)
from episodes.geometry import Box, Point
from episodes.media import pictures
from episodes.screens import Still, TreeStatus
from episodes.steps import Step
from episodes.trees.step_trees import NoTree, tree_of_step

_TASK = re.compile(r"[A-Za-z0-9]+_[A-Za-z0-9]+")
_STARTED = "2024-01-01_00-00-00"


def write(
    episodes: Iterable[Episode], folder: Path, stills: StillPaths, version: str = "1"
) -> WriteReport:
    """Writes `<task>_<time>/` with `traces/trace.jsonl`, `Screen/` and `xml/` for each episode.

    Raises:
        KnownError: the folder is not empty, a picture is missing, or the disk is full.
    """
    doing = f"export Android Lab to {folder}"
    writer = _Writer(folder, stills, doing)
    with new_folder(folder, (), doing):
        return write_all(writer, episodes)


class _Writer(EpisodeWriter):
    """Writes one run and counts what it could not take."""

    def episode(self, episode: Episode) -> None:
        """Writes an episode's trace."""
        written, name = self.written, episode.name
        if not self._names.may_write(episode):
            return
        folder = _folder_name(episode)
        if not is_file_name(folder):
            written.count_loss("an episode whose name cannot be a folder's name", name)
            return
        steps = [step for _, step in steps_to_write(episode, written)]
        apps = {
            id(step): after.foreground.package
            for step, after in pairwise(steps)
            if after.foreground is not None
        }
        lines: list[dict[str, Any]] = []
        for step, action in trace_lines(steps, _box_at):
            where = f"{name}: step {step.index}"
            if action is None:
                written.count_loss("an action that a trace has no word for", where)
                continue
            if own_parsed(step) is None:
                self._count_losses(step, where)
                if isinstance(step.action, a.Swipe) and step.frame is not None:
                    action["kwargs"]["dist"] = swipe_length(step.action, step.frame.size)
                if isinstance(step.action, a.OpenApp):
                    action["kwargs"]["package"] = apps.get(id(step), step.action.app)
            lines.append(self._line(len(lines), step, action, episode, folder))
        if not lines:
            written.count_loss("an episode without a step that can be written", name)
            return
        self._names.add(name)
        if episode.final is not None and episode.final.still is not None:
            self._picture(episode.final.still, f"{folder}/Screen/screenshot-end-{len(lines)}.png")
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        self._keep(f"{folder}/traces/trace.jsonl", text.encode(errors="replace"))
        written.episodes += 1
        written.steps += len(lines)

    def _count_losses(self, step: Step, where: str) -> None:
        match step.action:
            case a.DoubleTap():
                self.written.count_loss("a double tap, written as one tap", where)
            case a.TypeText(submit=False):
                self.written.count_loss("that no Enter followed a text", where)
            case a.Finish(ending=a.Ending.IMPOSSIBLE):
                self.written.count_loss("that the task was called impossible", where)
            case _:
                pass

    def _line(
        self, number: int, step: Step, action: dict[str, Any], episode: Episode, folder: str
    ) -> dict[str, Any]:
        instruction = episode.task.instruction
        image = f"{folder}/Screen/screenshot-{number}-{number}.0-before.png"
        frame = step.frame
        if frame is not None and frame.still is not None:
            self._picture(frame.still, image)
        record = step.tree.record if step.tree is not None else None
        xml = "ERROR"
        if record is not None and record.status is TreeStatus.OK and not step.private_boxes:
            xml = f"{folder}/xml/{number}.xml"
            came = own_parsed(step) is not None
            self._keep(xml, record.data if came else as_on_api_33(record.data))
        front = step.foreground
        return {
            "trace_id": folder,
            "index": number,
            "prompt": instruction if number == 0 else "** XML **",
            "image": image,
            "xml": xml,
            "ac_xml": None,
            "current_activity": front.package if front is not None else 0,
            "window": [frame.size.width, frame.size.height] if frame is not None else None,
            "target": instruction,
            **_commands(step),
            "parsed_action": action,
            "current_response": step.texts.note,
        }

    def _picture(self, still: Still, name: str) -> None:
        if still.media_type == "image/png":
            data = still_bytes(still, self._stills, self._doing)
        else:
            data = pictures.encode_png(still_pixels(still, self._stills, self._doing))
        self._keep(name, data)
        self.written.pictures += 1

    def _keep(self, name: str, data: bytes) -> None:
        path = self._folder / name
        self.made.append(path)
        write_whole(path, data, self._doing)


def _commands(step: Step) -> dict[str, Any]:
    told = json.loads(step.extra) if step.extra else {}
    return {"command": told["command"]} if isinstance(told, dict) and "command" in told else {}


def _folder_name(episode: Episode) -> str:
    """The task's name and the time; of an episode from elsewhere its own name stands in."""
    task = episode.task.goal_id
    if not _TASK.fullmatch(task):
        task = f"episode_{re.sub(r'[^A-Za-z0-9]', '', episode.name) or '0'}"
    try:
        started = datetime.fromisoformat(episode.started_utc).strftime("%Y-%m-%d_%H-%M-%S")
    except ValueError:
        started = _STARTED
    return f"{task}_{started}"


def _box_at(step: Step, at: Point) -> Box | None:
    """The smallest element that takes touches and holds a point."""
    tree = tree_of_step(step)
    if isinstance(tree, NoTree):
        return None
    nodes = [node for node in tree.walk() if node.interactive and at in node.box]
    return min((node.box for node in nodes), key=lambda box: box.area, default=None)
