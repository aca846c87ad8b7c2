"""The table of episodes: its columns, its keys, and how a row is painted."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from episodes.store.queries import EpisodeSummary
from taptrail.gui import icons, theme
from taptrail.gui.components import cells
from taptrail.gui.components.table import RowTable
from taptrail.gui.episodes.listing import (
    APPS,
    INSTRUCTION,
    NAME,
    ORDERS,
    SOURCE,
    SUMMARY,
    EpisodesModel,
    Index,
)
from taptrail.gui.episodes.texts import findings_mark, state_words
from taptrail.gui.fonts import BODY, FACTS, font
from taptrail.words import tr

ROW = 44
_WIDTHS = (96, 0, 128, 60, 60, 104, 112, 76)


class EpisodesTable(RowTable):
    """Signals:
    chosen: the EpisodeSummary of the current row.
    opened: the EpisodeSummary of a row that was double-clicked or entered.
    selected: the number of selected rows.
    sorting: (column, Qt.SortOrder) requested by the user.
    """

    chosen = Signal(object)
    opened = Signal(object)
    selected = Signal(int)
    sorting = Signal(int, object)

    def __init__(self, model: EpisodesModel) -> None:
        super().__init__(tr("Episodes"), model, ROW, several=True)
        self._model = model
        self.setItemDelegate(_Cell(self))
        head = self.horizontalHeader()
        head.setSectionsClickable(True)
        head.setMinimumSectionSize(40)
        self.set_widths(*_WIDTHS)
        head.sectionClicked.connect(self._sort_by)
        self._sorted: tuple[int, bool] = (-1, True)
        self.selectionModel().currentRowChanged.connect(lambda now, _: self._tell(now.row()))
        self.selectionModel().selectionChanged.connect(
            lambda *_: self.selected.emit(self.selected_count())
        )
        # Methods, not lambdas: Qt disconnects them with the table, though the model may live on.
        model.modelReset.connect(self._emptied)
        model.dataChanged.connect(self._tell_again)
        self.doubleClicked.connect(lambda index: self._open(index.row()))
        self._told = ""

    @Slot()
    def _emptied(self) -> None:
        self.selected.emit(0)

    @Slot()
    def _tell_again(self) -> None:
        self._tell(self.currentIndex().row())

    def choose(self, row: int) -> None:
        """Selects only one row, regardless of modifier keys."""
        how = QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(
            self._model.index(row, 0), how.ClearAndSelect | how.Rows
        )

    def go_to(self, row: int) -> None:
        """Makes a row current without selecting it."""
        how = QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(self._model.index(row, 0), how.NoUpdate)

    def choose_rows(self, rows: Iterable[int]) -> None:
        """Adds rows to the selection; the current row stays."""
        how = QItemSelectionModel.SelectionFlag
        for row in rows:
            self.selectionModel().select(self._model.index(row, 0), how.Select | how.Rows)

    def selected_ranges(self) -> list[tuple[int, int]]:
        """Returns the selected rows as (first, count), from the top."""
        chosen = self.selectionModel().selection()
        spans = {(chosen.at(n).top(), chosen.at(n).bottom()) for n in range(chosen.count())}
        return [(top, bottom - top + 1) for top, bottom in sorted(spans)]

    def selected_count(self) -> int:
        """Returns the number of selected rows."""
        return sum(count for _, count in self.selected_ranges())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open(self.currentIndex().row())
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self.setColumnHidden(APPS, self.width() < 760)
        self.setColumnHidden(SOURCE, self.width() < 940)

    def _sort_by(self, column: int) -> None:
        if column not in ORDERS:
            return
        before, descending = self._sorted
        self._sorted = (column, not descending if column == before else False)
        way = self._sorted[1]
        self.sorting.emit(
            column, Qt.SortOrder.DescendingOrder if way else Qt.SortOrder.AscendingOrder
        )

    def _tell(self, row: int) -> None:
        summary = self._model.summary(row) if row >= 0 else None
        if summary is not None and summary.uuid != self._told:
            self._told = summary.uuid
            self.chosen.emit(summary)

    def tell_again(self) -> None:
        """Emits `chosen` for the current row even if it has not changed."""
        self._told = ""
        self._tell(self.currentIndex().row())

    def _open(self, row: int) -> None:
        summary = self._model.summary(row) if row >= 0 else None
        if summary is not None:
            self.opened.emit(summary)


class _Cell(QStyledItemDelegate):
    def __init__(self, table: EpisodesTable) -> None:
        super().__init__(table)
        self._table = table

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(60, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect = QRectF(option.rect)
        chosen = self._table.selectionModel().isRowSelected(index.row(), QModelIndex())
        painter.save()
        cells.row_ground(painter, rect, chosen=chosen, hover=index.row() == self._table.hovered)
        row = index.data(SUMMARY)
        if isinstance(row, EpisodeSummary):
            words = str(index.data(Qt.ItemDataRole.DisplayRole))
            left = 12 if index.column() == NAME else 8
            self._write(painter, rect.adjusted(left, 0, -8, -1), index.column(), row, words)
        elif index.column() == INSTRUCTION:
            grey = QRectF(rect.left() + 8, rect.center().y() - 5, rect.width() * 0.6, 10)
            painter.fillRect(grey, theme.colour("hover"))
        painter.restore()

    def _write(
        self, painter: QPainter, rect: QRectF, column: int, row: EpisodeSummary, words: str
    ) -> None:
        facts = font(FACTS)
        match column:
            case 0:
                cells.line(painter, rect, words, font(FACTS, mono=True), "text2", middle=True)
            case 1:
                cells.lines(painter, rect, words, font(BODY, 500), "text1", high=17)
            case 2:
                cells.lines(painter, rect, words, facts, "text2", high=16)
            case 3:
                cells.line(painter, rect, words, facts, "text1", right=True)
            case 4:
                cells.line(painter, rect, words, facts, "text2", right=True)
            case 5:
                cells.line(painter, rect, words, facts, "text2")
            case 6:
                icon, ink, word = state_words(row.state, row.review)
                icons.paint(painter, icon, QPointF(rect.left() + 7.5, rect.center().y()), 15, ink)
                cells.line(painter, rect.adjusted(21, 0, 0, 0), word, facts, "text1")
            case _:
                icon, ink, word = findings_mark(row)
                if icon:
                    middle = QPointF(rect.left() + 7.5, rect.center().y())
                    icons.paint(painter, icon, middle, 15, ink)
                cells.line(painter, rect.adjusted(21 if icon else 0, 0, 0, 0), word, facts, ink)
