"""File dialogs in the window's style; each kind opens in its last used folder."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from PySide6.QtCore import QFileInfo, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QFileDialog, QFileIconProvider, QToolButton, QWidget

from taptrail.gui import icons
from taptrail.gui.window_state import WindowState

_kept: list[WindowState] = [WindowState()]


class FileIcons(QFileIconProvider):
    """Icons of the window for folders and files, instead of the system's."""

    def icon(self, of: QFileInfo | QFileIconProvider.IconType) -> QIcon:
        """Returns the icon of a file or of a kind of folder."""
        kind = QFileIconProvider.IconType
        if of is kind.Computer:
            return icons.icon("laptop")
        folder = of.isDir() if isinstance(of, QFileInfo) else of in (kind.Folder, kind.Desktop)
        return icons.icon("folder-outline" if folder else "file-outline")


@cache
def _icons() -> FileIcons:
    """Returns the icons. Qt's dialogs do not keep them alive themselves."""
    return FileIcons()


def _use_icons(dialog: QFileDialog) -> None:
    for name, icon in (
        ("backButton", "arrow-left"),
        ("forwardButton", "arrow-right"),
        ("toParentButton", "arrow-up"),
        ("newFolderButton", "folder-plus-outline"),
        ("listModeButton", "view-grid-outline"),
        ("detailModeButton", "format-list-bulleted"),
    ):
        button = dialog.findChild(QToolButton, name)
        if button is not None:
            button.setIcon(icons.icon(icon))


def use(remembered: WindowState) -> None:
    """Sets where the last used folders are stored."""
    _kept[0] = remembered


def file_dialog(
    parent: QWidget,
    title: str,
    kind: str,
    chosen: Callable[[str], object],
    mode: QFileDialog.FileMode = QFileDialog.FileMode.AnyFile,
    *,
    into: bool = False,
) -> QFileDialog:
    """Returns a file dialog that is not open yet; it calls back with the chosen path.

    Args:
        kind: the purpose, such as "import"; the last used folder is kept per kind.
        into: whether a folder to write into is chosen; otherwise the next dialog opens in its
            parent folder.
    """
    dialog = QFileDialog(parent, title)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    dialog.setIconProvider(_icons())
    _use_icons(dialog)
    dialog.resize(760, 520)
    dialog.setFileMode(mode)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    last = _kept[0].folder(kind)
    if last:
        dialog.setDirectory(last)

    def take(path: str) -> None:
        _kept[0].keep_folder(kind, path if into else str(Path(path).parent))
        chosen(path)

    dialog.fileSelected.connect(take)
    return dialog
