"""What a value has to be: equal to something, within bounds, one of several, ..."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from tasks.located import Located
from tasks.parameters import Values, fill, holes


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on a text, with holes for parameters.

    Attributes:
        kind: one of `CONDITIONS`.
        wanted: what it compares with, before parameters are filled in.
    """

    kind: str
    wanted: tuple[str, ...]

    def holds(self, value: str, values: Values) -> bool:
        """Returns whether a value meets it.

        Raises:
            ValueError: a number was wanted, and the value is none.
        """
        return CONDITIONS[self.kind](value, [fill(one, values) for one in self.wanted])

    def words(self, values: Values) -> str:
        """Returns it as words, e.g. "equals 1"."""
        wanted = ", ".join(fill(one, values) for one in self.wanted)
        return f"{self.kind.replace('_', ' ')} {wanted}"


def read_condition(told: Located, parameters: frozenset[str]) -> Condition:
    """Returns a condition: a plain value for "equals", or a mapping with one key."""
    if not isinstance(told.value, dict):
        return Condition("equals", (text_with_holes(told, parameters),))
    kind, wanted = told.only()
    if kind not in CONDITIONS:
        wanted.refuse(f"“{kind}” is no condition; known are {', '.join(CONDITIONS)}")
    if kind == "one_of":
        return Condition(kind, tuple(text_with_holes(one, parameters) for one in wanted.items()))
    if kind == "between":
        bounds = wanted.items()
        if len(bounds) != 2:
            wanted.refuse("“between” has two bounds")
        return Condition(kind, tuple(text_with_holes(one, parameters) for one in bounds))
    return Condition(kind, (text_with_holes(wanted, parameters),))


def text_with_holes(told: Located, parameters: frozenset[str]) -> str:
    """Returns a text whose holes all name parameters; a truth value is written as 1 or 0."""
    text = str(int(told.value)) if isinstance(told.value, bool) else told.text()
    if missing := sorted(holes(text) - parameters):
        told.refuse(f"{{{missing[0]}}} is no parameter of the task")
    return text


def _number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"“{text[:40]}” is no number to compare")
    return value


def _between(value: str, wanted: list[str]) -> bool:
    return _number(wanted[0]) <= _number(value) <= _number(wanted[1])


CONDITIONS: dict[str, Callable[[str, list[str]], bool]] = {
    "equals": lambda value, wanted: value == wanted[0],
    "not": lambda value, wanted: value != wanted[0],
    "contains": lambda value, wanted: wanted[0] in value,
    "starts_with": lambda value, wanted: value.startswith(wanted[0]),
    "ends_with": lambda value, wanted: value.endswith(wanted[0]),
    "one_of": lambda value, wanted: value in wanted,
    "at_least": lambda value, wanted: _number(value) >= _number(wanted[0]),
    "at_most": lambda value, wanted: _number(value) <= _number(wanted[0]),
    "between": _between,
}
"""Kinds of conditions. There is no regular expression: a file could make one run for ever."""
