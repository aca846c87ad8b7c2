"""Letterboxed view of a screen with marks; independent of steps, files and phones.

The wheel zooms at the pointer, the middle button or held Space drags, a double click fits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from episodes.geometry import Size
from taptrail.gui import icons, marks, theme
from taptrail.gui.components.scaled import ScaledPicture
from taptrail.gui.fit import Fit, letterbox, placed
from taptrail.gui.fonts import FACTS, font
from taptrail.words import tr

Marks = Callable[[QPainter, marks.MarkScale], None]


@dataclass(frozen=True)
class Zoom:
    """Zoom of a frame: scale 1 fits it; the centre is in fractions of the frame."""

    times: float = 1.0
    centre: QPointF = field(default_factory=lambda: QPointF(0.5, 0.5))


class FrameView(QWidget):
    """Signals:
    zoomed: the Zoom set by the user, so that other views can follow.
    """

    zoomed = Signal(object)

    def __init__(self, name: str, margin: int = 0) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(80, 120)
        self._margin = margin
        self._size: Size | None = None
        self._image: QImage | None = None
        self._scaled = ScaledPicture()
        self._dp = 1.0
        self._marks: Marks | None = None
        self._missing = ""
        self._protected = False
        self._zoom = Zoom()
        self._dragged: QPointF | None = None
        self.top_aligned = False

    def share_scaling(self, other: FrameView) -> None:
        """Shares scaled pictures with another view that shows the same pictures."""
        self._scaled = other._scaled

    def show_frame(
        self, size: Size | None, dp: float, missing: str = "", *, protected: bool = False
    ) -> None:
        """Sets another frame; its picture may follow later.

        Args:
            dp: pixels of the frame per dp of its phone's screen.
            missing: the text to show if the frame has no picture.
            protected: whether the picture is black because an app forbids screenshots; a text says
                so.
        """
        self._size, self._dp, self._image, self._missing = size, dp, None, missing
        self._protected = protected
        self.update()

    def show_image(self, image: QImage | None, missing: str = "") -> None:
        """Shows the frame's picture, or the reason why there is none."""
        self._image, self._missing = image, missing
        self.update()

    def show_marks(self, paint: Marks | None, words: str = "") -> None:
        """Draws marks with `paint`; `words` describe them to a screen reader."""
        self._marks = paint
        self.setAccessibleDescription(words)
        self.update()

    def set_zoom(self, zoom: Zoom) -> None:
        """Sets the zoom, for example to follow another view."""
        self._zoom = zoom
        self.update()

    def image(self) -> QImage | None:
        """Returns the shown image."""
        return self._image

    def fit(self) -> Fit | None:
        """Returns the current mapping of the painted frame."""
        if self._size is None:
            return None
        m = self._margin
        room = QRectF(self.rect()).adjusted(m, m, -m, -m)
        ratio = self.devicePixelRatioF()
        fitted = letterbox(self._size, room, ratio)
        if self.top_aligned:
            centre = QPointF(room.center().x(), room.top() + fitted.rect.height() / 2)
            fitted = placed(self._size, centre, fitted.zoom, ratio)
        if self._zoom.times == 1:
            return fitted
        zoom = fitted.zoom * self._zoom.times
        away = QPointF(
            (0.5 - self._zoom.centre.x()) * self._size.width * zoom,
            (0.5 - self._zoom.centre.y()) * self._size.height * zoom,
        )
        return placed(self._size, fitted.rect.center() + away, zoom, ratio)

    def paintEvent(self, event: QPaintEvent) -> None:
        fit = self.fit()
        if fit is None or self._size is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        outline = QPainterPath()
        outline.addRoundedRect(fit.rect, 8, 8)
        painter.save()
        painter.setClipPath(outline)
        if self._image is not None:
            self._scaled.paint(painter, self._image, fit)
            if self._protected:
                _say(painter, fit.rect, "lock-outline", tr("Protected by the app"))
        else:
            painter.fillRect(fit.rect, theme.on_frames("nothing"))
            if self._missing:
                _say(painter, fit.rect, "image-off-outline", self._missing)
        painter.restore()
        painter.setPen(theme.colour("line2"))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(fit.rect.adjusted(-0.5, -0.5, 0.5, 0.5), 8.5, 8.5)
        if self._marks is not None:
            self._marks(painter, marks.MarkScale(fit, self._dp))

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta().y()
        if not turned or self._size is None:
            return
        times = min(16.0, max(1.0, self._zoom.times * 1.2 ** (turned / 120)))
        self._zoom_at(event.position(), times)
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.MiddleButton:
            self._dragged = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        fit = self.fit()
        if self._dragged is None or fit is None:
            return
        moved, self._dragged = event.position() - self._dragged, event.position()
        centre = self._zoom.centre - QPointF(
            moved.x() / fit.rect.width(), moved.y() / fit.rect.height()
        )
        self._choose(Zoom(self._zoom.times, centre))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._dragged = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._choose(Zoom())

    def _zoom_at(self, at: QPointF, times: float) -> None:
        fit = self.fit()
        if fit is None:
            return
        under = QPointF(
            (at.x() - fit.rect.left()) / fit.rect.width(),
            (at.y() - fit.rect.top()) / fit.rect.height(),
        )
        keep = self._zoom.times / times
        centre = under + (self._zoom.centre - under) * keep
        self._choose(Zoom() if times <= 1 else Zoom(times, centre))

    def _choose(self, zoom: Zoom) -> None:
        centre = QPointF(min(1.0, max(0.0, zoom.centre.x())), min(1.0, max(0.0, zoom.centre.y())))
        self.set_zoom(Zoom(zoom.times, centre))
        self.zoomed.emit(self._zoom)


def _say(painter: QPainter, rect: QRectF, icon: str, words: str) -> None:
    ink: QColor = theme.on_frames("nothing_text")
    icons.paint(painter, icon, rect.center() - QPointF(0, 24), 28, ink)
    painter.setFont(font(FACTS))
    painter.setPen(ink)
    painter.drawText(
        QRectF(rect.left() + 12, rect.center().y(), rect.width() - 24, 60),
        Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap,
        words,
    )
