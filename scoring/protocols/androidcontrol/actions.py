"""Actions in AndroidControl's form: one JSON object, coordinates in pixels of the screenshot.

Native form of a step, space "androidcontrol", which readers and writers store with the pixels:

    {"action_type": "click", "x": 540, "y": 390}

It is the object of the file's `actions`, number for number. The kinds are `click` and `long_press`
with x and y; `scroll` with a direction, which is where the content goes; `open_app` with app_name;
`input_text` with text; `navigate_home`, `navigate_back`, `wait`. `type` and `type_text` (a click
and a text in one, with x, y and text) and `status` (with goal_status) are in no file of the data
set, but in the step sets of some evaluators. Published candidates of a step, where a source has
them, are in the same object: "candidate_bbox": [[left, top, right, bottom], ...], in pixels.

Pixels are those of the step's frame. The tree is the step's own, as its format's reader reads it.

A step that is not from the data set has the action it would have after an export: points are
rounded once to whole pixels, a swipe is the scroll of the other direction, an end is a `status`.

Source: android_control/README.md of google-research/google-research at 1963839.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

from episodes import actions as a
from episodes.geometry import Direction, Native, Size
from episodes.runs import Prediction
from episodes.steps import Step
from scoring.protocol import CannotSay

SPACE = "androidcontrol"
POINTED = ("click", "long_press")
JOINED = ("type", "type_text")
OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}
SUCCESSFUL, INFEASIBLE = "successful", "infeasible"

ActionJson: TypeAlias = dict[str, Any]

_KEYS = {a.Key.HOME: "navigate_home", a.Key.BACK: "navigate_back"}
_BARE = ("navigate_home", "navigate_back", "wait")
_TEXTS = {"open_app": "app_name", "input_text": "text", "status": "goal_status"}
_FULL = {"0-1": 1, "0-999": 999, "0-1000": 1000}


def size_of(step: Step) -> Size | None:
    """Returns the size of the step's frame; None if it has none."""
    return step.frame.size if step.frame is not None else None


def gold_action(step: Step) -> ActionJson | CannotSay:
    """Returns a step's action as the data set has it, or as an export would write it."""
    if step.native is None or step.native.space != SPACE:
        return as_json(step.action, whole=True)
    told = step.native.value
    if not isinstance(told, dict):
        return CannotSay("the step's action is not an object")
    kind = told.get("action_type")
    if not isinstance(kind, str):
        return CannotSay("the step's action has no kind")
    if kind in _BARE:
        return told
    if kind in _TEXTS:
        known = isinstance(told.get(_TEXTS[kind]), str)
        return told if known else CannotSay(f"the step's {kind} has no {_TEXTS[kind]}")
    if kind == "scroll":
        known = told.get("direction") in tuple(OPPOSITE)
        return told if known else CannotSay("the step's scroll has no direction")
    if kind in (*POINTED, *JOINED):
        if not (is_number(told.get("x")) and is_number(told.get("y"))):
            return CannotSay(f"the step's {kind} has no point")
        if kind in JOINED and not isinstance(told.get("text"), str):
            return CannotSay(f"the step's {kind} has no text")
        return told
    return CannotSay(f"AndroidControl has no action “{kind[:40]}”")


def as_json(action: a.Action, *, whole: bool) -> ActionJson | CannotSay:
    """Returns an action in pixels of its frame as the data set would write it.

    Args:
        whole: whether points are rounded to whole pixels, as in the files.
    """
    match action:
        case a.Tap() | a.LongPress():
            at = a.place(action)
            if at is None:
                return CannotSay("the element is named, not pointed at")
            kind = "click" if isinstance(action, a.Tap) else "long_press"
            x, y = (round(at.x), round(at.y)) if whole else (at.x, at.y)
            return {"action_type": kind, "x": x, "y": y}
        case a.Swipe() | a.Scroll():
            return {"action_type": "scroll", "direction": action.direction.opposite.value}
        case a.TypeText(text):
            return {"action_type": "input_text", "text": text}
        case a.PressKey(key) if key in _KEYS:
            return {"action_type": _KEYS[key]}
        case a.OpenApp(app):
            return {"action_type": "open_app", "app_name": app}
        case a.Wait():
            return {"action_type": "wait"}
        case a.Finish(ending):
            status = SUCCESSFUL if ending is a.Ending.COMPLETE else INFEASIBLE
            return {"action_type": "status", "goal_status": status}
    return CannotSay(f"AndroidControl has no {a.describe_kind(action)}")


def own_numbers(native: Native | None, size: Size | None) -> list[tuple[float, float]] | None:
    """Returns a model's own points in pixels of the frame, unrounded by what was read of them.

    There are one (a touch) or two (start and end); None if the model has no numbers of a known
    space.
    """
    if native is None or size is None:
        return None
    if native.space in ("pixels", ""):
        right, bottom = float(size.width), float(size.height)
    elif native.space in _FULL:
        right = bottom = float(_FULL[native.space])
    else:
        picture = resized(native.space)
        if picture is None:
            return None
        right, bottom = float(picture.width), float(picture.height)
    match native.value:
        case {"at": {"point": [x, y]}}:
            told = [(x, y)]
        case {"start": [x, y], "end": [x2, y2]}:
            told = [(x, y), (x2, y2)]
        case _:
            return None
    if not all(is_number(number) for pair in told for number in pair):
        return None
    return [(x * size.width / right, y * size.height / bottom) for x, y in told]


def resized(space: str) -> Size | None:
    """Returns the picture's size in the name of a space "resized:WxH"; None for other spaces."""
    wide, _, high = space.removeprefix("resized:").partition("x")
    if not space.startswith("resized:") or not (wide.isdecimal() and high.isdecimal()):
        return None
    return Size(int(wide), int(high)) if int(wide) and int(high) else None


def own_answer(prediction: Prediction, space: str, marks: tuple[str, ...]) -> Any:
    """Returns a model's answer in an evaluator's own form; None if it has another form.

    That is the value a dialect kept under the name of the form, else the raw text when all of the
    form's marks are in it and its numbers were not declared to be of another space.
    """
    native = prediction.native
    if native is not None and native.space == space:
        return native.value
    if native is None and all(mark in prediction.raw for mark in marks):
        return prediction.raw
    return None


def stroke(direction: Direction, size: Size) -> tuple[tuple[float, float], tuple[float, float]]:
    """Returns start and end, in pixels, of a finger's stroke of which only the way is known: 0.6 of
    the screen through its centre."""
    away = {
        Direction.UP: ((0.5, 0.8), (0.5, 0.2)),
        Direction.DOWN: ((0.5, 0.2), (0.5, 0.8)),
        Direction.LEFT: ((0.8, 0.5), (0.2, 0.5)),
        Direction.RIGHT: ((0.2, 0.5), (0.8, 0.5)),
    }
    (x, y), (x2, y2) = away[direction]
    return (x * size.width, y * size.height), (x2 * size.width, y2 * size.height)


def is_number(decoded: Any) -> bool:
    """Whether a JSON value is a finite number."""
    if isinstance(decoded, bool):
        return False
    return isinstance(decoded, int) or (isinstance(decoded, float) and math.isfinite(decoded))
