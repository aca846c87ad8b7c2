"""Short names of action kinds, for narrow columns."""

from __future__ import annotations

from scoring.numbers import MISSING, UNREADABLE
from taptrail.words import tr

_SHORT = {
    "tap": "Tap",
    "double_tap": "2 taps",
    "long_press": "Long",
    "swipe": "Swipe",
    "pinch": "Pinch",
    "type_text": "Text",
    "press_key": "Key",
    "open_app": "App",
    "wait": "Wait",
    "answer": "Answer",
    "finish": "End",
    "other": "Other",
    UNREADABLE: "?",
    MISSING: "None",
}
_WHOLE = {
    UNREADABLE: "unreadable",
    MISSING: "no prediction",
    "type_text": "text",
    "press_key": "key",
}


def short(kind: str) -> str:
    """Returns the column head: "Long" for a long press."""
    return tr(_SHORT.get(kind, kind))


def whole(kind: str) -> str:
    """Returns a kind as part of a sentence."""
    return tr(_WHOLE.get(kind, kind.replace("_", " ")))
