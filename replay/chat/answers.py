"""Actions as answers in the words of a dialect.

Each dialect writes its own answers. Every text is read back when it is written, so that what it
loses is counted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from episodes import actions as a
from episodes.formats.guiodyssey_tests import answer_of as guiodyssey_answer
from episodes.geometry import Point, Size
from episodes.runs import Unreadable
from episodes.steps import Step
from replay.coordinates import extent, finger
from replay.dialect import Declared, Row
from replay.dialects import DIALECTS

FRACTION_DIGITS = 4
UNKNOWN_PICTURE = Size(1000, 1000)


@dataclass(frozen=True, slots=True)
class FormattedAnswer:
    """An action in a dialect's words.

    Attributes:
        exact: whether the dialect reads the same action from the text, except for rounded points.
    """

    text: str
    exact: bool


def answer_of(
    action: a.Action, frame: Size | None, picture: Size | None, dialect: str, declared: Declared
) -> FormattedAnswer | None:
    """Returns an action in a dialect's words.

    Returns None if the dialect has no words for it that it can read again, or if the action has a
    place and no screen. A stroke becomes a scroll in dialects that know directions alone.

    Args:
        frame: the size of the frame that the action's points belong to.
        picture: the size of the picture of that frame that the model is shown.
        declared: complete, as `Dialect.declared` returns it.

    Raises:
        KnownError: the declared space does not fit the picture.
    """
    size = picture or UNKNOWN_PICTURE
    placed = action
    if frame is not None and picture is not None:
        far = Point(*(extent(declared.coordinates, picture) or (picture.width, picture.height)))
        placed = _in_space(action, frame, far, whole=declared.coordinates != "0-1")
    elif a.place(action) is not None or isinstance(action, a.Swipe):
        return None
    else:
        far = Point(size.width, size.height)
    if isinstance(placed, a.Tap | a.LongPress | a.DoubleTap) and a.place(placed) is None:
        return None
    text = _written(placed, far, dialect, declared)
    by_direction = False
    if text is None and isinstance(placed, a.Swipe) and isinstance(action, a.Swipe):
        by_direction = True
        text = _written(a.Scroll(action.direction, placed.start), far, dialect, declared)
    if text is None:
        return None
    read = DIALECTS[dialect].action(Row("", 0, text, text), size, declared)
    if isinstance(read, Unreadable) or (isinstance(read, a.Other) and read != action):
        return None
    return FormattedAnswer(text, not by_direction and _is_alike(action, read))


def _written(action: a.Action, far: Point, dialect: str, declared: Declared) -> str | None:
    by_convention = finger(action) if declared.scroll == "content" else action
    return DIALECTS[dialect].write(by_convention, far)


def own_answer(step: Step, dialect: str, declared: Declared) -> FormattedAnswer | None:
    """Returns the answer that a data set's own numbers make in its own dialect.

    It keeps the numbers and the direction of a scroll as the data set has them. Returns None in any
    other dialect, space or convention.
    """
    native = step.native
    own = DIALECTS[dialect]
    convention = (declared.coordinates, declared.scroll)
    if native is None or native.space != dialect:
        return None
    fields = native.value
    if convention != (own.coordinates[0], own.scrolls[0]) or not isinstance(fields, dict):
        return None
    if dialect == "guiodyssey":
        text = guiodyssey_answer(fields.get("action"), fields.get("info"))
        return None if text is None else FormattedAnswer(text, not isinstance(step.action, a.Swipe))
    return FormattedAnswer(native.text, True) if dialect == "androidcontrol" else None


def _is_alike(one: a.Action, other: a.Action) -> bool:
    """Returns whether two actions are the same except for a point's rounding."""
    match one, other:
        case a.TypeText(), a.TypeText():
            return (one.text, one.submit, one.clear) == (other.text, other.submit, other.clear)
        case a.Scroll(direction, None), a.Scroll(again, _):
            return direction is again
        case a.Scroll(), a.Scroll():
            return False
        case ((a.PressKey() | a.OpenApp() | a.Answer() | a.Finish() | a.Other()), _):
            return one == other
    return type(one) is type(other)


def _in_space(action: a.Action, frame: Size, far: Point, *, whole: bool) -> a.Action:
    """Returns an action with its points in a space whose far right and bottom are given."""

    def moved(at: Point) -> Point:
        x, y = at.x / frame.width * far.x, at.y / frame.height * far.y
        if not (math.isfinite(x) and math.isfinite(y)):
            return Point(0, 0)
        digits = None if whole else FRACTION_DIGITS
        return Point(round(x, digits), round(y, digits))

    at = a.place(action)
    match action:
        case a.Tap() if at is not None:
            return a.Tap(moved(at))
        case a.DoubleTap() if at is not None:
            return a.DoubleTap(moved(at))
        case a.LongPress() if at is not None:
            return a.LongPress(moved(at), action.duration_us)
        case a.Swipe(start, end):
            return a.Swipe(moved(start), moved(end))
        case a.Scroll(direction, Point() as place):
            return a.Scroll(direction, moved(place))
        case a.Pinch(centre, scale):
            return a.Pinch(moved(centre), float(scale))
        case a.TypeText(text, place, clear, submit):
            field = moved(place) if isinstance(place, Point) else None
            return a.TypeText(text, field, clear, submit)
    return action
