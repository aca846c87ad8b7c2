"""Verdicts of protocols on predictions, and shares with hits and total."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Outcome(StrEnum):
    """Whether a prediction matches. UNSCORED is an outcome of its own, never a number."""

    MATCH = "match"
    MISMATCH = "mismatch"
    UNSCORED = "unscored"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of one step under one protocol.

    Attributes:
        rule: the rule that decided, e.g. "region", "distance", "kind", "text-similarity".
        reason: why, in words a person can check against the picture.
        parts: what a protocol reports with its verdict: "type", "grounding", "parse", "label",
            "distance", "similarity", ... Values are text, numbers, booleans or None (not asked).
    """

    outcome: Outcome
    rule: str
    reason: str
    parts: Mapping[str, str | int | float | bool | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Share:
    """`hits` of `total`; reports print both, and averages of averages are avoided."""

    hits: int
    total: int

    def __str__(self) -> str:
        if self.total == 0:
            return "none of 0"
        return f"{self.hits} of {self.total} ({self.hits / self.total:.1%})"


def matches(verdicts: Iterable[Verdict]) -> Share:
    """Returns the share of scored verdicts that match; unscored ones are left out.

    >>> hit = Verdict(Outcome.MATCH, "kind", "")
    >>> miss = Verdict(Outcome.MISMATCH, "kind", "")
    >>> print(matches([hit, hit, miss, Verdict(Outcome.UNSCORED, "region", "no region")]))
    2 of 3 (66.7%)
    """
    outcomes = [v.outcome for v in verdicts if v.outcome is not Outcome.UNSCORED]
    return Share(outcomes.count(Outcome.MATCH), len(outcomes))
