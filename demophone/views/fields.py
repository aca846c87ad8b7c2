"""Text fields: text, cursor, selection and editing.

A field outlives the views that show it. Knows no drawing; a view tells it where its lines are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["text", "name", "phone", "email", "search", "password"]
Action = Literal["next", "done", "send", "search", "go"]

_PHONE = frozenset("0123456789+-()*#")
MAX_LENGTH = 4000
"""Maximum length of a field; the rest is dropped, like Android's filters do."""


@dataclass(frozen=True, slots=True)
class TextLayout:
    """Where the text of a field is drawn: its lines, in dp of the present rotation."""

    left: float
    top: float
    line_height: float
    lines: tuple[tuple[int, int], ...]
    width: Callable[[str], float]
    """The advance of a piece of text, in dp."""

    def index_at(self, text: str, x: float, y: float) -> int:
        """The gap between characters nearest to a point."""
        row = min(max(0, int((y - self.top) // self.line_height)), len(self.lines) - 1)
        start, end = self.lines[row]
        return min(
            range(start, end + 1), key=lambda i: abs(self.left + self.width(text[start:i]) - x)
        )


@dataclass(slots=True, eq=False)
class Field:
    """A text field's state."""

    name: str
    text: str = ""
    kind: Kind = "text"
    action: Action = "done"
    multiline: bool = False
    on_change: Callable[[], None] | None = None
    on_action: Callable[[], None] | None = None
    cursor: int = 0
    anchor: int = 0
    """Where the selection began; equal to the cursor when nothing is chosen."""
    layout: TextLayout | None = field(default=None, repr=False)
    following: Field | None = field(default=None, repr=False)
    """The field that Tab and the key `next` go to."""
    revealed: bool = False
    """Whether the text of a password shows."""

    @property
    def hidden(self) -> bool:
        """Whether characters are shown as dots."""
        return self.kind == "password" and not self.revealed

    @property
    def shown(self) -> str:
        """The drawn text: dots if it is hidden."""
        return "•" * len(self.text) if self.hidden else self.text

    @property
    def selection(self) -> tuple[int, int]:
        """Start and end of the chosen text."""
        return min(self.cursor, self.anchor), max(self.cursor, self.anchor)

    @property
    def chosen(self) -> str:
        """The chosen text."""
        start, end = self.selection
        return self.text[start:end]

    def put(self, text: str) -> None:
        """Replaces the whole content, with the cursor behind it."""
        self.text = text
        self.cursor = self.anchor = len(text)

    def insert(self, text: str) -> bool:
        """Types text at the cursor, over what is chosen. Returns whether the field changed."""
        text = self._allowed(text)
        start, end = self.selection
        if not text and start == end:
            return False
        self._splice(start, end, text)
        return True

    def backspace(self) -> bool:
        """Deletes what is chosen, or the character before the cursor."""
        start, end = self.selection
        if start == end:
            if start == 0:
                return False
            start -= 1
        self._splice(start, end, "")
        return True

    def delete(self) -> bool:
        """Deletes what is chosen, or the character behind the cursor."""
        start, end = self.selection
        if start == end:
            if end == len(self.text):
                return False
            end += 1
        self._splice(start, end, "")
        return True

    def delete_word(self) -> bool:
        """Deletes back to the beginning of the word."""
        start, end = self.selection
        if start == end:
            start = len(self.text[:end].rstrip())
            while start > 0 and self.text[start - 1] != " ":
                start -= 1
        if start == end:
            return False
        self._splice(start, end, "")
        return True

    def move(self, to: int, extend: bool = False) -> None:
        """Puts the cursor before the character `to`, drawing the selection along or not."""
        self.cursor = min(max(0, to), len(self.text))
        if not extend:
            self.anchor = self.cursor

    def choose_word(self, at: int) -> None:
        """Chooses the word round a gap; the whole text where the field is for a number."""
        if self.kind in ("phone", "password"):
            self.choose_all()
            return
        start = end = min(max(0, at), len(self.text))
        while start > 0 and not self.text[start - 1].isspace():
            start -= 1
        while end < len(self.text) and not self.text[end].isspace():
            end += 1
        self.anchor, self.cursor = start, end

    def choose_all(self) -> None:
        """Chooses everything."""
        self.anchor, self.cursor = 0, len(self.text)

    def word_before(self) -> str:
        """The unfinished word that ends at the cursor."""
        start = self.cursor
        while start > 0 and not self.text[start - 1].isspace():
            start -= 1
        return self.text[start : self.cursor]

    def _allowed(self, text: str) -> str:
        text = text[: max(0, MAX_LENGTH - len(self.text) + len(self.chosen))]
        text = "".join(c for c in text if c == "\n" or c == "\t" or c.isprintable())
        if self.kind == "phone":
            if len(text) == 1:
                return text if text in _PHONE or text == " " else ""
            return " ".join("".join(c if c in _PHONE else " " for c in text).split())
        text = text.replace("\t", " ")
        return text if self.multiline else text.replace("\n", " ")

    def _splice(self, start: int, end: int, text: str) -> None:
        self.text = self.text[:start] + text + self.text[end:]
        self.cursor = self.anchor = start + len(text)
        if self.on_change is not None:
            self.on_change()
