"""Other models' answers as AgentCPM-GUI's own scripts convert them, faults included.

The numbers AgentCPM-GUI publishes for UI-TARS, OS-Atlas and Aguvis come from these conversions,
which lose a part of what the models wrote: a text is cut at its first quote, opening an app is
nothing. A run is read through them to reproduce such a number; the families' own dialects read what
was meant. What is written is the family's answer, as long as the conversion keeps its action.

Source: eval/run_predict_ui_tars.py, run_predict_os_atlas.py and run_predict_aguvis.py of
OpenBMB/AgentCPM-GUI at acbaf50.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from episodes import actions as a
from episodes.geometry import Direction, Point
from episodes.runs import Unreadable
from replay.dialect import Writer
from replay.dialects import agentcpm, aguvis, os_atlas, ui_tars
from replay.dialects.answers import FINGER, of_answers
from replay.dialects.parsed import ParseResult

Converted = dict[str, Any]

MAX_TEXT = 20_000
_OPPOSITE = {"down": "up", "up": "down", "right": "left", "left": "right"}
_FAILED: Converted = {"STATUS": "FAIL"}
_NUMBER = re.compile(r"[-+]?\d*\.\d+|\d+")
_PAGE = re.compile(r"h?scroll\(page=([-+]?\d*\.\d+|\d+)\)")
_MESSAGE = re.compile(r"message=([\"'])(.*?)\1")
_APP = re.compile(r"app_name='([^']+)'")


def of_ui_tars(text: str) -> Converted:
    """Returns what the script for UI-TARS makes of an answer.

    Raises:
        ValueError, IndexError: the script fails, and its step counts as wrong.
    """
    found: Converted = {"STATUS": "continue"}
    if "click(" in text:
        found["POINT"] = _second_bracket(text)
    elif "long_press(" in text:
        found["POINT"] = _second_bracket(text)
        if "time='" in text:
            time = _quoted(text, "time='")
            found["duration"] = int(time) if time else 1000
    elif "type(" in text:
        found["TYPE"] = _quoted(text, "content='")
    elif "scroll(" in text:
        way = _quoted(text, "direction='")
        found |= {"POINT": [500, 500], "to": _OPPOSITE.get(way, way)}
    elif "press_back()" in text:
        found["PRESS"] = "BACK"
    elif "press_home()" in text:
        found["PRESS"] = "HOME"
    elif "wait()" in text:
        found["duration"] = 200
    elif "finished()" in text:
        found["STATUS"] = "finish"
    elif "open_app(app_name=" in text:
        found["OPEN_APP"] = _quoted(text, "app_name='")
    return found


def of_os_atlas(text: str) -> Converted:
    """Returns what the script for OS-Atlas makes of an answer; its failures are swallowed.

    It is meant to reverse scrolls for one instruction level, and never does.
    """
    found: Converted = {"STATUS": "continue"}
    at = text.find("Actions:")
    at = at if at >= 0 else text.find("actions:")
    if at < 0:
        return found
    command = text[at + len("actions:") :].strip()
    try:
        if "CLICK" in command:
            found["POINT"] = _double_bracket(command)
        elif "TYPE" in command:
            found["TYPE"] = _bracketed(command)
        elif "SCROLL" in command:
            found |= {"to": _bracketed(command).strip().lower(), "POINT": [500, 500]}
        elif "LONG_PRESS" in command:
            found["POINT"] = _double_bracket(command)
            found["duration"] = 1000
        elif "PRESS_BACK" in command:
            found["PRESS"] = "BACK"
        elif "PRESS_HOME" in command:
            found["PRESS"] = "HOME"
        elif "PRESS_RECENT" in command:
            found["PRESS"] = "RECENT"
        elif "WAIT" in command:
            found["duration"] = 200
        elif "COMPLETE" in command:
            found["STATUS"] = "finish"
    except ValueError:
        return found
    return found


def of_aguvis(text: str) -> Converted:
    """Returns what the script for Aguvis makes of an answer: its last line alone is read."""
    line = text.split("\n")[-1].strip()
    platform, _, function = line.partition(".")
    try:
        if platform == "pyautogui":
            return _of_pyautogui(function)
        if platform == "mobile":
            return _of_mobile(function)
    except (ValueError, OverflowError):
        return dict(_FAILED)
    return dict(_FAILED)


def _of_pyautogui(function: str) -> Converted:
    going = {"duration": 200, "STATUS": "continue"}
    if function.startswith("click"):
        return {"POINT": _fractions(function), **going}
    if function.startswith("write"):
        message = _MESSAGE.search(function)
        return {"TYPE": message[2], **going} if message is not None else dict(_FAILED)
    if function.startswith(("scroll", "hscroll")):
        page = _PAGE.match(function)
        if page is None:
            return dict(_FAILED)
        number = float(page[1])
        across = "left" if number < 0 else "right"
        way = across if function.startswith("h") else "up" if number > 0 else "down"
        return {"POINT": [500, 500], "to": way, **going}
    return dict(_FAILED)


def _of_mobile(function: str) -> Converted:
    going = {"duration": 200, "STATUS": "continue"}
    if function.startswith(("back", "home")):
        return {"PRESS": function[:4].upper(), **going}
    if function.startswith("terminate"):
        return {"STATUS": "finish" if "success" in function else "interrupt"}
    if function.startswith("open_app"):
        app = _APP.search(function)
        return {"open_app": app[1], **going} if app is not None else dict(_FAILED)
    if function.startswith("wait"):
        return {"duration": 3000, "STATUS": "continue"}
    if function.startswith("long_press"):
        return {"POINT": _fractions(function), "duration": 1000, "STATUS": "continue"}
    return dict(_FAILED)


def _fractions(function: str) -> list[int]:
    x, y = _NUMBER.findall(function)
    return [round(float(x) * 1000), round(float(y) * 1000)]


def _second_bracket(text: str) -> list[int]:
    start = text.find("(", text.find("(") + 1)
    end = text.find(")")
    if start < 0 or end < 0:
        raise ValueError("there is no second bracket with a point")
    x, y = text[start + 1 : end].strip().split(",")
    return [int(x), int(y)]


def _double_bracket(text: str) -> list[int]:
    x, y = text[text.find("[[") + 2 : text.find("]]")].split(",")
    return [int(x), int(y)]


def _bracketed(text: str) -> str:
    return text[text.find("[") + 1 : text.find("]")]


def _quoted(text: str, head: str) -> str:
    return text.split(head)[1].split("'")[0]


def _parse(convert: Callable[[str], Converted], value: Any) -> ParseResult:
    converted = _kept(convert, value)
    if converted is None:
        return Unreadable("the script fails on it")
    return agentcpm.parse(converted)


def _write(
    convert: Callable[[str], Converted], family: Writer, action: a.Action, extent: Point
) -> str | None:
    """Returns the family's answer; None if the conversion makes another kind of action of it."""
    if isinstance(action, a.Scroll):  # the scripts turn or keep the word, the finger's is declared
        action = a.Scroll(_family_direction(convert, action), action.at)
    text = family(action, extent)
    found = _parse(convert, text)
    if isinstance(found, Unreadable) or a.kind(found.action) != a.kind(action):
        return None
    return text


