"""The real window on a demo phone, with a recording under way, and a record of each press.

What the window had painted is noted here by watching the widget from outside: the frame it says
it has painted at the moment the event reaches it, and the pixels that are really on the window.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic_ns

import cv2
import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from episodes.geometry import Size
from episodes.steps import Step
from recorder.devices import open_devices
from recorder.session import Session
from taptrail.gui.app import Window, application
from taptrail.gui.fit import Fit
from taptrail.gui.mirror import MirrorView
from taptrail.gui.record.stage import ElementOutline
from taptrail.settings import Settings
from tests.demophone.phones import RunningPhone

SMALL = 8

_INPUTS = (
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseButtonDblClick,
    QEvent.Type.KeyPress,
    QEvent.Type.Wheel,
)


@dataclass(frozen=True, slots=True)
class Painted:
    """What was on the window when an event came.

    Attributes:
        pts_us, size: of the frame that the widget had painted.
        small: the window's own pixels where the frame is, (height / 8, width / 8, 3) of the
            frame's size, red first.
    """

    at_ns: int
    pts_us: int
    size: Size
    fit: Fit
    small: npt.NDArray[np.uint8]


class Watcher(QObject):
    """Sees each event before the widget does and notes what was painted then."""

    def __init__(self, view: MirrorView) -> None:
        super().__init__(view)
        self._view = view
        self.seen: list[Painted] = []
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _INPUTS:
            self.look()
        return False

    def look(self) -> None:
        """Notes what is painted now, if anything is."""
        at = monotonic_ns()
        frame, fit = self._view.painted(), self._view.fit()
        if frame is not None and fit is not None:
            small = self._grab(fit, frame.size)
            self.seen.append(Painted(at, frame.pts_us, frame.size, fit, small))

    def _grab(self, fit: Fit, size: Size) -> npt.NDArray[np.uint8]:
        window = self._view.window()
        corner = self._view.mapTo(window, fit.rect.topLeft().toPoint())
        area = QRect(corner, fit.rect.size().toSize())
        image = (
            self._view.screen()
            .grabWindow(window.winId(), area.x(), area.y(), area.width(), area.height())
            .toImage()
            .convertToFormat(QImage.Format.Format_RGB32)
        )
        rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4)
        return shrunk(rows[:, : image.width(), 2::-1], size)


def shrunk(rgb: npt.NDArray[np.uint8], size: Size) -> npt.NDArray[np.uint8]:
    """A picture at an eighth of a frame's size."""
    small = (size.width // SMALL, size.height // SMALL)
    return np.asarray(
        cv2.resize(np.ascontiguousarray(rgb), small, interpolation=cv2.INTER_AREA), np.uint8
    )


class Bench:
    """The window, with one phone and one recording."""

    def __init__(self, qtbot: QtBot, phone: RunningPhone, library: Path) -> None:
        self.qtbot = qtbot
        self.phone = phone
        self.recorded: list[tuple[str, int]] = []
        self._asking = ThreadPoolExecutor(1)
        settings = Settings(library=library, theme="dark", author="Ada", author_uuid="a-1")
        application(settings)
        self.window = Window(settings, library, open_devices(port=phone.adb_port))
        self.record = self.window.record
        self.view: MirrorView = self.record.mirror
        self.watcher = Watcher(self.view)
        self.record.recorded.connect(lambda name, steps: self.recorded.append((name, steps)))
        self.window.main.resize(1440, 900)  # a screen in memory is smaller
        self.window.main.show()
        self.window.main.go_to(0)
        # What is drawn over the phone is no pixel of it, as the watcher would take it to be.
        self.record.findChild(ElementOutline).setVisible(False)

    def start(self, task: str = "walk through the phone") -> None:
        """Connects the phone and begins to record, as a person does, and waits until it runs."""
        self.record.connect_phone(self.phone.serial)
        self.until(lambda: self.view.painted() is not None)
        self.until(lambda: self.button("Record") is not None)
        QTest.keyClicks(self.record.task.edit, task)
        self.click("Record")
        self.wait_for_segment(0)

    def wait_for_segment(self, number: int) -> None:
        """Waits until it is being recorded, and a frame of this segment is painted."""

        def painted() -> bool:
            frame = self.view.painted()
            return frame is not None and frame.segment == number

        self.until(lambda: self.record.pill.word() == "Recording")
        self.until(painted)

    def finish(self) -> None:
        """Claims that the task is complete, and waits until all of it is saved."""
        before = len(self.recorded)
        self.click("Complete…")
        self.click("Finish as complete")
        self.until(lambda: len(self.recorded) > before)

    # --- parts of the window -------------------------------------------------------------------
    def button(self, words: str) -> QAbstractButton | None:
        """The button with these words, or this tip, that can be seen; None without one."""
        for button in self.record.findChildren(QAbstractButton):
            said = (button.text(), button.accessibleName(), button.toolTip().split(" (")[0])
            if words in said and button.isVisible():
                return button
        return None

    def click(self, words: str) -> None:
        """Clicks a button with the mouse, and notes what was painted when it was let go."""
        button = self.button(words)
        assert button is not None, f"there is no button “{words}”"
        assert button.isEnabled(), words
        noted = button.released.connect(self.watcher.look)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        button.disconnect(noted)

    @property
    def session(self) -> Session:
        """The session of the recording."""
        session = self.window.desk.session
        assert session is not None
        return session

    @property
    def shown(self) -> list[Step]:
        """The steps that the window shows, in order."""
        return list(self.record.steps.model.steps)

    @property
    def trouble(self) -> str:
        """What the window says went wrong; "" for nothing."""
        band = self.record.error
        return band.text() if band.isVisible() else ""

    # --- time ----------------------------------------------------------------------------------
    def until(self, condition: Callable[[], bool], seconds: float = 30) -> None:
        """Lets the window live until the condition holds."""
        self.qtbot.waitUntil(condition, timeout=round(seconds * 1000))

    def pause(self, milliseconds: int) -> None:
        """Lets the window live for so long."""
        self.qtbot.wait(milliseconds)

    def wait_for_tree(self, seconds: float = 20) -> None:
        """Lets the window live until the screen's tree is there, or will not come."""
        asked = self._asking.submit(self.session.wait_quiet, seconds, True)
        self.until(asked.done, seconds + 30)

    def close(self) -> None:
        """Closes the window, which ends all threads."""
        self._asking.shutdown()
        self.window.main.end()


@contextmanager
def recording(qtbot: QtBot, phone: RunningPhone, library: Path) -> Iterator[Bench]:
    """The window with a recording under way; closed afterwards."""
    bench = Bench(qtbot, phone, library)
    try:
        bench.start()
        yield bench
    finally:
        bench.close()
