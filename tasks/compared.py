"""Evidence of a value that was compared with a condition."""

from __future__ import annotations

from tasks.conditions import Condition
from tasks.evidence import Evidence, Truth
from tasks.situations import Said, Situation

_SHOWN = 120


def compared(
    place: str,
    what: str,
    value: str,
    condition: Condition,
    situation: Situation,
    said: Said | None = None,
) -> Evidence:
    """Returns whether a value meets a condition, with both in words.

    Raises:
        ValueError: a number was wanted, and the value is none.
    """
    holds = condition.holds(value, situation.values)
    shown = value if len(value) <= _SHOWN else f"{value[:_SHOWN]}…"
    reason = f"{what} is “{shown}”; wanted: {condition.words(situation.values)}"
    if said is None:
        return result(place, holds, reason)
    return result(place, holds, reason, said.command, said.code, said.head)


def result(
    place: str,
    holds: bool,
    reason: str,
    command: str = "",
    code: int | None = None,
    output: str = "",
) -> Evidence:
    """Returns true or false with its reason."""
    return Evidence(place, Truth.of(holds), reason, float(holds), command, code, output)
