"""Android in the Wild's rule over columns, in float32 and in the scalar rule's order.

The kernel takes rows whose step and answer both are in the data set's own form, strictly: a code,
two pairs of numbers, boxes of four numbers each, and a text. Each operation is the scalar rule's,
so that both round alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Annotated, Any, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from episodes.step_columns import StepColumns
from scoring.bulk.marks import ODD, Codes, Marks, decided
from scoring.bulk.strict_json import decoded
from scoring.protocols import aitw
from scoring.protocols.aitw_answers import DUAL_POINT, SPACE
from scoring.protocols.aitw_screen import MAX_BOXES

Flags: TypeAlias = npt.NDArray[np.bool_]
Whole: TypeAlias = npt.NDArray[np.int64]
Real: TypeAlias = npt.NDArray[np.float64]
Single: TypeAlias = npt.NDArray[np.float32]
Boxes: TypeAlias = list[tuple[float, float, float, float]]

FAR = 1e6  # what lies farther off is the scalar rule's

_Code = Annotated[int, msgspec.Meta(ge=-1000, le=1000)]
_Near = Annotated[float, msgspec.Meta(ge=-FAR, le=FAR)]
_Pair = tuple[_Near, _Near]
_Box = tuple[_Near, _Near, _Near, _Near]


class _Said(msgspec.Struct, gc=False):
    action_type: _Code
    touch: _Pair
    lift: _Pair
    text: str = ""
    type_text: str = ""
    typed_text: str = ""
    reused: str = ""


class _Gold(msgspec.Struct, gc=False):
    action_type: _Code
    touch: _Pair
    lift: _Pair
    boxes: list[_Box]
    text: str = ""
    type_text: str = ""
    typed_text: str = ""


_SAID, _GOLD = msgspec.json.Decoder(_Said), msgspec.json.Decoder(_Gold)


@dataclass(frozen=True, slots=True)
class Gestures:
    """Actions: a code, touch and lift as (y, x) of shape (rows, 2), and a text."""

    code: Whole
    touch: Real
    lift: Real
    text: Sequence[str]


@dataclass(frozen=True, slots=True)
class Fitting:
    """The rows of a batch the kernel takes.

    Attributes:
        rows: their places in the batch.
        boxes: (y, x, height, width) of each row's screen, as Python numbers: few are looked at.
    """

    rows: Whole
    gold: Gestures
    said: Gestures
    boxes: Sequence[Boxes]

    @property
    def bare(self) -> Flags:
        """Where the screen has no box."""
        return np.fromiter((not boxes for boxes in self.boxes), np.bool_, len(self.boxes))


def fitting(columns: StepColumns) -> tuple[Fitting, Whole]:
    """Returns the rows that fit, and those that fit but have no prediction."""
    golds: list[_Gold | None]
    golds = decoded(_GOLD, _of_space(columns.space, columns.native))
    saids = decoded(_SAID, _of_space(columns.said_space, columns.said_native))
    there = columns.said.tolist()
    rows, missing = [], []
    for row, gold in enumerate(golds):
        if gold is None or gold.type_text or gold.typed_text or len(gold.boxes) > MAX_BOXES:
            continue
        said = saids[row]
        if said is not None and not (said.type_text or said.typed_text or said.reused):
            rows.append(row)
        elif not there[row]:
            missing.append(row)
    own: list[Any] = [golds[row] for row in rows]
    fit = Fitting(
        np.array(rows, np.int64),
        _gestures(own),
        _gestures([saids[row] for row in rows]),
        [gold.boxes for gold in own],
    )
    return fit, np.array(missing, np.int64)


def judge(columns: StepColumns, marks: Marks) -> Codes:
    """Returns the codes of a batch under `aitw`; ODD for rows that do not fit."""
    fit, missing = fitting(columns)
    codes = np.full(len(columns), ODD, np.int32)
    codes[missing] = marks.code(decided(False, "missing", type=False))
    right, same = matches(fit.gold, fit.said, fit.boxes)
    codes[fit.rows] = code_of(right, same, fit.bare, marks)
    return codes


def code_of(right: Flags, same: Flags, bare: Flags, marks: Marks) -> Codes:
    """Returns codes of right and wrong steps, whether their kinds are the same, and those on
    screens without boxes."""
    found = np.where(
        same,
        marks.either(right, decided(False, type=True), decided(True, type=True)),
        marks.code(decided(False, type=False)),
    )
    without = marks.either(
        same, decided(False, "no-boxes", type=False), decided(False, "no-boxes", type=True)
    )
    return np.where(bare, without, found).astype(np.int32)


def matches(gold: Gestures, said: Gestures, boxes: Sequence[Boxes]) -> tuple[Flags, Flags]:
    """Returns whether each action matches, and whether the kinds are the same.

    On screens without boxes the first says what would be.
    """
    same = gold.code == said.code
    right = same.copy()
    both = np.flatnonzero(same & (gold.code == DUAL_POINT))
    with np.errstate(all="ignore"):
        touch, lift = _single(gold.touch[both]), _single(gold.lift[both])
        said_touch, said_lift = _single(said.touch[both]), _single(said.lift[both])
        taps, said_taps = is_tap(touch, lift), is_tap(said_touch, said_lift)
        drags = ~taps & ~said_taps & (across(touch, lift) == across(said_touch, said_lift))
        tapped = taps & said_taps
        near = tapped & (_distance(said_touch, touch) <= np.float32(aitw.TAP_DISTANCE))
        found = drags | near
        asked = np.flatnonzero(tapped & ~near)
        shown = [boxes[row] for row in both[asked].tolist()]
        found[asked] = _in_one_box(touch[asked], said_touch[asked], shown)
    right[both] = found
    return right, same


def is_tap(touch: Single, lift: Single) -> Flags:
    """Whether each gesture is a tap."""
    return _flags(_distance(touch, lift) <= np.float32(aitw.SWIPE_DISTANCE))


def across(touch: Single, lift: Single) -> Flags:
    """Whether each drag goes farther across than down."""
    way = np.abs(lift - touch)
    return _flags(way[:, 1] > way[:, 0])


def _in_one_box(touch: Single, said: Single, shown: Sequence[Boxes]) -> Flags:
    counts = np.fromiter(map(len, shown), np.int64, len(shown))
    flat = chain.from_iterable(chain.from_iterable(shown))
    boxes = np.fromiter(flat, np.float64, 4 * int(counts.sum())).reshape(-1, 4)
    owner = np.repeat(np.arange(len(shown)), counts)
    large = aitw.enlarged(_single(boxes))
    first, last = large[:, :2], large[:, :2] + large[:, 2:]
    held = np.ones(len(owner), np.bool_)
    for point in (touch, said):
        at = point[owner]
        inside = (at >= first) & (at <= last)
        held &= inside[:, 0] & inside[:, 1]
    found = np.zeros(len(shown), np.bool_)
    found[owner[held]] = True
    return found


def _distance(one: Single, other: Single) -> Single:
    apart = one - other
    down, wide = apart[:, 0], apart[:, 1]
    found: Single = np.sqrt(down * down + wide * wide)
    return found


def _single(numbers: Real) -> Single:
    return numbers.astype(np.float32)


def _flags(found: Any) -> Flags:
    flags: Flags = np.asarray(found, np.bool_)
    return flags


def _of_space(spaces: Sequence[str | None], texts: Sequence[str | None]) -> list[str | None]:
    return [text if space == SPACE else None for space, text in zip(spaces, texts, strict=True)]


def _gestures(told: list[Any]) -> Gestures:
    def pairs(name: str) -> Real:
        flat = chain.from_iterable(getattr(one, name) for one in told)
        return np.fromiter(flat, np.float64, 2 * len(told)).reshape(-1, 2)

    codes = np.fromiter((one.action_type for one in told), np.int64, len(told))
    return Gestures(codes, pairs("touch"), pairs("lift"), [one.text for one in told])
