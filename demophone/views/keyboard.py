"""The soft keyboard: letters, signs and a pad for numbers. Knows the field, not the app."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from demophone.views.canvas import Canvas
from demophone.views.fields import Action, Field
from demophone.views.geometry import Rect, centred
from demophone.views.parts import Space
from demophone.views.view import View

_LETTERS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_SYMBOLS = ("1234567890", "@#$_&-+()/", "*\"':;!?")
_MORE = ("~`|•√π÷×§∆", "£€¥^°={}\\%", "©®™✓[]<>")
_PAD = ("123-", "456+", "789(", "*0#)")
_ACTION_ICONS: dict[Action, str] = {
    "next": "arrow-right",
    "done": "check",
    "send": "send",
    "search": "magnify",
    "go": "arrow-right",
}

Shift = Literal["off", "once", "lock"]
Page = Literal["letters", "symbols", "more"]


class Typist(Protocol):
    """Who takes what the keyboard writes."""

    def typed(self, text: str) -> None: ...
    def erased(self, word: bool) -> None: ...
    def completed(self, word: str) -> None:
        """Takes a suggestion in place of the unfinished word."""

    def acted(self) -> None:
        """The action key was pressed."""

    def changed(self, reason: str) -> None: ...


@dataclass(frozen=True, slots=True)
class _Colours:
    board: str
    key: str
    side: str
    ink: str
    line: str
    go: str
    go_ink: str


_LIGHT = _Colours("#e3e1ea", "#fdfcff", "#c9c6d3", "#2a2931", "#c4c2cd", "#4a5aa8", "#ffffff")
_DARK = _Colours("#1d1e24", "#34363e", "#292a31", "#e6e6ec", "#3d3f48", "#b9c3ff", "#22306b")


class Keyboard:
    """The keyboard's state, and its views."""

    def __init__(self, typist: Typist) -> None:
        self._typist = typist
        self.shift: Shift = "off"
        self.page: Page = "letters"
        self.pressed = ""

    def attend(self, field: Field) -> None:
        """Begins to write into a field: letters again, a capital where a name begins."""
        self.page = "letters"
        self.shift = "off"
        self.capitalise(field)

    def capitalise(self, field: Field) -> None:
        """Sets shift where the next letter begins a name or a sentence."""
        if self.shift == "lock":
            return
        before = field.text[: field.cursor]
        if field.kind == "name":
            begins = not before or before.endswith(" ")
        elif field.kind == "text":
            begins = not before.strip() or (before.rstrip()[-1] in ".!?" and before.endswith(" "))
        else:
            begins = False
        self.shift = "once" if begins else "off"

    def height(self, s: Space) -> float:
        """How much of the screen it takes from below, the navigation's strip included."""
        return _strip(s) + 4 * _pitch(s) + 12 + (s.height - s.bottom)

    def build(self, s: Space, field: Field, words: Sequence[str]) -> View:
        """The keyboard's window, at the lower edge of the screen."""
        tones = _DARK if s.palette.dark else _LIGHT
        h = self.height(s)
        top = s.height - h
        board = View(
            Rect(0, top, s.width, h),
            "android.inputmethodservice.SoftInputWindow",
            key="board",
            paint=lambda c, v: c.fill(v.box, tones.board),
        )
        if field.kind == "phone":
            self._pad(s, board, tones, top + _strip(s), field)
            return board
        board.add(*self._words(s, tones, top, words))
        self._rows(s, board, tones, top + _strip(s), field)
        return board

    # --- rows --------------------------------------------------------------------------------
    def _words(self, s: Space, tones: _Colours, top: float, words: Sequence[str]) -> list[View]:
        made: list[View] = []
        third = s.width / 3
        for i, word in enumerate(words[:3]):
            box = Rect(third * i, top + 4, third, _strip(s) - 6)

            def paint(c: Canvas, v: View, word: str = word, i: int = i) -> None:
                c.text(v.box, word, 14 / c.font_scale, tones.ink, 400, "centre")
                if i:
                    c.fill(Rect(v.box.x, v.box.y + 9, 1, v.box.h - 18), tones.line)

            made.append(
                View(
                    box,
                    "android.widget.TextView",
                    key=f"word-{i + 1}",
                    text=word,
                    paint=paint,
                    tap=lambda word=word: self._typist.completed(word),  # type: ignore[misc]
                    ripple=8,
                    ripple_on=tones.ink,
                )
            )
        return made

    def _rows(self, s: Space, board: View, tones: _Colours, top: float, field: Field) -> None:
        rows = {"letters": _LETTERS, "symbols": _SYMBOLS, "more": _MORE}[self.page]
        margin, pitch = 4.0, _pitch(s)
        unit = (s.width - 2 * margin) / 10
        for r, signs in enumerate(rows):
            y = top + r * pitch
            left = (s.width - unit * len(signs)) / 2
            for i, sign in enumerate(signs):
                shown = sign.upper() if self.shift != "off" and self.page == "letters" else sign
                box = Rect(left + unit * i, y, unit, pitch)
                digit = "1234567890"[i] if r == 0 and self.page == "letters" else ""
                self._key(
                    board,
                    tones,
                    box,
                    f"key-{sign}",
                    shown,
                    self._writes(shown),
                    hold=self._writes(digit) if digit else None,
                    preview=True,
                )
        y = top + 2 * pitch
        side = (s.width - unit * len(rows[2])) / 2 - margin
        if self.page == "letters":
            symbol = {
                "off": "apple-keyboard-shift",
                "once": "arrow-up-bold",
                "lock": "apple-keyboard-caps",
            }[self.shift]
            self._key(
                board,
                tones,
                Rect(margin, y, side - 4, pitch),
                "shift",
                "",
                self._shift,
                symbol=symbol,
                side=True,
                desc="Shift",
            )
        else:
            other = "=\\<" if self.page == "symbols" else "?123"
            page: Page = "more" if self.page == "symbols" else "symbols"
            self._key(
                board,
                tones,
                Rect(margin, y, side - 4, pitch),
                "other-signs",
                other,
                self._turns(page),
                side=True,
            )
        self._backspace(board, tones, Rect(s.width - margin - side + 4, y, side - 4, pitch))
        self._last_row(s, board, tones, Rect(margin, top + 3 * pitch, unit, pitch), field)

    def _last_row(self, s: Space, board: View, tones: _Colours, cell: Rect, field: Field) -> None:
        unit, y, pitch = cell.w, cell.y, cell.h
        letters = self.page == "letters"
        wide = unit * 1.5
        self._key(
            board,
            tones,
            Rect(cell.x, y, wide, pitch),
            "signs",
            "?123" if letters else "ABC",
            self._turns("symbols" if letters else "letters"),
            side=True,
        )
        comma = "@" if field.kind == "email" else ","
        self._key(
            board,
            tones,
            Rect(cell.x + wide, y, unit, pitch),
            f"key-{comma}",
            comma,
            self._writes(comma),
            preview=True,
        )
        x = cell.x + wide + unit
        space = s.width - 2 * (x - cell.x) - 2 * cell.x
        self._key(
            board, tones, Rect(x, y, space, pitch), "space", " ", self._writes(" "), desc="Space"
        )
        self._key(
            board,
            tones,
            Rect(x + space, y, unit, pitch),
            "key-.",
            ".",
            self._writes("."),
            preview=True,
        )
        self._action(s, board, tones, Rect(x + space + unit, y, wide, pitch), field)

    def _action(self, s: Space, board: View, tones: _Colours, box: Rect, field: Field) -> None:
        symbol = "keyboard-return" if field.multiline else _ACTION_ICONS[field.action]
        board.add(
            View(
                box,
                "android.widget.ImageButton",
                key="action",
                desc="Enter" if field.multiline else field.action.capitalize(),
                paint=_key_paint(tones.go, tones.go_ink, "", symbol, 24),
                tap=self._typist.acted,
                ripple=24,
                ripple_on=tones.go_ink,
            )
        )

    def _pad(self, s: Space, board: View, tones: _Colours, top: float, field: Field) -> None:
        pitch = _pitch(s) + _strip(s) / 4
        top -= _strip(s) - 4
        room = min(s.width, 520.0)
        left = (s.width - room) / 2
        unit = (room - 8) / 5
        for r, signs in enumerate(_PAD):
            for i, sign in enumerate(signs):
                box = Rect(left + 4 + unit * i, top + r * pitch, unit, pitch)
                self._key(board, tones, box, f"key-{sign}", sign, self._writes(sign), side=i == 3)
        x = left + 4 + 4 * unit
        self._backspace(board, tones, Rect(x, top, unit, pitch))
        self._key(
            board,
            tones,
            Rect(x, top + pitch, unit, pitch),
            "space",
            "␣",
            self._writes(" "),
            side=True,
            desc="Space",
        )
        self._action(s, board, tones, Rect(x, top + 2 * pitch, unit, 2 * pitch), field)

    # --- keys --------------------------------------------------------------------------------
    def _key(
        self,
        board: View,
        tones: _Colours,
        box: Rect,
        key: str,
        text: str,
        tap: Callable[[], None],
        symbol: str = "",
        side: bool = False,
        hold: Callable[[], None] | None = None,
        desc: str = "",
        preview: bool = False,
    ) -> None:
        down = self.pressed == key
        fill = tones.side if side else tones.key
        size = 14.0 if len(text) > 1 else 20.0
        board.add(
            View(
                box,
                "android.inputmethodservice.Keyboard$Key",
                key=key,
                text="" if text == " " else text,
                desc=desc or text,
                paint=_key_paint(fill, tones.ink, text, symbol, 6, size, down),
                tap=tap,
                long_press=hold,
            )
        )
        if down and preview:
            bubble = centred(box.cx, box.y - 26, box.w + 10, 58)

            def paint(c: Canvas, v: View) -> None:
                c.fill(v.box.moved(0, 2).inset(-1), "#000000", 12, 0.12)
                c.fill(v.box, tones.key, 11)
                c.text(v.box, text, 28 / c.font_scale, tones.ink, 400, "centre")

            board.add(View(bubble, paint=paint))

    def _backspace(self, board: View, tones: _Colours, box: Rect) -> None:
        self._key(
            board,
            tones,
            box,
            "backspace",
            "",
            lambda: self._typist.erased(False),
            symbol="backspace-outline",
            side=True,
            hold=lambda: self._typist.erased(True),
            desc="Delete",
        )

    def _writes(self, text: str) -> Callable[[], None]:
        return lambda: self._typist.typed(text)

    def _turns(self, page: Page) -> Callable[[], None]:
        def turn() -> None:
            self.page = page
            self._typist.changed("keyboard")

        return turn

    def _shift(self) -> None:
        following: dict[Shift, Shift] = {"off": "once", "once": "lock", "lock": "off"}
        self.shift = following[self.shift]
        self._typist.changed("keyboard")


def _key_paint(
    fill: str,
    ink: str,
    text: str,
    symbol: str,
    radius: float,
    size: float = 20,
    down: bool = False,
) -> Callable[[Canvas, View], None]:
    def paint(c: Canvas, v: View) -> None:
        plate = v.box.inset(2, 4)
        c.fill(plate, fill, radius)
        if down:
            c.fill(plate, ink, radius, 0.16)
        if symbol:
            c.icon(plate.cx, plate.cy, symbol, 21, ink)
        elif text.strip():
            c.text(plate, text, size / c.font_scale, ink, 400, "centre")

    return paint


def _strip(s: Space) -> float:
    return 34.0 if s.wide else 44.0


def _pitch(s: Space) -> float:
    if s.wide:
        return 38.0
    return min(54.0, max(46.0, s.height * 0.0585))
