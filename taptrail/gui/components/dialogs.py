"""Dialogs for files: each kind of thing opens where one was last for that kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from taptrail.gui.remembered import Remembered

_kept: list[Remembered] = [Remembered()]


def use(remembered: Remembered) -> None:
    """Keeps the folders there from now on."""
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
    """Returns a dialog, not open yet, that tells what a person has chosen.

    Args:
        kind: what is chosen, such as "import"; the folder is kept by it.
        into: whether a folder is chosen to write into; else what lies beside the chosen one is
            shown the next time.
    """
    dialog = QFileDialog(parent, title)
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
