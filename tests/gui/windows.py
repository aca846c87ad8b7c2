"""A window on a library of its own, with the demo phone where a test wants it."""

from pathlib import Path

from pytestqt.qtbot import QtBot

from recorder.device.interface import Devices
from taptrail.gui import app as gui
from taptrail.settings import Settings
from tests.gui import story

SETTINGS = Settings(theme="light", author="Ana P.", author_uuid=story.ANA.uuid)


def record_window(qtbot: QtBot, folder: Path, devices: Devices) -> gui.Window:
    """Returns a window that shows Record; whoever opened it stops it."""
    made = gui.Window(SETTINGS, folder, devices)
    qtbot.addWidget(made.main)
    made.main.resize(1280, 800)
    made.main.show()
    made.main.go_to(0)
    return made


def connected_window(qtbot: QtBot, folder: Path, phone: tuple[str, Devices]) -> gui.Window:
    """Returns such a window once its mirror shows the phone."""
    made = record_window(qtbot, folder, phone[1])
    made.record.connect_phone(phone[0])
    qtbot.waitUntil(lambda: made.record.mirror.painted() is not None)
    return made
