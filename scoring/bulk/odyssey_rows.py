"""GUIOdyssey's steps and answers as columns, for the rules that read them.

A row fits when its step's annotation and its answer in the benchmark's words both are packed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from episodes.packed import FAR, GUIODYSSEY, SCROLL, TYPE
from episodes.packed import rows_of as packed_rows
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
        text: typed text, or a scroll's direction; "" for others.
    """

    kind: Whole
    point: Real
    text: Sequence[str]


@dataclass(frozen=True, slots=True)
class OdysseyRows:
    """Rows of a batch that fit, at their places `rows`; `missing` are those without an answer.

    Attributes:
        box: `sam2_bbox`, shape (rows, 4); NaN where there is none.
        odd_box: where there is one that is not four numbers.
        whole: where both points are whole numbers.
    """

    rows: Whole
    missing: Whole
    gold: Acts
    said: Acts
    box: Real
    odd_box: Flags

    @property
    def whole(self) -> Flags:
        """Where all numbers of both points are whole and not below zero."""
        both = np.concatenate([self.gold.point, self.said.point], axis=1)
        flags: Flags = ((both == np.floor(both)) & (both >= 0)).all(axis=1)
        return flags


def rows_of(columns: StepColumns) -> OdysseyRows:
    """Returns what fits of a batch."""
    golds = [
        row
        for row, told in enumerate(columns.numbers)
        if told is not None and told[0] == GUIODYSSEY and told[1] == 1
    ]
    answers = [columns.said_numbers[row] for row in golds]
    fits = [told is not None and told[0] == GUIODYSSEY and told[1] == 0 for told in answers]
    rows = [row for row, fit in zip(golds, fits, strict=True) if fit]
    there = columns.said.tolist()
    box, odd = _boxes(columns, rows)
    return OdysseyRows(
        np.array(rows, np.int64),
        np.array([row for row in golds if not there[row]], np.int64),
        _acts([columns.numbers[row] or b"" for row in rows]),
        _acts([columns.said_numbers[row] or b"" for row in rows]),
        box,
        odd,
    )


def _acts(told: list[bytes]) -> Acts:
    packed = packed_rows(told)
    texts = [""] * len(told)
    worded = np.flatnonzero((packed.code == SCROLL) | (packed.code == TYPE))
    for row, text in zip(worded.tolist(), packed.texts(worded), strict=True):
        texts[row] = text
    return Acts(packed.code, packed.numbers[:, :2], texts)


def _boxes(columns: StepColumns, rows: list[int]) -> tuple[Real, Flags]:
    texts = [columns.box[row] for row in rows]
    box = np.full((len(rows), 4), np.nan)
    odd = np.zeros(len(rows), np.bool_)
    asked = [place for place, text in enumerate(texts) if text is not None]
    found: list[list[float] | None] = decoded(_BOX, [texts[place] for place in asked])
    for place, told in zip(asked, found, strict=True):
        if told is not None and len(told) == 4 and max(map(abs, told)) <= FAR:
            box[place] = told
        else:
            odd[place] = True
    return box, odd
