"""Right panel of the Tasks page: the budget for agents, its rule, and scores of runs within it."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import Signal

from episodes.verdicts import Share
from taptrail.gui.components.button import Button, SegmentedControl
from taptrail.gui.components.fields import SavedField
from taptrail.gui.components.labels import ElidedLabel, label
from taptrail.gui.components.messages import Bar, ErrorBand
from taptrail.gui.components.panel import Facts, Panel, Scrolled, Section, WidgetRow, section_head
from taptrail.gui.fonts import BODY, CAPTION, FACTS, HUGE, LARGE
from taptrail.gui.review.head import ProtocolButton
from taptrail.gui.tasks.grid import Grid, GridCell, GridColumn
from taptrail.gui.tasks.texts import AttemptMark, mark_of, time
from taptrail.settings import MOST_STEPS
from taptrail.usecases.attempts import Reference
from taptrail.usecases.budget_scores import BudgetScore, people_within
from taptrail.usecases.reference_times import Aggregate, Budget, BudgetRule, is_factor
from taptrail.words import tr

_AGGREGATES = (Aggregate.MEDIAN, Aggregate.MEAN, Aggregate.MAX)
_STEP, _LEAST, _MOST = Decimal("0.25"), Decimal("0.25"), Decimal(9999)
_ROW = 30


class BudgetPanel(Panel):
    """Signals:
    changed: the selected BudgetRule, and whether the finish counts as a step.
    protocol: the key of the protocol to score runs by.
    scope: whether to score all tasks or only the shown one.
    """

    changed = Signal(object, bool)
    protocol = Signal(str)
    scope = Signal(bool)

    def __init__(self, protocol: str) -> None:
        super().__init__(tr("Budget"))
        self._rule, self._with_finish = BudgetRule(), True
        self._steps, self._time = label("", HUGE, 600), label("", LARGE, 600)
        self._of_time = label(tr("time"), BODY, tone="2")
        self._why = label("", FACTS, tone="2", wrap=True)
        self.factor = SavedField(tr("Factor"))
        self.factor.setFixedWidth(64)
        less = Button("", "minus", size="m", tip=tr("Smaller factor"))
        more = Button("", "plus", size="m", tip=tr("Larger factor"))
        words = {
            Aggregate.MEDIAN: tr("Median"),
            Aggregate.MEAN: tr("Mean"),
            Aggregate.MAX: tr("Most"),
        }
        self.of = SegmentedControl([("", words[one]) for one in _AGGREGATES], tr("Of"))
        self.floor = SavedField(tr("Not below"))
        self.floor.setFixedWidth(64)
        self.finish = SegmentedControl([("", tr("Counts")), ("", tr("Does not"))], tr("The finish"))
        self._wrong = label("", CAPTION, tone="record", wrap=True)
        self._wrong.hide()
        self.scores = RunScores(protocol)
        self._facts = Facts(80, wrap=True)
        inside = Panel(tr("Budget"))
        inside.add(
            Section(
                section_head(tr("Budget")),
                WidgetRow(
                    *(self._steps, label(tr("steps"), BODY, tone="2"), None, self._time),
                    self._of_time,
                    height=36,
                ),
                self._why,
                _named(tr("Factor"), WidgetRow(less, self.factor, more, None, gap=4)),
                _named(tr("Of"), WidgetRow(self.of, None)),
                _named(
                    tr("Not below"),
                    WidgetRow(self.floor, label(tr("steps"), FACTS, tone="2"), None),
                ),
                _named(tr("The finish"), WidgetRow(self.finish, None)),
                self._wrong,
            ),
            self.scores,
            Section(section_head(tr("Reference")), self._facts, line=False),
            None,
        )
        self.add(Scrolled(inside))
        less.clicked.connect(lambda: self.step(-1))
        more.clicked.connect(lambda: self.step(1))
        self.factor.saved.connect(self._set_factor)
        self.factor.left.connect(self.setFocus)
        self.floor.saved.connect(self._set_floor)
        self.floor.left.connect(self.setFocus)
        self.of.chosen.connect(lambda n: self._change(aggregate=_AGGREGATES[n]))
        self.finish.chosen.connect(lambda n: self.changed.emit(self._rule, n == 0))
        self.scores.protocol.connect(self.protocol)
        self.scores.scope.connect(self.scope)

    def show_rule(self, rule: BudgetRule, *, with_finish: bool) -> None:
        """Shows the budget rule."""
        self._rule, self._with_finish = rule, with_finish
        self.factor.show_value(rule.factor)
        self.floor.show_value(str(rule.floor))
        self.of.set_choice(_AGGREGATES.index(rule.aggregate))
        self.finish.set_choice(0 if with_finish else 1)

    def show_budget(self, budget: Budget | None, found: Reference | None) -> None:
        """Shows the budget of a task, and facts about its attempts."""
        steps = budget.steps if budget is not None else None
        seconds = budget.seconds if budget is not None else None
        self._steps.setText("–" if steps is None else f"{steps:,}")
        self._time.setText("" if seconds is None else time(seconds * 1e6))
        self._of_time.setVisible(seconds is not None)
        self._time.setAccessibleName(tr("time budget {time}", time=self._time.text()))
        self._why.setText(_why(budget, found, self._rule))
        self._facts.clear()
        if found is not None:
            self._show_facts(found, steps)
        self.scores.show_people(people_within(found, steps) if found is not None else None)

    def step(self, way: int) -> None:
        """Increases (1) or decreases (-1) the factor by a quarter."""
        wanted = Decimal(self._rule.factor) + way * _STEP
        factor = format(min(_MOST, max(_LEAST, wanted)).normalize(), "f")
        self._set_factor(factor)

    def words(self) -> tuple[str, str, str]:
        """Returns the shown texts of steps, time and rule."""
        return self._steps.text(), self._time.text(), self._why.text()

    def fact(self, name: str) -> str:
        """Returns a fact of the reference by its name."""
        return self._facts.value(name)

    def wrong(self) -> str:
        """Returns the shown problem; "" if there is none."""
        return "" if self._wrong.isHidden() else self._wrong.text()

    def _set_factor(self, text: str) -> None:
        text = text.replace(",", ".")
        if is_factor(text):
            self._say_wrong("")
            self._change(factor=text)
        else:
            self._say_wrong(tr("Write a number above 0, as 2 or 1.5."))
            self.factor.show_value(self._rule.factor)
            self.factor.setText(self._rule.factor)

    def _set_floor(self, text: str) -> None:
        if text.isascii() and text.isdigit() and int(text[:9]) <= MOST_STEPS:
            self._say_wrong("")
            self._change(floor=int(text))
        else:
            self._say_wrong(tr("Write a whole number from 0 to {n}.", n=MOST_STEPS))
            self.floor.show_value(str(self._rule.floor))
            self.floor.setText(str(self._rule.floor))

    def _change(
        self,
        factor: str | None = None,
        aggregate: Aggregate | None = None,
        floor: int | None = None,
    ) -> None:
        rule = BudgetRule(
            factor if factor is not None else self._rule.factor,
            aggregate if aggregate is not None else self._rule.aggregate,
            floor if floor is not None else self._rule.floor,
        )
        if rule != self._rule:
            self.changed.emit(rule, self._with_finish)

    def _say_wrong(self, words: str) -> None:
        self._wrong.setText(words)
        self._wrong.setVisible(bool(words))

    def _show_facts(self, found: Reference, steps: int | None) -> None:
        put = self._facts.put
        count = len(found.attempts)
        done = tr("{hits} of 1 attempt", "{hits} of {n} attempts", n=count, hits=found.succeeded)
        put(tr("Complete"), done)
        put(tr("People"), str(found.people))
        if found.steps is not None:
            put(
                tr("Steps"),
                tr(
                    "quartiles {first:g} to {third:g}, mean {mean:.4g}",
                    first=found.steps.first_quartile,
                    third=found.steps.third_quartile,
                    mean=found.steps.mean,
                ),
            )
        if found.wall is not None:
            put(
                tr("Time"),
                tr(
                    "quartiles {first} to {third}, mean {mean}",
                    first=time(found.wall.first_quartile),
                    third=time(found.wall.third_quartile),
                    mean=time(found.wall.mean),
                ),
            )
        marks = [mark_of(one) for one in found.attempts]
        outliers = sum(bool(one.outlier) for one in found.attempts)
        if found.step_fences is None:
            put(tr("Outliers"), tr("needs at least 4 attempts"))
        else:
            put(tr("Outliers"), tr("{n}, by the 1.5 × rule", n=outliers))
        decided = marks.count(AttemptMark.LEFT_OUT) + marks.count(AttemptMark.TAKEN_IN)
        put(tr("By a person"), tr("{n} decided", n=decided) if decided else "")
        put(
            tr("Agents"),
            tr("1 attempt", "{n} attempts", n=len(found.agents)) if found.agents else "",
        )


class RunScores(Panel):
    """Signals:
    protocol: the key of the selected protocol.
    scope: whether to score all tasks or only the shown one.
    """

    protocol = Signal(str)
    scope = Signal(bool)

    def __init__(self, protocol: str) -> None:
        self._protocol = ProtocolButton(protocol)
        self.which = SegmentedControl(
            [("", tr("This task")), ("", tr("All tasks"))], tr("Which tasks")
        )
        self._bar = Bar(2, tr("Scoring"))
        self._bar.hide()
        self.error = ErrorBand()
        self.grid = Grid(
            tr("Runs at this budget"),
            [
                GridColumn(tr("Run")),
                GridColumn(tr("Steps"), 76, True),
                GridColumn(tr("Whole"), 64, True),
            ],
            row=_ROW,
        )
        self._note = label("", CAPTION, tone="3", wrap=True)
        super().__init__(tr("Runs at this budget"))
        head = Section(
            section_head(tr("Runs at this budget")),
            WidgetRow(self.which, None),
            WidgetRow(self._protocol, None),
            line=False,
        )
        head.column.setContentsMargins(12, 12, 12, 6)
        foot = Section(self._note)
        foot.column.setContentsMargins(12, 6, 12, 13)
        self.add(head, self._bar, self.error, self.grid, foot)
        self._people: Share | None = None
        self._found: tuple[BudgetScore, ...] = ()
        self._protocol.chosen.connect(self.protocol)
        self.which.chosen.connect(lambda n: self.scope.emit(n == 1))
        self._show()

    def show_protocol(self, key: str) -> None:
        """Shows by which protocol runs are scored."""
        self._protocol.show_protocol(key)

    def begin(self) -> None:
        """Shows that runs are being scored; what stood there stays."""
        self._bar.set_unknown()
        self._bar.show()

    def moved(self, done: int, total: int) -> None:
        """Shows how far the scoring is."""
        if total:
            self._bar.set_parts((done / total, "accent"))

    def show_scores(self, found: tuple[BudgetScore, ...]) -> None:
        """Shows the scores of the runs."""
        self._found = found
        self._bar.hide()
        self.error.hide()
        self._show()

    def stop(self) -> None:
        """Shows that no scoring is under way."""
        self._bar.hide()

    def show_people(self, within: Share | None) -> None:
        """Shows how many complete attempts of people are within the budget of the task."""
        self._people = within
        self._show()

    def note(self) -> str:
        """Returns the note below the numbers."""
        return self._note.text()

    def _show(self) -> None:
        rows = [
            [
                GridCell(one.run, weight=500, tip=_tip(one)),
                GridCell(_of(one.steps), tip=_tip(one)),
                GridCell(_of(one.whole), "text2", tip=_tip(one)),
            ]
            for one in self._found
        ]
        if self._people is not None and self.which.choice() == 0:
            tip = tr("People's complete attempts of this task that fit into the budget.")
            rows.append(
                [
                    GridCell(
                        tr("People"), "person", 500, icon="account", icon_ink="person", tip=tip
                    ),
                    GridCell("–", "text3", tip=tip),
                    GridCell(_of(self._people), "text2", tip=tip),
                ]
            )
        self.grid.show_rows(rows)
        self.grid.setFixedHeight(31 + _ROW * max(1, len(rows)))
        past = sum(one.past for one in self._found)
        cut = tr("{n} step is beyond it.", "{n} steps are beyond it.", n=past)
        if not past:
            cut = tr("no step is beyond it.")
        if self._found:
            names = f"{self._found[0].metric}, {self._found[0].whole_metric}".strip(", ")
            words = tr(
                "{names} of the answers there are, cut at the budget; {cut}", names=names, cut=cut
            )
        else:
            words = tr("No run has predictions for these episodes.")
        self._note.setText(words)


def _named(name: str, part: WidgetRow) -> WidgetRow:
    said = ElidedLabel(name, FACTS, ink="text2")
    said.setFixedWidth(72)
    row = WidgetRow(said, part, gap=8)
    row.row.setStretch(1, 1)
    return row


def _why(budget: Budget | None, found: Reference | None, rule: BudgetRule) -> str:
    if budget is None or found is None:
        return ""
    if budget.steps is None:
        return tr("No attempt counts, so there is no budget. Record an attempt, or include one.")
    spread, wall = found.steps, found.wall
    if spread is None:
        return budget.rule
    value = {
        Aggregate.MEDIAN: spread.median,
        Aggregate.MEAN: spread.mean,
        Aggregate.MAX: spread.most,
    }[rule.aggregate]
    word = {
        Aggregate.MEDIAN: tr("median"),
        Aggregate.MEAN: tr("mean"),
        Aggregate.MAX: tr("most"),
    }[rule.aggregate]
    words = tr("{factor} × {word} of {value:.4g} steps", factor=rule.factor, word=word, value=value)
    if wall is not None:
        wall_value = {
            Aggregate.MEDIAN: wall.median,
            Aggregate.MEAN: wall.mean,
            Aggregate.MAX: wall.most,
        }[rule.aggregate]
        words += tr(" and {time}", time=time(wall_value))
    if budget.steps == rule.floor:
        words += tr(", not below {n}", n=rule.floor)
    return words


def _of(share: Share | None) -> str:
    return (
        "–"
        if share is None or not share.total
        else tr("{hits} of {n}", hits=share.hits, n=share.total)
    )


def _tip(one: BudgetScore) -> str:
    return tr(
        "{run} under {protocol}: {metric} {steps} at the budget, {free} without; whole episodes "
        "{whole}, {whole_free} without; {past} past it",
        run=one.run,
        protocol=one.protocol,
        metric=one.metric,
        steps=_of(one.steps),
        free=_of(one.steps_without),
        whole=_of(one.whole),
        whole_free=_of(one.whole_without),
        past=tr("1 step", "{n} steps", n=one.past),
    )
