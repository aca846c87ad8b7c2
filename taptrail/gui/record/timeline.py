"""Timeline of the running recording: thinking hatched, acting solid, pauses and trees."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from episodes.actions import DoubleTap, LongPress, Pinch, Swipe, Tap, TypeText
from episodes.screens import TreeFit
from episodes.steps import Step
from taptrail.gui import phrases, theme
from taptrail.gui.components import cells
from taptrail.gui.components.timeline import hatching, paint_gap, paint_head
from taptrail.gui.fonts import CAPTION, font
from taptrail.words import tr

HEIGHT = 104
_LEFT, _PAD = 84, 12
_STEPS, _TOUCHES, _TREES, _VIDEO = 24, 47, 65, 83
_WIDEST, _NARROWEST = 18.0, 3.0
_SPANS = (20, 30, 60, 120, 300, 600, 1800, 3600, 7200)


@dataclass
class RecordingTrack:
    """The events of a recording so far, by the host clock in nanoseconds."""

    began_ns: int = 0
    now_ns: int = 0
    running: bool = False
    steps: list[Step] = field(default_factory=list)
    pauses: list[tuple[int, int, str]] = field(default_factory=list)
    paused_since_ns: int = 0

    def paused_ns(self, began_ns: int, ended_ns: int) -> int:
        """Returns how long the recording was paused or disconnected between two times."""
        pauses = [(began, ended) for began, ended, _ in self.pauses]
        if self.paused_since_ns:
            pauses.append((self.paused_since_ns, ended_ns))
        return sum(max(0, min(ended, ended_ns) - max(began, began_ns)) for began, ended in pauses)

    def videos(self) -> list[tuple[int, int]]:
        """Returns the intervals with video: the time without the pauses."""
        spans, start = [], self.began_ns
        for began, ended, _ in self.pauses:
            spans.append((start, began))
            start = ended
        spans.append((start, self.paused_since_ns or self.now_ns))
        return [(began, ended) for began, ended in spans if ended > began]


class RecordingTimeline(QWidget):
    """The timeline at the bottom of Record, 104 px high."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Timeline"))
        self.track = RecordingTrack()
        self._room: dict[int, float] = {}

    def show_track(self) -> None:
        """Paints the current state of the track."""
        self.setAccessibleDescription(tr("1 step", "{n} steps", n=len(self.track.steps)))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("panel"))
        painter.fillRect(0, 0, self.width(), 1, theme.colour("line"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        span = self._span()
        self._paint_ticks(painter, span)
        for y, name in (
            (_STEPS, tr("Steps")),
            (_TOUCHES, tr("Touches")),
            (_TREES, tr("Trees")),
            (_VIDEO, tr("Video")),
        ):
            cells.line(painter, QRectF(12, y, _LEFT - 12, 16), name, font(CAPTION), "text2")
        if not self.track.began_ns:
            return
        now = self._x(self.track.now_ns, span)
        grey = theme.colour("text3")
        grey.setAlphaF(0.45)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(grey)
        for began, ended in self.track.videos():
            left = self._x(began, span)
            box = QRectF(left, _VIDEO + 5, self._x(ended, span) - left, 7)
            painter.drawRoundedRect(box, 2, 2)
        self._measure(span)
        before: Step | None = None
        for number, step in enumerate(self.track.steps, 1):
            self._paint_step(painter, span, number, step, before)
            before = step
        pauses = list(self.track.pauses)
        if self.track.paused_since_ns:
            pauses.append((self.track.paused_since_ns, self.track.now_ns, tr("Paused")))
        for began, ended, words in pauses:
            left = self._x(began, span)
            box = QRectF(left, 20, self._x(ended, span) - left, HEIGHT - 24)
            paint_gap(painter, box, words)
        if self.track.running:
            self._paint_now(painter, now)

    def _span(self) -> int:
        seconds = (self.track.now_ns - self.track.began_ns) / 1e9
        return next((span for span in _SPANS if span > seconds * 1.05), _SPANS[-1])

    def _x(self, ns: int, span: int) -> float:
        room = self.width() - _LEFT - 2 * _PAD
        return _LEFT + _PAD + (ns - self.track.began_ns) / 1e9 / span * room

    def _paint_ticks(self, painter: QPainter, span: int) -> None:
        each = max(1, span // 10)
        room = self.width() - _LEFT - 2 * _PAD
        for second in range(0, span + 1, each):
            x = round(_LEFT + _PAD + second / span * room)
            painter.fillRect(QRectF(x, 14, 1, HEIGHT - 18), theme.colour("line"))
            words = phrases.clock(second * 1_000_000)
            if x + 40 < self.width():
                cells.line(painter, QRectF(x + 4, 3, 60, 14), words, font(CAPTION), "text3")

    def _measure(self, span: int) -> None:
        """Computes the width of each step: up to the next step, and at most as wide as a number."""
        lefts = [
            (step.index, self._x(step.began.host_ns, span))
            for step in self.track.steps
            if step.began.host_ns is not None
        ]
        after = [left for _, left in lefts[1:]] + [float("inf")] * bool(lefts)
        self._room = {
            index: min(_WIDEST, max(_NARROWEST, next_left - left - 1))
            for (index, left), next_left in zip(lefts, after, strict=True)
        }

    def _paint_step(
        self, painter: QPainter, span: int, number: int, step: Step, before: Step | None
    ) -> None:
        """Paints a step, with its number if there is space."""
        if step.began.host_ns is None:
            return
        ended_ns = step.ended.host_ns or step.began.host_ns
        last = before.ended.host_ns if before is not None else self.track.began_ns
        left = self._x(step.began.host_ns, span)
        right = max(left + self._room[step.index], self._x(ended_ns, span))
        think = self._x(last or self.track.began_ns, span)
        if before is not None:
            think = max(think, self._x(before.began.host_ns or 0, span) + _WIDEST)
        if left - think > 2:
            painter.fillRect(QRectF(think + 1, _STEPS + 4, left - think - 2, 12), hatching())
        painter.setPen(Qt.PenStyle.NoPen)
        fill = theme.colour("accent_fill")
        fill.setAlphaF(1.0 if number == len(self.track.steps) else 0.82)
        painter.setBrush(fill)
        box = QRectF(left, _STEPS + 1, right - left, 18)
        painter.drawRoundedRect(box, 3, 3)
        painter.setFont(font(CAPTION, 600))
        if box.width() >= painter.fontMetrics().horizontalAdvance(str(number)) + 2:
            painter.setPen(theme.colour("on_accent"))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(number))
        self._paint_touch(painter, left, right, step)
        if step.tree is not None and step.tree.fit is not TreeFit.MISSING:
            last_left = self._x(before.began.host_ns or 0, span) if before is not None else 0.0
            self._paint_tree(painter, left, min(20.0, left - last_left - 2), step.tree.fit)

    def _paint_touch(self, painter: QPainter, left: float, right: float, step: Step) -> None:
        mark = theme.colour("person_mark")
        middle = _TOUCHES + 8.0
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(mark)
        if isinstance(step.action, Tap | DoubleTap | Pinch):
            painter.drawEllipse(QPointF(left + 4, middle), 3.6, 3.6)
        elif isinstance(step.action, LongPress | Swipe):
            across = right - left
            painter.drawRoundedRect(QRectF(left, middle - 3, across, 6), 3, 3)
        else:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(mark, 1.5))
            if isinstance(step.action, TypeText):
                painter.drawRoundedRect(QRectF(left + 0.5, middle - 5, right - left - 1, 10), 2, 2)
            else:
                at = QPointF(left + 5, middle)
                corners = ((0, -5), (5, 0), (0, 5), (-5, 0))
                painter.drawPolygon(QPolygonF([at + QPointF(*corner) for corner in corners]))

    def _paint_tree(self, painter: QPainter, left: float, across: float, fit: TreeFit) -> None:
        across = max(_NARROWEST, across)
        box = QRectF(max(left - across - 2, _LEFT + 1.0), _TREES + 3, across, 11)
        if fit is TreeFit.FRESH:
            fill = theme.colour("match")
            fill.setAlphaF(0.55)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(fill)
        else:
            pen = QPen(theme.colour("mismatch"), 1.4)
            pen.setDashPattern([2, 1.5])
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box, 2, 2)

    def _paint_now(self, painter: QPainter, x: float) -> None:
        paint_head(painter, x, HEIGHT - 2, theme.colour("record"), top=1)
