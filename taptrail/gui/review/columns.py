"""The frame of a step, once for gold and once for each run, with nothing else between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import hypot

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from episodes.actions import Action, PressKey, TypeText, place
from episodes.geometry import Box, Point, Size
from episodes.verdicts import Outcome
from taptrail.gui import marks, theme
from taptrail.gui.components import cells
from taptrail.gui.components.chip import Chip, Letter, VerdictChip
from taptrail.gui.components.frame_view import FrameView, Zoom
from taptrail.gui.components.panel import Icon, Row
from taptrail.gui.components.words import ElidedLabel
from taptrail.gui.fonts import BODY, FACTS, font
from taptrail.gui.icons import of_action
from taptrail.words import tr

LEAST, _SIDE, _HEAD, _FOOT = 220, 13, 44, 76
_TOGETHER_DP = 20


@dataclass(frozen=True)
class Said:
    """What gold or one run says of a step.

    Attributes:
        who: "G" or the run's letter.
        action: None where there is none to draw.
        words: the action, or why there is none.
        why: the reason in a few words.
        outcome: None for gold.
        person: who acted, for gold.
        tolerance: how far a point may lie, as a share of width and height.
    """

    who: str
    name: str
    action: Action | None
    words: str
    why: str = ""
    outcome: Outcome | None = None
    person: str = ""
    tolerance: float | None = None


@dataclass(frozen=True)
class Shown:
    """The frame all columns share."""

    size: Size | None
    dp: float
    region: Box | None
    missing: str
    protected: bool = False


class Columns(QWidget):
    """Signals:
    chosen: the letter of the run whose column a person clicked.
    """

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Frames"))
        self._columns: list[_Column] = []
        self._said: list[Said] = []
        self._shown = Shown(None, 1, None, "")
        self._picture: tuple[QImage | None, str] = (None, "")
        self._overlay = self._show_region = self._show_tolerance = False
        self._selected = ""
        self._first = 0

    def show_step(self, shown: Shown, said: list[Said], selected: str) -> None:
        """Shows another step; its picture follows with `show_image`."""
        self._picture = (None, shown.missing)
        self._show(shown, said, selected)

    def show_image(self, image: QImage | None, missing: str = "") -> None:
        """Shows the step's picture in all columns, or says why there is none."""
        self._picture = (image, missing)
        for column in self._columns:
            column.view.show_image(image, missing)

    def select(self, who: str) -> None:
        """Shows which run is spoken of at the right; pages to its column."""
        self._selected = who
        for column in self._columns:
            column.set_chosen(column.who == who)
        self._lay()

    def set_overlay(self, on: bool) -> None:
        """Shows all marks on one frame, or one frame for each."""
        self._overlay = on
        if self._said:
            self._show(self._shown, self._said, self._selected)

    def set_extras(self, *, region: bool, tolerance: bool) -> None:
        """Draws the target and how far from gold a point may lie, or does not."""
        self._show_region, self._show_tolerance = region, tolerance
        self._draw_marks()

    def views(self) -> list[FrameView]:
        """Returns the frames that show, from left to right."""
        return [column.view for column in self._columns if column.isVisibleTo(self)]

    def _show(self, shown: Shown, said: list[Said], selected: str) -> None:
        self._shown, self._said, self._selected = shown, said, selected
        together = replace(said[0], name=tr("Gold and runs"))
        heads = [together] if self._overlay else said
        while len(self._columns) < len(heads):
            column = _Column()
            column.setParent(self)
            column.chosen.connect(self.chosen)
            column.view.zoomed.connect(self._zoom_all)
            self._columns.append(column)
        for number, column in enumerate(self._columns):
            if number < len(heads):
                column.show_said(heads[number], chosen=heads[number].who == selected)
                column.view.show_frame(
                    shown.size, shown.dp, shown.missing, protected=shown.protected
                )
                column.view.show_image(*self._picture)
        self._draw_marks()
        self._lay()

    def resizeEvent(self, event: object) -> None:
        self._lay()

    def _draw_marks(self) -> None:
        for number, said in enumerate(self._said):
            if number >= len(self._columns) or (self._overlay and number):
                break
            on_frame = self._said if self._overlay else [said]
            words = ". ".join(f"{s.name}: {s.words}" for s in on_frame)
            self._columns[number].view.show_marks(self._painter(on_frame, said.who == "G"), words)

    def _painter(self, said: list[Said], gold: bool) -> Callable[[QPainter, marks.Scale], None]:
        region = self._shown.region if self._show_region else None
        limit = said[0].tolerance if self._show_tolerance and gold else None

        def paint(painter: QPainter, scale: marks.Scale) -> None:
            first = said[0].action
            if limit is not None and first is not None and (centre := place(first)) is not None:
                marks.draw_tolerance(painter, _ellipse(centre, limit, scale), scale)
            if region is not None:
                marks.draw_target(painter, region, scale, tr("Target") if gold else "")
            drawn: list[QPointF] = []
            pills = 0
            for one in said:
                if one.action is None:
                    continue
                off = _beside(one.action, drawn, scale)
                marks.draw(painter, one.action, one.who, scale, off=off, row=pills)
                point = place(one.action)
                if point is not None:
                    drawn.append(scale.fit.to_window(point))
                if isinstance(one.action, PressKey | TypeText) or point is None:
                    pills += 1

        return paint

    def _lay(self) -> None:
        count = min(len(self._columns), 1 if self._overlay else len(self._said))
        if not count:
            return
        fits = max(1, self.width() // LEAST)
        shown = min(count, fits)
        self._page(count, shown)
        width = self._column_width(shown)
        left = (self.width() - width * shown) // 2
        for number, column in enumerate(self._columns):
            at = self._slot(number, shown)
            column.setVisible(number < count and at is not None)
            if at is not None:
                column.setGeometry(left + at * width, 0, width, self.height())
                column.view.setFixedHeight(self._frame_height(width))
        self.update()

    def _slot(self, number: int, shown: int) -> int | None:
        """Gold stays at the left; the runs beside it are paged."""
        if number == 0:
            return 0
        at = number - self._first
        return at if 1 <= at < shown else None

    def _page(self, count: int, shown: int) -> None:
        self._first = max(0, min(self._first, count - shown))
        chosen = next((n for n, s in enumerate(self._said[:count]) if s.who == self._selected), 0)
        if chosen and shown > 1:
            self._first = min(self._first, chosen - 1)
            self._first = max(self._first, chosen - shown + 1)

    def _column_width(self, shown: int) -> int:
        most = self.width() // shown
        size = self._shown.size
        if size is None:
            return min(most, 360)
        high = max(120, self.height() - _HEAD - _FOOT)
        across = min(size.width * 1.5, high * size.width / size.height)
        return max(min(most, LEAST), min(most, round(across) + 2 * _SIDE))

    def _frame_height(self, width: int) -> int:
        room = max(120, self.height() - _HEAD - _FOOT)
        size = self._shown.size
        if size is None:
            return room
        return max(120, min(room, round((width - 2 * _SIDE) * size.height / size.width)))

    def _zoom_all(self, zoom: Zoom) -> None:
        for column in self._columns:
            column.view.set_zoom(zoom)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("stage"))
        visible = [column for column in self._columns if column.isVisibleTo(self)]
        for column in visible:
            if column.is_chosen and len(visible) > 1:
                painter.fillRect(column.geometry(), theme.colour("panel"))
            right = column.geometry().right()
            if right < self.width() - 2:
                painter.fillRect(right, 0, 1, self.height(), theme.colour("line"))
        if visible and visible[0].x() > 0:
            painter.fillRect(visible[0].x(), 0, 1, self.height(), theme.colour("line"))


