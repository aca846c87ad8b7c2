"""Two lists: the kinds of difference by rule, and the steps of the selected kind."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from episodes.verdicts import Outcome
from episodes.visible_text import visible_text
from replay.comparison import ABSENT, ComparisonRow, RuleGroup, reasons
from taptrail.gui import icons, theme
from taptrail.gui.components import cells
from taptrail.gui.components.chip import VERDICT_WORDS, paint_letter
from taptrail.gui.components.tips import tip
from taptrail.gui.fonts import BODY, CAPTION, FACTS, font
from taptrail.words import tr

Index = QModelIndex | QPersistentModelIndex
ITEM = Qt.ItemDataRole.UserRole
_WALK = (
    *(Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home),
    *(Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Return),
)
_HELD = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
_LINE = 22
_COUNT = 64


class Lines(QListView):
    """List of rows of one kind.

    Signals:
        chosen: the row that became current.
        taken: the row that was double-clicked or entered.
        aside: 1 for the Right key, -1 for Left.
    """

    chosen = Signal(int)
    taken = Signal(int)
    aside = Signal(int)

    def __init__(self, name: str, delegate: type[QStyledItemDelegate]) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformItemSizes(True)
        self._model = _Model(self)
        self.setModel(self._model)
        self.setItemDelegate(delegate(self))
        self.selectionModel().currentChanged.connect(self._turned)
        self.doubleClicked.connect(lambda index: self.taken.emit(index.row()))

    def show_items(
        self, items: Sequence[RuleGroup | ComparisonRow], letters: tuple[str, ...]
    ) -> None:
        """Shows other rows and selects the first."""
        self._model.replace(list(items), letters)
        self.scheduleDelayedItemsLayout()
        if items:
            self.setCurrentIndex(self._model.index(0, 0))

    def items(self) -> list[RuleGroup | ComparisonRow]:
        """Returns the shown texts."""
        return self._model.items

    def event(self, event: QEvent) -> bool:
        """Keeps the keys that move in a list from the page's shortcuts."""
        if (
            event.type() is QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() in _WALK
            and not event.modifiers() & _HELD
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.taken.emit(self.currentIndex().row())
        elif event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.aside.emit(1 if event.key() == Qt.Key.Key_Right else -1)
        else:
            super().keyPressEvent(event)

    def _turned(self, now: QModelIndex, _before: QModelIndex) -> None:
        if now.isValid():
            self.chosen.emit(now.row())


class _Model(QAbstractListModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.items: list[RuleGroup | ComparisonRow] = []
        self.letters: tuple[str, ...] = ()

    def replace(self, items: list[RuleGroup | ComparisonRow], letters: tuple[str, ...]) -> None:
        self.beginResetModel()
        self.items, self.letters = items, letters
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's signature
        return 0 if parent.isValid() else len(self.items)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        item = self.items[index.row()]
        if role == ITEM:
            return item
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            said = group_words(item) if isinstance(item, RuleGroup) else step_words(item)
            return tip(said) if role == Qt.ItemDataRole.ToolTipRole else visible_text(said)
        return None


def group_words(group: RuleGroup) -> str:
    """Returns a kind of difference as text: step count, and each side's outcome and rule."""
    sides = "; ".join(
        f"{letter}: {outcome_words(outcome)}" + (f", {rule}" if rule else "")
        for letter, outcome, rule in zip("ABCD", group.outcomes, group.rules, strict=False)
    )
    return tr("{n} step: {sides}", "{n} steps: {sides}", n=len(group.rows), sides=sides)


def step_words(row: ComparisonRow) -> str:
    """Returns a step as text, with the full reason of each side."""
    head = tr("{episode}, step {n}", episode=row.any.episode, n=row.any.position)
    told = zip("ABCD", row.outcomes, reasons(row), strict=False)
    return "\n".join(
        [head, *(f"{letter}: {outcome_words(o)}. {why}".rstrip() for letter, o, why in told)]
    )


def outcome_words(outcome: str) -> str:
    """Returns an outcome as text."""
    return tr("Not in its steps") if outcome == ABSENT else tr(VERDICT_WORDS[Outcome(outcome)])


class GroupLine(QStyledItemDelegate):
    """Row with the number of steps, and a line for each side: letter, outcome, rule."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        group: RuleGroup = index.data(ITEM)
        return QSize(240, 14 + _LINE * len(group.outcomes))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        group: RuleGroup = index.data(ITEM)
        rect = QRectF(option.rect)
        painter.save()
        _ground(painter, rect, option, self.parent())
        count = QRectF(rect.left() + 8, rect.top(), _COUNT - 20, rect.height())
        words = f"{len(group.rows):,}"
        cells.line(painter, count, words, font(BODY, 600), "text1", right=True)
        y = rect.top() + 7
        for letter, outcome, rule in zip("ABCD", group.outcomes, group.rules, strict=False):
            _side(painter, rect.left() + _COUNT, y, letter, outcome)
            at = QRectF(rect.left() + _COUNT + 48, y, rect.right() - rect.left() - _COUNT - 56, 22)
            cells.line(painter, at, rule or outcome_words(outcome), font(FACTS), "text1")
            y += _LINE
        painter.restore()


class StepLine(QStyledItemDelegate):
    """Row with the step, and a line for each side: letter, outcome, reason."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row: ComparisonRow = index.data(ITEM)
        return QSize(240, 38 + _LINE * len(row.facts))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: ComparisonRow = index.data(ITEM)
        rect = QRectF(option.rect)
        painter.save()
        _ground(painter, rect, option, self.parent())
        y = rect.top() + 6
        icons.paint(
            painter, icons.of_kind(row.any.gold), QPointF(rect.left() + 23, y + 11), 16, "text2"
        )
        head = QRectF(rect.left() + 40, y, rect.width() - 52, _LINE)
        step = tr("step {n} · {kind}", n=row.any.position, kind=row.any.gold.replace("_", " "))
        cells.line(painter, head, step, font(CAPTION), "text3", right=True)
        name = head.adjusted(0, 0, -150, 0)
        cells.line(painter, name, row.any.episode, font(FACTS, 500), "text1", middle=True)
        y += _LINE
        for letter, outcome, why in zip("ABCD", row.outcomes, reasons(row), strict=False):
            _side(painter, rect.left() + 12, y, letter, outcome)
            at = QRectF(rect.left() + 60, y, rect.width() - 72, _LINE)
            cells.line(painter, at, why or outcome_words(outcome), font(FACTS), "text2")
            y += _LINE
        painter.restore()


def _side(painter: QPainter, left: float, top: float, letter: str, outcome: str) -> None:
    paint_letter(painter, left, top + 11, letter, 16)
    if outcome == ABSENT:
        cells.line(painter, QRectF(left + 24, top, 12, 22), "–", font(FACTS), "text3")
        return
    name, ink = icons.of_outcome(Outcome(outcome))
    icons.paint(painter, name, QPointF(left + 31, top + 11), 15, ink)


def _ground(
    painter: QPainter, rect: QRectF, option: QStyleOptionViewItem, view: QObject | None
) -> None:
    chosen = bool(option.state & QStyle.StateFlag.State_Selected)
    hover = bool(option.state & QStyle.StateFlag.State_MouseOver)
    cells.row_ground(painter, rect, chosen=chosen, hover=hover)
    if chosen and isinstance(view, QListView) and view.hasFocus():
        painter.setPen(QPen(theme.colour("accent"), 2))
        painter.drawRect(rect.adjusted(1, 1, -1, -2))
