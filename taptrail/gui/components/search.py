"""The search field: text, filter chips inside it, and its keycap."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QPainter, QPaintEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QWidget

from taptrail.gui.components import cells
from taptrail.gui.components.chip import ChipButton
from taptrail.gui.components.keycap import KeyHint
from taptrail.gui.components.panel import Icon
from taptrail.gui.fonts import BODY, font

_PAUSE_MS = 150


class SearchField(QWidget):
    """Signals:
    searched: the text, after a short pause in typing.
    dropped: the name of the term whose cross was clicked.
    """

    searched = Signal(str)
    dropped = Signal(str)

    def __init__(self, hint: str, key: str = "", width: int = 0) -> None:
        super().__init__()
        self._width = width
        self.setFixedHeight(28)
        self.setSizePolicy(
            QSizePolicy.Policy.Preferred if width else QSizePolicy.Policy.Expanding,
            QSizePolicy.Policy.Fixed,
        )
        self.edit = QLineEdit()
        self.edit.setFont(font(BODY))
        self.edit.setProperty("bare", "true")
        self.edit.setProperty("ring", "parent")
        self.edit.setPlaceholderText(hint)
        self.edit.setAccessibleName(hint)
        self.edit.setMaxLength(500)
        self.setFocusProxy(self.edit)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(8, 0, 8, 0)
        self._row.setSpacing(6)
        self._row.addWidget(Icon("magnify", 16, "text3"))
        self._row.addWidget(self.edit, 1)
        self._terms: list[ChipButton] = []
        if key:
            self._row.addWidget(KeyHint([key]))
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.setContext(Qt.ShortcutContext.WindowShortcut)
            shortcut.activated.connect(self._find)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(lambda: self.searched.emit(self.edit.text().strip()))
        self.edit.textChanged.connect(lambda _: self._pause.start())

    def set_terms(self, terms: list[tuple[str, str]]) -> None:
        """Shows terms as chips; each is a (name, text) pair."""
        for chip in self._terms:
            self._row.removeWidget(chip)
            chip.deleteLater()
        self._terms = []
        for number, (name, words) in enumerate(terms):
            chip = ChipButton(words, cross=True)
            chip.clicked.connect(lambda _=False, n=name: self.dropped.emit(n))
            self._row.insertWidget(1 + number, chip)
            self._terms.append(chip)

    def sizeHint(self) -> QSize:
        return QSize(self._width or 200, 28)

    def paintEvent(self, event: QPaintEvent) -> None:
        cells.field_ground(QPainter(self), QRectF(self.rect()))

    def _find(self) -> None:
        if self.isVisible():
            self.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.edit.selectAll()
