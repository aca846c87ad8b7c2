"""Base of both charts of attempts: dots with keyboard, pointer and screen reader support."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import hypot

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from taptrail.gui import theme
from taptrail.gui.components import cells
from taptrail.gui.components.tips import tip
from taptrail.gui.fonts import CAPTION, font
from taptrail.gui.tasks.texts import AttemptMark, paint_agent, paint_mark
from taptrail.words import tr

LEFT, RIGHT = 124, 24
MOST = 500
_NEAR = 9.0


@dataclass(frozen=True)
class Dot:
    """An attempt as a dot on a chart.

    Attributes:
        uuid: of its episode.
        words: description for a screen reader.
        mark: mark of a person's attempt; None for an agent's, which has a letter or "".
    """

    uuid: str
    at: QPointF
    words: str
    mark: AttemptMark | None = None
    letter: str = ""


class DotChart(QWidget):
    """Signals:
    turned: the uuid of the attempt the user selected.
    """

    turned = Signal(str)

    def __init__(self, name: str, height: int) -> None:
        super().__init__()
        self.setFixedHeight(height)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setProperty("ring", "own")
        self.setMouseTracking(True)
        self.setAccessibleName(name)
        self._dots: list[Dot] = []
        self._current = ""

    def dots(self) -> list[Dot]:
        """Returns the dots from left to right, row by row."""
        return list(self._dots)

    def current(self) -> str:
        """Returns the uuid of the marked attempt; "" if there is none."""
        return self._current

    def turn_to(self, uuid: str) -> None:
        """Marks an attempt without emitting a signal."""
        self._current = uuid
        words = [dot.words for dot in self._dots if dot.uuid == uuid]
        self.setAccessibleDescription("; ".join(words) or self.all_words())
        self.update()

    def all_words(self) -> str:
        """Returns the screen reader description of the whole chart."""
        return "; ".join(dict.fromkeys(dot.words for dot in self._dots))

    def place_dots(self) -> list[Dot]:
        """Returns the positions of the dots at this size; implemented by each chart."""
        raise NotImplementedError

    def paint_ground(self, painter: QPainter) -> None:
        """Paints axes, boxes and lines below the dots; implemented by each chart."""
        raise NotImplementedError

    def lay(self) -> None:
        """Computes the positions of the dots again."""
        self._dots = self.place_dots()
        self.turn_to(self._current)

    def resizeEvent(self, event: object) -> None:
        self.lay()

    def sizeHint(self) -> QSize:
        return QSize(480, self.height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        way = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if way is None or not self._dots or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
            return
        order = [*dict.fromkeys(dot.uuid for dot in self._dots)]
        at = order.index(self._current) if self._current in order else -1 if way > 0 else 0
        self._go(order[max(0, min(len(order) - 1, at + way))])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        dot = self._under(event.position())
        if dot is not None and event.button() is Qt.MouseButton.LeftButton:
            self._go(dot.uuid)
        super().mousePressEvent(event)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            dot = self._under(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), tip(dot.words if dot is not None else ""), self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("panel"))
        self.paint_ground(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for dot in self._dots:
            if dot.uuid == self._current:
                painter.setPen(QPen(theme.colour("accent"), 2 if self.hasFocus() else 1.2))
                painter.setBrush(theme.colour("accent_tint"))
                painter.drawEllipse(dot.at, 9, 9)
        for dot in self._dots:
            if dot.mark is None:
                paint_agent(painter, dot.at, dot.letter)
            else:
                paint_mark(painter, dot.at, dot.mark)

    def focusInEvent(self, event: object) -> None:
        self.update()

    def focusOutEvent(self, event: object) -> None:
        self.update()

    def _go(self, uuid: str) -> None:
        if uuid != self._current:
            self.turn_to(uuid)
            self.turned.emit(uuid)

    def _under(self, at: QPointF) -> Dot | None:
        near = [
            (hypot(dot.at.x() - at.x(), dot.at.y() - at.y()), number)
            for number, dot in enumerate(self._dots)
        ]
        distance, number = min(near, default=(_NEAR + 1, 0))
        return self._dots[number] if distance <= _NEAR else None


def drawn(count: int) -> int:
    """Returns how many attempts one dot represents, so that no chart has more than MOST dots."""
    return max(1, -(-count // MOST))


def axis_step(most: float, steps: tuple[int, ...], ticks: int) -> int:
    """Returns the smallest tick distance with which an axis from 0 to `most` has few ticks."""
    return next((step for step in steps if most / step <= ticks), steps[-1])


def lanes(xs: list[float], width: float, most: int) -> list[int]:
    """Returns a lane for each position so that dots do not overlap within `most` lanes.

    Args:
        xs: sorted from left to right.
        width: of a dot.
    """
    assert all(one <= other for one, other in pairwise(xs))
    ends = [float("-inf")] * most
    found = []
    for x in xs:
        lane = next((n for n in range(most) if x - ends[n] >= width), ends.index(min(ends)))
        ends[lane] = x
        found.append(lane)
    return found


def paint_tick(painter: QPainter, x: float, top: float, bottom: float, words: str) -> None:
    """Draws a vertical tick line of an axis with its label below."""
    painter.fillRect(QRectF(round(x), top, 1, bottom - top), theme.colour("line"))
    painter.setFont(font(CAPTION))
    painter.setPen(theme.colour("text3"))
    box = QRectF(x - 40, bottom + 3, 80, 16)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)


def paint_row_name(painter: QPainter, middle: float, name: str, below: str) -> None:
    """Paints the name of a chart row at its left, with a grey line below."""
    box = QRectF(12, middle - 16, LEFT - 20, 16)
    cells.line(painter, box, name, font(12, 600), "text1")
    cells.line(painter, box.translated(0, 17), below, font(CAPTION), "text3")


def nothing(painter: QPainter, rect: QRectF, words: str) -> None:
    """Shows why there is no chart."""
    painter.setFont(font(12))
    painter.setPen(theme.colour("text3"))
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, words or tr("Nothing to show"))
