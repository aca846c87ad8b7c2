"""Keycaps: keyboard keys drawn in buttons and hints."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QKeySequence, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from taptrail.gui import theme
from taptrail.gui.fonts import CAPTION, FACTS, font

HEIGHT = 18
_UP_RIGHT, _UP_LEFT = QPointF(3, -1), QPointF(-3, -1)
_ARROWS = {"Left": "←", "Right": "→", "Up": "↑", "Down": "↓", "Return": "Enter"}


def words(key: str) -> str:
    """Returns the text of a keycap: "Shift →" for "Shift+Right"."""
    if not key:
        return ""
    parts = QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText).split("+")
    return " ".join(_ARROWS.get(part, part) for part in parts if part) or key


def width(text: str) -> float:
    """Returns the width of a keycap with this text."""
    return max(18.0, QFontMetricsF(font(CAPTION, 500)).horizontalAdvance(text) + 12)


def paint(
    painter: QPainter, left: float, middle: float, text: str, on_fill: QColor | None = None
) -> float:
    """Draws a keycap vertically centred on a y coordinate. Returns its width.

    Args:
        on_fill: text colour of the filled button below the keycap.
    """
    across = width(text)
    box = QRectF(left + 0.5, round(middle - HEIGHT / 2) + 0.5, across - 1, HEIGHT - 1)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if on_fill is not None:
        edge = QColor(on_fill)
        edge.setAlphaF(0.45)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(edge)
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(on_fill)
    else:
        painter.setBrush(theme.colour("raised"))
        painter.setPen(QPen(theme.colour("line2"), 1))
        painter.drawRoundedRect(box, 4, 4)
        painter.drawLine(box.bottomLeft() + _UP_RIGHT, box.bottomRight() + _UP_LEFT)
        painter.setPen(theme.colour("text2"))
    painter.setFont(font(CAPTION, 500))
    painter.drawText(box.adjusted(0, 0, 0, -1), Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()
    return across


class KeyHint(QWidget):
    """One or more keycaps with a description, as in the status bar."""

    def __init__(self, keys: list[str], does: str = "") -> None:
        super().__init__()
        self._caps, self._does = [words(key) for key in keys], does
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(f"{', '.join(self._caps)}: {does}" if does else self._caps[0])

    def sizeHint(self) -> QSize:
        caps = sum(width(cap) + 4 for cap in self._caps)
        text = QFontMetricsF(font(FACTS)).horizontalAdvance(self._does)
        return QSize(round(caps + (text + 2 if self._does else -4)), 20)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        left = 0.0
        for cap in self._caps:
            left += paint(painter, left, self.height() / 2, cap) + 4
        painter.setFont(font(FACTS))
        painter.setPen(theme.colour("text2"))
        painter.drawText(
            QRectF(left + 1, 0, self.width() - left, self.height()),
            Qt.AlignmentFlag.AlignVCenter,
            self._does,
        )
