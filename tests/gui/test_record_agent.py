"""A model acts in a recording of the window: its words, its next act, taking over and stopping."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from recorder.device.interface import Devices
from recorder.events import SessionState
from taptrail.gui import app as gui
from tests.gui.windows import connected_window
from tests.replay.asking.fake_server import FakeServer


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, phone: tuple[str, Devices]) -> Iterator[gui.Window]:
    made = connected_window(qtbot, tmp_path / "library", phone)
    yield made
    made.stop()


def said(key: str, told: object) -> str:
    turn = int(key.rpartition("/")[2])
    return json.dumps({"kind": "tap", "at": {"point": [200 + 150 * turn, 600]}})


def let(qtbot: QtBot, window: gui.Window, address: str) -> None:
    record, panel = window.record, window.record.task.agent
    record.task.edit.setPlainText("Tap somewhere")
    panel.recipe.setText("taptrail")
    panel.model.setText("NAME")
    panel.address.setText(address)
    record.let_model()
    qtbot.waitUntil(lambda: panel.acting_in() > 0)


def test_a_person_sees_the_model_act_and_takes_over_with_one_press(
    qtbot: QtBot, window: gui.Window
) -> None:
    record, panel, mirror = window.record, window.record.task.agent, window.record.mirror
    panel.hold_s = 30
    with FakeServer(said) as server:
        let(qtbot, window, server.url)
        # Its words, and the act about to happen, drawn where it will be.
        assert panel._says.text() == said("x/1", {})
        box = record._stage.outline.box()
        assert box is not None
        assert (round(box.centre.x), round(box.centre.y)) == (350, 600)
        assert record.steps.model.steps == []
        fit, shown = mirror.fit(), mirror.painted()
        assert fit is not None
        assert shown is not None
        at = fit.to_window(shown.size.at(0.5, 0.4)).toPoint()
        qtbot.mouseClick(mirror, Qt.MouseButton.LeftButton, pos=at)
        qtbot.waitUntil(lambda: len(record.steps.model.steps) == 1)
        assert [step.source for step in record.steps.model.steps] == ["mirror"]
        assert record.take.state is SessionState.RECORDING
        record.take.discard()
        qtbot.waitUntil(lambda: not record.recording())
        # The next attempt acts, and one key stops it: the recording ends without a claim.
        panel.hold_s = 0.2
        let(qtbot, window, server.url)
        qtbot.waitUntil(lambda: len(record.steps.model.steps) >= 1)
        assert record.steps.model.steps[0].source == "agent"
        panel._stop.click()
        qtbot.waitUntil(lambda: not record.recording())
        assert record.take.state is SessionState.STOPPED
        qtbot.waitUntil(lambda: panel._ended.text() == "You stopped the model.")
    record.task.agent.address.setText("https://models.example.com/v1")
    record.let_model()
    assert "would leave this network for models.example.com" in record.error.text()
    assert not record.recording()
