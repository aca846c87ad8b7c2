"""Start cards and numbered instructions."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from taptrail.gui import theme
from taptrail.gui.components.labels import ElidedLabel, label
from taptrail.gui.components.panel import Icon, Scrolled, WidgetRow
from taptrail.gui.fonts import BODY, FACTS


def show_centred(page: QWidget, picture: QWidget, content: QWidget, stretch: int = 0) -> None:
    """Fills a page with a picture and its content beside it, centred; the page scrolls."""
    whole = QWidget()
    whole.setProperty("ground", "stage")
    row = QHBoxLayout(whole)
    row.setContentsMargins(16, 0, 16, 0)
    row.setSpacing(48)
    row.addStretch(1)
    row.addWidget(picture, 0, Qt.AlignmentFlag.AlignVCenter)
    row.addWidget(content, stretch, Qt.AlignmentFlag.AlignVCenter)
    row.addStretch(1)
    outer = QVBoxLayout(page)
    outer.setContentsMargins(0, 0, 0, 0)
    outer.addWidget(Scrolled(whole))


class StartCard(QWidget):
    """A card for one way to start: icon, name, description, and buttons at the right.

    Args:
        main: whether it is the one tinted card of the page.
        warn: whether its text is a warning, which may take several lines.
    """

    def __init__(
        self,
        icon: str,
        title: str,
        text: str,
        action: QWidget,
        *,
        main: bool = False,
        warn: bool = False,
    ) -> None:
        super().__init__()
        self._main = main
        self.setMinimumHeight(76)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.setAccessibleName(f"{title}. {text}")
        words = QWidget()
        column = QVBoxLayout(words)
        column.setContentsMargins(0, 12, 0, 12)
        column.setSpacing(2)
        column.addStretch(1)
        column.addWidget(ElidedLabel(title, BODY, 600))
        column.addWidget(
            label(text, FACTS, tone="mismatch", wrap=True)
            if warn
            else ElidedLabel(text, FACTS, ink="text2")
        )
        column.addStretch(1)
        row = WidgetRow(_Badge(icon, main=main), words, action, gap=12, margins=(16, 0, 16, 0))
        row.row.setStretch(1, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(row)
        self._outer = outer

    def put_below(self, part: QWidget) -> None:
        """Adds a widget below the text, inside the card."""
        self._outer.addWidget(part)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.colour("accent" if self._main else "line2"))
        painter.setBrush(theme.colour("accent_tint" if self._main else "panel"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)


class NumberedSteps(QWidget):
    """Numbered sentences below the text of a card."""

    def __init__(self, name: str, sentences: tuple[str, ...]) -> None:
        super().__init__()
        self.setAccessibleName(" ".join((name, *sentences)))
        column = QVBoxLayout(self)
        column.setContentsMargins(68, 0, 16, 16)
        column.setSpacing(8)
        for number, sentence in enumerate(sentences, 1):
            mark = label(f"{number}.", FACTS, 600, tone="2")
            mark.setFixedWidth(18)
            mark.setAlignment(Qt.AlignmentFlag.AlignTop)
            row = WidgetRow(mark, label(sentence, FACTS, tone="2", wrap=True), gap=4)
            row.row.setStretch(1, 1)
            column.addWidget(row)
        self.column = column


class PhonePicture(QWidget):
    """A drawn phone with a picture on its screen; empty until a picture is set."""

    def __init__(self) -> None:
        super().__init__()
        self._image = QImage()
        self.setFixedSize(QSize(230, 500))
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def show_picture(self, image: QImage) -> None:
        """Shows a screen."""
        self._image = image
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        body = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(theme.colour("line2"))
        painter.setBrush(theme.on_frames("phone"))
        painter.drawRoundedRect(body, 10, 10)
        painter.setPen(Qt.PenStyle.NoPen)
        screen = body.adjusted(5, 5, -5, -5)
        path = QPainterPath()
        path.addRoundedRect(screen, 6, 6)
        painter.setClipPath(path)
        if self._image.isNull():
            painter.fillRect(screen, theme.on_frames("nothing"))
            return
        ratio = self.devicePixelRatioF()
        size = (screen.size() * ratio).toSize()
        scaled = self._image.scaled(
            size,
            Qt.AspectRatioMode.KeepAspectRatioByExpanding,
            Qt.TransformationMode.SmoothTransformation,
        )
        scaled.setDevicePixelRatio(ratio)
        painter.drawImage(QPointF(screen.left(), screen.top()), scaled)


class _Badge(QWidget):
    def __init__(self, icon: str, *, main: bool) -> None:
        super().__init__()
        self.setFixedSize(40, 40)
        self._main = main
        mark = Icon(icon, 22, "on_accent" if main else "text2")
        mark.setParent(self)
        mark.move(9, 9)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("accent_fill" if self._main else "raised"))
        painter.drawRoundedRect(QRectF(self.rect()), 6, 6)


class Dashed(WidgetRow):
    """A drop area with a dashed outline, and a button that does the same."""

    def __init__(self, words: str, action: QWidget) -> None:
        super().__init__(
            None,
            Icon("tray-arrow-down", 18, "text2"),
            label(words, BODY, tone="2"),
            action,
            None,
            height=44,
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(theme.colour("line2"), 1)
        pen.setDashPattern([4, 3])
        painter.setPen(pen)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
