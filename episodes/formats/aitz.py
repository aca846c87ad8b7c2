"""AITZ: Android in the Wild with chains of thought, a JSON list of steps per episode.

Reads a data set's folder (`train/`, `test/`, in them a folder per subset and in those one per
episode), any folder below it, or one file. The pictures lie beside the file that names them. Ids
stay text. A step that lacks what its action needs is refused by itself; the episode keeps its
others. Most members are JSON written as text; what would not come out again as it went in is kept
beside, in `extra`.

Files that AgentCPM-GUI's preparation script has rewritten hold boxes as fractions of the picture
and its size. CAGUI has the same form. Both are read.

Source: data-example/ and coat/ of IMNearth/CoAT at 9ab1a9f; eval/eval_data/process_aitz.py and
eval/utils/action_type.py of OpenBMB/AgentCPM-GUI at acbaf50.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from episodes import actions as a
from episodes.episodes import Actor, Episode, EpisodeState, Origin, Task
from episodes.errors import KnownError
from episodes.formats.aitz_rows import (
    BESIDE,
    MAX_WHOLE,
    NAME,
    SPACE,
    TEXTS,
    BadRow,
    action_of_row,
    boxes_in,
    declared_size,
    is_whole,
    numbers_of_row,
    row_of,
    stem_of,
    texts_in,
    unit_of_boxes,
)
from episodes.formats.input_files import (
    BadName,
    BadPicture,
    ImportNote,
    MissingPicture,
    PictureStore,
    Refused,
    file_bytes,
    file_name_problem,
    first_bytes,
    format_value,
    invalid_json_part,
    json_value,
    path_exists,
    path_inside,
    sha256_hex,
)
from episodes.formats.split_file import FILE as SPLITS
from episodes.geometry import Native, Size
from episodes.native_boxes import FRACTION
from episodes.screens import Basis, Frame, StepTree, Still, TreeFit, TreeRecord, TreeStatus
from episodes.steps import Step, StepTexts
from episodes.trees import flat

VERSION = "1"
SPLIT = "aitz"
PARTS = ("train", "val", "test")
MAX_STEPS = 10_000
MAX_FILES = 1_000_000
UNKNOWN_SIZE = Size(1000, 1000)
_LOOK_BYTES = 4096
_DEEP = ("*.json", "*/*.json", "*/*/*.json", "*/*/*/*.json")


def count(path: Path) -> int:
    """Returns how many files there are, when the first of them looks like AITZ's; else 0.

    Raises:
        KnownError: there is no JSON file.
    """
    files = _files(path)
    head = first_bytes(files[0], _LOOK_BYTES)
    own = head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[") and b'"ui_positions"' in head
    return len(files) if own else 0


def read(
    path: Path, picture_store: PictureStore, version: str = ""
) -> Iterator[Episode | Refused | ImportNote]:
    """Yields the episodes of a folder or file, and what was refused.

    Raises:
        KnownError: there is no JSON file at `path`.
    """
    seen: dict[str, str] = {}
    for file in _files(path):
        where = file.name.encode(errors="replace").decode()
        try:
            path_inside(file.parent, file.name)
            data = file_bytes(file, f"read {where}")
            value = json_value(data, odd_numbers=True)
            reader = _EpisodeReader(where, file, picture_store)
            episode = reader.episode(value, sha256_hex(data))
        except BadName as error:
            yield Refused(where, f"it is a link that {error}")
            continue
        except (KnownError, ValueError) as error:
            yield Refused(where, error.found if isinstance(error, KnownError) else str(error))
            continue
        if episode.name in seen:
            yield Refused(where, f"episode {episode.name} was already in {seen[episode.name]}")
            continue
        seen[episode.name] = where
        yield from reader.problems
        yield episode


def episode_uuid(name: str) -> str:
    """Returns the same uuid for the same episode wherever it is imported."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"taptrail:{NAME}/{VERSION}/{name}"))


def _files(path: Path) -> list[Path]:
    doing = f"import AITZ from {path}"
    try:
        if path.is_file():
            return [path]
        if not path.is_dir():
            raise KnownError(doing, "there is no such file or folder", "Check the path.")
        found = sorted({file for deep in _DEEP for file in path.glob(deep)} - {path / SPLITS})
    except OSError as error:
        raise KnownError(
            doing, f"{path.name}: {error.strerror or error}", "Check the path."
        ) from error
    if not 0 < len(found) <= MAX_FILES:
        raise KnownError(
            doing,
            f"there are {len(found)} JSON files",
            "Give the folder that holds those of the episodes.",
        )
    return found


