"""Judged steps for the tests of numbers: each is told in a few words."""

from typing import Any

from episodes.verdicts import Outcome, Verdict
from scoring.numbers import StepFacts

OUTCOMES = {"+": Outcome.MATCH, "-": Outcome.MISMATCH, "?": Outcome.UNSCORED}


def fact(
    episode: str,
    step: int,
    told: str,
    gold: str = "tap",
    predicted: str = "",
    rule: str = "rule",
    **more: Any,
) -> StepFacts:
    """A step whose verdict is "+", "-" or "?"; predicted as the gold where not said."""
    verdict = Verdict(OUTCOMES[told], rule, "Because.")
    return StepFacts(
        f"uuid-{episode}", episode, step, verdict, gold, predicted or gold,
        **({"position": step + 1} | more),
    )  # fmt: skip


def episode(name: str, told: str, **more: Any) -> list[StepFacts]:
    """The steps of an episode, one verdict each: episode("e", "++-")."""
    return [fact(name, n, one, length=len(told), **more) for n, one in enumerate(told)]
