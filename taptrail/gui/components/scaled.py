"""Paints pictures scaled to a size: averaged when smaller, unfiltered when larger.

Scaling a screen of 1080 pixels to 300 while painting would drop most of its pixels. So it is
averaged once for the shown size, and cached until the picture or the size changes.
"""

from __future__ import annotations

from collections import OrderedDict

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter

from taptrail.gui.fit import Fit

_NEAREST_ABOVE = 3.0
_KEPT = 2


class ScaledPicture:
    """Paints pictures and caches the last two at their painted size.

    Views that show the same picture at the same size share one instance.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, int, int], QImage] = OrderedDict()

    def paint(self, painter: QPainter, image: QImage, fit: Fit) -> None:
        """Paints a picture on its rectangle, at the device pixel ratio."""
        ratio = painter.device().devicePixelRatio()
        size = QSize(round(fit.rect.width() * ratio), round(fit.rect.height() * ratio))
        if size.width() >= image.width():
            zoom = size.width() / image.width()
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, zoom < _NEAREST_ABOVE)
            painter.drawImage(fit.rect, image, QRectF(image.rect()))
            return
        key = (image.cacheKey(), size.width(), size.height())
        small = self._kept.get(key)
        if small is None:
            small = image.scaled(
                size,
                Qt.AspectRatioMode.IgnoreAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
            self._kept[key] = small
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        small.setDevicePixelRatio(ratio)
        painter.drawImage(fit.rect.topLeft(), small)

    def forget(self) -> None:
        """Drops the cached pictures."""
        self._kept.clear()
