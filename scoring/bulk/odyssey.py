"""Vectorised rules on GUIOdyssey: the benchmark's own, OS-Atlas's, AgentCPM-GUI's, GUI-R1's.

Points are judged here, in float64 and in the scalar rules' order. Each distinct pair of typed texts
is judged once, by the scalar rule.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from episodes.packed import (
    CLICK,
    COMPLETE,
    HOME,
    IMPOSSIBLE,
    KINDS,
    LONG_PRESS,
    RECENT,
    SCROLL,
    TYPE,
)
from episodes.step_columns import StepColumns
from episodes.verdicts import Outcome, Verdict
from scoring.bulk.marks import ODD, Codes, Mark, Marks, decided, mark_of
from scoring.bulk.odyssey_rows import Flags, OdysseyRows, Real, Whole, rows_of
from scoring.protocols import agentcpm, guiodyssey, guiodyssey_gui_r1, guiodyssey_os_atlas
from scoring.protocols.agentcpm_answers import CpmAction, of_answer
from scoring.protocols.guiodyssey_steps import OdysseyStep, ParsedAnswer

Rule: TypeAlias = Callable[[OdysseyRows, Marks], Codes]

MISSING = Mark(Outcome.UNSCORED, "missing")
CLOSE = 1e-9  # what the scalar rules call close to a limit


def judge(columns: StepColumns, marks: Marks, *, rule: Rule) -> Codes:
    """Returns the codes of a batch; ODD for rows that do not fit."""
    found = rows_of(columns)
    codes = np.full(len(columns), ODD, np.int32)
    codes[found.missing] = marks.code(MISSING)
    if len(found.rows):
        codes[found.rows] = rule(found, marks)
    return codes


def own(rows: OdysseyRows, marks: Marks, *, regions: bool) -> Codes:
    """The benchmark's own rule.

    Args:
        regions: whether the region is tested before the distance.
    """
    gold, said = rows.gold, rows.said

    def mark(right: bool, label: str) -> Mark:
        return decided(right, label=label, type=label != "action_fail")

    codes = np.full(len(rows.rows), marks.code(mark(False, "action_fail")), np.int32)
    same = gold.kind == said.kind
    codes[same & (gold.kind > TYPE)] = marks.code(mark(True, "action_correct"))
    scrolls = same & (gold.kind == SCROLL)
    codes[scrolls] = marks.either(
        _equal_texts(rows, scrolls), mark(False, "scroll_fail"), mark(True, "scroll_correct")
    )
    touches = np.flatnonzero(same & (gold.kind <= LONG_PRESS))
    difference = said.point[touches] / 1000 - gold.point[touches] / 1000
    right = _norm(difference, guiodyssey.DISTANCE_LIMIT) <= guiodyssey.DISTANCE_LIMIT
    if regions:
        right |= _in_box(said.point[touches], rows.box[touches])
    found = marks.either(right, mark(False, "click_fail"), mark(True, "click_correct"))
    codes[touches] = np.where(rows.odd_box[touches], ODD, found) if regions else found
    typed = np.flatnonzero(same & (gold.kind == TYPE))
    rows_typed = typed.tolist()
    alike = _alike([gold.text[n] for n in rows_typed], [said.text[n] for n in rows_typed])
    codes[typed] = marks.either(alike, mark(False, "type_fail"), mark(True, "type_correct"))
    return codes


def os_atlas(rows: OdysseyRows, marks: Marks) -> Codes:
    """OS-Atlas's rule; it sees no signs and no decimal points, so whole numbers alone fit."""
    gold, said = rows.gold, rows.said
    same = gold.kind == said.kind
    right = same & (gold.kind != TYPE)
    scrolls = same & (gold.kind == SCROLL)
    right[scrolls] = _equal_texts(rows, scrolls)
    touches = same & (gold.kind <= LONG_PRESS)
    apart = _apart(said.point[touches] - gold.point[touches])
    right[touches] = apart <= guiodyssey_os_atlas.DISTANCE_LIMIT
    codes = _of_kinds(gold.kind, same, right, KINDS, marks)
    codes[touches & ~rows.whole] = ODD
    return _texts(rows, codes, marks, _os_atlas_text)


