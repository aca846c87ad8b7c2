"""A row of tabs above a panel; the selected one has an accent line below."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QWidget

from taptrail.gui import theme
from taptrail.gui.components.tips import tip
from taptrail.gui.fonts import FACTS, font

HEIGHT = 36
_PAD = 8.0


class TabBar(QWidget):
    """Signals:
    chosen: the number of the tab the user selected.
    """

    chosen = Signal(int)

    def __init__(self, names: list[str], group: str, keys: str = "") -> None:
        """`group` is the accessible name of the row; `keys` are shown in the tooltips."""
        super().__init__()
        self.setFixedHeight(HEIGHT)
        self.setAccessibleName(group)
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 0, 4, 1)
        row.setSpacing(0)
        self._tabs = []
        for number, name in enumerate(names):
            tab = _Tab(name, f"{name}  {keys}".strip())
            tab.clicked.connect(lambda _=False, n=number: self.turn_to(n))
            tab.moved.connect(self._move)
            row.addWidget(tab)
            self._tabs.append(tab)
        row.addStretch(1)
        self._tabs[0].setChecked(True)

    def choice(self) -> int:
        """Returns the number of the selected tab."""
        return next(n for n, tab in enumerate(self._tabs) if tab.isChecked())

    def turn_to(self, number: int) -> None:
        """Selects a tab and emits `chosen`."""
        for n, tab in enumerate(self._tabs):
            tab.setChecked(n == number)
        self.chosen.emit(number)

    def turn_by(self, by: int) -> None:
        """Selects the next or previous tab, wrapping around."""
        self.turn_to((self.choice() + by) % len(self._tabs))

    def mark(self, number: int, words: str) -> None:
        """Marks a tab with a dot and a tooltip; "" for no mark."""
        self._tabs[number].mark(words)

    def _move(self, by: int) -> None:
        self.turn_by(by)
        self._tabs[self.choice()].setFocus(Qt.FocusReason.OtherFocusReason)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.colour("line"))


class _Tab(QAbstractButton):
    moved = Signal(int)

    def __init__(self, name: str, more: str) -> None:
        super().__init__()
        self._tip, self._marked = more, ""
        self.setText(name)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setAccessibleName(name)
        self.setToolTip(tip(more))

    def mark(self, words: str) -> None:
        if words != self._marked:
            self._marked = words
            self.setToolTip(tip(f"{self._tip}\n{words}".strip()))
            self.setAccessibleDescription(words)
            self.update()

    def sizeHint(self) -> QSize:
        across = QFontMetricsF(font(FACTS, 600)).horizontalAdvance(self.text())
        return QSize(round(across + 2 * _PAD), HEIGHT - 1)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.moved.emit(1 if event.key() == Qt.Key.Key_Right else -1)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        on = self.isChecked()
        ink = "text1" if on or self.underMouse() else "text2"
        painter.setFont(font(FACTS, 600 if on else 500))
        painter.setPen(theme.colour(ink))
        box = QRectF(self.rect())
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.text())
        if self._marked:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("person_mark"))
            painter.drawEllipse(QRectF(box.right() - 7, box.top() + 9, 5, 5))
        if on:
            painter.fillRect(
                QRectF(_PAD - 2, box.bottom() - 1, box.width() - 2 * _PAD + 4, 2),
                theme.colour("accent"),
            )
