"""The strip of an episode's steps: picture, number, kind, and verdicts below."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QImage, QKeyEvent, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import (
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from episodes.actions import Action, Swipe, place
from episodes.geometry import Size
from episodes.screens import Frame
from episodes.verdicts import Outcome
from taptrail.gui import icons, marks, theme
from taptrail.gui.components.tips import tip
from taptrail.gui.fit import Fit
from taptrail.gui.fonts import CAPTION, font
from taptrail.gui.thumbnails import Pictures

Index = QModelIndex | QPersistentModelIndex
ITEM = Qt.ItemDataRole.UserRole
PICTURE = QSize(62, 74)
CELL = QSize(76, 100)
_VERDICT = 15
"""Width of one verdict; from the third on each makes the cell wider by as much."""


@dataclass(frozen=True)
class StripItem:
    """One step of the strip.

    Attributes:
        words: description for a screen reader.
        outcomes: verdicts in the order of the runs; None if a run has no prediction.
        icon: a state as (icon, colour token), if there are no verdicts.
        findings: the findings as (icon, colour token, count).
    """

    number: int
    action: Action
    frame: Frame | None
    words: str
    outcomes: tuple[Outcome | None, ...] = ()
    icon: tuple[str, str] | None = None
    findings: tuple[str, str, int] | None = None


class StepStrip(QListView):
    """Signals:
    chosen: the number of the item the user selected.
    """

    chosen = Signal(int)

    def __init__(self, pictures: Pictures, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(False)
        self.setUniformItemSizes(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        self._steps = StepItems(self)
        self.setModel(self._steps)
        self.setItemDelegate(_Cell(pictures, self))
        self.setFixedHeight(CELL.height() + 10)
        self.selectionModel().currentChanged.connect(self._turned)
        pictures.ready.connect(self._repaint)
        self._quiet = False

    def show_items(self, items: list[StripItem], current: int = 0) -> None:
        """Shows other steps without emitting a signal."""
        self._quiet = True
        if _runs(items) != _runs(self._steps.items):
            self.scheduleDelayedItemsLayout()  # more runs need wider cells
        same = [item.number for item in items] == [item.number for item in self._steps.items]
        if same:
            self._steps.change(items)
        else:
            self._steps.replace(items)
        self._quiet = False
        self.turn_to(current)

    def turn_to(self, row: int) -> None:
        """Makes a step current without emitting a signal."""
        if not 0 <= row < len(self._steps.items):
            return
        self._quiet = True
        self.setCurrentIndex(self._steps.index(row))
        self._quiet = False
        self.scrollTo(self._steps.index(row))

    def current(self) -> int:
        """Returns the row of the current step; -1 if there is none."""
        return self.currentIndex().row()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.modifiers() not in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        ):
            event.ignore()
            return
        rows = len(self._steps.items)
        moves = {
            Qt.Key.Key_Left: self.current() - 1,
            Qt.Key.Key_Right: self.current() + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: rows - 1,
        }
        wanted = moves.get(Qt.Key(event.key()))
        if wanted is None:
            event.ignore()
            return
        if 0 <= wanted < rows and wanted != self.current():
            self.setCurrentIndex(self._steps.index(wanted))

    def _repaint(self, _sha256: str) -> None:
        self.viewport().update()

    def _turned(self, now: QModelIndex, _before: QModelIndex) -> None:
        if now.isValid() and not self._quiet:
            self.scrollTo(now)
            self.chosen.emit(now.row())


class StepItems(QAbstractListModel):
    """Item model of a strip or a grid of steps."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.items: list[StripItem] = []

    def replace(self, items: list[StripItem]) -> None:
        """Shows other steps."""
        self.beginResetModel()
        self.items = items
        self.endResetModel()

    def change(self, items: list[StripItem]) -> None:
        """Updates the verdicts of the same steps."""
        self.items = items
        if items:
            self.dataChanged.emit(self.index(0), self.index(len(items) - 1))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's signature
        return 0 if parent.isValid() else len(self.items)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        item = self.items[index.row()]
        if role == ITEM:
            return item
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return item.words
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(item.words)
        return None


