"""UI-Venus's answers: one call between <action> and </action>.

    <think>...</think>
    <action>Click(box=(540,1200))</action>
    <conclusion>...</conclusion>

After the thought, the first action counts. Version 1.0 speaks of pixels of the resized picture, 1.5
of thousandths. A scroll is a finger's stroke from start to end; where it has only a direction, that
is the content's.

Source: models/navigation/utils.py of inclusionAI/UI-Venus at c3a1442; the limits of 1.0's picture
are those of its script for the 7B model, the 72B model's are "resized:qwen2.5-vl".
"""

from __future__ import annotations

from typing import Any

from episodes import actions as a
from episodes.runs import Unreadable
from replay.dialects import meanings
from replay.dialects.answers import CONTENT, FINGER, Reading, Told, of_answers
from replay.dialects.loose import Call, after_thought, calls_in

_OPEN, _CLOSE = "<action>", "</action>"


def read(value: Any) -> Reading:
    """Returns the first action of an answer.

    Raises:
        Unread: it was cut off in its thought.
    """
    if not isinstance(value, str):
        return Unreadable("the answer is not a text")
    answer = after_thought(value, _OPEN)
    _, tag, rest = answer.partition(_OPEN)
    first, _, after = rest.partition(_CLOSE)
    calls = calls_in(first if tag else answer)
    if not calls:
        return Unreadable("there is no call" + (" in its action" if tag else ""))
    action = _action(calls[0])
    more = len(calls) - 1 + after.count(_OPEN)
    return action if isinstance(action, Unreadable) else Told(action, more=more)


def _action(call: Call) -> a.Action | Unreadable:
    match call.name:
        case "Click":
            at = call.point("box", "point", "0")
            return a.Tap(at) if at is not None else meanings.no_point("tap")
        case "DoubleClick":
            at = call.point("box", "point", "0")
            return a.DoubleTap(at) if at is not None else meanings.no_point("double_tap")
        case "LongPress":
            at = call.point("box", "point", "0")
            return a.LongPress(at) if at is not None else meanings.no_point("long_press")
        case "Drag" | "Scroll":
            start, end = call.point("start", "0"), call.point("end", "1")
            if start is not None and end is not None:
                return a.Swipe(start, end)
            if call.name == "Scroll" and "direction" in call.arguments:
                return meanings.scroll(call.arguments["direction"], start)
            return meanings.no_point("swipe")
        case "Type":
            text = call.text("content", "0")
            return a.TypeText(text) if text is not None else meanings.no_text("type_text")
        case "Launch" | "LaunchApp":
            app = call.text("app", "url", "0")
            return a.OpenApp(app) if app is not None else meanings.no_text("open_app")
        case "Wait":
            return a.Wait()
        case "Finished":
            return a.Finish(a.Ending.COMPLETE, call.text("content", "0") or None)
        case "CallUser":
            text = call.text("content", "0")
            return a.Answer(text) if text is not None else meanings.no_text("answer")
        case "PressBack" | "PressHome" | "PressEnter" | "PressRecent":
            return meanings.key(call.name.removeprefix("Press"))
    return meanings.other(call.name, call.arguments)


V1_0 = of_answers(
    "ui-venus-1.0",
    "UI-Venus 1.0's answers",
    read,
    coordinates=("resized:ui-venus-1.0", "resized:WxH", "pixels", "0-1000", "0-999", "0-1"),
    scrolls=(CONTENT, FINGER),
)
V1_5 = of_answers(
    "ui-venus-1.5",
    "UI-Venus 1.5's answers",
    read,
    coordinates=("0-1000", "0-999", "0-1", "pixels", "resized:WxH"),
    scrolls=(CONTENT, FINGER),
)
