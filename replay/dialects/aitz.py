"""CoAT's answers, the agent of AITZ: an ACTION and its ARGS.

    {"ACTION": "click_element", "ARGS": {"bbox": [374, 470, 626, 530]}}

Boxes are thousandths, a scroll's direction is the finger's, a button is the second word of its
name, `press_back`. "idx" is an element's number on a tagged picture. The agent writes one file a
step, `<subset>-<episode>_<step>.json`, with the object under action_predict, COA, txt.

Source: coat/evaluate.py and coat/agent.py of IMNearth/CoAT at 9ab1a9f.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from episodes import actions as a
from episodes.geometry import Box, Point
from episodes.runs import Unreadable
from replay.dialect import Limits, Row
from replay.dialects import layouts, vocabulary
from replay.dialects.answers import CONTENT, FINGER, of_answers
from replay.dialects.lines import BOM, clean, respelled
from replay.dialects.loose import number_of, object_in
from replay.dialects.parsed import Parsed, ParseResult
from replay.dialects.writing import pair, point, to_json
from scoring.protocols.aitz_answers import action_name

_FOLDED = ("action_predict", "COA", "txt")
_FILE = re.compile(r"(?:[^-/\\]{1,80}-)?([^/\\]{1,200})_([0-9]{1,6})\.json", re.DOTALL)


def parse(value: Any) -> ParseResult:
    """Returns the action of an answer, its box in thousandths."""
    fields = object_in(value)
    if isinstance(fields, Unreadable):
        return fields
    for name in _FOLDED:
        if isinstance(fields, dict) and name in fields:
            fields = fields[name]
    if not isinstance(fields, dict) or not isinstance(fields.get("ACTION"), str):
        return Unreadable("it names no ACTION")
    given = fields.get("ARGS")
    action = _action(fields["ACTION"], given if isinstance(given, dict) else {})
    return action if isinstance(action, Unreadable) else Parsed(action)


def _action(name: str, args: Mapping[str, Any]) -> a.Action | Unreadable:
    match action_name(name):
        case "click":
            at = _element(args)
            return a.Tap(at) if at is not None else vocabulary.no_point("tap")
        case "scroll":
            return vocabulary.scroll(args.get("direction"))
        case "type":
            text = args.get("text", args.get("content"))
            return a.TypeText(text) if isinstance(text, str) else vocabulary.no_text("type_text")
        case "press":
            return vocabulary.key(name.lower().replace(" ", "_").removeprefix("press_"))
        case "stop":
            return vocabulary.ending(args.get("task_status", args.get("status")))
    return vocabulary.unknown(name, args)


def _element(args: Mapping[str, Any]) -> a.Target | None:
    box = args.get("bbox")
    numbers = [number_of(one) for one in box[:4]] if isinstance(box, list) else []
    edges = [number for number in numbers if number is not None]
    if len(edges) == 4:
        return Box(*edges)
    index = args.get("idx")
    if isinstance(index, int) and not isinstance(index, bool) and 0 <= index < 1_000_000:
        return a.ElementRef(index=index)
    return None


def rows(path: Path, limits: Limits) -> Iterator[Row]:
    """Yields the rows of a file: one of CoAT's own, or lines.

    Raises:
        KnownError: the file cannot be read, or is larger than is read.
    """
    named = _FILE.fullmatch(path.name)
    own = _own(path, limits) if named is not None else None
    if named is None or own is None:
        yield from layouts.rows(path, limits)
        return
    raw = clean(json.dumps(own, ensure_ascii=False))
    yield Row(clean(named[1]), int(named[2]), raw, own, file=path.name, line=1)


def _own(path: Path, limits: Limits) -> Any:
    """Returns the answer of a file of one step, or None if the file is not such a file."""
    try:
        if path.stat().st_size > limits.row_bytes:
            return None
        told = json.loads(respelled(path.read_bytes().removeprefix(BOM)))
    except (OSError, ValueError, RecursionError):
        return None
    for name in _FOLDED:
        told = told.get(name) if isinstance(told, dict) else None
    return told


def write(action: a.Action, extent: Point) -> str | None:
    """Returns CoAT's object; a place becomes a box without a size."""
    match action:
        case a.Tap():
            at = pair(point(action))
            return _object("click_element", bbox=at + at)
        case a.Scroll(direction):
            return _object("scroll", direction=direction.value)
        case a.TypeText(text):
            return _object("input", text=text)
        case a.PressKey(a.Key.BACK | a.Key.HOME | a.Key.ENTER):
            return _object(f"press_{action.key.value}")
        case a.PressKey(a.Key.RECENTS):
            return _object("press_recent")
        case a.Finish(a.Ending.COMPLETE):
            return _object("stop")
        case a.Finish():
            return _object("stop", task_status="impossible")
    return None


def _object(action: str, **arguments: Any) -> str:
    return to_json({"ACTION": action, "ARGS": arguments})


DIALECT = of_answers(
    "aitz",
    "CoAT's answers, of AITZ",
    parse,
    write,
    coordinates=("0-1000", "0-999", "0-1", "pixels"),
    scrolls=(FINGER, CONTENT),
    rows=rows,
)
