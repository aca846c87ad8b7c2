"""Text from files and phones as the window, reports and the terminal show it.

Names and answers come from outside. Characters that cannot be seen, that move a terminal's cursor
or that turn the direction of writing are shown escaped, so that two names that differ look
different and no text hides another.
"""

from __future__ import annotations

import re
import unicodedata

_ESCAPED = ("Cc", "Cf", "Cs", "Zl", "Zp")
_BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Letters and marks without a picture."""
_JOINERS = "\u200c\u200d"
_PLAIN = re.compile(r"[\n\t\x20-\x7e]*")


def visible_text(text: str) -> str:
    """Returns a text with invisible and direction-changing characters written as "\\u202e".

    Line ends and tabs stay. Joiners stay where writing needs them: within emoji, and between
    letters of scripts that join. A text of nothing but blanks is escaped as a whole.
    """
    text = text.replace("\r\n", "\n")
    if text.isspace():
        return "".join(map(_escape, text))
    if _PLAIN.fullmatch(text):
        return text
    return "".join(
        _escape(character) if _is_hidden(text, at) else character
        for at, character in enumerate(text)
    )


def _is_hidden(text: str, at: int) -> bool:
    character = text[at]
    if character in "\n\t":
        return False
    if character in _JOINERS:
        return not (0 < at < len(text) - 1 and _joins(text[at - 1]) and _joins(text[at + 1]))
    if character in _BLANK or unicodedata.category(character) in _ESCAPED:
        return True
    return 0xFDD0 <= ord(character) <= 0xFDEF or ord(character) & 0xFFFE == 0xFFFE


def _joins(character: str) -> bool:
    """Whether joiners beside a character are part of writing it."""
    if unicodedata.category(character) in ("So", "Sk") or character == "\ufe0f":
        return True
    if "\U0001f000" <= character <= "\U0001faff":  # also emoji newer than Python's tables
        return True
    return unicodedata.category(character)[0] in "LM" and "\u0590" <= character <= "\u1cff"


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
