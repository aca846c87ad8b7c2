"""Android in the Wild's dual points: where the finger came down, and where it left.

    {"action_type": 4, "touch": [0.5, 0.25], "lift": [0.5, 0.25], "text": ""}

Points are fractions of the screen, y before x. Touch and lift near each other are a tap. A code may
be told by its name; Auto-GUI's form is read, too:

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
from replay.dialects import meanings
from replay.dialects.answers import FINGER, Reading, Told, object_alone, of_answers
from replay.dialects.layouts import with_answers
from scoring.protocols import aitw_answers as codes
from scoring.protocols.aitw import is_tap

_KEYS = {
    codes.PRESS_BACK: a.Key.BACK,
    codes.PRESS_HOME: a.Key.HOME,
    codes.PRESS_ENTER: a.Key.ENTER,
}
_ENDINGS = {codes.COMPLETE: a.Ending.COMPLETE, codes.IMPOSSIBLE: a.Ending.IMPOSSIBLE}


def read(value: Any) -> Reading:
    """Returns the action of an answer, its points in fractions."""
    told = codes.of_text(value) if isinstance(value, str) else codes.of_native(value)
    if isinstance(told, Unreadable):
        return told
    if told.code == codes.TYPE:
        return Told(a.TypeText(told.text))
    if told.code in _KEYS:
        return Told(a.PressKey(_KEYS[told.code]))
    if told.code in _ENDINGS:
        return Told(a.Finish(_ENDINGS[told.code]))
    if told.code != codes.DUAL_POINT:
        return Told(meanings.other(str(told), {"action_type": told.code}))
    (y, x), (y2, x2) = told.touch, told.lift
    if not all(math.isfinite(n) and abs(n) < 1e9 for n in (x, y, x2, y2)):
        return Unreadable("its touch is no place", "DUAL_POINT")
    touch, lift = Point(x, y), Point(x2, y2)
    return Told(a.Tap(touch, lift) if is_tap(told.touch, told.lift) else a.Swipe(touch, lift))


DIALECT = of_answers(
    "aitw",
    "Android in the Wild's dual points",
    read,
    coordinates=("0-1",),
    scrolls=(FINGER,),
    form="aitw",
    keep=object_alone,
    rows=with_answers("action"),
)
