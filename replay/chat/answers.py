"""Actions in the words of a model's family: the other way of reading its dialect.

A writer gets an action whose points are numbers of the declared space and whose scroll's direction
is told as the family tells it; it returns the text, or None where the family has no words for it.
Each text is read by the dialect again when it is written, so that what it loses is counted.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from episodes import actions as a
from episodes.formats.guiodyssey_tests import answer_of as guiodyssey_answer
from episodes.geometry import Direction, Point, Size
from episodes.runs import Unreadable
from episodes.steps import Step
from replay.coordinates import extent, finger
from replay.dialect import Declared, Row
from replay.dialects import DIALECTS

Say = Callable[[a.Action, Point], str | None]

LONG_PRESS_MS = 1000
FRACTION_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Answer:
    """An action in words.

    Attributes:
        exact: whether its dialect reads the same action out of them, but for rounded points.
    """

    text: str
    exact: bool


def answer_of(
    action: a.Action, frame: Size | None, picture: Size | None, dialect: str, declared: Declared
) -> Answer | None:
    """Returns an action in a dialect's words; None where it has no words for it, or no place.

    Args:
        frame: whose pixels the action's points are.
        picture: the one the model is shown, of that frame.
        dialect: one of `WRITERS`.
        declared: with nothing left out, as `Dialect.declared` returns it.

    Raises:
        KnownError: the declared space does not fit the picture.
    """
    told = action
    if frame is not None and picture is not None:
        far = extent(declared.coordinates, picture) or (picture.width, picture.height)
        told = _in_space(action, frame, Point(*far), whole=declared.coordinates != "0-1")
        limit = Point(*far)
    elif a.place(action) is not None or isinstance(action, a.Swipe):
        return None
    else:
        limit = Point(1000, 1000)
    if isinstance(told, a.Swipe) and isinstance(action, a.Swipe) and dialect in _BY_WORD:
        told = a.Scroll(action.direction, told.start)
    if declared.scroll == "content":
        told = finger(told)
    if isinstance(told, a.Tap | a.LongPress | a.DoubleTap) and a.place(told) is None:
        return None
    text = WRITERS[dialect](told, limit)
    if text is None:
        return None
    size = picture or Size(1000, 1000)
    read = DIALECTS[dialect].action(Row("", 0, text, text), size, declared)
    return Answer(text, not isinstance(read, Unreadable) and _alike(action, read))


def own_answer(step: Step, dialect: str, declared: Declared) -> Answer | None:
    """Returns the answer a data set's own numbers make, in its own dialect; None for any other.

    So numbers come out as they went in, and a scroll goes where the data set's rule says.
    """
    native = step.native
    own = DIALECTS[dialect]
    said = (declared.coordinates, declared.scroll)
    if native is None or native.space != dialect or said != (own.coordinates[0], own.scrolls[0]):
        return None
    told = native.value
    if not isinstance(told, dict):
        return None
    if dialect == "guiodyssey":
        text = guiodyssey_answer(told.get("action"), told.get("info"))
        return None if text is None else Answer(text, not isinstance(step.action, a.Swipe))
    return Answer(native.text, True) if dialect == "androidcontrol" else None


def _alike(one: a.Action, other: a.Action) -> bool:
    """Says whether a dialect kept everything but a point's rounding."""
    match one, other:
        case a.Swipe(), a.Scroll():
            return False
        case a.Finish(ending, reason), a.Finish(again, _):
            return ending is again and not reason
        case a.TypeText(), a.TypeText():
            return (one.text, one.submit, one.clear) == (other.text, other.submit, other.clear)
        case a.Scroll(direction, None), a.Scroll(again, _):
            return direction is again
        case a.Scroll(), a.Scroll():
            return False
        case ((a.PressKey() | a.OpenApp() | a.Answer()), _):
            return one == other
    return type(one) is type(other)


