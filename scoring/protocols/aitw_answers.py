"""Actions in the form of Android in the Wild: a code, a touch point and a lift point.

Native form, space "aitw", which readers and writers of the data set store with the pixels:

    {"action_type": 4, "touch": [y, x], "lift": [y, x], "text": "",
     "boxes": [[y, x, height, width], ...]}

The code is the data set's own number. Points and boxes are fractions of the screen, y before x, as
the float32 numbers of the file (-1.0, -1.0 if an action has no place). "boxes" are all annotated
elements of the screen; `[]` means none, a missing key means unknown. A prediction has the same form
without "boxes". A step's part of the data set ("general", "install", ...) is its task's category.

A prediction's own text may be that object as JSON (also with the keys `touch_yx`, `lift_yx` and
`type_text`, or SeeClick's `touch_point`, `lift_point` and `typed_text`, or a code by its name), or
Auto-GUI's `Action Decision: "action_type": "DUAL_POINT", "touch_point": "[0.5, 0.5]",
"lift_point": "[0.5, 0.5]", "typed_text": ""`.

Source: action_type.py of google-research/google-research, android_in_the_wild; main.py of
cooelf/Auto-GUI at 26ea0f2.
"""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from episodes import actions as a
from episodes.geometry import Direction, Native, Point, Size
from episodes.runs import Prediction, Unreadable
from scoring.expressions import NoValue, value_of
from scoring.protocol import CannotSay

SPACE = "aitw"
TYPE, DUAL_POINT, PRESS_BACK, PRESS_HOME, PRESS_ENTER = 3, 4, 5, 6, 7
COMPLETE, IMPOSSIBLE = 10, 11
NO_CODE = -1
CODES = {
    "UNUSED_0": 0,
    "UNUSED_1": 1,
    "UNUSED_2": 2,
    "TYPE": TYPE,
    "DUAL_POINT": DUAL_POINT,
    "PRESS_BACK": PRESS_BACK,
    "PRESS_HOME": PRESS_HOME,
    "PRESS_ENTER": PRESS_ENTER,
    "UNUSED_8": 8,
    "UNUSED_9": 9,
    "STATUS_TASK_COMPLETE": COMPLETE,
    "STATUS_TASK_IMPOSSIBLE": IMPOSSIBLE,
}
NAMES = {code: name for name, code in CODES.items()}
MAX_TEXT = 20_000

YX = tuple[float, float]
NO_PLACE: YX = (-1.0, -1.0)
STROKES: dict[Direction, tuple[YX, YX]] = {
    Direction.UP: ((0.8, 0.5), (0.2, 0.5)),
    Direction.DOWN: ((0.2, 0.5), (0.8, 0.5)),
    Direction.LEFT: ((0.5, 0.8), (0.5, 0.2)),
    Direction.RIGHT: ((0.5, 0.2), (0.5, 0.8)),
}
"""Touch and lift of a scroll of which only the finger's direction is known."""

_KEYS = {a.Key.BACK: PRESS_BACK, a.Key.HOME: PRESS_HOME, a.Key.ENTER: PRESS_ENTER}
_FULL = {"0-1": 1, "0-999": 999, "0-1000": 1000}


@dataclass(frozen=True, slots=True)
class AitwAction:
    """One action; `touch` and `lift` are (y, x) and matter for DUAL_POINT alone.

    Attributes:
        code: the data set's number, NO_CODE for an action it does not know.
        name: what such an action is called; for others the code's name.
        reused: the parts taken from an earlier answer, because this one could not be read.
    """

    code: int
    touch: YX = NO_PLACE
    lift: YX = NO_PLACE
    text: str = ""
    name: str = ""
    reused: str = ""

    def __str__(self) -> str:
        return self.name or NAMES.get(self.code, f"code {self.code}")


def of_native(decoded: Any) -> AitwAction | Unreadable:
    """Returns the action of the native form, or of JSON like it."""
    if not isinstance(decoded, dict):
        return Unreadable("the answer is not an object")
    code = _code(decoded.get("action_type"))
    if code is None:
        return Unreadable(f"“{str(decoded.get('action_type'))[:40]}” is no kind of action")
    text = _first(decoded, "text", "type_text", "typed_text")
    touch = _yx(_first(decoded, "touch", "touch_yx", "touch_point"))
    lift = _yx(_first(decoded, "lift", "lift_yx", "lift_point"))
    if code == DUAL_POINT and (touch is None or lift is None):
        return Unreadable("its touch or lift is not a pair of numbers", "DUAL_POINT")
    reused = decoded.get("reused")
    return AitwAction(
        code,
        touch or NO_PLACE,
        lift or NO_PLACE,
        text if isinstance(text, str) else "",
        reused=reused if isinstance(reused, str) else "",
    )


