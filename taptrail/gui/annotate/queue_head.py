"""Queue head: the number of steps that wait at each level, and the order of the queue."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from annotator.candidates import Level
from annotator.review_queue import SAMPLE_ONE_IN
from taptrail.gui import icons, theme
from taptrail.gui.annotate.band import paint_bars
from taptrail.gui.commands import key
from taptrail.gui.components import keycap
from taptrail.gui.components.button import Button
from taptrail.gui.components.tips import tip
from taptrail.gui.fonts import FACTS, font
from taptrail.words import tr

_BARS = {Level.LOW: (1, "mismatch"), Level.MEDIUM: (2, "text2"), Level.HIGH: (3, "match")}
_WORDS = {Level.LOW: "low", Level.MEDIUM: "medium", Level.HIGH: "high"}
_GAP, _BETWEEN = 20, 10


class LevelCounts(QWidget):
    """Bars and a count for each level with waiting steps."""

    def __init__(self) -> None:
        super().__init__()
        self._counts: dict[Level, int] = {}
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Steps that wait, by level"))

    def show_counts(self, counts: Mapping[Level, int], sampled: int) -> None:
        """Shows how many steps wait, and how many of the high ones need a review."""
        self._counts = {level: counts.get(level, 0) for level in _BARS}
        words = [f"{n} {tr(_WORDS[level])}" for level, n in self._counts.items()]
        told = tr("{counts} wait", counts=", ".join(words))
        more = tr("review one in {n} of the high steps: {m} here", n=SAMPLE_ONE_IN, m=sampled)
        self.setAccessibleDescription(f"{told}; {more}")
        self.setToolTip(tip(f"{told};\n{more}"))
        self.updateGeometry()
        self.update()

    def words(self) -> str:
        """Returns the shown texts."""
        return ", ".join(f"{n} {_WORDS[level]}" for level, n in self._counts.items())

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(font(FACTS, 500))
        each = [_GAP + metrics.horizontalAdvance(str(n)) for n in self._counts.values()]
        return QSize(round(sum(each) + _BETWEEN * max(0, len(each) - 1) + 0.5), 20)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(font(FACTS, 500))
        metrics = QFontMetricsF(font(FACTS, 500))
        x = 0.0
        for level, count in self._counts.items():
            bars, ink = _BARS[level]
            ink = ink if count else "text3"
            painter.save()
            painter.translate(x, 2)
            paint_bars(painter, bars, ink)
            painter.restore()
            painter.setPen(theme.colour("text1" if count else "text3"))
            across = metrics.horizontalAdvance(str(count))
            room = QRectF(x + _GAP, 0, across + 1, 20)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, str(count))
            x += _GAP + across + _BETWEEN


class QueueButton(Button):
    """Signals:
    ordered: whether to go through the steps by level.
    rest: the user asked to accept the high steps that need no review.
    """

    ordered = Signal(bool)
    rest = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Queue: low first"), "format-list-bulleted", menu=True)
        self._by_level, self._rest, self._off = True, 0, ""
        self.clicked.connect(self._offer)

    def show_order(self, *, by_level: bool, rest: int, off: str) -> None:
        """Shows the order.

        `rest` high steps can be accepted together unless `off` gives a reason why not.
        """
        self._by_level, self._rest, self._off = by_level, rest, off
        self.set_words(tr("Queue: low first") if by_level else tr("Queue: in order"))

    def menu(self) -> QMenu:
        """Returns the menu the button opens."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for by_level, words in (
            (True, tr("Low first, then medium, then one in {n} of the high", n=SAMPLE_ONE_IN)),
            (False, tr("In the order of the steps")),
        ):
            action = menu.addAction(words)
            action.setCheckable(True)
            action.setChecked(by_level is self._by_level)
            action.triggered.connect(lambda _=False, by=by_level: self.ordered.emit(by))
        menu.addSeparator()
        cap = keycap.words(key("accept-rest"))
        words = tr("Accept the other high step", "Accept the {n} other high steps", n=self._rest)
        action = menu.addAction(icons.icon("check"), f"{words}\t{cap}")
        action.setEnabled(bool(self._rest) and not self._off)
        action.setToolTip(tip(self._off))
        action.triggered.connect(self.rest)
        return menu

    def _offer(self) -> None:
        self.menu().popup(self.mapToGlobal(QPoint(0, self.height() + 4)))