def _in_space(action: a.Action, frame: Size, far: Point, *, whole: bool) -> a.Action:
    def to(at: Point) -> Point:
        x, y = at.x / frame.width * far.x, at.y / frame.height * far.y
        if not (math.isfinite(x) and math.isfinite(y)):
            return Point(0, 0)
        return Point(round(x), round(y)) if whole else Point(_fraction(x), _fraction(y))

    at = a.place(action)
    match action:
        case a.Tap() if at is not None:
            return a.Tap(to(at))
        case a.DoubleTap() if at is not None:
            return a.DoubleTap(to(at))
        case a.LongPress() if at is not None:
            return a.LongPress(to(at), action.duration_us)
        case a.Swipe(start, end):
            return a.Swipe(to(start), to(end))
        case a.Scroll(direction, Point() as place):
            return a.Scroll(direction, to(place))
    return action


def _fraction(number: float) -> float:
    return round(number, FRACTION_DIGITS)


def _pair(at: Point) -> list[int | float]:
    return [_plain(at.x), _plain(at.y)]


def _plain(number: float) -> int | float:
    return int(number) if float(number).is_integer() and abs(number) > 1 else number


def _quoted(text: str) -> str:
    """A text in single quotes, as Python and the families' own calls write it."""
    for sign, escaped in (("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n"), ("\t", "\\t")):
        text = text.replace(sign, escaped)
    return f"'{text}'"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _point(action: a.Tap | a.DoubleTap | a.LongPress) -> Point:
    at = a.place(action)
    return at if at is not None else Point(0, 0)


def _stroke(action: a.Swipe | a.Scroll, far: Point) -> tuple[Point, Point]:
    """Where a finger goes; a scroll of which only the direction is known goes over 0.3."""
    if isinstance(action, a.Swipe):
        return action.start, action.end
    x, y, across, down = far.x / 2, far.y / 2, 0.15 * far.x, 0.15 * far.y
    ends = {
        Direction.UP: (Point(x, y + down), Point(x, y - down)),
        Direction.DOWN: (Point(x, y - down), Point(x, y + down)),
        Direction.LEFT: (Point(x + across, y), Point(x - across, y)),
        Direction.RIGHT: (Point(x - across, y), Point(x + across, y)),
    }
    start, end = ends[action.direction]
    if far.x <= 1:
        return start, end
    return Point(round(start.x), round(start.y)), Point(round(end.x), round(end.y))


def guiodyssey(action: a.Action, far: Point) -> str | None:
    """GUIOdyssey's words; scrolls by the finger."""
    match action:
        case a.Tap() | a.LongPress():
            word = "CLICK" if isinstance(action, a.Tap) else "LONG_PRESS"
            x, y = _pair(_point(action))
            return f"{word}: ({x}, {y})"
        case a.Scroll(direction):
            return f"SCROLL: {direction.upper()}"
        case a.TypeText(text):
            return f"TYPE: {text}"
        case a.PressKey(a.Key.HOME | a.Key.BACK):
            return f"PRESS_{action.key.upper()}"
        case a.PressKey(a.Key.RECENTS):
            return "PRESS_RECENT"
        case a.Finish(ending):
            return ending.upper()
    return None


def os_atlas(action: a.Action, far: Point) -> str | None:
    """OS-Atlas's words."""
    told = _os_atlas(action)
    return None if told is None else f"actions:\n{told}"


def _os_atlas(action: a.Action) -> str | None:
    match action:
        case a.Tap() | a.LongPress():
            word = "CLICK" if isinstance(action, a.Tap) else "LONG_PRESS"
            x, y = _pair(_point(action))
            return f"{word} <point>[[{x},{y}]]</point>"
        case a.Scroll(direction):
            return f"SCROLL [{direction.upper()}]"
        case a.TypeText(text):
            return f"TYPE [{text}]"
        case a.OpenApp(app):
            return f"OPEN_APP [{app}]"
        case a.PressKey(a.Key.HOME | a.Key.BACK):
            return f"PRESS_{action.key.upper()}"
        case a.PressKey(a.Key.RECENTS):
            return "PRESS_RECENT"
        case a.PressKey(a.Key.ENTER):
            return "ENTER"
        case a.Wait():
            return "WAIT"
        case a.Finish(ending):
            return ending.upper()
    return None


