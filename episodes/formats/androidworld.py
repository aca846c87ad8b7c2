"""AndroidWorld's result files: one gzipped pickle an episode, of five kinds of agents.

They are read without running anything of them (`androidworld_pickle`). A failed record comes in as
an episode without steps, with its exception. M3A draws the target into the picture it calls raw.

Source: suite_utils.py, agents/ of google-research/android_world at d9c569f.
"""

from __future__ import annotations

import ast
import json
import math
import re
import uuid
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from episodes import actions as a
from episodes.episodes import Actor, Episode, EpisodeState, Origin, Task
from episodes.errors import KnownError
from episodes.formats.androidworld_pickle import array_of, fields_of, read_records
from episodes.formats.input_files import (
    BadPicture,
    ImportNote,
    MissingPicture,
    PictureStore,
    Refused,
)
from episodes.geometry import Box, Direction, Native, Point, Size
from episodes.screens import Basis, Frame, Still
from episodes.steps import Step, StepTexts

NAME = SPACE = "androidworld"
VERSION = "1"
SUFFIX = ".pkl.gz"
MAX_FILES = 100_000
MAX_STEPS = 10_000
MAX_TEXT = 200_000
UNKNOWN_SIZE = Size(1080, 2400)
_PICTURES = ("before_screenshot", "screenshot", "raw_screenshot", "pixels")
_ELEMENTS = ("before_ui_elements", "before_element_list", "ui_elements", "elements")
_KEPT = (
    *("action_output", "action_reason", "summary", "action", "action_description"),
    *("seeact_action", "step_number"),
)
_ACTION = re.compile(r"Action:\s*(\{.*?\})", re.DOTALL)
_FINGER = {"up": "down", "down": "up", "left": "right", "right": "left"}
"""A scroll says where the content goes; the finger goes the other way."""


def count(path: Path) -> int:
    """Returns how many result files there are.

    Raises:
        KnownError: there is no such file or folder.
    """
    return len(_files(path))


def read(
    path: Path, picture_store: PictureStore, version: str = ""
) -> Iterator[Episode | Refused | ImportNote]:
    """Yields an episode for each record, and what did not come in.

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


def action_of(told: Mapping[str, Any], boxes: list[Box | None]) -> a.Action:
    """Returns the action of a JSON action; what there is no word for becomes `Other`."""
    kind = _text(told.get("action_type"))
    target = _target(told, boxes)
    text = told.get("text")
    direction = _text(told.get("direction"))
    match kind:
        case "click" if target is not None:
            return a.Tap(target)
        case "double_tap" if target is not None:
            return a.DoubleTap(target)
        case "long_press" if target is not None:
            return a.LongPress(target)
        case "input_text":
            return a.TypeText(_text(text), target, bool(told.get("clear_text")), submit=True)
        case "scroll" if direction in _FINGER:
            return a.Scroll(Direction(_FINGER[direction]), target)
        case "swipe" if direction in ("up", "down"):
            return a.Scroll(Direction(direction))
        case "swipe" if direction in _FINGER:  # left and right go as for scroll
            return a.Scroll(Direction(_FINGER[direction]))
        case "navigate_home" | "navigate_back" | "keyboard_enter":
            return a.PressKey(
                {
                    "navigate_home": a.Key.HOME,
                    "navigate_back": a.Key.BACK,
                    "keyboard_enter": a.Key.ENTER,
                }[kind]
            )
        case "open_app":
            return a.OpenApp(_text(told.get("app_name")))
        case "wait":
            return a.Wait(1_000_000)
        case "answer":
            return a.Answer(_text(text))
        case "status":
            ending = told.get("goal_status")
            done = a.Ending.IMPOSSIBLE if ending == "infeasible" else a.Ending.COMPLETE
            return a.Finish(done)
        case _:
            return a.Other(kind, json.dumps(_plain(dict(told)), ensure_ascii=False))


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
        task = _text(record.get("task_template"))
        run = self._file.parent.name
        return Episode(
            uuid=str(uuid.uuid5(uuid.NAMESPACE_URL, f"taptrail:{NAME}/{run}/{name}")),
            name=f"{run}-{name}"[:180],
            origin=Origin(NAME, VERSION, self._file.name),
            task=Task(_text(record.get("goal")) or task, goal_id=task),
            state=EpisodeState.FINISHED if finish is not None else EpisodeState.INCOMPLETE,
            steps=steps,
            actor=Actor("agent", agent=(_text(record.get("agent_name")) or run)[:200]),
            ended_utc=finished.isoformat() if isinstance(finished, datetime) else "",
            finish=finish,
            extra=json.dumps(self._beside(), ensure_ascii=False),
        )

    def _beside(self) -> dict[str, Any]:
        names = ("is_successful", "run_time", "episode_length", "seed", "instance_id")
        told = {name: _plain(self._record.get(name)) for name in names}
        exception = self._record.get("exception_info")
        told["exception_info"] = _text(exception)[-2000:] if exception is not None else None
        return told

    def _steps(self, data: dict[str, Any]) -> Iterator[Step]:
        columns = {key: one for key, one in data.items() if _text(key) and isinstance(one, list)}
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
            words = {key: _plain(row[key]) for key in _KEPT if key in row}
            yield Step(
                index=index,
                action=action_of(told, boxes) if told else a.Other("none", "{}"),
                frame=Frame(size, Basis.IMPORTED, still),
                native=Native.of(SPACE, {"action": _plain(told), **words}),
                texts=StepTexts(
                    intention=_text(row.get("action_reason")),
                    note=_text(row.get("summary")),
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
    words = _ACTION.search(_text(row.get("action_output")))
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


def _target(told: Mapping[str, Any], boxes: list[Box | None]) -> a.Target | None:
    index, x, y = told.get("index"), told.get("x"), told.get("y")
    if isinstance(index, int | str) and str(index)[:6].isdigit():
        number = int(str(index)[:6])
        box = boxes[number] if number < len(boxes) else None
        return box if box is not None else a.ElementRef(index=number)
    if isinstance(x, int | float) and isinstance(y, int | float):
        return Point(float(x), float(y))
    return None


def _text(value: Any) -> str:
    """A text; "" for anything else, which may be too deep to be written out."""
    return value[:MAX_TEXT] if isinstance(value, str) else ""


def _plain(value: Any, depth: int = 0) -> Any:
    """A value as JSON has it; what is none is told by its kind."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return value[:MAX_TEXT]
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, dict) and depth < 4:
        members = list(value.items())[:200]
        return {_text(key)[:200]: _plain(one, depth + 1) for key, one in members}
    if isinstance(value, list | tuple) and depth < 4:
        return [_plain(one, depth + 1) for one in value[:200]]
    return f"<{type(value).__name__}>"
