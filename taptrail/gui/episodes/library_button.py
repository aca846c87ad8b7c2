"""Button with the name of the open library and a menu of other libraries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QMenu

from taptrail.gui import icons
from taptrail.gui.components.button import QUIET, Button
from taptrail.gui.components.dialogs import file_dialog
from taptrail.gui.components.tips import menu_text
from taptrail.words import tr


class LibraryButton(Button):
    """Signals:
    wanted: the folder (a Path) of the library to open.
    """

    wanted = Signal(object)

    def __init__(
        self,
        folder: Path,
        known: Callable[[], Sequence[str]] = tuple,
        may_switch: Callable[[], bool] = lambda: True,
    ) -> None:
        """Shows the name of a library. Args:
        known: folders of recently opened libraries.
        may_switch: returns whether another library can be opened now; not during a recording.
        """
        super().__init__(
            folder.name, "database-outline", kind=QUIET, menu=True, tip=tr("Open another library")
        )
        self._folder, self._known, self._may_switch = folder, known, may_switch
        self.clicked.connect(lambda: self.menu().popup(self._below()))

    def menu(self) -> QMenu:
        """Returns the menu of libraries."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        may = self._may_switch()
        for folder in map(Path, self._known()):
            here = folder == self._folder
            icon = icons.icon("check" if here else "database-outline")
            action = menu.addAction(icon, menu_text(f"{folder.name}  ({folder.parent})"))
            action.setEnabled(may and not here)
            action.triggered.connect(lambda _=False, f=folder: self.wanted.emit(f))
        menu.addSeparator()
        other = menu.addAction(icons.icon("folder-outline"), tr("Open another library…"))
        other.setEnabled(may)
        other.triggered.connect(self._pick)
        if not may:
            menu.addAction(tr("Finish the recording first")).setEnabled(False)
        return menu

    def _below(self) -> QPoint:
        return self.mapToGlobal(QPoint(0, self.height() + 4))

    def _pick(self) -> None:
        file_dialog(
            self.window(),
            tr("Folder of the library"),
            "library",
            lambda path: self.wanted.emit(Path(path)),
            QFileDialog.FileMode.Directory,
        ).open()
