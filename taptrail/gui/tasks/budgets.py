"""What people need for each task, as far as it has been read, and the budgets that follow."""

from __future__ import annotations

from collections.abc import Iterable

from taptrail.gui.tasks.rule import rule_of
from taptrail.settings import Settings
from taptrail.usecases import attempts
from taptrail.usecases.attempts import Reference
from taptrail.usecases.reference_times import Budget


class Budgets:
    """References by their tasks' words, and steps allowed by the rule that holds now.

    Attributes:
        rule, with_finish: how budgets are made.
    """

    def __init__(self, settings: Settings) -> None:
        self.rule, self.with_finish = rule_of(settings)
        self._told: dict[str, Reference] = {}
        self._allowed: dict[str, int | None] = {}

    def knows(self, task: str) -> bool:
        """Returns whether a task has been read."""
        return task in self._told

    def reference(self, task: str) -> Reference | None:
        """Returns what people need for a task; None where it has not been read."""
        return self._told.get(task)

    def budget(self, task: str) -> Budget:
        """Returns the budget of a task that has been read."""
        rule = self.rule
        return self._told[task].budget(rule.factor, rule.aggregate, rule.floor)

    def steps(self, task: str) -> int | None:
        """Returns how many steps a task that has been read may take; None where nobody knows."""
        if task not in self._allowed:
            self._allowed[task] = self.budget(task).steps
        return self._allowed[task]

    def take(self, asked: Iterable[str], found: dict[str, Reference]) -> None:
        """Keeps what was read of some tasks."""
        # A task whose one episode is being recorded now has no attempt yet.
        none = {task: attempts.reference_of(()) for task in asked}
        self._told.update(none | found)

    def forget(self) -> None:
        """Knows of no task any more."""
        self._told.clear()
        self._allowed.clear()

    def use(self, settings: Settings) -> tuple[bool, bool]:
        """Uses the budget rule of the settings; returns whether it changed."""
        before, with_finish = (self.rule, self.with_finish), self.with_finish
        self.rule, self.with_finish = rule_of(settings)
        other = before != (self.rule, self.with_finish)
        if other:
            self._allowed.clear()
        return other, with_finish != self.with_finish
