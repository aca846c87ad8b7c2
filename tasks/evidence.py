"""What a check found out: true, false or unknown, with what the phone said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

KEPT_BYTES = 400


class Truth(StrEnum):
    """The result of a check. A failed command or an exception is unknown."""

    TRUE = "true"
    FALSE = "false"
    UNKNOWN = "unknown"

    @classmethod
    def of(cls, holds: bool) -> Truth:
        """Returns true or false."""
        return cls.TRUE if holds else cls.FALSE


@dataclass(frozen=True, slots=True)
class Evidence:
    """One check and what it found.

    Attributes:
        check: its place in the task file, e.g. "all[1].setting".
        truth: what came of it.
        reason: one sentence.
        score: 0 to 1; None where it is unknown.
        command: the command that was run; "" for a check without one.
        code: its exit code.
        output: how its answer began.
        parts: of a combination, what its members found.
    """

    check: str
    truth: Truth
    reason: str
    score: float | None
    command: str = ""
    code: int | None = None
    output: str = ""
    parts: tuple[Evidence, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Returns it as plain values."""
        told: dict[str, Any] = {
            "check": self.check,
            "truth": self.truth.value,
            "reason": self.reason,
            "score": self.score,
        }
        if self.command:
            told |= {"command": self.command, "code": self.code, "output": self.output}
        if self.parts:
            told["parts"] = [part.to_json() for part in self.parts]
        return told


def all_of(check: str, parts: Sequence[Evidence]) -> Evidence:
    """Returns true if all parts are, false as soon as one is false."""
    truths = [part.truth for part in parts]
    if Truth.FALSE in truths:
        return _combined(check, Truth.FALSE, 0.0, parts)
    if Truth.UNKNOWN in truths:
        return _combined(check, Truth.UNKNOWN, None, parts)
    return _combined(check, Truth.TRUE, 1.0, parts)


def any_of(check: str, parts: Sequence[Evidence]) -> Evidence:
    """Returns true as soon as one part is, false if all are false."""
    truths = [part.truth for part in parts]
    if Truth.TRUE in truths:
        return _combined(check, Truth.TRUE, 1.0, parts)
    if Truth.UNKNOWN in truths:
        return _combined(check, Truth.UNKNOWN, None, parts)
    return _combined(check, Truth.FALSE, 0.0, parts)


def mean_of(check: str, parts: Sequence[Evidence]) -> Evidence:
    """Returns the mean of the parts' scores; it is unknown where one of them is."""
    scores = [part.score for part in parts]
    known = [score for score in scores if score is not None]
    if len(known) < len(scores):
        return _combined(check, Truth.UNKNOWN, None, parts)
    score = sum(known) / len(known)
    return _combined(check, Truth.of(score == 1), score, parts)


def opposite(check: str, part: Evidence) -> Evidence:
    """Returns the contrary of a check."""
    turned = {Truth.TRUE: Truth.FALSE, Truth.FALSE: Truth.TRUE, Truth.UNKNOWN: Truth.UNKNOWN}
    score = {Truth.TRUE: 0.0, Truth.FALSE: 1.0, Truth.UNKNOWN: None}[part.truth]
    return _combined(check, turned[part.truth], score, (part,))


def unknown(check: str, reason: str, command: str = "", code: int | None = None) -> Evidence:
    """Returns that a check could not be made, and why."""
    return Evidence(check, Truth.UNKNOWN, reason, None, command, code)


def _combined(check: str, truth: Truth, score: float | None, parts: Sequence[Evidence]) -> Evidence:
    holding = sum(part.truth is Truth.TRUE for part in parts)
    words = f"{holding} of {len(parts)} hold"
    if missing := sum(part.truth is Truth.UNKNOWN for part in parts):
        words += f", {missing} unknown"
    return Evidence(check, truth, words, score, parts=tuple(parts))
