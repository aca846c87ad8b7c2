"""What all dialects of a model's text have in common: from an answer to an action in pixels.

A family's module reads an answer into an action in the model's own numbers. Here the numbers become
pixels of the step's frame, and a scroll that was told by where the content goes is turned round.
What was told beyond the first action is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
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
from replay.dialect import Declared, Dialect, Limits, Row
from replay.dialects import layouts
from replay.dialects.loose import MAX_TEXT, Unread

FINGER, CONTENT = "finger", "content"
Rows = Callable[[Path, Limits], Iterator[Row]]


@dataclass(frozen=True, slots=True)
class Told:
    """What a model told, in its own numbers.

    Attributes:
        action: its scroll as the model means it.
        by_finger: whether its scroll is a finger's, whatever the convention of the others.
        in_pixels: whether its numbers are pixels of the frame, whatever was declared.
        more: actions told after this one.
    """

    action: a.Action
    by_finger: bool = False
    in_pixels: bool = False
    more: int = 0


Reading = Told | Unreadable
Reader = Callable[[Any], Reading]
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
    read: Reader,
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
        read: reads an answer, which is a text or, from a file that has one, a JSON value. It may
            raise `Unread`.
        form: the name of the answers' own form, under which they are kept for the protocols that
            judge that form; "" where the model's numbers are kept instead. Numbers of another space
            than the dialect's own are kept in any case.
        keep: returns what is kept under that name of an answer, None for one not of that form.
        together: joins what stands in several rows or files of a run.
    """
    reading = partial(_reading, read)
    return Dialect(
        name=name,
        title=title,
        coordinates=coordinates,
        scrolls=scrolls,
        rows=rows,
        action=partial(_action, reading),
        native=partial(_native, reading, form, keep, coordinates[0]),
        disagreements=partial(_further, reading),
        together=together,
    )


def _reading(read: Reader, value: Any) -> Reading:
    if isinstance(value, str) and len(value) > MAX_TEXT:
        return Unreadable(f"{len(value)} characters are more than are read as an answer")
    try:
        return read(value)
    except Unread as error:
        return Unreadable(str(error))


def _action(
    reading: Reader, row: Row, size: Size | None, declared: Declared
) -> a.Action | Unreadable:
    told = reading(row.value)
    if isinstance(told, Unreadable):
        return told
    action = told.action
    if is_placed(action) and not told.in_pixels:
        if size is None:
            return Unreadable("the step's frame has no size to put the point in", a.kind(action))
        action = in_pixels(action, declared.coordinates, size)
    turned = declared.scroll == CONTENT and not told.by_finger
    return finger(action) if turned else action


def _native(
    reading: Reader,
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
    told = reading(row.value)
    if isinstance(told, Unreadable):
        return Native.of(declared.coordinates or own, row.value)
    space = "pixels" if told.in_pixels else declared.coordinates or own
    return Native.of(space, action_to_json(told.action))


def _further(reading: Reader, row: Row, step: Step, episode: Episode) -> list[str]:
    told = Unreadable("") if row.problem else reading(row.value)
    if isinstance(told, Unreadable) or not told.more:
        return []
    return [f"the answer has {told.more + 1} actions, and the first is taken"]


def is_placed(action: a.Action) -> bool:
    """Whether an action has numbers that need a space."""
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
