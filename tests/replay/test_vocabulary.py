"""Names of actions that a dialect does not list, looked up in what all dialects share."""

from __future__ import annotations

import json
from typing import Any

import pytest

from episodes import actions as a
from episodes.geometry import Direction, Point
from episodes.runs import Unreadable
from replay.dialects import DIALECTS, vocabulary
from tests.replay.said import said

FIRST, LAST = Point(3, 4), Point(5, 6)
NAMES: list[tuple[str, dict[str, Any], a.Action | Unreadable | None]] = [
    ("Double Tap", {"element": [3, 4]}, a.DoubleTap(FIRST)),
    ("double_click", {"coordinate": [3, 4]}, a.DoubleTap(FIRST)),
    ("left_double", {"start_box": "(3,4)"}, a.DoubleTap(FIRST)),
    ("DoubleClick", {"box": "(3,4)"}, a.DoubleTap(FIRST)),
    ("LEFT_CLICK", {"x": 3, "y": "4"}, a.Tap(FIRST)),
    ("mobile.tap", {"0": [3, 4]}, a.Tap(FIRST)),
    ("press", {"point": [3, 4]}, a.Tap(FIRST)),
    ("long-click", {"point": [[3, 4]]}, a.LongPress(FIRST)),
    ("slide", {"point1": "3,4", "point2": "5,6"}, a.Swipe(FIRST, LAST)),
    ("drag_and_drop", {"start": [3, 4], "end": [5, 6]}, a.Swipe(FIRST, LAST)),
    ("fling", {"direction": "UP"}, a.Scroll(Direction.UP)),
    ("scroll_down", {}, a.Scroll(Direction.DOWN)),
    ("swipe left", {"at": 1}, a.Scroll(Direction.LEFT)),
    ("input_text", {"text": "tea"}, a.TypeText("tea")),
    ("write", {"message": "tea"}, a.TypeText("tea")),
    ("press_appselect", {}, a.PressKey(a.Key.RECENTS)),
    ("PRESS_RECENT", {}, a.PressKey(a.Key.RECENTS)),
    ("navigate_back", {}, a.PressKey(a.Key.BACK)),
    ("go home", {}, a.PressKey(a.Key.HOME)),
    ("keyboard_enter", {}, a.PressKey(a.Key.ENTER)),
    ("back_button", {}, a.PressKey(a.Key.BACK)),
    ("system_button", {"button": "Home"}, a.PressKey(a.Key.HOME)),
    ("hotkey", {"keys": ["ctrl", "c"]}, a.PressKey(a.Key.OTHER, "ctrl+c")),
    ("press", {"key": "enter"}, a.PressKey(a.Key.ENTER)),
    ("Launch", {"app": "Clock"}, a.OpenApp("Clock")),
    ("AWAKE", {"value": "Clock"}, a.OpenApp("Clock")),
    ("sleep", {"seconds": "2"}, a.Wait(2_000_000)),
    ("wait", {}, a.Wait()),
    ("ask_user", {"text": "which?"}, a.Answer("which?")),
    ("call_user", {}, a.Finish(a.Ending.IMPOSSIBLE)),
    ("call_user", {"content": "a login"}, a.Finish(a.Ending.IMPOSSIBLE, "a login")),
    ("terminate", {"status": "success"}, a.Finish(a.Ending.COMPLETE)),
    ("terminate", {"status": "failure"}, a.Finish(a.Ending.IMPOSSIBLE)),
    ("finished", {"content": "on the list"}, a.Finish(a.Ending.COMPLETE, "on the list")),
    ("task_impossible", {}, a.Finish(a.Ending.IMPOSSIBLE)),
    ("click", {}, Unreadable("the tap has no point", "tap")),
    ("type", {}, Unreadable("the type text has no text", "type_text")),
    ("scroll", {"direction": "away"}, Unreadable("“away” is not a direction", "scroll")),
    ("levitate", {"point": [3, 4]}, None),
    ("", {}, None),
    ("...", {}, None),
]


@pytest.mark.parametrize(("name", "arguments", "action"), NAMES)
def test_a_name_means_the_same_in_every_dialect(name, arguments, action):
    assert vocabulary.named(name, arguments) == action


