"""OS-Atlas's answers: thoughts, and after "actions:" a command in capitals.

    thoughts:
    click the search field
    actions:
    CLICK <point>[[950,87]]</point>

Points are thousandths. Nothing documents whose direction a scroll names; the evaluator for
AndroidControl compares it with a data set that means the content. A colon after the command is
ignored, as the evaluator for GUIOdyssey does.

Source: evaluation_unify.py of eval/eval_scripts/android_control and eval/eval_scripts/odyssey,
OS-Copilot/OS-Atlas at bad0840.
"""

from __future__ import annotations

import re
from typing import Any

from episodes import actions as a
from episodes.geometry import Point
from episodes.runs import Unreadable
from replay.dialects import vocabulary
from replay.dialects.answers import CONTENT, FINGER, of_answers
from replay.dialects.loose import point_of
from replay.dialects.parsed import Parsed, ParseResult
from replay.dialects.writing import pair, point

_COMMAND = re.compile(r"([A-Z]{2}[A-Z_]{0,38})(?::|\b)(.{0,400})")
_WORDS: dict[str, a.Action] = {
    "PRESS_BACK": a.PressKey(a.Key.BACK),
    "PRESS_HOME": a.PressKey(a.Key.HOME),
    "PRESS_RECENT": a.PressKey(a.Key.RECENTS),
    "PRESS_ENTER": a.PressKey(a.Key.ENTER),
    "ENTER": a.PressKey(a.Key.ENTER),
    "WAIT": a.Wait(),
    "COMPLETE": a.Finish(a.Ending.COMPLETE),
    "IMPOSSIBLE": a.Finish(a.Ending.IMPOSSIBLE),
}
_VERBS = ("CLICK", "LONG_PRESS", "TYPE", "SCROLL", "OPEN_APP", *_WORDS)


def parse(value: Any) -> ParseResult:
    """Returns the first action of an answer, its point in thousandths."""
    if not isinstance(value, str):
        return Unreadable("the answer is not a text")
    body = value.replace("<|im_end|>", "")
    at = max(body.rfind("actions:"), body.rfind("Actions:"), body.rfind("ACTIONS:"))
    lines = [line.strip() for line in body[at + len("actions:") if at >= 0 else 0 :].splitlines()]
    commands = [number for number, line in enumerate(lines) if _verb(line)]
    if not commands and at >= 0 and (other := _other(lines)):
        return Parsed(other)
    if not commands:
        return Unreadable("there is no command" + (" after “actions:”" if at >= 0 else ""))
    first = lines[commands[0]]
    verb = _verb(first)
    if verb in ("TYPE", "OPEN_APP") and not first.endswith("]"):
        first = "\n".join(lines[commands[0] :]).rstrip()
        commands = commands[:1]
    action = _action(verb, first[len(verb) :].removeprefix(":").strip())
    return action if isinstance(action, Unreadable) else Parsed(action, more=len(commands) - 1)


def _verb(line: str) -> str:
    word = line.split(None, 1)[0].split("[", 1)[0].split("<", 1)[0] if line else ""
    word = word.removesuffix(":")
    return word if word in _VERBS else ""


def _other(lines: list[str]) -> a.Other | None:
    """Returns the command of the first line, if it is one in capitals that is not listed."""
    found = _COMMAND.match(next((line for line in lines if line), ""))
    if found is None:
        return None
    return vocabulary.unknown(found[1], {"0": _bracketed(found[2].strip())})


def _action(verb: str, rest: str) -> a.Action | Unreadable:
    match verb:
        case "CLICK" | "LONG_PRESS":
            kind = "tap" if verb == "CLICK" else "long_press"
            at = point_of(rest)
            if at is None:
                return vocabulary.no_point(kind)
            return a.Tap(at) if verb == "CLICK" else a.LongPress(at)
        case "SCROLL":
            return vocabulary.scroll(_bracketed(rest))
        case "TYPE":
            return a.TypeText(_bracketed(rest))
        case "OPEN_APP":
            return a.OpenApp(_bracketed(rest))
    return _WORDS[verb]


def _bracketed(text: str) -> str:
    return text.removeprefix("[").removesuffix("]")


def write(action: a.Action, extent: Point) -> str | None:
    """Returns OS-Atlas's command below "actions:"."""
    command = _command(action)
    return None if command is None else f"actions:\n{command}"


def _command(action: a.Action) -> str | None:
    match action:
        case a.Tap() | a.LongPress():
            verb = "CLICK" if isinstance(action, a.Tap) else "LONG_PRESS"
            x, y = pair(point(action))
            return f"{verb} <point>[[{x},{y}]]</point>"
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


DIALECT = of_answers(
    "os-atlas",
    "OS-Atlas's answers",
    parse,
    write,
    coordinates=("0-1000", "0-999", "0-1", "pixels"),
    scrolls=(CONTENT, FINGER),
    form="os-atlas",
)
