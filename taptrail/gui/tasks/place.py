"""The Tasks page: how long people take for a task, and the budget for agents that follows."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QStackedWidget, QWidget

from episodes.errors import KnownError
from episodes.store.library import Library
from taptrail.gui.commands import key, keys
from taptrail.gui.components.button import MAIN, Button
from taptrail.gui.components.labels import ElidedLabel
from taptrail.gui.components.messages import Bar
from taptrail.gui.components.panel import Panel, PanelSplitter
from taptrail.gui.components.shell import Head, Page, StatusBar
from taptrail.gui.fonts import BODY
from taptrail.gui.history import ChangeHistory
from taptrail.gui.preferences import Preferences
from taptrail.gui.tasks.budget import BudgetPanel
from taptrail.gui.tasks.budgets import Budgets
from taptrail.gui.tasks.hints import key_hints
from taptrail.gui.tasks.run_scoring import RunScoring
from taptrail.gui.tasks.side_by_side import SideBySideView, strips
from taptrail.gui.tasks.task_list import TaskList
from taptrail.gui.tasks.task_page import TaskPage, empty_page
from taptrail.gui.tasks.texts import letters_of
from taptrail.gui.thumbnails import Pictures
from taptrail.gui.work import WorkThread
from taptrail.settings import Settings
from taptrail.usecases import attempts
from taptrail.usecases.attempt_steps import AttemptSteps, side_by_side
from taptrail.usecases.attempts import CountingDecision, Reference, TaskLine
from taptrail.usecases.reference_times import BudgetRule
from taptrail.usecases.saved_changes import SavedChange
from taptrail.words import tr

PROTOCOL = "guiodyssey@2"
_PATIENCE_MS = 500


class TasksPlace(Page):
    """Signals:
    record: (instruction, category) of a task to record again.
    browse: the user asked for the Episodes page.
    annotate, review: (uuid, row of the step) to show on that page.
    said: (message, whether undo is offered) after a change.
    """

    record = Signal(str, str)
    browse = Signal()
    annotate = Signal(str, int)
    review = Signal(str, int)
    said = Signal(str, bool)

    def __init__(
        self,
        reader: WorkThread[Library],
        judge: WorkThread[Library],
        thumbnails: Pictures,
        history: ChangeHistory,
        preferences: Preferences,
        protocol: str = PROTOCOL,
    ) -> None:
        super().__init__("Tasks")
        self._reader, self._history = reader, history
        self._preferences = preferences
        self._budgets = Budgets(preferences.settings)
        self._search = ""
        self._lines: dict[str, TaskLine] = {}
        self._task = ""
        self._round = 0
        self._there: bool | None = None

        self.list = TaskList(key("find-task"))
        self.page = TaskPage(key("chart-table"), key("side-by-side"), key("judge-attempt"))
        self.side = SideBySideView(thumbnails)
        self.budget = BudgetPanel(protocol)
        self.scoring = RunScoring(judge, self._budgets, self.budget.scores, protocol)
        self._count = ElidedLabel("", BODY, ink="text2")
        self._try = Button(
            tr("Record attempt"), "record-circle-outline", kind=MAIN, key=key("record-attempt")
        )
        self._bar = Bar(2, tr("Reading the tasks"))
        self._bar.hide()
        head = Head(tr("Tasks"), [self._count], [], [self._try])
        self.furnish(head, self._body(), StatusBar([]))
        self.list.model.set_budgets(self._budgets.knows, self._budgets.steps)
        self._connect()
        self._show_rule()

    def _body(self) -> QWidget:
        empty = empty_page(lambda: self.record.emit("", ""), self.browse.emit)
        self._middle = QStackedWidget()
        self._middle.addWidget(self.page)
        self._middle.addWidget(self.side)
        across = PanelSplitter(
            Qt.Orientation.Horizontal,
            [self.list, self._middle, self.budget],
            [306, 0, 308],
            [200, 360, 280],
            [250, 0, 288],
        )
        self._stack = QStackedWidget()
        self._stack.addWidget(across)
        self._stack.addWidget(empty)
        whole = Panel(tr("Tasks"), "window")
        whole.add(self._bar, self._stack)
        whole.column.setStretch(1, 1)
        return whole

    def _connect(self) -> None:
        self.list.searched.connect(self._find)
        self.list.turned.connect(self.open_task)
        self.list.wanted.connect(self._read_budgets)
        self.list.error.again.connect(self.refresh)
        self.page.chosen.connect(lambda _: self._show_keys())
        self.page.form.closed.connect(self._show_keys)
        self.page.form.wanted.connect(self._decide)
        self.page.decide.clicked.connect(self._ask)
        self.page.open_side.clicked.connect(self.open_side_by_side)
        self.side.back.connect(self.back_to_task)
        self.budget.changed.connect(self._change_rule)
        self.budget.protocol.connect(self.scoring.choose_protocol)
        self.budget.scope.connect(self.scoring.choose_scope)
        self._try.clicked.connect(self._record)
        self._preferences.changed.connect(self._use)
        self._history.changed.connect(lambda _: self._changed())
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(_PATIENCE_MS)
        self._late.timeout.connect(self._show_late)
        for command, does in (
            ("factor-up", lambda: self.budget.step(1)),
            ("factor-down", lambda: self.budget.step(-1)),
            ("next-task", lambda: self.list.step(1)),
            ("last-task", lambda: self.list.step(-1)),
            ("annotate-attempt", lambda: self._open(self.annotate)),
            ("review-attempt", lambda: self._open(self.review)),
        ):
            for sequence in keys(command):
                self._shortcut(sequence, does)
        page = self.page
        for view in (self.list.view, page.table, page.numbers, page.times, page.steps):
            for sequence in keys("side-by-side"):
                # Only there: in a text field, Enter belongs to the field.
                opens = self._shortcut(sequence, self.open_side_by_side, view)
                opens.setContext(Qt.ShortcutContext.WidgetShortcut)
        self._back = [self._shortcut(one, self._step_back) for one in keys("back-to-task")]
        self._show_keys()

    def _shortcut(
        self, sequence: str, does: Callable[[], object], on: QWidget | None = None
    ) -> QShortcut:
        shortcut = QShortcut(QKeySequence(sequence), on if on is not None else self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(does)
        return shortcut

    # --- open episode ------------------------------------------------------------------------

    def entered(self) -> None:
        """Reloads the list; the shown task stays."""
        self.refresh()
        if not self.side.isVisible():
            self.list.view.setFocus()

    def refresh(self) -> None:
        """Reloads tasks and attempts."""
        self._round += 1
        round_, search = self._round, self._search
        self._late.start()

        def done(lines: tuple[TaskLine, ...]) -> None:
            if round_ == self._round:
                self._show_list(lines)

        self._reader.run(
            lambda library: attempts.tasks(library, search),
            owner=self,
            done=done,
            failed=lambda error: self._fail_list(error),
            next_up=True,
        )

    def open_task(self, task: str) -> None:
        """Shows a task by its instruction."""
        self._task = task
        line = self._lines.get(task)
        if line is None:
            return
        self.page.show_task(line)
        self.page.form.hide()
        self.back_to_task()
        if self._budgets.knows(task):
            self._show_reference()
        else:
            self._read([task], next_up=True)

    def where(self) -> tuple[str, Reference | None]:
        """Returns the shown task, and its attempts if they are loaded."""
        return self._task, self._budgets.reference(self._task)

    def open_side_by_side(self) -> None:
        """Shows the selected attempts side by side; all if fewer than two are selected."""
        found = self._budgets.reference(self._task)
        chosen = self.page.table.chosen()
        uuids = chosen if len(chosen) > 1 else self.page.table.uuids()
        if found is None or not uuids or self.side.isVisible():
            return
        task, of = self._task, found
        self._late.start()

        def done(steps: tuple[AttemptSteps, ...]) -> None:
            self._settle()
            if task == self._task:
                self.side.show_strips(strips(steps, of, letters_of(of)), len(uuids))
                self._middle.setCurrentIndex(1)
                self.side.view.setFocus()
                self._show_keys()

        self._reader.run(
            lambda library: side_by_side(library, uuids),
            owner=self,
            done=done,
            failed=self._fail_task,
            next_up=True,
        )

    def back_to_task(self) -> None:
        """Returns to the charts."""
        if self._middle.currentIndex() == 1:
            self._middle.setCurrentIndex(0)
            self.page.table.setFocus()
        self._show_keys()

    def leaving(self) -> None:
        """Cancels scoring."""
        self.scoring.stop()

    def _find(self, words: str) -> None:
        if words != self._search:
            self._search = words
            self.refresh()

    def _show_list(self, lines: tuple[TaskLine, ...]) -> None:
        self._settle()
        self.list.error.settle("list")
        self._lines = {line.task: line for line in lines}
        self._budgets.forget()
        self._stack.setCurrentIndex(0 if lines or self._search else 1)
        self._try.setVisible(bool(lines or self._search))
        count = sum(line.attempts for line in lines)
        tasks = tr("1 task", "{n} tasks", n=len(lines))
        self._count.set_text(tasks if lines else "")
        self.head.layout_again()
        self.status.say(tr("All changes saved"))
        told = tr("1 attempt", "{n} attempts", n=count)
        self.status.say_health(tr("{told} of {tasks}", told=told, tasks=tasks) if lines else "")
        task = self.list.show_tasks(lines, self._task)
        if task:
            stays = self.side.isVisible() and task == self._task
            self._task = task
            self.page.show_task(self._lines[task])
            if not stays:
                self.back_to_task()
            self._read([task], next_up=True)

    def _read_budgets(self, tasks: list[str]) -> None:
        self._read([task for task in tasks if not self._budgets.knows(task)], next_up=False)

    def _read(self, tasks: list[str], *, next_up: bool) -> None:
        if not tasks:
            return
        round_, with_finish = self._round, self._budgets.with_finish
        if next_up:
            self._late.start()

        def done(found: dict[str, Reference]) -> None:
            if round_ != self._round or with_finish != self._budgets.with_finish:
                return
            self._budgets.take(tasks, found)
            self.list.model.budgets_changed()
            if self._task in tasks:
                self._settle()
                self._show_reference()

        self._reader.run(
            lambda library: attempts.references(library, tasks, with_finish=with_finish),
            owner=self,
            done=done,
            failed=self._fail_task,
            next_up=next_up,
        )

    def _show_reference(self) -> None:
        found = self._budgets.reference(self._task)
        assert found is not None
        self.page.error.settle("task")
        budget = self._budgets.budget(self._task)
        self.page.show_reference(found, budget.steps)
        self.budget.show_budget(budget, found)
        self.scoring.show_task(self._task)
        self._show_keys()

    def _show_rule(self) -> None:
        self.budget.show_rule(self._budgets.rule, with_finish=self._budgets.with_finish)

    def _change_rule(self, rule: BudgetRule, with_finish: bool) -> None:
        self._preferences.change(
            budget_factor=rule.factor,
            budget_of=rule.aggregate.value,
            budget_floor=rule.floor,
            budget_finish=with_finish,
        )

    def _use(self, settings: Settings) -> None:
        other, read_differently = self._budgets.use(settings)
        if not other:
            return
        self._show_rule()
        if read_differently:
            self._budgets.forget()
            self.list.model.ask_again()
            self._read([self._task], next_up=True)
        elif self._budgets.knows(self._task):
            budget = self._budgets.budget(self._task)
            self.page.show_budget(budget.steps)
            self.budget.show_budget(budget, self._budgets.reference(self._task))
            self.scoring.show_task(self._task)
        self.list.model.budgets_changed()

    def _ask(self) -> None:
        self.page.open_form()
        self._show_keys()

    def _decide(self, uuid: str, how: str, counting: CountingDecision, reason: str) -> None:
        self.page.close_form()

        def done(change: SavedChange) -> None:
            if change.numbers:
                self.said.emit(change.words, True)

        self._history.decide_attempt(uuid, how, counting, reason, done)

    def _changed(self) -> None:
        self._budgets.forget()
        if self.isVisible():
            self.refresh()

    def _record(self) -> None:
        line = self._lines.get(self._task)
        self.record.emit(self._task, line.category if line is not None else "")

    def _open(self, where: SignalInstance) -> None:
        uuid, row = self.side.where() if self.side.isVisible() else ("", 0)
        if not self.side.isVisible():
            uuid = next(iter(self.page.table.chosen()), "")
        if uuid:
            where.emit(uuid, row)

    # --- keys, waiting, errors -----------------------------------------------------------------

    def _step_back(self) -> None:
        if self.page.form.isVisible():
            self.page.close_form()
        else:
            self.back_to_task()
        self._show_keys()

    def _show_keys(self) -> None:
        there = self._middle.currentIndex() == 1
        if there != self._there:
            self._there = there
            self.status.show_keys(key_hints(side_by_side=there))
        for shortcut in self._back:
            shortcut.setEnabled(there or not self.page.form.isHidden())

    def _show_late(self) -> None:
        self._bar.set_unknown()
        self._bar.show()

    def _settle(self) -> None:
        self._late.stop()
        self._bar.hide()

    def _fail_list(self, error: KnownError) -> None:
        self._settle()
        self._stack.setCurrentIndex(0)
        self.list.error.tell(error, again=True, about="list")

    def _fail_task(self, error: KnownError) -> None:
        self._settle()
        self.page.error.tell(error, about="task")