def cpm(rows: OdysseyRows, marks: Marks) -> Codes:
    """AgentCPM-GUI's rule; points are whole thousandths on the screen, or the schema's matter."""
    gold, said = rows.gold, rows.said
    kinds, said_kinds = _CPM_KINDS[gold.kind], _CPM_KINDS[said.kind]
    same = kinds == said_kinds
    right = same.copy()
    scrolls = same & (gold.kind == SCROLL)
    right[scrolls] = _equal_texts(rows, scrolls)
    presses = same & (kinds == _PRESS)
    buttons = np.where(gold.kind == RECENT, HOME, gold.kind)
    right[presses] = (buttons == said.kind)[presses]
    touches = same & (gold.kind <= LONG_PRESS)
    difference = said.point[touches] / 1000 - gold.point[touches] / 1000
    right[touches] = _norm(difference, agentcpm.DISTANCE_LIMIT) <= agentcpm.DISTANCE_LIMIT
    codes = _of_kinds(kinds, same, right, _CPM_NAMES, marks)
    off = said.kind <= LONG_PRESS
    off &= ~((said.point == np.floor(said.point)) & (said.point >= 0) & (said.point <= 1000)).all(
        axis=1
    )
    codes[off] = ODD
    return _texts(rows, codes, marks, _cpm_text)


def gui_r1(rows: OdysseyRows, marks: Marks, *, raw: Flags) -> Codes:
    """GUI-R1's rule, which ignores the kind of action.

    Args:
        raw: rows whose text may be in GUI-R1's own form.
    """
    gold, said = rows.gold, rows.said
    same = gold.kind == said.kind
    codes = np.full(len(rows.rows), ODD, np.int32)
    for kind, name in enumerate(KINDS):
        of_kind = gold.kind == kind
        if kind <= LONG_PRESS:
            across = (gold.point[of_kind, 0] - said.point[of_kind, 0]) / 1000
            down = (gold.point[of_kind, 1] - said.point[of_kind, 1]) / 1000
            right = across * across + down * down < guiodyssey_gui_r1.LIMIT**2
            code = np.where(
                same[of_kind],
                marks.either(right, *_placed(name, True)),
                marks.either(right, *_placed(name, False)),
            )
            codes[of_kind] = code
        elif kind not in (SCROLL, TYPE):
            parts = (("kind", name.lower()),)
            told = [
                marks.code(Mark(Outcome.UNSCORED, "not-counted", (*parts, ("type", yes))))
                for yes in (False, True)
            ]
            codes[of_kind] = np.where(same[of_kind], told[1], told[0])
    worded = np.flatnonzero((gold.kind == SCROLL) | (gold.kind == TYPE))
    codes = _pairs(rows, worded, codes, marks, _gui_r1_text)
    codes[raw] = ODD
    return codes


def judge_gui_r1(columns: StepColumns, marks: Marks) -> Codes:
    """Returns the codes of a batch under `guiodyssey/gui-r1`."""
    found = rows_of(columns)
    raw = np.array(["<answer>" in (columns.raw[r] or "") for r in found.rows.tolist()], np.bool_)
    return judge(columns, marks, rule=partial(gui_r1, raw=raw))


_PRESS, _STOP = 4, 5
_CPM_NAMES = ("click", "long_point", "scroll", "type", "press", "stop")
_CPM_KINDS = np.array(
    [CLICK, LONG_PRESS, SCROLL, TYPE]
    + [_STOP if kind in (COMPLETE, IMPOSSIBLE) else _PRESS for kind in range(HOME, len(KINDS))]
)


def _placed(name: str, same: bool) -> tuple[Mark, Mark]:
    wrong, right = (decided(yes, "distance", kind=name.lower(), type=same) for yes in (False, True))
    return wrong, right


def _of_kinds(
    kinds: Whole, same: Flags, right: Flags, names: tuple[str, ...], marks: Marks
) -> Codes:
    """Returns codes by the gold's kind, whether it is the answer's, and the outcome."""
    table = np.array(
        [
            [[marks.code(decided(yes, kind=name, type=told)) for yes in (False, True)]
             for told in (False, True)]
            for name in names
        ],
        np.int32,
    )  # fmt: skip
    found: Codes = table[kinds, same.astype(np.int64), right.astype(np.int64)]
    return found


