"""Attempts side by side: aligned strips of steps, one below the other, with their times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractTableModel,
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
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from episodes.visible_text import visible_text
from taptrail.gui import icons, phrases, theme
from taptrail.gui.components import cells
from taptrail.gui.components.button import QUIET, Button
from taptrail.gui.components.labels import ElidedLabel, label
from taptrail.gui.components.panel import Panel, PanelHead
from taptrail.gui.components.strip import paint_thumbnail
from taptrail.gui.components.tips import tip
from taptrail.gui.fonts import BODY, CAPTION, FACTS, font
from taptrail.gui.tasks.texts import (
    AttemptMark,
    mark_of,
    outcome_words,
    paint_agent,
    paint_mark,
    person,
    time,
)
from taptrail.gui.thumbnails import Pictures
from taptrail.usecases.attempt_steps import AttemptSteps, TimedStep
from taptrail.usecases.attempts import Reference
from taptrail.words import tr

Index = QModelIndex | QPersistentModelIndex
STEP = Qt.ItemDataRole.UserRole
_CELL, _HIGH, _NAMES = 104, 178, 168
_PICTURE = QSize(84, 100)


@dataclass(frozen=True)
class Strip:
    """An attempt with the texts of its head.

    Attributes:
        mark: None for an agent's attempt, which has a letter or "".
    """

    steps: AttemptSteps
    name: str
    outcome: str
    wall: int | None
    mark: AttemptMark | None = None
    letter: str = ""


def strips(found: Sequence[AttemptSteps], of: Reference, letters: dict[str, str]) -> list[Strip]:
    """Returns a strip for each attempt, in the same order."""
    people = {one.uuid: one for one in of.attempts}
    agents = {one.uuid: one for one in of.agents}
    made = []
    for one in found:
        if one.uuid in people:
            who = people[one.uuid]
            made.append(Strip(one, person(who), who.outcome, who.times.wall, mark_of(who)))
        elif one.uuid in agents:
            agent = agents[one.uuid]
            letter = letters.get(agent.agent, "")
            made.append(Strip(one, agent.agent or tr("Agent"), agent.outcome, None, None, letter))
    return made


class SideBySideView(Panel):
    """Signals:
    back: the user asked to return to the charts.
    turned: (uuid, row) of the step the user selected.
    """

    back = Signal()
    turned = Signal(str, int)

    def __init__(self, pictures: Pictures) -> None:
        super().__init__(tr("Attempts side by side"))
        self._title = ElidedLabel("", FACTS, 600)
        self._note = label("", FACTS, tone="3")
        back = Button(tr("Back"), "arrow-left", kind=QUIET, size="s", tip=tr("Back to the charts"))
        back.clicked.connect(self.back)
        self._said = ElidedLabel("", BODY, 500)
        self._times = ElidedLabel("", FACTS, ink="text2")
        self.view = _Strips(pictures)
        self.view.turned.connect(self._turn)
        foot = PanelHead(self._said, None, self._times)
        self.add(PanelHead(back, self._title, self._note, None), self.view, foot)
        self.column.setStretch(1, 1)

    def show_strips(self, found: list[Strip], of: int) -> None:
        """Shows attempts below each other; `of` is the number of requested attempts."""
        self._title.set_text(tr("1 attempt", "{n} attempts side by side", n=len(found)))
        left = of - len(found)
        self._note.setText(tr("{n} more are not shown", n=left) if left > 0 else "")
        self.view.show_strips(found)

    def where(self) -> tuple[str, int]:
        """Returns uuid and row of the step in focus; ("", -1) if there is none."""
        return self.view.where()

    def words(self) -> tuple[str, str]:
        """Returns the texts of the step in focus and its times."""
        return self._said.text(), self._times.text()

    def _turn(self, words: str, times: str) -> None:
        self._said.set_text(words)
        self._times.set_text(times)
        self.turned.emit(*self.where())


class _Model(QAbstractTableModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.strips: list[Strip] = []

    def replace(self, found: list[Strip]) -> None:
        self.beginResetModel()
        self.strips = found
        self.endResetModel()

    def step(self, row: int, column: int) -> TimedStep | None:
        steps = self.strips[row].steps.steps
        return steps[column] if column < len(steps) else None

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's signature
        return 0 if parent.isValid() else len(self.strips)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's signature
        if parent.isValid():
            return 0
        return max((len(strip.steps.steps) for strip in self.strips), default=0)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            if orientation is Qt.Orientation.Horizontal:
                return tr("Step {n}", n=section + 1)
            return visible_text(self.strips[section].name)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        found = self.step(index.row(), index.column())
        if role == STEP:
            return found
        if role in (
            Qt.ItemDataRole.DisplayRole,
            Qt.ItemDataRole.AccessibleTextRole,
            Qt.ItemDataRole.ToolTipRole,
        ):
            strip = self.strips[index.row()]
            if found is None:
                return tr("{who} had ended before", who=strip.name)
            words = step_sentence(found)
            count = len(strip.steps.steps)
            at = tr("{who}, step {n} of {all}", who=strip.name, n=index.column() + 1, all=count)
            said = ", ".join(part for part in (f"{at}: {words}", times_words(found)) if part)
            return tip(said) if role == Qt.ItemDataRole.ToolTipRole else said
        return None


class _Strips(QTableView):
    turned = Signal(str, str)

    def __init__(self, pictures: Pictures) -> None:
        super().__init__()
        self.setAccessibleName(tr("Steps of the attempts"))
        self._model = _Model(self)
        self.setModel(self._model)
        self.setItemDelegate(_Cell(pictures, self))
        self.setShowGrid(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        across = self.horizontalHeader()
        across.setFont(font(FACTS, 500))
        across.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        across.setFixedHeight(31)
        across.setHighlightSections(False)
        across.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        across.setDefaultSectionSize(_CELL)
        self.setVerticalHeader(_Names(self._model, self))
        self.selectionModel().currentChanged.connect(self._turned)
        pictures.ready.connect(self._repaint)

    def show_strips(self, found: list[Strip]) -> None:
        self._model.replace(found)
        if self._model.columnCount():
            self.setCurrentIndex(self._model.index(0, 0))

    def where(self) -> tuple[str, int]:
        index = self.currentIndex()
        if not index.isValid() or self._model.step(index.row(), index.column()) is None:
            return "", -1
        return self._model.strips[index.row()].steps.uuid, index.column()

    def _repaint(self, _sha256: str) -> None:
        self.viewport().update()

    def _turned(self, now: QModelIndex, _before: QModelIndex) -> None:
        self.viewport().update()
        if not now.isValid():
            self.turned.emit("", "")
            return
        found = self._model.step(now.row(), now.column())
        name = self._model.strips[now.row()].name
        if found is None:
            self.turned.emit(tr("{who} had ended before", who=name), "")
            return
        at = tr(
            "{who}, step {n}: {words}", who=name, n=now.column() + 1, words=step_sentence(found)
        )
        self.turned.emit(at, times_words(found))


class _Names(QHeaderView):
    """The heads of the rows: who, outcome, and relation to the reference."""

    def __init__(self, model: _Model, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._strips = model
        self.setFixedWidth(_NAMES)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setDefaultSectionSize(_HIGH)

    def paintSection(self, painter: QPainter, rect: object, logical: int) -> None:
        room = QRectF(rect)  # type: ignore[call-overload]
        strip = self._strips.strips[logical]
        painter.save()
        painter.fillRect(room, theme.colour("panel"))
        left, top = room.left() + 12, room.top() + 12
        across = room.width() - 20
        at = QPointF(left + 6, top + 10)
        if strip.mark is None:
            paint_agent(painter, at, strip.letter)
        else:
            paint_mark(painter, at, strip.mark)
        name = QRectF(left + 20, top, across - 20, 20)
        cells.line(painter, name, strip.name, font(BODY, 600), "text1")
        icon, ink, word = outcome_words(strip.outcome)
        icons.paint(painter, icon, QPointF(left + 7, top + 34), 15, ink)
        said = QRectF(left + 20, top + 24, across - 20, 20)
        cells.line(painter, said, word, font(FACTS), "text1")
        count = tr("1 step", "{n} steps", n=len(strip.steps.steps))
        told = count if strip.wall is None else f"{count} · {time(strip.wall)}"
        lines = [told, tr(strip.mark.value) if strip.mark is not None else tr("No person")]
        for number, text in enumerate([*lines, strip.steps.episode]):
            line = QRectF(left, top + 48 + 20 * number, across, 20)
            cells.line(painter, line, text, font(FACTS), "text2" if number < 2 else "text3")
        painter.fillRect(
            QRectF(room.left(), room.bottom() - 1, room.width(), 1), theme.colour("line")
        )
        painter.fillRect(
            QRectF(room.right() - 1, room.top(), 1, room.height()), theme.colour("line")
        )
        painter.restore()


class _Cell(QStyledItemDelegate):
    def __init__(self, pictures: Pictures, view: _Strips) -> None:
        super().__init__(view)
        self._pictures, self._view = pictures, view

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect = QRectF(option.rect)
        found: TimedStep | None = index.data(STEP)
        now = self._view.currentIndex()
        painter.save()
        painter.fillRect(rect, theme.colour("panel"))  # over Qt's background of a selected cell
        painter.fillRect(
            QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), theme.colour("line")
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        cell = rect.adjusted(3, 4, -3, -6)
        if index.column() == now.column():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("accent_tint"))
            painter.drawRoundedRect(cell, 6, 6)
            if index.row() == now.row():
                pen = QPen(theme.colour("accent"), 2 if self._view.hasFocus() else 1.2)
                painter.setPen(pen)
                painter.drawRoundedRect(cell.adjusted(1, 1, -1, -1), 6, 6)
        if found is None:
            painter.setPen(theme.colour("text3"))
            painter.setFont(font(CAPTION))
            painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, "–")
        else:
            self._paint_step(painter, cell, found, on=index.column() == now.column())
        painter.restore()

    def _paint_step(self, painter: QPainter, cell: QRectF, found: TimedStep, *, on: bool) -> None:
        step = found.step
        box = QRectF(cell.left() + 7, cell.top() + 6, _PICTURE.width(), _PICTURE.height())
        image = None
        if step.frame is not None and step.frame.still is not None:
            image = self._pictures.get(step.frame.still)
        size = step.frame.size if step.frame is not None else None
        paint_thumbnail(painter, box, image, size, step.action)
        if step.frame is not None and step.frame.protected:
            icons.paint(painter, "lock-outline", box.center(), 20, theme.on_frames("pill_text"))
        left, across = box.left(), box.width()
        ink = "accent" if on else "text1"
        at = QPointF(left + 8, box.bottom() + 14)
        icons.paint(painter, icons.of_action(step.action), at, 15, "accent" if on else "text2")
        verb, what = phrases.step_words(step, found.name)
        room = QRectF(left + 20, box.bottom() + 6, across - 20, 16)
        cells.line(painter, room, verb, font(CAPTION, 600), ink)
        room = QRectF(left, box.bottom() + 22, across, 15)
        cells.line(painter, room, what, font(CAPTION), "text2")
        room = QRectF(left, box.bottom() + 38, across, 15)
        if found.at is not None:
            cells.line(painter, room, phrases.clock(found.at), font(CAPTION, 500), "text1")
        if found.thinking is not None:
            think = tr("+{time}", time=phrases.seconds(found.thinking))
            cells.line(painter, room, think, font(CAPTION), "text3", right=True)


def step_sentence(found: TimedStep) -> str:
    """Returns the action of a step as text."""
    words = phrases.sentence(phrases.step_words(found.step, found.name))
    if found.step.frame is not None and found.step.frame.protected:
        words = tr("{words}, protected by the app", words=words)
    return words


def times_words(found: TimedStep) -> str:
    """Returns the start, thinking time and duration of a step; "" without times."""
    if found.at is None or found.thinking is None or found.acting is None:
        return ""
    return tr(
        "at {at}, after {thinking} of thinking, {acting} of acting",
        at=phrases.clock(found.at),
        thinking=phrases.seconds(found.thinking),
        acting=phrases.seconds(found.acting),
    )
