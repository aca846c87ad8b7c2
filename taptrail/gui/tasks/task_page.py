"""Middle of the Tasks page: instruction, charts or the table behind them, and attempts."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

from taptrail.gui.components import cells
from taptrail.gui.components.button import MAIN, Button
from taptrail.gui.components.chip import Chip
from taptrail.gui.components.labels import ElidedLabel, label
from taptrail.gui.components.messages import EmptyState, ErrorBand
from taptrail.gui.components.panel import Panel, Section, WidgetRow
from taptrail.gui.fonts import CAPTION, FACTS, TITLE, font
from taptrail.gui.tasks.attempts_table import AttemptsTable, numbers_grid, numbers_rows
from taptrail.gui.tasks.chart import drawn
from taptrail.gui.tasks.decide_form import DecideForm
from taptrail.gui.tasks.step_chart import StepChart
from taptrail.gui.tasks.texts import (
    AttemptMark,
    counted_words,
    letters_of,
    mark_of,
    paint_agent,
    paint_mark,
)
from taptrail.gui.tasks.time_chart import TimeChart
from taptrail.usecases.attempts import Reference, TaskLine
from taptrail.words import tr

_CHARTS, _NUMBERS = 336, 168


class TaskPage(Panel):
    """Signals:
    chosen: the number of selected attempts.
    """

    chosen = Signal(int)

    def __init__(self, table_key: str, side_key: str, decide_key: str) -> None:
        super().__init__(tr("Task"))
        self.error = ErrorBand()
        self._words = label("", TITLE, 500, wrap=True, selectable=True)
        self._apps = ElidedLabel("", FACTS, ink="text2")
        self._category = Chip("", "outline")
        head = Section(None, self._words, WidgetRow(self._apps, self._category, None))
        self._counted = ElidedLabel("", FACTS, ink="text3")
        self.as_table = Button(
            tr("Table"), "table-large", size="s", key=table_key, cap=True, tip=tr("Charts as table")
        )
        self.as_table.setCheckable(True)
        self.as_table.toggled.connect(self._show_table)
        self._legend = Legend()
        self.times, self.steps = TimeChart(), StepChart()
        self.numbers = numbers_grid()
        charts = Panel(tr("Charts"))
        below = label(tr("Steps of people and agents"), FACTS, 600)
        charts.add(
            self.times, WidgetRow(below, None, self._legend, margins=(12, 6, 0, 2)), self.steps
        )
        self._charts = QStackedWidget()
        self._charts.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._charts.setFixedHeight(_CHARTS)
        self._charts.addWidget(charts)
        self._charts.addWidget(self.numbers)
        self.table = AttemptsTable()
        self.form = DecideForm()
        self.form.closed.connect(self.close_form)
        self.open_side = Button(
            tr("Side by side"), "view-column-outline", size="s", key=side_key, presses=False
        )
        self.decide = Button(tr("Say how it ended"), "flag-outline", size="s", key=decide_key)
        self._foot = label("", FACTS, tone="3")
        foot = WidgetRow(
            *(self._foot, None, self.decide, self.open_side),
            height=40,
            margins=(12, 0, 12, 0),
        )
        title = WidgetRow(
            *(label(tr("Time of people"), FACTS, 600), self._counted, None, self.as_table),
            height=34,
            margins=(12, 4, 12, 0),
        )
        line = Panel("", "line")
        line.setFixedHeight(1)
        self.add(self.error, head, title, self._charts, line, self.table, self.form, foot)
        self.column.setStretch(5, 1)
        self.table.turned.connect(self._from_table)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._tell())
        for chart in (self.times, self.steps):
            chart.turned.connect(self._from_chart)
        self._found: Reference | None = None

    def show_task(self, line: TaskLine) -> None:
        """Shows a task whose attempts are being loaded."""
        self._words.setText(line.task)
        self._apps.set_text(", ".join(line.apps))
        self._category.set_words(line.category)
        self._category.setVisible(bool(line.category))

    def show_reference(self, found: Reference | None, budget: int | None) -> None:
        """Shows the attempts of the task; the selection stays where possible."""
        before = self.table.chosen()
        self._found = found
        told = ""
        if found is not None:
            told = tr("{counted}; pauses left out", counted=counted_words(found))
            each = drawn(len(found.attempts))
            if each > 1:
                told += tr("; one of {n} is drawn", n=each)
        self._counted.set_text(told)
        self._legend.show_reference(found)
        self.times.show_reference(found)
        self.steps.show_reference(found, budget)
        self.numbers.show_rows(numbers_rows(found))
        self.table.show_reference(found)
        uuids = self.table.uuids()
        self.turn_to(next((uuid for uuid in before if uuid in uuids), uuids[0] if uuids else ""))
        count = len(found.attempts) if found is not None else 0
        told = tr("1 attempt of a person", "{n} attempts of people, slowest first", n=count)
        agents = len(uuids) - count
        self._foot.setText(f"{told}, {tr('{n} of agents', n=agents)}" if agents else told)
        self._tell()

    def show_budget(self, budget: int | None) -> None:
        """Shows another budget of the same attempts."""
        self.steps.show_reference(self._found, budget)

    def turn_to(self, uuid: str) -> None:
        """Marks an attempt in table and charts."""
        self.table.turn_to(uuid)
        for chart in (self.times, self.steps):
            chart.turn_to(uuid)

    def open_form(self) -> bool:
        """Opens the form for the attempt in focus. Returns False if it is an agent's."""
        one = self.table.person(self.table.currentIndex().row())
        if one is None:
            return False
        self.form.open_with(one)
        return True

    def close_form(self) -> None:
        """Stops the lookups."""
        self.form.hide()
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_table(self, on: bool) -> None:
        self._charts.setCurrentIndex(1 if on else 0)
        self._charts.setFixedHeight(_NUMBERS if on else _CHARTS)
        words = tr("Charts") if on else tr("Table")
        self.as_table.set_words(words, "chart-scatter-plot" if on else "table-large")
        if on:
            self.numbers.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _from_table(self, row: int) -> None:
        uuid = self.table.uuids()[row]
        for chart in (self.times, self.steps):
            chart.turn_to(uuid)
        if self.form.isVisible():
            self.open_form()

    def _from_chart(self, uuid: str) -> None:
        self.table.turn_to(uuid)
        for chart in (self.times, self.steps):
            chart.turn_to(uuid)

    def _tell(self) -> None:
        rows = self.table.chosen_rows()
        self.decide.setEnabled(bool(rows) and self.table.person(rows[0]) is not None)
        self.open_side.setEnabled(bool(self.table.uuids()))
        self.chosen.emit(len(rows))


