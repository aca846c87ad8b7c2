"""Values of lint: findings with step, severity and automatic fix."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class LintSeverity(StrEnum):
    """How much a finding matters."""

    ERROR = "error"  # the step or episode cannot be used as it is
    LOOK = "look"  # likely wrong, a person should look
    NOTE = "note"  # worth knowing


class Fix(StrEnum):
    """Automatic fix of a finding; can be undone."""

    DELETE_STEP = "delete the step"
    PROPOSE_TARGET = "take the tree's target instead"


@dataclass(frozen=True, slots=True)
class LintFinding:
    """One thing that is likely wrong.

    Attributes:
        rule: name of the rule, e.g. "press-without-effect".
        step: index of the step; None for the whole episode.
        reason: what was found, with its numbers, one sentence.
        fix: None if only a person can mend it.
    """

    rule: str
    severity: LintSeverity
    step: int | None
    reason: str
    fix: Fix | None = None
