"""The History tab: the edits of the shown step and its episode, newest first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from taptrail.gui import icons, theme
from taptrail.gui.components import cells
from taptrail.gui.components.messages import EmptyState
from taptrail.gui.components.panel import Panel, Scrolled
from taptrail.gui.components.tips import tip
from taptrail.gui.fonts import CAPTION, FACTS, font
from taptrail.usecases.editing import HistoryLine
from taptrail.words import tr

_ROW = 44
_MOST = 500
"""So many lines are drawn; the command `taptrail episodes history` has all of them."""


class HistoryTab(Panel):
    """The journal lines; undone edits are grey and marked."""

    def __init__(self) -> None:
        super().__init__(tr("History"))
        self._lines = _Lines()
        inside = Panel(tr("History"))
        inside.add(self._lines, None)
        self._scrolled = Scrolled(inside)
        self._empty = EmptyState(
            "timer-sand",
            tr("Nothing was changed"),
            tr("Changes to this step and its episode are listed here."),
            aside=True,
        )
        self.add(self._scrolled, self._empty)
        self.show_lines(())

    def show_lines(self, lines: Sequence[HistoryLine]) -> None:
        """Shows journal lines, newest first."""
        self._lines.show_lines(lines[:_MOST])
        self._scrolled.setVisible(bool(lines))
        self._empty.setVisible(not lines)

    def words(self) -> list[str]:
        """Returns the lines as a screen reader reads them."""
        return self._lines.words()


class _Lines(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._lines: Sequence[HistoryLine] = ()

    def show_lines(self, lines: Sequence[HistoryLine]) -> None:
        self._lines = lines
        self.setAccessibleName(". ".join(self.words()))
        self.setToolTip(tip("\n".join(self.words()[:20])))
        self.updateGeometry()
        self.update()

    def words(self) -> list[str]:
        return [", ".join((_what(line), _who(line))) for line in self._lines]

    def sizeHint(self) -> QSize:
        return QSize(200, _ROW * len(self._lines))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        for number, line in enumerate(self._lines):
            row = QRectF(12, _ROW * number, self.width() - 24, _ROW)
            ink = "text1" if line.stands else "text3"
            icon = "undo" if line.operation == "undo" else "redo"
            if line.operation not in ("undo", "redo"):
                icon = "robot-outline" if line.by_program else "account-outline"
            icons.paint(
                painter, icon, row.topLeft().__class__(row.left() + 8, row.top() + 14), 15, "text3"
            )
            words = row.adjusted(24, 0, 0, 0)
            top = QRectF(words.left(), words.top() + 5, words.width(), 18)
            cells.line(painter, top, _what(line), font(FACTS, 500), ink)
            below = QRectF(words.left(), words.top() + 22, words.width(), 16)
            cells.line(painter, below, _who(line), font(CAPTION), "text3")
            painter.fillRect(QRectF(0, row.bottom() - 1, self.width(), 1), theme.colour("line"))


def _what(line: HistoryLine) -> str:
    words = line.words if not line.reason else f"{line.words}: {line.reason}"
    if line.step is None:
        return tr("{what} (episode)", what=words)
    return words


def _who(line: HistoryLine) -> str:
    parts = [line.author or tr("somebody"), _when(line.made_utc)]
    if not line.stands:
        parts.append(tr("taken back"))
    return " · ".join(part for part in parts if part)


def _when(made_utc: str) -> str:
    """Returns the local day and minute; "" if unknown."""
    try:
        return datetime.fromisoformat(made_utc).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return ""
