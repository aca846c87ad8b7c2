"""Label with several wordings: shows the longest one that fits."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from episodes.visible_text import visible_text
from taptrail.gui import theme
from taptrail.gui.components.tips import tip
from taptrail.gui.fonts import FACTS, font


def fitting(ways: Sequence[str], metrics: QFontMetricsF, room: float) -> str:
    """Returns the first wording that fits; if none fits, the last one, elided with "…"."""
    ways = [visible_text(words) for words in ways]
    for words in ways:
        if metrics.horizontalAdvance(words) <= room:
            return words
    return metrics.elidedText(ways[-1], Qt.TextElideMode.ElideRight, room) if ways else ""


class FittingLabel(QWidget):
    """One line that shows the longest wording that fits; the tooltip shows the longest of all."""

    def __init__(self, px: int = FACTS, *, ink: str = "text2") -> None:
        super().__init__()
        self._ways: Sequence[str] = ("",)
        self._ink = ink
        self.setFont(font(px))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_ways(self, *ways: str) -> None:
        """Sets the wordings, from the longest to the shortest."""
        self._ways = ways
        self.setAccessibleName(ways[0])
        self.updateGeometry()
        self.update()

    def text(self) -> str:
        """Returns the longest wording."""
        return self._ways[0]

    def shown(self) -> str:
        """Returns the wording that is shown now."""
        return fitting(self._ways, QFontMetricsF(self.font()), self.width())

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(self.font())
        return QSize(round(metrics.horizontalAdvance(self._ways[0]) + 1), round(metrics.height()))

    def minimumSizeHint(self) -> QSize:
        return QSize(16, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        shown = self.shown()
        self.setToolTip(tip(self._ways[0] if shown != self._ways[0] else ""))
        painter.setFont(self.font())
        painter.setPen(theme.colour(self._ink))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter, shown)