def _aguvis_in_thousandths(action: a.Action, extent: Point) -> str | None:
    """Returns Aguvis's answer, whose fractions the conversion makes thousandths of."""
    match action:
        case a.Tap(Point(x, y)):
            return aguvis.write(a.Tap(Point(x / 1000, y / 1000)), Point(1, 1))
        case a.LongPress(Point(x, y)):
            return aguvis.write(a.LongPress(Point(x / 1000, y / 1000)), Point(1, 1))
        case a.Swipe():
            return None
    return aguvis.write(action, Point(1, 1))


def _family_direction(convert: Callable[[str], Converted], action: a.Scroll) -> Direction:
    return action.direction.opposite if convert is of_ui_tars else action.direction


def _kept(convert: Callable[[str], Converted], value: Any) -> Converted | None:
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        return None
    try:
        return convert(value)
    except (ValueError, IndexError):
        return None


UI_TARS, OS_ATLAS, AGUVIS = (
    of_answers(
        f"agentcpm/{name}",
        f"{title}'s answers as AgentCPM-GUI converts them",
        partial(_parse, convert),
        partial(_write, convert, family),
        coordinates=("0-1000",),
        scrolls=(FINGER,),
        form="agentcpm",
        keep=partial(_kept, convert),
    )
    for name, title, convert, family in (
        ("ui-tars", "UI-TARS", of_ui_tars, ui_tars.write),
        ("os-atlas", "OS-Atlas", of_os_atlas, os_atlas.write),
        ("aguvis", "Aguvis", of_aguvis, _aguvis_in_thousandths),
    )
)