class _Column(QWidget):
    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.who = ""
        self.is_chosen = False
        self._letter: Letter | None = None
        self._name = ElidedLabel("", BODY, 600)
        self._verdict = VerdictChip()
        self._person = Chip("", "person", "account")
        self._head = Row(self._name, self._verdict, self._person, height=44)
        self.view = FrameView(tr("Frame"))
        self.view.top_aligned = True
        self._icon = Icon("gesture-tap", 18, "text2")
        self._words = ElidedLabel("", BODY, 600)
        self._why = _TwoLines()
        column = QVBoxLayout(self)
        column.setContentsMargins(_SIDE, 0, _SIDE, 0)
        column.setSpacing(0)
        column.addWidget(self._head)
        column.addWidget(self.view)
        column.addSpacing(7)
        column.addWidget(Row(self._icon, self._words, gap=6, height=26))
        column.addWidget(self._why)
        column.addStretch(1)

    def show_said(self, said: Said, *, chosen: bool) -> None:
        if self.who != said.who:
            if self._letter is not None:
                self._head.row.removeWidget(self._letter)
                self._letter.deleteLater()
            self._letter = Letter(said.who)
            self._head.row.insertWidget(0, self._letter)
            self._head.row.setStretch(1, 1)
        self.who = said.who
        self.set_chosen(chosen)
        self._name.set_text(said.name)
        self._verdict.show_outcome(said.outcome)
        self._person.set_words(said.person)
        self._person.setVisible(bool(said.person))
        self._icon.setVisible(said.action is not None)
        if said.action is not None:
            self._icon.set_icon(of_action(said.action))
        self._words.set_text(said.words)
        self._why.show_text(said.why)
        self.view.setAccessibleName(tr("Frame, {name}", name=said.name))

    def set_chosen(self, chosen: bool) -> None:
        self.is_chosen = chosen
        parent = self.parentWidget()
        if parent is not None:
            parent.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.who != "G" and event.button() is Qt.MouseButton.LeftButton:
            self.chosen.emit(self.who)


class _TwoLines(QWidget):
    """Up to two lines of quiet text; all of it is the tooltip."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(34)
        self._text = ""

    def show_text(self, text: str) -> None:
        self._text = text
        self.setToolTip(text)
        self.setAccessibleName(text)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        cells.lines(
            painter, self.rect().toRectF(), self._text, font(FACTS), "text2", high=16, top=True
        )


def _ellipse(centre: Point, limit: float, scale: marks.Scale) -> QPainterPath:
    at, rect = scale.fit.to_window(centre), scale.fit.rect
    path = QPainterPath()
    path.addEllipse(at, limit * rect.width(), limit * rect.height())
    clip = QPainterPath()
    clip.addRect(QRectF(rect))
    return path.intersected(clip)


def _beside(action: Action, drawn: list[QPointF], scale: marks.Scale) -> QPointF | None:
    """Where a mark moves out to, because another one stands within 20 dp of its point."""
    point = place(action)
    if point is None:
        return None
    at = scale.fit.to_window(point)
    near = [d for d in drawn if hypot(d.x() - at.x(), d.y() - at.y()) < _TOGETHER_DP * scale.unit]
    if not near:
        return None
    side = -1 if at.x() > scale.fit.rect.center().x() else 1
    return QPointF(side * 44 * scale.unit, (len(near) - 1) * 40 * scale.unit - 30 * scale.unit)
