"""Android Lab's answers, of both its modes, and its traces.

    do(action="Tap", element=[0, 200, 500, 300])      finish(message="done")
    Action: tap(1)

In XML mode elements are boxes in pixels and a text is ended with Enter; with marked pictures they
are numbers on the picture. What comes before the reply's code is ignored. A trace's `parsed_action`
has the numbers looked up, and is preferred; its episode is `trace_id`, its step `index`. A swipe's
direction is the finger's. The original runs the reply as Python; here nothing is run.

Source: page_executor and templates of THUDM/Android-Lab.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from episodes import actions as a
from episodes.geometry import Point
from episodes.runs import Unreadable
from replay.dialect import Limits, Row
from replay.dialects import layouts, vocabulary
from replay.dialects.answers import FINGER, of_answers
from replay.dialects.loose import Call, after_thought, calls_in, point_of
from replay.dialects.parsed import Parsed, ParseResult
from replay.dialects.writing import pair, point, to_json

_MARKED = ("tap", "text", "long_press", "swipe", "back", "home", "enter", "wait")
_MARKS = ("<CALLED_FUNCTION>", "<ans>", "<answer>", "```", "Action:")
_NAMES = ("do", "finish", *_MARKED)


def parse(value: Any) -> ParseResult:
    """Returns the first action of a reply or of a trace's parsed action.

    Raises:
        Unread: the reply was cut off in its thought.
    """
    if isinstance(value, dict):
        return _of_parsed_action(value)
    if not isinstance(value, str):
        return Unreadable("the answer is not a text")
    calls = calls_of(value)
    if not calls:
        return Unreadable("there is no call of do or finish, nor of a marked picture's")
    call = calls[0]
    if call.name == "finish":
        action: a.Action | Unreadable = _finish(call.text("message", "0"))
    elif call.name == "do":
        action = _done(call.text("action", "0") or "", call.arguments)
    else:
        action = _marked(call)
    return action if isinstance(action, Unreadable) else Parsed(action, more=len(calls) - 1)


def calls_of(reply: str) -> list[Call]:
    """Returns the calls after the first mark that has some after it, else of the whole reply.

    Raises:
        Unread: the reply was cut off in its thought.
    """
    answer = after_thought(reply, *_MARKS)
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
    for number, fields in layouts.read_objects(path, limits):
        if isinstance(fields, Row):
            yield fields
        elif "trace_id" in fields:
            yield _of_trace(fields, path, number)
        else:
            yield layouts.row_of(fields, path, number, layouts.ANSWERS)


def _of_trace(fields: Mapping[str, Any], path: Path, number: int) -> Row:
    where = {"episode": fields["trace_id"], "step": fields.get("index")}
    response = fields.get("current_response", fields.get("response"))
    parsed = fields.get("parsed_action")
    row = layouts.row_of({**where, "raw": response}, path, number, ("raw",))
    if row.problem or not isinstance(parsed, dict):
        return row
    return Row(row.episode, row.step, row.raw, parsed, file=path.name, line=number)


def _of_parsed_action(fields: Mapping[str, Any]) -> ParseResult:
    given = fields.get("kwargs")
    arguments = given if isinstance(given, dict) else {}
    if fields.get("operation") == "finish":
        message = arguments.get("message")
        return Parsed(_finish(message if isinstance(message, str) else None))
    name = fields.get("action")
    action = _done(name if isinstance(name, str) else "", arguments)
    return action if isinstance(action, Unreadable) else Parsed(action)


def _finish(message: str | None) -> a.Finish:
    return a.Finish(a.Ending.COMPLETE, message or None)


def _done(name: str, arguments: Mapping[str, Any]) -> a.Action | Unreadable:
    at = point_of(arguments.get("element", arguments.get("1")))
    match name.lower():
        case "tap":
            return a.Tap(at) if at is not None else vocabulary.no_point("tap")
        case "long press":
            return a.LongPress(at) if at is not None else vocabulary.no_point("long_press")
        case "swipe" if "direction" in arguments:
            return vocabulary.scroll(arguments["direction"], at)
        case "type":
            text = arguments.get("text")
            if not isinstance(text, str):
                return vocabulary.no_text("type_text")
            return a.TypeText(text, clear=True, submit=True)
        case "press back" | "press home" | "press enter" | "back" | "home" | "enter":
            return vocabulary.key(name.lower().removeprefix("press "))
        case "launch":
            app = arguments.get("app", arguments.get("package"))
            return a.OpenApp(app) if isinstance(app, str) else vocabulary.no_text("open_app")
        case "wait":
            return a.Wait()
    if not name:
        return Unreadable("it names no action")
    named = {key: value for key, value in arguments.items() if key not in ("action", "0")}
    return vocabulary.unknown(name, named)


def _marked(call: Call) -> a.Action | Unreadable:
    at = _mark(call)
    match call.name:
        case "tap":
            return a.Tap(at) if at is not None else vocabulary.no_point("tap")
        case "long_press":
            return a.LongPress(at) if at is not None else vocabulary.no_point("long_press")
        case "swipe":
            return vocabulary.scroll(call.text("direction", "1", "0"), at)
        case "text":
            text = call.text("input_str", "text", "0")
            if text is None:
                return vocabulary.no_text("type_text")
            return a.TypeText(text, clear=True)
        case "wait":
            return a.Wait()
    return vocabulary.key(call.name)


def _mark(call: Call) -> Point | a.ElementRef | None:
    mark = call.arguments.get("index", call.arguments.get("0"))
    if isinstance(mark, int) and not isinstance(mark, bool) and 0 <= mark < 1_000_000:
        return a.ElementRef(index=mark)
    return point_of(mark)


def write(action: a.Action, extent: Point) -> str | None:
    """Returns a reply of XML mode."""
    match action:
        case a.Tap():
            return f'do(action="Tap", element={pair(point(action))})'
        case a.LongPress():
            return f'do(action="Long Press", element={pair(point(action))})'
        case a.Scroll(direction, at):
            element = f", element={pair(at)}" if isinstance(at, Point) else ""
            return f'do(action="Swipe"{element}, direction="{direction.value}")'
        case a.TypeText(text):
            return f'do(action="Type", text={to_json(text)})'
        case a.PressKey(a.Key.HOME | a.Key.BACK | a.Key.ENTER):
            return f'do(action="Press {action.key.capitalize()}")'
        case a.OpenApp(app):
            return f'do(action="Launch", app={to_json(app)})'
        case a.Wait():
            return 'do(action="Wait")'
        case a.Finish(a.Ending.COMPLETE, reason):
            return f"finish(message={to_json(reason or '')})"
    return None


DIALECT = of_answers(
    "androidlab",
    "Android Lab's replies and traces",
    parse,
    write,
    coordinates=("pixels", "0-1", "0-999", "0-1000", "resized:WxH"),
    scrolls=(FINGER,),
    rows=rows,
)
