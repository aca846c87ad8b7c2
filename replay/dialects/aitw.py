"""Android in the Wild's dual points: where the finger came down, and where it left.

    {"action_type": 4, "touch": [0.5, 0.25], "lift": [0.5, 0.25], "text": ""}

Points are fractions of the screen, y before x. A touch and a lift near each other are a tap. A
code may be given by its name. Auto-GUI's form is read, too:

    Action Decision: "action_type": "DUAL_POINT", "touch_point": "[0.5, 0.25]", ...

Source: action_matching.py of google-research/google-research, android_in_the_wild; main.py of
cooelf/Auto-GUI at 26ea0f2.
"""

from __future__ import annotations

import math
from typing import Any

from episodes import actions as a
from episodes.geometry import Point
from episodes.runs import Unreadable
from replay.dialects import vocabulary
from replay.dialects.answers import FINGER, object_alone, of_answers
from replay.dialects.layouts import with_answers
from replay.dialects.parsed import Parsed, ParseResult
from replay.dialects.writing import point, to_json
from scoring.protocols import aitw_answers as codes
from scoring.protocols.aitw import is_tap

_KEYS = {
    codes.PRESS_BACK: a.Key.BACK,
    codes.PRESS_HOME: a.Key.HOME,
    codes.PRESS_ENTER: a.Key.ENTER,
}
_ENDINGS = {codes.COMPLETE: a.Ending.COMPLETE, codes.IMPOSSIBLE: a.Ending.IMPOSSIBLE}


def parse(value: Any) -> ParseResult:
    """Returns the action of an answer, its points in fractions."""
    found = codes.of_text(value) if isinstance(value, str) else codes.of_native(value)
    if isinstance(found, Unreadable):
        return found
    if found.code == codes.TYPE:
        return Parsed(a.TypeText(found.text))
    if found.code in _KEYS:
        return Parsed(a.PressKey(_KEYS[found.code]))
    if found.code in _ENDINGS:
        return Parsed(a.Finish(_ENDINGS[found.code]))
    if found.code != codes.DUAL_POINT:
        return Parsed(vocabulary.unknown(str(found), {"action_type": found.code}))
    (y, x), (y2, x2) = found.touch, found.lift
    if not all(math.isfinite(n) and abs(n) < 1e9 for n in (x, y, x2, y2)):
        return Unreadable("its touch is no place", "DUAL_POINT")
    touch, lift = Point(x, y), Point(x2, y2)
    return Parsed(a.Tap(touch, lift) if is_tap(found.touch, found.lift) else a.Swipe(touch, lift))


def write(action: a.Action, extent: Point) -> str | None:
    """Returns the object of an action as text."""
    match action:
        case a.Tap():
            at = point(action)
            return _dual_point(at, at)
        case a.Swipe(start, end) if not is_tap((start.y, start.x), (end.y, end.x)):
            return _dual_point(start, end)
        case a.Scroll(direction):
            return _object(codes.DUAL_POINT, *codes.STROKES[direction])
        case a.TypeText(text):
            return _object(codes.TYPE, text=text)
        case a.PressKey(key):
            code = next((code for code, known in _KEYS.items() if known is key), None)
            return None if code is None else _object(code)
        case a.Finish(ending):
            return _object(next(code for code, known in _ENDINGS.items() if known is ending))
    return None


def _dual_point(touch: Point, lift: Point) -> str:
    return _object(codes.DUAL_POINT, (touch.y, touch.x), (lift.y, lift.x))


def _object(
    code: int, touch: codes.YX = codes.NO_PLACE, lift: codes.YX = codes.NO_PLACE, text: str = ""
) -> str:
    return to_json({"action_type": code, "touch": touch, "lift": lift, "text": text})


DIALECT = of_answers(
    "aitw",
    "Android in the Wild's dual points",
    parse,
    write,
    coordinates=("0-1",),
    scrolls=(FINGER,),
    form="aitw",
    keep=object_alone,
    rows=with_answers("action"),
)
