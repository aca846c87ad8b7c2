"""GUIOdyssey's steps and answers as columns, for the rules that read them.

A row fits when its step has the data set's own annotation and its answer is in the benchmark's
words, both in their plain form: whole or decimal numbers, a known direction, a text without a colon
or an escape.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from episodes.step_columns import StepColumns
from scoring.bulk.strict_json import decoded
from scoring.protocols.guiodyssey_answers import SPACE

Flags: TypeAlias = npt.NDArray[np.bool_]
Whole: TypeAlias = npt.NDArray[np.int64]
Real: TypeAlias = npt.NDArray[np.float64]

KINDS = (
    "CLICK", "LONG_PRESS", "SCROLL", "TYPE", "PRESS_HOME", "PRESS_BACK", "PRESS_RECENT", "COMPLETE",
    "IMPOSSIBLE",
)  # fmt: skip
CLICK, LONG_PRESS, SCROLL, TYPE, HOME, BACK, RECENT, COMPLETE, IMPOSSIBLE = range(9)
FAR = 1e6

_NUMBER_OF = {kind: number for number, kind in enumerate(KINDS)}
_KEYS = {"KEY_HOME": HOME, "KEY_BACK": BACK, "KEY_APPSELECT": RECENT}
_ENDS = {"COMPLETE": COMPLETE, "INCOMPLETE": IMPOSSIBLE}
_N = r"(-?(?:0|[1-9][0-9]{0,5})(?:\.[0-9]{1,9})?)"
_ANSWER = re.compile(
    rf'^(?:"(?:(CLICK|LONG_PRESS): \({_N}, {_N}\)|(PRESS_HOME|PRESS_BACK|PRESS_RECENT|COMPLETE'
    r'|IMPOSSIBLE)|(?:SCROLL: (UP|DOWN|LEFT|RIGHT))|TYPE: ([^":\\\n]+))"|.*)$',
    re.MULTILINE,
)


class _Gold(msgspec.Struct, gc=False):
    action: str
    info: str | list[list[float]]


_GOLD = msgspec.json.Decoder(_Gold)
_BOX = msgspec.json.Decoder(list[float])


@dataclass(frozen=True, slots=True)
class Acts:
    """Actions of rows that fit.

    Attributes:
        kind: a place in `KINDS`.
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
        _gold(told)
        for told in decoded(
            _GOLD,
            [
                text if space == SPACE else None
                for space, text in zip(columns.space, columns.native, strict=True)
            ],
        )
    ]
    saids = _answers(columns)
    there = columns.said.tolist()
    rows = [row for row, gold in enumerate(golds) if gold is not None and saids[row] is not None]
    missing = [row for row, gold in enumerate(golds) if gold is not None and not there[row]]
    box, odd = _boxes(columns, rows)
    return OdysseyRows(
        np.array(rows, np.int64),
        np.array(missing, np.int64),
        _acts([golds[row] for row in rows]),
        _acts([saids[row] for row in rows]),
        box,
        odd,
    )


_Act: TypeAlias = tuple[int, float, float, str]


def _acts(told: list[Any]) -> Acts:
    if not told:
        return Acts(np.zeros(0, np.int64), np.zeros((0, 2)), ())
    kinds, x, y, texts = zip(*told, strict=True)
    return Acts(np.array(kinds, np.int64), np.array([x, y], np.float64).T, texts)


def _gold(told: _Gold | None) -> _Act | None:
    if told is None:
        return None
    info = told.info
    match told.action:
        case "CLICK" | "LONG_PRESS":
            if isinstance(info, str):
                return (_KEYS[info], 0, 0, "") if info in _KEYS else None
            if not info or len(info[0]) != 2 or not _is_near(info[0]):
                return None
            x, y = info[0]
            return _NUMBER_OF[told.action], x, y, ""
        case "SCROLL":
            if isinstance(info, str) or len(info) < 2:
                return None
            start, end = info[0], info[1]
            if not (len(start) == len(end) == 2 and _is_near(start) and _is_near(end)):
                return None
            return SCROLL, 0, 0, _direction(start, end)
        case "TEXT":
            plain = isinstance(info, str) and ":" not in info
            return (TYPE, 0, 0, info) if isinstance(info, str) and plain else None
        case "COMPLETE" | "INCOMPLETE":
            return _ENDS[told.action], 0, 0, ""
    return None


def _direction(start: Sequence[float], end: Sequence[float]) -> str:
    across, down = end[0] - start[0], end[1] - start[1]
    if abs(across) > abs(down):
        return "LEFT" if across < 0 else "RIGHT"
    return "UP" if down < 0 else "DOWN"


def _is_near(point: Sequence[float]) -> bool:
    return -FAR <= point[0] <= FAR and -FAR <= point[1] <= FAR


def _answers(columns: StepColumns) -> list[_Act | None]:
    texts = [
        text if space == SPACE and text is not None and "\n" not in text else ""
        for space, text in zip(columns.said_space, columns.said_native, strict=True)
    ]
    found = _ANSWER.findall("\n".join(texts)) if texts else []
    return [_said(parts) for parts in found]


def _said(parts: tuple[str, ...]) -> _Act | None:
    pointed, x, y, bare, way, text = parts
    if pointed:
        return _NUMBER_OF[pointed], float(x), float(y), ""
    if bare:
        return _NUMBER_OF[bare], 0, 0, ""
    if way:
        return SCROLL, 0, 0, way
    return (TYPE, 0, 0, text) if text.strip() else None


def _boxes(columns: StepColumns, rows: list[int]) -> tuple[Real, Flags]:
    texts = [
        next((region.native for region in columns.regions[row] if region.space == SPACE), None)
        for row in rows
    ]
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
