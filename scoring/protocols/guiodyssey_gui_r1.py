"""GUI-R1's rule for GUIOdyssey: it compares the place and the words, not the kind of action.

An answer is three things: the name of an action, a point, and an input text. A step is right when
its gold has a point and the answer's is near it, or its gold has a text and the answer's words
overlap it. Steps with neither are not counted. In version 2 a text of GUI-R1 is read by the
original's patterns alone. Version 1 took its point from the dialect, and all of a text without
`<answer>`. The rules are described in `docs/protocols/guiodyssey.md`.

Source: guir1/eval/eval_omni.py and guir1/inference of ritzz-ai/GUI-R1 at d43eea2.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial

from episodes.geometry import Size
from episodes.runs import Prediction, Unreadable
from episodes.verdicts import Outcome, Share, Verdict
from scoring.expressions import NoValue, value_of
from scoring.protocol import (
    CannotSay,
    Counts,
    Metric,
    Metrics,
    ScoredStep,
    ScoringProtocol,
    unscored,
)
from scoring.protocols import guiodyssey_steps as steps
from scoring.protocols.aitw_metrics import share_metric
from scoring.protocols.androidcontrol.gui_r1 import is_own_text, picture_of, row_in
from scoring.protocols.guiodyssey_steps import POINTED, OdysseyStep, ParsedAnswer, short
from scoring.protocols.word_overlap import lenient_f1
from scoring.rounding import format_pair, format_root_pair

LIMIT = 0.14
F1_LIMIT = 0.5
FAR = 1e9
NO_TEXT = "no input text"
NO_POINT: tuple[float, float] = (0, 0)

_WORDED = ("TYPE", "SCROLL")

Value = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class GuiR1Answer:
    """The parts of an answer that the original reads.

    Attributes:
        action: the name of the kind; None if none is read.
        point: (x, y) in thousandths; NO_POINT where none is read.
        text: NO_TEXT where there is none.
    """

    action: str | None
    point: tuple[float, float] = NO_POINT
    text: str = NO_TEXT


def as_gui_r1(answer: ParsedAnswer) -> GuiR1Answer:
    """Returns an answer of the benchmark as the three things GUI-R1 compares.

    A point keeps its numbers, whole or not; anything but a pair of numbers becomes (0, 0).
    """
    action = answer.kind.lower()
    if answer.kind in POINTED:
        return GuiR1Answer(action, _point(answer.argument))
    if answer.kind in _WORDED:
        return GuiR1Answer(action, text=answer.argument)
    return GuiR1Answer(action)


def _point(argument: str) -> tuple[float, float]:
    try:
        told = value_of(argument)
    except NoValue:
        return NO_POINT
    if not isinstance(told, tuple | list) or len(told) < 2:
        return NO_POINT
    if not all(type(number) in (int, float) and abs(number) < FAR for number in told[:2]):
        return NO_POINT
    return told[0], told[1]


def judge(prediction: Prediction | None, gold: OdysseyStep, *, patterns: bool) -> Verdict:
    """Returns the verdict on one prediction; unscored for steps that are not counted.

    Args:
        patterns: whether all of a text of GUI-R1 is read by the original's patterns.
    """
    if prediction is None:
        return unscored("missing", "There is no prediction; the original has no row for the step.")
    row = _own_row(prediction, gold.size) if patterns else None
    if row is not None:
        return judge_answer(row, gold)
    answer = steps.answer_of(prediction, gold.size)
    if isinstance(answer, CannotSay):
        return unscored("no-place", answer.reason)
    told = GuiR1Answer(None) if isinstance(answer, Unreadable) else as_gui_r1(answer)
    own = _own_words(prediction.raw)
    if own is not None:
        told = GuiR1Answer(own[0], told.point, own[1])
    return judge_answer(told, gold)


def judge_answer(answer: GuiR1Answer, gold: OdysseyStep) -> Verdict:
    """Returns the verdict on an answer; the part `type` says whether the kind is right."""
    kind = gold.kind.lower()
    parts: dict[str, Value] = {"kind": kind, "type": answer.action == kind}
    if gold.point is not None:
        return _touch(answer, gold.point, parts)
    if gold.kind in _WORDED:
        f1 = lenient_f1(gold.argument, answer.text)
        told, limit = format_pair(f1, F1_LIMIT)
        reason = (
            f"The words of “{short(answer.text)}” and “{short(gold.argument)}” have an F1 of "
            f"{told}; at least {limit} is asked."
        )
        return _verdict(f1 >= F1_LIMIT, "text-words", reason, {**parts, "f1": f1}, answer)
    reason = f"The original does not count {gold.kind} steps."
    return Verdict(Outcome.UNSCORED, "not-counted", reason, parts)


def _touch(answer: GuiR1Answer, gold: tuple[float, float], parts: dict[str, Value]) -> Verdict:
    across, down = (gold[0] - answer.point[0]) / 1000, (gold[1] - answer.point[1]) / 1000
    squares = across * across + down * down
    told, limit = format_root_pair(squares, LIMIT**2)
    reason = f"It is {told} of the screen from the gold point; less than {limit} is asked."
    parts |= {"distance": squares**0.5, "limit": LIMIT, "fallback": answer.point == NO_POINT}
    if answer.point == NO_POINT:
        reason = f"No point was read, so (0, 0) is taken. {reason}"
    return _verdict(squares < LIMIT**2, "distance", reason, parts, answer)


def _verdict(
    right: bool, rule: str, reason: str, parts: dict[str, Value], answer: GuiR1Answer
) -> Verdict:
    if right and not parts["type"]:
        reason += f" The kind, {short(str(answer.action))}, is wrong and is not asked for."
    return Verdict(Outcome.MATCH if right else Outcome.MISMATCH, rule, reason, parts)


def _own_row(prediction: Prediction, size: Size | None) -> GuiR1Answer | None:
    """Returns what the original's patterns read of a text of GUI-R1; None for other texts."""
    native = prediction.native
    space = native.space if native is not None else "pixels"
    if space == "guiodyssey" or not is_own_text(prediction.raw):
        return None
    picture = size if space == "pixels" else picture_of(space, size) if size is not None else None
    full = _FULL.get(space)
    sides = (full, full) if full else (picture.width, picture.height) if picture else None
    row = row_in(prediction.raw)
    x, y = row["pred_coord"][:2]
    point = NO_POINT
    if sides is not None and max(x, y) < FAR:
        point = x * 1000 / sides[0], y * 1000 / sides[1]
    return GuiR1Answer(row["pred_action"], point, row["pred_input_text"])


