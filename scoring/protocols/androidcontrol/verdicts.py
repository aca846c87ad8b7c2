"""Verdicts of AndroidControl's evaluators, all with the same parts.

`kind` is the gold's kind of action, `type` whether the prediction's is the same. Where an original
ends with an error, `error` is its name and the reason says that the original stops here.
"""

from __future__ import annotations

import math

from episodes.verdicts import Outcome, Verdict
from scoring.protocol import unscored

Value = str | int | float | bool | None

FAILURES = (
    TypeError,
    ValueError,
    LookupError,
    AttributeError,
    ArithmeticError,
    NotImplementedError,
    RecursionError,
)
"""What an original's own lines raise on values of the wrong kind or shape."""


def decided(
    right: bool,
    rule: str,
    reason: str,
    parts: dict[str, Value],
    more: dict[str, Value] | None = None,
) -> Verdict:
    """Returns the verdict of a rule that decided."""
    outcome = Outcome.MATCH if right else Outcome.MISMATCH
    return Verdict(outcome, rule, reason, {**parts, **(more or {})})


def either_contains(text: str, gold: str, parts: dict[str, Value]) -> Verdict:
    """Returns the verdict of a rule that asks whether one text is a part of the other."""
    text, gold = text.lower().strip(), gold.lower().strip()
    right = text in gold or gold in text
    ending = "one is a part of the other." if right else "none is a part of the other."
    reason = f"“{short(text)}” and “{short(gold)}”, in lower case: {ending}"
    return decided(right, "text-contains", reason, parts, {"empty_text": not text})


def stops(error: Exception | str, why: str, parts: dict[str, Value]) -> Verdict:
    """Returns the verdict of a step on which the original ends its run: it counts as wrong."""
    name = error if isinstance(error, str) else type(error).__name__
    reason = f"The original stops here: {why} ({name})."
    return decided(False, "stops", reason, {**parts, "error": name})


def unreadable(why: str, parts: dict[str, Value], error: Exception | str | None = None) -> Verdict:
    """Returns the verdict of an answer no action could be read from: wrong, and counted."""
    reason = f"No action could be read: {why.rstrip('.')}."
    more: dict[str, Value] = {"type": False, "parse": False}
    if error is not None:
        more["error"] = error if isinstance(error, str) else type(error).__name__
    return decided(False, "unreadable", reason, {**parts, **more})


def missing(parts: dict[str, Value], *, counted: bool) -> Verdict:
    """Returns the verdict of a step without a prediction.

    Args:
        counted: whether it is wrong, or left out as the original has no row of it.
    """
    if not counted:
        return unscored("missing", "There is no prediction; the original leaves such steps out.")
    reason = "There is no prediction; the step counts as wrong."
    return decided(False, "missing", reason, {**parts, "type": False})


def short(told: object) -> str:
    """Returns a value as text, of at most 60 characters."""
    text = told if isinstance(told, str) else repr(told)
    return text if len(text) <= 60 else text[:57] + "…"


def finite(number: float) -> float | None:
    """Returns a number, or None for one that JSON cannot hold."""
    return float(number) if math.isfinite(number) else None
