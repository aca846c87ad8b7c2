"""How many vectors each protocol is checked against, by where they come from."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from tests.conformance.androidcontrol import VARIANTS
from tests.conformance.evaluators import ODYSSEY, WILD

VECTORS = Path(__file__).parent.parent / "vectors"


def vector_table() -> str:
    """Returns a Markdown table of the cases in `tests/vectors`, by protocol, group and source.

    A case that asks several evaluators counts once for each there is a protocol of.
    """
    counted: Counter[tuple[str, str, str]] = Counter()
    for path in sorted(VECTORS.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            if not isinstance(case, dict):
                continue
            for evaluator, key in {**ODYSSEY, **WILD}.items():
                if evaluator in case.get("verdicts", {}):
                    counted[key.split("@")[0], "side by side", evaluator] += 1
            if case.get("protocol") == "import":
                continue  # asks for a reading of text, not for a verdict
            if case.get("variant") in VARIANTS:
                protocol = VARIANTS[case["variant"]].split("@")[0]
                source = case["computed_by"].split(" ", 1)[0]
                source = "by hand" if source == "derived" else source
                counted[protocol, case["variant"], source] += 1
            elif {"protocol", "expected", "computed_by"} <= case.keys():
                source = case["computed_by"].split(" ", 1)[0]
                source = "the definition" if source.endswith(":") else source
                counted[case["protocol"], case.get("group", "whole runs"), source] += 1
    rows = [
        f"| {protocol} | {group} | {source} | {number} |"
        for (protocol, group, source), number in sorted(counted.items())
    ]
    return "\n".join(["| protocol | group | computed by | cases |", "|---|---|---|---|", *rows])
