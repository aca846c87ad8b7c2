"""A table of rows of equal height: it marks the row under the mouse and the current row."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QRectF, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from taptrail.gui import theme
from taptrail.gui.fonts import FACTS, font


class RowTable(QTableView):
    """A table whose rows are selected as a whole.

    Attributes:
        hovered: the row under the mouse; -1 if there is none.
    """

    def __init__(
        self, name: str, model: QAbstractItemModel, row_height: int, *, several: bool
    ) -> None:
        super().__init__()
        self.setModel(model)
        self._row_height = row_height
        self.hovered = -1
        self.setAccessibleName(name)
        self.setShowGrid(False)
        self.setMouseTracking(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        mode = QAbstractItemView.SelectionMode
        self.setSelectionMode(mode.ExtendedSelection if several else mode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(row_height)
        head = self.horizontalHeader()
        head.setFont(font(FACTS, 500))
        head.setFixedHeight(31)
        head.setHighlightSections(False)

    def set_widths(self, *widths: int) -> None:
        """Sets the columns' widths; 0 takes the remaining space."""
        head = self.horizontalHeader()
        for column, width in enumerate(widths):
            if width:
                head.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
                self.setColumnWidth(column, width)
            else:
                head.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        row = self.rowAt(int(event.position().y()))
        if row != self.hovered:
            self.hovered = row
            self.viewport().update()
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: object) -> None:
        self.hovered = -1
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        index = self.currentIndex()
        if self.hasFocus() and index.isValid():
            painter = QPainter(self.viewport())
            painter.setPen(QPen(theme.colour("accent"), 2))
            top = self.rowViewportPosition(index.row())
            across, high = self.viewport().width() - 2, self._row_height - 2
            painter.drawRect(QRectF(1, top + 1, across, high))
