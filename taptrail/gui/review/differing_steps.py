"""List of the steps at which runs differ from gold or from each other."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QListView,
    QMenu,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from episodes.verdicts import Outcome
from taptrail.gui import icons, theme
from taptrail.gui.commands import key
from taptrail.gui.components import cells
from taptrail.gui.components.button import QUIET, Button
from taptrail.gui.components.chip import VERDICT_WORDS, Chip, ChipButton
from taptrail.gui.components.keycap import words as key_words
from taptrail.gui.components.labels import label
from taptrail.gui.components.panel import Panel, WidgetRow
from taptrail.gui.components.tips import menu_text, tip
from taptrail.gui.fonts import CAPTION, FACTS, font
from taptrail.gui.review.filters import DifferingStep, Filter, Sort, counts
from taptrail.gui.review.kind_words import short
from taptrail.usecases.reviewing import Place
from taptrail.words import tr

Index = QModelIndex | QPersistentModelIndex
PARTING = Qt.ItemDataRole.UserRole
_FIELDS = ("rule", "kind", "pair", "app", "category")
_MOST_VALUES = 40


class DifferingSteps(Panel):
    """The list, with its filters as chips, each with a cross.

    Signals:
        chosen: the Place of the step the user selected.
    """

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__(tr("Where they part"))
        self._all: list[DifferingStep] = []
        self._runs = 0
        self._filter = Filter()
        self._count = Chip("0")
        self.more = Button(
            "",
            "filter-variant",
            kind=QUIET,
            size="s",
            tip=tr("Filter the list") + "  " + key_words(key("filter")),
        )
        self.more.clicked.connect(self.offer)
        self.chips = _Flow()
        self._nothing = label(tr("No step matches. Remove a filter."), FACTS, tone="2", wrap=True)
        self._nothing.setContentsMargins(12, 8, 12, 0)
        self._nothing.hide()
        self._model = _Partings(self)
        self.view = _View(self._model)
        self.view.chosen.connect(self._turned)
        title = label(tr("Where they part"), FACTS, 600)
        self.add(
            WidgetRow(title, self._count, None, self.more, height=36, margins=(12, 0, 8, 0)),
            self.chips,
            self._nothing,
            self.view,
        )

    def show_lines(self, lines: list[DifferingStep]) -> None:
        """Shows other verdicts."""
        runs = len(lines[0].outcomes) if lines else 0
        if runs != self._runs and self._filter.sort in _plain_sorts(self._runs):
            self._filter = replace(self._filter, sort=_plain_sorts(runs)[0])
        self._all, self._runs = lines, runs
        self._list()

    def use(self, wanted: Filter) -> None:
        """Applies a filter."""
        self._filter = wanted
        self._list()

    def filter(self) -> Filter:
        """Returns the current filter."""
        return self._filter

    def turn_to(self, place: Place | None) -> None:
        """Selects a step's line, if it has one, without emitting a signal."""
        self.view.turn_to(self._model.row_of(place))

    def next_place(self, place: Place, step: int) -> Place | None:
        """Returns the step of the next (`step` 1) or previous line (-1); None at the end."""
        return self._model.beside(place, step)

    def lines(self) -> list[DifferingStep]:
        """Returns the listed lines."""
        return self._model.lines

    def offer(self) -> None:
        """Opens the filter menu."""
        menu = self.menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height() + 4)))

    def menu(self) -> QMenu:
        """Returns the filter menu: all terms with their numbers of steps."""
        menu = QMenu(self)
        here = dict(counts(self._all, self._filter, "sort"))
        for sort in Sort:
            if sort in here or sort is self._filter.sort:
                self._offer(menu, "sort", sort, _sort_words(sort), here.get(sort, 0))
        for field in _FIELDS:
            values = counts(self._all, self._filter, field)
            if not values:
                continue
            inner = menu.addMenu(_field_words(field))
            for value, count in values[:_MOST_VALUES]:
                self._offer(inner, field, value, _value_words(field, value), count)
        return menu

    def _offer(self, menu: QMenu, field: str, value: str, words: str, count: int) -> None:
        on = getattr(self._filter, field) == value
        icon = icons.icon("check" if on else "circle-small")
        action = menu.addAction(icon, menu_text(f"{words}  {count:,}"))
        wanted = self._filter.put(field, value)
        action.triggered.connect(lambda _=False: self.use(wanted))

    def _list(self) -> None:
        lines = [line for line in self._all if self._filter.takes(line)]
        self._model.replace(lines, [line.place for line in self._all])
        self._count.set_words(
            tr("{some} of {all}", some=f"{len(lines):,}", all=f"{len(self._all):,}")
        )
        terms = []
        if self._filter.sort is not Sort.ALL:
            terms.append((_sort_words(self._filter.sort), replace(self._filter, sort=Sort.ALL)))
        for field in _FIELDS:
            value = getattr(self._filter, field)
            if value:
                rest = self._filter.put(field, "")
                terms.append((_value_words(field, value), rest))
        chips: list[QWidget] = []
        for words, rest in terms:
            chip = ChipButton(words if len(words) <= 28 else f"{words[:27]}…", cross=True)
            chip.setToolTip(tip(words))
            chip.clicked.connect(lambda _=False, f=rest: self.use(f))
            chips.append(chip)
        self.chips.show_parts(chips)
        for part in (self._count, self.more):
            part.setVisible(bool(self._runs))
        self._nothing.setText(
            self._none_words()
            if self._all
            else tr("Choose a run: the steps at which it differs from gold are listed here.")
        )
        self._nothing.setVisible(not lines and (bool(self._all) or not self._runs))

    def _none_words(self) -> str:
        """Returns why no step is listed although there are steps."""
        if self._filter == Filter(_plain_sorts(self._runs)[0]):
            return tr("Every step matches.") if self._runs == 1 else tr("They agree on every step.")
        return tr("No step matches. Remove a filter.")

    def _turned(self, row: int) -> None:
        self.chosen.emit(self._model.lines[row].place)


