"""The key map of a page: an overlay that any key or click closes."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from taptrail.gui import theme
from taptrail.gui.components.button import QUIET, Button
from taptrail.gui.components.keycap import KeyHint
from taptrail.gui.components.labels import label
from taptrail.gui.components.panel import Scrolled, WidgetRow
from taptrail.gui.components.tips import tip
from taptrail.gui.fonts import CAPTION, FACTS, TITLE
from taptrail.words import tr

Group = tuple[str, tuple[tuple[str, tuple[str, ...]], ...]]
_EDGE, _HEAD, _ROW = 24, 116, 28


class KeyMap(QWidget):
    """One per window; shows groups of (description, keys)."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAccessibleName(tr("Keys"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setProperty("ring", "own")
        self._groups: list[Group] = []
        self._back: QWidget | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(1, 1, 1, 1)
        self.hide()
        window.installEventFilter(self)

    def groups(self) -> list[Group]:
        """Returns the shown texts."""
        return self._groups

    def toggle(self, title: str, groups: list[Group], note: str = "") -> None:
        """Shows these keys, or hides the map."""
        if self.isVisible():
            self.close_map()
            return
        self._groups = groups
        while (item := self._column.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.deleteLater()
        close = Button("", "close", kind=QUIET, size="s", tip=tr("Close the keys"))
        close.clicked.connect(self.close_map)
        self._column.addWidget(
            WidgetRow(label(title, TITLE, 600), None, close, height=44, margins=(16, 0, 12, 0))
        )
        self._column.addWidget(Scrolled(_table(groups, note)), 1)
        self._back = QApplication.focusWidget()
        self._place()
        self.show()
        self.raise_()
        self.setFocus()

    def close_map(self) -> None:
        """Hides the map and gives the keyboard back to the widget that had it."""
        self.hide()
        if self._back is not None and self._back.isVisible():
            self._back.setFocus()
        self._back = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and self.isVisible():
            self._place()
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_map()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), theme.colour("panel"))
        painter.setPen(theme.colour("line2"))
        painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))

    def _place(self) -> None:
        window = self.parentWidget()
        if window is not None:
            across = min(760, window.width() - 2 * _EDGE)
            rows = max((len(group[1]) for group in self._groups), default=0)
            high = min(_HEAD + _ROW * (rows + 1), window.height() - 2 * _EDGE)
            self.setGeometry(
                (window.width() - across) // 2, (window.height() - high) // 2, across, high
            )


def _table(groups: list[Group], note: str) -> QWidget:
    inside = QWidget()
    inside.setProperty("ground", "panel")
    inside.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    columns = QGridLayout(inside)
    columns.setContentsMargins(16, 4, 16, 16)
    columns.setHorizontalSpacing(32)
    columns.setVerticalSpacing(16)
    for number, (title, rows) in enumerate(groups):
        part = QWidget()
        column = QVBoxLayout(part)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(label(title, FACTS, 600))
        for does, keys in rows:
            words = label(does, FACTS, tone="2")
            words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            words.setToolTip(tip(does))
            row = WidgetRow(words, *(KeyHint([key]) for key in keys), gap=6, height=24)
            row.row.setStretch(0, 1)
            column.addWidget(row)
        column.addStretch(1)
        columns.addWidget(part, number // 2, number % 2)
    if note:
        columns.addWidget(label(note, CAPTION, tone="3", wrap=True), len(groups), 0, 1, 2)
    columns.setColumnStretch(0, 1)
    columns.setColumnStretch(1, 1)
    return inside
