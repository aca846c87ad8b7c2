"""What is worth knowing about a run that was read, each with a code that programs can look for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Finding:
    """One kind of thing that was found in a run's files.

    Attributes:
        code: names the kind, for example "steps_from_one".
        text: a sentence.
        count: how many rows, steps or points it is about.
        declare: the option of the command line that would fit; "" where none does.
    """

    code: str
    text: str
    count: int = 1
    declare: str = ""


def findings_to_json(findings: tuple[Finding, ...]) -> list[dict[str, Any]]:
    """Returns what commands print of findings as JSON."""
    return [
        {"code": one.code, "text": one.text, "count": one.count, "declare": one.declare}
        for one in findings
    ]
