"""Draws on a frame: points for SAM 2, the corners of an outline, and private boxes.

A point inside the target is a disc with a plus; one outside is a ring with a minus. So they can be
told apart without colour.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from episodes.geometry import Box, Point
from taptrail.gui import icons, theme
from taptrail.gui.marks import MarkScale


def draw_places(painter: QPainter, places: Sequence[tuple[Point, bool]], scale: MarkScale) -> None:
    """Draws places, each with whether it is a point inside the target."""
    u = max(1.0, min(scale.unit, 1.6))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for point, inside in places:
        at = scale.fit.to_window(point)
        for radius, ink in ((8.6 * u, "halo_dark"), (7.4 * u, "halo_light")):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.on_frames(ink))
            painter.drawEllipse(at, radius, radius)
        painter.setBrush(theme.on_frames("person" if inside else "halo_dark"))
        painter.drawEllipse(at, 6.2 * u, 6.2 * u)
        painter.setPen(QPen(theme.on_frames("on_light" if inside else "halo_light"), 1.8 * u))
        painter.drawLine(at - QPointF(3.2 * u, 0), at + QPointF(3.2 * u, 0))
        if inside:
            painter.drawLine(at - QPointF(0, 3.2 * u), at + QPointF(0, 3.2 * u))
    painter.restore()


def draw_corners(painter: QPainter, corners: Sequence[Point], scale: MarkScale) -> None:
    """Draws an unfinished outline: its corners and edges, and a thin closing edge."""
    if not corners:
        return
    u = max(1.0, min(scale.unit, 1.6))
    points = [scale.fit.to_window(corner) for corner in corners]
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for width, ink in ((4.6 * u, "halo_dark"), (2.4 * u, "person")):
        painter.setPen(QPen(theme.on_frames(ink), width))
        painter.drawPolyline(QPolygonF(points))
    if len(points) > 2:
        pen = QPen(theme.on_frames("person"), 1.2 * u)
        pen.setDashPattern([4, 3])
        painter.setPen(pen)
        painter.drawLine(points[-1], points[0])
    painter.setPen(QPen(theme.on_frames("halo_dark"), 1))
    painter.setBrush(theme.on_frames("halo_light"))
    for at in points:
        painter.drawRect(QRectF(at.x() - 3 * u, at.y() - 3 * u, 6 * u, 6 * u))
    painter.restore()


def draw_private(painter: QPainter, boxes: Sequence[Box], scale: MarkScale) -> None:
    """Draws the private boxes of a step: dark, but the content stays legible."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    shade = theme.on_frames("halo_dark")
    shade.setAlphaF(0.72)
    for box in boxes:
        rect = scale.fit.box_to_window(box)
        painter.setPen(QPen(theme.on_frames("halo_light"), 1.5))
        painter.setBrush(shade)
        painter.drawRect(rect)
        if min(rect.width(), rect.height()) >= 16:
            at = rect.topLeft() + QPointF(9, 9)
            icons.paint(painter, "eye-off-outline", at, 14, theme.on_frames("halo_light"))
    painter.restore()
