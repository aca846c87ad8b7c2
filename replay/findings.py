"""Findings about an imported run, each with a code for programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class RunFinding:
    """One kind of finding in a run's files.

    Attributes:
        code: names the kind, for example "steps_from_one".
        text: a sentence.
        count: how many rows, steps or points it is about.
        declare: the command-line option that would fit; "" if none does.
    """

    code: str
    text: str
    count: int = 1
    declare: str = ""


def findings_to_json(findings: tuple[RunFinding, ...]) -> list[dict[str, Any]]:
    """Returns findings as commands print them in JSON."""
    return [
        {"code": one.code, "text": one.text, "count": one.count, "declare": one.declare}
        for one in findings
    ]