class _Cell(QStyledItemDelegate):
    def __init__(self, pictures: Pictures, parent: QWidget) -> None:
        super().__init__(parent)
        self._pictures = pictures

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        item = index.data(ITEM)
        more = max(0, len(item.outcomes) - 2) if isinstance(item, StripItem) else 0
        return QSize(CELL.width() + more * _VERDICT, CELL.height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        item = index.data(ITEM)
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        on = bool(state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        cell = QRectF(rect.left() + 2, rect.top() + 1, rect.width() - 4, 98)
        if on:
            view = self.parent()
            focused = isinstance(view, QWidget) and view.hasFocus()
            painter.setPen(QPen(theme.colour("accent"), 2 if focused else 1.5))
            painter.setBrush(theme.colour("accent_tint"))
            painter.drawRoundedRect(cell.adjusted(1, 1, -1, -1), 6, 6)
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("hover"))
            painter.drawRoundedRect(cell, 6, 6)
        left = cell.center().x() - PICTURE.width() / 2
        picture = QRectF(left, cell.top() + 5, PICTURE.width(), PICTURE.height())
        image = None
        if item.frame is not None and item.frame.still is not None:
            image = self._pictures.get(item.frame.still)
        size = item.frame.size if item.frame is not None else None
        paint_thumbnail(painter, picture, image, size, item.action)
        if item.findings is not None:
            paint_findings(painter, picture, *item.findings)
        self._paint_words(painter, cell, item, on)
        painter.restore()

    def _paint_words(self, painter: QPainter, cell: QRectF, item: StripItem, on: bool) -> None:
        middle = cell.bottom() - 10
        ink = "accent" if on else "text2"
        painter.setFont(font(CAPTION, 600))
        painter.setPen(theme.colour(ink))
        words = str(item.number)
        painter.drawText(QPointF(cell.left() + 6, middle + 4), words)
        across = painter.fontMetrics().horizontalAdvance(words)
        at = QPointF(cell.left() + 6 + across + 10, middle)
        icons.paint(painter, icons.of_action(item.action), at, 14, ink)
        x = cell.right() - 11
        if item.icon is not None:
            icons.paint(painter, item.icon[0], QPointF(x, middle), 13, item.icon[1])
        for outcome in reversed(item.outcomes):
            if outcome is None:
                painter.setPen(theme.colour("text3"))
                painter.drawText(
                    QRectF(x - 6, middle - 8, 12, 16), Qt.AlignmentFlag.AlignCenter, "–"
                )
            else:
                icon, colour = icons.of_outcome(outcome)
                icons.paint(painter, icon, QPointF(x, middle), 13, colour)
            x -= _VERDICT


def _runs(items: list[StripItem]) -> int:
    return max((len(item.outcomes) for item in items), default=0)


def paint_findings(painter: QPainter, picture: QRectF, icon: str, ink: str, count: int) -> None:
    """Paints the number of findings of a step at the upper right of its picture."""
    painter.save()
    face = font(CAPTION, 600)
    painter.setFont(face)
    words = str(count)
    across = painter.fontMetrics().horizontalAdvance(words) + 24
    box = QRectF(picture.right() - across - 2, picture.top() + 2, across, 17)
    painter.setPen(QPen(theme.colour("line2"), 1))
    painter.setBrush(theme.colour("panel"))
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
    icons.paint(painter, icon, QPointF(box.left() + 10, box.center().y()), 12, ink)
    painter.setPen(theme.colour("text1"))
    room = box.adjusted(18, 0, -4, 0)
    painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
    painter.restore()


def paint_thumbnail(
    painter: QPainter,
    box: QRectF,
    image: QImage | None,
    size: Size | None,
    action: Action | None,
) -> None:
    """Paints a picture as wide as the box, cropped around the action, with a small mark."""
    outline = QPainterPath()
    outline.addRoundedRect(box, 3, 3)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipPath(outline)
    if size is None:
        painter.fillRect(box, theme.colour("raised"))
    else:
        fit = _cut(size, box, action)
        if image is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(fit.rect, image, QRectF(image.rect()))
        else:
            painter.fillRect(box, theme.colour("raised"))
        if action is not None:
            marks.draw_small(painter, action, fit)
    painter.restore()
    painter.save()
    painter.setPen(QPen(theme.colour("line2"), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
    painter.restore()


def _cut(size: Size, box: QRectF, action: Action | None) -> Fit:
    zoom = max(box.width() / size.width, 1e-6)
    high = size.height * zoom
    if high <= box.height():
        zoom = box.height() / size.height
        left = box.center().x() - size.width * zoom / 2
        return Fit(size, QRectF(left, box.top(), size.width * zoom, box.height()))
    middle = 0.0
    if isinstance(action, Swipe):
        middle = (action.start.y + action.end.y) / 2 * zoom
    elif action is not None:
        point = place(action)
        middle = point.y * zoom if point is not None else 0.0
    above = min(max(0.0, middle - box.height() / 2), high - box.height())
    return Fit(size, QRectF(box.left(), box.top() - above, box.width(), high))
