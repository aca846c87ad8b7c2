"""Mapping between pixels of a frame and coordinates of the widget that shows it.

The picture is aligned to whole device pixels, so that it is scaled once and its edges are sharp at
any display scale. The mapping matches the painted picture.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSizeF

from episodes.geometry import Box, Point, Size


@dataclass(frozen=True)
class Fit:
    """A frame of `size` pixels, painted on `rect` (logical pixels of the widget)."""

    size: Size
    rect: QRectF

    @property
    def zoom(self) -> float:
        """Logical window pixels per frame pixel, horizontally."""
        return self.rect.width() / self.size.width

    def to_frame(self, at: QPointF) -> Point | None:
        """Returns the place on the frame, or None outside it."""
        if not (
            self.rect.left() <= at.x() < self.rect.right()
            and self.rect.top() <= at.y() < self.rect.bottom()
        ):
            return None
        return self._mapped(at)

    def nearest(self, at: QPointF) -> Point:
        """Returns the nearest place on the frame; a drag may leave the frame."""
        found = self._mapped(at)
        return Point(
            min(max(found.x, 0.0), self.size.width - 1.0),
            min(max(found.y, 0.0), self.size.height - 1.0),
        )

    def to_window(self, point: Point) -> QPointF:
        """Returns the window coordinates of a place on the frame."""
        return QPointF(
            self.rect.left() + point.x * self.rect.width() / self.size.width,
            self.rect.top() + point.y * self.rect.height() / self.size.height,
        )

    def box_to_window(self, box: Box) -> QRectF:
        """Returns the window rectangle of a box on the frame."""
        return QRectF(
            self.to_window(Point(box.left, box.top)), self.to_window(Point(box.right, box.bottom))
        ).normalized()

    def _mapped(self, at: QPointF) -> Point:
        return Point(
            (at.x() - self.rect.left()) * self.size.width / self.rect.width(),
            (at.y() - self.rect.top()) * self.size.height / self.rect.height(),
        )


def letterbox(size: Size, into: QRectF, ratio: float, most: float = 1.5) -> Fit:
    """Returns the largest centred fit with the frame's aspect ratio.

    Args:
        ratio: device pixels per logical pixel. most: largest scale, in logical window pixels per
            frame pixel.
    """
    zoom = min(into.width() / size.width, into.height() / size.height, most)
    return placed(size, into.center(), max(zoom, 1e-6), ratio)


def placed(size: Size, centre: QPointF, zoom: float, ratio: float) -> Fit:
    """Returns the fit for a zoom about a centre, aligned to whole device pixels."""
    across = max(1, round(size.width * zoom * ratio))
    down = max(1, round(size.height * zoom * ratio))
    left = round(centre.x() * ratio - across / 2)
    top = round(centre.y() * ratio - down / 2)
    return Fit(size, QRectF(QPointF(left / ratio, top / ratio), QSizeF(across, down) / ratio))