def agentcpm(action: a.Action, far: Point) -> str | None:
    """AgentCPM-GUI's object; scrolls by the finger."""
    match action:
        case a.Tap():
            told: dict[str, Any] = {"POINT": _pair(_point(action))}
        case a.LongPress():
            told = {"POINT": _pair(_point(action)), "duration": LONG_PRESS_MS}
        case a.Scroll(direction, at):
            start = at if isinstance(at, Point) else _stroke(action, far)[0]
            told = {"POINT": _pair(start), "to": direction.value}
        case a.TypeText(text):
            told = {"TYPE": text}
        case a.PressKey(a.Key.HOME | a.Key.BACK | a.Key.ENTER):
            told = {"PRESS": action.key.upper()}
        case a.Wait():
            told = {"duration": (action.duration_us or 1_000_000) // 1000}
        case a.Finish(ending):
            told = {"STATUS": "finish" if ending is a.Ending.COMPLETE else "impossible"}
        case _:
            return None
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def ui_tars(action: a.Action, far: Point, *, tokens: bool) -> str | None:
    """UI-TARS's call.

    Args:
        tokens: whether points stand between version 1.0's tokens.
    """
    told = _ui_tars(action, ("<|box_start|>", "<|box_end|>") if tokens else ("", ""))
    return None if told is None else f"Action: {told}"


def _ui_tars(action: a.Action, marks: tuple[str, str]) -> str | None:
    def box(at: Point) -> str:
        x, y = _pair(at)
        return f"'{marks[0]}({x},{y}){marks[1]}'"

    match action:
        case a.Tap():
            return f"click(start_box={box(_point(action))})"
        case a.DoubleTap():
            return f"left_double(start_box={box(_point(action))})"
        case a.LongPress():
            return f"long_press(start_box={box(_point(action))})"
        case a.Swipe(start, end):
            return f"drag(start_box={box(start)}, end_box={box(end)})"
        case a.Scroll(direction):
            return f"scroll(direction='{direction.value}')"
        case a.TypeText(text, submit=submit):
            ended = text + "\n" if submit else text
            return f"type(content={_quoted(ended)})"
        case a.OpenApp(app):
            return f"open_app(app_name={_quoted(app)})"
        case a.PressKey(a.Key.HOME | a.Key.BACK):
            return f"press_{action.key.value}()"
        case a.PressKey(a.Key.ENTER):
            return "hotkey(key='enter')"
        case a.Wait():
            return "wait()"
        case a.Finish(a.Ending.COMPLETE):
            return "finished()"
        case a.Finish(a.Ending.IMPOSSIBLE):
            return "call_user()"
    return None


def tool_call(action: a.Action, far: Point) -> str | None:
    """A call of the tool `mobile_use`, as Qwen's families write it."""
    told = _arguments(action, far)
    if told is None:
        return None
    called = _json({"name": "mobile_use", "arguments": told})
    return f"<tool_call>\n{called}\n</tool_call>"


def _arguments(action: a.Action, far: Point) -> dict[str, Any] | None:
    match action:
        case a.Tap():
            return {"action": "click", "coordinate": _pair(_point(action))}
        case a.LongPress(duration_us=held):
            seconds = round((held or LONG_PRESS_MS * 1000) / 1_000_000, 3)
            return {"action": "long_press", "coordinate": _pair(_point(action)), "time": seconds}
        case a.Swipe() | a.Scroll():
            start, end = _stroke(action, far)
            return {"action": "swipe", "coordinate": _pair(start), "coordinate2": _pair(end)}
        case a.TypeText(text):
            return {"action": "type", "text": text}
        case a.PressKey(a.Key.HOME | a.Key.BACK | a.Key.ENTER | a.Key.MENU):
            return {"action": "system_button", "button": action.key.capitalize()}
        case a.OpenApp(app):
            return {"action": "open", "text": app}
        case a.Wait(duration_us):
            return {"action": "wait", "time": round((duration_us or 1_000_000) / 1_000_000, 3)}
        case a.Answer(text):
            return {"action": "answer", "text": text}
        case a.Finish(ending):
            status = "success" if ending is a.Ending.COMPLETE else "failure"
            return {"action": "terminate", "status": status}
    return None


def aguvis(action: a.Action, far: Point) -> str | None:
    """Aguvis's line of code."""
    match action:
        case a.Tap() | a.LongPress():
            word = "pyautogui.click" if isinstance(action, a.Tap) else "mobile.long_press"
            x, y = _pair(_point(action))
            return f"{word}(x={x}, y={y})"
        case a.DoubleTap():
            x, y = _pair(_point(action))
            return f"pyautogui.doubleClick(x={x}, y={y})"
        case a.Swipe(start, end):
            return f"mobile.swipe(from_coord={_pair(start)}, to_coord={_pair(end)})"
        case a.Scroll(Direction.UP | Direction.DOWN as way):
            return f"pyautogui.scroll(page={0.5 if way is Direction.UP else -0.5})"
        case a.Scroll(way):
            return f"pyautogui.hscroll(page={-0.5 if way is Direction.LEFT else 0.5})"
        case a.TypeText(text):
            return f"pyautogui.write(message={_quoted(text)})"
        case a.PressKey(a.Key.HOME | a.Key.BACK):
            return f"mobile.{action.key.value}()"
        case a.PressKey(a.Key.ENTER):
            return "pyautogui.press(keys=['enter'])"
        case a.OpenApp(app):
            return f"mobile.open_app(app_name={_quoted(app)})"
        case a.Wait(duration_us):
            return f"mobile.wait(seconds={round((duration_us or 1_000_000) / 1_000_000, 3)})"
        case a.Answer(text):
            return f"answer(text={_quoted(text)})"
        case a.Finish(ending):
            done = "success" if ending is a.Ending.COMPLETE else "infeasible"
            return f"mobile.terminate(status='{done}')"
    return None


def androidcontrol(action: a.Action, far: Point) -> str | None:
    """AndroidControl's JSON, with AndroidWorld's kinds for what it lacks."""
    match action:
        case a.Tap() | a.LongPress() | a.DoubleTap():
            kinds = {a.Tap: "click", a.LongPress: "long_press", a.DoubleTap: "double_tap"}
            x, y = _pair(_point(action))
            told: dict[str, Any] = {"action_type": kinds[type(action)], "x": x, "y": y}
        case a.Scroll(direction):
            told = {"action_type": "scroll", "direction": direction.value}
        case a.TypeText(text):
            told = {"action_type": "input_text", "text": text}
        case a.PressKey(a.Key.HOME | a.Key.BACK):
            told = {"action_type": f"navigate_{action.key.value}"}
        case a.PressKey(a.Key.ENTER):
            told = {"action_type": "keyboard_enter"}
        case a.OpenApp(app):
            told = {"action_type": "open_app", "app_name": app}
        case a.Wait():
            told = {"action_type": "wait"}
        case a.Answer(text):
            told = {"action_type": "answer", "text": text}
        case a.Finish(ending):
            done = "complete" if ending is a.Ending.COMPLETE else "infeasible"
            told = {"action_type": "status", "goal_status": done}
        case _:
            return None
    return _json(told)


WRITERS: dict[str, Say] = {
    "guiodyssey": guiodyssey,
    "agentcpm": agentcpm,
    "ui-tars-1.0": lambda action, far: ui_tars(action, far, tokens=True),
    "ui-tars-1.5": lambda action, far: ui_tars(action, far, tokens=False),
    "os-atlas": os_atlas,
    "qwen25vl": tool_call,
    "qwen3vl": tool_call,
    "infigui-r1": tool_call,
    "gui-owl": tool_call,
    "gui-owl-1.5": tool_call,
    "aguvis": aguvis,
    "androidcontrol": androidcontrol,
}
"""Dialects in which answers can be written."""
_BY_WORD = ("guiodyssey", "agentcpm", "os-atlas", "androidcontrol")
"""Those that tell a stroke by its direction alone."""
