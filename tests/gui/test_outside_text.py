"""Names from files are plain text in the window: no markup, nothing hidden."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF
from PySide6.QtGui import QColor, QHelpEvent, QImage, Qt
from PySide6.QtWidgets import QApplication, QLabel, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from episodes.visible_text import visible_text
from taptrail.gui.components.button import Button
from taptrail.gui.components.chip import Chip, ChipButton
from taptrail.gui.components.labels import ElidedLabel, label
from taptrail.gui.components.tips import menu_text, tip
from taptrail.gui.tasks.chart import Dot
from taptrail.gui.tasks.step_chart import StepChart
from taptrail.gui.tasks.texts import AttemptMark


def shown_tip(qtbot: QtBot, widget: QWidget, at: QPoint) -> QLabel:
    widget.event(QHelpEvent(QEvent.Type.ToolTip, at, widget.mapToGlobal(at)))
    qtbot.waitUntil(QToolTip.isVisible)
    tips = [w for w in QApplication.topLevelWidgets() if w.metaObject().className() == "QTipLabel"]
    (found,) = [one for one in tips if one.isVisible()]
    assert isinstance(found, QLabel)
    return found


def test_a_charts_tooltip_shows_markup_as_text_and_loads_no_picture(
    qtbot: QtBot, tmp_path: Path
) -> None:
    picture = QImage(300, 300, QImage.Format.Format_RGB32)
    picture.fill(QColor("red"))
    assert picture.save(str(tmp_path / "red.png"))
    words = f"<img src='file://{tmp_path}/red.png' width=300>, 1, x0, 6 steps"
    chart = StepChart()
    qtbot.addWidget(chart)
    chart.resize(600, 200)
    chart.show()
    chart._dots = [Dot("u", QPointF(100, 50), words, AttemptMark.COUNTS, "")]
    said = shown_tip(qtbot, chart, QPoint(100, 50))
    plain = QLabel(said.text())
    qtbot.addWidget(plain)
    assert "&lt;img" in said.text() or not Qt.mightBeRichText(said.text())
    drawn = said.grab().toImage()
    red = QColor("red").rgb()
    assert all(
        drawn.pixel(x, y) != red
        for x in range(0, drawn.width(), 3)
        for y in range(0, drawn.height(), 3)
    )
    QToolTip.hideText()


@pytest.mark.parametrize(("text", "shown"), [("a\u202eb", "a\\u202eb"), ("  ", "\\u0020\\u0020")])
def test_labels_and_tips_show_what_is_hidden(qtbot: QtBot, text: str, shown: str) -> None:
    line = ElidedLabel(text)
    qtbot.addWidget(line)
    fixed = label(text)
    qtbot.addWidget(fixed)
    assert (line.text(), fixed.text(), tip(text)) == (shown, shown, shown)
    fixed.setText(f"{text} again")
    button = Button(text)
    qtbot.addWidget(button)
    assert (fixed.text(), button.text(), Chip(text).text()) == (
        visible_text(f"{text} again"),
        shown,
        shown,
    )


def test_an_ampersand_in_a_name_is_no_shortcut(qtbot: QtBot) -> None:
    for button in (Button("Pots & pans"), ChipButton("Pots &pans")):
        qtbot.addWidget(button)
        assert (button.text()[:6], button.shortcut().isEmpty()) == ("Pots &", True)
    assert menu_text("Pots & pans") == "Pots && pans"
