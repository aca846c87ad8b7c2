"""How many steps so far, and of how many where people's attempts give the task a budget."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from episodes.errors import KnownError
from episodes.store.library import Library
from taptrail.gui.components.labels import label
from taptrail.gui.components.messages import Bar
from taptrail.gui.components.panel import Row, Section
from taptrail.gui.fonts import CAPTION, FACTS
from taptrail.gui.preferences import Preferences
from taptrail.gui.tasks.rule import rule_of
from taptrail.gui.work import WorkThread
from taptrail.usecases import attempts
from taptrail.usecases.attempts import Reference
from taptrail.usecases.reference_times import Aggregate
from taptrail.words import tr

_OF = {Aggregate.MEDIAN: "median", Aggregate.MEAN: "mean", Aggregate.MAX: "most"}


class TaskBudget(QObject):
    """Finds what people needed for the task that is recorded now.

    Signals:
        found: (steps that are allowed, or None; the rule in words, or "").
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
        """Finds the budget of a task by its words; of none where nobody has tried it."""
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
    """The number of saved steps, with the budget where there is one."""

    def __init__(self) -> None:
        self._count = label("0", FACTS, 600)
        self._of = label("", FACTS, tone="2")
        self._bar = Bar(6, tr("Steps of the budget"))
        self._rule = label("", CAPTION, tone="3", wrap=True)
        super().__init__(
            Row(label(tr("Steps"), FACTS, 600), None, self._count, self._of, gap=4),
            self._bar,
            self._rule,
        )
        self._steps = 0
        self._allowed: int | None = None
        self.show_budget(None, "")

    def show_steps(self, count: int) -> None:
        """Shows how many steps are saved."""
        self._steps = count
        self._show()

    def show_budget(self, allowed: int | None, rule: str) -> None:
        """Shows how many steps the task may take, and why; None where nobody knows."""
        self._allowed = allowed
        self._rule.setText(rule)
        for part in (self._of, self._bar, self._rule):
            part.setVisible(allowed is not None)
        self._show()

    def words(self) -> str:
        """Returns what is shown: "9 of 28 in the budget", or "9"."""
        return " ".join(part for part in (self._count.text(), self._of_words()) if part)

    def rule(self) -> str:
        """Returns where the budget comes from; "" without one."""
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
