"""Calls of the tool `mobile_use`: Qwen2.5-VL, Qwen3-VL, GUI-Owl, InfiGUI-R1 and MAI-UI.

    <tool_call>
    {"name": "mobile_use", "arguments": {"action": "click", "coordinate": [546, 1204]}}
    </tool_call>

Thoughts before the call, a conclusion after it and missing tags are accepted, and so are the
arguments alone, as Mobile-Agent-v3's operator writes them below its heading “Action”. Qwen2.5-VL,
GUI-Owl and InfiGUI-R1 write pixels of the resized picture, each with its own limits; Qwen3-VL and
MAI-UI 0 to 999, GUI-Owl 1.5 thousandths. A swipe is the finger's. MAI-UI's has a direction; its
stroke from point to point is a `drag`. The tool's button Menu opens the list of recent apps.

Source: cookbooks/mobile_agent.ipynb of QwenLM/Qwen3-VL; eval/android_control of InfiXAI/InfiGUI-R1
at a4fca17; X-PLUG/MobileAgent at 11cea57, gui_owl.py and mobile_agent_v3.py of Mobile-Agent-v3;
src/prompt.py and src/mai_naivigation_agent.py of Tongyi-MAI/MAI-UI at 4dd07b9;
agents/utils/action_translation.py of Tongyi-MAI/MobileWorld at d42de47.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from episodes import actions as a
from episodes.geometry import Point
from episodes.runs import Unreadable
from replay.dialects import vocabulary
from replay.dialects.answers import FINGER, of_answers
from replay.dialects.layouts import with_answers
from replay.dialects.loose import after_thought, micros, point_of, value_in
from replay.dialects.parsed import Parsed, ParseResult
from replay.dialects.writing import LONG_PRESS_MS, pair, point, seconds, stroke, to_json

_TAG = "<tool_call>"


def parse(value: Any, *, mai_ui: bool = False) -> ParseResult:
    """Returns the action of an answer's first call.

    Args:
        mai_ui: whether MAI-UI's own actions are listed, too.

    Raises:
        Unread: the answer was cut off in its thought.
    """
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
    arguments = called.get("arguments", called) if isinstance(called, dict) else None
    if isinstance(arguments, str):
        arguments = value_in(arguments)
    if not isinstance(arguments, dict) or not isinstance(arguments.get("action"), str):
        return Unreadable("the call names no action")
    kind = arguments["action"]
    own = _of_mai_ui(kind, arguments) if mai_ui else None
    action = own if own is not None else _action(kind, arguments)
    return action if isinstance(action, Unreadable) else Parsed(action, more=more)


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


def _action(kind: str, arguments: Mapping[str, Any]) -> a.Action | Unreadable:
    at = point_of(arguments.get("coordinate"))
    text = arguments.get("text")
    match kind:
        case "click":
            return a.Tap(at) if at is not None else vocabulary.no_point("tap")
        case "long_press":
            if at is None:
                return vocabulary.no_point("long_press")
            return a.LongPress(at, micros(arguments.get("time")))
        case "swipe" if "direction" not in arguments:
            end = point_of(arguments.get("coordinate2"))
            return a.Swipe(at, end) if at and end else vocabulary.no_point("swipe")
        case "type":
            return a.TypeText(text) if isinstance(text, str) else vocabulary.no_text("type_text")
        case "system_button":
            button = vocabulary.key(arguments.get("button"))
            return a.PressKey(a.Key.RECENTS) if button == a.PressKey(a.Key.MENU) else button
        case "key":
            return vocabulary.key(text)
        case "open":
            app = arguments.get("text", arguments.get("app"))
            return a.OpenApp(app) if isinstance(app, str) else vocabulary.no_text("open_app")
        case "wait":
            return a.Wait(micros(arguments.get("time")))
        case "answer" | "interact":
            return a.Answer(text) if isinstance(text, str) else vocabulary.no_text("answer")
        case "terminate":
            return vocabulary.ending(arguments.get("status"))
    return vocabulary.unknown(kind, arguments)


def _of_mai_ui(kind: str, arguments: Mapping[str, Any]) -> a.Action | Unreadable | None:
    """Returns an action that MAI-UI alone lists; None for the others."""
    at = point_of(arguments.get("coordinate"))
    match kind:
        case "double_click":
            return a.DoubleTap(at) if at is not None else vocabulary.no_point("double_tap")
        case "swipe" if "direction" in arguments:
            return vocabulary.scroll(arguments["direction"], at)
        case "drag":
            start = point_of(arguments.get("start_coordinate"))
            end = point_of(arguments.get("end_coordinate"))
            return a.Swipe(start, end) if start and end else vocabulary.no_point("swipe")
        case "ask_user":
            text = arguments.get("text")
            return a.Answer(text) if isinstance(text, str) else vocabulary.no_text("answer")
    return None


def write(action: a.Action, extent: Point) -> str | None:
    """Returns a call as Qwen's families write it."""
    return _call(_arguments(action, extent))


