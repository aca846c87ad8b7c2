"""GUIOdyssey's annotation files, version 1 and 2, with their splits and screenshots.

Reads a folder with `annotations/<episode>.json`, `screenshots/` and `splits/`, or a folder of
annotation files, or one file. Ids stay text, numbers are stored unchanged with the pixels. A step
that lacks what its action needs is refused by itself; the episode keeps its other steps under
their own numbers.

Source: OpenGVLab/GUI-Odyssey@fefcbe9 (version 2) and @f53b3f4 (version 1).
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeGuard

from episodes import actions as a
from episodes import thousandths as th
from episodes.annotations import Provenance, Region, RegionSource, Status
from episodes.codec import MAX_WHOLE
from episodes.episodes import Actor, Episode, EpisodeState, Origin, Task
from episodes.errors import KnownError
from episodes.formats.guiodyssey_folder import GuiOdysseyFolder, inspect_folder, read_splits
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
from episodes.geometry import MAX_SIDE, Native, Point, Size
from episodes.recordings import DeviceFacts
from episodes.screens import Basis, Frame, Still
from episodes.steps import Step, StepTexts

NAME = "guiodyssey"
CATEGORIES = (
    "Multi_Apps",
    "Web_Shopping",
    "General_Tool",
    "Information_Management",
    "Media_Entertainment",
    "Social_Sharing",
)
MAX_STEPS = 10_000
MAX_POINTS = 10_000
LOOKED_AT = 5
LOOK_BYTES = 16 * 1024
UNKNOWN_SIZE = Size(1000, 1000)
TEXTS = {
    "description": "description",
    "intention": "intention",
    "low_level_instruction": "instruction",
    "context": "context",
}
"""The texts of a step of version 2, and what they are here."""
ABSENT = "taptrail_absent"
"""In a step's `extra`: those of its texts that the file does not have."""

_SIZED = (a.Tap, a.LongPress, a.Swipe)
_STEP_KEYS = {
    "step",
    "screenshot",
    "action",
    "info",
    "sam2_bbox",
    *TEXTS,
}
_TASK_KEYS = {"category", "app", "meta_task", "task", "instruction"}
_EPISODE_KEYS = {"episode_id", "device_info", "task_info", "step_length", "steps"}


def count(path: Path) -> int:
    """Returns how many annotation files there are, when one of the first looks like one; else 0.

    Raises:
        KnownError: there is no annotation file.
    """
    annotations = inspect_folder(path).annotations
    return len(annotations) if any(map(_looks_own, annotations[:LOOKED_AT])) else 0


def read(
    path: Path, picture_store: PictureStore, version: str = ""
) -> Iterator[Episode | Refused | ImportNote]:
    """Yields the episodes of a folder or file, and what was refused.

    With `version` empty each file's own form tells: `sam2_bbox` or `low_level_instruction` in a
    step means version 2.

    Raises:
        KnownError: there is no annotation at `path`, or a split file cannot be read.
    """
    layout = inspect_folder(path)
    splits, named = read_splits(layout)
    seen: dict[str, str] = {}
    for file in layout.annotations:
        where = file.name.encode(errors="replace").decode()
        try:
            path_inside(file.parent, file.name)
        except BadName as error:
            what = "it is a link that" if file.is_symlink() else "its name"
            yield Refused(where, f"{what} {error}")
            continue
        try:
            data = file_bytes(file, f"read {where}")
            value = json_value(data, odd_numbers=True)
        except (KnownError, ValueError) as error:
            found = error.found if isinstance(error, KnownError) else str(error)
            yield Refused(where, found)
            continue
        for place, one in _annotations_in(where, value):
            reader = _EpisodeReader(place, where, layout, picture_store, splits, version)
            episode = reader.episode(one, sha256_hex(data))
            if episode is not None and episode.name in seen:
                yield Refused(place, f"episode {episode.name} was already in {seen[episode.name]}")
                continue
            yield from reader.problems
            if episode is not None:
                seen[episode.name] = place
                yield episode
    for file in layout.taken_for_splits:
        yield ImportNote(
            file.name,
            "its name is not that of an annotation, and splits belong in the folder splits",
        )
    for split, names in named.items() if layout.whole else ():
        absent = [name for name in names if name not in seen]
        if absent:
            yield ImportNote(
                split, f"names episodes that are not here, the first is {absent[0]}", len(absent)
            )


