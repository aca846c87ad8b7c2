"""Answers in the form of CoAT, the agent AITZ's evaluator was written for.

    {"ACTION": "click_element", "ARGS": {"bbox": [x1, y1, x2, y2]}}

with a box in thousandths, "direction" for a scroll and "text" for typed text; a button is the
second word of its name, `press_back`. The kind is the first of click, scroll, type, press and stop
that the name has in it.

Source: _parse_action_ of coat/evaluate.py, IMNearth/CoAT at 9ab1a9f.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from episodes import actions as a
from episodes.geometry import Box, Native, Size
from episodes.runs import Prediction, Unreadable
from scoring.protocol import CannotSay
from scoring.protocols import aitw_answers as codes
from scoring.protocols.aitw import is_tap

KINDS = ("click", "scroll", "type", "press", "stop")
MAX_TEXT = 20_000
Corners = tuple[float, float, float, float]

_BUTTONS = {a.Key.BACK: "back", a.Key.HOME: "home", a.Key.ENTER: "enter"}
_CODES = {codes.PRESS_BACK: "back", codes.PRESS_HOME: "home", codes.PRESS_ENTER: "enter"}


@dataclass(frozen=True, slots=True)
class CoatAction:
    """One action as the evaluator compares it.

    Attributes:
        kind: one of KINDS, or the name of an action the evaluator does not know.
        text: the direction, the typed text or the button.
        box: of a click, (left, top, right, bottom) in pixels of the frame; None without one.
        numbered: whether a click without a box gives the number of an element on a tagged picture.
        stops: the error that stops the original if the gold is of the same kind; "" for none.
    """

    kind: str
    text: str = ""
    box: Corners | None = None
    numbered: bool = False
    stops: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.text[:60]}".strip()


def action_name(name: Any) -> str | None:
    """Returns the kind of an action's name; None if it has none."""
    if not isinstance(name, str):
        return None
    told = name.lower()
    if told == "input":
        return "type"
    return next((kind for kind in KINDS if kind in told), None)


def of_prediction(
    prediction: Prediction, size: Size | None, *, text_mode: bool
) -> CoatAction | Unreadable | CannotSay:
    """Returns a prediction's action: from its own text if it has one, else from its pixels.

    Args:
        text_mode: whether errors of the original's text mode are reproduced.
    """
    native = prediction.native
    if native is not None and native.space == codes.SPACE:
        return _of_codes(codes.of_native(native.value), size)
    if is_own_text(prediction.raw):
        return of_text(prediction.raw, size, text_mode=text_mode)
    if codes.is_own_text(prediction.raw):
        return _of_codes(codes.of_text(prediction.raw), size)
    if isinstance(prediction.parsed, Unreadable):
        return prediction.parsed
    return of_pixels(prediction.parsed, size, native)


def is_own_text(raw: str) -> bool:
    """Whether a text looks like CoAT's JSON."""
    return raw.lstrip().startswith("{") and '"ACTION"' in raw


def of_text(raw: str, size: Size | None, *, text_mode: bool) -> CoatAction | Unreadable | CannotSay:
    """Parses a text of CoAT; the action's box is in whole pixels of the frame."""
    if len(raw) > MAX_TEXT:
        return Unreadable(f"{len(raw)} characters are more than are read as an action")
    try:
        told = json.loads(raw)
    except (ValueError, RecursionError):
        return Unreadable("the answer is not JSON")
    name = told.get("ACTION") if isinstance(told, dict) else None
    kind = action_name(name)
    if kind is None or not isinstance(name, str):
        return Unreadable(f"“{str(name)[:40]}” is no kind of action")
    given = told.get("ARGS")
    args: dict[str, Any] = given if isinstance(given, dict) else {}
    if text_mode and args.get("bbox") is not None and not _is_box(args["bbox"]):
        return Unreadable("the original stops here: “bbox” has not four numbers", kind)
    match kind:
        case "click":
            return _clicked(args, size)
        case "scroll":
            word = args.get("direction")
            return CoatAction(kind, word if isinstance(word, str) else "")
        case "type":
            text = args.get("text", "")
            if not isinstance(text, str):
                told = "the original stops here: “text” is no text"
                return CoatAction(kind, stops=told) if text_mode else Unreadable(told, kind)
            return CoatAction(kind, text)
        case "press":
            words = name.split("_")
            if len(words) < 2:
                return Unreadable("the original stops here: the name has no button", kind)
            return CoatAction(kind, words[1].lower())
    return CoatAction(kind)


def of_pixels(
    action: a.Action, size: Size | None, native: Native | None = None
) -> CoatAction | CannotSay:
    """Converts an action from pixels of a frame to the evaluator's form.

    A tap on a box keeps the box; one at a point is a box without size, in whole pixels.
    """
    match action:
        case a.Tap(Box() as box):
            return CoatAction("click", box=(box.left, box.top, box.right, box.bottom))
        case a.TypeText(text):
            return CoatAction("type", text)
        case a.PressKey(key, _) if key in _BUTTONS:
            return CoatAction("press", _BUTTONS[key])
        case a.Finish():
            return CoatAction("stop")
        case a.Scroll(way, _):
            return CoatAction("scroll", way.value)
        case a.Swipe():
            return CoatAction("scroll", action.direction.value)
        case a.Tap() | a.LongPress():
            told = codes.of_pixels(action, size)
            if isinstance(told, CannotSay):
                return told
            found = _of_codes(told, size)
            return found if isinstance(found, CoatAction) else CannotSay(found.reason)
    return CoatAction(a.describe_kind(action))


def _clicked(args: dict[str, Any], size: Size | None) -> CoatAction | Unreadable | CannotSay:
    box = args.get("bbox")
    if not box:
        return CoatAction("click", numbered="idx" in args)
    if not _is_box(box):
        return Unreadable("the original stops here: “bbox” has not four numbers", "click")
    if size is None:
        return CannotSay("the step has no frame to put the box in")
    left, top, right, bottom = box[:4]
    return CoatAction(
        "click",
        box=(
            round(left / 1000 * size.width),
            round(top / 1000 * size.height),
            round(right / 1000 * size.width),
            round(bottom / 1000 * size.height),
        ),
    )


def _of_codes(
    action: codes.AitwAction | Unreadable, size: Size | None
) -> CoatAction | Unreadable | CannotSay:
    if isinstance(action, Unreadable):
        return action
    if action.code == codes.DUAL_POINT:
        if not is_tap(action.touch, action.lift):
            down, across = action.lift[0] - action.touch[0], action.lift[1] - action.touch[1]
            if abs(down) >= 0.9 * abs(across):
                return CoatAction("scroll", "up" if down < 0 else "down")
            return CoatAction("scroll", "left" if across < 0 else "right")
        if size is None:
            return CannotSay("the step has no frame to put the touch in")
        x, y = action.touch[1] * size.width, action.touch[0] * size.height
        if not (abs(x) < 1e9 and abs(y) < 1e9):
            return Unreadable("its touch is no place", "click")
        return CoatAction("click", box=(round(x), round(y), round(x), round(y)))
    if action.code == codes.TYPE:
        return CoatAction("type", action.text)
    if action.code in _CODES:
        return CoatAction("press", _CODES[action.code])
    if action.code in (codes.COMPLETE, codes.IMPOSSIBLE):
        return CoatAction("stop")
    return CoatAction(str(action))


def _is_box(value: Any) -> bool:
    return isinstance(value, list) and len(value) >= 4 and all(map(_is_number, value[:4]))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9
