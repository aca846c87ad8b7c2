"""Calls of Qwen's tool `mobile_use`, and the size of the picture their pixels are of.

    <tool_call>
    {"name": "mobile_use", "arguments": {"action": "click", "coordinate": [546, 1204]}}
    </tool_call>

Evaluators cut the call out of the text each in a way of their own; what they share is here.

Source: cookbooks/mobile_agent.ipynb of QwenLM/Qwen2.5-VL; smart_resize of qwen_vl_utils.
"""

from __future__ import annotations

import math
from typing import Any

from episodes import actions as a
from episodes.geometry import Size
from episodes.runs import Prediction
from scoring.protocol import CannotSay
from scoring.protocols.androidcontrol import actions as ac

MARK = '"arguments"'
MAX_TEXT = 100_000
FACTOR = 28
MIN_PIXELS = 56 * 56

_BUTTONS = {
    a.Key.BACK: "Back",
    a.Key.HOME: "Home",
    a.Key.MENU: "Menu",
    a.Key.RECENTS: "Menu",
    a.Key.ENTER: "Enter",
}


def picture_size(screen: Size, max_pixels: int) -> Size:
    """Returns the size a screenshot is shown to the model in: sides that are multiples of 28, as
    near as can be, within the limits on the number of pixels."""
    width, height = (_multiple(side) for side in (screen.width, screen.height))
    pixels = screen.width * screen.height
    if width * height > max_pixels:
        by = math.sqrt(pixels / max_pixels)
        width, height = (
            max(FACTOR, math.floor(side / by / FACTOR) * FACTOR)
            for side in (screen.width, screen.height)
        )
    elif width * height < MIN_PIXELS:
        by = math.sqrt(MIN_PIXELS / pixels)
        width, height = (
            math.ceil(side * by / FACTOR) * FACTOR for side in (screen.width, screen.height)
        )
    return Size(width, height)


def as_arguments(
    prediction: Prediction, parsed: a.Action, size: Size | None, picture: Size | None
) -> dict[str, Any] | CannotSay:
    """Returns an action of another dialect as the call's arguments, in pixels of a picture.

    The model's own numbers are used where it has them; nothing is rounded. An action the tool does
    not have keeps its name and matches nothing.
    """
    points = _points(prediction, parsed, size)
    if isinstance(points, CannotSay):
        return points
    told: list[list[float]] = []
    if points and (size is None or picture is None):
        return CannotSay("the size of the step's frame is not known")
    if size is not None and picture is not None:
        told = [
            [x * picture.width / size.width, y * picture.height / size.height] for x, y in points
        ]
    match parsed:
        case a.Tap():
            return {"action": "click", "coordinate": told[0]}
        case a.LongPress(_, duration):
            return {"action": "long_press", "coordinate": told[0], "time": (duration or 0) / 1e6}
        case a.Swipe() | a.Scroll():
            return {"action": "swipe", "coordinate": told[0], "coordinate2": told[1]}
        case a.TypeText(text):
            return {"action": "type", "text": text}
        case a.PressKey(key) if key in _BUTTONS:
            return {"action": "system_button", "button": _BUTTONS[key]}
        case a.OpenApp(app):
            return {"action": "open", "text": app}
        case a.Wait(duration):
            return {"action": "wait", "time": (duration or 0) / 1e6}
        case a.Answer(text):
            return {"action": "answer", "text": text}
        case a.Finish(ending):
            status = "success" if ending is a.Ending.COMPLETE else "failure"
            return {"action": "terminate", "status": status}
    return {"action": a.describe_kind(parsed)}


def _points(
    prediction: Prediction, parsed: a.Action, size: Size | None
) -> list[tuple[float, float]] | CannotSay:
    """Returns a touch's place, or start and end of a stroke, in pixels of the frame."""
    own = ac.own_numbers(prediction.native, size)
    match parsed:
        case a.Tap() | a.LongPress():
            at = a.place(parsed)
            if at is None:
                return CannotSay("the element is named, not pointed at")
            return own[:1] if own else [(at.x, at.y)]
        case a.Swipe(start, end):
            return own if own and len(own) == 2 else [(start.x, start.y), (end.x, end.y)]
        case a.Scroll(direction, _):
            if size is None:
                return CannotSay("the size of the step's frame is not known")
            return list(ac.stroke(direction, size))
    return []


def _multiple(side: int) -> int:
    return round(side / FACTOR) * FACTOR
