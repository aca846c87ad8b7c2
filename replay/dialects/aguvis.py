"""Aguvis's answers: a line of code for pyautogui or its own `mobile`, never run.

    pyautogui.click(x=0.5, y=0.1234)

Coordinates are fractions. A page above 0 scrolls the content up, as pyautogui does. Recipients and
the stop mark are passed over; the first call counts.

Source: src/aguvis/constants.py of xlang-ai/aguvis at 178c418.
"""

from __future__ import annotations

from typing import Any

from episodes import actions as a
from episodes.geometry import Direction, Point
from episodes.runs import Unreadable
from replay.dialects import meanings
from replay.dialects.answers import CONTENT, FINGER, Reading, Told, of_answers
from replay.dialects.loose import Call, calls_in, micros, number_of

_PLATFORMS = ("pyautogui.", "mobile.", "browser.")
_BARE = ("answer", "terminate")


def read(value: Any) -> Reading:
    """Returns the first action of an answer, its point in fractions."""
    if not isinstance(value, str):
        return Unreadable("the answer is not a text")
    calls = [
        call
        for call in calls_in(value.replace("<|diff_marker|>", "\n"))
        if call.name.startswith(_PLATFORMS) or call.name in _BARE
    ]
    if not calls:
        return Unreadable("there is no call of pyautogui or mobile")
    action = _action(calls[0])
    return action if isinstance(action, Unreadable) else Told(action, more=len(calls) - 1)


def _action(call: Call) -> a.Action | Unreadable:
    at = _point(call)
    match call.name:
        case "pyautogui.click":
            return a.Tap(at) if at is not None else meanings.no_point("tap")
        case "pyautogui.doubleClick":
            return a.DoubleTap(at) if at is not None else meanings.no_point("double_tap")
        case "mobile.long_press":
            return a.LongPress(at) if at is not None else meanings.no_point("long_press")
        case "pyautogui.write" | "pyautogui.typewrite":
            text = call.text("message", "text", "0")
            return a.TypeText(text) if text is not None else meanings.no_text("type_text")
        case "pyautogui.scroll" | "pyautogui.hscroll":
            page = number_of(call.arguments.get("page", call.arguments.get("0")))
            if page is None:
                return Unreadable("the scroll has no page", "scroll")
            if call.name == "pyautogui.scroll":
                return a.Scroll(Direction.UP if page > 0 else Direction.DOWN)
            return a.Scroll(Direction.LEFT if page < 0 else Direction.RIGHT)
        case "mobile.swipe" | "pyautogui.dragTo":
            start, end = call.point("from_coord", "0"), call.point("to_coord", "1")
            return a.Swipe(start, end) if start and end else meanings.no_point("swipe")
        case "pyautogui.press" | "pyautogui.hotkey":
            keys = call.arguments.get("keys", call.arguments.get("0"))
            return meanings.key("+".join(map(str, keys)) if isinstance(keys, list) else keys)
        case "mobile.home":
            return a.PressKey(a.Key.HOME)
        case "mobile.back":
            return a.PressKey(a.Key.BACK)
        case "mobile.wait":
            return a.Wait(micros(call.arguments.get("seconds", call.arguments.get("0"))))
        case "mobile.open_app":
            app = call.text("app_name", "0")
            return a.OpenApp(app) if app is not None else meanings.no_text("open_app")
        case "mobile.terminate" | "terminate":
            return meanings.ending(call.text("status", "0"))
        case "answer":
            text = call.text("text", "0")
            return a.Answer(text) if text is not None else meanings.no_text("answer")
    return meanings.other(call.name, call.arguments)


def _point(call: Call) -> Point | None:
    x = number_of(call.arguments.get("x", call.arguments.get("0")))
    y = number_of(call.arguments.get("y", call.arguments.get("1")))
    return Point(x, y) if x is not None and y is not None else None


DIALECT = of_answers(
    "aguvis",
    "Aguvis's answers",
    read,
    coordinates=("0-1", "0-1000", "0-999", "pixels"),
    scrolls=(CONTENT, FINGER),
)
