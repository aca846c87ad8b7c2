"""How many modules a press and a prediction pass through, and the press in which shapes."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from episodes.actions import Ending, Tap
from episodes.episodes import Task
from episodes.store.library import Library
from recorder.device.interface import Devices
from recorder.events import SessionState, StateChanged, StepSaved
from taptrail.gui.mirror import MirrorView
from taptrail.usecases.live import Desk
from taptrail.usecases.predictions import import_predictions
from taptrail.usecases.reviewing import judge_run
from taptrail.usecases.sample import import_sample
from tests.e2e.tracing import Trace, tracing
from tests.recorder.drawn_device import DrawnDevice

BEGIN, STORE = "taptrail.gui.mirror", "episodes.store"
MOST_HOPS, MOST_SHAPES = 8, 4
LINE, VERDICT = "replay.dialects.guiodyssey", "scoring.protocols.guiodyssey"
MOST_HOPS_TO_A_VERDICT = 7
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
        with tracing(fit.nearest(place.toPointF()), STORE) as trace:
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
    way = trace.way(BEGIN, STORE)
    assert {"recorder.session", "recorder.input_reader", "episodes.gestures"} <= way
    assert len(way) - 1 <= MOST_HOPS, sorted(way)
    shapes = {
        name
        for (begin, end), names in trace.shapes.items()
        for name in names
        if {begin, end} <= way
    }
    assert len(shapes - RECOGNIZER) <= MOST_SHAPES, shapes


def test_a_line_of_predictions_takes_at_most_7_hops_to_its_verdict(tmp_path: Path) -> None:
    library = tmp_path / "library"
    import_sample(library)
    answer = "CLICK: (731, 287)"
    file = tmp_path / "answers.json"
    file.write_text(json.dumps([{"question": "<img>0042000000000001_0.png</img>", "pred": answer}]))
    with tracing(answer, STORE) as importing:
        import_predictions((file,), "one", library, dialect="guiodyssey")
    # `score` judges from columns, in which the answer's text is not read.
    with Library.read(library) as opened, tracing(answer, VERDICT) as scoring:
        judged = judge_run(opened, "one", "guiodyssey@2").steps.values()
    assert [one.verdict.rule for one in judged if one.verdict.rule != "missing"] == ["distance"]
    way = importing.way(LINE, STORE) | scoring.way(STORE, VERDICT)
    assert {"replay.joining", STORE, "replay.judging", VERDICT} <= way
    assert len(way) - 1 <= MOST_HOPS_TO_A_VERDICT, sorted(way)
