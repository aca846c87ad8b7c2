"""Vectorised rule of Auto-GUI, with the state of its loop.

Its variables depend on all earlier answers. So `carried` goes through a run's batches in order and
replaces unreadable answers by what the loop would judge. After that the batches are independent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

import numpy as np

from episodes.runs import Prediction
from episodes.step_columns import StepColumns
from scoring.bulk import aitw as columns_of_aitw
from scoring.bulk.aitw import Gestures, across, fitting, is_tap, matches
from scoring.bulk.marks import ODD, Codes, Marks, decided
from scoring.protocol import ScoringProtocol
from scoring.protocols.aitw_answers import DUAL_POINT, AitwAction
from scoring.protocols.aitw_auto_gui import FOUR, Strokes, target_action

Texts: TypeAlias = tuple[str, str]


def carried(protocol: ScoringProtocol, batches: Iterable[StepColumns]) -> Iterator[StepColumns]:
    """Yields a run's batches, in order, with the predictions that its protocol judges."""
    if protocol.carry is None:
        yield from batches
        return
    carry = protocol.carry()
    for batch in batches:
        fit = np.zeros(len(batch), np.bool_)
        fit[fitting(batch).rows] = True
        yield _carried(batch, fit.tolist(), carry)


def _carried(
    batch: StepColumns,
    fit: list[bool],
    carry: Callable[..., Prediction | None],
) -> StepColumns:
    """Replaces the unreadable answers of a batch. A readable answer sets all variables, so only the
    last readable one before an unreadable one matters."""
    changed: dict[int, Prediction | None] = {}
    waiting: int | None = None
    for row, (read, again) in enumerate(zip(fit, batch.doubled.tolist(), strict=True)):
        if again:
            continue
        if read:
            waiting = row
            continue
        if waiting is not None:
            carry(batch.prediction_of(waiting), batch.step_of(waiting))
            waiting = None
        told = batch.prediction_of(row)
        judged = carry(told, batch.step_of(row))
        if judged is not told:
            changed[row] = judged
    if waiting is not None:
        carry(batch.prediction_of(waiting), batch.step_of(waiting))
    return batch.with_predictions(changed) if changed else batch


def judge(columns: StepColumns, marks: Marks, *, strokes: Strokes) -> Codes:
    """Returns the codes of a batch under `aitw/auto-gui`; ODD for rows that do not fit."""
    fit = fitting(columns)
    codes = np.full(len(columns), ODD, np.int32)
    codes[fit.missing] = marks.code(decided(False, "missing", type=False, text=False))
    gold = _targets(fit.gold, strokes)
    right, same = matches(gold, fit.said, fit.packed)
    found = columns_of_aitw.code_of(right, same, fit.bare, marks)
    found = _with_texts(found, fit.gold.texts, fit.said.texts, marks)
    codes[fit.rows] = found
    return codes


def _targets(gold: Gestures, strokes: Strokes) -> Gestures:
    """Returns the golds in the form of the training target."""
    touch, lift = gold.touch.copy(), gold.lift.copy()
    gestures = np.flatnonzero(gold.code == DUAL_POINT)
    with np.errstate(all="ignore"):
        start, end = touch[gestures].astype(np.float32), lift[gestures].astype(np.float32)
        taps, axes = is_tap(start, end), across(start, end).astype(np.int64)
    for row in gestures[taps].tolist():
        y, x = touch[row].tolist()
        touch[row] = lift[row] = round(y, 4), round(x, 4)
    drags, axes = gestures[~taps], axes[~taps]
    away = (~(lift[drags, axes] < touch[drags, axes])).astype(np.int64)
    replaced = np.array(strokes)[axes, away]
    touch[drags], lift[drags] = replaced[:, 0], replaced[:, 1]
    return Gestures(gold.code, touch, lift, gold.packed)


def _with_texts(found: Codes, golds: Iterable[str], saids: Iterable[str], marks: Marks) -> Codes:
    """Returns codes that also say whether a match's texts overlap."""
    known: dict[tuple[int, Texts], int] = {}
    codes = []
    for code, texts in zip(found.tolist(), zip(golds, saids, strict=True), strict=True):
        told = known.get((code, texts))
        if told is None:
            mark = marks.told[code]
            wanted = target_action(AitwAction(0, text=texts[0]), FOUR).text.lower()
            said = texts[1].lower().strip()
            right = mark == decided(True, type=True) and (said in wanted or wanted in said)
            told = marks.code(mark._replace(parts=(*mark.parts, ("text", right))))
            known[code, texts] = told
        codes.append(told)
    return np.array(codes, np.int32)
