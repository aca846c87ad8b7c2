"""List of the steps of the recording; a step appears after it has been saved."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from episodes.actions import LongPress
from episodes.screens import Frame, TreeFit
from episodes.steps import Step
from taptrail.gui import icons, phrases, theme
from taptrail.gui.components import cells
from taptrail.gui.components.chip import chip_width, paint_chip
from taptrail.gui.components.strip import paint_thumbnail
from taptrail.gui.components.tips import tip
from taptrail.gui.fonts import BODY, CAPTION, FACTS, font
from taptrail.gui.record.timeline import RecordingTrack
from taptrail.gui.thumbnails import Pictures
from taptrail.words import tr

Index = QModelIndex | QPersistentModelIndex
ROW, WAITING = 56, 44
_MOMENT_US = 50_000
_FITS = {
    TreeFit.LATE: "Tree late",
    TreeFit.STALE: "Tree stale",
    TreeFit.FAILED: "No tree",
    TreeFit.MISSING: "No tree",
}


class StepsModel(QAbstractListModel):
    """Item model: the saved steps, and one row for the step in progress."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.steps: list[Step] = []
        self.names: dict[int, str] = {}
        self.waiting = ""
        self.track = RecordingTrack()

    def begin(self, track: RecordingTrack) -> None:
        """Removes all steps; `track` has the pauses of the new recording."""
        self.beginResetModel()
        self.steps, self.names, self.waiting = [], {}, ""
        self.track = track
        self.endResetModel()

    def add(self, step: Step) -> None:
        """Adds a step that has been saved."""
        row = len(self.steps)
        self.beginInsertRows(QModelIndex(), row, row)
        self.steps.append(step)
        self.endInsertRows()
        self._changed(row - 1)

    def name(self, index: int, words: str) -> None:
        """Sets the name of the touched element of a step."""
        self.names[index] = words
        rows = [row for row, step in enumerate(self.steps) if step.index == index]
        for row in rows:
            self._changed(row)

    def words(self, row: int) -> tuple[str, str]:
        """Returns verb and object of the step in a row."""
        step = self.steps[row]
        return phrases.step_words(step, self.names.get(step.index, ""))

    def thinking_us(self, row: int) -> int | None:
        """Returns the time from the end of the previous step to this one, without pauses."""
        if row == 0:
            return None
        began = self.steps[row].began.host_ns
        before = self.steps[row - 1].ended.host_ns
        if began is None or before is None:
            return None
        return max(0, began - before - self.track.paused_ns(before, began)) // 1000

    def put_back(self, step: Step) -> None:
        """Restores a removed step at its old position."""
        row = sum(1 for other in self.steps if other.index < step.index)
        self.beginInsertRows(QModelIndex(), row, row)
        self.steps.insert(row, step)
        self.endInsertRows()

    def drop(self, index: int) -> Step | None:
        """Removes a step and returns it."""
        found = next((step for step in self.steps if step.index == index), None)
        rows = [row for row, step in enumerate(self.steps) if step.index == index]
        for row in rows:
            self.beginRemoveRows(QModelIndex(), row, row)
            del self.steps[row]
            self.endRemoveRows()
        return found

    def set_after(self, index: int, frame: Frame) -> None:
        """Stores the settled screen after a step."""
        for row, step in enumerate(self.steps):
            if step.index == index:
                self.steps[row] = replace(step, after=frame)

    def wait(self, words: str) -> None:
        """Shows what the recording waits for; "" hides it."""
        if bool(words) != bool(self.waiting):
            self.layoutAboutToBeChanged.emit()
            self.waiting = words
            self.layoutChanged.emit()
        else:
            self.waiting = words
        self._changed(len(self.steps))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's signature
        return 0 if parent.isValid() else len(self.steps) + bool(self.waiting)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.ToolTipRole and index.row() < len(self.steps):
            return tip(tree_advice(self.steps[index.row()])) or None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            if index.row() >= len(self.steps):
                return self.waiting
            step = self.steps[index.row()]
            words = phrases.sentence(self.words(index.row()))
            fit = tree_words(step)
            return tr("Step {n}, {what}", n=index.row() + 1, what=words) + (
                f", {fit}" if fit else ""
            )
        return None

    def _changed(self, row: int) -> None:
        if 0 <= row < self.rowCount():
            self.dataChanged.emit(self.index(row), self.index(row))


