"""Inspector of the selected episode: its texts, its steps as pictures, and its facts."""

from __future__ import annotations

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QKeyEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QListView,
    QPlainTextEdit,
    QSizePolicy,
    QStackedLayout,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from episodes.episodes import Episode
from episodes.screens import AppFit
from episodes.steps import Step
from taptrail.gui import icons, phrases, theme
from taptrail.gui.commands import key
from taptrail.gui.components.button import QUIET, Button
from taptrail.gui.components.chip import Chip
from taptrail.gui.components.labels import ElidedLabel, label
from taptrail.gui.components.messages import EmptyState
from taptrail.gui.components.panel import (
    Facts,
    Panel,
    PanelHead,
    Section,
    WidgetRow,
    section_head,
)
from taptrail.gui.components.strip import ITEM, StepItems, StripItem, paint_thumbnail
from taptrail.gui.components.tips import tip
from taptrail.gui.episodes.findings_section import MOST, FindingsSection
from taptrail.gui.episodes.texts import local_time, source_words, state_words
from taptrail.gui.fonts import BODY, CAPTION, FACTS, TITLE, font
from taptrail.gui.thumbnails import Pictures
from taptrail.usecases.attempts import endings
from taptrail.usecases.linting import ReportedFinding
from taptrail.usecases.reference_times import times
from taptrail.words import tr

Index = QModelIndex | QPersistentModelIndex
_PICTURE = QSize(48, 64)
_CELL = QSize(53, 88)
_BAR = 12
_LINES = 5
_ROOMY = 660
"""From so high on, there is room for findings beside a row of pictures; below, they are counted."""


