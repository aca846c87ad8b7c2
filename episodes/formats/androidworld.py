"""AndroidWorld's result files: one gzipped pickle an episode, of five kinds of agents.

They are read without running anything of them (`androidworld_pickle`). A failed record comes in as
an episode without steps, with its exception. M3A draws the target into the picture it calls raw.

Source: suite_utils.py, agents/ of google-research/android_world at d9c569f.
"""

from __future__ import annotations

import ast
import json
import re
import uuid
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from episodes import actions as a
from episodes.episodes import Actor, Episode, EpisodeState, Origin, Task
from episodes.errors import KnownError
from episodes.formats.androidworld_actions import SPACE, action_of, plain, text_of
from episodes.formats.androidworld_pickle import array_of, fields_of, read_records
from episodes.formats.input_files import (
    BadPicture,
    ImportNote,
    MissingPicture,
    PictureStore,
    Refused,
)
from episodes.geometry import Box, Native, Size
from episodes.screens import Basis, Frame, Still
from episodes.steps import Step, StepTexts
from episodes.task_verdicts import OF_A_FILE, TaskVerdict, word_of

NAME = SPACE
VERSION = "1"
SUFFIX = ".pkl.gz"
MAX_FILES = 100_000
MAX_STEPS = 10_000
MAX_NUMBER = 1e9
UNKNOWN_SIZE = Size(1080, 2400)
_PICTURES = ("before_screenshot", "screenshot", "raw_screenshot", "pixels")
_ELEMENTS = ("before_ui_elements", "before_element_list", "ui_elements", "elements")
_KEPT = (
    *("action_output", "action_reason", "summary", "action", "action_description"),
    *("seeact_action", "step_number"),
)
_ACTION = re.compile(r"Action:\s*(\{.*?\})", re.DOTALL)


def count(path: Path) -> int:
    """Returns how many result files there are.

    Raises:
        KnownError: there is no such file or folder.
    """
    return len(_files(path))


def read(
    path: Path, picture_store: PictureStore, version: str = ""
) -> Iterator[Episode | Refused | ImportNote]:
    """Yields an episode for each record, and what was refused.

    Raises:
        KnownError: there is no result file at `path`.
    """
    files = _files(path)
    if not files:
        raise KnownError(
            f"import AndroidWorld from {path}",
            f"there is no file that ends with {SUFFIX}",
            "Give the folder of a run.",
        )
    for file in files:
        try:
            records = read_records(file)
        except KnownError as error:
            yield Refused(file.name, error.found)
            continue
        for number, record in enumerate(records):
            reader = _Reader(file, number, record, picture_store)
            try:
                episode = reader.episode()
            except (ValueError, TypeError, LookupError, RecursionError) as error:
                yield Refused(file.name, f"record {number}: {type(error).__name__}: {error}")
                continue
            yield from reader.problems
            yield episode


def verdict(episode: Episode) -> TaskVerdict | None:
    """Returns what the file says of an attempt: its score is 0 unless the agent said it was done.

    A record with an exception, or without a score, is unknown.
    """
    told = json.loads(episode.extra)
    score = _number(told["is_successful"])
    exception = told["exception_info"]
    known = score is not None and exception is None
    last = (exception or "").strip().rpartition("\n")[2]
    return TaskVerdict(
        task=episode.task.goal_id,
        bench=NAME,
        version=OF_A_FILE,
        seed=_whole(told["seed"]),
        instance=_whole(told["instance_id"]) or 0,
        goal=episode.task.instruction,
        goal_before=episode.task.instruction,
        satisfied_at_start=None,
        score=score if known else None,
        verdict=word_of(score if known else None),
        claimed=episode.finish.ending.value if episode.finish is not None else "",
        reason=(
            f"{episode.origin.file} says {score:g}"
            if known
            else last[:300] or f"{episode.origin.file} holds no score"
        ),
        evidence="[]",
        details=json.dumps(
            {
                "score_by_the_benchmark": score if known else None,
                "run_seconds": _number(told["run_time"]),
                "episode_length": _number(told["episode_length"]),
                "exception": exception,
            },
            ensure_ascii=False,
        ),
        judged_utc=episode.ended_utc,
    )


