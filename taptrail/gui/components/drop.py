"""Overlay that says what a drop would do, shown while something is dragged over a page."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from taptrail.gui import icons, theme
from taptrail.gui.fonts import LARGE, font


class DropSign(QWidget):
    """Overlay with an outline and a text, shown during a drag."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._words = ""
        self.hide()

    def say(self, words: str) -> None:
        """Shows what a drop would do; "" hides the overlay."""
        self._words = words
        self.setAccessibleName(words)
        over = self.parentWidget()
        if words and over is not None:
            self.setGeometry(over.rect())
            self.raise_()
        self.setVisible(bool(words))

    def words(self) -> str:
        """Returns the shown text."""
        return self._words

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = theme.colour("panel")
        ground.setAlphaF(0.88)
        painter.fillRect(self.rect(), ground)
        painter.setPen(QPen(theme.colour("accent"), 2))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(7, 7, -7, -7), 8, 8)
        middle = QRectF(self.rect()).center()
        icons.paint(painter, "tray-arrow-down", middle, 32, "accent")
        painter.setFont(font(LARGE, 600))
        painter.setPen(theme.colour("text1"))
        room = QRectF(16, middle.y() + 28, self.width() - 32, 40)
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, self._words)
