"""Record's parts lie beside one another, also where the window is small."""

import pytest
from PySide6.QtCore import QRect
from pytestqt.qtbot import QtBot

from taptrail.gui.mirror import BEZEL, MirrorView
from taptrail.gui.record.stage import MirrorStage
from taptrail.gui.record.task import TaskPanel
from tests.gui.test_mirror import live


@pytest.mark.parametrize("size", [(420, 640), (700, 640), (1000, 500)])
def test_the_buttons_of_the_phone_stand_beside_it(qtbot: QtBot, size: tuple[int, int]) -> None:
    mirror = MirrorView()
    stage = MirrorStage(mirror, lambda: None)
    qtbot.addWidget(stage)
    stage.resize(1100, 640)
    stage.show()
    mirror.show_frame(live())
    qtbot.waitUntil(lambda: mirror.painted() is not None)
    stage.resize(*size)

    def beside() -> bool:
        fit = mirror.fit()
        left = fit.rect.left() + mirror.x() - BEZEL if fit is not None else 0
        return stage._tools.geometry().right() < left

    qtbot.waitUntil(lambda: mirror.width() < size[0] and beside())


@pytest.mark.parametrize("width", [200, 240, 288])
def test_the_hint_keeps_off_the_fields(qtbot: QtBot, width: int) -> None:
    panel = TaskPanel()
    qtbot.addWidget(panel)
    panel.resize(width, 700)
    panel.show()
    panel.ask()
    hint: QRect = panel._hint.geometry()
    assert not hint.intersects(panel.edit.geometry())
    assert not hint.intersects(panel._category.geometry())
    assert hint.height() >= panel._hint.heightForWidth(hint.width())
