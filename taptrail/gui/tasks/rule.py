"""The rule budgets are made by, as the settings keep it."""

from __future__ import annotations

from taptrail.settings import Settings
from taptrail.usecases.reference_times import Aggregate, BudgetRule


def rule_of(settings: Settings) -> tuple[BudgetRule, bool]:
    """Returns the rule, and whether the finish counts as a step."""
    rule = BudgetRule(settings.budget_factor, Aggregate(settings.budget_of), settings.budget_floor)
    return rule, settings.budget_finish
