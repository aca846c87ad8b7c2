"""Open-AutoGLM's answers: a thought, and one call of `do` or `finish`.

    <think>the list</think>
    <answer>do(action="Tap", element=[374, 621])</answer>

Points are thousandths, as the original divides them; its instructions say 0 to 999. A swipe is the
finger's, from start to end. A typed text replaces what its field holds. The texts of `Type`,
`Type_Name` and `finish` are everything between the outer quotes, backslashes included, as the
original cuts them out; `Take_over` and `Interact` ask the person and count as answers.

Source: phone_agent/model/client.py, phone_agent/actions/handler.py and phone_agent/config of
zai-org/Open-AutoGLM at 6b18d7b; agents/implementations/autoglm_agent.py of Tongyi-MAI/MobileWorld
at 12ec92a.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from episodes import actions as a
from episodes.geometry import Point
from episodes.runs import Unreadable
from replay.dialects import vocabulary
from replay.dialects.answers import CONTENT, FINGER, of_answers
from replay.dialects.loose import after_thought, calls_in, micros, point_of
from replay.dialects.parsed import Parsed, ParseResult
from replay.dialects.writing import pair, point, seconds, stroke, to_json

_OPEN, _CLOSE = "<answer>", "</answer>"
_BEGINS = re.compile(r"\b(?:do|finish)\s{0,8}\(")
_TYPED = re.compile(
    r"do\s{0,8}\(\s{0,8}action\s{0,8}=\s{0,8}[\"']Type(?:_Name)?[\"']\s{0,8},\s{0,8}text\s{0,8}="
)
_FINISHED = re.compile(r"finish\s{0,8}\(\s{0,8}(?:message\s{0,8}=)?")
_SECONDS = re.compile(r"\s{0,8}([0-9]{1,6}(?:\.[0-9]{1,6})?)")


def parse(value: Any) -> ParseResult:
    """Returns the action of an answer, its points in thousandths.

    Raises:
        Unread: the answer was cut off in its thought.
    """
    if not isinstance(value, str):
        return Unreadable("the answer is not a text")
    answer = after_thought(value, _OPEN)
    _, tag, tagged = answer.partition(_OPEN)
    body, _, after = (tagged if tag else answer).partition(_CLOSE)
    begins = _BEGINS.search(body)
    if begins is None:
        return Unreadable("there is no call of do or finish")
    action = _action(body[begins.start() :].strip())
    return action if isinstance(action, Unreadable) else Parsed(action, more=after.count(_OPEN))


def _action(call: str) -> a.Action | Unreadable:
    if begins := _TYPED.match(call):
        text = _between_quotes(call[begins.end() :])
        return a.TypeText(text, clear=True) if text is not None else vocabulary.no_text("type_text")
    if begins := _FINISHED.match(call):
        message = _between_quotes(call[begins.end() :])
        return a.Finish(a.Ending.COMPLETE, message or None)
    calls = calls_in(call)
    if not calls or calls[0].name != "do":
        return Unreadable("its call has no end")
    return _done(calls[0].text("action", "0") or "", calls[0].arguments)


def _between_quotes(rest: str) -> str | None:
    """Returns the text from a call's first quote to the same quote at the call's end."""
    rest = rest.strip()
    quote = rest[:1]
    end = rest.rstrip(" \n\r\t`").removesuffix(")").rstrip()
    if quote not in ("'", '"') or len(end) < 2 or not end.endswith(quote):
        return None
    return end[1:-1]


def _done(name: str, arguments: Mapping[str, Any]) -> a.Action | Unreadable:
    at = point_of(arguments.get("element"))
    match name.lower().replace("_", " "):
        case "tap":
            return a.Tap(at) if at is not None else vocabulary.no_point("tap")
        case "double tap":
            return a.DoubleTap(at) if at is not None else vocabulary.no_point("double_tap")
        case "long press":
            return a.LongPress(at) if at is not None else vocabulary.no_point("long_press")
        case "swipe" if "direction" not in arguments:
            start, end = point_of(arguments.get("start")), point_of(arguments.get("end"))
            return a.Swipe(start, end) if start and end else vocabulary.no_point("swipe")
        case "swipe":
            return vocabulary.scroll(arguments["direction"], at)
        case "launch":
            app = arguments.get("app")
            return a.OpenApp(app) if isinstance(app, str) else vocabulary.no_text("open_app")
        case "back" | "home" as key:
            return vocabulary.key(key)
        case "wait":
            return a.Wait(_duration(arguments.get("duration")))
        case "take over" | "interact":
            message = arguments.get("message")
            return a.Answer(message if isinstance(message, str) else "")
        case "":
            return Unreadable("it names no action")
    named = {key: value for key, value in arguments.items() if key not in ("action", "0")}
    return vocabulary.unknown(name, named)


def _duration(value: Any) -> int | None:
    """Returns "2 seconds" or a number of seconds in microseconds."""
    if isinstance(value, str):
        found = _SECONDS.match(value)
        return micros(found[1]) if found is not None else None
    return micros(value)


def write(action: a.Action, extent: Point) -> str | None:
    """Returns an answer without a thought."""
    call = _call(action, extent)
    return None if call is None else f"{_OPEN}{call}{_CLOSE}"


def _call(action: a.Action, extent: Point) -> str | None:
    match action:
        case a.Tap():
            return f'do(action="Tap", element={pair(point(action))})'
        case a.DoubleTap():
            return f'do(action="Double Tap", element={pair(point(action))})'
        case a.LongPress():
            return f'do(action="Long Press", element={pair(point(action))})'
        case a.Swipe() | a.Scroll():
            start, end = stroke(action, extent)
            return f'do(action="Swipe", start={pair(start)}, end={pair(end)})'
        case a.TypeText(text) if _CLOSE not in text:
            return f'do(action="Type", text="{text}")'
        case a.OpenApp(app):
            return f'do(action="Launch", app={to_json(app)})'
        case a.PressKey(a.Key.HOME | a.Key.BACK):
            return f'do(action="{action.key.capitalize()}")'
        case a.Wait(duration_us):
            return f'do(action="Wait", duration="{seconds(duration_us)} seconds")'
        case a.Answer(text):
            return f'do(action="Take_over", message={to_json(text)})'
        case a.Finish(a.Ending.COMPLETE, reason) if _CLOSE not in (reason or ""):
            return f'finish(message="{reason or ""}")'
    return None


DIALECT = of_answers(
    "autoglm",
    "Open-AutoGLM's answers",
    parse,
    write,
    coordinates=("0-1000", "0-999", "0-1", "pixels", "resized:WxH"),
    scrolls=(FINGER, CONTENT),
)