class _EpisodeReader:
    """Turns one file's JSON into an episode, and collects what it could not take."""

    def __init__(self, where: str, file: Path, picture_store: PictureStore) -> None:
        self.problems: list[Refused | ImportNote] = []
        self._where = where
        self._file = file
        self._picture_store = picture_store
        self._size: Size | None = None
        self._unit = ""

    def episode(self, value: Any, sha256: str) -> Episode:
        """Returns the episode.

        Raises:
            ValueError: the file as a whole is refused.
        """
        if not isinstance(value, list) or not value or not isinstance(value[0], dict):
            raise ValueError("it holds no list of steps")
        if len(value) > MAX_STEPS:
            raise ValueError(f"there are {len(value)} steps; at most {MAX_STEPS} are read")
        first = value[0]
        name = first.get("episode_id")
        if not isinstance(name, str):
            raise ValueError(f"episode_id is {format_value(name)}, not a text")
        if reason := file_name_problem(name):
            raise ValueError(f"episode_id {reason}")
        instruction = first.get("instruction")
        if not isinstance(instruction, str) or invalid_json_part(instruction):
            raise ValueError(f"instruction is {format_value(instruction)[:60]}, not a text")
        declared = first.get("episode_length")
        if not is_whole(declared) or not 0 <= declared < MAX_WHOLE:
            declared = None
        part = next((p for p in reversed(self._file.parent.parts) if p in PARTS), "")
        episode = Episode(
            uuid=episode_uuid(name),
            name=name,
            origin=Origin(NAME, VERSION, self._where, sha256),
            task=Task(instruction, category=self._subset(first)),
            state=EpisodeState.FINISHED,
            steps=(),
            actor=Actor("person"),
            declared_steps=declared,
            splits=((SPLIT, part),) if part else (),
        )
        steps = self._steps(value, episode)
        last = steps[-1].action if steps else None
        finish = last if isinstance(last, a.Finish) else None
        return replace(episode, steps=tuple(steps), finish=finish)

    def _subset(self, row: dict[str, Any]) -> str:
        named = row.get("image_path")
        subset = named.partition("/")[0] if isinstance(named, str) and "/" in named else ""
        if file_name_problem(subset):
            subset = self._file.stem.partition("-")[0].lower() if "-" in self._file.stem else ""
        return "" if file_name_problem(subset) else subset

    def _steps(self, rows: list[Any], episode: Episode) -> list[Step]:
        pictures: dict[int, tuple[Still | None, str]] = {}
        found: dict[int, dict[str, Any]] = {}
        for position, row in enumerate(rows):
            index = row.get("step_id") if isinstance(row, dict) else None
            if not is_whole(index) or not 0 <= index < MAX_STEPS:
                self._refuse(
                    f"entry {position}", f"its step_id is {format_value(index)}, not from 0"
                )
            elif index in found:
                self._refuse(
                    f"step {index}", "the file contains this step twice; the first is used"
                )
            elif wrong := invalid_json_part(row):
                self._refuse(f"step {index}", wrong)
            elif row.get("episode_id") != episode.name:
                self._refuse(
                    f"step {index}", f"it is of episode {format_value(row.get('episode_id'))}"
                )
            else:
                found[index] = row
                pictures[index] = self._picture(index, row.get("image_path"))
        kept = [still for still, _ in pictures.values() if still is not None]
        self._size = kept[0].size if kept else None
        self._unit = unit_of_boxes(found.values())
        steps = []
        for index in sorted(found):
            still, missing = pictures[index]
            try:
                step = self._step(index, found[index], still, episode)
            except BadRow as error:
                self._refuse(f"step {index}", str(error))
                continue
            if missing:
                self.problems.append(MissingPicture(f"{self._where} step {index}", missing))
            steps.append(step)
        if list(found) != sorted(found):
            self._note("", "the steps are out of order; they are sorted by their numbers")
        if episode.declared_steps is not None and episode.declared_steps != len(steps):
            told = f"episode_length says {episode.declared_steps}"
            self._note("", f"{told}, {len(steps)} steps came in")
        return steps

    def _step(self, index: int, row: dict[str, Any], still: Still | None, episode: Episode) -> Step:
        told = numbers_of_row(row, self._unit)
        place = f"step {index}"
        size = self._size_of(place, row, still)
        action = action_of_row(told, size or UNKNOWN_SIZE)
        if isinstance(action, a.Other):
            self._note(place, f"the action {action.name} is unknown; it is stored by name")
        named = row.get("image_path")
        step = Step(
            index=index,
            action=action,
            frame=Frame(
                size or UNKNOWN_SIZE,
                Basis.IMPORTED,
                still=still,
                native=named if isinstance(named, str) else None,
            ),
            native=Native.of(SPACE, told),
            tree=self._tree(place, row, told, size),
            texts=_texts_of(row),
        )
        again = row_of(step, episode, stem_of(episode))
        odd = {key: held for key, held in sorted(row.items()) if again.get(key) != held}
        lacking = sorted(key for key in again if key not in row)
        beside = odd | ({BESIDE: lacking} if lacking else {})
        if not beside:
            return step
        extra = json.dumps(beside, ensure_ascii=False, separators=(",", ":"))
        return replace(step, extra=extra)

    def _size_of(self, place: str, row: dict[str, Any], still: Still | None) -> Size | None:
        """Returns the screen's size: of the step's picture, else as declared, else as elsewhere."""
        declared = declared_size(row)
        if still is not None:
            if declared is not None and declared != still.size:
                told = f"the file says that the picture is {declared}, and it is {still.size}"
                self._note(place, told)
            return still.size
        if declared is not None:
            return declared
        if self._size is None:
            self._note(place, f"no picture tells the screen's size; {UNKNOWN_SIZE} is taken")
        else:
            self._note(place, f"another step's picture tells the screen's size, {self._size}")
        return self._size

    def _tree(
        self, place: str, row: dict[str, Any], told: dict[str, Any], size: Size | None
    ) -> StepTree | None:
        boxes = told.get("boxes")
        texts, types = texts_in(row.get("ui_text")), texts_in(row.get("ui_types"))
        if boxes is None or texts is None or types is None:
            self._note(
                place, "ui_positions, ui_text or ui_types cannot be read; it is stored unread"
            )
            return None
        if {len(texts), len(types)} != {len(boxes)}:
            counts = f"{len(boxes)} positions, {len(texts)} texts and {len(types)} types"
            self._note(place, f"there are {counts}")
        if size is None:
            return None
        rows = [[float(np.float32(n)) for n in box] for box in boxes_in(told, FRACTION, size)]
        data = flat.flat_bytes(size, rows, texts, types)
        record = TreeRecord(flat.FORMAT, data, "import", TreeStatus.OK, size=size)
        return StepTree(record, TreeFit.IMPORTED)

    def _picture(self, index: int, named: Any) -> tuple[Still | None, str]:
        """Returns a step's picture, and why there is none."""
        name = named.rpartition("/")[2] if isinstance(named, str) else ""
        name = name or f"{self._file.stem}_{index}.png"
        try:
            path = path_inside(self._file.parent, name)
        except BadName as error:
            return None, f"the picture's name {format_value(name)} {error}"
        try:
            if not path_exists(path):
                return None, "the picture is not there"
            return self._picture_store.keep(path), ""
        except OSError as error:
            return None, f"the picture cannot be used: {error.strerror or error}"
        except BadPicture as error:
            return None, f"the picture cannot be used: {error.found}"

    def _refuse(self, place: str, reason: str) -> None:
        self.problems.append(Refused(f"{self._where} {place}", reason))

    def _note(self, place: str, reason: str) -> None:
        self.problems.append(ImportNote(f"{self._where} {place}".rstrip(), reason))


def _texts_of(row: dict[str, Any]) -> StepTexts:
    """Returns a row's texts about its step; a low-level instruction replaces a missing sentence."""
    found = {ours: row[key] for key, ours in TEXTS.items() if isinstance(row.get(key), str)}
    low = row.get("low_instruction")
    if isinstance(low, str) and "instruction" not in found:
        found["instruction"] = low
    return StepTexts(**found)
