"""GUI-R1's answers: a Python list of one dictionary between <answer> and </answer>.

    <think>...</think> <answer>[{'action': 'click', 'point': [123, 300],
    'input_text': 'no input text'}]</answer>

Points are pixels of the resized picture, -100 means none. Which way a scroll's word means is not
told; the data set's is taken, which means the content.

Source: guir1/inference/inference_vllm_android.py and guir1/eval/eval_omni.py of ritzz-ai/GUI-R1 at
d43eea2.
"""

from __future__ import annotations

from typing import Any

from episodes import actions as a
from episodes.geometry import Point
from episodes.runs import Unreadable
from replay.dialects import meanings
from replay.dialects.answers import CONTENT, FINGER, Reading, Told, of_answers
from replay.dialects.loose import after_thought, point_of, value_in

NO_TEXT = "no input text"
_OPEN = "<answer>"


def read(value: Any) -> Reading:
    """Returns the first action of an answer, its point in pixels of the resized picture."""
    if isinstance(value, str):
        _, tag, rest = value.rpartition(_OPEN)
        rest = rest if tag else after_thought(value)
        told = value_in(rest, 0 if tag else _opening(rest))
    else:
        told = value
    many = told if isinstance(told, list) else [told]
    first = many[0] if many else None
    if not isinstance(first, dict) or not isinstance(first.get("action"), str):
        return Unreadable("the answer names no action")
    action = _action(first["action"].lower(), first)
    return action if isinstance(action, Unreadable) else Told(action, more=len(many) - 1)


def _opening(text: str) -> int:
    places = [at for sign in "[{" if (at := text.find(sign)) >= 0]
    return min(places, default=0)


def _action(kind: str, told: dict[str, Any]) -> a.Action | Unreadable:
    at = _point(told.get("point"))
    text = told.get("input_text")
    words = text if isinstance(text, str) and text != NO_TEXT else None
    match kind:
        case "click":
            return a.Tap(at) if at is not None else meanings.no_point("tap")
        case "doubleclick" | "double_click":
            return a.DoubleTap(at) if at is not None else meanings.no_point("double_tap")
        case "long_press":
            return a.LongPress(at) if at is not None else meanings.no_point("long_press")
        case "type":
            return a.TypeText(words, at) if words is not None else meanings.no_text("type_text")
        case "scroll":
            return meanings.scroll(words, at)
        case "open_app":
            return a.OpenApp(words) if words is not None else meanings.no_text("open_app")
        case "wait":
            return a.Wait()
        case "complete" | "finish":
            return a.Finish(a.Ending.COMPLETE, words)
        case "impossible":
            return a.Finish(a.Ending.IMPOSSIBLE, words)
        case "enter" | "press_enter" | "press_back" | "press_home" | "press_recent":
            return meanings.key(kind.removeprefix("press_"))
    return meanings.other(kind, told)


def _point(value: Any) -> Point | None:
    at = point_of(value)
    return None if at is None or at.x == -100 or at.y == -100 else at


DIALECT = of_answers(
    "gui-r1",
    "GUI-R1's answers",
    read,
    coordinates=("resized:qwen2.5-vl", "resized:WxH", "pixels", "0-1000", "0-999", "0-1"),
    scrolls=(CONTENT, FINGER),
)
