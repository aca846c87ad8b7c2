"""One step of AITZ as the JSON object its files hold.

The data set's numbers are stored with the pixels, space "aitz": those of "aitw", with boxes in
pixels of the picture, y before x, and "description", its sentence about the action, which its
evaluator reads. With `"box_unit": "fraction"` the boxes are fractions of the picture. Of CAGUI
there are "duration", milliseconds of a long press (code 0) or a wait (code 1), and "app", the name
of the app that code 12 opens.

Source: data-example/ and coat/evaluate.py of IMNearth/CoAT at 9ab1a9f;
eval/eval_data/process_aitz.py and eval/utils/action_type.py of OpenBMB/AgentCPM-GUI at acbaf50.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any, TypeGuard

from episodes import actions as a
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.formats.aitw_features import DUAL_POINT, FARTHEST, action_of
from episodes.formats.input_files import format_value, invalid_json_part, is_file_name, json_value
from episodes.geometry import Size
from episodes.native_boxes import FRACTION, PIXEL, YXHW, converted
from episodes.steps import Step
from episodes.trees import flat

NAME = "aitz"
SPACE = "aitz"
TEXTS = {
    "coat_screen_desc": "description",
    "coat_action_think": "intention",
    "coat_action_desc": "instruction",
}
"""The data set's words about a step, and what they are here."""
OF_SCREEN = ("ui_positions", "ui_text", "ui_types")
BESIDE = "taptrail_absent"
"""In a step's `extra`: those members that its file does not have."""
SUBSET = "general"  # of episodes whose category cannot be a folder's name
LONG_POINT, NO_ACTION, OPEN_APP = 0, 1, 12
"""CAGUI's codes beyond those of Android in the Wild."""
MAX_WHOLE = 1 << 31
LARGEST = 3e38
_LARGEST_FRACTION = 2  # a box may reach beyond the screen; a file of pixels has larger numbers
_MAX_MS = 1e9


class BadRow(Exception):
    """Why a row is not a step."""


def subset_of(episode: Episode) -> str:
    """Returns the folder of an episode's subset."""
    return episode.task.category if is_file_name(episode.task.category) else SUBSET


def stem_of(episode: Episode) -> str:
    """Returns the name an episode's folder, file and pictures begin with, "GENERAL-1217"."""
    if episode.origin.dataset == NAME:
        stem = PurePosixPath(episode.origin.file).stem
        if is_file_name(f"{stem}_0000.json") and stem.endswith(episode.name):
            return stem
    return f"{subset_of(episode).upper()}-{episode.name}"


def row_of(step: Step, episode: Episode, stem: str) -> dict[str, Any]:
    """Returns the members of a step that has the data set's own numbers."""
    told = step.native.value if step.native is not None else {}
    boxes = told.get("boxes", [])
    texts, types = _words(step, len(boxes))
    named = step.frame.native if step.frame is not None else None
    row = {
        "episode_id": episode.name,
        "episode_length": episode.declared_steps,
        "step_id": step.index,
        "instruction": episode.task.instruction,
        "ui_positions": json.dumps(boxes),
        "ui_text": json.dumps(texts),
        "ui_types": json.dumps(types),
        "result_action_type": told.get("action_type"),
        "result_action_text": told.get("text", ""),
        "result_touch_yx": json.dumps(told.get("touch", [-1.0, -1.0])),
        "result_lift_yx": json.dumps(told.get("lift", [-1.0, -1.0])),
        "image_path": named or f"{subset_of(episode)}/{stem}/{stem}_{step.index}.png",
    }
    return row | {key: getattr(step.texts, ours) for key, ours in TEXTS.items()}


def _words(step: Step, count: int) -> tuple[list[str], list[str]]:
    if step.tree is not None and step.tree.record.format == flat.FORMAT:
        try:
            told = flat.flat_value(step.tree.record.data)
        except KnownError:
            pass
        else:
            return told["texts"], told["types"]
    return [""] * count, [""] * count


