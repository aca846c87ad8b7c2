"""GUIOdyssey's own step rule, as its released evaluators apply it, quirks included.

Source: src/eval_mm/evaluate_GUIOdyssey.py and GUIOdyssey_action_matching.py of
OpenGVLab/GUI-Odyssey: version 1 as of f53b3f4 (no region rule), version 2 as of e12788f, the
same at fefcbe9. The rules are described in `docs/protocols/guiodyssey.md`.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from episodes.episodes import Episode
from episodes.geometry import Size
from episodes.runs import Prediction, Unreadable
from episodes.steps import Step
from episodes.verdicts import Outcome, Verdict
from scoring.expressions import Beyond, NoValue, value_of
from scoring.protocol import CannotSay, Counts, ScoringProtocol, unscored
from scoring.protocols import guiodyssey_answers as answers
from scoring.protocols.guiodyssey_metrics import aggregate
from scoring.rounding import format_pair
from scoring.text_similarity import similarity

DISTANCE_LIMIT = 0.14
SIMILARITY_LIMIT = 0.5
POINTED = ("CLICK", "LONG_PRESS")

Value = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class GuiOdysseyGold:
    """The gold that a prediction is compared with.

    Attributes:
        answer: in the benchmark's syntax, e.g. "CLICK: (500, 500)".
        box: `sam2_bbox` as in the data set (four numbers, `[]`, ...); None if absent.
        size: of the step's frame, for predictions in pixels.
    """

    answer: str
    box: Any = None
    size: Size | None = None


def gold(step: Step, episode: Episode) -> GuiOdysseyGold | CannotSay:
    """Returns the gold of a step from the data set's own numbers, or from a recording's pixels."""
    size = step.frame.size if step.frame is not None else None
    answer = answers.gold_answer(step, size)
    if isinstance(answer, CannotSay):
        return answer
    return GuiOdysseyGold(answer, _box(step, size), size)


def judge(prediction: Prediction | None, gold: GuiOdysseyGold, *, regions: bool) -> Verdict:
    """Returns the verdict on one prediction.

    Args:
        regions: whether the region is tested before the distance (version 2).
    """
    if prediction is None:
        return unscored("missing", "There is no prediction; the original leaves such steps out.")
    if prediction.native is not None and prediction.native.space == answers.SPACE:
        answer = prediction.native.value
    else:
        answer = answers.predicted_answer(prediction.parsed, prediction.native, gold.size)
        if isinstance(answer, CannotSay) and isinstance(prediction.parsed, Unreadable):
            return _invalid(f"No action could be read: {answer.reason}.")
        if isinstance(answer, CannotSay):
            return unscored("no-place", answer.reason)
    return judge_answer(answer, gold.answer, gold.box if regions else None)


def judge_answer(answer: Any, gold_answer: str, box: Any) -> Verdict:
    """Returns the verdict on a model's unchanged answer, compared with an answer of the data set.

    Args:
        answer: normally text; anything else is invalid, as in the original.
        box: `sam2_bbox` as stored, None for no region rule.
    """
    if not isinstance(answer, str):
        return _invalid("The answer is not a text.")
    kind, argument = _split(answer)
    gold_kind, gold_argument = _split(gold_answer)
    point: Any = argument
    if kind in POINTED and ":" in answer:
        try:
            point = _point(argument)
        except NoValue as error:
            return _unreadable(argument, error)
    if kind != gold_kind:
        return _verdict(
            False, "type", "action_fail", f"The gold is {gold_kind}, the prediction {_short(kind)}."
        )
    if kind == "TYPE":
        return _text(argument, gold_argument, _is_cut(answer) or _is_cut(gold_answer))
    if kind == "SCROLL":
        return _scroll(argument, gold_argument)
    if kind in POINTED:
        if isinstance(point, str):  # the original evaluates a quoted text a second time
            try:
                point = _point(point.strip())
            except NoValue as error:
                return _unreadable(point, error)
        return judge_touch(point, _point(gold_argument), box)
    return _verdict(True, "type", "action_correct", f"Both are {gold_kind}; no more is compared.")


def _split(answer: str) -> tuple[str, str]:
    parts = answer.split(":", 2)
    return parts[0].strip(), parts[1].strip() if len(parts) > 1 else ""


def _is_cut(answer: str) -> bool:
    return answer.count(":") > 1


def _text(text: str, gold: str, cut: bool) -> Verdict:
    more: dict[str, Value] = {"text_cut": cut, "empty_text": not text or not gold}
    if gold in text or text in gold:
        if not text or not gold:
            who = "prediction" if not text else "gold"
            reason = f"The text of the {who} is empty, and so is part of the other."
        elif text == gold:
            reason = f"Both texts are “{_short(gold)}”."
        else:
            reason = f"One of “{_short(text)}” and “{_short(gold)}” is part of the other."
        return _verdict(True, "text-contains", "type_correct", reason, more)
    alike = similarity(gold, text)
    right = alike >= SIMILARITY_LIMIT
    told, asked = format_pair(alike, SIMILARITY_LIMIT)
    reason = (
        f"“{_short(text)}” and “{_short(gold)}” are alike by {told}; at least {asked} is asked."
    )
    label = "type_correct" if right else "type_fail"
    return _verdict(right, "text-similarity", label, reason, {**more, "similarity": alike})


def _scroll(word: str, gold: str) -> Verdict:
    right = word.lower() == gold.lower()
    reason = (
        f"The finger goes {gold} in both."
        if right
        else f"The gold's finger goes {gold}, the prediction says “{_short(word)}”."
    )
    return _verdict(right, "scroll-word", "scroll_correct" if right else "scroll_fail", reason)


def judge_touch(point: Any, gold: Any, box: Any) -> Verdict:
    """Returns the verdict on two points in thousandths, of the same kind of touch."""
    parts: dict[str, Value] = {"limit": DISTANCE_LIMIT, "inside_region": None}
    try:
        if box is not None:
            parts["inside_region"] = _inside(point, box)
            parts["region_misses_gold"] = _misses(gold, box)
            if parts["inside_region"]:
                return _in_region(point, gold, box, parts)
        apart = _distance(point, gold)
    except _FAILURES as error:
        what = "The region has no four edges" if not _four(box) else "The point cannot be compared"
        name = type(error).__name__
        return _invalid(f"{what} ({name}).", {**parts, "error": name})
    right = apart <= DISTANCE_LIMIT
    parts |= {"distance": _finite(apart), **_threshold(point, gold, apart)}
    outside = "outside the region and " if box is not None else ""
    told, limit = format_pair(apart, DISTANCE_LIMIT)
    reason = f"It is {outside}{told} of the screen from the gold point; the limit is {limit}."
    if parts["float_fragile"]:
        reason += " Exact arithmetic would say otherwise; the original's rounding decides."
    return _verdict(right, "distance", "click_correct" if right else "click_fail", reason, parts)


# What the original's arithmetic raises on values of the wrong kind or shape, and then swallows.
_FAILURES = (TypeError, ValueError, LookupError, ArithmeticError)


def _in_region(point: Any, gold: Any, box: Any, parts: dict[str, Value]) -> Verdict:
    try:
        parts["distance"] = _finite(_distance(point, gold))
    except _FAILURES:
        parts["distance"] = None  # four numbers, say: the region asks only for the first two
    x, y = (_short(f"{n:.6g}" if isinstance(n, float) else str(n)) for n in point[:2])
    reason = f"({x}, {y}) is inside the gold's region {list(box)}, in thousandths of the screen."
    if parts["region_misses_gold"]:
        reason += " The region does not hold the gold point."
    return _verdict(True, "region", "click_correct", reason, parts)


def _misses(gold: Any, box: Any) -> bool:
    try:
        return not _inside(gold, box)
    except _FAILURES:
        return True


def _inside(point: Any, box: Any) -> bool:
    x1, y1, x2, y2 = box
    return bool(x1 <= point[0] <= x2 and y1 <= point[1] <= y2)


def _four(box: Any) -> bool:
    return box is None or (isinstance(box, list) and len(box) == 4)


def _distance(point: Any, gold: Any) -> float:
    """Returns the norm of the difference of both, each divided by 1000 first, in float64.

    Plain pairs of numbers far from the limit are computed without numpy; other values are computed
    as in the original.
    """
    if _plain(point) and _plain(gold):
        across, down = point[0] / 1000 - gold[0] / 1000, point[1] / 1000 - gold[1] / 1000
        apart = math.sqrt(across * across + down * down)
        if abs(apart - DISTANCE_LIMIT) > 1e-9:
            return apart
    import numpy as np

    with np.errstate(all="ignore"):
        return float(np.linalg.norm(np.asarray(point) / 1000 - np.asarray(gold) / 1000))


def _plain(point: Any) -> bool:
    return (
        isinstance(point, tuple)
        and len(point) == 2
        and all(type(n) in (int, float) and -1e9 < n < 1e9 for n in point)
    )


def _threshold(point: Any, gold: Any, apart: float) -> dict[str, Value]:
    """Returns whether the exact distance is on the limit, and whether exact arithmetic would decide
    otherwise."""
    if not (_plain(point) and _plain(gold)) or abs(apart - DISTANCE_LIMIT) > 1e-9:
        return {"on_threshold": False, "float_fragile": False}
    exact = sum((Fraction(p) - Fraction(g)) ** 2 for p, g in zip(point, gold, strict=True))
    return {
        "on_threshold": exact == 140**2,
        "float_fragile": (exact <= 140**2) is not (apart <= DISTANCE_LIMIT),
    }


# Only what Python, too, reads as two plain numbers: no other white space, no leading zeros.
_NUMBER = r"(-?(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,9})?)"
_PLAIN_PAIR = re.compile(rf"\([ \t]*{_NUMBER}[ \t]*,[ \t]*{_NUMBER}[ \t]*\)")


def _point(text: str) -> Any:
    plain = _PLAIN_PAIR.fullmatch(text)
    if plain is None:
        return value_of(text)
    return tuple(float(n) if "." in n else int(n) for n in plain.groups())


def _unreadable(text: str, error: NoValue) -> Verdict:
    what = "are not evaluated here" if isinstance(error, Beyond) else "cannot be read"
    reason = f"The coordinates “{_short(text)}” {what}: {error}."
    return _invalid(reason, {"error": "beyond" if isinstance(error, Beyond) else "unreadable"})


def _invalid(reason: str, more: dict[str, Value] | None = None) -> Verdict:
    return _verdict(False, "invalid", "invalid", reason, more)


def _verdict(
    right: bool, rule: str, label: str, reason: str, more: dict[str, Value] | None = None
) -> Verdict:
    # The original counts whatever is not `action_fail` as the right type, invalid ones included.
    parts: dict[str, Value] = {"label": label, "type": label != "action_fail", **(more or {})}
    return Verdict(Outcome.MATCH if right else Outcome.MISMATCH, rule, reason, parts)


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "…"


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _box(step: Step, size: Size | None) -> Any:
    for region in step.regions:
        if region.native is not None and region.native.space == answers.SPACE:
            return region.native.value
    target = step.target
    if step.native is None and target is not None and target.box is not None and size is not None:
        return answers.inclusive_box(target.box, size)
    return None


_COUNTS = Counts(
    missing="left out of AMS; the episode is left out of SR",
    unreadable="wrong, and counted as the right type (label invalid)",
    unscored="left out, like missing ones",
    doubled="each row counts in AMS; the episode is left out of SR",
)
_QUIRKS = (
    "An empty typed text matches every text.",
    "Text is cut at its first colon, on both sides.",
    "Either text being part of the other is enough; else a similarity of at least 0.5.",
    "Distance is the norm of fractions of width and height: an ellipse in pixels, in float64.",
    "Coordinates are evaluated as an expression; what fails is wrong but counts as right type.",
    "Episodes with a missing or doubled step are left out of SR, not failed.",
    "'macro' in the original's code is pooled over steps, 'micro' the mean of six categories.",
)
V2 = ScoringProtocol(
    name="guiodyssey",
    version="2",
    title="GUIOdyssey, evaluator of 2025",
    source="OpenGVLab/GUI-Odyssey@e12788f (unchanged at fefcbe9)",
    quirks=(
        "Inside the stored box is right at any distance, even if the box misses the gold point.",
        "An empty box ([]) makes every tap on that step wrong.",
        *_QUIRKS,
    ),
    counts=_COUNTS,
    gold=gold,
    judge=partial(judge, regions=True),
    aggregate=partial(aggregate, sr_of_nothing=0.0),
)
V1 = ScoringProtocol(
    name="guiodyssey",
    version="1",
    title="GUIOdyssey, evaluator of 2024",
    source="OpenGVLab/GUI-Odyssey@f53b3f4",
    quirks=(
        "There is no region rule.",
        "The original draws a tenth of the steps when a test set has more than 50,000; here the "
        "run's own steps are scored.",
        *_QUIRKS,
    ),
    counts=_COUNTS,
    gold=gold,
    judge=partial(judge, regions=False),
    aggregate=partial(aggregate, sr_of_nothing=None),
)