def episode_uuid(name: str, version: str) -> str:
    """Returns the same uuid for the same episode wherever it is imported."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"taptrail:{NAME}/{version}/{name}"))


def _annotations_in(file: str, value: Any) -> list[tuple[str, Any]]:
    """Returns (where, annotation): one a file as the data set has them, or a list of several."""
    if not isinstance(value, list) or not value:
        return [(file, value)]
    return [(f"{file} entry {number}", one) for number, one in enumerate(value)]


def _looks_own(file: Path) -> bool:
    """Returns whether a file begins as an annotation does."""
    head = first_bytes(file, LOOK_BYTES)
    words: tuple[bytes, ...] = (b'"device_info"', b'"task_info"')
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        words = (*words, b'"episode_id"', b'"screenshot"')
    return any(word in head for word in words)


class _Refusal(Exception):
    """Why a file or a step is not taken; the text follows its place."""

    def __init__(self, reason: str, place: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.place = place


class _EpisodeReader:
    """Turns one annotation's JSON into an episode, and collects what it could not take."""

    def __init__(
        self,
        where: str,
        file: str,
        layout: GuiOdysseyFolder,
        picture_store: PictureStore,
        splits: Mapping[str, tuple[tuple[str, str], ...]],
        version: str,
    ) -> None:
        self._where = where
        self._file = file
        self._layout = layout
        self._picture_store = picture_store
        self._splits = splits
        self._version = version
        self._has_texts = False
        self.problems: list[Refused | ImportNote] = []

    def episode(self, value: Any, sha256: str) -> Episode | None:
        """Returns the episode, or None when the file as a whole is refused."""
        try:
            return self._episode(value, sha256)
        except _Refusal as refusal:
            self._refuse(refusal)
            return None

    def _episode(self, value: Any, sha256: str) -> Episode:
        if not isinstance(value, dict):
            raise _Refusal("the file holds no JSON object")
        name = value.get("episode_id")
        if not isinstance(name, str):
            raise _Refusal(f"episode_id is {format_value(name)}, not a text")
        if reason := file_name_problem(name):
            raise _Refusal(f"episode_id {reason}")
        if wrong := invalid_json_part({key: held for key, held in value.items() if key != "steps"}):
            raise _Refusal(wrong)
        steps = value.get("steps")
        if not isinstance(steps, list):
            raise _Refusal(f"steps is {format_value(steps)}, not a list")
        if len(steps) > MAX_STEPS:
            raise _Refusal(f"there are {len(steps)} steps; at most {MAX_STEPS} are read")
        version = self._version or _version_of(steps)
        self._has_texts = version == "2"
        device, size = self._device(value.get("device_info"))
        declared = value.get("step_length")
        if declared is not None and not (_whole(declared) and 0 <= declared <= MAX_WHOLE):
            self._note(f"step_length is {format_value(declared)}, not a number; it is left out")
            declared = None
        read = self._steps(name, steps, size)
        if declared is not None and declared != len(steps):
            self._note(f"step_length says {declared}, the file holds {len(steps)} steps")
        last = read[-1].action if read else None
        extra = {k: v for k, v in value.items() if k not in _EPISODE_KEYS}
        task, task_extra = self._task(value.get("task_info"))
        if task_extra:
            extra["task_info"] = task_extra
        return Episode(
            uuid=episode_uuid(name, version),
            name=name,
            origin=Origin(NAME, version, self._file, sha256),
            task=task,
            state=EpisodeState.FINISHED,
            steps=tuple(read),
            actor=Actor("person"),
            device=device,
            finish=last if isinstance(last, a.Finish) else None,
            declared_steps=declared,
            splits=self._splits.get(name, ()),
            extra=_json(extra),
        )

    def _task(self, value: Any) -> tuple[Task, dict[str, Any]]:
        if not isinstance(value, dict):
            self._note("there is no task_info")
            return Task(""), {}
        apps = value.get("app", [])
        if isinstance(apps, str):
            apps = [apps]
        if not isinstance(apps, list) or not all(isinstance(app, str) for app in apps):
            self._note(
                f"task_info.app is {format_value(apps)}, not a list of names; it is left out"
            )
            apps = []
        category = _text(value, "category")
        if category not in CATEGORIES:
            self._note(f"the category {format_value(category)} is not one of GUIOdyssey's six")
        rest = {k: v for k, v in value.items() if k not in _TASK_KEYS}
        return (
            Task(
                instruction=_text(value, "instruction"),
                template=_text(value, "meta_task"),
                filled=_text(value, "task"),
                category=category,
                apps=tuple(apps),
            ),
            rest,
        )

    def _device(self, value: Any) -> tuple[DeviceFacts, Size | None]:
        if not isinstance(value, dict):
            self._note("there is no device_info")
            return DeviceFacts(), None
        width, height = value.get("w"), value.get("h")
        size = None
        if _whole(width) and _whole(height) and min(width, height) > 0:
            size = Size(width, height) if max(width, height) <= MAX_SIDE else None
        if size is None:
            self._note(
                "device_info gives no screen size "
                f"(w {format_value(width)}, h {format_value(height)})"
            )
        sdk = value.get("sdk_version")
        facts = DeviceFacts(
            model=_text(value, "device_name"),
            product=_text(value, "product"),
            android_release=_text(value, "release_version"),
            sdk=int(sdk) if isinstance(sdk, str | int) and _digits(sdk) else None,
            size=size,
            native=_json(value),
        )
        return facts, size

    def _steps(self, name: str, values: list[Any], size: Size | None) -> list[Step]:
        read: dict[int, Step] = {}
        for position, value in enumerate(values):
            before = len(self.problems)
            try:
                index = _index(value, position)
                if wrong := invalid_json_part(value):
                    raise _Refusal(wrong, f"step {index}")
                if index in read:
                    raise _Refusal(
                        "the file contains this step twice; the first is used", f"step {index}"
                    )
                read[index] = self._step(name, index, value, size)
            except _Refusal as refusal:
                del self.problems[before:]  # a step that is not taken lacks no picture
                self._refuse(refusal)
        if list(read) != sorted(read):
            self._note("the steps are out of order; they are sorted by their numbers")
        return [read[index] for index in sorted(read)]

    def _step(self, name: str, index: int, value: dict[str, Any], size: Size | None) -> Step:
        place = f"step {index}"
        word = value.get("action")
        if not isinstance(word, str):
            raise _Refusal(f"action is {format_value(word)}, not a text", place)
        place = f"{place} ({word[:40]})"
        still, picture = self._picture(name, index, value.get("screenshot"))
        measured = still.size if still is not None else size or UNKNOWN_SIZE
        try:
            action = _action(word, value.get("info"), value.get("ps"), measured)
            regions = (_region(value["sam2_bbox"], measured),) if "sam2_bbox" in value else ()
        except _Refusal as refusal:
            raise _Refusal(refusal.reason, place) from refusal
        if isinstance(action, a.Other):
            self._note("GUIOdyssey has no such action; it is stored by name", place)
        frame: Frame | None = Frame(measured, Basis.IMPORTED, still=still, native=picture)
        if still is None and size is None:
            if isinstance(action, _SIZED) or any(region.box for region in regions):
                self._note(
                    f"neither picture nor device_info tells the screen's size; {measured} is taken",
                    place,
                )
            elif picture is None:
                frame = None
        extra = {k: v for k, v in value.items() if k not in _STEP_KEYS}
        if self._has_texts and (absent := [key for key in TEXTS if key not in value]):
            extra[ABSENT] = absent
        return Step(
            index=index,
            action=action,
            frame=frame,
            native=Native.of(th.SPACE, {k: value[k] for k in ("action", "info") if k in value}),
            texts=StepTexts(**{ours: _text(value, key) for key, ours in TEXTS.items()}),
            regions=regions,
            extra=_json(extra),
        )

    def _picture(self, name: str, index: int, named: Any) -> tuple[Still | None, str | None]:
        """Returns the stored picture and its name in the file."""
        place = f"step {index}"
        if named is not None and not isinstance(named, str):
            self._missing(f"screenshot is {format_value(named)}, not a file name", place)
            return None, None
        try:
            path = path_inside(self._layout.screenshots, named or f"{name}_{index}.png")
        except BadName as error:
            self._missing(f"the screenshot's name {format_value(named)} {error}", place)
            return None, None
        try:
            if not path_exists(path):
                self._missing("the screenshot is not there", place)
                return None, named
        except OSError as error:
            self._missing(f"the screenshot cannot be used: {error.strerror or error}", place)
            return None, named
        try:
            return self._picture_store.keep(path), named or path.name
        except BadPicture as error:
            self._missing(f"the screenshot cannot be used: {error.found}", place)
            return None, named

    def _missing(self, reason: str, place: str) -> None:
        self.problems.append(MissingPicture(f"{self._where} {place}", reason))

    def _refuse(self, refusal: _Refusal) -> None:
        self.problems.append(Refused(f"{self._where} {refusal.place}".rstrip(), refusal.reason))

    def _note(self, reason: str, place: str = "") -> None:
        self.problems.append(ImportNote(f"{self._where} {place}".rstrip(), reason))


