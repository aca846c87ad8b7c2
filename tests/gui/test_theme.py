"""Colours stand in one place, can be told from their ground, and change without a restart."""

import dataclasses
import re
from pathlib import Path

import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

import taptrail.gui
from taptrail.gui import theme
from taptrail.gui.components.button import MAIN, Button
from taptrail.gui.components.chip import Chip

HERE = Path(taptrail.gui.__file__).parent
COLOUR = re.compile(
    r"""["']\#[0-9A-Fa-f]{3,8}["'] | QColor\(\s*\d | Qt\.GlobalColor\.(?!transparent) | rgba?\(""",
    re.VERBOSE,
)


def luminance(colour: str) -> float:
    """WCAG 2.1, relative luminance."""
    parts = []
    for part in QColor(colour).getRgbF()[:3]:
        parts.append(part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4)
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_no_colour_is_written_outside_the_theme() -> None:
    found = [
        f"{file.relative_to(HERE)}: {line.strip()}"
        for file in sorted(HERE.rglob("*.py"))
        if file.name != "theme.py"
        for line in file.read_text(encoding="utf-8").splitlines()
        if COLOUR.search(line)
    ]
    assert found == []


def test_the_pattern_finds_a_colour_when_there_is_one() -> None:
    lines = ['x = "#FFB01F"', "QColor(1, 2, 3)", "Qt.GlobalColor.red", "rgba(0,0,0,1)"]
    assert [bool(COLOUR.search(line)) for line in lines] == [True] * 4


TEXT = [
    *((ink, "panel", 4.5) for ink in ("text1", "text2", "text3", "accent", "match", "mismatch")),
    *((ink, "panel", 4.5) for ink in ("record", "person", "name1", "name2", "name3", "name4")),
    *((ink, "window", 4.5) for ink in ("text1", "text2", "text3")),
    ("on_accent", "accent_fill", 4.5),
    ("on_accent", "record_fill", 4.5),
    ("match", "match_tint", 4.5),
    ("mismatch", "mismatch_tint", 4.5),
    ("record", "record_tint", 4.5),
    ("person", "person_tint", 4.5),
    ("accent", "accent_tint", 4.5),
    ("text1", "accent_tint", 4.5),
    ("text3", "accent_tint", 4.5),
    ("window", "text1", 4.5),
    ("person_mark", "panel", 3.0),
]


@pytest.mark.parametrize("kind", [theme.DARK, theme.LIGHT], ids=["dark", "light"])
@pytest.mark.parametrize(("ink", "ground", "least"), TEXT, ids=[f"{t[0]}-{t[1]}" for t in TEXT])
def test_text_and_marks_can_be_told_from_their_ground(
    kind: theme.Theme, ink: str, ground: str, least: float
) -> None:
    assert contrast(getattr(kind, ink), getattr(kind, ground)) >= least


@pytest.mark.parametrize("who", sorted(theme.LETTERS))
def test_letters_can_be_read_on_their_squares(who: str) -> None:
    assert contrast(*theme.LETTERS[who]) >= 4.5


def test_every_token_is_a_colour() -> None:
    for kind in (theme.DARK, theme.LIGHT):
        values = {
            f.name: getattr(kind, f.name) for f in dataclasses.fields(kind) if f.name != "name"
        }
        assert [name for name, value in values.items() if not QColor(value).isValid()] == []


def test_the_theme_changes_without_a_restart(qtbot: QtBot) -> None:
    chip, button = Chip("Chosen", "chosen"), Button("Accept", kind=MAIN)
    for widget in (chip, button):
        qtbot.addWidget(widget)
        widget.show()
    light = (chip.grab().toImage(), button.grab().toImage())
    with qtbot.waitSignal(theme.changes.changed):
        theme.apply("dark")
    dark = (chip.grab().toImage(), button.grab().toImage())
    assert theme.current() == theme.DARK
    assert light[0].pixelColor(3, 10) == QColor(theme.LIGHT.accent_tint)
    assert dark[0].pixelColor(3, 10) == QColor(theme.DARK.accent_tint)
    assert light[1].pixelColor(5, 5) == QColor(theme.LIGHT.accent_fill)
    assert dark[1].pixelColor(5, 5) == QColor(theme.DARK.accent_fill)