def numbers_of_row(row: dict[str, Any], unit: str) -> dict[str, Any]:
    """Returns the row's action in the data set's own numbers.

    Args:
        unit: of the file's boxes, PIXEL or FRACTION.

    Raises:
        NoStep: a member that the action needs is missing or has another form.
    """
    code = row.get("result_action_type")
    if not is_whole(code) or abs(code) >= MAX_WHOLE:
        raise BadRow(f"result_action_type is {format_value(code)}, not a number")
    told: dict[str, Any] = {"action_type": code}
    for key, name in (("touch", "result_touch_yx"), ("lift", "result_lift_yx")):
        point = _list(row.get(name))
        if point is not None and _numbers(point, 2):
            told[key] = point
        elif code == DUAL_POINT or (code == LONG_POINT and "duration" in row and key == "touch"):
            raise BadRow(f"{name} is {format_value(row.get(name))}, not y and x")
    text = row.get("result_action_text")
    if text is not None and not isinstance(text, str):
        raise BadRow(f"result_action_text is {format_value(text)}, not a text")
    told["text"] = text or ""
    boxes = _boxes(row)
    if boxes is not None:
        told["boxes"] = boxes
        if unit == FRACTION:
            told["box_unit"] = FRACTION
    described = row.get("coat_action_desc")
    if isinstance(described, str):
        told["description"] = described
    if code in (LONG_POINT, NO_ACTION) and "duration" in row:
        told["duration"] = row["duration"] if _is_time(row["duration"]) else None
    app = row.get("result_action_app_name")
    if code == OPEN_APP and isinstance(app, str):
        told["app"] = app
    return told


def unit_of_boxes(rows: Iterable[Mapping[str, Any]]) -> str:
    """Returns the unit of a file's boxes, PIXEL or FRACTION.

    They are fractions if none of their numbers is larger than 2, and some are not whole or a row
    declares the size of its picture, as the preparation script does.
    """
    rows = list(rows)
    numbers = [n for row in rows for box in _boxes(row) or () for n in box]
    if not numbers or max(map(abs, numbers)) > _LARGEST_FRACTION:
        return PIXEL
    declared = any(declared_size(row) is not None for row in rows)
    return FRACTION if declared or any(isinstance(n, float) for n in numbers) else PIXEL


def declared_size(row: Mapping[str, Any]) -> Size | None:
    """Returns the picture's size as a row declares it; None if it does not."""
    width, height = row.get("image_width"), row.get("image_height")
    if not is_whole(width) or not is_whole(height):
        return None
    return Size(width, height) if min(width, height) > 0 and max(width, height) < 1 << 16 else None


def boxes_in(told: Mapping[str, Any], unit: str, size: Size) -> tuple[YXHW, ...]:
    """Returns the boxes of a step's own numbers in pixels or fractions of its picture."""
    own = FRACTION if told.get("box_unit") == FRACTION else PIXEL
    return converted(told.get("boxes", []), own, unit, size)


def action_of_row(told: Mapping[str, Any], size: Size) -> a.Action:
    """Returns the action of a step's own numbers in pixels of its picture."""
    code = told["action_type"]
    if code == OPEN_APP and told.get("app"):
        return a.OpenApp(told["app"])
    if "duration" not in told:
        return action_of(told, size)
    duration = None if told["duration"] is None else round(told["duration"] * 1000)
    if code == NO_ACTION:
        return a.Wait(duration)
    y, x = told["touch"]
    if max(abs(y), abs(x)) > FARTHEST:
        return a.Other("LONG_POINT", json.dumps(told["touch"]))
    return a.LongPress(size.at(x, y), duration)


def texts_in(told: Any) -> list[str] | None:
    """Returns a list of texts, given as JSON text or as a list."""
    found = _list(told)
    if found is None or len(found) > flat.MAX_ELEMENTS:
        return None
    if not all(isinstance(one, str) and not invalid_json_part(one) for one in found):
        return None
    return found


def is_whole(told: Any) -> TypeGuard[int]:
    """Whether a JSON value is a whole number."""
    return isinstance(told, int) and not isinstance(told, bool)


def _boxes(row: Mapping[str, Any]) -> list[Any] | None:
    boxes = _list(row.get("ui_positions"))
    if boxes is None or len(boxes) > flat.MAX_ELEMENTS:
        return None
    return boxes if all(_numbers(box, 4) for box in boxes) else None


def _list(told: Any) -> list[Any] | None:
    """Returns a list, given as JSON text or as a list."""
    if isinstance(told, str):
        try:
            told = json_value(told.encode())
        except ValueError:
            return None
    return told if isinstance(told, list) else None


def _numbers(told: Any, many: int) -> bool:
    return isinstance(told, list) and len(told) == many and all(_is_number(n) for n in told)


def _is_number(told: Any) -> bool:
    return (
        isinstance(told, int | float)
        and not isinstance(told, bool)
        and math.isfinite(told)
        and abs(told) < LARGEST
    )


def _is_time(told: Any) -> bool:
    return _is_number(told) and 0 <= told < _MAX_MS
