"""Random AndroidControl steps with a prediction each, for comparing a scorer with the oracles.

Two of every five cases lie on a threshold of the rule or one unit (for floats: one last bit)
beside it. No case says what is right: `judge` does.
"""

import random
from collections.abc import Iterator
from types import ModuleType

from tests.oracles.androidcontrol import (
    EVALUATORS,
    agentcpm_cases,
    clawgui_cases,
    gui_r1_cases,
    mimo_cases,
    os_atlas_cases,
    paper_cases,
    qwen25vl_cases,
    uground_cases,
)
from tests.oracles.androidcontrol.making import Case, Maker
from tests.oracles.androidcontrol.parts import Verdict

_MODULES: dict[str, ModuleType] = {
    "paper": paper_cases,
    "uground": uground_cases,
    "os-atlas": os_atlas_cases,
    "qwen25vl": qwen25vl_cases,
    "agentcpm": agentcpm_cases,
    "agentcpm-no-flag": agentcpm_cases,
    "gui-r1": gui_r1_cases,
    "clawgui": clawgui_cases,
    "mimo": mimo_cases,
}

# For each evaluator, the kinds of case whose result follows from a choice of the oracle, not from
# the description. A scorer that differs there has chosen otherwise; it has not broken the rule.
SILENT: dict[str, dict[str, str]] = {name: module.SILENT for name, module in _MODULES.items()}
SILENT["agentcpm-no-flag"] = agentcpm_cases.SILENT_WITHOUT_FLAG


def cases(evaluator: str, seed: int, n: int) -> Iterator[Case]:
    """`n` cases {"kind", "threshold", "arguments"}, the same for a seed.

    `evaluator` is a key of EVALUATORS. "arguments" are those of its `judge`, by name: "gold" and
    "prediction", which the evaluator's module describes, and for some a "flag" or a "model".

    Raises: KeyError for an evaluator that does not exist.
    """
    module = _MODULES[evaluator]
    on_threshold: list[Maker] = module.THRESHOLD
    elsewhere: list[Maker] = module.ELSEWHERE
    if evaluator == "agentcpm-no-flag":
        on_threshold, elsewhere = module.THRESHOLD_WITHOUT_FLAG, module.ELSEWHERE_WITHOUT_FLAG
    rng = random.Random(seed)
    for i in range(n):
        yield rng.choice(on_threshold if i % 5 in (0, 2) else elsewhere)(rng)


def judge(evaluator: str, made: Case) -> Verdict:
    """What the evaluator says about a case: (correct, parts)."""
    return EVALUATORS[evaluator].judge(**made["arguments"])


def is_silent(evaluator: str, made: Case) -> bool:
    """Whether the result of the case follows from a choice of the oracle."""
    return made["kind"] in SILENT[evaluator]


def is_on_threshold(made: Case) -> bool:
    """Whether the case was made to lie on a threshold or directly beside one."""
    return made["threshold"]
