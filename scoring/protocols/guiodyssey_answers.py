"""Actions in GUIOdyssey's syntax: `CLICK: (500, 500)`, `SCROLL: UP`, `TYPE: hello`, ...

Such an answer is made from the data set's own annotation, from a step recorded by us, or from a
prediction in another dialect. Coordinates are thousandths of the frame, x by its width and
y by its height.

Source: data/format_converter.py (decode_action) of OpenGVLab/GUI-Odyssey at fefcbe9.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from episodes import actions as a
from episodes import thousandths
from episodes.geometry import Box, Native, Point, Size
from episodes.runs import Unreadable
from episodes.steps import Step
from scoring.protocol import CannotSay

SPACE = thousandths.SPACE
THOUSANDTHS = "0-1000"

_KEYS = {"KEY_HOME": "PRESS_HOME", "KEY_BACK": "PRESS_BACK", "KEY_APPSELECT": "PRESS_RECENT"}
_PRESSES = {a.Key.HOME: "PRESS_HOME", a.Key.BACK: "PRESS_BACK", a.Key.RECENTS: "PRESS_RECENT"}


def annotated_answer(action: Any, info: Any) -> str | CannotSay:
    """Returns the answer for an annotation's `action` and `info`.

    There is no gold if the data set's converter would stop with an error.
    """
    match action, info:
        case (("CLICK" | "LONG_PRESS"), str(key)):
            return _KEYS.get(key) or CannotSay(f"the annotation has a key “{key[:40]}”")
        case (("CLICK" | "LONG_PRESS"), [list(point), *_]) if _numbers(point):
            return f"{action}: {tuple(point)}"
        case "SCROLL", [list(start), list(end), *_] if _pair(start, end):
            return f"SCROLL: {direction(start, end)}"
        case "TEXT", _:
            return f"TYPE: {info}"
        case "COMPLETE", _:
            return "COMPLETE"
        case "INCOMPLETE", _:
            return "IMPOSSIBLE"
    return CannotSay(f"the annotation's {str(action)[:40]} has no point or key that can be read")


def gold_answer(step: Step, size: Size | None) -> str | CannotSay:
    """Returns the gold answer: from the data set's own numbers, or from a recording's pixels."""
    if step.native is None or step.native.space != SPACE:
        return recorded_answer(step.action, size)
    annotation = step.native.value
    if not isinstance(annotation, dict):
        return CannotSay("the step's annotation is not an object")
    return annotated_answer(annotation.get("action"), annotation.get("info"))


def recorded_answer(action: a.Action, size: Size | None) -> str | CannotSay:
    """Returns the answer for a step that has no annotation, from pixels of its frame.

    It is the answer the step would have after an export to the data set's form: coordinates are
    rounded once, to whole thousandths.
    """
    held = thousandths.to_native(action, size)
    if isinstance(held, thousandths.NotExpressible):
        return CannotSay(held.reason)
    return annotated_answer(held["action"], held["info"])


def predicted_answer(
    parsed: a.Action | Unreadable, native: Native | None, size: Size | None
) -> str | CannotSay:
    """Returns a prediction of another dialect as an answer of this benchmark.

    The model's own thousandths are used where the prediction has them; pixels are divided by the
    frame's size and not rounded. An action the benchmark does not know becomes a word of its own
    (`DOUBLE_TAP`, `WAIT`, ...), which matches nothing.

    Args:
        native: with the space "0-1000", the action's JSON in thousandths.
        size: of the step's frame, whose pixels `parsed` is in.
    """
    told = native.value if native is not None and native.space == THOUSANDTHS else {}
    match parsed:
        case Unreadable():
            return CannotSay(parsed.reason)
        case a.Tap() | a.LongPress():
            match told:
                case {"at": {"point": [x, y]}} if _numbers([x, y]):
                    return f"{_touch(parsed)}: {(x, y)}"
            point = a.place(parsed)
            if point is None or size is None:
                return CannotSay("the prediction's point is not known in a frame")
            return f"{_touch(parsed)}: {_unrounded(point, size)}"
        case a.Swipe(start, end):
            match told:
                case {"start": list(first), "end": list(last)} if _pair(first, last):
                    return f"SCROLL: {direction(first, last)}"
            if size is None:
                return CannotSay("the size of the step's frame is not known")
            return f"SCROLL: {direction(_unrounded(start, size), _unrounded(end, size))}"
        case a.Scroll() | a.TypeText() | a.Finish():
            return recorded_answer(parsed, size)
        case a.PressKey(key):
            return _PRESSES.get(key, f"PRESS_{key.value.upper()}")
    return _name(parsed).upper()


def inclusive_box(box: Box, size: Size) -> list[int] | None:
    """Returns [x1, y1, x2, y2] in whole thousandths, all four edges inside; None when empty."""
    return thousandths.box_thousandths(box, size) if box.area > 0 else None


def direction(start: Sequence[float], end: Sequence[float]) -> str:
    """Returns where the finger goes, in thousandths; vertical on ties, DOWN without a move."""
    across, down = end[0] - start[0], end[1] - start[1]
    if abs(across) > abs(down):
        return "LEFT" if across < 0 else "RIGHT"
    return "UP" if down < 0 else "DOWN"


def _unrounded(point: Point, size: Size) -> tuple[float, float]:
    return point.x * 1000 / size.width, point.y * 1000 / size.height


def _touch(action: a.Tap | a.LongPress) -> str:
    return "CLICK" if isinstance(action, a.Tap) else "LONG_PRESS"


def _name(action: a.Action) -> str:
    return f"other {action.name}" if isinstance(action, a.Other) else a.kind(action)


def _numbers(values: list[Any]) -> bool:
    return bool(values) and all(
        isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))
        for value in values
    )


def _pair(start: list[Any], end: list[Any]) -> bool:
    return len(start) == len(end) >= 2 and _numbers(start) and _numbers(end)
