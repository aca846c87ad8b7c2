"""What all dialects of model answers have in common: from an answer to an action in pixels.

A family's module parses an answer into an action in the model's own numbers and writes an action as
the family does. Here unknown names are looked up in the shared vocabulary, numbers become pixels of
the step's frame, and a scroll whose direction is the content's is turned into the finger's. Actions
after the first are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from episodes import actions as a
from episodes.codec import action_to_json
from episodes.episodes import Episode
from episodes.geometry import Native, Size
from episodes.runs import Unreadable
from episodes.steps import Step
from replay.coordinates import finger, in_pixels
from replay.dialect import Declared, Dialect, Limits, Row, Writer
from replay.dialects import layouts, vocabulary
from replay.dialects.loose import MAX_TEXT, Unread
from replay.dialects.parsed import Parsed, Parser, ParseResult

FINGER, CONTENT = "finger", "content"
Rows = Callable[[Path, Limits], Iterator[Row]]
Keep = Callable[[Any], Any]


def text_alone(value: Any) -> Any:
    """Returns an answer that is a text, None for others."""
    return value if isinstance(value, str) else None


def object_alone(value: Any) -> Any:
    """Returns an answer that is an object, None for others."""
    return value if isinstance(value, dict) else None


def of_answers(
    name: str,
    title: str,
    parse: Parser,
    write: Writer,
    *,
    coordinates: tuple[str, ...],
    scrolls: tuple[str, ...] = (FINGER, CONTENT),
    form: str = "",
    keep: Keep = text_alone,
    rows: Rows = layouts.rows,
    together: Callable[[list[Row]], list[Row]] | None = None,
) -> Dialect:
    """Returns the dialect of a family's answers.

    Args:
        parse: parses an answer, which is a text or, from a file that has one, a JSON value. It may
            raise `Unread`.
        write: writes an action as `Dialect.write` does.
        form: the name of the answers' own form, under which they are kept for the protocols that
            judge that form; "" if the model's numbers are kept instead. Numbers of another space
            than the dialect's own are kept in any case.
        keep: returns what is kept of an answer under that name, None if it has not that form.
        together: joins what several rows or files of a run say about one step.
    """
    parse_known = partial(_parse, parse)
    return Dialect(
        name=name,
        title=title,
        coordinates=coordinates,
        scrolls=scrolls,
        rows=rows,
        action=partial(_action, parse_known),
        native=partial(_native, parse_known, form, keep, coordinates[0]),
        disagreements=partial(_further, parse_known),
        write=write,
        together=together,
        lists=partial(_lists, parse_known),
    )


def _parse(parse: Parser, value: Any) -> ParseResult:
    if isinstance(value, str) and len(value) > MAX_TEXT:
        return Unreadable(f"{len(value)} characters are more than are read as an answer")
    try:
        found = parse(value)
    except Unread as error:
        return Unreadable(str(error))
    return found if isinstance(found, Unreadable) else vocabulary.looked_up(found)


def _action(
    parse: Parser, row: Row, size: Size | None, declared: Declared
) -> a.Action | Unreadable:
    found = parse(row.value)
    if isinstance(found, Unreadable):
        return found
    action = found.action
    if is_placed(action) and not found.in_pixels:
        if size is None:
            return Unreadable("the step's frame has no size to put the point in", a.kind(action))
        action = in_pixels(action, declared.coordinates, size)
    by_content = declared.scroll == CONTENT and not found.by_finger
    return finger(action) if by_content else action


def _native(
    parse: Parser,
    form: str,
    keep: Keep,
    own: str,
    row: Row,
    declared: Declared,
) -> Native | None:
    if row.problem:
        return None
    if form and declared.coordinates in ("", own):
        kept = keep(row.value)
        if kept is not None:
            return Native.of(form, kept)
    found = parse(row.value)
    if isinstance(found, Unreadable):
        return Native.of(declared.coordinates or own, row.value)
    space = "pixels" if found.in_pixels else declared.coordinates or own
    return Native.of(space, action_to_json(found.action))


def _further(parse: Parser, row: Row, step: Step, episode: Episode) -> list[str]:
    found = Unreadable("") if row.problem else parse(row.value)
    if isinstance(found, Unreadable) or not found.more:
        return []
    return [f"the answer has {found.more + 1} actions, and the first is taken"]


def _lists(parse: Parser, row: Row) -> bool:
    found = parse(row.value)
    return isinstance(found, Parsed) and found.listed and not isinstance(found.action, a.Other)


def is_placed(action: a.Action) -> bool:
    """Returns whether an action has numbers that need a coordinate space."""
    match action:
        case a.Tap(a.ElementRef()) | a.DoubleTap(a.ElementRef()) | a.LongPress(a.ElementRef()):
            return False
        case a.Scroll(_, None | a.ElementRef()) | a.TypeText(_, None | a.ElementRef()):
            return False
        case a.Tap() | a.DoubleTap() | a.LongPress() | a.Swipe() | a.Scroll() | a.Pinch():
            return True
        case a.TypeText():
            return True
    return False
