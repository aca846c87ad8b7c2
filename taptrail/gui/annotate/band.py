"""Confidence of the proposed target: bars, level, reason, and what to do."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from taptrail.gui import icons, theme
from taptrail.gui.annotate import texts
from taptrail.gui.components.labels import ElidedLabel, label
from taptrail.gui.components.panel import WidgetRow
from taptrail.gui.fonts import BODY, FACTS

_GROUNDS = {"mismatch": "mismatch_tint", "plain": "raised", "match": "match_tint"}
_INKS = {"mismatch": "mismatch", "plain": "text1", "match": "match"}


class LevelBand(QWidget):
    """Confidence of the proposed target: bars, level, reason, and what to do."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._band = texts.BandContent("plain", 0, "", "", "", "")
        self._bars = _Bars()
        self._level = ElidedLabel("", FACTS, 500)
        self._title = label("", BODY, 600)
        self._why = label("", FACTS, wrap=True)
        self._todo = label("", FACTS, tone="2", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 11)
        column.setSpacing(4)
        column.addWidget(WidgetRow(self._bars, self._level, self._title, None, gap=6))
        column.addWidget(self._why)
        column.addWidget(self._todo)

    def show_band(self, band: texts.BandContent) -> None:
        """Shows another level."""
        self._band = band
        ink = _INKS[band.tone]
        self._bars.show_bars(band.bars, ink, done=band.tone == "match" and not band.bars)
        self._bars.setVisible(bool(band.bars) or band.tone == "match")
        self._level.set_text(band.level, ink)
        self._level.setVisible(bool(band.level))
        for part, words in (
            (self._title, band.title),
            (self._why, band.why),
            (self._todo, band.todo),
        ):
            part.setText(words)
            part.setVisible(bool(words))
        self.setAccessibleName(self.words())
        self.update()

    def words(self) -> str:
        """Returns all shown texts."""
        band = self._band
        return ". ".join(x.rstrip(".") for x in (band.level, band.title, band.why, band.todo) if x)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour(_GROUNDS[self._band.tone]))
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.colour("line"))


class _Bars(QWidget):
    """Three bars, of which one to three are filled, or a tick."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(16, 16)
        self._bars, self._ink, self._done = 0, "text2", False

    def show_bars(self, bars: int, ink: str, *, done: bool) -> None:
        self._bars, self._ink, self._done = bars, ink, done
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._done:
            icons.paint(painter, "check-circle", QPointF(8, 8), 15, self._ink)
            return
        paint_bars(painter, self._bars, self._ink)


def paint_bars(painter: QPainter, bars: int, ink: str) -> None:
    """Draws three bars in 16 × 16 px; `bars` of them are filled."""
    colour = theme.colour(ink)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(colour)
    for number in range(3):
        high = 5 + 4 * number
        box = QRectF(1 + 5 * number, 14 - high, 4, high)
        if number < bars:
            painter.fillRect(box, colour)
        else:
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
