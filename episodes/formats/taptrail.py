"""Taptrail's own format: JSON lines beside pictures, so that anybody's script can feed us.

A folder holds `episodes.jsonl` and the files its lines name. A line is an episode or a step;
the steps of an episode follow its line. The least that is read:

    {"type": "episode", "episode": "tea-1", "instruction": "Set a timer for three minutes"}
    {"type": "step", "episode": "tea-1", "step": 0, "picture": "pictures/0.png",
     "action": {"kind": "tap", "at": {"point": [540, 1210]}}}

`docs/formats/taptrail.md` lists all members. Points are pixels of the step's picture.
"""

from __future__ import annotations

import datetime
import stat
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from episodes.actions import Finish
from episodes.clocks import ClockSample, Moment
from episodes.codec import BadValue, action_from_json
from episodes.episodes import Actor, Attempt, Episode, EpisodeState, Origin, Task
from episodes.errors import KnownError
from episodes.formats import taptrail_values as v
from episodes.formats.input_files import (
    BadName,
    BadPicture,
    ImportNote,
    MissingPicture,
    PictureStore,
    Refused,
    file_bytes,
    file_in_folder,
    file_name_problem,
    json_lines,
    path_exists,
    path_inside,
)
from episodes.recordings import DeviceFacts, Gap
from episodes.screens import Foreground, Frame, StepTree, Still, TreeStatus
from episodes.steps import Step, StepTexts
from episodes.trees.dumps import receive_tree

NAME = "taptrail"
VERSION = "1"
LINES = "episodes.jsonl"
MAX_STEPS = 100_000
MAX_TREE_BYTES = 16 * 1024 * 1024


def count(path: Path) -> int:
    """Returns how many episode lines there are, by a quick look.

    Raises:
        KnownError: there is no such file.
    """
    try:
        with _lines_file(path).open("rb") as stream:
            return sum(1 for line in stream if b'"type"' in line and b'"episode",' in line)
    except OSError:
        return 0


def read(
    path: Path, picture_store: PictureStore, version: str = ""
) -> Iterator[Episode | Refused | ImportNote]:
    """Yields the episodes of a folder or of its `episodes.jsonl`, and what was refused.

    Raises:
        KnownError: there is no such file.
    """
    lines = _lines_file(path)
    reader = LineReader(FolderAttachments(lines.parent, picture_store))
    seen: set[tuple[str, ...]] = set()
    for number, value in json_lines(lines, f"read {lines.name}"):
        where = f"{lines.name} line {number}"
        if isinstance(value, Refused):
            yield value
            continue
        try:
            done = reader.line(value, lines.name)
        except BadValue as error:
            list(reader.problems(where))  # a line that is not taken lacks no picture
            yield Refused(where, str(error))
            continue
        yield from reader.problems(where)
        if done is not None:
            yield from refuse_repeated(done, seen, f"{where} (the episode before it)")
    last = reader.end()
    if last is not None:
        yield from refuse_repeated(last, seen, f"{lines.name} (its last episode)")


def refuse_repeated(
    episode: Episode, seen: set[tuple[str, ...]], where: str
) -> Iterator[Episode | Refused]:
    """Yields an episode whose name and uuid were not `seen`, or why it is refused."""
    origin = episode.origin
    keys = {(origin.dataset, origin.version, episode.name), (episode.uuid,)}
    if keys & seen:
        yield Refused(where, f"episode {episode.name} was there already")
    else:
        seen |= keys
        yield episode


def _lines_file(path: Path) -> Path:
    doing = f"import Taptrail lines from {path}"
    try:
        lines = file_in_folder(path, LINES, doing) if path.is_dir() else path
        there = path_exists(lines) and stat.S_ISREG(lines.stat().st_mode)
    except OSError as error:
        raise KnownError(
            doing,
            f"{path.name or path}: {error.strerror or error}",
            "Check the path and its permissions.",
        ) from error
    if not there:
        raise KnownError(
            doing,
            f"there is no {lines.name}",
            f"Give the folder that holds {LINES}.",
        )
    return lines


