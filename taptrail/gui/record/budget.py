"""Step counter of a recording, with the step budget of the task if there is one."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from episodes.errors import KnownError
from episodes.store.library import Library
from taptrail.gui.components.labels import label
from taptrail.gui.components.messages import Bar
from taptrail.gui.components.panel import Section, WidgetRow
from taptrail.gui.fonts import CAPTION, FACTS
from taptrail.gui.preferences import Preferences
from taptrail.gui.tasks.budgets import rule_of
from taptrail.gui.work import WorkThread
from taptrail.usecases import attempts
from taptrail.usecases.attempts import Reference
from taptrail.usecases.reference_times import Aggregate
from taptrail.words import tr

_OF = {Aggregate.MEDIAN: "median", Aggregate.MEAN: "mean", Aggregate.MAX: "most"}


class TaskBudget(QObject):
    """Looks up the step budget of the task that is being recorded.

    Signals:
        found: (allowed steps or None, the rule as text or "").
        failed: a KnownError.
    """

    found = Signal(object, str)
    failed = Signal(object)

    def __init__(
        self, reader: WorkThread[Library], preferences: Preferences, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._reader, self._preferences = reader, preferences
        self._task = ""
        preferences.changed.connect(self._read)

    def look_up(self, task: str) -> None:
        """Looks up the budget of a task by its instruction; there is none without attempts."""
        self._task = attempts.same_task(task)
        self.found.emit(None, "")
        self._read()

    def _read(self, _: object = None) -> None:
        task = self._task
        if not task:
            return
        rule, with_finish = rule_of(self._preferences.settings)

        def done(found: dict[str, Reference]) -> None:
            if task != self._task or task not in found:
                return
            people = sum(one.counts for one in found[task].attempts)
            budget = found[task].budget(rule.factor, rule.aggregate, rule.floor)
            if budget.steps is None:
                self.found.emit(None, "")
                return
            words = tr(
                "{factor} × the {which} of {n} attempt by people",
                "{factor} × the {which} of {n} attempts by people",
                n=people,
                factor=rule.factor,
                which=tr(_OF[rule.aggregate]),
            )
            if budget.steps == rule.floor:
                words += tr(", not below {least}", least=rule.floor)
            self.found.emit(budget.steps, words)

        def failed(error: KnownError) -> None:
            self.failed.emit(error)

        self._reader.run(
            lambda library: attempts.references(library, [task], with_finish=with_finish),
            owner=self,
            done=done,
            failed=failed,
        )


class StepsSoFar(Section):
    """The number of saved steps, with the budget if there is one."""

    def __init__(self) -> None:
        self._count = label("0", FACTS, 600)
        self._of = label("", FACTS, tone="2")
        self._bar = Bar(6, tr("Steps of the budget"))
        self._rule = label("", CAPTION, tone="3", wrap=True)
        super().__init__(
            WidgetRow(label(tr("Steps"), FACTS, 600), None, self._count, self._of, gap=4),
            self._bar,
            self._rule,
        )
        self._steps = 0
        self._allowed: int | None = None
        self.show_budget(None, "")

    def show_steps(self, count: int) -> None:
        """Shows the number of saved steps."""
        self._steps = count
        self._show()

    def show_budget(self, allowed: int | None, rule: str) -> None:
        """Shows the step budget of the task and its rule; None if it is unknown."""
        self._allowed = allowed
        self._rule.setText(rule)
        for part in (self._of, self._bar, self._rule):
            part.setVisible(allowed is not None)
        self._show()

    def words(self) -> str:
        """Returns the shown text: "9 of 28 in the budget", or "9"."""
        return " ".join(part for part in (self._count.text(), self._of_words()) if part)

    def rule(self) -> str:
        """Returns the rule of the budget; "" without a budget."""
        return self._rule.text()

    def _of_words(self) -> str:
        if self._allowed is None:
            return ""
        if self._steps > self._allowed:
            return tr("of {n}, past the budget", n=self._allowed)
        return tr("of {n} in the budget", n=self._allowed)

    def _show(self) -> None:
        self._count.setText(f"{self._steps:,}")
        self._of.setText(self._of_words())
        if self._allowed is None:
            said = tr("1 step saved", "{n} steps saved", n=self._steps)
        else:
            said = tr("Steps saved: {words}", words=self.words())
            past = self._steps > self._allowed
            share = 1.0 if past else self._steps / max(1, self._allowed)
            self._bar.set_parts((share, "mismatch" if past else "accent"))
        self._count.setAccessibleName(said)
