"""How each protocol was checked: compared with the original's code, or transcribed from a
description.

A check runs the original's unchanged functions and ours on random cases. The harnesses and the
original code are not part of the project. The figures are also in `docs/protocols/README.md`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

ORIGINAL, TRANSCRIBED, OWN = "original", "transcription", "own rule"


@dataclass(frozen=True, slots=True)
class ProtocolCheck:
    """The check of a protocol's verdicts.

    Attributes:
        how: ORIGINAL (its functions were run), TRANSCRIBED (only a description was compared), or
            OWN for a rule of Taptrail.
        code: repository and commit of the functions that were run, "" for others.
        cases: random cases compared.
        differences: cases with another verdict.
        note: cases that were left out, and other remarks.
    """

    how: str
    cases: int
    code: str = ""
    differences: int = 0
    note: str = ""

    def __str__(self) -> str:
        """Returns the check as text, for a list."""
        count = f"{self.cases:,} random cases, {self.differences or 'no'} differences"
        if self.how == ORIGINAL:
            told = f"run beside the original's code at {self.code}: {count}"
        elif self.how == TRANSCRIBED:
            told = f"transcribed from prose, the original's code was not run: {count}"
        else:
            told = f"Taptrail's own rule, held against a transcription: {count}"
        return f"{told}. {self.note}" if self.note else told


_COLONS = "Golds are those of its converter. Expressions Taptrail does not work out are left out."
_SUBNORMAL = (
    "Left out: numbers nearer to zero than 1.2e-38, which XLA takes for zero on a processor."
)
_CPM = "OpenBMB/AgentCPM-GUI@acbaf50"
_CPM_GOLDS = "Golds are those of process_ac.py."

CHECKS: dict[str, ProtocolCheck] = {
    "guiodyssey@2": ProtocolCheck(ORIGINAL, 10_000, "OpenGVLab/GUI-Odyssey@fefcbe9", note=_COLONS),
    "guiodyssey@1": ProtocolCheck(ORIGINAL, 10_000, "OpenGVLab/GUI-Odyssey@f53b3f4", note=_COLONS),
    "taptrail-strict@1": ProtocolCheck(OWN, 10_000),
    "guiodyssey/os-atlas@2": ProtocolCheck(ORIGINAL, 10_000, "OS-Copilot/OS-Atlas@bad0840"),
    "guiodyssey/os-atlas@1": ProtocolCheck(
        TRANSCRIBED,
        10_000,
        note="Answers without a header differ from the original; see version 2.",
    ),
    "guiodyssey/agentcpm@1": ProtocolCheck(ORIGINAL, 10_000, _CPM),
    "guiodyssey/gui-r1@2": ProtocolCheck(ORIGINAL, 10_000, "ritzz-ai/GUI-R1@d43eea2"),
    "guiodyssey/gui-r1@1": ProtocolCheck(
        TRANSCRIBED, 10_000, note="Texts without tags differ from the original; see version 2."
    ),
    "aitw@1": ProtocolCheck(
        ORIGINAL,
        5_500,
        "cooelf/Auto-GUI@26ea0f2",
        note=f"The copy of google-research's action_matching.py, with jax 0.10.2. {_SUBNORMAL}",
    ),
    "aitw/auto-gui@2": ProtocolCheck(ORIGINAL, 5_212, "cooelf/Auto-GUI@26ea0f2", note=_SUBNORMAL),
    "aitw/auto-gui@1": ProtocolCheck(ORIGINAL, 5_212, "cooelf/Auto-GUI@0b37eba", note=_SUBNORMAL),
    "aitz@2": ProtocolCheck(ORIGINAL, 10_000, "IMNearth/CoAT@9ab1a9f"),
    "aitz@1": ProtocolCheck(
        TRANSCRIBED, 10_000, note="Clicks by number differ from the original; see version 2."
    ),
    "aitz/lift@2": ProtocolCheck(
        ORIGINAL,
        10_000,
        "IMNearth/CoAT@9ab1a9f",
        note="The gold's click was put at the lift, which the released evaluator does not do.",
    ),
    "aitz/lift@1": ProtocolCheck(
        TRANSCRIBED, 10_000, note="Clicks by number differ from the original; see version 2."
    ),
    "aitz/agentcpm@2": ProtocolCheck(ORIGINAL, 10_000, _CPM),
    "aitz/agentcpm@1": ProtocolCheck(
        TRANSCRIBED, 10_000, note="CAGUI's codes 0 and 1 differ from the original; see version 2."
    ),
    "androidcontrol/paper@1": ProtocolCheck(TRANSCRIBED, 10_000, note="No code is published."),
    "androidcontrol/uground@1": ProtocolCheck(
        ORIGINAL,
        10_000,
        "OSU-NLP-Group/UGround@3a9b9f2",
        note="Which elements are kept was not compared; Taptrail's were given to it.",
    ),
    "androidcontrol/os-atlas@1": ProtocolCheck(ORIGINAL, 10_000, "OS-Copilot/OS-Atlas@bad0840"),
    "androidcontrol/qwen25vl@1": ProtocolCheck(ORIGINAL, 10_000, "InfiXAI/InfiGUI-R1@a4fca17"),
    "androidcontrol/agentcpm@1": ProtocolCheck(ORIGINAL, 6_000, _CPM, note=_CPM_GOLDS),
    "androidcontrol/agentcpm-no-flag@1": ProtocolCheck(ORIGINAL, 6_000, _CPM, note=_CPM_GOLDS),
    "androidcontrol/gui-r1@2": ProtocolCheck(ORIGINAL, 10_000, "ritzz-ai/GUI-R1@d43eea2"),
    "androidcontrol/gui-r1@1": ProtocolCheck(
        TRANSCRIBED, 10_000, note="Texts without tags differ from the original; see version 2."
    ),
    "androidcontrol/clawgui@1": ProtocolCheck(ORIGINAL, 10_000, "ZJU-REAL/ClawGUI@d990d3e"),
    "androidcontrol/mimo@1": ProtocolCheck(ORIGINAL, 10_000, "XiaomiMiMo/lmms-eval@c3abd7b"),
}
"""The check of each protocol, by its key."""

_SAME_RULE = "The rule is version 1's; which tree a recorded step is judged by differs."
CHECKS |= {
    f"{name}@2": replace(
        CHECKS[f"{name}@1"], note=f"{CHECKS[f'{name}@1'].note} {_SAME_RULE}".strip()
    )
    for name in (
        "aitw",
        "androidcontrol/paper",
        "androidcontrol/uground",
        "androidcontrol/qwen25vl",
        "androidcontrol/agentcpm",
        "androidcontrol/agentcpm-no-flag",
        "androidcontrol/clawgui",
        "androidcontrol/mimo",
    )
}


def check_to_json(check: ProtocolCheck) -> dict[str, Any]:
    """Returns a check as `taptrail protocols --json` prints it; `code` is null if none was run."""
    return {
        "how": check.how,
        "code": check.code or None,
        "cases": check.cases,
        "differences": check.differences,
        "note": check.note,
    }
