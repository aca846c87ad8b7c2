"""Seed's XML calls, of Seed 1.8 and 2.0, UI-TARS 2 and Seed-OSS: a function and its parameters.

    <think>the list</think>
    <seed:tool_call><function=click><parameter=point><point>374 621</point></parameter></function>
    </seed:tool_call>

Points are thousandths. The names are those of UI-TARS's calls: a scroll's direction is where the
content goes, a drag is the finger's, and a newline at the end of a text submits it, written as such
or as a backslash and an n. The tags around the function may be `tool_call` with any prefix or
suffix, or missing. A value's tags and the line breaks around it are not part of it.

Source: public readers of these answers, such as MobileWorld's and OSWorld's agents for Seed 1.8;
the chat template of Seed-OSS, as llama.cpp lists its tags. No data set or evaluator of ByteDance
with this form was found.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeAlias

from episodes import actions as a
from episodes.geometry import Point
from episodes.runs import Unreadable
from replay.dialects import vocabulary
from replay.dialects.answers import CONTENT, FINGER, of_answers
from replay.dialects.loose import MAX_CALLS, micros, point_of
from replay.dialects.parsed import Parsed, ParseResult
from replay.dialects.writing import pair, point

_THOUGHT_BEGINS = re.compile(r"<(?:[a-z]{1,20}:)?think[^>\s]{0,60}>")
_THOUGHT_ENDS = re.compile(r"</(?:[a-z]{1,20}:)?think[^>\s]{0,60}>")
_FUNCTION = re.compile(r"<function=([A-Za-z_]\w{0,79})>")
_FUNCTION_ENDS = "</function>"
_PARAMETER = re.compile(r"<parameter=([A-Za-z_]\w{0,79})>")
_PARAMETER_ENDS = "</parameter>"
_TAGS = re.compile(r"</?(?:point|bbox)>")

Parameters: TypeAlias = Mapping[str, str]


def parse(value: Any) -> ParseResult:
    """Returns the first action of an answer."""
    if not isinstance(value, str):
        return Unreadable("the answer is not a text")
    ends = list(_THOUGHT_ENDS.finditer(value))
    answer = value[ends[-1].end() :] if ends else value
    first = _FUNCTION.search(answer)
    if first is None:
        cut = not ends and _THOUGHT_BEGINS.search(value)
        return Unreadable("its thought has no end" if cut else "there is no <function=...>")
    body = answer[first.end() :].partition(_FUNCTION_ENDS)[0]
    action = _action(first[1], _parameters(body))
    if isinstance(action, Unreadable):
        return action
    more = sum(1 for _ in _FUNCTION.finditer(answer, first.end() + len(body)))
    return Parsed(action, more=more)


def _parameters(body: str) -> Parameters:
    begins = list(_PARAMETER.finditer(body))[:MAX_CALLS]
    stops = [*(begin.start() for begin in begins), len(body)][1:]
    return {
        begin[1]: _value(body[begin.end() : stop].partition(_PARAMETER_ENDS)[0])
        for begin, stop in zip(begins, stops, strict=True)
    }


def _value(text: str) -> str:
    """Returns a value without the line breaks that put it on lines of its own."""
    if text.startswith("\n") and text.endswith("\n") and len(text) > 1:
        return text[1:-1]
    return text


def _action(name: str, given: Parameters) -> a.Action | Unreadable:
    at = _point(given, "point", "start_point", "start_box", "box")
    text = given.get("content", given.get("text"))
    match name:
        case "click" | "left_single" | "tap":
            return a.Tap(at) if at is not None else vocabulary.no_point("tap")
        case "left_double" | "double_click" | "double_tap":
            return a.DoubleTap(at) if at is not None else vocabulary.no_point("double_tap")
        case "long_press":
            return a.LongPress(at) if at is not None else vocabulary.no_point("long_press")
        case "drag":
            end = _point(given, "end_point", "end_box")
            return a.Swipe(at, end) if at and end else vocabulary.no_point("swipe")
        case "scroll":
            return vocabulary.scroll(given.get("direction"), at)
        case "type":
            if text is None:
                return vocabulary.no_text("type_text")
            ended = text.removesuffix("\n").removesuffix("\\n")
            return a.TypeText(ended, submit=ended != text)
        case "open_app":
            app = given.get("app_name", given.get("app"))
            return a.OpenApp(app) if app is not None else vocabulary.no_text("open_app")
        case "hotkey" | "press":
            return vocabulary.key(given.get("key", given.get("keys")))
        case "wait":
            return a.Wait(micros(given.get("time")))
        case "finished":
            return a.Finish(a.Ending.COMPLETE, text or None)
        case "call_user":
            return a.Finish(a.Ending.IMPOSSIBLE, text or None)
    return vocabulary.unknown(name, given)


def _point(given: Parameters, *names: str) -> Point | None:
    values = (_TAGS.sub(" ", given[name]) for name in names if name in given)
    return next((at for value in values if (at := point_of(value))), None)


def write(action: a.Action, extent: Point) -> str | None:
    """Returns a call with Seed's own tags."""
    match action:
        case a.Tap():
            return _call("click", point=_tagged(point(action)))
        case a.DoubleTap():
            return _call("left_double", point=_tagged(point(action)))
        case a.LongPress():
            return _call("long_press", point=_tagged(point(action)))
        case a.Swipe(start, end):
            return _call("drag", start_point=_tagged(start), end_point=_tagged(end))
        case a.Scroll(direction, at):
            place = {"point": _tagged(at)} if isinstance(at, Point) else {}
            return _call("scroll", direction=direction.value, **place)
        case a.TypeText(text, submit=submit):
            if not submit and text.endswith(("\n", "\\n")):
                return None
            return _call("type", content=text + "\\n" if submit else text)
        case a.OpenApp(app):
            return _call("open_app", app_name=app)
        case a.PressKey(a.Key.HOME | a.Key.BACK):
            return _call(f"press_{action.key.value}")
        case a.PressKey(a.Key.ENTER):
            return _call("hotkey", key="enter")
        case a.Wait():
            return _call("wait")
        case a.Finish(ending, reason):
            name = "finished" if ending is a.Ending.COMPLETE else "call_user"
            return _call(name, content=reason) if reason else _call(name)
    return None


def _call(name: str, **values: str) -> str | None:
    parameters = "".join(
        f"<parameter={key}>{value}{_PARAMETER_ENDS}" for key, value in values.items()
    )
    if _parameters(parameters.partition(_FUNCTION_ENDS)[0]) != values or _THOUGHT_ENDS.search(
        parameters
    ):
        return None
    return f"<seed:tool_call><function={name}>{parameters}{_FUNCTION_ENDS}</seed:tool_call>"


def _tagged(at: Point) -> str:
    x, y = pair(at)
    return f"<point>{x} {y}</point>"


DIALECT = of_answers(
    "seed-xml",
    "Seed's XML calls",
    parse,
    write,
    coordinates=("0-1000", "0-999", "0-1", "pixels", "resized:WxH"),
    scrolls=(CONTENT, FINGER),
)