def as_native(action: AitwAction) -> dict[str, Any]:
    """Returns the native form of an action, without boxes."""
    told: dict[str, Any] = {
        "action_type": action.code,
        "touch": list(action.touch),
        "lift": list(action.lift),
        "text": action.text,
    }
    return told | ({"reused": action.reused} if action.reused else {})


def of_pixels(action: a.Action, size: Size | None) -> AitwAction | CannotSay:
    """Converts an action from pixels of a frame to the data set's form.

    All touches of one finger are a touch and a lift, a long press too. A scroll without a path is a
    stroke over 0.6 of the screen.
    """
    match action:
        case a.Tap() | a.LongPress():
            at = a.place(action)
            if at is None:
                return CannotSay("the element is named, not pointed at")
            if size is None:
                return CannotSay("the step has no frame to measure its point in")
            lift = action.lift if isinstance(action, a.Tap) and action.lift is not None else at
            return AitwAction(DUAL_POINT, _fraction(at, size), _fraction(lift, size))
        case a.Swipe(start, end):
            if size is None:
                return CannotSay("the step has no frame to measure its points in")
            return AitwAction(DUAL_POINT, _fraction(start, size), _fraction(end, size))
        case a.Scroll(direction, _):
            return AitwAction(DUAL_POINT, *STROKES[direction])
        case a.TypeText(text):
            return AitwAction(TYPE, text=text)
        case a.PressKey(key, _) if key in _KEYS:
            return AitwAction(_KEYS[key])
        case a.Finish(ending):
            return AitwAction(COMPLETE if ending is a.Ending.COMPLETE else IMPOSSIBLE)
    return CannotSay(f"Android in the Wild has no {a.describe_kind(action)}")


def of_prediction(prediction: Prediction, size: Size | None) -> AitwAction | Unreadable | CannotSay:
    """Returns a prediction's action: from its own numbers or text if it has them, else from its
    pixels.

    An action the data set does not know keeps its name and has no code, so that it matches nothing.
    """
    native = prediction.native
    if native is not None and native.space == SPACE:
        return of_native(native.value)
    if is_own_text(prediction.raw):
        return of_text(prediction.raw)
    parsed = prediction.parsed
    if isinstance(parsed, Unreadable):
        return parsed
    told = _of_own_numbers(native, parsed)
    if told is not None:
        return told
    found = of_pixels(parsed, size)
    if isinstance(found, CannotSay) and _is_placed(parsed):
        return found
    return (
        found
        if isinstance(found, AitwAction)
        else AitwAction(NO_CODE, name=a.describe_kind(parsed))
    )


_AUTO_GUI = re.compile(r"(?<=Action Decision:\s).*")
_PLACES = ('"touch"', '"touch_yx"', '"touch_point"', "Action Decision:")


def is_own_text(raw: str) -> bool:
    """Whether a text looks like the data set's own form: it names a touch, or Auto-GUI's header."""
    return any(word in raw for word in _PLACES)


def of_text(raw: str) -> AitwAction | Unreadable:
    """Parses the action of a text in one of the own forms."""
    if len(raw) > MAX_TEXT:
        return Unreadable(f"{len(raw)} characters are more than are read as an action")
    told = raw.lstrip().startswith("{")
    if "Action Decision:" in raw or ('"touch_point"' in raw and not told):
        reading = AutoGuiReading()
        reading.read(raw)
        return reading.action() if not reading.problem else Unreadable(reading.problem)
    try:
        return of_native(json.loads(raw))
    except (ValueError, RecursionError):
        return Unreadable("the answer is not JSON")


