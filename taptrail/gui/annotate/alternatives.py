"""Actions that are also right at a step."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from episodes.actions import Action
from taptrail.gui import icons, phrases
from taptrail.gui.components.button import QUIET, Button
from taptrail.gui.components.labels import ElidedLabel
from taptrail.gui.components.panel import Icon, WidgetRow
from taptrail.gui.fonts import FACTS
from taptrail.words import tr


class Alternatives(QWidget):
    """Actions that are also right, each with a cross.

    Signals:
        dropped: the number of the alternative to reject.
    """

    dropped = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._shown: list[str] = []

    def show_golds(self, golds: list[tuple[int, Action]]) -> None:
        """Shows (number, action) pairs."""
        while (item := self._column.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.deleteLater()
        self._shown = []
        for number, action in golds:
            words = phrases.sentence(phrases.action_words(action))
            self._shown.append(words)
            away = Button(
                "", "close", kind=QUIET, size="s", tip=tr("Not right: {what}", what=words)
            )
            away.clicked.connect(lambda _=False, n=number: self.dropped.emit(n))
            row = WidgetRow(
                Icon(icons.of_action(action), 16, "text2"),
                ElidedLabel(words, FACTS),
                away,
                gap=8,
            )
            row.row.setStretch(1, 1)
            self._column.addWidget(row)

    def lines(self) -> list[str]:
        """Returns the shown texts."""
        return list(self._shown)
