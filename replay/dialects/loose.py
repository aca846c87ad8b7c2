"""Values and calls as models write them: JSON, Python literals and function calls, never run.

Models leave quotes unescaped, mix both kinds and cut texts off. A quote ends a text only where
what follows it can follow a text; every text is walked through once, sizes and depths are bounded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from episodes.geometry import Point
from episodes.runs import Unreadable

MAX_TEXT = 100_000
MAX_DEPTH = 24
MAX_CALLS = 20
FAR = 1e9

_SPACE = re.compile(r"\s*")
_WORD = re.compile(r"[A-Za-z_][\w.]{0,79}")
_NUMBER = re.compile(
    r"[-+]?(?:[0-9]{1,18}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})(?:[eE][-+]?[0-9]{1,3})?"
)
_AFTER_ITEM = re.compile(r"\s*(?:[,:}\])]|\Z)")
_AFTER_ARGUMENT = re.compile(r"\s*(?:,\s*[A-Za-z_]\w{0,79}\s*=|\)\s*?(?:[\n<#`;]|\Z))")
_AFTER_ITEM_OF_CALL = re.compile(r"\s*(?:,|\)\s*?(?:[\n<#`;]|\Z))")
_AFTER_ANY = re.compile(r"\s*[,)]")
_CALL = re.compile(r"[A-Za-z_][\w.]{0,79}\(")
_MARKS = re.compile(r"<\|?/?(?:box_start|box_end|point|bbox)\|?>")
_THOUGHT_BEGINS, _THOUGHT_ENDS = ("<think>", "<thinking>"), ("</think>", "</thinking>")
_KEYWORDS = {"None": None, "null": None, "True": True, "true": True, "False": False, "false": False}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


class Unread(ValueError):
    """The text has no such value; the message says why."""


@dataclass(frozen=True, slots=True)
class Call:
    """A function call: its name, and its arguments by name or by number ("0", "1", ...).

    Attributes:
        end: where in the text it ends.
    """

    name: str
    arguments: dict[str, Any]
    end: int

    def text(self, *names: str) -> str | None:
        """Returns the first argument of these names that is a text."""
        return next((v for n in names if isinstance(v := self.arguments.get(n), str)), None)

    def point(self, *names: str) -> Point | None:
        """Returns the first argument of these names that is a place."""
        return next((p for n in names if (p := point_of(self.arguments.get(n)))), None)


def after_thought(text: str, *marks: str) -> str:
    """Returns the text after a thought in <think> or <thinking>, or the whole text.

    Args:
        marks: what an answer begins with; one of them is enough where the thought is not closed.

    Raises:
        Unread: the thought has no end and nothing begins an answer; it was cut off.
    """
    ends = [text.rfind(tag) + len(tag) for tag in _THOUGHT_ENDS if tag in text]
    begun = any(tag in text for tag in _THOUGHT_BEGINS)
    if begun and not ends and not any(mark in text for mark in marks):
        raise Unread("its thought has no end")
    return text[max(ends, default=0) :]


def value_in(text: str, start: int = 0) -> Any:
    """Returns the JSON or Python literal a text begins with at a place; what follows is ignored.

    Raises:
        Unread: there is none, or it is too large.
    """
    if len(text) > MAX_TEXT:
        raise Unread(f"{len(text)} characters are more than are read as an answer")
    return _value(text, _skip(text, start), 0)[0]


def object_in(value: Any) -> Any | Unreadable:
    """Returns the value that begins at the first brace of a text; other values as they are."""
    if not isinstance(value, str):
        return value
    begins = value.find("{")
    return value_in(value, begins) if begins >= 0 else Unreadable("it has no JSON object")


def calls_in(text: str) -> list[Call]:
    """Returns the function calls of a text in their order, the first of them.

    What only begins like a call is skipped; in the text of an argument there is none.

    Raises:
        Unread: it is too large.
    """
    if len(text) > MAX_TEXT:
        raise Unread(f"{len(text)} characters are more than are read as an answer")
    found: list[Call] = []
    at, missed = 0, 0
    bearable = MAX_CALLS if len(text) < 20_000 else 5  # each miss may walk to the text's end
    while len(found) < MAX_CALLS and missed < bearable and (begins := _CALL.search(text, at)):
        try:
            call = _call(text, begins)
        except Unread:
            at, missed = begins.end(), missed + 1
            continue
        found.append(call)
        at = call.end
    return found


def point_of(value: Any) -> Point | None:
    """Returns the place in a value: two numbers, or the middle of the box of four."""
    if isinstance(value, str):
        if len(value) > 400:
            return None
        bare = _MARKS.sub(" ", value).translate(_BRACKETS)
        numbers = [_float(part) for part in bare.replace(",", " ").split()]
    elif isinstance(value, list | tuple):
        if len(value) == 1:
            return point_of(value[0])
        numbers = [_plain(part) for part in value]
    else:
        return None
    whole = [number for number in numbers if number is not None]
    if len(whole) != len(numbers) or len(whole) not in (2, 4):
        return None
    if len(whole) == 4:
        return Point((whole[0] + whole[2]) / 2, (whole[1] + whole[3]) / 2)
    return Point(whole[0], whole[1])


def number_of(value: Any) -> float | None:
    """Returns a finite number given as a number or as text."""
    return _float(value.strip()) if isinstance(value, str) else _plain(value)


def micros(value: Any, per_unit: int = 1_000_000) -> int | None:
    """Returns a written duration in microseconds; None if none can be read."""
    number = number_of(value)
    return None if number is None or not 0 <= number < 1e6 else round(number * per_unit)


_BRACKETS = str.maketrans("()[]", "    ")


def _float(text: str) -> float | None:
    return _plain(float(text)) if len(text) <= 60 and _NUMBER.fullmatch(text) else None


def _plain(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if -FAR < value < FAR else None


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found is not None else at


def _value(text: str, at: int, depth: int) -> tuple[Any, int]:
    if depth > MAX_DEPTH:
        raise Unread("it is nested too deeply")
    sign = text[at : at + 1]
    if sign == "{":
        return _object(text, at + 1, depth)
    if sign in ("[", "("):
        return _list(text, at + 1, depth, "]" if sign == "[" else ")")
    if sign in ("'", '"'):
        return _text(text, at, _AFTER_ITEM)
    number = _NUMBER.match(text, at)
    if number is not None:
        return _number(number[0]), number.end()
    word = _WORD.match(text, at)
    if word is not None and word[0] in _KEYWORDS:
        return _KEYWORDS[word[0]], word.end()
    raise Unread(f"“{text[at : at + 40]}” is no value" if sign else "it ends too early")


def _object(text: str, at: int, depth: int) -> tuple[dict[str, Any], int]:
    found: dict[str, Any] = {}
    at = _skip(text, at)
    while text[at : at + 1] != "}":
        key, at = _value(text, at, depth + 1)
        at = _skip(text, at)
        if not isinstance(key, str) or text[at : at + 1] != ":":
            raise Unread(f"“{str(key)[:40]}” is no name of a value")
        value, at = _value(text, _skip(text, at + 1), depth + 1)
        found[key] = value
        at = _next(text, at, "}")
    return found, at + 1


def _list(text: str, at: int, depth: int, close: str) -> tuple[list[Any], int]:
    found: list[Any] = []
    at = _skip(text, at)
    while text[at : at + 1] != close:
        value, at = _value(text, at, depth + 1)
        found.append(value)
        at = _next(text, at, close)
    return found, at + 1


def _next(text: str, at: int, close: str) -> int:
    at = _skip(text, at)
    if text[at : at + 1] == ",":
        return _skip(text, at + 1)
    if text[at : at + 1] != close:
        follows = f"“{text[at : at + 40]}” follows a value"
        raise Unread(follows if at < len(text) else "it ends too early")
    return at


def _number(text: str) -> int | float:
    number = float(text)
    if not -1e300 < number < 1e300:
        raise Unread("a number is too large")
    return int(text) if text.lstrip("+-").isdigit() else number


def _text(text: str, at: int, after: re.Pattern[str]) -> tuple[str, int]:
    """Returns a quoted text and where it ends: at its quote, where that can end it."""
    quote = text[at]
    parts: list[str] = []
    begin = at + 1
    end = begin
    while end < len(text):
        sign = text[end]
        if sign == "\\":
            escaped = text[end + 1 : end + 2]
            parts.append(text[begin:end])
            end += 2
            if escaped == "u" and (code := _unicode(text, end)) is not None:
                parts.append(code)
                end += 4
            elif escaped in ("'", '"', "\\", "/"):
                parts.append(escaped)
            else:
                parts.append(_ESCAPES.get(escaped, "\\" + escaped))
            begin = end
        elif sign == quote and after.match(text, end + 1):
            return _paired("".join([*parts, text[begin:end]])), end + 1
        else:
            end += 1
    raise Unread("a text has no end")


def _unicode(text: str, at: int) -> str | None:
    digits = text[at : at + 4]
    return chr(int(digits, 16)) if re.fullmatch(r"[0-9a-fA-F]{4}", digits) else None


def _paired(text: str) -> str:
    """Returns a text with both halves of each character beyond 16 bits put together."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _call(text: str, begins: re.Match[str]) -> Call:
    arguments: dict[str, Any] = {}
    at = _skip(text, begins.end())
    while text[at : at + 1] != ")":
        named = _NAMED.match(text, at)
        name = named[1] if named is not None else str(len(arguments))
        at = named.end() if named is not None else at
        if text[at : at + 1] in ("'", '"'):
            after = _AFTER_ARGUMENT if named is not None else _AFTER_ITEM_OF_CALL
            try:
                value, at = _text(text, at, after)
            except Unread:
                value, at = _text(text, at, _AFTER_ANY)
        else:
            value, at = _value(text, at, 1)
        arguments.setdefault(name, value)
        if len(arguments) > MAX_CALLS:
            raise Unread("it has too many arguments")
        at = _next(text, at, ")")
    return Call(begins[0][:-1], arguments, at + 1)


_NAMED = re.compile(r"([A-Za-z_]\w{0,79})\s*=\s*")
