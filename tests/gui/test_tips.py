"""Tooltips are text in lines of a readable length, everywhere."""

import ast
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QLabel, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from taptrail.gui.components.tips import LONGEST, tip

GUI = Path(__file__).resolve().parents[2] / "taptrail" / "gui"
LONG = "The tree came after the action had begun, so it may show the screen after it. " * 2


def shown(qtbot: QtBot, owner: QWidget, text: str) -> QLabel:
    """Shows a tooltip over a widget and returns its label."""
    owner.show()
    QToolTip.hideText()
    QToolTip.showText(QPoint(40, 40), text, owner)

    def labels() -> list[QLabel]:
        return [
            one
            for one in QApplication.topLevelWidgets()
            if isinstance(one, QLabel) and one.isVisible() and one.text() == text
        ]

    qtbot.waitUntil(lambda: len(labels()) == 1)
    return labels()[0]


def test_a_long_tooltip_is_wrapped_on_the_screen(qtbot: QtBot) -> None:
    owner = QWidget()
    qtbot.addWidget(owner)
    label = shown(qtbot, owner, tip(LONG))
    letters = label.fontMetrics().horizontalAdvance("x" * LONGEST)
    assert label.width() < 1.4 * letters
    assert label.text().split() == LONG.split()


@pytest.mark.parametrize("text", ["", "Back", "Record  Ctrl R", "two\nlines", "a & b < c"])
def test_a_short_one_is_left_as_it_is(text: str) -> None:
    assert tip(text) == text


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("<b>Tap</b> me", "&lt;b&gt;Tap&lt;/b&gt; me"),
        ("<img src=a.png>\n<b>x</b>", "&lt;img src=a.png&gt;<br>&lt;b&gt;x&lt;/b&gt;"),
    ],
)
def test_what_looks_like_rich_text_is_shown_as_it_is_written(text: str, safe: str) -> None:
    assert tip(text) == safe


def test_a_word_without_an_end_is_broken() -> None:
    assert [len(line) for line in tip("x" * 150).split("\n")] == [64, 64, 22]


def test_every_tooltip_goes_through_it() -> None:
    bare = [
        f"{file.relative_to(GUI)}:{node.lineno}"
        for file in sorted(GUI.rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "setToolTip"
        if not (isinstance(node.args[0], ast.Call) and ast.unparse(node.args[0].func) == "tip")
    ]
    assert bare == []
