"""Button in the head of Record with the phone's name and a menu."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu

from taptrail.gui import icons
from taptrail.gui.components.button import QUIET, Button
from taptrail.gui.record.phones import Phones
from taptrail.usecases.live import Connected
from taptrail.words import tr


class DeviceButton(Button):
    """Button with the phone's name and a menu."""

    def __init__(self, phones: Phones, recording: Callable[[], bool]) -> None:
        super().__init__(tr("No phone yet"), "cellphone-off", kind=QUIET, menu=True)
        self._phones, self._recording = phones, recording
        self.clicked.connect(self._open)

    def show_phone(self, phone: Connected | None) -> None:
        """Shows the name of the mirrored phone."""
        if phone is None:
            self.set_words(tr("No phone yet"), "cellphone-off")
            return
        version = phone.facts.android_release
        tail = tr("Android {v}", v=version) if version else phone.serial
        self.set_words(phone.name, "cellphone-link", tail)

    def _open(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self._phones.connected is None:
            action = menu.addAction(icons.icon("play"), tr("Start the demo phone"))
            action.triggered.connect(self._phones.start_demo_phone)
            action = menu.addAction(icons.icon("refresh"), tr("Look again"))
            action.triggered.connect(self._phones.look)
        else:
            action = menu.addAction(icons.icon("cellphone-off"), tr("Let this phone go"))
            action.setEnabled(not self._recording())
            action.triggered.connect(self._phones.let_go)
        menu.popup(self.mapToGlobal(QPoint(0, self.height() + 4)))
