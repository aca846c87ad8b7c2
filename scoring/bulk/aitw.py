"""Vectorised rule of Android in the Wild, in float32 and in the scalar rule's order.

The kernel takes rows whose step and answer are both packed in the data set's own form. It uses the
same operations as the scalar rule, so that both round equally.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from episodes.packed import AITW, BOX, HEAD, Packed, rows_of
from episodes.step_columns import StepColumns
from scoring.bulk.marks import ODD, Codes, Marks, decided
from scoring.protocols import aitw
from scoring.protocols.aitw_answers import DUAL_POINT

Flags: TypeAlias = npt.NDArray[np.bool_]
Whole: TypeAlias = npt.NDArray[np.int64]
Real: TypeAlias = npt.NDArray[np.float64]
Single: TypeAlias = npt.NDArray[np.float32]
Boxes: TypeAlias = list[tuple[float, float, float, float]]


@dataclass(frozen=True, slots=True)
class Gestures:
    """Actions: a code, touch and lift as (y, x) of shape (rows, 2), and the source of their
    texts."""

    code: Whole
    touch: Real
    lift: Real
    packed: Packed

    @property
    def texts(self) -> list[str]:
        """The typed texts; "" for none."""
        found = [""] * len(self.code)
        packed = self.packed
        typed = np.flatnonzero(packed.ends - packed.starts > HEAD + BOX * packed.counts)
        for row, text in zip(typed.tolist(), packed.texts(typed), strict=True):
            found[row] = text
        return found


@dataclass(frozen=True, slots=True)
class Fitting:
    """The rows of a batch that the kernel takes, at the indices `rows`; `missing` are those that
    would fit and have no answer."""

    rows: Whole
    missing: Whole
    gold: Gestures
    said: Gestures
    packed: Packed

    @property
    def bare(self) -> Flags:
        """Mask of the rows whose screen has no box."""
        return _flags(self.packed.counts == 0)


def fitting(columns: StepColumns) -> Fitting:
    """Returns the rows that fit."""
    gold, said = rows_of(columns.numbers), rows_of(columns.said_numbers)
    held = (gold.form == AITW) & (gold.gold == 1)
    rows = np.flatnonzero(held & (said.form == AITW))
    own = gold.some(rows)
    missing = np.flatnonzero(held & ~columns.said)
    return Fitting(rows, missing, _gestures(own), _gestures(said.some(rows)), own)


def judge(columns: StepColumns, marks: Marks) -> Codes:
    """Returns the codes of a batch under `aitw`; ODD for rows that do not fit."""
    fit = fitting(columns)
    codes = np.full(len(columns), ODD, np.int32)
    codes[fit.missing] = marks.code(decided(False, "missing", type=False))
    right, same = matches(fit.gold, fit.said, fit.packed)
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


def matches(gold: Gestures, said: Gestures, packed: Packed) -> tuple[Flags, Flags]:
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
        boxes, owner = packed.boxes(both[asked])
        found[asked] = _in_one_box(touch[asked], said_touch[asked], boxes, owner)
    right[both] = found
    return right, same


def is_tap(touch: Single, lift: Single) -> Flags:
    """Whether each gesture is a tap."""
    return _flags(_distance(touch, lift) <= np.float32(aitw.SWIPE_DISTANCE))


def across(touch: Single, lift: Single) -> Flags:
    """Whether each drag goes farther across than down."""
    way = np.abs(lift - touch)
    return _flags(way[:, 1] > way[:, 0])


def _in_one_box(touch: Single, said: Single, boxes: Single, owner: Whole) -> Flags:
    large = aitw.enlarged(boxes)
    first, last = large[:, :2], large[:, :2] + large[:, 2:]
    held = np.ones(len(owner), np.bool_)
    for point in (touch, said):
        at = point[owner]
        inside = (at >= first) & (at <= last)
        held &= inside[:, 0] & inside[:, 1]
    found = np.zeros(len(touch), np.bool_)
    found[owner[held]] = True
    return found


def _distance(one: Single, other: Single) -> Single:
    apart = one - other
    down, wide = apart[:, 0], apart[:, 1]
    exact = down.astype(np.float64)
    found: Single = np.sqrt((exact * exact + wide * wide).astype(np.float32))
    return found


def _single(numbers: Real) -> Single:
    return numbers.astype(np.float32)


def _flags(found: Any) -> Flags:
    flags: Flags = np.asarray(found, np.bool_)
    return flags


def _gestures(packed: Packed) -> Gestures:
    return Gestures(packed.code, packed.numbers[:, :2], packed.numbers[:, 2:], packed)
