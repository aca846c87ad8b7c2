"""Calls of the tool `mobile_use`: Qwen2.5-VL, Qwen3-VL, GUI-Owl and InfiGUI-R1.

    <tool_call>
    {"name": "mobile_use", "arguments": {"action": "click", "coordinate": [546, 1204]}}
    </tool_call>

Thoughts before it, a conclusion after it and missing tags are taken, and so are the arguments
alone, as Mobile-Agent-v3's operator writes them below its heading “Action”. Qwen2.5-VL, GUI-Owl and
InfiGUI-R1 speak of pixels of the resized picture, each with its own limits; Qwen3-VL of 0 to 999,
GUI-Owl 1.5 of thousandths. A swipe is the finger's. The tool's button Menu opens the list of recent
apps.

Source: cookbooks/mobile_agent.ipynb of QwenLM/Qwen3-VL; eval/android_control of InfiXAI/InfiGUI-R1
at a4fca17; X-PLUG/MobileAgent at 11cea57, gui_owl.py and mobile_agent_v3.py of Mobile-Agent-v3.
"""

from __future__ import annotations

from typing import Any

from episodes import actions as a
from episodes.runs import Unreadable
from replay.dialects import meanings
from replay.dialects.answers import FINGER, Reading, Told, of_answers
from replay.dialects.layouts import with_answers
from replay.dialects.loose import after_thought, micros, point_of, value_in

_TAG = "<tool_call>"


def read(value: Any) -> Reading:
    """Returns the action of an answer's first call."""
    if isinstance(value, dict):
        called, more = value, 0
    elif isinstance(value, str):
        rest = after_thought(value, _TAG)
        _, tag, tagged = rest.partition(_TAG)
        body = tagged if tag else rest
        begins = _beginning(body, bool(tag))
        if begins < 0:
            return Unreadable("there is no tool call")
        called, more = value_in(body, begins), max(0, rest.count(_TAG) - 1)
    else:
        return Unreadable("the answer is not a text")
    told = called.get("arguments", called) if isinstance(called, dict) else None
    if isinstance(told, str):
        told = value_in(told)
    if not isinstance(told, dict) or not isinstance(told.get("action"), str):
        return Unreadable("the call names no action")
    action = _action(told["action"], told)
    return action if isinstance(action, Unreadable) else Told(action, more=more)


def _beginning(body: str, tagged: bool) -> int:
    if tagged:
        return body.find("{")
    found = body.find('{"name"')
    for word in ("arguments", "action"):
        for quote in "\"'":
            if found < 0:
                mark = body.find(f"{quote}{word}{quote}")
                found = body.rfind("{", 0, max(0, mark))
    return found


def _action(kind: str, told: dict[str, Any]) -> a.Action | Unreadable:
    at = point_of(told.get("coordinate"))
    match kind:
        case "click" | "tap" | "left_click":
            return a.Tap(at) if at is not None else meanings.no_point("tap")
        case "double_click" | "double_tap":
            return a.DoubleTap(at) if at is not None else meanings.no_point("double_tap")
        case "long_press":
            if at is None:
                return meanings.no_point("long_press")
            return a.LongPress(at, micros(told.get("time")))
        case "swipe" | "scroll" | "drag":
            end = point_of(told.get("coordinate2"))
            if at is not None and end is not None:
                return a.Swipe(at, end)
            if "direction" in told:
                return meanings.scroll(told["direction"], at)
            return meanings.no_point("swipe")
        case "type" | "input_text":
            text = told.get("text")
            return a.TypeText(text) if isinstance(text, str) else meanings.no_text("type_text")
        case "system_button":
            button = meanings.key(told.get("button"))
            return a.PressKey(a.Key.RECENTS) if button == a.PressKey(a.Key.MENU) else button
        case "key":
            return meanings.key(told.get("text"))
        case "open" | "open_app":
            app = told.get("text", told.get("app"))
            return a.OpenApp(app) if isinstance(app, str) else meanings.no_text("open_app")
        case "wait":
            return a.Wait(micros(told.get("time")))
        case "answer" | "interact":
            text = told.get("text")
            return a.Answer(text) if isinstance(text, str) else meanings.no_text("answer")
        case "terminate" | "done":
            return meanings.ending(told.get("status"))
    return meanings.other(kind, told)


_PICTURED = ("resized:WxH", "pixels", "0-1000", "0-999", "0-1")
_RELATIVE = ("0-1000", "0-999", "0-1", "pixels", "resized:WxH")

QWEN25 = of_answers(
    "qwen25vl",
    "Qwen2.5-VL's tool calls",
    read,
    coordinates=("resized:qwen2.5-vl", *_PICTURED),
    scrolls=(FINGER,),
    form="qwen25vl",
)
QWEN3 = of_answers(
    "qwen3vl",
    "Qwen3-VL's tool calls",
    read,
    coordinates=("0-999", "0-1000", "0-1", "pixels", "resized:WxH"),
    scrolls=(FINGER,),
)
INFIGUI = of_answers(
    "infigui-r1",
    "InfiGUI-R1's tool calls",
    read,
    coordinates=("resized:infigui-r1", *_PICTURED),
    scrolls=(FINGER,),
    form="qwen25vl",
    rows=with_answers("llm_output"),
)
GUI_OWL = of_answers(
    "gui-owl",
    "GUI-Owl's tool calls, of Mobile-Agent-v3",
    read,
    coordinates=("resized:gui-owl", *_PICTURED),
    scrolls=(FINGER,),
)
GUI_OWL_1_5 = of_answers(
    "gui-owl-1.5",
    "GUI-Owl 1.5's tool calls",
    read,
    coordinates=_RELATIVE,
    scrolls=(FINGER,),
)