@dataclass(slots=True)
class AutoGuiReading:
    """Auto-GUI's variables for the parts of an answer; they keep their values if parsing fails.

    The parts are read in the order touch, lift, code, text; those before the first failure are the
    new answer's.
    """

    touch: Any = None
    lift: Any = None
    code: int | None = None
    text: str | None = None
    problem: str = ""
    fresh: int = 0

    def read(self, raw: str) -> None:
        """Reads one answer; `problem` is the part that failed, or ""."""
        self.problem, self.fresh = "", 0
        for part in self._parts(raw):
            if part:
                self.problem = part
                return
            self.fresh += 1

    def action(self) -> AitwAction | Unreadable:
        """Returns the action of the variables' present values."""
        if self.touch is None or self.lift is None or self.code is None or self.text is None:
            return Unreadable("there is no readable answer before it")
        touch, lift = _yx(self.touch), _yx(self.lift)
        if touch is None or lift is None:
            return Unreadable("its touch or lift is not a pair of numbers", NAMES[self.code])
        old = ("touch", "lift", "kind", "text")[self.fresh :]
        return AitwAction(self.code, touch, lift, self.text, reused=", ".join(old))

    def _parts(self, raw: str) -> Iterator[str]:
        """Yields a problem or "" for each part, and sets the parts that could be read."""
        told = _auto_gui_object(raw)
        if isinstance(told, str):
            yield told
            return
        touch = _auto_gui_point(told.get("touch_point"))
        if isinstance(touch, Unreadable):
            yield f"its touch_point {touch.reason}"
            return
        self.touch = touch
        yield ""
        lift = _auto_gui_point(told.get("lift_point"))
        if isinstance(lift, Unreadable):
            yield f"its lift_point {lift.reason}"
            return
        self.lift = lift
        yield ""
        name = told.get("action_type")
        if not isinstance(name, str) or name not in CODES:
            yield f"“{str(name)[:40]}” is no kind of action"
            return
        self.code = CODES[name]
        yield ""
        text = told.get("typed_text")
        if not isinstance(text, str):
            yield "its typed_text is no text"
            return
        self.text = text.lower().strip()
        yield ""


def _auto_gui_object(raw: str) -> dict[Any, Any] | str:
    found = _AUTO_GUI.search(raw)
    if found is None:
        return "it has no “Action Decision: ”"
    if len(raw) > MAX_TEXT:
        return f"{len(raw)} characters are more than are read as an action"
    try:
        told = ast.literal_eval("{" + found.group(0).strip() + "}")
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return "what follows “Action Decision: ” are no named values"
    return (
        told if isinstance(told, dict) else "what follows “Action Decision: ” are no named values"
    )


def _auto_gui_point(text: Any) -> Any:
    if not isinstance(text, str):
        return Unreadable("is no text")
    try:
        return value_of(text)
    except NoValue as error:
        return Unreadable(f"cannot be read: {error}")


def _of_own_numbers(native: Native | None, parsed: a.Action) -> AitwAction | None:
    """Returns a touch from the model's own fractions or thousandths, unrounded by pixels."""
    full = _FULL.get(native.space) if native is not None else None
    if native is None or full is None:
        return None
    match native.value, parsed:
        case {"at": {"point": [x, y]}}, (a.Tap() | a.LongPress()):
            touch, lift = _yx([y, x]), _yx([y, x])
        case {"start": [x1, y1], "end": [x2, y2]}, a.Swipe():
            touch, lift = _yx([y1, x1]), _yx([y2, x2])
        case _:
            return None
    if touch is None or lift is None:
        return None
    return AitwAction(
        DUAL_POINT, (touch[0] / full, touch[1] / full), (lift[0] / full, lift[1] / full)
    )


def _is_placed(action: a.Action) -> bool:
    return isinstance(action, a.Tap | a.LongPress | a.Swipe)


def _fraction(point: Point, size: Size) -> YX:
    return point.y / size.height, point.x / size.width


def _code(decoded: Any) -> int | None:
    if isinstance(decoded, str):
        return CODES.get(decoded)
    return decoded if isinstance(decoded, int) and not isinstance(decoded, bool) else None


def _yx(decoded: Any) -> YX | None:
    if not isinstance(decoded, list | tuple) or len(decoded) != 2:
        return None
    y, x = (_number(number) for number in decoded)
    return None if y is None or x is None else (y, x)


def _number(decoded: Any) -> float | None:
    """JSON has no NaN; files that need it write it as a text."""
    if decoded == "NaN":
        return math.nan
    if isinstance(decoded, int) and not isinstance(decoded, bool):
        return float(decoded) if abs(decoded) < 10**30 else None
    return decoded if isinstance(decoded, float) else None


def _first(decoded: dict[str, Any], *names: str) -> Any:
    return next((decoded[name] for name in names if name in decoded), None)
