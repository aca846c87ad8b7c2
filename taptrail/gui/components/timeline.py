"""Timelines: thinking hatched, acting solid, gaps visible, and the playhead.

Shared parts of the timelines of Record and Review, and the seekable one of Review.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from taptrail.gui import phrases, theme
from taptrail.gui.components.tips import tip
from taptrail.gui.fonts import CAPTION, font
from taptrail.words import tr

_PAD, _BAND, _LEAST = 8, 16, 4.0
_SECOND_US = 1_000_000


@dataclass(frozen=True, slots=True)
class Block:
    """A step on the timeline: start, end and text."""

    began_us: int
    ended_us: int
    words: str


@dataclass(frozen=True, slots=True)
class TimelineTimes:
    """The contents of a timeline, in microseconds from its left end.

    Attributes:
        steps: in order; None for a step without times.
        gaps: (start, end, reason) of times in which nothing was recorded.
        videos: (start, end) of times with video.
    """

    length_us: int
    steps: Sequence[Block | None] = ()
    gaps: Sequence[tuple[int, int, str]] = ()
    videos: Sequence[tuple[int, int]] = ()


class TimeBar(QWidget):
    """Timeline with steps, gaps and a playhead. Clicks, drags, arrow keys, Home and End seek.

    Signals:
        sought: the requested time in microseconds.
    """

    sought = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumWidth(120)
        self.setFixedHeight(36)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Timeline"))
        self._times = TimelineTimes(0)
        self._at_us = 0.0
        self._row = -1

    def show_times(self, times: TimelineTimes) -> None:
        """Shows another episode."""
        self._times, self._at_us, self._row = times, 0.0, -1
        self._say()

    def show_at(self, at_us: float, row: int) -> None:
        """Moves the playhead; the step at `row` becomes current."""
        self._at_us, self._row = at_us, row
        self._say()

    def at_us(self) -> float:
        """Returns the time of the playhead."""
        return self._at_us

    def x_of(self, at_us: float) -> float:
        """Returns the x coordinate of a time."""
        room = self.width() - 2 * _PAD
        return _PAD + (at_us / self._times.length_us * room if self._times.length_us else 0.0)

    def sizeHint(self) -> QSize:
        return QSize(320, 36)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if self._moved_by(event) is not None:  # not the page's previous/next step
                event.accept()
                return True
        elif event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), tip(self._words_at(event.pos().x())), self)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        to = self._moved_by(event)
        if to is None:
            super().keyPressEvent(event)
        else:
            self._seek(to)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._seek(self._at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._seek(self._at(event.position().x()))

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._times.length_us:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        top = (self.height() - _BAND) / 2
        self._paint_thinking(painter, top)
        for began, ended in self._times.videos:
            box = QRectF(self.x_of(began), top + _BAND + 3, 0, 2)
            box.setRight(max(box.left() + 1, self.x_of(ended)))
            painter.fillRect(box, theme.colour("line2"))
        for began, ended, why in self._times.gaps:
            box = QRectF(self.x_of(began), top - 3, 0, _BAND + 6)
            box.setRight(max(box.left() + 3, self.x_of(ended)))
            paint_gap(painter, box, why)
        for row, block in enumerate(self._times.steps):
            if block is not None:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.colour("accent" if row == self._row else "text3"))
                painter.drawRoundedRect(self._box(block, top), 3, 3)
        paint_head(painter, self.x_of(self._at_us), self.height(), theme.colour("accent"))

    def _paint_thinking(self, painter: QPainter, top: float) -> None:
        last = 0
        for block in [*filter(None, self._times.steps), None]:
            until = block.began_us if block is not None else self._times.length_us
            left, right = self.x_of(last) + 3, self.x_of(until) - 3
            if right - left > 2:
                painter.fillRect(QRectF(left, top + 4, right - left, _BAND - 8), hatching())
            last = max(last, block.ended_us if block is not None else last)

    def _box(self, block: Block, top: float) -> QRectF:
        left, right = self.x_of(block.began_us), self.x_of(block.ended_us)
        return QRectF(left, top, max(_LEAST, right - left), _BAND)

    def _at(self, x: float) -> float:
        room = max(1, self.width() - 2 * _PAD)
        return min(1.0, max(0.0, (x - _PAD) / room)) * self._times.length_us

    def _seek(self, to: float) -> None:
        if self._times.length_us:
            self.sought.emit(min(max(0.0, to), float(self._times.length_us)))

    def _moved_by(self, event: QKeyEvent) -> float | None:
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.modifiers() & ~(
            Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
        ):
            return None
        far = _SECOND_US * (5 if shift else 1)
        moves = {
            Qt.Key.Key_Left: self._at_us - far,
            Qt.Key.Key_Right: self._at_us + far,
            Qt.Key.Key_Home: 0.0,
            Qt.Key.Key_End: float(self._times.length_us),
        }
        return moves.get(Qt.Key(event.key()))

    def _words_at(self, x: float) -> str:
        at = self._at(x)
        words = [phrases.position(at)]
        near = _LEAST / max(1, self.width()) * self._times.length_us
        words += [
            block.words
            for block in self._times.steps
            if block is not None and block.began_us - near <= at <= block.ended_us + near
        ]
        words += [why for began, ended, why in self._times.gaps if began <= at < ended]
        return "\n".join(words)

    def _say(self) -> None:
        said = tr(
            "{at} of {all}",
            at=phrases.position(self._at_us),
            all=phrases.clock(self._times.length_us),
        )
        block = self._times.steps[self._row] if 0 <= self._row < len(self._times.steps) else None
        self.setAccessibleDescription(f"{said}, {block.words}" if block is not None else said)
        self.update()


def hatching() -> QBrush:
    """Returns the hatching for idle time: slanting lines, 6 px apart."""
    tile = QPixmap(8, 8)
    tile.fill(Qt.GlobalColor.transparent)
    painter = QPainter(tile)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.colour("hatch"), 2))
    for start in (-8, 0, 8):
        painter.drawLine(QPointF(start, 8), QPointF(start + 8, 0))
    painter.end()
    return QBrush(tile)


def paint_gap(painter: QPainter, box: QRectF, words: str) -> None:
    """Draws a gap: hatched, with its reason on a plate if there is room."""
    painter.fillRect(box, hatching())
    painter.setFont(font(CAPTION))
    across = painter.fontMetrics().horizontalAdvance(words) + 16
    if box.width() > across:
        plate = QRectF(box.center().x() - across / 2, box.center().y() - 10, across, 20)
        painter.setPen(theme.colour("line2"))
        painter.setBrush(theme.colour("raised"))
        painter.drawRoundedRect(plate, 4, 4)
        painter.setPen(theme.colour("text1"))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, words)


def paint_head(painter: QPainter, x: float, height: float, ink: QColor, top: float = 0) -> None:
    """Draws the playhead line with its handle at the top."""
    painter.fillRect(QRectF(round(x) - 0.5, top + 3, 1.5, height - top - 3), ink)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    corners = ((-5, 0), (5, 0), (5, 5), (0, 10), (-5, 5))
    painter.drawPolygon(QPolygonF([QPointF(x + dx, top + dy) for dx, dy in corners]))