class LineAttachments(Protocol):
    """Where lines find the files they name."""

    def picture(self, name: str) -> Still | str:
        """Returns the kept picture, or why there is none.

        Raises:
            BadName: the name is none.
        """

    def data(self, name: str) -> bytes:
        """Returns the bytes of a tree or a mask.

        Raises:
            BadName: the name is none.
            KnownError: there is no such file.
        """


class FolderAttachments:
    """The files of a folder; none outside of it."""

    def __init__(self, folder: Path, picture_store: PictureStore) -> None:
        self._folder = folder
        self._picture_store = picture_store

    def picture(self, name: str) -> Still | str:
        """Returns the stored picture, or why there is none."""
        path = path_inside(self._folder, name)
        try:
            if not path_exists(path):
                return "the picture is not there"
        except OSError as error:
            return f"the picture cannot be used: {error.strerror or error}"
        try:
            return self._picture_store.keep(path)
        except BadPicture as error:
            return f"the picture cannot be used: {error.found}"

    def data(self, name: str) -> bytes:
        """Returns the bytes of a tree or a mask."""
        return file_bytes(path_inside(self._folder, name), f"read {name[:80]}", MAX_TREE_BYTES)


class LineReader:
    """Puts lines together to episodes; holds one episode at a time."""

    def __init__(self, files: LineAttachments) -> None:
        self._files = files
        self._open: Episode | None = None
        self._steps: dict[int, Step] = {}
        self._refusals: list[str] = []
        self._missing: list[str] = []
        self._notes: list[str] = []

    def line(self, value: Any, file: str) -> Episode | None:
        """Takes one line; returns the episode that it ended, if it began another.

        Raises:
            BadValue: the line cannot be taken.
        """
        taker = v.FieldReader(value, "line")
        kind = taker.needed("type", str)
        if kind == "step":
            self._take_step(taker)
            return None
        if kind != "episode":
            raise BadValue(f"line.type: “{kind[:40]}” is neither episode nor step")
        done = self.end()
        try:
            self._open = self._episode(taker, file)
        except BadValue as error:
            self._refusals.append(str(error))
        return done

    def end(self) -> Episode | None:
        """Returns the episode after its last line."""
        done, self._open = self._open, None
        if done is None:
            return None
        steps = tuple(self._steps[index] for index in sorted(self._steps))
        self._steps = {}
        last = steps[-1].action if steps else None
        finish = done.finish or (last if isinstance(last, Finish) else None)
        return replace(done, steps=steps, finish=finish)

    def problems(self, where: str) -> Iterator[Refused | ImportNote]:
        """Yields what was wrong with the last line."""
        refusals, self._refusals = self._refusals, []
        missing, self._missing = self._missing, []
        notes, self._notes = self._notes, []
        yield from (Refused(where, reason) for reason in refusals)
        yield from (MissingPicture(where, reason) for reason in missing)
        yield from (ImportNote(where, reason) for reason in notes)

    def _episode(self, taker: v.FieldReader, file: str) -> Episode:
        name = taker.needed("episode", str)
        if reason := file_name_problem(name):
            raise BadValue(f"line.episode: {reason}")
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
        if state not in (EpisodeState.FINISHED, EpisodeState.INCOMPLETE):
            raise BadValue(f"line.state: “{state[:40]}” is neither finished nor incomplete")
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
            device=_device(taker.maybe("device", dict) or {}),
            started_utc=_utc(taker, "started_utc"),
            ended_utc=_utc(taker, "ended_utc"),
            finish=ended,
            final=self._frame(final, "final") if final is not None else None,
            gaps=tuple(v.simple(Gap, g, "gaps") for g in taker.maybe("gaps", list) or []),
            clock_samples=tuple(
                v.simple(ClockSample, s, "clock_samples")
                for s in taker.maybe("clock_samples", list) or []
            ),
            declared_steps=_declared(taker.maybe("declared_steps", int)),
            splits=tuple((s[0], s[1]) for s in splits),
            private=bool(taker.maybe("private", bool)),
            extra=_extra(taker),
        )
        taker.nothing_left()
        return episode

    def _take_step(self, taker: v.FieldReader) -> None:
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

    def _step(self, taker: v.FieldReader, index: int) -> Step:
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
            native=v.native_from_json(native, "native") if native is not None else None,
            source=v.one_of(
                _or(taker.maybe("source", str), "import"), v.STEP_SOURCES, "line.source"
            ),
            began=v.simple(Moment, taker.maybe("began", dict) or {}, "began"),
            ended=v.simple(Moment, taker.maybe("ended", dict) or {}, "ended"),
            after=self._frame(after, "after") if after is not None else None,
            tree=self._tree(tree) if tree is not None else None,
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
            extra=_extra(taker),
        )
        taker.nothing_left()
        _check_lists(step)
        return step

    def _frame(self, value: dict[str, Any], name: str) -> Frame | None:
        """A picture that is missing and has no size beside it leaves no frame to measure in."""
        lost = self._missing if name == "frame" else self._notes

        def still(file: str) -> Still | None:
            try:
                kept = self._files.picture(file)
            except BadName as error:
                raise BadValue(f"{name}.picture: {file[:80]!r} {error}") from error
            if isinstance(kept, Still):
                return kept
            lost.append(f"{name}: {kept}")
            return None

        return v.frame_from_json(value, name, still)

    def _tree(self, value: dict[str, Any]) -> StepTree:
        """Returns a tree that was parsed on arrival; what it needed for that is a note."""
        record, fit = v.tree_from_json(value, "tree", self._bytes)
        if not record.data or record.status is not TreeStatus.OK:
            return StepTree(record, fit)
        received = receive_tree(record.format, record.data)
        if received.status is TreeStatus.EMPTY:
            return StepTree(record, fit)
        if received.status in (TreeStatus.UNREADABLE, TreeStatus.FAILED):
            self._notes.append(f"tree: it cannot be read: {received.detail}")
        elif received.detail:
            self._notes.append(f"tree: {received.detail}")
        data = received.data or record.data
        detail = received.detail or record.detail
        return StepTree(replace(record, status=received.status, data=data, detail=detail), fit)

    def _bytes(self, name: str) -> bytes:
        try:
            return self._files.data(name)
        except BadName as error:
            raise BadValue(f"file: {name[:80]!r} {error}") from error
        except KnownError as error:
            raise BadValue(f"file: {error.found}") from error


