"""What each protocol is checked against: how many vectors of what origin, and which transcriptions.

`python -m tests.conformance --table` prints the tables as they stand in `docs/protocols/README.md`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scoring.protocols import PROTOCOLS
from scoring.protocols.checks import CHECKS, ORIGINAL
from tests.conformance.androidcontrol import VARIANTS
from tests.conformance.evaluators import ODYSSEY, WILD

VECTORS = Path(__file__).parent.parent / "vectors"
OWN, BY_HAND = "the original's own answers", "by hand"
NAMES = {
    "guiodyssey-official-v2": "guiodyssey@2",
    "guiodyssey-official-v2/aggregate": "guiodyssey@2",
    "guiodyssey-official-v1": "guiodyssey@1",
    "guiodyssey-official-v1/aggregate": "guiodyssey@1",
    "aitw-official": "aitw@1",
    "aitw/aggregate": "aitw@1",
}
"""The golden files' names of protocols, where they are not ours."""

CASES = 10_000
"""The random cases of `TAPTRAIL_CASES=10000 pytest tests/scoring`; the suite takes fewer."""

TRANSCRIBED = {
    "test_against_transcription": ("guiodyssey@1", "guiodyssey@2"),
    "test_aitw_transcription": ("aitw@1", "aitw@2"),
    "test_auto_gui_transcription": ("aitw/auto-gui@1", "aitw/auto-gui@2"),
    "test_aitz_transcription": ("aitz@1", "aitz@2", "aitz/lift@1", "aitz/lift@2"),
    "test_aitz_agentcpm_transcription": ("aitz/agentcpm@1", "aitz/agentcpm@2"),
    "test_strict_transcription": ("taptrail-strict@1",),
    "test_odyssey_others_transcription": (
        *("guiodyssey/os-atlas@1", "guiodyssey/os-atlas@2"),
        *("guiodyssey/agentcpm@1", "guiodyssey/gui-r1@1", "guiodyssey/gui-r1@2"),
    ),
    "test_androidcontrol_transcriptions": tuple(
        key for key in PROTOCOLS if key.startswith("androidcontrol/")
    ),
}
"""The tests of `tests/scoring` that hold rules against a transcription of a description."""


def vector_table() -> str:
    """Returns a Markdown table of the cases in `tests/vectors`, by protocol, group and source.

    A case that asks several evaluators counts once for each there is a protocol of. Cases of the
    protocol "import" ask for a reading of text, not for a verdict.
    """
    counted = Counter(
        (case.told, case.group, case.source) for case in _cases() if not case.reading
    ) + Counter(("reading", case.group, case.source) for case in _cases() if case.reading)
    rows = [
        f"| {protocol} | {group} | {source} | {number} |"
        for (protocol, group, source), number in sorted(counted.items())
    ]
    return "\n".join(["| protocol | group | computed by | cases |", "|---|---|---|---|", *rows])


def origin_table() -> str:
    """Returns a Markdown table with a line for each protocol: vectors the original answered,
    vectors derived by hand, random cases of a transcription, and what that makes it."""
    counted = Counter((case.key, case.origin) for case in _cases() if not case.reading)
    random = {key for keys in TRANSCRIBED.values() for key in keys}
    rows = []
    for key in PROTOCOLS:
        asked = _first_version(key)
        own, hand, told = (
            counted[asked, OWN],
            counted[asked, BY_HAND],
            CASES if key in random else 0,
        )
        rows.append(f"| `{key}` | {own or ''} | {hand or ''} | {f'{told:,}' if told else ''} "
                    f"| {_basis(key, own, told)} |")  # fmt: skip
    head = "| protocol | vectors: the original's own answers | vectors: by hand, from a definition "
    head += "| random cases: a transcription of prose | so it is |"
    return "\n".join([head, "|---|---:|---:|---:|---|", *rows])


def run_table() -> str:
    """Returns a Markdown table with how each protocol was compared with its original."""
    rows = []
    for key, check in CHECKS.items():
        code = f"run: {check.code}" if check.how == ORIGINAL else check.how
        row = (f"`{key}`", code, f"{check.cases:,}", str(check.differences), check.note)
        rows.append(f"| {' | '.join(row)} |")
    head = "| protocol | the original's own code | random cases | differences | note |"
    return "\n".join([head, "|---|---|---:|---:|---|", *rows])


def _basis(key: str, own: int, transcribed: int) -> str:
    if key.startswith("taptrail-strict"):
        return "our own rule, and a transcription"
    if key.startswith("androidcontrol/paper@"):
        return "a reconstruction"
    if own:
        return "checked against the original"
    return "a transcription" if transcribed else "checked against nothing"


def _first_version(key: str) -> str:
    """Returns the first version with a protocol's rule: later ones may read other trees alone."""
    protocol = PROTOCOLS[key]
    first = PROTOCOLS.get(f"{protocol.name}@1", protocol)
    return first.key if first.judge is protocol.judge else key


class _Case:
    """One case, for one protocol."""

    def __init__(self, told: str, key: str, group: str, source: str, *, reading: bool) -> None:
        self.told, self.key, self.group, self.source = told, key, group, source
        self.reading = reading
        self.origin = BY_HAND if source in ("by hand", "the definition") else OWN


def _cases() -> Iterator[_Case]:
    for path in sorted(VECTORS.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            if isinstance(case, dict):
                yield from _of(case)


def _of(case: dict[str, Any]) -> Iterator[_Case]:
    for evaluator, key in {**ODYSSEY, **WILD}.items():
        if evaluator in case.get("verdicts", {}):
            yield _Case(key.split("@")[0], key, "side by side", evaluator, reading=False)
    if not {"protocol", "expected", "computed_by"} <= case.keys():
        return
    source = case["computed_by"].split(" ", 1)[0]
    if case["protocol"] == "import":
        yield _Case("", "", case["variant"], source, reading=True)
    elif case.get("variant") in VARIANTS:
        key = VARIANTS[case["variant"]]
        source = "by hand" if source == "derived" else source
        yield _Case(key.split("@")[0], key, case["variant"], source, reading=False)
    else:
        told = case["protocol"]
        source = "the definition" if source.endswith(":") else source
        group = case.get("group", "whole runs")
        yield _Case(told, NAMES.get(told, told), group, source, reading=False)
