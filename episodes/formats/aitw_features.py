"""One step of Android in the Wild: from the features of its record to a step, and back.

The data set's numbers are stored with the pixels, space "aitw":

    {"action_type": 4, "touch": [y, x], "lift": [y, x], "text": "",
     "boxes": [[y, x, height, width], ...]}

Points and boxes are fractions, y before x, exactly the float32 of the file; what JSON has no number
for is a text ("NaN"). What was found on the screen is the step's tree. A feature that would not
come out again as it went in is kept in the step's `extra`, byte for byte.

Source: README.md, visualization_utils.py, action_type.py and action_matching.py of
google-research/google-research, android_in_the_wild.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from episodes import actions as a
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.formats.example import Feature
from episodes.formats.example_record import BadRecord, Record
from episodes.geometry import Native, Point, Size
from episodes.screens import Foreground
from episodes.steps import Step
from episodes.trees import flat

SPACE = "aitw"
TYPE, DUAL_POINT, PRESS_BACK, PRESS_HOME, PRESS_ENTER = 3, 4, 5, 6, 7
COMPLETE, IMPOSSIBLE = 10, 11
SWIPE_DISTANCE = np.float32(0.04)
FARTHEST = 1e6

PICTURE = "image/encoded"
POSITIONS = "image/ui_annotations_positions"
TEXTS = "image/ui_annotations_text"
TYPES = "image/ui_annotations_ui_types"

_KEYS = {PRESS_BACK: a.Key.BACK, PRESS_HOME: a.Key.HOME, PRESS_ENTER: a.Key.ENTER}
_NAMES = {0: "UNUSED_0", 1: "UNUSED_1", 2: "UNUSED_2", 8: "UNUSED_8", 9: "UNUSED_9"}
_ODD = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def native_of(record: Record) -> dict[str, Any]:
    """Returns the record's action in the data set's own numbers.

    Raises:
        NoRecord: it does not say what was done.
    """
    code = record.whole("results/action_type")
    if code is None:
        raise BadRecord("results/action_type is missing")
    told: dict[str, Any] = {"action_type": code}
    for key, name in (("touch", "results/yx_touch"), ("lift", "results/yx_lift")):
        point = record.floats(name)
        if len(point) == 2:
            told[key] = point
        elif code == DUAL_POINT:
            raise BadRecord(f"{name} has {len(point)} numbers, not y and x")
    told["text"] = record.text("results/type_action")
    positions = record.floats(POSITIONS)
    if len(positions) % 4 or len(positions) > 4 * flat.MAX_ELEMENTS:
        record.odd.append(f"{POSITIONS} has {len(positions)} numbers, not four an element")
    else:
        told["boxes"] = [positions[at : at + 4] for at in range(0, len(positions), 4)]
    return told


def action_of(told: Mapping[str, Any], size: Size) -> a.Action:
    """Returns an action of the data set in pixels of its picture.

    A touch and a lift no more than 0.04 of the screen apart are a tap, reckoned in float32 as the
    data set's own code does.
    """
    code = told["action_type"]
    match code:
        case 3:
            return a.TypeText(told["text"])
        case 4:
            touch, lift = told["touch"], told["lift"]
            if not all(_near(number) for number in (*touch, *lift)):
                return a.Other("DUAL_POINT", json.dumps({"touch": touch, "lift": lift}))
            start, end = size.at(touch[1], touch[0]), size.at(lift[1], lift[0])
            return a.Tap(start, end) if is_tap(touch, lift) else a.Swipe(start, end)
        case 5 | 6 | 7:
            return a.PressKey(_KEYS[code])
        case 10:
            return a.Finish(a.Ending.COMPLETE)
        case 11:
            return a.Finish(a.Ending.IMPOSSIBLE)
    return a.Other(_NAMES.get(code, f"action_type {code}"))


def is_tap(touch: list[float], lift: list[float]) -> bool:
    """Whether a gesture is a tap: its length is at most 0.04 in float32."""
    with np.errstate(all="ignore"):
        moved = np.array(touch, np.float32) - np.array(lift, np.float32)
        length = np.sqrt(np.sum(moved * moved, dtype=np.float32))
    return bool(length <= SWIPE_DISTANCE)


def foreground_of(activity: str) -> Foreground | None:
    """Returns the app in front, of "package/activity"."""
    if not activity:
        return None
    package, slash, name = activity.partition("/")
    return Foreground(package, name) if slash and package and name else Foreground(activity)


def features_of(episode: Episode, step: Step, length: int) -> dict[str, Feature]:
    """Returns the features of a step that has the data set's own numbers, without its picture.

    Args:
        length: how many steps its episode says it has.
    """
    told = step.native.value if step.native is not None else {}
    size = step.frame.size if step.frame is not None else None
    front = step.foreground
    activity = "" if front is None else front.package
    if front is not None and front.activity:
        activity += f"/{front.activity}"
    texts, types = _words(step)
    boxes = told.get("boxes", [])
    return {
        "android_api_level": Feature.of_ints([episode.device.sdk or 0]),
        "current_activity": Feature.of_texts([activity]),
        "device_type": Feature.of_texts([episode.device.model]),
        "episode_id": Feature.of_texts([episode.name]),
        "episode_length": Feature.of_ints([length]),
        "goal_info": Feature.of_texts([episode.task.instruction]),
        "image/channels": Feature.of_ints([3]),
        "image/height": Feature.of_ints([size.height if size is not None else 0]),
        "image/width": Feature.of_ints([size.width if size is not None else 0]),
        POSITIONS: Feature.of_floats([_number(n) for row in boxes for n in row]),
        TEXTS: Feature.of_texts(texts or [""] * len(boxes)),
        TYPES: Feature.of_texts(types or [""] * len(boxes)),
        "results/action_type": Feature.of_ints([told["action_type"]]),
        "results/type_action": Feature.of_texts([told.get("text", "")]),
        "results/yx_lift": Feature.of_floats([_number(n) for n in told.get("lift", [-1, -1])]),
        "results/yx_touch": Feature.of_floats([_number(n) for n in told.get("touch", [-1, -1])]),
        "step_id": Feature.of_ints([step.index]),
    }


def aitw_numbers(step: Step) -> dict[str, Any] | None:
    """Returns the data set's own numbers of a step, where they are such."""
    if step.native is None or step.native.space != SPACE:
        return None
    told = step.native.value
    if not isinstance(told, dict) or not isinstance(told.get("text", ""), str):
        return None
    code = told.get("action_type")
    if not isinstance(code, int) or isinstance(code, bool) or abs(code) >= 1 << 31:
        return None
    boxes = told.get("boxes", [])
    points = [told[key] for key in ("touch", "lift") if key in told]
    if not all(_numbers(point, 2) for point in points):
        return None
    if not isinstance(boxes, list) or not all(_numbers(row, 4) for row in boxes):
        return None
    return told


def native(told: Mapping[str, Any]) -> Native:
    """Returns the numbers as a step keeps them."""
    return Native.of(SPACE, dict(told))


def fraction(point: Point, size: Size) -> list[float]:
    """Returns a point in pixels as (y, x), the nearest float32 fractions."""
    return [float(np.float32(point.y / size.height)), float(np.float32(point.x / size.width))]


def _words(step: Step) -> tuple[list[str], list[str]]:
    if step.tree is None or step.tree.record.format != flat.FORMAT:
        return [], []
    try:
        told = flat.flat_value(step.tree.record.data)
    except KnownError:
        return [], []
    return told["texts"], told["types"]


def _near(number: Any) -> bool:
    return isinstance(number, int | float) and abs(number) <= FARTHEST


def _number(told: Any) -> float:
    return _ODD[told] if isinstance(told, str) else told


def _numbers(told: Any, count: int) -> bool:
    return (
        isinstance(told, list)
        and len(told) == count
        and all(
            (isinstance(n, str) and n in _ODD)
            or (isinstance(n, int | float) and not isinstance(n, bool) and abs(n) <= 3e38)
            for n in told
        )
    )