class _Reader:
    def __init__(
        self, file: Path, number: int, record: dict[str, Any], picture_store: PictureStore
    ) -> None:
        self.problems: list[Refused | ImportNote] = []
        self._file = file
        self._number = number
        self._record = record
        self._picture_store = picture_store

    def episode(self) -> Episode:
        record = self._record
        stem = self._file.name.removesuffix(SUFFIX)
        name = stem if self._number == 0 else f"{stem}.{self._number}"
        data = record.get("episode_data")
        steps = tuple(self._steps(data)) if isinstance(data, dict) else ()
        last = steps[-1].action if steps else None
        finish = last if isinstance(last, a.Finish) else None
        if not steps:
            self.problems.append(ImportNote(self._file.name, "it failed, and has no steps"))
        finished = record.get("finish_dtime")
        task = text_of(record.get("task_template"))
        run = self._file.parent.name
        return Episode(
            uuid=str(uuid.uuid5(uuid.NAMESPACE_URL, f"taptrail:{NAME}/{run}/{name}")),
            name=f"{run}-{name}"[:180],
            origin=Origin(NAME, VERSION, self._file.name),
            task=Task(text_of(record.get("goal")) or task, goal_id=task),
            state=EpisodeState.FINISHED if finish is not None else EpisodeState.INCOMPLETE,
            steps=steps,
            actor=Actor("agent", agent=(text_of(record.get("agent_name")) or run)[:200]),
            ended_utc=finished.isoformat() if isinstance(finished, datetime) else "",
            finish=finish,
            extra=json.dumps(self._beside(), ensure_ascii=False),
        )

    def _beside(self) -> dict[str, Any]:
        names = ("is_successful", "run_time", "episode_length", "seed", "instance_id")
        told = {name: plain(self._record.get(name)) for name in names}
        exception = self._record.get("exception_info")
        told["exception_info"] = text_of(exception)[-2000:] if exception is not None else None
        return told

    def _steps(self, data: dict[str, Any]) -> Iterator[Step]:
        columns = {key: one for key, one in data.items() if text_of(key) and isinstance(one, list)}
        length = min(max((len(value) for value in columns.values()), default=0), MAX_STEPS)
        drawn = False
        for index in range(length):
            row = {key: value[index] for key, value in columns.items() if index < len(value)}
            name = next((key for key in _PICTURES if array_of(row.get(key)) is not None), "")
            drawn = drawn or (name == "raw_screenshot" and "before_screenshot_with_som" in row)
            still = self._still(index, row.get(name))
            size = still.size if still is not None else UNKNOWN_SIZE
            boxes = next((_boxes(row[key]) for key in _ELEMENTS if row.get(key)), [])
            told = _told(row)
            words = {key: plain(row[key]) for key in _KEPT if key in row}
            yield Step(
                index=index,
                action=action_of(told, boxes) if told else a.Other("none", "{}"),
                frame=Frame(size, Basis.IMPORTED, still),
                native=Native.of(SPACE, {"action": plain(told), **words}),
                texts=StepTexts(
                    intention=text_of(row.get("action_reason")),
                    note=text_of(row.get("summary")),
                ),
            )
        if drawn:
            self.problems.append(
                ImportNote(self._file.name, "the agent drew the target into its raw screenshots")
            )

    def _still(self, index: int, value: Any) -> Still | None:
        where = f"{self._file.name}: step {index}"
        packed = array_of(value)
        pixels = packed.pixels() if packed is not None else None
        if pixels is None:
            self.problems.append(MissingPicture(where, "it has no picture"))
            return None
        try:
            return self._picture_store.keep_pixels(pixels, where)
        except BadPicture as error:
            self.problems.append(MissingPicture(where, error.found))
            return None


def _number(value: Any) -> float | None:
    if isinstance(value, int | float) and abs(value) < MAX_NUMBER:
        return float(value)
    return None


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and 0 <= value < 1 << 63 else None


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path] if path.name.endswith(SUFFIX) else []
    if not path.is_dir():
        raise KnownError(
            f"import AndroidWorld from {path}", "there is no such file or folder", "Check the path."
        )
    found = sorted({file for deep in ("*", "*/*") for file in path.glob(f"{deep}{SUFFIX}")})
    if len(found) > MAX_FILES:
        raise KnownError(
            f"import AndroidWorld from {path}", f"there are {len(found)} files", "Give one run."
        )
    return found


def _told(row: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON action of a step: parsed by the agent, or from its words."""
    for key in ("action_output_json", "action"):
        if found := fields_of(row.get(key)):
            return {name: value for name, value in found.items() if value is not None}
    words = _ACTION.search(text_of(row.get("action_output")))
    if words is None:
        return {}
    for parse in (json.loads, ast.literal_eval):
        try:
            value = parse(words[1])
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            continue
        if isinstance(value, dict):
            return value
    return {}


def _boxes(elements: Any) -> list[Box | None]:
    return [_box(one) for one in elements] if isinstance(elements, list) else []


def _box(element: Any) -> Box | None:
    box = fields_of(fields_of(element).get("bbox_pixels"))
    try:
        return Box(*(float(box[side]) for side in ("x_min", "y_min", "x_max", "y_max")))
    except (KeyError, TypeError, ValueError):
        return None
