"""Loaded references of tasks (what people needed), and the budgets computed from them."""

from __future__ import annotations

from collections.abc import Iterable

from taptrail.settings import Settings
from taptrail.usecases import attempts
from taptrail.usecases.attempts import Reference
from taptrail.usecases.reference_times import Aggregate, Budget, BudgetRule


class Budgets:
    """References by task instruction, and the allowed steps by the current rule.

    Attributes:
        rule, with_finish: the budget rule, and whether the finish counts as a step.
    """

    def __init__(self, settings: Settings) -> None:
        self.rule, self.with_finish = rule_of(settings)
        self._told: dict[str, Reference] = {}
        self._allowed: dict[str, int | None] = {}

    def knows(self, task: str) -> bool:
        """Returns whether a task is loaded."""
        return task in self._told

    def reference(self, task: str) -> Reference | None:
        """Returns the reference of a task; None if it is not loaded."""
        return self._told.get(task)

    def budget(self, task: str) -> Budget:
        """Returns the budget of a loaded task."""
        rule = self.rule
        return self._told[task].budget(rule.factor, rule.aggregate, rule.floor)

    def steps(self, task: str) -> int | None:
        """Returns the allowed steps of a loaded task; None if unknown."""
        if task not in self._allowed:
            self._allowed[task] = self.budget(task).steps
        return self._allowed[task]

    def take(self, asked: Iterable[str], found: dict[str, Reference]) -> None:
        """Stores loaded references."""
        # A task whose only episode is still being recorded has no attempt yet.
        none = {task: attempts.reference_of(()) for task in asked}
        self._told.update(none | found)

    def forget(self) -> None:
        """Removes all references."""
        self._told.clear()
        self._allowed.clear()

    def use(self, settings: Settings) -> tuple[bool, bool]:
        """Sets the budget rule from the settings. Returns whether it changed."""
        before, with_finish = (self.rule, self.with_finish), self.with_finish
        self.rule, self.with_finish = rule_of(settings)
        other = before != (self.rule, self.with_finish)
        if other:
            self._allowed.clear()
        return other, with_finish != self.with_finish


def rule_of(settings: Settings) -> tuple[BudgetRule, bool]:
    """Returns the budget rule of the settings, and whether the finish counts as a step."""
    rule = BudgetRule(settings.budget_factor, Aggregate(settings.budget_of), settings.budget_floor)
    return rule, settings.budget_finish
