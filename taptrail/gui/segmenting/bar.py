"""Progress bar of the SAM 2 queue, 44 px high: progress, time left, Pause and Cancel."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from episodes.errors import KnownError
from taptrail.gui import theme
from taptrail.gui.components.button import Button
from taptrail.gui.components.labels import label
from taptrail.gui.components.messages import Bar, ErrorBand
from taptrail.gui.components.panel import Icon, Panel, WidgetRow
from taptrail.gui.fonts import FACTS
from taptrail.gui.segmenting.queue import SegmentProgress, SegmentQueue
from taptrail.words import tr


class SegmentBar(Panel):
    """Shows a queue while it is working, and the error that ended it; otherwise hidden."""

    def __init__(self, queue: SegmentQueue) -> None:
        super().__init__(tr("SAM 2"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.error = ErrorBand()
        self.job = _Job()
        self.add(self.error, self.job)
        self.job.pausing.connect(queue.pause)
        self.job.cancelled.connect(queue.cancel)
        queue.moved.connect(self.job.show_moved)
        queue.paused.connect(self.job.show_paused)
        queue.ended.connect(lambda _: self.job.hide())
        queue.failed.connect(self._tell)

    def _tell(self, error: KnownError) -> None:
        self.job.hide()
        self.error.tell(error)


class _Job(QWidget):
    """Signals:
    pausing: the user asked to pause or to continue.
    cancelled: the user pressed Cancel.
    """

    pausing = Signal()
    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(44)
        self.count = label("", FACTS, tone="2")
        self.left = label("", FACTS, tone="2")
        self._bar = Bar(name=tr("Presses segmented"))
        self.pause = Button(tr("Pause"), "pause", size="s")
        self.cancel = Button(tr("Cancel"), size="s")
        self.pause.clicked.connect(self.pausing)
        self.cancel.clicked.connect(self._stop)
        row = WidgetRow(
            Icon("vector-square", 17, "accent"),
            WidgetRow(label(tr("Segmenting"), FACTS, 600), self.count, gap=4),
            self._bar,
            self.left,
            WidgetRow(self.pause, self.cancel),
            gap=12,
            margins=(12, 1, 12, 0),
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(row)
        self.hide()

    def show_moved(self, moved: SegmentProgress) -> None:
        """Shows the progress."""
        self.count.setText(
            tr(
                "{done} of 1 press",
                "{done} of {n} presses",
                n=moved.total,
                done=f"{moved.done:,}",
            )
        )
        self._bar.set_parts((moved.done / max(moved.total, 1), "accent"))
        self.left.setText("" if moved.left_seconds is None else time_left(moved.left_seconds))
        if self.isHidden():
            self.cancel.setEnabled(True)
            self.show_paused(False)
            self.show()

    def show_paused(self, paused: bool) -> None:
        """Shows whether the queue is paused."""
        self.pause.set_words(*((tr("Go on"), "play") if paused else (tr("Pause"), "pause")))
        if paused:
            self.left.setText(tr("paused"))

    def _stop(self) -> None:
        self.cancel.setEnabled(False)
        self.left.setText(tr("stopping; finished work is kept"))
        self.cancelled.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("panel"))
        painter.fillRect(0, 0, self.width(), 1, theme.colour("line"))


def time_left(seconds: float) -> str:
    """Returns the remaining time as text."""
    if seconds < 60:
        return tr("{seconds} s left", seconds=max(1, round(seconds)))
    if seconds < 3600:
        return tr("{minutes} min left", minutes=round(seconds / 60))
    return tr("{hours} h left", hours=f"{seconds / 3600:.1f}")
