"""The loupe: the frame around a place, six times as large, with the pixel coordinates."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPen

from episodes.geometry import Point
from taptrail.gui import theme
from taptrail.gui.fit import Fit
from taptrail.gui.fonts import CAPTION, font
from taptrail.words import tr

_LOUPE = QRectF(0, 0, 140, 120)
_TIMES = 6


def paint_loupe(painter: QPainter, width: float, fit: Fit, at: Point, image: QImage) -> None:
    """Draws the loupe at the upper right; at the upper left if it would hide the place."""
    across, down = image.width() / fit.size.width, image.height() / fit.size.height
    wide, high = _LOUPE.width() / _TIMES, _LOUPE.height() / _TIMES
    part = QRectF((at.x - wide / 2) * across, (at.y - high / 2) * down, wide * across, high * down)
    box = QRectF(_LOUPE)
    box.moveTopRight(QPointF(width - 16, 34))
    if box.left() < fit.rect.right() and at.x > fit.size.width / 2:
        box.moveLeft(16)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.fillRect(box, theme.on_frames("nothing"))
    inside = part.intersected(QRectF(image.rect()))
    if not inside.isEmpty():
        to = QRectF(
            box.left() + (inside.left() - part.left()) / across * _TIMES,
            box.top() + (inside.top() - part.top()) / down * _TIMES,
            inside.width() / across * _TIMES,
            inside.height() / down * _TIMES,
        )
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.drawImage(to, image, inside)
    centre = box.center()
    painter.save()
    painter.setClipRect(box)
    for width, ink in ((3, "halo_dark"), (1, "halo_light")):
        painter.setPen(QPen(theme.on_frames(ink), width))
        painter.drawLine(QPointF(box.left(), centre.y()), QPointF(box.right(), centre.y()))
        painter.drawLine(QPointF(centre.x(), box.top()), QPointF(centre.x(), box.bottom()))
    painter.restore()
    painter.setPen(QPen(theme.colour("line2"), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(box)
    words = f"{at.x:.0f}, {at.y:.0f}"
    above = QRectF(box.left(), box.top() - 20, box.width(), 18)
    painter.fillRect(above.adjusted(0, 0, 0, 1), theme.colour("stage"))
    painter.setFont(font(CAPTION))
    painter.setPen(theme.colour("text3"))
    painter.drawText(above, Qt.AlignmentFlag.AlignVCenter, tr("Loupe {n}×", n=_TIMES))
    painter.setFont(font(CAPTION, mono=True))
    right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
    painter.drawText(above, right, words)
