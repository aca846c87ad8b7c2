"""OS-Atlas's answers: thoughts, and after "actions:" a command in capitals.

    thoughts:
    click the search field
    actions:
    CLICK <point>[[950,87]]</point>

Points are thousandths. Which way a scroll's word means is documented nowhere; the evaluator for
AndroidControl compares it with a data set that means the content. A colon after the command is left
out, as the evaluator for GUIOdyssey does.

Source: evaluation_unify.py of eval/eval_scripts/android_control and eval/eval_scripts/odyssey,
OS-Copilot/OS-Atlas at bad0840.
"""

from __future__ import annotations

from typing import Any

from episodes import actions as a
from episodes.runs import Unreadable
from replay.dialects import meanings
from replay.dialects.answers import CONTENT, FINGER, Reading, Told, of_answers
from replay.dialects.loose import point_of

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


def read(value: Any) -> Reading:
    """Returns the first action of an answer, its point in thousandths."""
    if not isinstance(value, str):
        return Unreadable("the answer is not a text")
    body = value.replace("<|im_end|>", "")
    at = max(body.rfind("actions:"), body.rfind("Actions:"), body.rfind("ACTIONS:"))
    lines = [line.strip() for line in body[at + len("actions:") if at >= 0 else 0 :].splitlines()]
    told = [number for number, line in enumerate(lines) if _verb(line)]
    if not told:
        return Unreadable("there is no command" + (" after “actions:”" if at >= 0 else ""))
    first = lines[told[0]]
    verb = _verb(first)
    if verb in ("TYPE", "OPEN_APP") and not first.endswith("]"):
        first = "\n".join(lines[told[0] :]).rstrip()
        told = told[:1]
    action = _action(verb, first[len(verb) :].removeprefix(":").strip())
    return action if isinstance(action, Unreadable) else Told(action, more=len(told) - 1)


def _verb(line: str) -> str:
    word = line.split(None, 1)[0].split("[", 1)[0].split("<", 1)[0] if line else ""
    word = word.removesuffix(":")
    return word if word in _VERBS else ""


def _action(verb: str, rest: str) -> a.Action | Unreadable:
    match verb:
        case "CLICK" | "LONG_PRESS":
            kind = "tap" if verb == "CLICK" else "long_press"
            at = point_of(rest)
            if at is None:
                return meanings.no_point(kind)
            return a.Tap(at) if verb == "CLICK" else a.LongPress(at)
        case "SCROLL":
            return meanings.scroll(_bracketed(rest))
        case "TYPE":
            return a.TypeText(_bracketed(rest))
        case "OPEN_APP":
            return a.OpenApp(_bracketed(rest))
    return _WORDS[verb]


def _bracketed(text: str) -> str:
    return text.removeprefix("[").removesuffix("]")


DIALECT = of_answers(
    "os-atlas",
    "OS-Atlas's answers",
    read,
    coordinates=("0-1000", "0-999", "0-1", "pixels"),
    scrolls=(CONTENT, FINGER),
    form="os-atlas",
)