def _index(value: Any, position: int) -> int:
    place = f"entry {position}"
    if not isinstance(value, dict):
        raise _Refusal(f"it is {format_value(value)}, not an object", place)
    index = value.get("step")
    if not _whole(index) or not 0 <= index <= MAX_STEPS:
        raise _Refusal(f"its step number is {format_value(index)}, not a number from 0", place)
    return index


def _action(word: str, info: Any, remark: Any, size: Size) -> a.Action:
    match word:
        case "CLICK" | "LONG_PRESS" if isinstance(info, str) and info:
            if info not in th.KEYS_READ:
                raise _Refusal(f"info is {format_value(info)}, not a known key")
            return a.PressKey(th.KEYS_READ[info])
        case "CLICK":
            points = _points(info, 1, size)
            return a.Tap(points[0], points[1] if len(points) > 1 else None)
        case "LONG_PRESS":
            return a.LongPress(_points(info, 1, size)[0])
        case "SCROLL":
            points = _points(info, 2, size)
            return a.Swipe(points[0], points[1])
        case "TEXT":
            if not isinstance(info, str):
                raise _Refusal(f"info is {format_value(info)}, not the text typed")
            return a.TypeText(info)
        case "COMPLETE":
            return a.Finish(a.Ending.COMPLETE)
        case "INCOMPLETE":
            reason = remark if isinstance(remark, str) and remark.strip() else None
            return a.Finish(a.Ending.IMPOSSIBLE, reason)
        case _:
            return a.Other(word, _json({"info": info}))


