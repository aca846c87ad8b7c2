"""Aguvis's answers: a line of code for pyautogui or its own `mobile`, never run.

    pyautogui.click(x=0.5, y=0.1234)

Coordinates are fractions. A page above 0 scrolls the content up, as pyautogui does. Recipients and
the stop mark are ignored; the first call counts.

Source: src/aguvis/constants.py of xlang-ai/aguvis at 178c418.
"""

from __future__ import annotations

from typing import Any

from episodes import actions as a
from episodes.geometry import Direction, Point
from episodes.runs import Unreadable
from replay.dialects import vocabulary
from replay.dialects.answers import CONTENT, FINGER, of_answers
from replay.dialects.loose import Call, calls_in, micros, number_of
from replay.dialects.parsed import Parsed, ParseResult
from replay.dialects.writing import pair, point, quoted, seconds

_PLATFORMS = ("pyautogui.", "mobile.", "browser.")
_BARE = ("answer", "terminate")


def parse(value: Any) -> ParseResult:
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
    action = action_of(calls[0])
    return action if isinstance(action, Unreadable) else Parsed(action, more=len(calls) - 1)


def action_of(call: Call) -> a.Action | Unreadable:
    """Returns the action of a call of pyautogui or mobile."""
    at = point_of_call(call)
    match call.name:
        case "pyautogui.click":
            return a.Tap(at) if at is not None else vocabulary.no_point("tap")
        case "pyautogui.doubleClick":
            return a.DoubleTap(at) if at is not None else vocabulary.no_point("double_tap")
        case "mobile.long_press":
            return a.LongPress(at) if at is not None else vocabulary.no_point("long_press")
        case "pyautogui.write" | "pyautogui.typewrite":
            text = call.text("message", "text", "0")
            return a.TypeText(text) if text is not None else vocabulary.no_text("type_text")
        case "pyautogui.scroll" | "pyautogui.hscroll":
            page = number_of(call.arguments.get("page", call.arguments.get("0")))
            if page is None:
                return Unreadable("the scroll has no page", "scroll")
            if call.name == "pyautogui.scroll":
                return a.Scroll(Direction.UP if page > 0 else Direction.DOWN)
            return a.Scroll(Direction.LEFT if page < 0 else Direction.RIGHT)
        case "mobile.swipe" | "pyautogui.dragTo":
            start, end = call.point("from_coord", "0"), call.point("to_coord", "1")
            return a.Swipe(start, end) if start and end else vocabulary.no_point("swipe")
        case "pyautogui.press" | "pyautogui.hotkey":
            keys = call.arguments.get("keys", call.arguments.get("0"))
            return vocabulary.keys(keys)
        case "mobile.home":
            return a.PressKey(a.Key.HOME)
        case "mobile.back":
            return a.PressKey(a.Key.BACK)
        case "mobile.wait":
            return a.Wait(micros(call.arguments.get("seconds", call.arguments.get("0"))))
        case "mobile.open_app":
            app = call.text("app_name", "0")
            return a.OpenApp(app) if app is not None else vocabulary.no_text("open_app")
        case "mobile.terminate" | "terminate":
            return vocabulary.ending(call.text("status", "0"))
        case "answer":
            text = call.text("text", "0")
            return a.Answer(text) if text is not None else vocabulary.no_text("answer")
    return vocabulary.unknown(call.name, call.arguments)


def point_of_call(call: Call) -> Point | None:
    """Returns the point of a call by its x and y, or by its first two arguments."""
    x = number_of(call.arguments.get("x", call.arguments.get("0")))
    y = number_of(call.arguments.get("y", call.arguments.get("1")))
    return Point(x, y) if x is not None and y is not None else None


def write(action: a.Action, extent: Point) -> str | None:
    """Returns Aguvis's line of code."""
    match action:
        case a.Tap() | a.LongPress():
            verb = "pyautogui.click" if isinstance(action, a.Tap) else "mobile.long_press"
            x, y = pair(point(action))
            return f"{verb}(x={x}, y={y})"
        case a.DoubleTap():
            x, y = pair(point(action))
            return f"pyautogui.doubleClick(x={x}, y={y})"
        case a.Swipe(start, end):
            return f"mobile.swipe(from_coord={pair(start)}, to_coord={pair(end)})"
        case a.Scroll(Direction.UP | Direction.DOWN as direction):
            return f"pyautogui.scroll(page={0.5 if direction is Direction.UP else -0.5})"
        case a.Scroll(direction):
            return f"pyautogui.hscroll(page={-0.5 if direction is Direction.LEFT else 0.5})"
        case a.TypeText(text):
            return f"pyautogui.write(message={quoted(text)})"
        case a.PressKey(a.Key.HOME | a.Key.BACK):
            return f"mobile.{action.key.value}()"
        case a.PressKey(a.Key.ENTER):
            return "pyautogui.press(keys=['enter'])"
        case a.OpenApp(app):
            return f"mobile.open_app(app_name={quoted(app)})"
        case a.Wait(duration_us):
            return f"mobile.wait(seconds={seconds(duration_us)})"
        case a.Answer(text):
            return f"answer(text={quoted(text)})"
        case a.Finish(ending):
            done = "success" if ending is a.Ending.COMPLETE else "infeasible"
            return f"mobile.terminate(status='{done}')"
    return None


DIALECT = of_answers(
    "aguvis",
    "Aguvis's answers",
    parse,
    write,
    coordinates=("0-1", "0-1000", "0-999", "pixels"),
    scrolls=(CONTENT, FINGER),
)
