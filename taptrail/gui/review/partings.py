"""Where the runs part from gold and from one another: the steps worth looking at."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from episodes.verdicts import Outcome
from taptrail.gui import icons, theme
from taptrail.gui.components import cells
from taptrail.gui.components.chip import VERDICT_WORDS, Chip, ChipButton
from taptrail.gui.components.panel import Panel, Row
from taptrail.gui.components.words import label
from taptrail.gui.fonts import CAPTION, FACTS, font
from taptrail.usecases.reviewing import JudgedRun, Place
from taptrail.words import tr

Index = QModelIndex | QPersistentModelIndex
PARTING = Qt.ItemDataRole.UserRole
DIFFER, MISMATCH, NOT_SCORED, FIRST_ALONE, SECOND_ALONE = range(5)


@dataclass(frozen=True)
class Parting:
    """One line of the list: a step and what each run's verdict on it is."""

    place: Place
    episode: str
    number: int
    kind: str
    outcomes: tuple[tuple[str, Outcome | None], ...]
    rule: str


class Partings(Panel):
    """Signals:
    chosen: the Place of a step a person turned to.
    """

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__(tr("Where they part"))
        self._runs: list[tuple[str, JudgedRun]] = []
        self._mode = MISMATCH
        self._title = label(tr("Where they part"), FACTS, 600)
        self._count = Chip("0")
        words = (
            tr("differ"),
            tr("mismatch"),
            tr("not scored"),
            tr("A right, B wrong"),
            tr("B right, A wrong"),
        )
        self._chips = [ChipButton(word) for word in words]
        for number, chip in enumerate(self._chips):
            chip.clicked.connect(lambda _=False, n=number: self._choose(n))
        self._alone = Row(*self._chips[FIRST_ALONE:], None, gap=4, margins=(12, 0, 12, 6))
        self._alone.hide()
        self._model = _Partings(self)
        self.view = _View(self._model)
        self.view.chosen.connect(self._turned)
        self.add(
            Row(self._title, self._count, None, height=36, margins=(12, 0, 12, 0)),
            Row(*self._chips[:FIRST_ALONE], None, gap=4, margins=(12, 0, 12, 6)),
            self._alone,
            self.view,
        )

    def show_runs(self, runs: list[tuple[str, JudgedRun]]) -> None:
        """Shows the verdicts of (letter, run) pairs."""
        before = len(self._runs)
        self._runs = runs
        self._chips[DIFFER].setVisible(len(runs) > 1)
        self._alone.setVisible(len(runs) == 2)
        if len(runs) != before:
            self._mode = DIFFER if len(runs) > 1 else MISMATCH
        self._list()

    def turn_to(self, place: Place | None) -> None:
        """Chooses a step's line where it has one, without telling anybody."""
        self.view.turn_to(self._model.row_of(place))

    def next_place(self, place: Place, step: int) -> Place | None:
        """Returns the next line's step (`step` 1) or the last one's (-1); None at the end."""
        return self._model.beside(place, step)

    def lines(self) -> list[Parting]:
        """Returns what is listed."""
        return self._model.lines

    def _choose(self, mode: int) -> None:
        self._mode = mode
        self._list()

    def _list(self) -> None:
        for number, chip in enumerate(self._chips):
            chip.setChecked(number == self._mode)
        lines = [line for line in partings(self._runs) if _wanted(line, self._mode)]
        order = [*dict.fromkeys(place for _, run in self._runs for place in run.steps)]
        self._model.replace(lines, order)
        self._count.set_words(f"{len(lines):,}")

    def _turned(self, row: int) -> None:
        self.chosen.emit(self._model.lines[row].place)


def partings(runs: list[tuple[str, JudgedRun]]) -> list[Parting]:
    """Returns one line for each step that any of the runs has a verdict on."""
    places = dict.fromkeys(place for _, run in runs for place in run.steps)
    lines = []
    for place in places:
        found = [(letter, run.steps.get(place)) for letter, run in runs]
        judged = [step for _, step in found if step is not None]
        worst = next((s for s in judged if s.verdict.outcome is Outcome.MISMATCH), judged[0])
        lines.append(
            Parting(
                place,
                worst.episode,
                worst.number,
                worst.kind,
                tuple((letter, s.verdict.outcome if s else None) for letter, s in found),
                worst.verdict.rule,
            )
        )
    return lines


def _wanted(line: Parting, mode: int) -> bool:
    in_order = [outcome for _, outcome in line.outcomes]
    outcomes = {outcome for outcome in in_order if outcome is not None}
    match mode:
        case 0:
            return len(outcomes) > 1
        case 1:
            return Outcome.MISMATCH in outcomes
        case 3:
            return in_order == [Outcome.MATCH, Outcome.MISMATCH]
        case 4:
            return in_order == [Outcome.MISMATCH, Outcome.MATCH]
        case _:
            return Outcome.UNSCORED in outcomes


class _Partings(QAbstractListModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.lines: list[Parting] = []
        self._rows: dict[Place, int] = {}
        self._order: dict[Place, int] = {}

    def replace(self, lines: list[Parting], order: list[Place]) -> None:
        self.beginResetModel()
        self.lines = lines
        self._rows = {line.place: row for row, line in enumerate(lines)}
        self._order = {place: number for number, place in enumerate(order)}
        self.endResetModel()

    def row_of(self, place: Place | None) -> int:
        return self._rows.get(place, -1) if place is not None else -1

    def beside(self, place: Place, step: int) -> Place | None:
        row = self.row_of(place)
        if row < 0:
            at = self._order.get(place, -1)
            after = [n for n, line in enumerate(self.lines) if self._order[line.place] > at]
            row = (after[0] if after else len(self.lines)) - (1 if step > 0 else 0)
        wanted = row + step
        return self.lines[wanted].place if 0 <= wanted < len(self.lines) else None

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
            return tr(
                "{episode}, step {n}: {said}", episode=line.episode, n=line.number, said=said
            ) + tr(" (index {n} in the data)", n=line.place[1])
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
        x = rect.right() - 12
        for letter, outcome in reversed(line.outcomes):
            if outcome is not None:
                name, colour = icons.of_outcome(outcome)
                icons.paint(painter, name, QPointF(x - 7.5, middle), 15, colour)
            else:
                cells.line(painter, QRectF(x - 12, middle - 8, 10, 16), "–", font(FACTS), "text3")
            box = QRectF(x - 27, middle - 8, 10, 16)
            cells.line(painter, box, letter, font(CAPTION), "text3")
            x -= 34
        words = QRectF(rect.left() + 38, rect.top(), x - rect.left() - 42, rect.height())
        top = words.adjusted(0, 5, 0, -20)
        cells.line(painter, top, line.episode, font(FACTS, 500), "text1", middle=True)
        below = tr("step {n} · {rule}", n=line.number, rule=line.rule)
        cells.line(painter, words.adjusted(0, 20, 0, -4), below, font(CAPTION), "text3")
        view = self.parent()
        if chosen and isinstance(view, QListView) and view.hasFocus():
            painter.setPen(QPen(theme.colour("accent"), 2))
            painter.drawRect(rect.adjusted(1, 1, -1, -2))
        painter.restore()