def _points(info: Any, least: int, size: Size) -> list[Point]:
    if info is None or info in ("", []):
        raise _Refusal("it has no coordinates")
    if not isinstance(info, list) or len(info) > MAX_POINTS:
        raise _Refusal(f"info is {format_value(info)}, not a list of points")
    points = []
    for item in info:
        if not isinstance(item, list) or len(item) != 2 or not all(_coordinate(n) for n in item):
            raise _Refusal(f"info holds {format_value(item)}, not a point [x, y]")
        points.append(th.pixels((item[0], item[1]), size))
    if len(points) < least:
        raise _Refusal(f"info holds {len(points)} of the {least} points it needs")
    return points


def _region(value: Any, size: Size) -> Region:
    native = Native.of(th.SPACE, value)
    provenance = Provenance(RegionSource.IMPORT, model="sam2", version="as published")
    if value is None or value == []:
        return Region(None, provenance, native=native, status=Status.ACCEPTED)
    if not isinstance(value, list) or len(value) != 4 or not all(_coordinate(n) for n in value):
        raise _Refusal(f"sam2_bbox is {format_value(value)}, not [x1, y1, x2, y2]")
    box = th.box_pixels((value[0], value[1], value[2], value[3]), size)
    return Region(box, provenance, native=native, status=Status.ACCEPTED, chosen=True)


def _version_of(steps: list[Any]) -> str:
    newer = {"sam2_bbox", "low_level_instruction"}
    return "2" if any(isinstance(s, dict) and newer & s.keys() for s in steps) else "1"


def _whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _coordinate(value: Any) -> TypeGuard[int | float]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= th.LARGEST


def _digits(value: str | int) -> bool:
    return str(value).isascii() and str(value).isdigit() and len(str(value)) < 6


def _text(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key)
    return found if isinstance(found, str) else "" if found is None else str(found)[:1000]


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value else ""
