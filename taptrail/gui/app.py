"""Starts the window and replaces it when another library is opened."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from recorder.device.interface import Devices
from taptrail.gui import commands, theme
from taptrail.gui.fonts import font
from taptrail.gui.window import PLACES, Window
from taptrail.gui.window_state import WindowState, state_file
from taptrail.settings import Settings, save_settings, settings_file
from taptrail.usecases import episode_list

__all__ = ["PLACES", "OpenWindow", "Window", "application", "run"]


def run(
    settings: Settings,
    *,
    library: Path | None = None,
    serial: str = "",
    place: str = "",
    task: str = "",
    demo_phone: bool = False,
    devices: Devices | None = None,
) -> int:
    """Opens the window and returns the exit code when it has been closed.

    Args:
        library: the folder to open instead of the one in the settings.
        serial: serial of a phone to connect immediately.
        place: the page of PLACES to open. By default the first page of an empty library, else
            Record; Record too if a phone or a task is given.
        task: the instruction to fill in.
        demo_phone: starts the demo phone and connects it.
        devices: those that include `serial`, if it is not the usual one.
    """
    app = application(settings)
    shown = OpenWindow(
        settings, library or settings.library, devices, WindowState(state_file()), _kept(settings)
    )
    window = shown.window
    if demo_phone:
        window.record.start_demo_phone()
    elif serial:
        window.record.connect_phone(serial)
    if task:
        window.record.task.edit.setPlainText(task)
    if not place:
        named = bool(demo_phone or serial or task)
        place = "record" if named or episode_list.has_episodes(window.parts.folder) else "episodes"
    window.main.show()
    window.main.go_to(PLACES.index(place))
    try:
        return int(app.exec())
    finally:
        shown.window.stop()
        sys.excepthook = sys.__excepthook__


class OpenWindow(QObject):
    """The open window; it is replaced when another library is opened.

    Signals:
        replaced: the Window of another library is shown now.
    """

    replaced = Signal(object)

    def __init__(
        self,
        settings: Settings,
        folder: Path,
        devices: Devices | None = None,
        remembered: WindowState | None = None,
        file: Path | None = None,
    ) -> None:
        """Opens the first window; takes the arguments of Window."""
        super().__init__()
        self._devices, self._file = devices, file
        self._remembered = remembered or WindowState()
        self.window = self._make(settings, folder)

    def switch(self, folder: Path) -> None:
        """Opens another library in a window with the same size and position."""
        before = self.window
        settings = before.preferences.settings
        self.window = self._make(settings, folder)
        self.window.main.setGeometry(before.main.geometry())
        self.window.main.setWindowState(before.main.windowState())
        self.window.main.show()
        self.window.main.go_to(PLACES.index("episodes"))
        before.main.end()
        self.replaced.emit(self.window)

    def _make(self, settings: Settings, folder: Path) -> Window:
        made = Window(settings, folder, self._devices, self._remembered, self._file)
        made.episodes.switched.connect(self.switch)
        self._remembered.keep_library(str(folder))
        sys.excepthook = made.bug
        return made


def _kept(settings: Settings) -> Path:
    """Returns the settings file, and creates it if needed so that the author stays the same."""
    file = settings_file()
    if not file.is_file():
        save_settings(settings, file)
    return file


def application(settings: Settings) -> QApplication:
    """Returns the Qt application with theme, scale and keys from the settings.

    Raises:
        KnownError: the settings name a key that does not exist.
    """
    # Importing OpenCV makes Qt use OpenCV's own plugins.
    for name in ("QT_QPA_PLATFORM_PLUGIN_PATH", "QT_QPA_FONTDIR"):
        if "cv2" in os.environ.get(name, ""):
            del os.environ[name]
    if settings.scale != 100:
        os.environ["QT_SCALE_FACTOR"] = str(settings.scale / 100)
    found = QApplication.instance()
    app = found if isinstance(found, QApplication) else QApplication([])
    app.setApplicationName("taptrail")
    app.setApplicationDisplayName("Taptrail")
    app.setDesktopFileName("taptrail")
    app.setFont(font())
    theme.apply(settings.theme)
    commands.use(settings.keys)
    return app