def _apart(difference: Real) -> Real:
    across, down = difference[:, 0], difference[:, 1]
    found: Real = np.sqrt(across * across + down * down)
    return found


def _norm(difference: Real, limit: float) -> Real:
    """Returns lengths; near the limit rounded as numpy's norm does, like the scalar rules."""
    apart = _apart(difference)
    for row in np.flatnonzero(np.abs(apart - limit) <= CLOSE).tolist():
        apart[row] = np.linalg.norm(difference[row])
    return apart


def _in_box(point: Real, box: Real) -> Flags:
    x, y = point[:, 0], point[:, 1]
    found: Flags = (box[:, 0] <= x) & (x <= box[:, 2]) & (box[:, 1] <= y) & (y <= box[:, 3])
    return found


def _equal_texts(rows: OdysseyRows, chosen: Flags) -> Flags:
    told = [rows.gold.text[row] == rows.said.text[row] for row in np.flatnonzero(chosen).tolist()]
    return np.array(told, np.bool_)


def _texts(
    rows: OdysseyRows, codes: Codes, marks: Marks, judge_texts: Callable[[str, str], Verdict]
) -> Codes:
    typed = np.flatnonzero((rows.gold.kind == TYPE) & (rows.said.kind == TYPE))

    def judged(gold_kind: int, gold: str, said_kind: int, said: str) -> Verdict:
        return judge_texts(gold, said)

    return _pairs(rows, typed, codes, marks, judged)


def _pairs(
    rows: OdysseyRows,
    chosen: Whole,
    codes: Codes,
    marks: Marks,
    judged: Callable[[int, str, int, str], Verdict],
) -> Codes:
    """Returns the codes, with some rows judged by their texts, each distinct pair once."""
    known: dict[tuple[int, str, int, str], int] = {}
    kinds, said_kinds = rows.gold.kind.tolist(), rows.said.kind.tolist()
    for row in chosen.tolist():
        pair = kinds[row], rows.gold.text[row], said_kinds[row], rows.said.text[row]
        code = known.get(pair)
        if code is None:
            code = known[pair] = marks.code(mark_of(judged(*pair)))
        codes[row] = code
    return codes


def _alike(golds: list[str], saids: list[str]) -> Flags:
    """Returns whether typed texts match by the benchmark's own rule."""
    pairs = [(gold.strip(), said.strip()) for gold, said in zip(golds, saids, strict=True)]
    found = np.array([gold in said or said in gold for gold, said in pairs], np.bool_)
    asked = np.flatnonzero(~found)
    own, told = [pairs[n][0] for n in asked], [pairs[n][1] for n in asked]
    apart = process.cpdist(own, told, scorer=Levenshtein.distance, dtype=np.int64)
    longer = [max(len(a), len(b)) for a, b in zip(own, told, strict=True)]
    found[asked] = 1 - apart / np.array(longer, np.float64) >= guiodyssey.SIMILARITY_LIMIT
    return found


def _os_atlas_text(gold: str, said: str) -> Verdict:
    wanted = guiodyssey_os_atlas.gold_of(OdysseyStep("TYPE", gold.strip()))
    told = guiodyssey_os_atlas.command(ParsedAnswer("TYPE", said.strip()))
    return guiodyssey_os_atlas.judge_command(told, wanted.command)


def _cpm_text(gold: str, said: str) -> Verdict:
    action = of_answer(ParsedAnswer("TYPE", said.strip()))
    assert isinstance(action, CpmAction)
    return agentcpm.judge_action(action, agentcpm.of_odyssey(OdysseyStep("TYPE", gold.strip())))


def _gui_r1_text(gold_kind: int, gold: str, said_kind: int, said: str) -> Verdict:
    answer = ParsedAnswer(KINDS[said_kind], said.strip())
    if said_kind <= LONG_PRESS:
        answer = ParsedAnswer(KINDS[said_kind], "")  # its point is not asked for
    step = OdysseyStep(KINDS[gold_kind], gold.strip())
    return guiodyssey_gui_r1.judge_answer(guiodyssey_gui_r1.as_gui_r1(answer), step)
