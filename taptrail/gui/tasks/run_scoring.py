"""Scores the stored runs within the shown budget, in the background."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from episodes.errors import KnownError
from episodes.store.library import Library
from taptrail.gui.tasks.budget import RunScores
from taptrail.gui.tasks.budgets import Budgets
from taptrail.gui.work import Progress, WorkThread
from taptrail.usecases.budget_scores import BudgetScore, scores_at_budget

_PAUSE_MS = 200


class RunScoring(QObject):
    """Scores the runs of one task or of all, shortly after the last request."""

    def __init__(
        self, judge: WorkThread[Library], budgets: Budgets, scores: RunScores, protocol: str
    ) -> None:
        super().__init__(scores)
        self._judge, self._budgets, self._scores = judge, budgets, scores
        self._protocol, self._task, self._all_tasks = protocol, "", False
        self._progress: Progress | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_PAUSE_MS)
        self._soon.timeout.connect(self._score)

    def show_task(self, task: str) -> None:
        """Scores the runs of a task, or of all tasks if that scope is selected."""
        self._task = task
        self._soon.start()

    def choose_protocol(self, protocol: str) -> None:
        """Scores by another protocol."""
        self._protocol = protocol
        self._scores.show_protocol(protocol)
        self._soon.start()

    def choose_scope(self, all_tasks: bool) -> None:
        """Sets the scope: all tasks, or the shown one."""
        self._all_tasks = all_tasks
        self._soon.start()

    def stop(self) -> None:
        """Cancels running work."""
        if self._progress is not None:
            self._progress.cancel()

    def _score(self) -> None:
        self.stop()
        self._progress = progress = Progress(self)
        scores = self._scores
        progress.moved.connect(scores.moved)
        task = "" if self._all_tasks else self._task
        protocol, rule = self._protocol, self._budgets.rule
        with_finish = self._budgets.with_finish
        scores.begin()

        def job(library: Library) -> tuple[BudgetScore, ...]:
            if not library.runs():
                return ()
            return scores_at_budget(
                library,
                protocol,
                task=task,
                rule=rule,
                with_finish=with_finish,
                on_progress=progress,
            )

        def done(found: tuple[BudgetScore, ...]) -> None:
            if self._progress is progress:
                self._progress = None
                scores.show_scores(found)

        def failed(error: KnownError) -> None:
            if self._progress is progress:
                self._progress = None
                scores.stop()
                scores.error.tell(error)

        self._judge.run(job, owner=self, done=done, failed=failed, progress=progress)
