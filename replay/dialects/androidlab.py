"""Android Lab's answers, of both its modes, and its traces.

    do(action="Tap", element=[0, 200, 500, 300])      finish(message="done")
    Action: tap(1)

In XML mode elements are boxes in pixels and a text is ended with Enter; with marked pictures they
are numbers on the picture. What comes before the reply's code is passed over. A trace's
`parsed_action` has the numbers looked up, and is preferred; its episode is `trace_id`, its step
`index`. A swipe's direction is the finger's. The original runs the reply as Python; here nothing is
run.

Source: page_executor and templates of THUDM/Android-Lab.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from episodes import actions as a
from episodes.geometry import Point
from episodes.runs import Unreadable
from replay.dialect import Limits, Row
from replay.dialects import layouts, meanings
from replay.dialects.answers import FINGER, Reading, Told, of_answers
from replay.dialects.loose import Call, after_thought, calls_in, point_of

_MARKED = ("tap", "text", "long_press", "swipe", "back", "home", "enter", "wait")
_MARKS = ("<CALLED_FUNCTION>", "<ans>", "<answer>", "```", "Action:")
_NAMES = ("do", "finish", *_MARKED)


def read(value: Any) -> Reading:
    """Returns the first action of a reply or of a trace's parsed action."""
    if isinstance(value, dict):
        return _parsed(value)
    if not isinstance(value, str):
        return Unreadable("the answer is not a text")
    calls = _calls(after_thought(value, *_MARKS))
    if not calls:
        return Unreadable("there is no call of do or finish, nor of a marked picture's")
    call = calls[0]
    if call.name == "finish":
        told: a.Action | Unreadable = _finish(call.text("message", "0"))
    elif call.name == "do":
        told = _done(call.text("action", "0") or "", call.arguments, submit=True)
    else:
        told = _marked(call)
    return told if isinstance(told, Unreadable) else Told(told, more=len(calls) - 1)


def _calls(answer: str) -> list[Call]:
    """Returns the calls behind the first mark that has some behind it, else of the whole answer."""
    for mark in (*_MARKS, ""):
        _, found, rest = answer.partition(mark) if mark else ("", True, answer)
        calls = [call for call in calls_in(rest) if call.name in _NAMES] if found else []
        if calls:
            return calls
    return []


def rows(path: Path, limits: Limits) -> Iterator[Row]:
    """Yields the rows of a trace, or of lines.

    Raises:
        KnownError: the file cannot be read, or is larger than is read.
    """
    for number, told in layouts.told_in(path, limits):
        if isinstance(told, Row):
            yield told
        elif "trace_id" in told:
            yield _of_trace(told, path, number)
        else:
            yield layouts.row_of(told, path, number, layouts.ANSWERS)


def _of_trace(told: dict[str, Any], path: Path, number: int) -> Row:
    where = {"episode": told["trace_id"], "step": told.get("index")}
    response = told.get("current_response", told.get("response"))
    parsed = told.get("parsed_action")
    row = layouts.row_of({**where, "raw": response}, path, number, ("raw",))
    if row.problem or not isinstance(parsed, dict):
        return row
    return Row(row.episode, row.step, row.raw, parsed, file=path.name, line=number)


def _parsed(told: dict[str, Any]) -> Reading:
    given = told.get("kwargs")
    arguments = given if isinstance(given, dict) else {}
    if told.get("operation") == "finish":
        message = arguments.get("message")
        return Told(_finish(message if isinstance(message, str) else None))
    action = told.get("action")
    found = _done(action if isinstance(action, str) else "", arguments, submit=True)
    return found if isinstance(found, Unreadable) else Told(found)


def _finish(message: str | None) -> a.Finish:
    return a.Finish(a.Ending.COMPLETE, message or None)


def _done(name: str, told: dict[str, Any], *, submit: bool) -> a.Action | Unreadable:
    at = point_of(told.get("element", told.get("1")))
    match name.lower():
        case "tap":
            return a.Tap(at) if at is not None else meanings.no_point("tap")
        case "long press":
            return a.LongPress(at) if at is not None else meanings.no_point("long_press")
        case "swipe":
            return meanings.scroll(told.get("direction"), at)
        case "type":
            text = told.get("text")
            if not isinstance(text, str):
                return meanings.no_text("type_text")
            return a.TypeText(text, clear=True, submit=submit)
        case "press back" | "press home" | "press enter" | "back" | "home" | "enter":
            return meanings.key(name.lower().removeprefix("press "))
        case "launch":
            app = told.get("app", told.get("package"))
            return a.OpenApp(app) if isinstance(app, str) else meanings.no_text("open_app")
        case "wait":
            return a.Wait()
    if not name:
        return Unreadable("it names no action")
    return meanings.other(name, told)


def _marked(call: Call) -> a.Action | Unreadable:
    at = _mark(call)
    match call.name:
        case "tap":
            return a.Tap(at) if at is not None else meanings.no_point("tap")
        case "long_press":
            return a.LongPress(at) if at is not None else meanings.no_point("long_press")
        case "swipe":
            told = meanings.scroll(call.text("direction", "1", "0"))
            return told if isinstance(told, Unreadable) else a.Scroll(told.direction, at)
        case "text":
            text = call.text("input_str", "text", "0")
            if text is None:
                return meanings.no_text("type_text")
            return a.TypeText(text, clear=True)
        case "wait":
            return a.Wait()
    return meanings.key(call.name)


def _mark(call: Call) -> Point | a.ElementRef | None:
    told = call.arguments.get("index", call.arguments.get("0"))
    if isinstance(told, int) and not isinstance(told, bool) and 0 <= told < 1_000_000:
        return a.ElementRef(index=told)
    return point_of(told)


DIALECT = of_answers(
    "androidlab",
    "Android Lab's replies and traces",
    read,
    coordinates=("pixels", "0-1", "0-999", "0-1000", "resized:WxH"),
    scrolls=(FINGER,),
    rows=rows,
)
