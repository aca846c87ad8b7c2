"""Words several families share: directions, keys and endings."""

from __future__ import annotations

import json
from typing import Any

from episodes import actions as a
from episodes.geometry import Direction, Point
from episodes.runs import Unreadable

MAX_NAME = 80

_KEYS = {
    "back": a.Key.BACK,
    "home": a.Key.HOME,
    "recent": a.Key.RECENTS,
    "recents": a.Key.RECENTS,
    "appselect": a.Key.RECENTS,
    "appswitch": a.Key.RECENTS,
    "app_switch": a.Key.RECENTS,
    "enter": a.Key.ENTER,
    "return": a.Key.ENTER,
    "delete": a.Key.DELETE,
    "backspace": a.Key.DELETE,
    "tab": a.Key.TAB,
    "menu": a.Key.MENU,
    "power": a.Key.POWER,
    "volume_up": a.Key.VOLUME_UP,
    "volumeup": a.Key.VOLUME_UP,
    "volume_down": a.Key.VOLUME_DOWN,
    "volumedown": a.Key.VOLUME_DOWN,
}
_IMPOSSIBLE = ("impossible", "infeasible", "fail", "interrupt", "need_feedback", "unsolvable")


def scroll(word: Any, at: Point | None = None) -> a.Scroll | Unreadable:
    """Returns a scroll by its direction's word."""
    told = word.strip().lower() if isinstance(word, str) else ""
    if told not in tuple(Direction):
        return Unreadable(f"“{str(word)[:60]}” is not a direction", "scroll")
    return a.Scroll(Direction(told), at)


def key(word: Any) -> a.PressKey | Unreadable:
    """Returns a key by its name; one without a meaning of its own keeps the name."""
    told = word.strip() if isinstance(word, str) else ""
    if not 0 < len(told) <= MAX_NAME:
        return Unreadable(f"“{str(word)[:60]}” is not a key", "press_key")
    bare = told.lower().removeprefix("keycode_")
    return a.PressKey(_KEYS[bare]) if bare in _KEYS else a.PressKey(a.Key.OTHER, told)


def ending(word: Any, reason: str | None = None) -> a.Finish:
    """Returns the end a status claims; what does not say otherwise is complete."""
    told = word.strip().lower() if isinstance(word, str) else ""
    failed = any(told.startswith(sign) for sign in _IMPOSSIBLE)
    return a.Finish(a.Ending.IMPOSSIBLE if failed else a.Ending.COMPLETE, reason or None)


def other(name: str, arguments: dict[str, Any]) -> a.Other:
    """Returns an action none of the others can hold."""
    return a.Other(name[:MAX_NAME], json.dumps(arguments, ensure_ascii=False)[:20_000])


def no_point(kind: str) -> Unreadable:
    """Returns that an action has no place."""
    return Unreadable(f"the {kind.replace('_', ' ')} has no point", kind)


def no_text(kind: str) -> Unreadable:
    """Returns that an action has no words."""
    return Unreadable(f"the {kind.replace('_', ' ')} has no text", kind)