class Legend(QWidget):
    """Legend of the shapes in use."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(20)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._items: list[tuple[AttemptMark | None, str, str]] = []

    def show_reference(self, found: Reference | None) -> None:
        """Shows the shapes of a task's attempts."""
        self._items = []
        if found is not None:
            there = {mark_of(one) for one in found.attempts}
            self._items = [
                (mark, "", tr(mark.value).lower()) for mark in AttemptMark if mark in there
            ]
            for agent, letter in letters_of(found).items():
                self._items.append((None, letter, agent or tr("agent")))
        self.setAccessibleName(tr("Shapes: {what}", what=", ".join(self.words())))
        self.setFixedWidth(max(1, round(sum(self._across(words) for words in self.words()))))
        self.update()

    def words(self) -> list[str]:
        """Returns the shown texts."""
        return [words for _, _, words in self._items]

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        left = 0.0
        for mark, letter, words in self._items:
            at = QPointF(left + 8, self.height() / 2)
            if mark is None:
                paint_agent(painter, at, letter)
            else:
                paint_mark(painter, at, mark)
            across = self._across(words)
            room = self.rect().toRectF()
            room.setLeft(left + 18)
            room.setRight(left + across)
            cells.line(painter, room, words, font(CAPTION), "text2")
            left += across

    def _across(self, words: str) -> float:
        return min(180, self.fontMetrics().horizontalAdvance(words)) + 36


def empty_page(record: Callable[[], object], browse: Callable[[], object]) -> Panel:
    """Returns the page shown while there are no tasks: with buttons to record or import."""
    first = Button(tr("Record"), "record-circle-outline", kind=MAIN, size="l")
    first.clicked.connect(lambda: record())
    second = Button(tr("Go to Episodes"), "table-large", size="l")
    second.clicked.connect(lambda: browse())
    page = Panel(tr("Tasks"))
    page.add(
        EmptyState(
            "clipboard-check-outline",
            tr("No tasks yet"),
            tr("Record one, or import a data set. Episodes with the same words are one task."),
            [first, second],
        )
    )
    return page
