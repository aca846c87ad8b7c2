"""Draws in dp on an image of pixels. Knows shapes, text and icons, but no view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF

from demophone.views import fonts
from demophone.views.geometry import Rect
from demophone.views.theme import colour

Align = Literal["left", "centre", "right"]


class Canvas:
    """A painter that takes dp. Close it before the image is read."""

    def __init__(self, image: QImage, scale: float, font_scale: float = 1.0) -> None:
        self.scale = scale
        self.font_scale = font_scale
        self.painter = QPainter(image)
        self.painter.setRenderHints(
            QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing
        )
        self.painter.setPen(Qt.PenStyle.NoPen)

    def close(self) -> None:
        """Ends painting."""
        self.painter.end()

    def pixels(self, rect: Rect) -> QRect:
        """The whole pixels of a rectangle, each edge rounded on its own."""
        s = self.scale
        left, top = round(rect.x * s), round(rect.y * s)
        return QRect(left, top, round(rect.right * s) - left, round(rect.bottom * s) - top)

    def fill(self, rect: Rect, name: str, radius: float = 0.0, alpha: float = 1.0) -> None:
        """Fills a rectangle, with round corners of `radius`."""
        area = self.pixels(rect)
        tone = colour(name, alpha)
        if radius <= 0:
            self.painter.fillRect(area, tone)
            return
        r = min(radius * self.scale, area.width() / 2, area.height() / 2)
        self.painter.setBrush(tone)
        self.painter.drawRoundedRect(QRectF(area), r, r)

    def corners(self, rect: Rect, name: str, radii: tuple[float, float, float, float]) -> None:
        """Fills a rectangle whose corners (left top, then clockwise) differ."""
        area = QRectF(self.pixels(rect))
        lt, rt, rb, lb = (min(r * self.scale, area.height() / 2) for r in radii)
        path = QPainterPath()
        path.moveTo(area.left() + lt, area.top())
        path.lineTo(area.right() - rt, area.top())
        path.arcTo(area.right() - 2 * rt, area.top(), 2 * rt, 2 * rt, 90, -90)
        path.lineTo(area.right(), area.bottom() - rb)
        path.arcTo(area.right() - 2 * rb, area.bottom() - 2 * rb, 2 * rb, 2 * rb, 0, -90)
        path.lineTo(area.left() + lb, area.bottom())
        path.arcTo(area.left(), area.bottom() - 2 * lb, 2 * lb, 2 * lb, 270, -90)
        path.lineTo(area.left(), area.top() + lt)
        path.arcTo(area.left(), area.top(), 2 * lt, 2 * lt, 180, -90)
        self.painter.setBrush(colour(name))
        self.painter.drawPath(path)

    def outline(self, rect: Rect, name: str, width: float, radius: float) -> None:
        """Draws the edge of a rectangle, inside it."""
        w = max(1.0, round(width * self.scale))
        area = QRectF(self.pixels(rect)).adjusted(w / 2, w / 2, -w / 2, -w / 2)
        r = min(radius * self.scale, area.width() / 2, area.height() / 2)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        self.painter.setPen(QPen(colour(name), w))
        self.painter.drawRoundedRect(area, r, r)
        self.painter.setPen(Qt.PenStyle.NoPen)

    def circle(self, cx: float, cy: float, r: float, name: str, alpha: float = 1.0) -> None:
        """Fills a circle."""
        s = self.scale
        self.painter.setBrush(colour(name, alpha))
        self.painter.drawEllipse(QPointF(cx * s, cy * s), r * s, r * s)

    def text_pixels(self, size: float) -> int:
        """A text size in sp as whole pixels."""
        return text_pixels(size, self.scale, self.font_scale)

    def text(
        self,
        rect: Rect,
        text: str,
        size: float,
        name: str,
        weight: int = 400,
        align: Align = "left",
        alpha: float = 1.0,
    ) -> None:
        """Draws one line, vertically centred in the rectangle, clipped if too long."""
        px = self.text_pixels(size)
        area = self.pixels(rect)
        shown = fonts.elided(text, px, weight, max(0, area.width() + 1))
        x = float(area.left())
        if align != "left":
            free = area.width() - fonts.width(shown, px, weight)
            x += free / 2 if align == "centre" else free
        measures = fonts.metrics(px, weight)
        baseline = area.top() + (area.height() + measures.capHeight()) / 2
        self._draw(round(x), round(baseline), shown, px, weight, colour(name, alpha))

    def line(
        self, x: float, baseline: float, text: str, size: float, name: str, weight: int = 400
    ) -> None:
        """Draws text from `x` on `baseline`, not clipped."""
        px = self.text_pixels(size)
        at = (round(x * self.scale), round(baseline * self.scale))
        self._draw(*at, text, px, weight, colour(name))

    def stroke(self, x: float, y: float, x2: float, y2: float, name: str, width: float) -> None:
        """A straight line with round ends."""
        s = self.scale
        pen = QPen(colour(name), max(1.0, width * s))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        self.painter.setPen(pen)
        self.painter.drawLine(QPointF(x * s, y * s), QPointF(x2 * s, y2 * s))
        self.painter.setPen(Qt.PenStyle.NoPen)

    def ellipse(
        self, cx: float, cy: float, rx: float, ry: float, name: str, turn: float = 0.0
    ) -> None:
        """Fills an ellipse, rotated clockwise by an angle in degrees."""
        s = self.scale
        self.painter.save()
        self.painter.translate(cx * s, cy * s)
        self.painter.rotate(turn)
        self.painter.setBrush(colour(name))
        self.painter.drawEllipse(QPointF(0, 0), rx * s, ry * s)
        self.painter.restore()

    def polygon(self, points: Sequence[tuple[float, float]], name: str) -> None:
        """Fills what the points enclose."""
        s = self.scale
        self.painter.setBrush(colour(name))
        self.painter.drawPolygon(QPolygonF([QPointF(x * s, y * s) for x, y in points]))

    def arc(
        self, cx: float, cy: float, r: float, start: float, sweep: float, name: str, width: float
    ) -> None:
        """A part of a circle, in degrees clockwise from the top."""
        s = self.scale
        pen = QPen(colour(name), max(1.0, width * s))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        self.painter.setPen(pen)
        area = QRectF((cx - r) * s, (cy - r) * s, 2 * r * s, 2 * r * s)
        self.painter.drawArc(area, round((90 - start) * 16), round(-sweep * 16))
        self.painter.setPen(Qt.PenStyle.NoPen)

    def icon(self, cx: float, cy: float, name: str, size: float, tone: str) -> None:
        """An icon round a point; `size` is the side of its square in dp."""
        px = round(size * self.scale)
        s = self.scale
        self.painter.setFont(fonts.icon_font(px))
        self.painter.setPen(colour(tone))
        area = QRectF(round(cx * s - px / 2), round(cy * s - px / 2), px, px)
        self.painter.drawText(
            area,
            int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip),
            fonts.glyph(name),
        )
        self.painter.setPen(Qt.PenStyle.NoPen)

    def back_arrow(self, cx: float, cy: float, size: float, tone: str) -> None:
        """The outline of a triangle that points left, with round corners."""
        s, half = self.scale, size / 2
        path = QPainterPath(QPointF((cx + half * 0.8) * s, (cy - half) * s))
        path.lineTo(QPointF((cx + half * 0.8) * s, (cy + half) * s))
        path.lineTo(QPointF((cx - half) * s, cy * s))
        path.closeSubpath()
        pen = QPen(colour(tone), 1.8 * s)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        self.painter.setPen(pen)
        self.painter.drawPath(path)
        self.painter.setPen(Qt.PenStyle.NoPen)

    def clip(self, rect: Rect, radius: float = 0.0) -> None:
        """Keeps what follows inside the rectangle, until `unclip`."""
        self.painter.save()
        area = self.pixels(rect)
        if radius <= 0:
            self.painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
            return
        path = QPainterPath()
        r = min(radius * self.scale, area.width() / 2, area.height() / 2)
        path.addRoundedRect(QRectF(area), r, r)
        self.painter.setClipPath(path, Qt.ClipOperation.IntersectClip)

    def unclip(self) -> None:
        """Ends the last `clip`."""
        self.painter.restore()

    def _draw(self, x: int, y: int, text: str, px: int, weight: int, tone: QColor) -> None:
        self.painter.setFont(fonts.text_font(px, weight))
        self.painter.setPen(tone)
        self.painter.drawText(x, y, text)
        self.painter.setPen(Qt.PenStyle.NoPen)


def text_pixels(size: float, scale: float, font_scale: float) -> int:
    """A text size in sp as whole pixels."""
    return max(1, round(size * scale * font_scale))
