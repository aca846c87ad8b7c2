"""The list of tasks: instructions are loaded first, budgets when rows become visible."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QFrame,
    QListView,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from episodes.visible_text import visible_text
from taptrail.gui import icons, theme
from taptrail.gui.components import cells
from taptrail.gui.components.button import Button
from taptrail.gui.components.messages import EmptyState, ErrorBand
from taptrail.gui.components.panel import Panel, WidgetRow
from taptrail.gui.components.search import SearchField
from taptrail.gui.components.tips import tip
from taptrail.gui.fonts import BODY, CAPTION, FACTS, font
from taptrail.usecases.attempts import TaskLine
from taptrail.words import tr

Index = QModelIndex | QPersistentModelIndex
LINE = Qt.ItemDataRole.UserRole
ROW = 54
_BUDGET, _ATTEMPTS = 52, 62


class TaskList(Panel):
    """Signals:
    searched: the search text.
    turned: the instruction of the task the user selected.
    wanted: the instructions of visible tasks whose budgets are not loaded.
    """

    searched = Signal(str)
    turned = Signal(str)
    wanted = Signal(object)

    def __init__(self, find_key: str) -> None:
        super().__init__(tr("Tasks"))
        self.search = SearchField(tr("Find a task"), key=find_key)
        self.search.searched.connect(self.searched)
        self.error = ErrorBand()
        self.model = TaskModel(self)
        self.model.wanted.connect(self.wanted)
        self.view = _View(self.model)
        self.view.turned.connect(self.turned)
        clear = Button(tr("Clear the search"))
        clear.clicked.connect(self.search.edit.clear)
        nothing = EmptyState("magnify", tr("No task matches"), tr("Take a word away."), [clear])
        for part in (nothing.title, nothing.more):
            part.setMinimumWidth(176)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.view)
        self._stack.addWidget(nothing)
        self._head = _Head()
        self.add(
            WidgetRow(self.search, margins=(12, 8, 12, 8)), self.error, self._head, self._stack
        )
        self.column.setStretch(3, 1)

    def show_tasks(self, lines: tuple[TaskLine, ...], task: str) -> str:
        """Shows the found tasks and selects the given one, else the first.

        Returns the selected task, or ""; no signal is emitted.
        """
        self._head.say(tr("1 task", "{n} tasks", n=len(lines)) if lines else "")
        self._stack.setCurrentIndex(0 if lines else 1)
        self.model.replace(lines)
        row = self.model.row_of(task)
        self.view.turn_to(max(0, row))
        return lines[max(0, row)].task if lines else ""

    def step(self, way: int) -> None:
        """Selects the next (1) or previous (-1) task."""
        row = self.view.currentIndex().row() + way
        if 0 <= row < self.model.rowCount():
            self.view.setCurrentIndex(self.model.index(row))


class TaskModel(QAbstractListModel):
    """Signals:
    wanted: the instructions of tasks whose budgets were requested and are not loaded.
    """

    wanted = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.lines: tuple[TaskLine, ...] = ()
        self._rows: dict[str, int] = {}
        self._steps: Callable[[str], int | None] = lambda _: None
        self._knows: Callable[[str], bool] = lambda _: False
        self._missing: dict[str, None] = {}
        self._asked: set[str] = set()
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._ask)

    def set_budgets(self, knows: Callable[[str], bool], steps: Callable[[str], int | None]) -> None:
        """Sets the function that returns whether a task's budget is known, and its steps."""
        self._knows, self._steps = knows, steps

    def replace(self, lines: tuple[TaskLine, ...]) -> None:
        """Shows other tasks."""
        self.beginResetModel()
        self.lines = lines
        self._rows = {line.task: row for row, line in enumerate(lines)}
        self._missing, self._asked = {}, set()
        self.endResetModel()

    def row_of(self, task: str) -> int:
        """Returns the row of a task; -1 if it is not listed."""
        return self._rows.get(task, -1)

    def budgets_changed(self) -> None:
        """Repaints the budgets."""
        if self.lines:
            self.dataChanged.emit(self.index(0), self.index(len(self.lines) - 1))

    def ask_again(self) -> None:
        """Requests the unknown budgets again, because earlier requests are outdated."""
        self._asked = set()
        self.budgets_changed()

    def budget(self, row: int) -> tuple[bool, int | None]:
        """Returns whether the budget of a row is known, and its steps; requests an unknown one."""
        task = self.lines[row].task
        if self._knows(task):
            return True, self._steps(task)
        if task not in self._asked:
            self._asked.add(task)
            self._missing[task] = None
            self._soon.start(0)
        return False, None

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's signature
        return 0 if parent.isValid() else len(self.lines)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        line = self.lines[index.row()]
        if role == LINE:
            return line
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(line.task)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            known, steps = self.budget(index.row())
            told = tr("1 attempt", "{n} attempts", n=line.attempts)
            if not known:
                return f"{visible_text(line.task)}: {told}"
            if steps is None:
                return tr("{task}: {told}, no budget", task=line.task, told=told)
            return tr(
                "{task}: {told}, budget 1 step",
                "{task}: {told}, budget {n} steps",
                n=steps,
                task=line.task,
                told=told,
            )
        return None

    def _ask(self) -> None:
        missing, self._missing = [*self._missing], {}
        if missing:
            self.wanted.emit(missing)


