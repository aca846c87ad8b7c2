"""Tooltips: plain text in lines of readable length."""

from __future__ import annotations

import textwrap
from html import escape

from PySide6 import QtGui

from episodes.visible_text import visible_text

LONGEST = 64
"""Characters of a line; Qt itself wraps no plain text, however long."""


def menu_text(text: str) -> str:
    """Returns a text for a menu entry, in which "&" is no mark of a shortcut."""
    return visible_text(text).replace("&", "&&")


def tip(text: str) -> str:
    """Returns a text for a tooltip, in lines of at most LONGEST characters.

    Text from a file may look like rich text to Qt; it is shown as plain text.
    """
    wrapped = "\n".join(
        part
        for line in visible_text(text).split("\n")
        for part in textwrap.wrap(line, LONGEST, replace_whitespace=False) or [""]
    )
    if QtGui.Qt.mightBeRichText(wrapped):
        return "<br>".join(map(escape, wrapped.split("\n")))
    return wrapped
