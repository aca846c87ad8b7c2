"""Answers of UI-TARS 1.0, UI-TARS 1.5 and Seed: a thought, and a call after "Action:".

    Thought: tap the tab
    Action: click(start_box='<|box_start|>(495,30)<|box_end|>')

1.0 and Seed write thousandths, 1.5 pixels of the resized picture. A scroll's direction is where the
content goes; its start and end are the finger's. A newline at the end of a text submits it.
The last line with "Action:" counts; of several calls the first. A thought without an action is no
answer. A call's last bracket may be missing, as the original adds it, and so may the quote after a
token that closes a point, as Doubao's answers have it.

Source: codes/ui_tars/action_parser.py, codes/ui_tars/prompt.py and README files of
bytedance/UI-TARS at 582f3a7 and its issue 164; pull request 942 of bytedance/UI-TARS-desktop.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from episodes import actions as a
from episodes.geometry import Point
from episodes.runs import Unreadable
from replay.dialects import vocabulary
from replay.dialects.answers import CONTENT, FINGER, of_answers
from replay.dialects.loose import Call, calls_in, micros
from replay.dialects.parsed import Parsed, ParseResult
from replay.dialects.writing import pair, point, quoted

MAX_ENDS = 10
_HEADS = ("Thought:", "Reflection:", "Action_Summary:")
_END_MARKS = ("`", "<|im_end|>", "</s>", "[EOS]")
_OPEN_POINT = re.compile(
    r"(=\s{0,8}'[^'\n]{0,200}(?:</point>|</bbox>|<\|box_end\|>))(?=\s{0,8}(?:\)|,|\Z))"
)
_STARTS = ("start_box", "start_point", "point", "box", "0")
_ENDS = ("end_box", "end_point", "1")


def parse(value: Any) -> ParseResult:
    """Returns the first action of an answer."""
    if not isinstance(value, str):
        return Unreadable("the answer is not a text")
    value = value.replace("Action：", "Action:")
    at = max(value.rfind("\nAction:"), value.find("Action:") if "\nAction:" not in value else -1)
    if at < 0 and value.lstrip().startswith(_HEADS):
        return Unreadable("there is a thought and no “Action:”")
    calls = calls_in(_closed(value[max(at, 0) :]))
    if not calls:
        return Unreadable("there is no call" + (" after “Action:”" if at >= 0 else ""))
    action = _action(calls[0])
    if isinstance(action, Unreadable):
        return action
    return Parsed(action, more=len(calls) - 1)


def _closed(text: str) -> str:
    """Returns the text with the quotes and the bracket that its last call lacks."""
    whole = _OPEN_POINT.sub(r"\1'", text).rstrip()
    for _ in range(MAX_ENDS):
        mark = next((mark for mark in _END_MARKS if whole.endswith(mark)), "")
        if not mark:
            break
        whole = whole.removesuffix(mark).rstrip()
    return whole if whole.endswith(")") else whole + ")"


def _action(call: Call) -> a.Action | Unreadable:
    match call.name:
        case "click" | "left_single" | "tap":
            at = call.point(*_STARTS)
            return a.Tap(at) if at is not None else vocabulary.no_point("tap")
        case "left_double" | "double_click" | "double_tap":
            at = call.point(*_STARTS)
            return a.DoubleTap(at) if at is not None else vocabulary.no_point("double_tap")
        case "long_press":
            at = call.point(*_STARTS)
            if at is None:
                return vocabulary.no_point("long_press")
            return a.LongPress(at, micros(call.arguments.get("time"), 1000) or None)
        case "drag" | "select":
            return _stroke(call, "swipe")
        case "scroll" | "swipe" if call.point(*_ENDS) is not None:
            return _stroke(call, call.name)
        case "scroll":
            return vocabulary.scroll(call.text("direction", "0"), call.point(*_STARTS))
        case "type":
            text = call.text("content", "0")
            if text is None:
                return vocabulary.no_text("type_text")
            return a.TypeText(text.removesuffix("\n"), submit=text.endswith("\n"))
        case "open_app" | "open":
            app = call.text("app_name", "app", "0")
            return a.OpenApp(app) if app is not None else vocabulary.no_text("open_app")
        case "hotkey" | "press" | "press_key":
            return vocabulary.key(call.text("key", "press", "hotkey", "0"))
        case "wait":
            return a.Wait(micros(call.arguments.get("time", call.arguments.get("seconds"))))
        case "finished":
            return a.Finish(a.Ending.COMPLETE, call.text("content", "0") or None)
        case "call_user":
            return a.Finish(a.Ending.IMPOSSIBLE, call.text("content", "0") or None)
    return vocabulary.unknown(call.name, call.arguments)


def _stroke(call: Call, kind: str) -> a.Swipe | Unreadable:
    start, end = call.point(*_STARTS), call.point(*_ENDS)
    return a.Swipe(start, end) if start and end else vocabulary.no_point(kind)


def _in_box(at: Point, marks: tuple[str, str]) -> str:
    x, y = pair(at)
    return f"'{marks[0]}({x},{y}){marks[1]}'"


def write(action: a.Action, extent: Point, *, marks: tuple[str, str] = ("", "")) -> str | None:
    """Returns an answer of UI-TARS.

    Args:
        marks: the tokens before and after a point; version 1.0 has some.
    """
    call: str | None
    match action:
        case a.Tap():
            call = f"click(start_box={_in_box(point(action), marks)})"
        case a.DoubleTap():
            call = f"left_double(start_box={_in_box(point(action), marks)})"
        case a.LongPress():
            call = f"long_press(start_box={_in_box(point(action), marks)})"
        case a.Swipe(start, end):
            call = f"drag(start_box={_in_box(start, marks)}, end_box={_in_box(end, marks)})"
        case a.PressKey(a.Key.ENTER):
            call = "hotkey(key='enter')"
        case _:
            call = _without_point(action)
    return None if call is None else f"Action: {call}"


def write_seed(action: a.Action, extent: Point) -> str | None:
    """Returns an answer of Seed or Doubao, whose points are in tags."""

    def place(at: Point) -> str:
        x, y = pair(at)
        return f"'<point>{x} {y}</point>'"

    call: str | None
    match action:
        case a.Tap():
            call = f"click(point={place(point(action))})"
        case a.DoubleTap():
            call = f"left_double(point={place(point(action))})"
        case a.LongPress():
            call = f"long_press(point={place(point(action))})"
        case a.Swipe(start, end):
            call = f"drag(start_point={place(start)}, end_point={place(end)})"
        case a.Scroll(direction, Point() as at):
            call = f"scroll(point={place(at)}, direction='{direction.value}')"
        case a.PressKey(a.Key.ENTER):
            call = "hotkey(key='enter')"
        case _:
            call = _without_point(action)
    return None if call is None else f"Action: {call}"


def _without_point(action: a.Action) -> str | None:
    match action:
        case a.Scroll(direction):
            return f"scroll(direction='{direction.value}')"
        case a.TypeText(text, submit=submit):
            ended = text + "\n" if submit else text
            return f"type(content={quoted(ended)})"
        case a.OpenApp(app):
            return f"open_app(app_name={quoted(app)})"
        case a.PressKey(a.Key.HOME | a.Key.BACK):
            return f"press_{action.key.value}()"
        case a.PressKey(a.Key.RECENTS):
            return "press_appselect()"
        case a.Wait():
            return "wait()"
        case a.Finish(ending, reason):
            name = "finished" if ending is a.Ending.COMPLETE else "call_user"
            return f"{name}(content={quoted(reason)})" if reason else f"{name}()"
    return None


V1_0 = of_answers(
    "ui-tars-1.0",
    "UI-TARS 1.0's answers",
    parse,
    partial(write, marks=("<|box_start|>", "<|box_end|>")),
    coordinates=("0-1000", "0-999", "0-1", "pixels", "resized:WxH"),
    scrolls=(CONTENT, FINGER),
)
V1_5 = of_answers(
    "ui-tars-1.5",
    "UI-TARS 1.5's answers",
    parse,
    write,
    coordinates=("resized:ui-tars-1.5", "resized:WxH", "pixels", "0-1000", "0-999", "0-1"),
    scrolls=(CONTENT, FINGER),
)
SEED = of_answers(
    "seed",
    "Answers of Seed and Doubao in UI-TARS's words",
    parse,
    write_seed,
    coordinates=("0-1000", "0-999", "0-1", "pixels", "resized:WxH"),
    scrolls=(CONTENT, FINGER),
)
