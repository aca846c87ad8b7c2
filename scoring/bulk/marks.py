"""Compact verdicts for metrics: a few different marks, each with a code."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from episodes.verdicts import Outcome, Verdict

Value = str | int | float | bool | None
Codes: TypeAlias = npt.NDArray[np.int32]

ODD = -1
"""The code of a row that no kernel decides: the exact scalar rule does."""

DECIDED = "decided"
"""The rule in the marks of kernels, which do not say which rule it was. Rules that are counted
("missing", "unreadable", ...) have their own names."""

_COUNTED = (
    "kind", "type", "label", "text", "format", "group", "grounding_steps", "grounding_right",
    "region_trusted",
)  # fmt: skip


class Mark(NamedTuple):
    """A verdict without its reason; it has only the parts that a protocol counts by."""

    outcome: Outcome
    rule: str
    parts: tuple[tuple[str, Value], ...] = ()

    @property
    def verdict(self) -> Verdict:
        """A verdict that every protocol counts like the verdicts of this mark."""
        return Verdict(self.outcome, self.rule, "", dict(self.parts))


def mark_of(verdict: Verdict) -> Mark:
    """Returns the mark of a verdict."""
    told = verdict.parts
    parts: list[tuple[str, Value]] = [(name, told[name]) for name in _COUNTED if name in told]
    if told.get("reused"):
        parts.append(("reused", "parts"))
    if told.get("predicted") == "click":
        parts.append(("predicted", "click"))
    return Mark(verdict.outcome, verdict.rule, tuple(parts))


def decided(right: bool, rule: str = DECIDED, **parts: Value) -> Mark:
    """Returns the mark of a step that is right or wrong."""
    return Mark(Outcome.MATCH if right else Outcome.MISMATCH, rule, tuple(parts.items()))


class Marks:
    """The different marks of a batch, each with a code from 0 up."""

    def __init__(self) -> None:
        self.told: list[Mark] = []
        self._codes: dict[Mark, int] = {}

    def code(self, mark: Mark) -> int:
        """Returns the code of a mark; assigns one if the mark is new."""
        known = self._codes.setdefault(mark, len(self.told))
        if known == len(self.told):
            self.told.append(mark)
        return known

    def either(self, right: npt.NDArray[np.bool_], wrong: Mark, mark: Mark) -> Codes:
        """Returns the code of `mark` where `right`, of `wrong` elsewhere."""
        return np.where(right, self.code(mark), self.code(wrong)).astype(np.int32)
