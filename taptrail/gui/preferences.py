"""The settings of the open window: changed one at a time and saved immediately."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from episodes.errors import KnownError
from taptrail.settings import Settings, save_settings


class Preferences(QObject):
    """Signals:
    changed: the new Settings.
    failed: a KnownError; the change lasts only until the window closes.
    """

    changed = Signal(object)
    failed = Signal(object)

    def __init__(
        self, settings: Settings, file: Path | None = None, parent: QObject | None = None
    ) -> None:
        """Without a file, changes last only as long as the window."""
        super().__init__(parent)
        self.settings, self._file = settings, file

    def change(self, **values: Any) -> None:
        """Changes settings by name; does nothing if all have these values already."""
        wanted = replace(self.settings, **values)
        if wanted == self.settings:
            return
        self.settings = wanted
        if self._file is not None:
            try:
                save_settings(wanted, self._file)
            except KnownError as error:
                self.failed.emit(error)
        self.changed.emit(wanted)