def write_mai_ui(action: a.Action, extent: Point) -> str | None:
    """Returns a call as MAI-UI writes it."""
    match action:
        case a.DoubleTap():
            return _call({"action": "double_click", "coordinate": pair(point(action))})
        case a.LongPress():
            return _call({"action": "long_press", "coordinate": pair(point(action))})
        case a.Swipe(start, end):
            ends = {"start_coordinate": pair(start), "end_coordinate": pair(end)}
            return _call({"action": "drag", **ends})
        case a.Scroll(direction, at):
            place = {"coordinate": pair(at)} if isinstance(at, Point) else {}
            return _call({"action": "swipe", "direction": direction.value, **place})
        case a.PressKey():
            found = _arguments(action, extent)
            button = found and {**found, "button": found["button"].lower()}
            return _call(button)
        case a.Wait():
            return _call({"action": "wait"})
        case a.Finish(ending):
            status = "success" if ending is a.Ending.COMPLETE else "fail"
            return _call({"action": "terminate", "status": status})
    return _call(_arguments(action, extent))


def _call(arguments: dict[str, Any] | None) -> str | None:
    if arguments is None:
        return None
    call = to_json({"name": "mobile_use", "arguments": arguments})
    return f"{_TAG}\n{call}\n</tool_call>"


def _arguments(action: a.Action, extent: Point) -> dict[str, Any] | None:
    match action:
        case a.Tap():
            return {"action": "click", "coordinate": pair(point(action))}
        case a.LongPress(duration_us=held):
            time = seconds(held, LONG_PRESS_MS * 1000)
            return {"action": "long_press", "coordinate": pair(point(action)), "time": time}
        case a.Swipe() | a.Scroll():
            start, end = stroke(action, extent)
            return {"action": "swipe", "coordinate": pair(start), "coordinate2": pair(end)}
        case a.TypeText(text):
            return {"action": "type", "text": text}
        case a.PressKey(a.Key.HOME | a.Key.BACK | a.Key.ENTER):
            return {"action": "system_button", "button": action.key.capitalize()}
        case a.PressKey(a.Key.RECENTS):
            return {"action": "system_button", "button": "Menu"}
        case a.OpenApp(app):
            return {"action": "open", "text": app}
        case a.Wait(duration_us):
            return {"action": "wait", "time": seconds(duration_us)}
        case a.Answer(text):
            return {"action": "answer", "text": text}
        case a.Finish(ending):
            status = "success" if ending is a.Ending.COMPLETE else "failure"
            return {"action": "terminate", "status": status}
    return None


_PICTURED = ("resized:WxH", "pixels", "0-1000", "0-999", "0-1")
_RELATIVE = ("0-1000", "0-999", "0-1", "pixels", "resized:WxH")
_TO_999 = ("0-999", "0-1000", "0-1", "pixels", "resized:WxH")

QWEN25 = of_answers(
    "qwen25vl",
    "Qwen2.5-VL's tool calls",
    parse,
    write,
    coordinates=("resized:qwen2.5-vl", *_PICTURED),
    scrolls=(FINGER,),
    form="qwen25vl",
)
QWEN3 = of_answers(
    "qwen3vl",
    "Qwen3-VL's tool calls",
    parse,
    write,
    coordinates=_TO_999,
    scrolls=(FINGER,),
)
INFIGUI = of_answers(
    "infigui-r1",
    "InfiGUI-R1's tool calls",
    parse,
    write,
    coordinates=("resized:infigui-r1", *_PICTURED),
    scrolls=(FINGER,),
    form="qwen25vl",
    rows=with_answers("llm_output"),
)
GUI_OWL = of_answers(
    "gui-owl",
    "GUI-Owl's tool calls, of Mobile-Agent-v3",
    parse,
    write,
    coordinates=("resized:gui-owl", *_PICTURED),
    scrolls=(FINGER,),
)
GUI_OWL_1_5 = of_answers(
    "gui-owl-1.5",
    "GUI-Owl 1.5's tool calls",
    parse,
    write,
    coordinates=_RELATIVE,
    scrolls=(FINGER,),
)
MAI_UI = of_answers(
    "mai-ui",
    "MAI-UI's tool calls, also of MobileWorld",
    partial(parse, mai_ui=True),
    write_mai_ui,
    coordinates=_TO_999,
    scrolls=(FINGER,),
)
