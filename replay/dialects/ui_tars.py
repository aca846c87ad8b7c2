"""Answers of UI-TARS 1.0, UI-TARS 1.5 and Seed: a thought, and a call after "Action:".

    Thought: tap the tab
    Action: click(start_box='<|box_start|>(495,30)<|box_end|>')

1.0 and Seed speak of thousandths, 1.5 of pixels of the resized picture. A scroll's word is where
the content goes; start and end of one are the finger's. A newline at the end of a text submits it.
The last line with "Action:" counts; of several calls the first. A thought without an action is no
answer. A call's last bracket may be missing, as the original adds it, and so may the quote after a
token that closes a point, as Doubao's answers have it.

Source: codes/ui_tars/action_parser.py and README files of bytedance/UI-TARS at 582f3a7; pull
request 942 of bytedance/UI-TARS-desktop.
"""

from __future__ import annotations

import re
from typing import Any

from episodes import actions as a
from episodes.runs import Unreadable
from replay.dialects import meanings
from replay.dialects.answers import CONTENT, FINGER, Reading, Told, of_answers
from replay.dialects.loose import Call, calls_in, micros

MAX_ENDS = 10
_HEADS = ("Thought:", "Reflection:", "Action_Summary:")
_MARKS_OF_THE_END = ("`", "<|im_end|>", "</s>", "[EOS]")
_OPEN_POINT = re.compile(
    r"(=\s{0,8}'[^'\n]{0,200}(?:</point>|</bbox>|<\|box_end\|>))(?=\s{0,8}(?:\)|,|\Z))"
)
_STARTS = ("start_box", "start_point", "point", "box", "0")
_ENDS = ("end_box", "end_point", "1")
_KEYS = {
    "press_back": a.Key.BACK,
    "press_home": a.Key.HOME,
    "press_enter": a.Key.ENTER,
    "press_recent": a.Key.RECENTS,
    "press_menu": a.Key.MENU,
}


def read(value: Any) -> Reading:
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
    return Told(action, more=len(calls) - 1)


def _closed(text: str) -> str:
    """Returns the text with the quotes and the bracket that its last call lacks."""
    whole = _OPEN_POINT.sub(r"\1'", text).rstrip()
    for _ in range(MAX_ENDS):
        mark = next((mark for mark in _MARKS_OF_THE_END if whole.endswith(mark)), "")
        if not mark:
            break
        whole = whole.removesuffix(mark).rstrip()
    return whole if whole.endswith(")") else whole + ")"


def _action(call: Call) -> a.Action | Unreadable:
    match call.name:
        case "click" | "left_single" | "tap":
            at = call.point(*_STARTS)
            return a.Tap(at) if at is not None else meanings.no_point("tap")
        case "left_double" | "double_click" | "double_tap":
            at = call.point(*_STARTS)
            return a.DoubleTap(at) if at is not None else meanings.no_point("double_tap")
        case "long_press":
            at = call.point(*_STARTS)
            if at is None:
                return meanings.no_point("long_press")
            return a.LongPress(at, micros(call.arguments.get("time"), 1000) or None)
        case "drag" | "swipe" | "select":
            return _stroke(call, "swipe")
        case "scroll":
            if call.point(*_ENDS) is not None:
                return _stroke(call, "scroll")
            return meanings.scroll(call.text("direction", "0"), call.point(*_STARTS))
        case "type":
            text = call.text("content", "0")
            if text is None:
                return meanings.no_text("type_text")
            return a.TypeText(text.removesuffix("\n"), submit=text.endswith("\n"))
        case "open_app" | "open":
            app = call.text("app_name", "app", "0")
            return a.OpenApp(app) if app is not None else meanings.no_text("open_app")
        case "hotkey" | "press" | "press_key":
            return meanings.key(call.text("key", "press", "hotkey", "0"))
        case "wait":
            return a.Wait(micros(call.arguments.get("time", call.arguments.get("seconds"))))
        case "finished":
            return a.Finish(a.Ending.COMPLETE, call.text("content", "0") or None)
        case "call_user":
            return a.Finish(a.Ending.IMPOSSIBLE, call.text("content", "0") or None)
        case name if name in _KEYS:
            return a.PressKey(_KEYS[name])
    return meanings.other(call.name, call.arguments)


def _stroke(call: Call, kind: str) -> a.Swipe | Unreadable:
    start, end = call.point(*_STARTS), call.point(*_ENDS)
    return a.Swipe(start, end) if start and end else meanings.no_point(kind)


V1_0 = of_answers(
    "ui-tars-1.0",
    "UI-TARS 1.0's answers",
    read,
    coordinates=("0-1000", "0-999", "0-1", "pixels", "resized:WxH"),
    scrolls=(CONTENT, FINGER),
)
V1_5 = of_answers(
    "ui-tars-1.5",
    "UI-TARS 1.5's answers",
    read,
    coordinates=("resized:ui-tars-1.5", "resized:WxH", "pixels", "0-1000", "0-999", "0-1"),
    scrolls=(CONTENT, FINGER),
)
SEED = of_answers(
    "seed",
    "Answers of Seed and Doubao in UI-TARS's words",
    read,
    coordinates=("0-1000", "0-999", "0-1", "pixels", "resized:WxH"),
    scrolls=(CONTENT, FINGER),
)
