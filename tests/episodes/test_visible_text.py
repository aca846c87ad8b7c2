"""Outside text is shown so that nothing in it is hidden, in window, report and terminal."""

from __future__ import annotations

import pytest

from episodes.visible_text import visible_text
from replay.report.page import _fit
from taptrail.cli.output import printable
from taptrail.words import tr

HIDDEN = {
    "a\u202eb": "a\\u202eb",
    "a\u2066b\u2069": "a\\u2066b\\u2069",
    "a\u200eb\u200f": "a\\u200eb\\u200f",
    "a\u200bb\ufeff": "a\\u200bb\\ufeff",
    "a\u00adb\u2060": "a\\u00adb\\u2060",
    "a\x07b\x1b[31m\x7f\x9b": "a\\u0007b\\u001b[31m\\u007f\\u009b",
    "a\ud83db": "a\\ud83db",
    "a\U000e0041b": "a\\U000e0041b",
    "a\u3164b\u2800": "a\\u3164b\\u2800",
    "ad\u200cmin": "ad\\u200cmin",
    "a\u2028b\r": "a\\u2028b\\u000d",
    "   ": "\\u0020\\u0020\\u0020",
    "\u00a0": "\\u00a0",
    "\n": "\\u000a",
}
SEEN = [
    "",
    "run A",
    "two\nlines\tand a tab",
    "日本語 العربية עברית ไทย",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467 \u2764\ufe0f\u200d\U0001f525",
    "24\u2009dp",
    "<b>bold</b> & more",
]


@pytest.mark.parametrize(("text", "shown"), HIDDEN.items())
def test_invisible_characters_are_escaped_everywhere(text: str, shown: str) -> None:
    assert visible_text(text) == shown
    assert printable(text) == shown
    assert tr("Run {name}", name=text) == f"Run {shown}"
    assert _fit(text) == shown


@pytest.mark.parametrize("text", SEEN)
def test_visible_text_stays_unchanged(text: str) -> None:
    assert visible_text(text) == text


def test_escaping_twice_changes_nothing_more() -> None:
    for shown in HIDDEN.values():
        assert visible_text(shown) == shown