class Inspector(QWidget):
    """Signals:
    annotate, opened: (uuid, row of the step) to show in Annotate, or in Review.
    instructed: (uuid, new instruction).
    """

    annotate = Signal(str, int)
    opened = Signal(str, int)
    instructed = Signal(str, str)

    def __init__(self, pictures: Pictures) -> None:
        super().__init__()
        self._episode: Episode | None = None
        self._name = ElidedLabel("", FACTS, 500, mono=True)
        self._when = ElidedLabel("", FACTS, ink="text3")
        self._instruction = label("", TITLE, 500, wrap=True, selectable=True)
        self._edit = Button(
            "",
            "pencil-outline",
            kind=QUIET,
            size="s",
            key=key("edit-instruction"),
            tip=tr("Edit the instruction"),
        )
        self._edit.clicked.connect(self.edit_instruction)
        self._said = WidgetRow(self._instruction, self._edit, gap=4)
        self._said.row.setStretch(0, 1)
        self._said.row.setAlignment(self._edit, Qt.AlignmentFlag.AlignTop)
        self._field = _Instruction()
        self._field.hide()
        self._field.entered.connect(self._send)
        self._field.left.connect(self._leave)
        self._chips = WidgetRow(gap=4)
        self._count = Chip("")
        self._grid = _Grid(pictures)
        self._grid.opened.connect(self._open)
        self.found = FindingsSection()
        self.found.shown.connect(self._annotate)
        self._facts = Facts()
        annotate = Button(tr("Annotate"), "vector-square", size="l")
        annotate.clicked.connect(lambda: self._annotate(max(0, self._grid.currentIndex().row())))
        review = Button(tr("Review"), "compare", size="l", key=key("open-in-review"))
        review.set_tip(tr("Open in Review"))
        review.clicked.connect(lambda: self._open(max(0, self._grid.currentIndex().row())))

        high = self._instruction.fontMetrics().lineSpacing() * _LINES
        self._instruction.setMaximumHeight(high)
        steps = Section(section_head(tr("Steps"), self._count, None), self._grid)
        shown = Panel(tr("Chosen episode"))
        shown.add(
            PanelHead(self._name, self._when, None),
            Section(None, self._said, self._field, self._chips),
            steps,
            self.found,
            Section(None, self._facts, line=False),
            None,
            WidgetRow(annotate, review, margins=(12, 12, 12, 12)),
        )
        shown.column.setStretch(2, 1000)
        empty = Panel(tr("Chosen episode"))
        empty.add(
            EmptyState(
                "table-large",
                tr("No episode chosen"),
                tr("Its steps and facts are shown here."),
                aside=True,
            )
        )
        self._stack = QStackedLayout(self)
        self._stack.addWidget(empty)
        self._stack.addWidget(shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.found.set_most(MOST if self.height() >= _ROOMY else 0)

    def show_nothing(self) -> None:
        """Shows that no episode is selected."""
        self._episode = None
        self._stack.setCurrentIndex(0)

    def show_episode(self, episode: Episode) -> None:
        """Shows an episode with its steps."""
        if self._episode is None or self._episode.uuid != episode.uuid:
            self._leave()
            self.found.hide()
        self._episode = episode
        self._stack.setCurrentIndex(1)
        self._name.set_text(episode.name)
        recorded = episode.origin.dataset == "recorded"
        when = local_time(episode.started_utc)
        self._when.set_text(tr("recorded {when}", when=when) if recorded and when else when)
        self._instruction.setText(episode.task.instruction or tr("No instruction"))
        self._instruction.setToolTip(tip(episode.task.instruction))
        self._show_chips(episode)
        self._count.set_words(str(len(episode.steps)))
        self._grid.show_steps(list(episode.steps))
        self._show_facts(episode)

    def show_found(self, uuid: str, told: list[ReportedFinding]) -> None:
        """Shows the findings of the episode, if it is still shown."""
        if self._episode is not None and self._episode.uuid == uuid:
            steps = self._episode.steps
            self.found.show_found(told, {step.index: row for row, step in enumerate(steps)})

    def edit_instruction(self) -> None:
        """Turns the instruction into an edit field."""
        if self._episode is not None:
            self._said.hide()
            self._field.setPlainText(self._episode.task.instruction)
            self._field.show()
            self._field.setFocus()
            self._field.selectAll()

    def _send(self) -> None:
        words = " ".join(self._field.toPlainText().split())
        if self._episode is not None and words and words != self._episode.task.instruction:
            self.instructed.emit(self._episode.uuid, words)
        self._leave()

    def _leave(self) -> None:
        self._field.hide()
        self._said.show()

    def _show_chips(self, episode: Episode) -> None:
        row = self._chips.row
        while (item := row.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for word in (episode.task.category, *episode.task.apps[:3]):
            if word:
                row.addWidget(Chip(word, "outline"))
        row.addStretch(1)
        self._chips.setVisible(row.count() > 1)

    def _show_facts(self, episode: Episode) -> None:
        put = self._facts.put
        icon, ink, word = state_words(episode.state)
        put(tr("State"), word, icon=icon, ink=ink)
        put(tr("Source"), source_words(episode.origin.dataset, episode.origin.version))
        author = episode.actor.author
        put(tr("Person"), author.name if author else episode.actor.agent)
        device = episode.device
        size = device.size or next((s.frame.size for s in episode.steps if s.frame), None)
        system = tr("Android {v}", v=device.android_release) if device.android_release else ""
        pixels = f"{size.width} × {size.height}" if size else ""
        put(tr("Device"), ", ".join(x for x in (device.model, system) if x))
        put(tr("Screen"), pixels)
        private = tr("left out of every export") if episode.private else ""
        put(tr("Private"), private, icon="eye-off-outline", ink="text2")
        put(tr("Time"), _time(episode))
        declared = episode.declared_steps
        differs = declared is not None and declared != len(episode.steps)
        put(
            tr("Declared"),
            tr("1 step", "{n} steps", n=declared or 0) if differs else "",
            icon="alert",
            ink="mismatch",
        )
        words, icon, ink = _result(episode)
        put(tr("Result"), words, icon=icon, ink=ink)
        pictures = sum(1 for s in episode.steps if s.frame is not None and s.frame.still)
        put(tr("Pictures"), tr("{some} of {all}", some=pictures, all=len(episode.steps)))
        black = sum(1 for s in episode.steps if s.frame is not None and s.frame.protected)
        words = tr("1 screen is black", "{n} screens are black", n=black) if black else ""
        put(tr("Protected"), words, icon="lock-outline", ink="text2")
        front = [s.foreground for s in episode.steps if s.foreground is not None]
        unsure = sum(1 for app in front if app.fit in (AppFit.LATE, AppFit.STALE))
        words = tr("not sure at 1 step", "not sure at {n} steps", n=unsure) if unsure else ""
        put(tr("App in front"), words, icon="alert", ink="mismatch")

    def _annotate(self, row: int) -> None:
        if self._episode is not None:
            self.annotate.emit(self._episode.uuid, row)

    def _open(self, row: int) -> None:
        if self._episode is not None:
            self.opened.emit(self._episode.uuid, row)


def _time(episode: Episode) -> str:
    wall = times(episode).wall
    return "" if wall is None else phrases.clock(wall)


def _result(episode: Episode) -> tuple[str, str, str]:
    """Returns the claimed and the judged outcome as text, with icon and colour token."""
    ended = endings(episode)
    reason = episode.finish.reason if episode.finish is not None else None
    claimed = ": ".join(part for part in (tr(ended.claimed), reason) if part)
    if ended.differ:
        words = tr("claimed {claim} · judged {judged}", claim=claimed, judged=tr(ended.judged))
        return words, "alert", "mismatch"
    if ended.claimed:
        return claimed, "", "text2"
    return tr("judged {judged}", judged=tr(ended.judged)) if ended.judged else "", "", "text2"


def strip_item(number: int, step: Step) -> StripItem:
    """Returns the strip item of a step; `number` counts from 1."""
    words = phrases.sentence(phrases.step_words(step))
    said = tr("Step {n}, {what}", n=number, what=words)
    if step.index != number - 1:
        said += tr(", index {n} in the data", n=step.index)
    return StripItem(number, step.action, step.frame, said)


class _Instruction(QPlainTextEdit):
    entered = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFont(font(BODY))
        self.setFixedHeight(84)
        self.setTabChangesFocus(True)
        self.setAccessibleName(tr("Instruction"))
        self.setToolTip(tip(tr("Enter saves, Esc cancels")))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class _Grid(QListView):
    opened = Signal(int)

    def __init__(self, pictures: Pictures) -> None:
        super().__init__()
        self.setAccessibleName(tr("Steps as pictures"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._items = StepItems(self)
        self.setModel(self._items)
        self.setItemDelegate(_Cell(pictures, self))
        self.doubleClicked.connect(lambda index: self.opened.emit(index.row()))
        # A method, not a lambda: Qt disconnects it with the grid, though the pictures may live on.
        pictures.ready.connect(self._paint_again)

    @Slot()
    def _paint_again(self) -> None:
        self.viewport().update()

    def show_steps(self, steps: list[Step]) -> None:
        self._items.replace([strip_item(n, step) for n, step in enumerate(steps, 1)])
        self._lay()

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._lay()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self.opened.emit(max(0, self.currentIndex().row()))
            return
        super().keyPressEvent(event)

    def minimumSizeHint(self) -> QSize:
        return QSize(_CELL.width(), min(1, self._rows()) * _CELL.height())

    def sizeHint(self) -> QSize:
        return QSize(4 * _CELL.width(), self._rows() * _CELL.height())

    def _rows(self) -> int:
        across = max(1, (self.width() - _BAR) // _CELL.width())
        return max(1, -(-self._items.rowCount() // across))

    def _lay(self) -> None:
        """Limits the height to whole rows."""
        self.setMaximumHeight(self._rows() * _CELL.height())
        self.setViewportMargins(0, 0, 0, self.height() % _CELL.height())
        self.updateGeometry()


class _Cell(QStyledItemDelegate):
    def __init__(self, pictures: Pictures, parent: QWidget) -> None:
        super().__init__(parent)
        self._pictures = pictures

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return _CELL

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        item = index.data(ITEM)
        box = QRectF(option.rect.left(), option.rect.top() + 1, 48, 64)
        image = None
        if item.frame is not None and item.frame.still is not None:
            image = self._pictures.get(item.frame.still)
        size = item.frame.size if item.frame is not None else None
        paint_thumbnail(painter, box, image, size, item.action)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen:
            painter.setPen(QPen(theme.colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(0, 0, 0, 0), 3, 3)
        ink = "accent" if chosen else "text2"
        painter.setFont(font(CAPTION))
        painter.setPen(theme.colour(ink))
        number = str(item.number)
        painter.drawText(QPointF(box.left(), box.bottom() + 15), number)
        across = painter.fontMetrics().horizontalAdvance(number)
        icons.paint(
            painter,
            icons.of_action(item.action),
            QPointF(box.left() + across + 11, box.bottom() + 11),
            13,
            ink,
        )
        painter.restore()
