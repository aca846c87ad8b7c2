"""A table of text cells with an icon, a mark or a letter; rows are built when painted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import overload

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from episodes.visible_text import visible_text
from taptrail.gui import icons
from taptrail.gui.components import cells
from taptrail.gui.components.chip import paint_letter
from taptrail.gui.components.table import RowTable
from taptrail.gui.components.tips import tip
from taptrail.gui.fonts import FACTS, font
from taptrail.gui.tasks.texts import AttemptMark, paint_mark

Index = QModelIndex | QPersistentModelIndex
CELL = Qt.ItemDataRole.UserRole


@dataclass(frozen=True)
class GridColumn:
    """A column; `width` 0 takes the remaining space, `right` aligns numbers."""

    title: str
    width: int = 0
    right: bool = False


@dataclass(frozen=True)
class GridCell:
    """The content of a cell; `tail` is grey text after it."""

    text: str
    ink: str = "text1"
    weight: int = 400
    tail: str = ""
    icon: str = ""
    icon_ink: str = "text2"
    mark: AttemptMark | None = None
    letter: str = ""
    tip: str = ""


Rows = Sequence[Sequence[GridCell]]


class MadeRows(Sequence[Sequence[GridCell]]):
    """A sequence of rows that are built on access, with a cache of the last ones."""

    def __init__(self, count: int, make: Callable[[int], Sequence[GridCell]]) -> None:
        self._count = count
        self._make = lru_cache(maxsize=200)(make)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, row: int) -> Sequence[GridCell]: ...
    @overload
    def __getitem__(self, row: slice) -> Sequence[Sequence[GridCell]]: ...
    def __getitem__(self, row: int | slice) -> Sequence[GridCell] | Sequence[Sequence[GridCell]]:
        if isinstance(row, slice):
            return [self._make(one) for one in range(*row.indices(self._count))]
        return self._make(row)


class GridModel(QAbstractTableModel):
    """Item model of rows of cells with column heads."""

    def __init__(self, columns: Sequence[GridColumn], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = list(columns)
        self.cells: Rows = []

    def replace(self, cells_: Rows) -> None:
        """Shows other rows."""
        self.beginResetModel()
        self.cells = cells_
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's signature
        return 0 if parent.isValid() else len(self.cells)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's signature
        return 0 if parent.isValid() else len(self.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            right = self.columns[section].right
            side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        cell = self.cells[index.row()][index.column()]
        if role == CELL:
            return cell
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return visible_text(f"{cell.letter} {cell.text}{cell.tail}".strip())
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(cell.tip) or None
        return None


class Grid(RowTable):
    """Signals:
    turned: the row the user selected.
    """

    turned = Signal(int)

    def __init__(
        self, name: str, columns: Sequence[GridColumn], *, row: int = 32, several: bool = False
    ) -> None:
        self.grid = GridModel(columns)
        super().__init__(name, self.grid, row, several=several)
        self.grid.setParent(self)
        self.setItemDelegate(_Painted(self))
        self.horizontalHeader().setMinimumSectionSize(28)
        self.set_widths(*(column.width for column in columns))
        self._quiet = False
        self.selectionModel().currentRowChanged.connect(self._tell)

    def show_rows(self, rows: Rows) -> None:
        """Shows other rows and clears the selection."""
        self.grid.replace(rows)

    def texts(self) -> list[list[str]]:
        """Returns the shown texts."""
        return [
            [str(self.grid.index(row, column).data()) for column in range(len(self.grid.columns))]
            for row in range(self.grid.rowCount())
        ]

    def choose(self, row: int) -> None:
        """Selects only one row, without emitting a signal."""
        self._quiet = True
        how = QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(
            self.grid.index(row, 0), how.ClearAndSelect | how.Rows
        )
        self._quiet = False

    def chosen_rows(self) -> list[int]:
        """Returns the selected rows from the top."""
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    def _tell(self, now: QModelIndex, _before: QModelIndex) -> None:
        if now.isValid() and not self._quiet:
            self.turned.emit(now.row())


class _Painted(QStyledItemDelegate):
    def __init__(self, view: Grid) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(40, 32)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect = QRectF(option.rect)
        chosen = self._view.selectionModel().isRowSelected(index.row(), QModelIndex())
        painter.save()
        cells.row_ground(painter, rect, chosen=chosen, hover=index.row() == self._view.hovered)
        cell: GridCell = index.data(CELL)
        left = 12 if index.column() == 0 else 8
        last = index.column() == len(self._view.grid.columns) - 1
        room = rect.adjusted(left, 0, -12 if last else -8, -1)
        middle = room.center().y()
        if cell.mark is not None:
            paint_mark(painter, QPointF(room.left() + 6, middle), cell.mark)
            room.adjust(18, 0, 0, 0)
        if cell.letter:
            paint_letter(painter, room.left(), middle, cell.letter, 18)
            room.adjust(26, 0, 0, 0)
        if cell.icon:
            icons.paint(painter, cell.icon, QPointF(room.left() + 8, middle), 16, cell.icon_ink)
            room.adjust(22, 0, 0, 0)
        face = font(FACTS, cell.weight)
        right = self._view.grid.columns[index.column()].right
        cells.line(painter, room, cell.text, face, cell.ink, right=right)
        if cell.tail:
            across = painter.fontMetrics().horizontalAdvance(cell.text)
            after = room.adjusted(min(across, room.width()), 0, 0, 0)
            cells.line(painter, after, cell.tail, font(FACTS), "text3")
        painter.restore()
