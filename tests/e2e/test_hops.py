"""How many modules a press passes through from the window to the library, and in which shapes."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from episodes.actions import Ending, Tap
from episodes.episodes import Task
from recorder.device.interface import Devices
from recorder.events import SessionState, StateChanged, StepSaved
from taptrail.gui.mirror import MirrorView
from taptrail.usecases.live import Desk
from tests.e2e.tracing import Trace, tracing
from tests.recorder.drawn_device import DrawnDevice

BEGIN, END = "taptrail.gui.mirror", "episodes.store"
MOST_HOPS, MOST_SHAPES = 8, 4
RECOGNIZER = {"GestureState", "Contact"}
"""The recognizer's own memory, and the part of a touch and of an action that it reads."""


class OneDevice:
    """A list of devices that holds one drawn device."""

    port = 0

    def phones(self) -> list[object]:
        return []

    def device(self, serial: str) -> DrawnDevice:
        return DrawnDevice()


def press_traced(qtbot: QtBot, folder: Path) -> Trace:
    """Presses the mirror while a recording runs, and returns what was traced up to its step."""
    view = MirrorView()
    qtbot.addWidget(view)
    view.resize(347, 611)
    view.show()
    events: list[object] = []
    devices: Devices = OneDevice()  # type: ignore[assignment]
    desk = Desk(folder, devices, lambda: None, events.append)
    view.entered.connect(desk.send)
    try:
        desk.connect("drawn-1")
        qtbot.waitUntil(lambda: (desk.health() or 0) and desk.health().fps > 0, timeout=20_000)
        frame = desk.frame()
        assert frame is not None
        view.show_frame(frame)
        qtbot.waitUntil(lambda: view.painted() is not None)
        fit = view.fit()
        assert fit is not None
        place = fit.rect.center().toPoint()
        with tracing(fit.nearest(place.toPointF()), END) as trace:
            desk.begin(Task("press"), None)
            qtbot.waitUntil(lambda: StateChanged(SessionState.RECORDING) in events, timeout=20_000)
            QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=place)
            qtbot.waitUntil(lambda: any(isinstance(e, StepSaved) for e in events), timeout=20_000)
        desk.finish(Ending.COMPLETE)
    finally:
        desk.close()
    (step,) = [event.step for event in events if isinstance(event, StepSaved)][:1]
    assert isinstance(step.action, Tap)
    return trace


def test_a_press_takes_at_most_8_hops_and_4_shapes_to_its_commit(
    qtbot: QtBot, tmp_path: Path
) -> None:
    trace = press_traced(qtbot, tmp_path / "library")
    way = trace.way(BEGIN, END)
    assert {"recorder.session", "recorder.input_reader", "episodes.gestures"} <= way
    assert len(way) - 1 <= MOST_HOPS, sorted(way)
    shapes = {
        name
        for (begin, end), names in trace.shapes.items()
        for name in names
        if {begin, end} <= way
    }
    assert len(shapes - RECOGNIZER) <= MOST_SHAPES, shapes
