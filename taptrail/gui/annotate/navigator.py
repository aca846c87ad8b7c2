"""Paints the overlays of a zoomed frame: zoom in percent, banner, and navigator."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPen

from taptrail.gui import theme
from taptrail.gui.components.scaled import ScaledPicture
from taptrail.gui.fit import Fit
from taptrail.gui.fonts import CAPTION, FACTS, font
from taptrail.words import tr


def paint_percent(painter: QPainter, width: float, top: float, fit: Fit) -> None:
    """Writes the zoom at the right edge; 100 % is one window pixel per frame pixel."""
    words = tr("{n} %", n=round(fit.zoom * 100))
    room = QRectF(width - 92, top, 76, 16)
    painter.setFont(font(CAPTION))
    painter.setPen(theme.colour("text3"))
    painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, words)


def paint_banner(painter: QPainter, words: str, fit: Fit) -> None:
    """Draws a pill that names the picture at the top of the frame."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(font(FACTS, 600))
    across = painter.fontMetrics().horizontalAdvance(words) + 24.0
    box = QRectF(fit.rect.center().x() - across / 2, max(1.0, fit.rect.top() - 14), across, 26)
    painter.setPen(QPen(theme.on_frames("halo_light"), 1))
    painter.setBrush(theme.on_frames("pill"))
    painter.drawRoundedRect(box, 13, 13)
    painter.setPen(theme.on_frames("pill_text"))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
    painter.restore()


def paint_navigator(
    painter: QPainter, view: QRect, fit: Fit, image: QImage, small: ScaledPicture
) -> None:
    """Draws the whole frame small and outlines its visible part; `small` caches the picture."""
    wide = 76.0 if fit.size.width < fit.size.height else 132.0
    high = wide * fit.size.height / fit.size.width
    box = QRectF(view.width() - wide - 16, view.height() - high - 16, wide, high)
    paint_percent(painter, view.width(), box.top() - 20, fit)
    painter.save()
    painter.setClipRect(box)
    small.paint(painter, image, Fit(fit.size, box))
    seen = fit.rect.intersected(QRectF(view))
    scale = wide / fit.rect.width()
    part = QRectF(
        box.left() + (seen.left() - fit.rect.left()) * scale,
        box.top() + (seen.top() - fit.rect.top()) * scale,
        seen.width() * scale,
        seen.height() * scale,
    )
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for width, ink in ((3, "halo_dark"), (1.5, "halo_light")):
        painter.setPen(QPen(theme.on_frames(ink), width))
        painter.drawRect(part.adjusted(1, 1, -1, -1))
    painter.restore()
    painter.setPen(QPen(theme.colour("line2"), 1))
    painter.drawRect(box)
