"""Step-GUI's answers, of GELab-Zero: a thought, and one line of fields with tabs between them.

    <THINK> the list </THINK>
    explain:tap the list<tab>action:CLICK<tab>point:374,621<tab>summary:tapped it

Points are thousandths, a slide is the finger's from point1 to point2. Spaces, letter case and the
known misspelling of the thought's tags do not matter. `INFO` asks the person and counts as an
answer; `ABORT` says that the task cannot be done.

Source: copilot_tools/parser_0920_summary.py, copilot_tools/action_tools.py and
copilot_front_end/pu_frontend_executor.py of stepfun-ai/gelab-zero at 19465cf.
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
from replay.dialects.loose import micros, point_of
from replay.dialects.parsed import Parsed, ParseResult
from replay.dialects.writing import plain_number, point, seconds, stroke

MAX_FIELDS = 100
_THOUGHT_BEGINS = re.compile(r"<\s{0,8}TH?INK\s{0,8}>", re.IGNORECASE)
_THOUGHT_ENDS = re.compile(r"<\s{0,8}/\s{0,8}TH?INK\s{0,8}>", re.IGNORECASE)

Fields: TypeAlias = Mapping[str, str]


def parse(value: Any) -> ParseResult:
    """Returns the action of an answer, its points in thousandths."""
    if not isinstance(value, str):
        return Unreadable("the answer is not a text")
    ends = list(_THOUGHT_ENDS.finditer(value))
    if not ends and _THOUGHT_BEGINS.search(value) and "action:" not in value:
        return Unreadable("its thought has no end")
    line = value[ends[-1].end() :] if ends else value
    fields = _fields(line, "\t")
    if "action" not in fields:
        fields = _fields(line.replace("\\t", "\t").replace("\n", "\t"), "\t")
    if not fields.get("action"):
        return Unreadable("it has no field “action”")
    action = _action(fields["action"], fields)
    return action if isinstance(action, Unreadable) else Parsed(action)


def _fields(line: str, mark: str) -> Fields:
    parts = (part.partition(":") for part in line.split(mark, MAX_FIELDS))
    return {name.strip(): value.strip() for name, colon, value in parts if colon}


def _action(name: str, fields: Fields) -> a.Action | Unreadable:
    at, value = point_of(fields.get("point")), fields.get("value")
    match name.upper().replace("_", ""):
        case "CLICK":
            return a.Tap(at) if at is not None else vocabulary.no_point("tap")
        case "LONGPRESS":
            return a.LongPress(at) if at is not None else vocabulary.no_point("long_press")
        case "DOUBLECLICK" | "DOUBLETAP":
            return a.DoubleTap(at) if at is not None else vocabulary.no_point("double_tap")
        case "TYPE":
            if value is None:
                return vocabulary.no_text("type_text")
            return a.TypeText(value, at)
        case "SLIDE":
            start, end = point_of(fields.get("point1")), point_of(fields.get("point2"))
            if start is not None and end is not None:
                return a.Swipe(start, end)
            if "direction" in fields:
                return vocabulary.scroll(fields["direction"], at)
            return vocabulary.no_point("swipe")
        case "HOTKEY":
            return vocabulary.key(fields.get("key", value))
        case "AWAKE":
            return a.OpenApp(value) if value else vocabulary.no_text("open_app")
        case "WAIT":
            return a.Wait(micros(value if value is not None else fields.get("seconds")))
        case "INFO":
            return a.Answer(value or "")
        case "COMPLETE":
            reason = fields.get("return", value)
            return vocabulary.ending(fields.get("status"), reason)
        case "ABORT":
            return a.Finish(a.Ending.IMPOSSIBLE, value or None)
    return vocabulary.unknown(name, {key: text for key, text in fields.items() if key != "action"})


def write(action: a.Action, extent: Point) -> str | None:
    """Returns the line of an action; a text on several lines has no form."""
    match action:
        case a.Tap():
            return _line("CLICK", point=point(action))
        case a.LongPress():
            return _line("LONGPRESS", point=point(action))
        case a.DoubleTap():
            return _line("DOUBLE_TAP", point=point(action))
        case a.Swipe() | a.Scroll():
            start, end = stroke(action, extent)
            return _line("SLIDE", point1=start, point2=end)
        case a.TypeText(text, Point() as at):
            return _line("TYPE", value=text, point=at)
        case a.TypeText(text):
            return _line("TYPE", value=text)
        case a.PressKey(a.Key.HOME | a.Key.BACK | a.Key.ENTER):
            return _line("HOT_KEY", key=action.key.upper())
        case a.PressKey(a.Key.RECENTS):
            return _line("HOT_KEY", key="RECENT")
        case a.OpenApp(app) if app:
            return _line("AWAKE", value=app)
        case a.Wait(duration_us):
            return _line("WAIT", value=str(seconds(duration_us)))
        case a.Answer(text):
            return _line("INFO", value=text)
        case a.Finish(a.Ending.COMPLETE, reason):
            return _line("COMPLETE", **{"return": reason or ""})
        case a.Finish(_, reason):
            return _line("ABORT", value=reason or "")
    return None


def _line(name: str, **values: str | Point) -> str | None:
    fields = [f"action:{name}"]
    for key, value in values.items():
        if isinstance(value, Point):
            value = f"{plain_number(value.x)},{plain_number(value.y)}"
        elif "\t" in value or value != value.strip() or _THOUGHT_ENDS.search(value):
            return None
        fields.append(f"{key}:{value}")
    return "\t".join(fields)


DIALECT = of_answers(
    "gelab",
    "Step-GUI's answers, of GELab-Zero",
    parse,
    write,
    coordinates=("0-1000", "0-999", "0-1", "pixels", "resized:WxH"),
    scrolls=(FINGER, CONTENT),
)
