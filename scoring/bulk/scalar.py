"""Applies the scalar rule to rows of a batch; equal rows are judged once."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from episodes.step_columns import StepColumns
from scoring.bulk.marks import Codes, Marks, mark_of
from scoring.protocol import ScoringProtocol


def judge_rows(
    protocol: ScoringProtocol, columns: StepColumns, rows: npt.NDArray[np.int64], marks: Marks
) -> Codes:
    """Returns the codes of some rows of a batch.

    Predictions are judged as given; a protocol that looks back has already replaced them.
    """
    known: dict[Any, int] = {}
    found = []
    for row in rows.tolist():
        key = _key(columns, row)
        code = known.get(key) if key is not None else None
        if code is None:
            verdict = protocol.verdict(
                columns.prediction_of(row), columns.step_of(row), columns.episode_of(row)
            )
            code = marks.code(mark_of(verdict))
            if key is not None:
                known[key] = code
        found.append(code)
    return np.array(found, np.int32)


def _key(columns: StepColumns, row: int) -> Any:
    """Returns the values that decide a row's verdict; None if it has a tree, which is large."""
    if columns.trees[row] is not None:
        return None
    episode = columns.episodes[int(columns.episode[row])]
    said = (
        columns.raw[row],
        columns.said_action[row],
        columns.said_space[row],
        columns.said_native[row],
        columns.said_numbers[row],
        columns.unreadable[row],
        columns.guess[row],
    )
    return (
        columns.action[row],
        columns.space[row],
        columns.native[row],
        columns.numbers[row],
        int(columns.width[row]),
        int(columns.height[row]),
        columns.box[row],
        columns.regions[row],
        columns.golds[row],
        episode.density,
        episode.width,
        episode.height,
        said if columns.said[row] else None,
    )