def _plain_sorts(runs: int) -> tuple[Sort, ...]:
    """Returns the default filter for a number of runs; it lasts while this number is the same."""
    if runs > 1:
        return (Sort.DIFFER, Sort.A_ALONE, Sort.B_ALONE) if runs == 2 else (Sort.DIFFER,)
    return (Sort.MISMATCH,) if runs else (Sort.ALL,)


def _sort_words(sort: Sort) -> str:
    return {
        Sort.ALL: tr("all steps"),
        Sort.DIFFER: tr("verdicts differ"),
        Sort.MISMATCH: tr("any mismatch"),
        Sort.NOT_SCORED: tr("any not scored"),
        Sort.MATCH: tr("all match"),
        Sort.A_ALONE: tr("A right, B wrong"),
        Sort.B_ALONE: tr("B right, A wrong"),
    }[sort]


def _field_words(field: str) -> str:
    return {
        "rule": tr("Rule"),
        "kind": tr("Kind of action"),
        "pair": tr("Gold and answer"),
        "app": tr("App"),
        "category": tr("Category"),
    }[field]


def _value_words(field: str, value: str) -> str:
    if field == "pair":
        letter, gold, said = value.replace(" > ", ": ").split(": ")
        return tr("{who}: {gold} as {said}", who=letter, gold=short(gold), said=short(said))
    return tr(value.replace("_", " ").capitalize()) if field == "kind" else value


