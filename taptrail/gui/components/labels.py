"""Text labels: labels of the type scale, wrapped labels and elided labels."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from episodes.visible_text import visible_text
from taptrail.gui import theme
from taptrail.gui.components.tips import tip
from taptrail.gui.fonts import BODY, font


class PlainLabel(QLabel):
    """A label that shows its text as it is: no markup, and hidden characters by their codes."""

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def setText(self, text: str) -> None:
        super().setText(visible_text(text))


def label(
    text: str = "",
    px: int = BODY,
    weight: int = 400,
    *,
    tone: str = "1",
    mono: bool = False,
    wrap: bool = False,
    selectable: bool = False,
) -> PlainLabel:
    """Returns a label; `tone` is "1" to "3", "record" or "mismatch"."""
    made = PlainLabel(text)
    made.setFont(font(px, weight, mono=mono))
    made.setProperty("tone", tone)
    made.setWordWrap(wrap)
    if selectable:
        made.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return made


class WrappedLabel(QLabel):
    """A label that wraps at any width; hidden if its text is ""."""

    def __init__(self, px: int = BODY, tone: str = "1") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(font(px))
        self.setProperty("tone", tone)
        self.setWordWrap(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def set_text(self, text: str) -> None:
        """Sets the text; a path may break after each folder."""
        self.setText(visible_text(text).replace("/", "/\N{ZERO WIDTH SPACE}"))

    def text(self) -> str:
        """Returns the whole text."""
        return super().text().replace("\N{ZERO WIDTH SPACE}", "")


class ElidedLabel(QWidget):
    """A one-line label, elided with "…" if narrow; its tooltip then has the whole text."""

    def __init__(
        self,
        text: str = "",
        px: int = BODY,
        weight: int = 400,
        *,
        ink: str = "text1",
        mono: bool = False,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__()
        self._text, self._token, self._mode = "", ink, mode
        self.setFont(font(px, weight, mono=mono))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.set_text(text)

    def text(self) -> str:
        """Returns the whole text."""
        return self._text

    def set_text(self, text: str, ink: str = "") -> None:
        """Sets the text, and its colour if one is given."""
        self._text = text = visible_text(text)
        self._token = ink or self._token
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        return QSize(metrics.horizontalAdvance(self._text) + 1, metrics.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(16, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics = QFontMetrics(self.font())
        shown = metrics.elidedText(self._text, self._mode, self.width())
        self.setToolTip(tip(self._text if shown != self._text else ""))
        painter.setFont(self.font())
        painter.setPen(theme.colour(self._token))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter, shown)