def call(name: str, **arguments: Any) -> dict[str, Any]:
    """Returns how dialects write a call of a name that none of them lists."""
    values = list(arguments.values())
    python = ", ".join(f"{key}={value!r}" for key, value in arguments.items())
    fields = "".join(f"\t{key}:{value}" for key, value in arguments.items())
    parameters = "".join(f"<parameter={k}>{v}</parameter>" for k, v in arguments.items())
    tool = {"name": "mobile_use", "arguments": {"action": name, **arguments}}
    return {
        "ui-tars-1.0": f"Action: {name}({python})",
        "ui-tars-1.5": f"Action: {name}({python})",
        "seed": f"Action: {name}({python})",
        "seed-xml": f"<function={name}>{parameters}</function>",
        "qwen3vl": f"<tool_call>{json.dumps(tool)}</tool_call>",
        "mai-ui": f"<tool_call>{json.dumps(tool)}</tool_call>",
        "aguvis": f"mobile.{name}({python})",
        "kimi": f"## Code:\nmobile.{name}({python})",
        "gui-r1": f"<answer>[{ {'action': name, **arguments}!r}]</answer>",
        "ui-venus-1.5": f"<action>{name}({python})</action>",
        "uground": {"action": {"action_type": name, **arguments}},
        "aitz": json.dumps({"ACTION": name, "ARGS": arguments}),
        "androidcontrol": {"action_type": name, **arguments},
        "androidworld": {"action_type": name, **arguments},
        "glm-v": f"Action: {json.dumps({'action_type': name, **arguments})}",
        "androidlab": f"do(action={name!r}, {python})" if values else f"do(action={name!r})",
        "autoglm": f"do(action={name!r}, {python})" if values else f"do(action={name!r})",
        "showui": f"{ {'action': name, **arguments}!r}",
        "mimo": json.dumps([{"action": name, **arguments}]),
        "gelab": f"action:{name}{fields}",
    }


@pytest.mark.parametrize("name", call("x"))
def test_every_dialect_looks_up_what_it_does_not_list(name):
    assert said(name, call("press_appselect")[name]) == a.PressKey(a.Key.RECENTS)
    given_up = said(name, call("call_user")[name])
    assert given_up == a.Finish(a.Ending.IMPOSSIBLE)
    assert said(name, call("sleep", seconds=2)[name]) == a.Wait(2_000_000)
    space = "0-1" if "0-1" in DIALECTS[name].coordinates else ""
    read = said(name, call("left_double", point=[0.5, 0.5])[name], coordinates=space)
    assert isinstance(read, a.DoubleTap)
    levitated = said(name, call("levitate")[name])
    assert isinstance(levitated, a.Other)
    assert levitated.name.lower().endswith("levitate")


@pytest.mark.parametrize("name", ["guiodyssey", "os-atlas"])
def test_commands_in_capitals_are_looked_up_too(name):
    begins = "" if name == "guiodyssey" else "actions:\n"
    separates = ": " if name == "guiodyssey" else " "
    assert said(name, f"{begins}DOUBLE_TAP{separates}(500, 500)") == a.DoubleTap(Point(540, 1200))
    assert said(name, f"{begins}PRESS_APPSELECT") == a.PressKey(a.Key.RECENTS)
    assert said(name, f"{begins}CALL_USER") == a.Finish(a.Ending.IMPOSSIBLE)
    levitated = said(name, f"{begins}LEVITATE{separates}high")
    assert isinstance(levitated, a.Other)
    assert levitated.name == "LEVITATE"


def test_a_swipe_that_is_looked_up_is_the_finger_s_whatever_scrolls_mean():
    assert DIALECTS["gui-r1"].scrolls[0] == "content"
    answer = "<answer>[{'action': 'swipe', 'point': [-100, -100], 'input_text': 'up'}]</answer>"
    assert said("gui-r1", answer) == a.Scroll(Direction.UP)
    assert said("gui-r1", answer.replace("swipe", "scroll")) == a.Scroll(Direction.DOWN)