class _View(QListView):
    turned = Signal(str)

    def __init__(self, model: TaskModel) -> None:
        super().__init__()
        self.setAccessibleName(tr("Tasks"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setModel(model)
        self._tasks = model
        self.setItemDelegate(_Line(self))
        self._quiet = False
        self.selectionModel().currentChanged.connect(self._turned)

    def turn_to(self, row: int) -> None:
        self._quiet = True
        self.setCurrentIndex(self._tasks.index(row))
        self._quiet = False

    def _turned(self, now: QModelIndex, _before: QModelIndex) -> None:
        if now.isValid() and not self._quiet:
            self.turned.emit(self._tasks.lines[now.row()].task)


class _Line(QStyledItemDelegate):
    def __init__(self, view: _View) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(180, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line: TaskLine = index.data(LINE)
        rect = QRectF(option.rect)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        hover = bool(option.state & QStyle.StateFlag.State_MouseOver)
        known, steps = self._view._tasks.budget(index.row())
        painter.save()
        cells.row_ground(painter, rect, chosen=chosen, hover=hover)
        right = rect.adjusted(12, 0, -12, -1)
        attempts = right.adjusted(0, 0, -_BUDGET, 0)
        face = font(BODY, 500)
        words = right.adjusted(0, 5, -_BUDGET - _ATTEMPTS + 16, -5)
        below = ", ".join(line.apps) or line.category
        if below and QFontMetricsF(face).horizontalAdvance(line.task) <= words.width():
            cells.line(painter, words.adjusted(0, 2, 0, -24), line.task, face, "text1")
            cells.line(painter, words.adjusted(0, 24, 0, -2), below, font(CAPTION), "text3")
        else:
            cells.lines(painter, words, line.task, face, "text1", high=18)
        none = known and steps is None
        ink = "mismatch" if none else "text1"
        count = f"{line.attempts:,}"
        cells.line(painter, attempts, count, font(BODY, 500), ink, right=True)
        if none:
            across = painter.fontMetrics().horizontalAdvance(count)
            at = QPointF(attempts.right() - across - 12, attempts.center().y())
            icons.paint(painter, "alert", at, 14, "mismatch")
        told = "–" if none else str(steps) if known else "…"
        cells.line(painter, right, told, font(BODY), "text2", right=True)
        if chosen and self._view.hasFocus():
            painter.setPen(QPen(theme.colour("accent"), 2))
            painter.drawRect(rect.adjusted(1, 1, -1, -2))
        painter.restore()


class _Head(QWidget):
    """The column heads."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(28)
        self._text = ""

    def say(self, text: str) -> None:
        self._text = text
        self.setAccessibleName(text)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        room = QRectF(self.rect()).adjusted(12, 0, -12, -1)
        face = font(FACTS)
        cells.line(painter, room.adjusted(0, 0, -130, 0), self._text, face, "text3")
        cells.line(painter, room, tr("Budget"), face, "text3", right=True)
        attempts = room.adjusted(0, 0, -_BUDGET, 0)
        cells.line(painter, attempts, tr("Attempts"), face, "text3", right=True)
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.colour("line"))
