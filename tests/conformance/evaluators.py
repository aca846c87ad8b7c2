"""Cases that ask several evaluators at once, by the names the golden file has for them.

A case has no protocol of its own; its gold says whether it is GUIOdyssey's or Android in the
Wild's. The answer has a verdict for each evaluator there is a protocol of, and says why there is
none for the others.
"""

from __future__ import annotations

from typing import Any

from episodes.verdicts import Outcome, Verdict
from tests.conformance import aitw, guiodyssey
from tests.conformance.guiodyssey import Answer

ODYSSEY = {
    "official(GUI-Odyssey fefcbe9)": "guiodyssey@2",
    "OS-Atlas bad0840": "guiodyssey/os-atlas@2",
    "AgentCPM-GUI acbaf50": "guiodyssey/agentcpm@1",
    "GUI-R1 d43eea2 (ALL Step)": "guiodyssey/gui-r1@2",
}
WILD = {
    "official action_matching (also Auto-GUI, SeeClick, ShowUI, SimpAgent)": "aitw@1",
    "AgentCPM-GUI acbaf50 on AITZ": "aitz/agentcpm@2",
}
NOT_HERE = {
    "SimpAgent 6090007": "SimpAgent's own rules for GUIOdyssey are no protocol here",
    "MM-Navigator e9c1781": "MM-Navigator's rules are no protocol here",
}


def one_answer(name: str) -> Answer:
    """Returns what answers a case with one evaluator's verdict, by its name in the golden file."""
    return lambda case: {"got": verdict_of(case, {**ODYSSEY, **WILD}[name])}


def answer(case: dict[str, Any]) -> dict[str, Any]:
    """Answers a case with every evaluator's verdict, by name."""
    wild = "action_type" in case["gold"]
    names = WILD if wild else ODYSSEY
    left = "MM-Navigator e9c1781" if wild else "SimpAgent 6090007"
    return {
        "got": {name: verdict_of(case, key) for name, key in names.items()},
        "unsupported": {left: NOT_HERE[left]},
    }


def verdict_of(case: dict[str, Any], key: str) -> bool | str:
    """Returns a protocol's verdict on a case in the golden file's words."""
    told = _verdict(case, key)
    if told.outcome is Outcome.UNSCORED:
        return "not counted"
    if "error" in told.parts and key == "aitw@1":
        return f"raises {told.parts['error']}"
    return told.outcome is Outcome.MATCH


def _verdict(case: dict[str, Any], key: str) -> Verdict:
    if "action_type" in case["gold"]:
        return aitw.verdict_on(case, key)
    gold = case["gold"]
    context = {**(case.get("context") or {})}
    if "sam2_bbox" in gold:
        context["sam2_bbox"] = gold["sam2_bbox"]
    return guiodyssey.verdict_on({**case, "context": context}, key)
