"""GUIOdyssey's steps and answers as columns, for the rules that read them.

A row fits when its step's annotation and its answer in the benchmark's words both are packed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from episodes.packed import FAR, GUIODYSSEY, SCROLL, TYPE, Packed
from episodes.packed import rows_of as packed_rows
from episodes.packed_boxes import PackedBoxes
from episodes.step_columns import StepColumns
from scoring.bulk.strict_json import decoded

Flags: TypeAlias = npt.NDArray[np.bool_]
Whole: TypeAlias = npt.NDArray[np.int64]
Real: TypeAlias = npt.NDArray[np.float64]

_BOX = msgspec.json.Decoder(list[float])


@dataclass(frozen=True, slots=True)
class Acts:
    """Actions of rows that fit.

    Attributes:
        kind: a place in `episodes.packed.KINDS`.
        point: (x, y) in thousandths, zeros where there is none; shape (rows, 2).
        text: typed text, or a scroll's direction; else "".
    """

    kind: Whole
    point: Real
    text: Sequence[str]


@dataclass(frozen=True, slots=True)
class OdysseyRows:
    """Rows of a batch that fit, at the indices `rows`; `missing` are those without an answer.

    Attributes:
        box: `sam2_bbox`, shape (rows, 4); NaN if there is none.
        odd_box: mask of boxes that are not four numbers.
        whole: mask of rows whose points are both whole numbers.
    """

    rows: Whole
    missing: Whole
    gold: Acts
    said: Acts
    box: Real
    odd_box: Flags

    @property
    def whole(self) -> Flags:
        """Mask of rows whose points have only whole, non-negative numbers."""
        both = np.concatenate([self.gold.point, self.said.point], axis=1)
        flags: Flags = ((both == np.floor(both)) & (both >= 0)).all(axis=1)
        return flags


def rows_of(columns: StepColumns) -> OdysseyRows:
    """Returns the rows of a batch that fit."""
    gold, said = packed_rows(columns.numbers), packed_rows(columns.said_numbers)
    held = (gold.form == GUIODYSSEY) & (gold.gold == 1)
    rows = np.flatnonzero(held & (said.form == GUIODYSSEY) & (said.gold == 0))
    box, odd = _boxes(columns, rows)
    missing = np.flatnonzero(held & ~columns.said)
    return OdysseyRows(rows, missing, _acts(gold.some(rows)), _acts(said.some(rows)), box, odd)


def _acts(packed: Packed) -> Acts:
    texts = [""] * len(packed.code)
    worded = np.flatnonzero((packed.code == SCROLL) | (packed.code == TYPE))
    for row, text in zip(worded.tolist(), packed.texts(worded), strict=True):
        texts[row] = text
    return Acts(packed.code, packed.numbers[:, :2], texts)


def _boxes(columns: StepColumns, rows: Whole) -> tuple[Real, Flags]:
    """Returns the boxes of some rows, and the mask of boxes that are not four numbers in range."""
    every = columns.box
    if isinstance(every, PackedBoxes):
        box, texts = every.numbers()[rows], every.texts(rows)
    else:
        box, texts = np.full((len(rows), 4), np.nan), [every[row] for row in rows.tolist()]
    there = [(at, text) for at, text in enumerate(texts) if text is not None]
    asked = np.array([at for at, _ in there], np.int64)
    found: list[list[float] | None] = decoded(_BOX, [text for _, text in there])
    four = np.array([told is not None and len(told) == 4 for told in found], np.bool_)
    flat = chain.from_iterable(told for told in found if told is not None and len(told) == 4)
    box[asked[four]] = np.fromiter(flat, np.float64, 4 * int(four.sum())).reshape(-1, 4)
    odd = np.zeros(len(rows), np.bool_)
    odd[asked] = ~(np.abs(box[asked]) <= FAR).all(axis=1)
    return box, odd
