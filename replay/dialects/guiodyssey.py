"""GUIOdyssey's prediction file, as its evaluator writes it before and after scoring.

Before: a JSON list of {"question", "pred", "gt", "more_info"}. After: an object whose
`metrics.pred` is that list. The episode and step are in the picture's file name,
`<episode>_<step>.png`, which is in "img", in "image", or in the question's first <img>...</img>.
The answer in "pred" is text such as `CLICK: (500, 500)`; coordinates are thousandths.

Source: src/eval_mm/evaluate_GUIOdyssey.py of OpenGVLab/GUI-Odyssey at fefcbe9.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from episodes import actions as a
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.geometry import Direction, Native, Point, Size
from episodes.runs import Unreadable
from episodes.steps import Step
from replay.coordinates import in_pixels
from replay.dialect import Declared, Dialect, Limits, Row
from replay.dialects import layouts, vocabulary
from replay.dialects.answers import is_placed
from replay.dialects.lines import clean
from replay.dialects.parsed import Parsed
from replay.dialects.writing import pair, point
from scoring.expressions import NoValue, value_of
from scoring.protocol import CannotSay
from scoring.protocols import guiodyssey as protocol

SPACE = "guiodyssey"
REMEDY = "Give the JSON list that the evaluator of GUIOdyssey writes."

_KEYS = {"PRESS_HOME": a.Key.HOME, "PRESS_BACK": a.Key.BACK, "PRESS_RECENT": a.Key.RECENTS}
_ENDINGS = {"COMPLETE": a.Ending.COMPLETE, "IMPOSSIBLE": a.Ending.IMPOSSIBLE}
_WORD = re.compile(r"[A-Z][A-Z_]{1,39}")


def rows(path: Path, limits: Limits) -> Iterator[Row]:
    """Yields the rows of a prediction file.

    Raises:
        KnownError: it cannot be read, holds no prediction, or is larger than is read.
    """
    silent = 0
    for number, told in layouts.read_objects(path, limits):
        row = told if isinstance(told, Row) else _row(told, path, number)
        cut = row.value is None and row.step >= 0
        silent = -limits.rows if cut or isinstance(row.value, str) else silent + 1
        yield row
    if silent > 0:
        raise KnownError(
            f"read {path.name}", "it is no prediction file: no row has an answer in words", REMEDY
        )


def row_of_answer(answer: Any, *, episode: str, step: int, file: str = "", line: int = 0) -> Row:
    """Returns the row of one answer; the raw text of another value is its JSON."""
    raw = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    return Row(episode, step, clean(raw), value=answer, file=file, line=line)


def action(row: Row, size: Size | None, declared: Declared) -> a.Action | Unreadable:
    """Returns the action of an answer, in pixels of the step's frame.

    It reads what the words mean: a typed text keeps its colons. The benchmark's protocols judge the
    answer itself instead.
    """
    if not isinstance(row.value, str):
        return Unreadable("the answer is not a text")
    kind, _, rest = (part.strip() for part in row.value.partition(":"))
    if kind in ("CLICK", "LONG_PRESS"):
        guess = "tap" if kind == "CLICK" else "long_press"
        place = _point(rest)
        if place is None:
            return Unreadable(f"“{rest[:60]}” is not a pair of numbers", guess)
        if size is None:
            return Unreadable("the step's frame has no size to put the point in", guess)
        at = size.at(place[0] / 1000, place[1] / 1000)
        return a.Tap(at) if kind == "CLICK" else a.LongPress(at)
    if kind == "SCROLL":
        if rest.lower() not in list(Direction):
            return Unreadable(f"“{rest[:60]}” is not a direction", "scroll")
        return a.Scroll(Direction(rest.lower()))
    if kind == "TYPE":
        return a.TypeText(clean(rest))
    if kind in _KEYS:
        return a.PressKey(_KEYS[kind])
    if kind in _ENDINGS:
        return a.Finish(_ENDINGS[kind])
    if _WORD.fullmatch(kind):
        return _other(kind, clean(rest), size)
    return Unreadable("it begins with none of the benchmark's words")


def _other(kind: str, text: str, size: Size | None) -> a.Action | Unreadable:
    """Returns the action of a command that the benchmark does not list."""
    found = vocabulary.looked_up(Parsed(vocabulary.unknown(kind, {"text": text} if text else {})))
    if isinstance(found, Unreadable) or not is_placed(found.action):
        return found if isinstance(found, Unreadable) else found.action
    if size is None:
        return Unreadable("the step's frame has no size to put the point in", a.kind(found.action))
    return in_pixels(found.action, "0-1000", size)


def write(action: a.Action, extent: Point) -> str | None:
    """Returns the evaluator's command."""
    match action:
        case a.Tap() | a.LongPress():
            verb = "CLICK" if isinstance(action, a.Tap) else "LONG_PRESS"
            x, y = pair(point(action))
            return f"{verb}: ({x}, {y})"
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


def native(row: Row, declared: Declared) -> Native | None:
    """Returns the answer unchanged: what the benchmark's protocols judge."""
    return None if row.problem else Native.of(SPACE, row.value)


def disagreements(row: Row, step: Step, episode: Episode) -> list[str]:
    """Returns how the file's own gold differs from the library's, one sentence a field."""
    gold = protocol.gold(step, episode)
    if row.stated is None or isinstance(gold, CannotSay):
        return []
    known = {
        "gt": gold.answer,
        "sam2_bbox": gold.box,
        "category": episode.task.category,
        "step_length": episode.declared_steps or len(episode.steps),
    }
    return [
        f"“{name}” is {_brief(stated)} in the file and {_brief(known[name])} in the library"
        for name, stated in row.stated.items()
        if stated != known[name]
    ]


def _row(decoded: dict[str, Any], path: Path, number: int) -> Row:
    """Returns the row of one element, with what it says of the gold."""
    row = layouts.row_of(_with_picture(decoded), path, number, ("pred", *layouts.ANSWERS))
    info = decoded.get("more_info")
    more = info if isinstance(info, dict) else {}
    fields = {"gt": decoded} | dict.fromkeys(("sam2_bbox", "category", "step_length"), more)
    stated = {name: holder[name] for name, holder in fields.items() if name in holder}
    return replace(row, stated=stated or row.stated)


def _with_picture(decoded: dict[str, Any]) -> dict[str, Any]:
    """Returns an element with the name of its picture where only the question holds it."""
    picture = None if {"img", "image"} & decoded.keys() else _in_question(decoded.get("question"))
    return decoded if picture is None else {**decoded, "image": picture}


def _in_question(question: Any) -> str | None:
    if not isinstance(question, str):
        return None
    before, closed, _ = question.partition("</img>")
    parts = before.split("<img>", 2)
    return parts[1] if closed and len(parts) > 1 else None


def _point(text: str) -> tuple[float, float] | None:
    try:
        found = value_of(text)
        if isinstance(found, str):
            found = value_of(found.strip())
    except NoValue:
        return None
    match found:
        case (int() | float() as x, int() | float() as y) if _finite(x) and _finite(y):
            return float(x), float(y)
    return None


def _finite(number: float) -> bool:
    return not isinstance(number, bool) and abs(number) < 1e12 and math.isfinite(number)


def _brief(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:77] + "…"


DIALECT = Dialect(
    name="guiodyssey",
    title="GUIOdyssey's prediction file",
    coordinates=("0-1000",),
    scrolls=("finger",),
    rows=rows,
    action=action,
    native=native,
    disagreements=disagreements,
    write=write,
)