_FULL = {"0-1": 1, "0-999": 999, "0-1000": 1000}
_ANSWER = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)
_ACTION = re.compile(r"'action':\s*'(\w+)'")
_TEXT = re.compile(r"'input_text':\s*'(.*?)'")


def _own_words(raw: str) -> tuple[str, str] | None:
    """Returns action and input text of GUI-R1's own `<answer>[{'action': ...}]</answer>`."""
    found = _ANSWER.search(raw)
    action = _ACTION.search(found[1]) if found is not None else None
    if found is None or action is None:
        return None
    text = _TEXT.search(found[1])
    return action[1], text[1] if text is not None else NO_TEXT


@dataclass(slots=True)
class _Rows:
    """Counts by kind of the gold; the keys of `right` are there only after a hit."""

    all: Counter[str] = field(default_factory=Counter)
    typed: Counter[str] = field(default_factory=Counter)
    placed: Counter[str] = field(default_factory=Counter)
    worded: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    tally: Counter[str] = field(default_factory=Counter)

    def add(self, scored: ScoredStep) -> None:
        verdict = scored.verdict
        counted = verdict.outcome is not Outcome.UNSCORED
        if not counted:
            self.tally[f"steps left out: {verdict.rule}"] += 1
            if verdict.rule != "not-counted":
                return
        kind = str(verdict.parts.get("kind", ""))
        self.all[kind] += 1
        self.typed[kind] += verdict.parts.get("type") is True
        if counted:
            group = self.placed if verdict.rule == "distance" else self.worded
            group[kind] += 1
            self.right[kind] += verdict.outcome is Outcome.MATCH


def aggregate(scored: Iterable[ScoredStep]) -> Metrics:
    """Returns the original's three numbers; a kind without any hit is not in their totals."""
    rows = _Rows()
    for step in scored:
        rows.add(step)
    values: dict[str, Metric] = {
        "ALL Step": _of_hit(rows.right, rows.placed + rows.worded),
        "ALL Type": _of_hit(rows.typed, rows.all),
        "ALL GR": _of_hit(rows.right, rows.placed),
        "step accuracy": share_metric(
            Share(rows.right.total(), (rows.placed + rows.worded).total())
        ),
    }
    for kind in sorted(rows.all):
        values[f"type/{kind}"] = share_metric(Share(rows.typed[kind], rows.all[kind]))
        if rows.placed[kind] or rows.worded[kind]:
            total = rows.placed[kind] + rows.worded[kind]
            values[f"step/{kind}"] = share_metric(Share(rows.right[kind], total))
    vanished = sum(
        count for kind, count in (rows.placed + rows.worded).items() if not rows.right[kind]
    )
    rows.tally["steps that vanish from ALL Step: no hit of their kind"] = vanished
    notes = (
        "A kind of action without any right step vanishes from the original's totals; “step "
        "accuracy” keeps it.",
    )
    return Metrics(values, notes, dict(rows.tally))


def _of_hit(right: Counter[str], all_steps: Counter[str]) -> Metric:
    kinds = [kind for kind in all_steps if right[kind]]
    share = Share(sum(right[kind] for kind in kinds), sum(all_steps[kind] for kind in kinds))
    return share_metric(share, "the original stops here: no kind has a right step")


def _version(version: str, title: str, quirk: str) -> ScoringProtocol:
    return ScoringProtocol(
        name="guiodyssey/gui-r1",
        version=version,
        title=title,
        source="ritzz-ai/GUI-R1@d43eea2, guir1/eval/eval_omni.py",
        quirks=(
            "The kind of action need not be right: a long press at the gold point of a click "
            "counts, and so do the right words under another kind.",
            "Keys and endings are not counted.",
            "Distance is compared in squares, strictly: exactly 0.14 is wrong.",
            "An answer without a point is judged as one at (0, 0).",
            quirk,
            "Texts and scroll words are right from an F1 of 0.5; of two single words one may be a "
            "part of the other.",
            "A kind without any right step vanishes from the denominator.",
            "The original takes its gold from the prediction file.",
        ),
        counts=Counts(
            missing="left out",
            unreadable="judged as an answer at (0, 0) without a text",
            unscored="left out; keys and endings count in ALL Type",
            doubled="each row counts",
        ),
        gold=steps.gold,
        judge=partial(judge, patterns=version == "2"),
        aggregate=aggregate,
    )


V2 = _version(
    "2",
    "GUI-R1 on GUIOdyssey",
    "Without `<answer>` and `</answer>` a text of GUI-R1 has no action, point or text.",
)
V1 = _version(
    "1",
    "GUI-R1 on GUIOdyssey, tags not required",
    "A text of GUI-R1 without `<answer>` is read all the same; the original does not.",
)
