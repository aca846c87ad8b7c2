"""Kimi's answers: a thought, a sentence below "## Action:" and code below "## Code:".

    ## Action:
    Tap the list.
    ## Code:
    ```python
    pyautogui.click(x=0.374, y=0.621)
    ```

The code is pyautogui's, or `computer.wait` and `computer.terminate`; it is parsed and never run.
Coordinates are fractions. A scroll above 0 moves the content up. A `moveTo` with a `dragTo` after
it is a finger's stroke. The names of `mobile` are read as Aguvis's dialect reads them, because what
is published for Kimi is about computers; no form of its own for phones was found.

Source: mm_agents/kimi/kimi_agent.py of xlang-ai/OSWorld at 5a3de3a.
"""

from __future__ import annotations

from typing import Any

from episodes import actions as a
from episodes.geometry import Direction, Point
from episodes.runs import Unreadable
from replay.dialects import aguvis, vocabulary
from replay.dialects.answers import CONTENT, FINGER, of_answers
from replay.dialects.loose import Call, after_thought, calls_in, micros, number_of
from replay.dialects.parsed import Parsed, ParseResult
from replay.dialects.writing import pair, quoted, seconds

_HEADING = "## Code:"
_PLATFORMS = ("pyautogui.", "computer.", "mobile.")
SCROLL_CLICKS = 5


def parse(value: Any) -> ParseResult:
    """Returns the first action of an answer, its point in fractions.

    Raises:
        Unread: the answer was cut off in its thought.
    """
    if not isinstance(value, str):
        return Unreadable("the answer is not a text")
    answer = after_thought(value, _HEADING)
    _, heading, code = answer.rpartition(_HEADING)
    calls = [
        call for call in calls_in(code if heading else answer) if call.name.startswith(_PLATFORMS)
    ]
    if not calls:
        return Unreadable("there is no call of pyautogui or computer")
    used = 2 if len(calls) > 1 and _is_stroke(calls[0], calls[1]) else 1
    action = _stroke(calls[0], calls[1]) if used == 2 else _action(calls[0])
    return action if isinstance(action, Unreadable) else Parsed(action, more=len(calls) - used)


def _is_stroke(first: Call, second: Call) -> bool:
    return first.name == "pyautogui.moveTo" and second.name == "pyautogui.dragTo"


def _stroke(first: Call, second: Call) -> a.Swipe | Unreadable:
    start, end = aguvis.point_of_call(first), aguvis.point_of_call(second)
    return a.Swipe(start, end) if start and end else vocabulary.no_point("swipe")


def _action(call: Call) -> a.Action | Unreadable:
    match call.name:
        case "pyautogui.scroll" | "pyautogui.vscroll" | "pyautogui.hscroll":
            return _scroll(call)
        case "pyautogui.hotkey" if "keys" not in call.arguments:
            return vocabulary.keys(list(call.arguments.values()))
        case "computer.wait":
            return a.Wait(micros(call.arguments.get("seconds", call.arguments.get("0"))))
        case "computer.terminate":
            return vocabulary.ending(call.text("status", "0"), call.text("answer", "1"))
    return aguvis.action_of(call)


def _scroll(call: Call) -> a.Scroll | Unreadable:
    given = call.arguments
    clicks = number_of(given.get("clicks", given.get("page", given.get("0"))))
    if clicks is None:
        return Unreadable("the scroll has no number of clicks", "scroll")
    x, y = number_of(given.get("x")), number_of(given.get("y"))
    at = Point(x, y) if x is not None and y is not None else None
    if call.name == "pyautogui.hscroll":
        return a.Scroll(Direction.LEFT if clicks < 0 else Direction.RIGHT, at)
    return a.Scroll(Direction.UP if clicks > 0 else Direction.DOWN, at)


def write(action: a.Action, extent: Point) -> str | None:
    """Returns the code of an action below its heading."""
    code = _code(action, extent)
    return None if code is None else f"{_HEADING}\n```python\n{code}\n```"


def _code(action: a.Action, extent: Point) -> str | None:
    match action:
        case a.Swipe(start, end):
            (x, y), (x2, y2) = pair(start), pair(end)
            return f"pyautogui.moveTo(x={x}, y={y})\npyautogui.dragTo(x={x2}, y={y2})"
        case a.Scroll(direction):
            forwards = direction in (Direction.UP, Direction.RIGHT)
            name = "scroll" if direction in (Direction.UP, Direction.DOWN) else "hscroll"
            return f"pyautogui.{name}({SCROLL_CLICKS if forwards else -SCROLL_CLICKS})"
        case a.Wait(duration_us):
            return (
                "computer.wait()"
                if duration_us is None
                else f"computer.wait({seconds(duration_us)})"
            )
        case a.Finish(ending, reason):
            status = "success" if ending is a.Ending.COMPLETE else "failure"
            answer = f", answer={quoted(reason)}" if reason else ""
            return f"computer.terminate(status='{status}'{answer})"
        case a.Answer():
            return None
    return aguvis.write(action, extent)


DIALECT = of_answers(
    "kimi",
    "Kimi's code",
    parse,
    write,
    coordinates=("0-1", "0-1000", "0-999", "pixels"),
    scrolls=(CONTENT, FINGER),
)