class StepsList(QListView):
    """The step list at the right of Record; scrolls to the newest step."""

    def __init__(self, model: StepsModel, pictures: Pictures) -> None:
        super().__init__()
        self.setAccessibleName(tr("Steps of the recording"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setModel(model)
        self.setItemDelegate(_Row(model, pictures, self))
        model.rowsInserted.connect(lambda *_: self.scrollToBottom())
        pictures.ready.connect(self._redraw)

    def _redraw(self, _: str) -> None:
        """A method, not a lambda: pictures may arrive after the list is deleted."""
        self.viewport().update()


class _Row(QStyledItemDelegate):
    def __init__(self, model: StepsModel, pictures: Pictures, parent: QObject) -> None:
        super().__init__(parent)
        self._model, self._pictures = model, pictures

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, ROW if index.row() < len(self._model.steps) else WAITING)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect = QRectF(option.rect)
        row = index.row()
        painter.save()
        if row >= len(self._model.steps):
            self._paint_waiting(painter, rect, row)
            painter.restore()
            return
        step = self._model.steps[row]
        newest = row == len(self._model.steps) - 1
        cells.row_ground(painter, rect, chosen=newest, hover=False)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(theme.colour("accent"), 2))
            painter.drawRect(rect.adjusted(1, 1, -1, -2))
        middle = rect.center().y() - 0.5
        number = QRectF(rect.left() + 8, rect.top(), 18, rect.height() - 1)
        cells.line(painter, number, str(row + 1), font(FACTS), "text3", right=True)
        self._paint_picture(painter, QRectF(rect.left() + 34, middle - 23, 36, 46), step)
        ink = "accent" if newest else "text2"
        icons.paint(
            painter, icons.of_action(step.action), QPointF(rect.left() + 88, middle), 20, ink
        )
        right = self._paint_chips(painter, rect.right() - 12, middle, step, newest=newest)
        words = QRectF(rect.left() + 106, middle - 18, right - rect.left() - 114, 18)
        _paint_words(painter, words, self._model.words(row))
        below = words.translated(0, 19)
        times = _times(step, self._model.thinking_us(row))
        if newest and tree_words(step):
            times = " · ".join(x for x in (tr("Saved"), times) if x)
        cells.line(painter, below, times, font(CAPTION), "text3")
        painter.restore()

    def _paint_picture(self, painter: QPainter, box: QRectF, step: Step) -> None:
        frame = step.frame
        image = None
        if frame is not None and frame.still is not None:
            image = self._pictures.get(frame.still)
        paint_thumbnail(painter, box, image, frame.size if frame else None, step.action)

    def _paint_chips(
        self, painter: QPainter, right: float, middle: float, step: Step, *, newest: bool
    ) -> float:
        chips = []
        if fit := tree_words(step):
            chips.append((fit, "mismatch", "alert"))
        elif newest:
            chips.append((tr("Saved"), "match", "check"))
        if step.frame is not None and step.frame.protected:
            chips.append((tr("Protected"), "plain", "lock-outline"))
        if isinstance(step.action, LongPress) and step.action.duration_us:
            chips.append((phrases.seconds(step.action.duration_us), "plain", ""))
        for text, tone, icon in chips:
            across = chip_width(text, icon)
            paint_chip(painter, right - across, middle, text, tone, icon)
            right -= across + 6
        return right

    def _paint_waiting(self, painter: QPainter, rect: QRectF, row: int) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = rect.center().y()
        number = QRectF(rect.left() + 8, rect.top(), 18, rect.height())
        cells.line(painter, number, str(row + 1), font(FACTS), "text3", right=True)
        pen = QPen(theme.colour("line2"), 1.5)
        pen.setDashPattern([3, 2])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(rect.left() + 34, middle - 16, 36, 32), 3, 3)
        words = QRectF(rect.left() + 78, rect.top(), rect.width() - 90, rect.height())
        cells.line(painter, words, self._model.waiting, font(FACTS), "text3")


def tree_words(step: Step) -> str:
    """Returns the problem of a step's tree as a short text; "" if there is none."""
    fit = step.tree.fit if step.tree is not None else None
    return tr(_FITS[fit]) if fit in _FITS else ""


def tree_advice(step: Step) -> str:
    """Returns the problem of a step's tree and its remedy; "" if there is none."""
    match step.tree.fit if step.tree is not None else None:
        case TreeFit.LATE:
            return tr(
                "The tree came after the action had begun, so it may show the screen after it. "
                "Wait a moment before you act, or check the target in Annotate."
            )
        case TreeFit.STALE:
            return tr(
                "The screen changed between the tree and the action, so its boxes may be off. "
                "Wait until the screen rests, or check the target in Annotate."
            )
        case TreeFit.FAILED | TreeFit.MISSING:
            return tr("There is no tree for this step. Draw the target's box in Annotate.")
        case _:
            return ""


def _paint_words(painter: QPainter, rect: QRectF, words: tuple[str, str]) -> None:
    verb, what = words
    plain, bold = font(BODY), font(BODY, 600)
    across = QFontMetricsF(plain).horizontalAdvance(verb + " ")
    cells.line(painter, rect, verb, plain, "text1")
    cells.line(painter, rect.adjusted(across, 0, 0, 0), what, bold, "text1")


def _times(step: Step, thinking: int | None) -> str:
    parts = []
    if thinking is not None:
        parts.append(tr("think {time}", time=phrases.seconds(thinking)))
    taken = phrases.step_time_us(step)
    if taken is not None and taken >= _MOMENT_US:
        parts.append(tr("action {time}", time=phrases.seconds(taken)))
    return " · ".join(parts)
