"""Verdicts with reasons over columns.

Rows whose step and answer are packed are judged from the packed values, without building a step or
a prediction. All other rows go through the scalar rule. The verdicts equal those of the scalar rule
on whole episodes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import msgspec
import numpy as np

from episodes.garbage_collection import without_garbage_collection
from episodes.packed import GUIODYSSEY, LONG_PRESS, rows_of
from episodes.step_columns import StepColumns
from episodes.verdicts import Verdict
from scoring.protocol import ScoringProtocol
from scoring.protocols import guiodyssey

Explain = Callable[[StepColumns], list[Verdict | None]]


def verdicts_of(protocol: ScoringProtocol, columns: StepColumns) -> list[Verdict]:
    """Returns the verdict of each row, as the scalar rule gives it.

    For a protocol that looks back at earlier answers, the batch must come from `auto_gui.carried`.
    """
    explain = _EXPLAIN.get(protocol.key)
    with without_garbage_collection():
        found = explain(columns) if explain is not None else [None] * len(columns)
        return [
            verdict
            if verdict is not None
            else protocol.verdict(
                columns.prediction_of(row), columns.step_of(row), columns.episode_of(row)
            )
            for row, verdict in enumerate(found)
        ]


def _guiodyssey(columns: StepColumns, *, regions: bool) -> list[Verdict | None]:
    """Returns verdicts by the benchmark's own rule; None for rows that are not packed."""
    found: list[Verdict | None] = [None] * len(columns)
    gold, said = rows_of(columns.numbers), rows_of(columns.said_numbers)
    packed = (gold.form == GUIODYSSEY) & (gold.gold == 1)
    packed &= (said.form == GUIODYSSEY) & (said.gold == 0)
    rows = np.flatnonzero(packed)
    touches = (gold.code <= LONG_PRESS) & (gold.code == said.code)
    known: dict[tuple[int, str, int, str], Verdict] = {}
    others = rows[~touches[rows]]
    for row, *pair in zip(
        others.tolist(),
        gold.code[others].tolist(),
        gold.texts(others),
        said.code[others].tolist(),
        said.texts(others),
        strict=True,
    ):
        key = (pair[0], pair[1], pair[2], pair[3])
        verdict = known.get(key)
        if verdict is None:
            one = np.array([row])
            verdict = guiodyssey.judge_answer(said.words(one)[0], gold.words(one)[0], None)
            known[key] = verdict
        found[row] = verdict
    both = rows[touches[rows]]
    for row, point, place in zip(both.tolist(), said.points(both), gold.points(both), strict=True):
        text = columns.box[row] if regions else None
        box = None if text is None else _box(text)
        if box is not _ODD:
            found[row] = guiodyssey.judge_touch(point, place, box)
    return found


_ODD = object()
_BOX = msgspec.json.Decoder(list[int | float])


def _box(text: str) -> object:
    try:
        return _BOX.decode(text)
    except (msgspec.MsgspecError, ValueError):
        return _ODD


_EXPLAIN: dict[str, Explain] = {
    "guiodyssey@1": partial(_guiodyssey, regions=False),
    "guiodyssey@2": partial(_guiodyssey, regions=True),
}
