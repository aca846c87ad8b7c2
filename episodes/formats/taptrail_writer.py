"""Writes episodes as Taptrail's JSON lines, with their pictures, trees and masks as files."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol, TextIO

from episodes.codec import action_to_json
from episodes.episodes import Actor, Episode, EpisodeState
from episodes.errors import KnownError
from episodes.formats import taptrail_values as v
from episodes.formats.input_files import StillPaths, is_file_name, sha256_hex
from episodes.formats.output_files import (
    SUFFIXES,
    WriteReport,
    copy_still,
    may_export,
    new_folder,
    steps_to_write,
    write_whole,
)
from episodes.formats.taptrail import LINES
from episodes.recordings import DeviceFacts
from episodes.screens import Frame
from episodes.steps import Step, StepTexts

FOLDERS = ("pictures", "trees", "masks")


def write(
    episodes: Iterable[Episode], folder: Path, stills: StillPaths, version: str = "1"
) -> WriteReport:
    """Writes `episodes.jsonl` with `pictures/`, `trees/` and `masks/` into a new folder.

    The recorded video stays in the library; it is counted as a loss.

    Raises:
        KnownError: the folder is not empty, a picture is missing, or the disk is full.
    """
    doing = f"export Taptrail lines to {folder}"
    files = _Files(folder, stills, doing)
    part = folder / f"{LINES}.part"
    with new_folder(folder, (*FOLDERS, LINES, part.name), doing):
        try:
            with part.open("w", encoding="utf-8") as stream:
                for episode in episodes:
                    _episode(episode, stream, files)
            part.replace(folder / LINES)
        except OSError as error:
            raise KnownError(
                doing, f"{part}: {error.strerror or error}", "Make room or choose another folder."
            ) from error
    return files.written


class AttachmentWriter(Protocol):
    """Where the files go that lines name."""

    def frame(self, frame: Frame | None) -> dict[str, Any] | None:
        """Returns a frame as JSON, and writes its picture."""

    def tree(self, data: bytes) -> str | None:
        """Keeps a tree's bytes and returns their name; None if there are none."""

    def mask(self, png: bytes) -> str:
        """Keeps a mask and returns its name."""


def can_write(episode: Episode, written: WriteReport) -> bool:
    """Returns whether an episode can be written as lines; counts losses."""
    if not may_export(episode, written):
        return False
    if not is_file_name(episode.name):
        written.count_loss("an episode's name cannot be a file's name", episode.name)
        return False
    if episode.segments:
        written.count_loss("the recorded video", episode.name)
    return True


def episode_line(episode: Episode, files: AttachmentWriter) -> dict[str, Any]:
    """Returns an episode, without its steps, as the JSON of its line."""
    return _kept(
        {
            "type": "episode",
            "episode": episode.name,
            "uuid": episode.uuid,
            "origin": v.plain(episode.origin),
            "task": v.plain(episode.task),
            "state": None
            if episode.state is EpisodeState.FINISHED
            else EpisodeState.INCOMPLETE.value,
            "actor": v.plain(episode.actor) if episode.actor != Actor() else None,
            "attempt": v.plain(episode.attempt) if episode.attempt is not None else None,
            "device": v.plain(episode.device) if episode.device != DeviceFacts() else None,
            "started_utc": episode.started_utc or None,
            "ended_utc": episode.ended_utc or None,
            "finish": action_to_json(episode.finish) if episode.finish is not None else None,
            "final": files.frame(episode.final),
            "gaps": v.plain(episode.gaps),
            "clock_samples": v.plain(episode.clock_samples),
            "declared_steps": episode.declared_steps,
            "splits": v.plain(episode.splits),
            "extra": episode.extra or None,
        }
    )


def step_line(step: Step, episode: str, files: AttachmentWriter) -> dict[str, Any]:
    """Returns a step as the JSON of its line."""
    return _kept(
        {
            "type": "step",
            "episode": episode,
            "step": step.index,
            "action": action_to_json(step.action),
            "frame": files.frame(step.frame),
            "native": v.plain(step.native) if step.native is not None else None,
            "source": step.source if step.source != "import" else None,
            "began": v.plain(step.began),
            "ended": v.plain(step.ended),
            "after": files.frame(step.after),
            "tree": v.tree_to_json(
                step.tree.record, step.tree.fit, files.tree(step.tree.record.data)
            )
            if step.tree is not None
            else None,
            "foreground": v.plain(step.foreground) if step.foreground is not None else None,
            "texts": v.plain(step.texts) if step.texts != StepTexts() else None,
            "regions": [
                v.region_to_json(region, files.mask(region.mask.png) if region.mask else None)
                for region in step.regions
            ],
            "golds": [v.gold_to_json(gold) for gold in step.golds],
            "extra": step.extra or None,
        }
    )


def line_text(value: dict[str, Any]) -> str:
    """Returns the JSON of a line as text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _kept(value: dict[str, Any]) -> dict[str, Any]:
    return {key: held for key, held in value.items() if held is not None and held not in ([], {})}


def _episode(episode: Episode, stream: TextIO, files: _Files) -> None:
    written = files.written
    if not can_write(episode, written):
        return
    stream.write(line_text(episode_line(episode, files)) + "\n")
    written.episodes += 1
    for _, step in steps_to_write(episode, written):
        stream.write(line_text(step_line(step, episode.name, files)) + "\n")
        written.steps += 1


class _Files:
    """The files beside the lines, each written once, named by its hash."""

    def __init__(self, folder: Path, stills: StillPaths, doing: str) -> None:
        self.written = WriteReport()
        self._folder = folder
        self._stills = stills
        self._doing = doing
        self._there: set[str] = set()

    def frame(self, frame: Frame | None) -> dict[str, Any] | None:
        if frame is None:
            return None
        picture = None
        if frame.still is not None:
            picture = f"pictures/{frame.still.sha256}{SUFFIXES[frame.still.media_type]}"
            if picture not in self._there:
                copy_still(frame.still, self._stills, self._folder / picture, self._doing)
                self._there.add(picture)
                self.written.pictures += 1
        return v.frame_to_json(frame, picture)

    def tree(self, data: bytes) -> str | None:
        return self._keep("trees", ".tree", data) if data else None

    def mask(self, png: bytes) -> str:
        return self._keep("masks", ".png", png)

    def _keep(self, folder: str, suffix: str, data: bytes) -> str:
        name = f"{folder}/{sha256_hex(data)}{suffix}"
        if name not in self._there:
            write_whole(self._folder / name, data, self._doing)
            self._there.add(name)
        return name
