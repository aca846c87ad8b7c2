"""Chart of the share of matching steps for each action kind, with a mark for each run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from episodes.verdicts import Share
from taptrail.gui import theme
from taptrail.gui.components import cells
from taptrail.gui.components.tips import tip
from taptrail.gui.fonts import CAPTION, FACTS, font
from taptrail.gui.review.kind_words import short, whole
from taptrail.words import tr

_HIGH, _LEFT = 24, 52
_INKS = {"A": "name1", "B": "name2", "C": "name3", "D": "name4"}


class KindsChart(QWidget):
    """Chart from 0 to 100 %; the runs are a circle, a square, and triangles up and down."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._kinds: Sequence[str] = ()
        self._runs: Sequence[tuple[str, Mapping[str, Share]]] = ()

    def show_shares(
        self, kinds: Sequence[str], runs: Sequence[tuple[str, Mapping[str, Share]]]
    ) -> None:
        """Shows kinds from top to bottom; `runs` are (letter, shares by kind)."""
        self._kinds, self._runs = kinds, runs
        self.setAccessibleName(tr("Right steps by kind"))
        self.setAccessibleDescription(". ".join(self.lines()))
        self.setToolTip(tip("\n".join(self.lines())))
        self.updateGeometry()
        self.update()

    def lines(self) -> list[str]:
        """Returns the rows as text, with the counts behind the shares."""
        return [
            f"{whole(kind)}: "
            + ", ".join(
                tr("{who} {n} of {all}", who=letter, n=share.hits, all=share.total)
                for letter, shares in self._runs
                if (share := shares.get(kind)) is not None
            )
            for kind in self._kinds
        ]

    def sizeHint(self) -> QSize:
        return QSize(240, _HIGH * len(self._kinds) + 22)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        right = 16 + 29 * max(1, len(self._runs))
        left, end = float(_LEFT), float(self.width() - right)
        for number, kind in enumerate(self._kinds):
            row = QRectF(0, _HIGH * number, self.width(), _HIGH)
            cells.line(painter, row, short(kind), font(CAPTION), "text2")
            y = row.center().y()
            painter.fillRect(QRectF(left, y - 0.5, end - left, 1), theme.colour("line2"))
            values = [(letter, _value(shares.get(kind))) for letter, shares in self._runs]
            for letter, value in reversed(values):  # run A on top: smallest mark
                if value is not None:
                    _paint_mark(painter, QPointF(left + value * (end - left), y), letter)
            told = ["–" if value is None else f"{100 * value:.0f}" for _, value in values]
            cells.line(painter, row, " · ".join(told), font(FACTS), "text1", right=True)
        foot = QRectF(left, _HIGH * len(self._kinds) + 4, self.width() - left, 16)
        x = foot.left()
        for letter, _ in self._runs:
            _paint_mark(painter, QPointF(x + 5, foot.center().y()), letter)
            cells.line(painter, QRectF(x + 14, foot.top(), 12, 16), letter, font(CAPTION), "text2")
            x += 34
        cells.line(painter, foot, tr("% of steps, 0 to 100"), font(CAPTION), "text3", right=True)


def _value(share: Share | None) -> float | None:
    return share.hits / share.total if share is not None and share.total else None


def _paint_mark(painter: QPainter, at: QPointF, letter: str) -> None:
    painter.setPen(QPen(theme.colour("panel"), 1))
    painter.setBrush(theme.colour(_INKS[letter]))
    match letter:
        case "A":
            painter.drawEllipse(at, 4, 4)
        case "B":
            painter.drawRect(QRectF(at.x() - 5.5, at.y() - 5.5, 11, 11))
        case "C":
            painter.drawPolygon(
                [at + QPointF(0, -5.5), at + QPointF(5.5, 4), at + QPointF(-5.5, 4)]
            )
        case _:
            painter.drawPolygon(
                [at + QPointF(0, 5.5), at + QPointF(5.5, -4), at + QPointF(-5.5, -4)]
            )
    painter.setPen(Qt.PenStyle.NoPen)
