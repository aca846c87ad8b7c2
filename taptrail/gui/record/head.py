"""Head of the Record page: recording state and time."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from recorder.events import SessionState
from taptrail.gui import theme
from taptrail.gui.fonts import BODY, TITLE, font
from taptrail.words import tr

_WORDS = {
    SessionState.STARTING: "Starting",
    SessionState.RECORDING: "Recording",
    SessionState.PAUSED: "Paused",
    SessionState.LOST: "Waiting for the phone",
}


class RecordingPill(QWidget):
    """Pill with the recording state and the recorded time."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._state = SessionState.NEW
        self._tenths = 0
        self.hide()

    def show_state(self, state: SessionState) -> None:
        """Shows a state; the pill is hidden while nothing is recorded."""
        self._state = state
        self.setVisible(state in _WORDS)
        self.setAccessibleName(self.word())
        self.updateGeometry()
        self.update()

    def word(self) -> str:
        """Returns the word of the state."""
        return tr(_WORDS.get(self._state, ""))

    def show_time(self, microseconds: int) -> None:
        """Shows the recorded time without pauses."""
        if microseconds // 100_000 != self._tenths:
            self._tenths = microseconds // 100_000
            self.setAccessibleDescription(self.time())
            self.update()

    def time(self) -> str:
        """Returns the shown time: "01:24.1"."""
        minutes, tenths = divmod(self._tenths, 600)
        return f"{minutes:02}:{tenths // 10:02}.{tenths % 10}"

    def sizeHint(self) -> QSize:
        across = QFontMetricsF(font(BODY, 600)).horizontalAdvance(self.word())
        return QSize(round(across + 12 + 9 + 8 + 8 + 64 + 10), 30)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        live = self._state is SessionState.RECORDING
        ink = "record" if live else "mismatch" if self._state is SessionState.LOST else "text2"
        ground = "record_tint" if live else "unscored_tint"
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour(ground))
        painter.drawRoundedRect(QRectF(self.rect()), 6, 6)
        painter.setBrush(theme.colour(ink))
        middle = self.height() / 2
        if live:
            painter.drawEllipse(QPointF(16.5, middle), 4.5, 4.5)
        else:
            painter.drawRect(QRectF(12, middle - 5, 3.5, 10))
            painter.drawRect(QRectF(18, middle - 5, 3.5, 10))
        painter.setPen(theme.colour(ink))
        painter.setFont(font(BODY, 600))
        words = QRectF(29, 0, self.width(), self.height())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, self.word())
        painter.setPen(theme.colour("text1"))
        painter.setFont(font(TITLE, 600))
        time = QRectF(self.width() - 90, 0, 80, self.height())
        painter.drawText(
            time, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, self.time()
        )
