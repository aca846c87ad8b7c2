"""The bar below the list: the number of selected episodes, and the commands for them."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from taptrail.gui import icons, theme
from taptrail.gui.commands import key
from taptrail.gui.components.button import DANGER, Button
from taptrail.gui.components.labels import ElidedLabel
from taptrail.gui.components.panel import WidgetRow
from taptrail.gui.fonts import BODY
from taptrail.usecases import exporting
from taptrail.words import tr


class SelectionBar(QWidget):
    """Signals:
    exported: (format, version) to export the selected episodes in.
    deleted: the user asked to delete them.
    restored: the user asked to restore them.
    """

    exported = Signal(str, str)
    deleted = Signal()
    restored = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(44)
        self.setAccessibleName(tr("What is chosen"))
        self._words = ElidedLabel("", BODY, 600)
        self.export = Button(tr("Export…"), "export", size="s", key=key("export"), cap=False)
        self.export.clicked.connect(self._show_menu)
        self.delete = Button(
            tr("Delete"), "delete-outline", kind=DANGER, size="s", key=key("delete"), cap=False
        )
        self.delete.clicked.connect(self.deleted)
        self.restore = Button(tr("Restore"), "undo", size="s")
        self.restore.clicked.connect(self.restored)
        row = WidgetRow(
            self._words, self.export, self.delete, self.restore, gap=8, margins=(12, 1, 12, 0)
        )
        row.row.setStretch(0, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(row)
        self.hide()

    def show_count(self, count: int, *, in_bin: bool) -> None:
        """Shows the number of selected episodes; hidden if it is 0."""
        self._words.set_text(tr("1 chosen", "{n} chosen", n=count))
        self.export.setVisible(not in_bin)
        self.delete.setVisible(not in_bin)
        self.restore.setVisible(in_bin)
        self.setVisible(count > 0)

    def words(self) -> str:
        """Returns the shown text."""
        return self._words.text()

    def menu(self) -> QMenu:
        """Returns the menu of formats."""
        menu = QMenu(self)
        for name, title, version in exporting.ways_out():
            words = tr("{title}, version {version}…", title=title, version=version)
            action = menu.addAction(icons.icon("export"), words)
            action.triggered.connect(lambda _=False, n=name, v=version: self.exported.emit(n, v))
        return menu

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("accent_tint"))
        painter.fillRect(0, 0, self.width(), 1, theme.colour("line"))

    def _show_menu(self) -> None:
        menu = self.menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.export.mapToGlobal(QPoint(0, self.export.height() + 4)))
