"""Painting functions for item delegates: elided lines, and the background of a row."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextLayout, QTextOption

from episodes.visible_text import visible_text
from taptrail.gui import theme


def row_ground(painter: QPainter, rect: QRectF, *, chosen: bool, hover: bool) -> None:
    """Paints the background of a row and the line below it."""
    if chosen:
        painter.fillRect(rect, theme.colour("accent_tint"))
    elif hover:
        painter.fillRect(rect, theme.colour("raised"))
    line = QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1)
    painter.fillRect(line, theme.colour("line"))


def field_ground(painter: QPainter, rect: QRectF) -> None:
    """Paints the background and the edge of a field."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(theme.colour("line2"))
    painter.setBrush(theme.colour("field"))
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)


def line(
    painter: QPainter,
    rect: QRectF,
    text: str,
    face: QFont,
    ink: QColor | str,
    *,
    right: bool = False,
    middle: bool = False,
) -> None:
    """Paints one vertically centred line, elided with "…" if it is too long.

    Args:
        middle: elide in the middle, because ids differ at their ends.
    """
    painter.setFont(face)
    painter.setPen(theme.colour(ink) if isinstance(ink, str) else ink)
    mode = Qt.TextElideMode.ElideMiddle if middle else Qt.TextElideMode.ElideRight
    shown = QFontMetricsF(face).elidedText(visible_text(text), mode, rect.width() + 0.5)
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | side, shown)


def lines(
    painter: QPainter,
    rect: QRectF,
    text: str,
    face: QFont,
    ink: str,
    *,
    high: float,
    most: int = 2,
    top: bool = False,
) -> None:
    """Paints up to `most` lines, the last one elided; centred or from the top."""
    text = visible_text(text)
    layout = QTextLayout(text, face)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WordWrap)
    layout.setTextOption(option)
    metrics = QFontMetricsF(face)
    pieces: list[str] = []
    layout.beginLayout()
    while len(pieces) < most:
        part = layout.createLine()
        if not part.isValid():
            break
        part.setLineWidth(rect.width())
        start, length = part.textStart(), part.textLength()
        if len(pieces) == most - 1 and start + length < len(text):
            pieces.append(
                metrics.elidedText(text[start:], Qt.TextElideMode.ElideRight, rect.width())
            )
        else:
            pieces.append(text[start : start + length].rstrip())
    layout.endLayout()
    painter.setFont(face)
    painter.setPen(theme.colour(ink))
    first = rect.top() + (0 if top else (rect.height() - high * len(pieces)) / 2)
    for number, piece in enumerate(pieces):
        at = QPointF(rect.left(), first + number * high + (high + metrics.capHeight()) / 2)
        painter.drawText(at, piece)
