"""The type scale: six sizes, three weights, one fixed-width face."""

from __future__ import annotations

from functools import cache

from PySide6.QtGui import QFont, QFontDatabase

CAPTION, FACTS, BODY, TITLE, LARGE, HUGE = 11, 12, 13, 15, 20, 28


def font(px: int = BODY, weight: int = 400, *, mono: bool = False) -> QFont:
    """Returns the font for a size of the scale, with tabular figures.

    Inter and JetBrains Mono if they are installed, else the system fonts.
    """
    made = QFont(_family(mono))
    made.setPixelSize(px)
    made.setWeight(QFont.Weight(weight))
    if mono:
        made.setStyleHint(QFont.StyleHint.Monospace)
        made.setFeature(QFont.Tag("calt"), 0)
    else:
        made.setFeature(QFont.Tag("tnum"), 1)
    return made


@cache
def _family(mono: bool) -> str:
    wanted = "JetBrains Mono" if mono else "Inter"
    if wanted in QFontDatabase.families():
        return wanted
    which = QFontDatabase.SystemFont.FixedFont if mono else QFontDatabase.SystemFont.GeneralFont
    return QFontDatabase.systemFont(which).family()