class _Flow(QWidget):
    """A flow layout: widgets in as many lines as they need."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[QWidget] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_parts(self, parts: list[QWidget]) -> None:
        """Sets the widgets."""
        for part in self._parts:
            part.hide()
            part.deleteLater()
        self._parts = parts
        for part in parts:
            part.setParent(self)
            part.show()
        self._lay()

    def parts(self) -> list[QWidget]:
        """Returns the shown texts."""
        return list(self._parts)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._lay()

    def _lay(self) -> None:
        x, y = 12, 0
        for part in self._parts:
            size = part.sizeHint()
            if x > 12 and x + size.width() > self.width() - 8:
                x, y = 12, y + size.height() + 2
            part.setGeometry(QRect(QPoint(x, y), size))
            x += size.width() + 4
        self.setFixedHeight(y + 30 if self._parts else 0)


class _Partings(QAbstractListModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.lines: list[DifferingStep] = []
        self._rows: dict[Place, int] = {}
        self._order: dict[Place, int] = {}
        self._at: list[int] = []

    def replace(self, lines: list[DifferingStep], order: list[Place]) -> None:
        self.beginResetModel()
        self.lines = lines
        self._rows = {line.place: row for row, line in enumerate(lines)}
        self._order = {place: number for number, place in enumerate(order)}
        self._at = [self._order[line.place] for line in lines]
        self.endResetModel()

    def row_of(self, place: Place | None) -> int:
        return self._rows.get(place, -1) if place is not None else -1

    def beside(self, place: Place, step: int) -> Place | None:
        at = self._order.get(place, -1)
        row = bisect_right(self._at, at) if step > 0 else bisect_left(self._at, at) - 1
        return self.lines[row].place if 0 <= row < len(self.lines) else None

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's signature
        return 0 if parent.isValid() else len(self.lines)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        line = self.lines[index.row()]
        if role == PARTING:
            return line
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            said = ", ".join(
                tr("run {letter} {word}", letter=letter, word=_word(outcome))
                for letter, outcome in line.outcomes
            )
            words = tr(
                "{episode}, step {n}: {said}", episode=line.episode, n=line.number, said=said
            ) + tr(" (index {n} in the data)", n=line.place[1])
            return tip(words) if role == Qt.ItemDataRole.ToolTipRole else words
        return None


def _word(outcome: Outcome | None) -> str:
    return tr(VERDICT_WORDS[outcome]) if outcome is not None else tr("no prediction")


class _View(QListView):
    chosen = Signal(int)

    def __init__(self, model: _Partings) -> None:
        super().__init__()
        self.setAccessibleName(tr("Steps where they part"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setModel(model)
        self.setItemDelegate(_Line(self))
        self.selectionModel().currentChanged.connect(self._turned)
        self._quiet = False

    def turn_to(self, row: int) -> None:
        self._quiet = True
        if row >= 0:
            self.setCurrentIndex(self.model().index(row, 0))
        else:
            self.clearSelection()
        self._quiet = False

    def _turned(self, now: QModelIndex, _before: QModelIndex) -> None:
        if now.isValid() and not self._quiet:
            self.chosen.emit(now.row())


class _Line(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, 42)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line = index.data(PARTING)
        rect = QRectF(option.rect)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        hover = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        cells.row_ground(painter, rect, chosen=chosen, hover=hover)
        middle = rect.center().y()
        icon = icons.of_kind(line.kind)
        ink = "accent" if chosen else "text2"
        icons.paint(painter, icon, QPointF(rect.left() + 21, middle), 18, ink)
        x, middle = rect.right() - 12, rect.top() + 13  # beside the name: rules need the space
        for letter, outcome in reversed(line.outcomes):
            if outcome is not None:
                name, colour = icons.of_outcome(outcome)
                icons.paint(painter, name, QPointF(x - 7.5, middle), 15, colour)
            else:
                cells.line(painter, QRectF(x - 12, middle - 8, 10, 16), "–", font(FACTS), "text3")
            box = QRectF(x - 27, middle - 8, 10, 16)
            cells.line(painter, box, letter, font(CAPTION), "text3")
            x -= 34
        words = QRectF(rect.left() + 38, rect.top(), rect.width() - 50, rect.height())
        top = words.adjusted(0, 5, x - words.right() - 4, -20)
        cells.line(painter, top, line.episode, font(FACTS, 500), "text1", middle=True)
        below = tr("step {n} · {rule}", n=line.number, rule=line.rule)
        cells.line(painter, words.adjusted(0, 20, 0, -4), below, font(CAPTION), "text3")
        view = self.parent()
        if chosen and isinstance(view, QListView) and view.hasFocus():
            painter.setPen(QPen(theme.colour("accent"), 2))
            painter.drawRect(rect.adjusted(1, 1, -1, -2))
        painter.restore()