def _or(found: str | None, default: str) -> str:
    return default if found is None else found


def _extra(taker: v.FieldReader) -> str:
    """Further facts of a data set: an object as JSON text, which writers take apart again."""
    text = taker.maybe("extra", str) or ""
    if text and not isinstance(v.json_text(text, "line.extra"), dict):
        raise BadValue("line.extra: is not the text of a JSON object")
    return text


def _device(value: dict[str, Any]) -> DeviceFacts:
    device = v.simple(DeviceFacts, value, "device")
    if device.native and not isinstance(v.json_text(device.native, "device.native"), dict):
        raise BadValue("device.native: is not the text of a JSON object")
    return device


def _check_lists(step: Step) -> None:
    numbers: set[int] = set()
    for place, gold in enumerate(step.golds):
        if gold.number in numbers:
            raise BadValue(f"golds[{place}].number: {gold.number} is there twice")
        numbers.add(gold.number)
    chosen = [place for place, region in enumerate(step.regions) if region.chosen]
    if len(chosen) > 1:
        raise BadValue(f"regions[{chosen[1]}].chosen: regions[{chosen[0]}] is chosen already")


def _utc(taker: v.FieldReader, key: str) -> str:
    text = taker.maybe(key, str) or ""
    try:
        if text:
            datetime.datetime.fromisoformat(text)
    except ValueError:
        raise BadValue(f"line.{key}: {text[:40]!r} is not a time in ISO 8601") from None
    return text


def _declared(steps: int | None) -> int | None:
    if steps is not None and steps < 0:
        raise BadValue(f"line.declared_steps: {steps} is less than none")
    return steps


def _uuid(given: str | None, origin: Origin, name: str) -> str:
    if given is None:
        key = f"taptrail:{origin.dataset}/{origin.version}/{name}"
        return str(uuid.uuid5(uuid.NAMESPACE_URL, key))
    try:
        return str(uuid.UUID(given))
    except ValueError:
        raise BadValue(f"line.uuid: {given[:40]!r} is not a uuid") from None
