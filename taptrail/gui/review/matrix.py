"""Confusion matrix of gold and predicted action kinds, as a tinted table."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from scoring.numbers import Confusion
from taptrail.gui import theme
from taptrail.gui.components.tips import tip
from taptrail.gui.fonts import CAPTION, font
from taptrail.gui.review.kind_words import short, whole
from taptrail.words import tr

_LEFT, _TOP, _HIGH, _LEAST, _MOST = 46, 20, 26, 26, 34


class Matrix(QWidget):
    """A confusion matrix; cells are selected with the mouse, or with arrow keys and Enter.

    Signals:
        wanted: (gold, predicted) of the cell whose steps to list.
    """

    wanted = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setProperty("ring", "own")
        self._table = Confusion((), (), {})
        self._rows: tuple[str, ...] = ()
        self._columns: tuple[str, ...] = ()
        self._at = (0, 0)

    def show_counts(self, table: Confusion) -> None:
        """Shows counts; kinds that never occur have no row and no column."""
        self._table = table
        self._rows, self._columns = table.rows, table.columns
        self._at = (0, 0)
        self.setAccessibleName(tr("Kinds of action: gold and predicted"))
        self.setAccessibleDescription(". ".join(self.lines()))
        self.updateGeometry()
        self.update()

    def lines(self) -> list[str]:
        """Returns each non-empty cell as text."""
        return [
            self._words(row, column)
            for row in self._rows
            for column in self._columns
            if self._table.counts.get((row, column))
        ]

    def sizeHint(self) -> QSize:
        return QSize(280, _TOP + _HIGH * len(self._rows))

    def rect_of(self, row: int, column: int) -> QRectF:
        """Returns the rectangle of a cell."""
        across = self._across()
        return QRectF(_LEFT + across * column + 1, _TOP + _HIGH * row + 1, across - 2, _HIGH - 2)

    def _across(self) -> float:
        count = max(1, len(self._columns))
        return max(float(_LEAST), min(float(_MOST), (self.width() - _LEFT) / count))

    def _words(self, row: str, column: str) -> str:
        count = self._table.counts.get((row, column), 0)
        what = tr("gold {gold}, predicted {said}", gold=whole(row), said=whole(column))
        return tr("{n} of {all}: {what}", n=count, all=self._table.total(row), what=what)

    def _cell_at(self, at: QPointF) -> tuple[int, int] | None:
        for row in range(len(self._rows)):
            for column in range(len(self._columns)):
                if self.rect_of(row, column).contains(at):
                    return row, column
        return None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self._cell_at(event.position())
        if found is not None:
            self._at = found
            self._choose()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip:
            found = self._cell_at(QPointF(event.pos()))  # type: ignore[attr-defined]
            words = self._words(self._rows[found[0]], self._columns[found[1]]) if found else ""
            QToolTip.showText(event.globalPos(), tip(words), self)  # type: ignore[attr-defined]
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        moves = {
            Qt.Key.Key_Up: (-1, 0),
            Qt.Key.Key_Down: (1, 0),
            Qt.Key.Key_Left: (0, -1),
            Qt.Key.Key_Right: (0, 1),
        }
        key = Qt.Key(event.key())
        if key in moves and self._rows and not event.modifiers():
            row, column = (a + b for a, b in zip(self._at, moves[key], strict=True))
            self._at = (
                min(max(0, row), len(self._rows) - 1),
                min(max(0, column), len(self._columns) - 1),
            )
            self.update()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose()
        else:
            super().keyPressEvent(event)

    def _choose(self) -> None:
        self.update()
        if self._rows:
            row, column = self._rows[self._at[0]], self._columns[self._at[1]]
            if self._table.counts.get((row, column)):
                self.wanted.emit(row, column)

    def focusInEvent(self, event: object) -> None:
        self.update()

    def focusOutEvent(self, event: object) -> None:
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(font(CAPTION))
        middle = Qt.AlignmentFlag.AlignCenter
        across = self._across()
        painter.setPen(theme.colour("text2"))
        for number, column in enumerate(self._columns):
            box = QRectF(_LEFT + across * number - 6, 0, across + 12, _TOP - 3)
            painter.drawText(box, middle, short(column))
        for number, row in enumerate(self._rows):
            painter.setFont(font(CAPTION))
            painter.setPen(theme.colour("text2"))
            left = QRectF(0, _TOP + _HIGH * number, _LEFT - 4, _HIGH)
            painter.drawText(left, Qt.AlignmentFlag.AlignVCenter, short(row))
            total = max(1, self._table.total(row))
            for at, column in enumerate(self._columns):
                count = self._table.counts.get((row, column), 0)
                self._paint_cell(
                    painter, self.rect_of(number, at), count, count / total, row == column
                )
        if self.hasFocus() and self._rows:
            painter.setPen(QPen(theme.colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect_of(*self._at).adjusted(1, 1, -1, -1))

    def _paint_cell(
        self, painter: QPainter, box: QRectF, count: int, share: float, same: bool
    ) -> None:
        painter.fillRect(box, theme.colour("hover"))
        ink = "match" if same else "mismatch"
        if count:
            painter.fillRect(box, _tint(ink, share))
            if same:
                painter.setPen(QPen(theme.colour(ink), 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
        painter.setFont(font(CAPTION, 600 if same and count else 400))
        painter.setPen(theme.colour("text1" if count else "text3"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, f"{count:,}" if count else "·")


def _tint(ink: str, share: float) -> QColor:
    """Returns the tint: darker for a larger share of the row, but its number stays legible."""
    colour = QColor(theme.colour(ink))
    colour.setAlphaF(0.10 + 0.30 * min(1.0, share))
    return colour
