"""A picture painted on its fit: made smaller once and well, larger as it is.

Shrinking a screen of 1080 pixels to 300 while painting would leave out most of its pixels; so
it is averaged once for the size it is shown at, and kept until picture or size change.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter

from taptrail.gui.fit import Fit

_NEAREST_ABOVE = 3.0


class ScaledPicture:
    """Paints pictures, and keeps the last one at the size it was painted."""

    def __init__(self) -> None:
        self._of: tuple[int, int, int] | None = None
        self._small: QImage | None = None

    def paint(self, painter: QPainter, image: QImage, fit: Fit) -> None:
        """Paints a picture on its fit, at the device's ratio."""
        ratio = painter.device().devicePixelRatio()
        size = QSize(round(fit.rect.width() * ratio), round(fit.rect.height() * ratio))
        if size.width() >= image.width():
            zoom = size.width() / image.width()
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, zoom < _NEAREST_ABOVE)
            painter.drawImage(fit.rect, image, QRectF(image.rect()))
            return
        key = (image.cacheKey(), size.width(), size.height())
        if self._of != key or self._small is None:
            self._small = image.scaled(
                size,
                Qt.AspectRatioMode.IgnoreAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
            self._small.setDevicePixelRatio(ratio)
            self._of = key
        painter.drawImage(fit.rect.topLeft(), self._small)

    def forget(self) -> None:
        """Lets the kept picture go."""
        self._of, self._small = None, None
