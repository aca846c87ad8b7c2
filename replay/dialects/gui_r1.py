"""GUI-R1's answers: a Python list of one dictionary between <answer> and </answer>.

    <think>...</think> <answer>[{'action': 'click', 'point': [123, 300],
    'input_text': 'no input text'}]</answer>

Points are pixels of the resized picture; -100 means no point. Nothing documents whose direction a
scroll names; the data set's convention is assumed, which is the content's.

Source: guir1/inference/inference_vllm_android.py and guir1/eval/eval_omni.py of ritzz-ai/GUI-R1 at
d43eea2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from episodes import actions as a
from episodes.geometry import Point
from episodes.runs import Unreadable
from replay.dialects import vocabulary
from replay.dialects.answers import CONTENT, FINGER, of_answers
from replay.dialects.loose import after_thought, point_of, value_in
from replay.dialects.parsed import ParseResult, first_of
from replay.dialects.writing import literal, pair, point

NO_TEXT = "no input text"
NOWHERE = (-100, -100)
_OPEN = "<answer>"


def parse(value: Any) -> ParseResult:
    """Returns the first action of an answer, its point in pixels of the resized picture."""
    if isinstance(value, str):
        _, tag, rest = value.rpartition(_OPEN)
        rest = rest if tag else after_thought(value)
        found = value_in(rest, 0 if tag else _opening(rest))
    else:
        found = value
    return first_of(found, _action)


def _opening(text: str) -> int:
    places = [at for sign in "[{" if (at := text.find(sign)) >= 0]
    return min(places, default=0)


def _action(kind: str, fields: Mapping[str, Any]) -> a.Action | Unreadable:
    at = _point(fields.get("point"))
    text = fields.get("input_text")
    words = text if isinstance(text, str) and text != NO_TEXT else None
    match kind:
        case "click":
            return a.Tap(at) if at is not None else vocabulary.no_point("tap")
        case "doubleclick" | "double_click":
            return a.DoubleTap(at) if at is not None else vocabulary.no_point("double_tap")
        case "long_press":
            return a.LongPress(at) if at is not None else vocabulary.no_point("long_press")
        case "type":
            return a.TypeText(words, at) if words is not None else vocabulary.no_text("type_text")
        case "scroll":
            return vocabulary.scroll(words, at)
        case "open_app":
            return a.OpenApp(words) if words is not None else vocabulary.no_text("open_app")
        case "wait":
            return a.Wait()
        case "complete" | "finish":
            return a.Finish(a.Ending.COMPLETE, words)
        case "impossible":
            return a.Finish(a.Ending.IMPOSSIBLE, words)
        case "enter" | "press_enter" | "press_back" | "press_home" | "press_recent":
            return vocabulary.key(kind.removeprefix("press_"))
    return vocabulary.unknown(kind, _named(fields, at, words))


def _named(fields: Mapping[str, Any], at: Point | None, words: str | None) -> dict[str, Any]:
    """Returns the fields of an unlisted action, without placeholders for no point and no text."""
    named = {k: v for k, v in fields.items() if k not in ("action", "point", "input_text")}
    place = {} if at is None else {"point": [at.x, at.y]}
    text = {} if words is None else {"text": words}
    return named | place | text


def _point(value: Any) -> Point | None:
    at = point_of(value)
    return None if at is None or NOWHERE[0] in (at.x, at.y) else at


def write(action: a.Action, extent: Point) -> str | None:
    """Returns GUI-R1's list of one dictionary."""
    at, text = Point(*NOWHERE), NO_TEXT
    match action:
        case a.Tap():
            kind, at = "click", point(action)
        case a.DoubleTap():
            kind, at = "double_click", point(action)
        case a.LongPress():
            kind, at = "long_press", point(action)
        case a.Scroll(direction):
            kind, text = "scroll", direction.value
        case a.TypeText(words) if words != NO_TEXT:
            kind, text = "type", words
        case a.OpenApp(app) if app != NO_TEXT:
            kind, text = "open_app", app
        case a.PressKey(a.Key.HOME | a.Key.BACK):
            kind = f"press_{action.key.value}"
        case a.PressKey(a.Key.RECENTS):
            kind = "press_recent"
        case a.PressKey(a.Key.ENTER):
            kind = "enter"
        case a.Wait():
            kind = "wait"
        case a.Finish(ending, reason):
            kind, text = ending.value, reason or NO_TEXT
        case _:
            return None
    fields = {"action": kind, "point": pair(at), "input_text": text}
    return f"{_OPEN}[{literal(fields)}]</answer>"


DIALECT = of_answers(
    "gui-r1",
    "GUI-R1's answers",
    parse,
    write,
    coordinates=("resized:qwen2.5-vl", "resized:WxH", "pixels", "0-1000", "0-999", "0-1"),
    scrolls=(CONTENT, FINGER),
)
