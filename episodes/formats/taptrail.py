"""Taptrail's own format: JSON lines beside pictures, so that anybody's script can feed us.

A folder holds `episodes.jsonl` and the files its lines name. A line is an episode or a step;
the steps of an episode follow its line. The least that is read:

    {"type": "episode", "episode": "tea-1", "instruction": "Set a timer for three minutes"}
    {"type": "step", "episode": "tea-1", "step": 0, "picture": "pictures/0.png",
     "action": {"kind": "tap", "at": {"point": [540, 1210]}}}

`docs/formats.md` lists all members. Points are pixels of the step's picture.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from episodes.actions import Finish
from episodes.clocks import ClockSample, Moment
from episodes.codec import BadValue, action_from_json
from episodes.episodes import Actor, Attempt, Episode, EpisodeState, Origin, Task
from episodes.errors import KnownError
from episodes.formats import taptrail_values as v
from episodes.formats.reading import (
    Note,
    Refused,
    Shelf,
    file_bytes,
    inside,
    json_lines,
    plain_name,
)
from episodes.geometry import Native
from episodes.recordings import DeviceFacts, Gap
from episodes.screens import Foreground, Frame, StepTree, Still
from episodes.steps import Step, StepTexts

NAME = "taptrail"
VERSION = "1"
LINES = "episodes.jsonl"
MAX_STEPS = 100_000
MAX_TREE_BYTES = 16 * 1024 * 1024


def count(path: Path) -> int:
    """Returns how many episode lines there are, by a quick look."""
    try:
        with _lines_file(path).open("rb") as stream:
            return sum(1 for line in stream if b'"type"' in line and b'"episode",' in line)
    except OSError:
        return 0


def read(path: Path, shelf: Shelf, version: str = "") -> Iterator[Episode | Refused | Note]:
    """Yields the episodes of a folder or of its `episodes.jsonl`, and what did not come in.

    Raises:
        KnownError: there is no such file.
    """
    lines = _lines_file(path)
    reader = _Reader(lines.parent, shelf)
    seen: set[str] = set()
    for number, value in json_lines(lines, f"read {lines.name}"):
        where = f"{lines.name} line {number}"
        if isinstance(value, Refused):
            yield value
            continue
        try:
            done = reader.line(value, lines.name)
        except BadValue as error:
            yield Refused(where, str(error))
            continue
        finally:
            yield from reader.notes(where)
        if done is not None:
            yield from _once(done, seen, where)
    last = reader.end()
    if last is not None:
        yield from _once(last, seen, lines.name)


def _once(episode: Episode, seen: set[str], where: str) -> Iterator[Episode | Refused]:
    if episode.name in seen:
        yield Refused(f"{where} (before it)", f"episode {episode.name} was there already")
    else:
        seen.add(episode.name)
        yield episode


def _lines_file(path: Path) -> Path:
    lines = path / LINES if path.is_dir() else path
    if not lines.is_file():
        raise KnownError(
            f"import Taptrail lines from {path}",
            f"there is no {lines.name}",
            f"Give the folder that holds {LINES}.",
        )
    return lines


class _Reader:
    """Puts lines together to episodes; holds one episode at a time."""

    def __init__(self, folder: Path, shelf: Shelf) -> None:
        self._folder = folder
        self._shelf = shelf
        self._open: Episode | None = None
        self._steps: dict[int, Step] = {}
        self._notes: list[str] = []

    def line(self, value: Any, file: str) -> Episode | None:
        """Takes one line; returns the episode that it ended, if it began another.

        Raises:
            BadValue: the line cannot be taken.
        """
        taker = v.Taker(value, "line")
        kind = taker.needed("type", str)
        if kind == "step":
            self._take_step(taker)
            return None
        if kind != "episode":
            raise BadValue(f"line.type: “{kind[:40]}” is neither episode nor step")
        done = self.end()
        self._open = self._episode(taker, file)
        return done

    def end(self) -> Episode | None:
        """Returns the episode whose lines have come to their end."""
        done, self._open = self._open, None
        if done is None:
            return None
        steps = tuple(self._steps[index] for index in sorted(self._steps))
        self._steps = {}
        last = steps[-1].action if steps else None
        finish = done.finish or (last if isinstance(last, Finish) else None)
        return replace(done, steps=steps, finish=finish)

    def notes(self, where: str) -> Iterator[Note]:
        """Yields what was odd about the last line."""
        notes, self._notes = self._notes, []
        for note in notes:
            yield Note(where, note)

    def _episode(self, taker: v.Taker, file: str) -> Episode:
        name = taker.needed("episode", str)
        if not plain_name(name):
            raise BadValue("line.episode: is empty, too long, or cannot be a file's name")
        task = taker.maybe("task", dict)
        instruction = taker.maybe("instruction", str)
        origin = taker.maybe("origin", dict)
        source = (
            v.simple(Origin, origin, "origin") if origin is not None else Origin(NAME, "1", file)
        )
        attempt = taker.maybe("attempt", dict)
        finish = taker.maybe("finish", dict)
        ended = action_from_json(finish) if finish is not None else None
        if ended is not None and not isinstance(ended, Finish):
            raise BadValue("line.finish: is not a finish action")
        final = taker.maybe("final", dict)
        state = taker.maybe("state", str) or "finished"
        if state not in list(EpisodeState):
            raise BadValue(f"line.state: “{state[:40]}” is not one of the known words")
        splits = taker.maybe("splits", list) or []
        if not all(
            isinstance(s, list) and len(s) == 2 and all(isinstance(t, str) for t in s)
            for s in splits
        ):
            raise BadValue("line.splits: is not a list of [split, part]")
        episode = Episode(
            uuid=_uuid(taker.maybe("uuid", str), source, name),
            name=name,
            origin=source,
            task=v.simple(Task, task, "task") if task is not None else Task(instruction or ""),
            state=EpisodeState(state),
            steps=(),
            actor=v.simple(Actor, taker.maybe("actor", dict) or {}, "actor"),
            attempt=v.simple(Attempt, attempt, "attempt") if attempt is not None else None,
            device=v.simple(DeviceFacts, taker.maybe("device", dict) or {}, "device"),
            started_utc=taker.maybe("started_utc", str) or "",
            ended_utc=taker.maybe("ended_utc", str) or "",
            finish=ended,
            final=self._frame(final, "final") if final is not None else None,
            gaps=tuple(v.simple(Gap, g, "gaps") for g in taker.maybe("gaps", list) or []),
            clock_samples=tuple(
                v.simple(ClockSample, s, "clock_samples")
                for s in taker.maybe("clock_samples", list) or []
            ),
            declared_steps=taker.maybe("declared_steps", int),
            splits=tuple((s[0], s[1]) for s in splits),
            private=bool(taker.maybe("private", bool)),
            extra=taker.maybe("extra", str) or "",
        )
        taker.nothing_left()
        return episode

    def _take_step(self, taker: v.Taker) -> None:
        name = taker.needed("episode", str)
        if self._open is None or name != self._open.name:
            raise BadValue(
                f"line.episode: the line before its steps must be that of episode “{name[:40]}”"
            )
        index = taker.needed("step", int)
        if not 0 <= index < MAX_STEPS:
            raise BadValue(f"line.step: {index} is not from 0 to {MAX_STEPS - 1}")
        if index in self._steps:
            raise BadValue(f"line.step: step {index} was there already; the first is kept")
        self._steps[index] = self._step(taker, index)

    def _step(self, taker: v.Taker, index: int) -> Step:
        action = action_from_json(taker.needed("action", dict))
        frame = taker.maybe("frame", dict)
        picture = taker.maybe("picture", str)
        if frame is None and picture is not None:
            frame = {"picture": picture}
        after = taker.maybe("after", dict)
        native = taker.maybe("native", dict)
        tree = taker.maybe("tree", dict)
        foreground = taker.maybe("foreground", dict)
        texts = taker.maybe("texts", dict)
        instruction = taker.maybe("instruction", str)
        step = Step(
            index=index,
            action=action,
            frame=self._frame(frame, "frame") if frame is not None else None,
            native=v.simple(Native, native, "native") if native is not None else None,
            source=taker.maybe("source", str) or "import",
            began=v.simple(Moment, taker.maybe("began", dict) or {}, "began"),
            ended=v.simple(Moment, taker.maybe("ended", dict) or {}, "ended"),
            after=self._frame(after, "after") if after is not None else None,
            tree=StepTree(*v.tree_from_json(tree, "tree", self._bytes))
            if tree is not None
            else None,
            foreground=v.simple(Foreground, foreground, "foreground")
            if foreground is not None
            else None,
            texts=v.simple(StepTexts, texts, "texts")
            if texts is not None
            else StepTexts(instruction or ""),
            regions=tuple(
                v.region_from_json(region, f"regions[{number}]", self._bytes)
                for number, region in enumerate(taker.maybe("regions", list) or [])
            ),
            golds=tuple(
                v.gold_from_json(gold, f"golds[{number}]")
                for number, gold in enumerate(taker.maybe("golds", list) or [])
            ),
            private=bool(taker.maybe("private", bool)),
            extra=taker.maybe("extra", str) or "",
        )
        taker.nothing_left()
        return step

    def _frame(self, value: dict[str, Any], name: str) -> Frame:
        """A picture that is missing and has no size beside it leaves no frame to measure in."""
        return v.frame_from_json(value, name, self._still)

    def _still(self, name: str) -> Still | None:
        path = inside(self._folder, name)
        if path is None:
            raise BadValue(f"picture: {name[:80]!r} leads out of the folder")
        if not path.is_file():
            return None
        try:
            return self._shelf.keep(path)
        except KnownError as error:
            self._notes.append(f"the picture cannot be used: {error.found}")
            return None

    def _bytes(self, name: str) -> bytes:
        path = inside(self._folder, name)
        if path is None:
            raise BadValue(f"file: {name[:80]!r} leads out of the folder")
        try:
            return file_bytes(path, f"read {name[:80]}", MAX_TREE_BYTES)
        except KnownError as error:
            raise BadValue(f"file: {error.found}") from error


def _uuid(given: str | None, origin: Origin, name: str) -> str:
    if given is None:
        key = f"taptrail:{origin.dataset}/{origin.version}/{name}"
        return str(uuid.uuid5(uuid.NAMESPACE_URL, key))
    try:
        return str(uuid.UUID(given))
    except ValueError:
        raise BadValue(f"line.uuid: {given[:40]!r} is not a uuid") from None
