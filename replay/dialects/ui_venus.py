"""UI-Venus's answers: one call between <action> and </action>.

    <think>...</think>
    <action>Click(box=(540,1200))</action>
    <conclusion>...</conclusion>

After the thought, the first action counts. Version 1.0 writes pixels of the resized picture, 1.5
thousandths. A scroll is a finger's stroke from start to end; if it has only a direction, that is
the content's.

Calls are read as the original's parser reads them. A call fills the whole action. Commas outside
quotes and brackets separate its parameters. A value loses the single quotes around it and then its
blanks; backslashes stay, so `\\n` in a text is two characters. The original stops at names it does
not list; here they are looked up in the shared vocabulary.

Source: models/navigation/utils.py of inclusionAI/UI-Venus at c3a1442; the limits of 1.0's picture
are those of its script for the 7B model, the 72B model's are "resized:qwen2.5-vl".
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
from replay.dialects.loose import FAR, Unread, after_thought, calls_in
from replay.dialects.parsed import Parsed, ParseResult
from replay.dialects.writing import plain_number, point

_OPEN, _CLOSE = "<action>", "</action>"
_CALL = re.compile(r"(\w{1,80})\((.*)\)", re.DOTALL)
_POINT_WITHOUT_BLANKS = re.compile(r"\(([\d.]{1,40}),([\d.]{1,40})\)")
_POINT = re.compile(r"\(\s{0,40}([\d.]{1,40})\s{0,40},\s{0,40}([\d.]{1,40})\s{0,40}\)")
_KEYS = {
    "PressBack": a.Key.BACK,
    "PressHome": a.Key.HOME,
    "PressEnter": a.Key.ENTER,
    "PressRecent": a.Key.RECENTS,
}

Parameters: TypeAlias = Mapping[str, str | None]


def parse(value: Any) -> ParseResult:
    """Returns the first action of an answer.

    Raises:
        Unread: the answer was cut off in its thought, or a point has no numbers.
    """
    if not isinstance(value, str):
        return Unreadable("the answer is not a text")
    answer = after_thought(value, _OPEN)
    _, tag, rest = answer.partition(_OPEN)
    first, _, after = rest.partition(_CLOSE)
    call = _CALL.fullmatch((first if tag else answer).strip())
    if call is None:
        return Unreadable("there is no call" + (" in its action" if tag else ""))
    action = _action(call[1], parameters(call[2].strip()))
    if isinstance(action, a.Other):
        calls = calls_in(call[0])
        action = vocabulary.unknown(call[1], calls[0].arguments if calls else {})
    return action if isinstance(action, Unreadable) else Parsed(action, more=after.count(_OPEN))


def parameters(text: str) -> Parameters:
    """Returns the parameters of a call by name; one without a name is a name without a value."""
    found: dict[str, str | None] = {}
    for part in _parts(text):
        name, equals, value = part.partition("=")
        found[name.strip()] = value.strip("'").strip() if equals else None
    return found


def _parts(text: str) -> list[str]:
    """Splits at the commas outside quotes and round brackets."""
    parts, begin, depth, quote = [], 0, 0, ""
    for at, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        elif sign in "()":
            depth += 1 if sign == "(" else -1
        elif sign == "," and depth == 0:
            parts.append(text[begin:at].strip())
            begin = at + 1
    last = text[begin:].strip()
    return [*parts, last] if last else parts


def _point(value: str | None) -> Point | None:
    if not value:
        return None
    found = _POINT_WITHOUT_BLANKS.match(value.replace(" ", "")) or _POINT.match(value)
    if found is None:
        return None
    try:
        x, y = float(found[1]), float(found[2])
    except ValueError as error:
        raise Unread(f"“{found[0][:60]}” is not a point") from error
    return Point(x, y) if x < FAR and y < FAR else None


def _action(name: str, given: Parameters) -> a.Action | Unreadable:
    content = given.get("content")
    match name:
        case "Click":
            at = _point(given.get("box", given.get("point")))
            return a.Tap(at) if at is not None else vocabulary.no_point("tap")
        case "LongPress":
            at = _point(given.get("box"))
            return a.LongPress(at) if at is not None else vocabulary.no_point("long_press")
        case "Drag" | "Scroll":
            start, end = _point(given.get("start")), _point(given.get("end"))
            if start is not None and end is not None:
                return a.Swipe(start, end)
            if name == "Scroll" and "direction" in given:
                return vocabulary.scroll(given["direction"])
            return vocabulary.no_point("swipe")
        case "Type":
            return a.TypeText(content) if content is not None else vocabulary.no_text("type_text")
        case "Launch":
            app = given.get("app", "")
            if app is None:
                return vocabulary.no_text("open_app")
            return a.OpenApp(app or given.get("url") or "")
        case "Wait":
            return a.Wait()
        case "Finished":
            return a.Finish(a.Ending.COMPLETE, content or None)
        case "CallUser":
            return a.Answer(content) if content is not None else vocabulary.no_text("answer")
        case _ if name in _KEYS:
            return a.PressKey(_KEYS[name])
    return a.Other(name)


def write(action: a.Action, extent: Point) -> str | None:
    """Returns an answer; None also for a text that the original's parser would change."""
    call = _call(action)
    return None if call is None else f"{_OPEN}{call}{_CLOSE}"


def _call(action: a.Action) -> str | None:
    match action:
        case a.Tap():
            return f"Click(box={_pair(point(action))})"
        case a.LongPress():
            return f"LongPress(box={_pair(point(action))})"
        case a.Swipe(start, end):
            return f"Drag(start={_pair(start)}, end={_pair(end)})"
        case a.Scroll(direction):
            return f"Scroll(direction='{direction.value}')"
        case a.TypeText(text):
            return _with_text("Type", "content", text)
        case a.OpenApp(app):
            return _with_text("Launch", "app", app)
        case a.Answer(text):
            return _with_text("CallUser", "content", text)
        case a.PressKey(key) if key in _KEYS.values():
            return f"Press{'Recent' if key is a.Key.RECENTS else key.value.capitalize()}()"
        case a.Wait():
            return "Wait()"
        case a.Finish(a.Ending.COMPLETE, reason):
            return _with_text("Finished", "content", reason or "")
    return None


def _with_text(name: str, parameter: str, text: str) -> str | None:
    written = f"{parameter}='{text}'"
    kept = parameters(written) == {parameter: text} and _CLOSE not in text
    return f"{name}({written})" if kept else None


def _pair(at: Point) -> str:
    return f"({plain_number(at.x)},{plain_number(at.y)})"


V1_0 = of_answers(
    "ui-venus-1.0",
    "UI-Venus 1.0's answers",
    parse,
    write,
    coordinates=("resized:ui-venus-1.0", "resized:WxH", "pixels", "0-1000", "0-999", "0-1"),
    scrolls=(CONTENT, FINGER),
)
V1_5 = of_answers(
    "ui-venus-1.5",
    "UI-Venus 1.5's answers",
    parse,
    write,
    coordinates=("0-1000", "0-999", "0-1", "pixels", "resized:WxH"),
    scrolls=(CONTENT, FINGER),
)
