"""Panels stay as wide as a person has made them."""

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from taptrail.gui.components.panel import PanelSplitter
from taptrail.gui.window_state import WindowState, state_file


def split(qtbot: QtBot, remembered: WindowState, width: int) -> PanelSplitter:
    made = PanelSplitter(
        Qt.Orientation.Horizontal,
        [QWidget(), QWidget(), QWidget()],
        [220, 0, 348],
        [200, 300, 280],
        [200, 0, 320],
    )
    qtbot.addWidget(made)
    made.remember(remembered, "episodes")
    made.resize(width, 300)
    made.show()
    return made


def ends(part: PanelSplitter) -> tuple[int, int]:
    sizes = part.sizes()
    return sizes[0], sizes[2]


def test_widths_are_kept_for_wide_and_narrow_windows_apart(qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "state" / "window.json"
    first = split(qtbot, WindowState(file), 1600)
    assert ends(first) == (220, 348)
    first.moveSplitter(260, 1)
    assert ends(first) == (260, 348)
    again = WindowState(file)
    assert ends(split(qtbot, again, 1600)) == (260, 348)
    assert ends(split(qtbot, again, 1000)) == (200, 320)


def test_a_double_click_on_a_grip_restores_and_forgets(qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "window.json"
    part = split(qtbot, WindowState(file), 1600)
    part.moveSplitter(300, 1)
    grip = part.handle(1)
    event = QMouseEvent(
        QEvent.Type.MouseButtonDblClick,
        QPointF(0, 5),
        grip.mapToGlobal(QPointF(0, 5)),
        Qt.MouseButton.LeftButton,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(grip, event)
    assert ends(part) == (220, 348)
    assert ends(split(qtbot, WindowState(file), 1600)) == (220, 348)


def test_a_hidden_panel_keeps_the_width_it_had(qtbot: QtBot, tmp_path: Path) -> None:
    remembered = WindowState(tmp_path / "window.json")
    part = split(qtbot, remembered, 1600)
    part.moveSplitter(260, 1)
    part.widget(0).hide()
    part.moveSplitter(1200, 2)
    assert remembered.sizes("episodes wide", 3)[0] == 260


@pytest.mark.parametrize(
    "text", ["", "[1]", '{"episodes wide": "far"}', '{"episodes wide": [-1, 0, 1]}']
)
def test_a_damaged_file_is_as_none(qtbot: QtBot, tmp_path: Path, text: str) -> None:
    file = tmp_path / "window.json"
    file.write_text(text)
    assert ends(split(qtbot, WindowState(file), 1600)) == (220, 348)


def test_the_widths_lie_beside_settings_somebody_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAPTRAIL_SETTINGS", str(tmp_path / "mine.toml"))
    assert state_file() == tmp_path / "window.json"
