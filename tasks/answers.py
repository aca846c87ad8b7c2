"""The check of an answer: exact, a set, or a number with a tolerance."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from tasks.compared import result
from tasks.conditions import text_with_holes
from tasks.evidence import Evidence
from tasks.located import Located
from tasks.parameters import fill
from tasks.situations import Situation

_SPACE = re.compile(r"\s+")
_NUMBER = re.compile(r"[-+]?\d{1,15}(?:\.\d{1,15})?")

Look = Callable[[Situation, str], Evidence]


def read_answer(told: Located, parameters: frozenset[str]) -> Look:
    """Returns a check of the answer: {exact: text}, {set: [texts]} or {number: n, tolerance: t}.

    No answer is false, not unknown: nobody said anything.
    """
    members = told.mapping("exact", "set", "number", "tolerance")
    kinds = [name for name in ("exact", "set", "number") if name in members]
    if len(kinds) != 1:
        told.refuse("one of exact, set, number is expected")
    kind = kinds[0]
    if "tolerance" in members and kind != "number":
        members["tolerance"].refuse("only a number has a tolerance")
    tolerance = members["tolerance"].number() if "tolerance" in members else 0.0
    wanted = [
        text_with_holes(one, parameters)
        for one in (members[kind].items() if kind == "set" else (members[kind],))
    ]

    def look(situation: Situation, place: str) -> Evidence:
        filled = [fill(one, situation.values) for one in wanted]
        if situation.answer is None:
            return result(place, False, f"no answer was given; wanted: {', '.join(filled)}")
        said = situation.answer
        match kind:
            case "exact":
                holds = folded(said) == folded(filled[0])
            case "set":
                holds = members_of(said) == Counter(map(folded, filled))
            case _:
                number = number_of(said)
                holds = number is not None and abs(number - float(filled[0])) <= tolerance
        return result(place, holds, f"the answer is “{said[:120]}”; wanted: {', '.join(filled)}")

    return look


def folded(text: str) -> str:
    """Returns a text without differences of case and spaces."""
    return _SPACE.sub(" ", text).strip().casefold()


def members_of(text: str) -> Counter[str]:
    """Returns the members of a list in words, which commas, semicolons or lines divide."""
    return Counter(folded(part) for part in re.split(r"[,;\n]", text) if part.strip())


def number_of(text: str) -> float | None:
    """Returns the number that a text is; None for any other text."""
    found = _NUMBER.fullmatch(text.strip())
    return float(found[0]) if found is not None else None
