"""Applies a step budget to a protocol: answers after the budget do not count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from episodes.episodes import Episode
from episodes.runs import Prediction
from episodes.steps import Step
from episodes.verdicts import Outcome, Verdict
from scoring.protocol import CannotSay, ScoringProtocol

BUDGET = "budget"
BudgetOf = Callable[[Episode], int | None]


@dataclass(frozen=True, slots=True)
class Spent:
    """The gold of a step beyond the budget."""

    budget: int


def at_budget(protocol: ScoringProtocol, budget_of: BudgetOf) -> ScoringProtocol:
    """Returns the protocol for an agent that stops after a number of steps.

    Steps beyond it are mismatches by the rule BUDGET, with or without a prediction, so their
    episode fails. A step without gold is still not scored.

    Args:
        budget_of: returns the number of steps allowed in an episode; None for no limit.
    """

    def gold(step: Step, episode: Episode) -> Any | CannotSay:
        found = protocol.gold(step, episode)
        budget = budget_of(episode)
        if budget is None or isinstance(found, CannotSay):
            return found
        before = sum(other.index < step.index for other in episode.steps)
        return Spent(budget) if before >= budget else found

    def judge(prediction: Prediction | None, gold: Any) -> Verdict:
        if not isinstance(gold, Spent):
            return protocol.judge(prediction, gold)
        reason = f"The step budget of {gold.budget} is used up before this step."
        # The label is GUIOdyssey's word for a wrong type, so that its type rate counts no hit.
        parts: dict[str, str | int | bool] = {
            "type": False,
            "label": "action_fail",
            "budget": gold.budget,
        }
        return Verdict(Outcome.MISMATCH, BUDGET, reason, {**parts})

    return replace(protocol, gold=gold, judge=judge)
