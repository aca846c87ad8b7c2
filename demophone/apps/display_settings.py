"""The Display page of the Settings app: brightness and screen timeout."""

from __future__ import annotations

from typing import ClassVar

from demophone.apps.app import Activity, App
from demophone.apps.setting_row import setting_row
from demophone.views.bars import page_bar
from demophone.views.canvas import Canvas
from demophone.views.geometry import Rect
from demophone.views.overlays import OverlayChoice, dialog
from demophone.views.parts import Space, Tap, icon_button, label, root
from demophone.views.view import View

TIMEOUTS = {"15 seconds": "15000", "1 minute": "60000", "10 minutes": "600000",
            "30 minutes": "1800000"}  # fmt: skip
LEAST, MOST = 1, 255
STEP = 26


class DisplayPage(Activity):
    """A bar to drag, and a choice."""

    name: ClassVar[str] = ".DisplaySettingsActivity"
    path: ClassVar[str] = "settings/display"

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._room = 1.0

    def build(self, s: Space) -> View:
        """Brightness, and below it the screen timeout."""
        p = s.palette
        level = self.level
        y = s.top + 76
        percent = f"{round(level * 100 / MOST)} %"
        self._room = s.width - 144
        below = Rect(0, y + 96, s.width, 72)
        return root(
            s,
            label(Rect(24, y, s.width - 120, 28), "Brightness", 16.5, p.text,
                  key="brightness-title", res="title"),
            label(Rect(s.width - 100, y, 76, 28), percent, 15, p.quiet, 400, "right",
                  key="brightness-value", res="value"),
            self._bar(s, Rect(72, y + 32, self._room, 48), level),
            self._step(s, 40, y + 56, "brightness-4", "Darker", level - STEP,
                       level > LEAST, "darker"),
            self._step(s, s.width - 40, y + 56, "brightness-7", "Brighter", level + STEP,
                       level < MOST, "brighter"),
            setting_row(s, below, "timeout", "timer-sand", "Screen timeout", self._word(),
                        self._choose, right=44),
            *page_bar(s, "Display", self.host.finish),
        )  # fmt: skip

    @property
    def level(self) -> int:
        """The brightness, 1 to 255: the screen is never off."""
        try:
            return min(
                MOST, max(LEAST, int(self.host.setting("system", "screen_brightness") or "0"))
            )
        except ValueError:
            return LEAST

    def set_level(self, level: float) -> None:
        """Changes the brightness."""
        whole = min(MOST, max(LEAST, round(level)))
        self.host.put_setting("system", "screen_brightness", str(whole))

    def _bar(self, s: Space, box: Rect, level: int) -> View:
        p = s.palette
        share = level / MOST

        def paint(c: Canvas, v: View) -> None:
            line = Rect(v.box.x, v.box.cy - 8, v.box.w, 16)
            c.fill(line, p.surface, 8)
            c.fill(Rect(line.x, line.y, max(16.0, line.w * share), 16), p.primary, 8)
            c.circle(line.x + 10 + (line.w - 20) * share, v.box.cy, 14, p.primary)

        return View(
            box,
            "android.widget.SeekBar",
            key="brightness",
            res="slider",
            text=f"{level:.1f}",
            desc="Brightness",
            paint=paint,
            drag=_Slide(self, self._room),
        )

    def _step(
        self, s: Space, cx: float, cy: float, symbol: str, word: str, to: int, on: bool, key: str
    ) -> View:
        p = s.palette
        tone = p.quiet if on else p.line
        return icon_button(
            cx, cy, symbol, word, lambda: self.set_level(to), key, tone, 22, enabled=on
        )

    def _word(self) -> str:
        value = self.host.setting("system", "screen_off_timeout")
        return next((word for word, v in TIMEOUTS.items() if v == value), value or "")

    def _choose(self) -> None:
        now = self._word()
        options = [
            OverlayChoice(word, self._putting(value), chosen=word == now)
            for word, value in TIMEOUTS.items()
        ]
        self.host.show(
            dialog("Screen timeout", "", [OverlayChoice("Cancel", lambda: None)], options)
        )

    def _putting(self, value: str) -> Tap:
        return lambda: self.host.put_setting("system", "screen_off_timeout", value)


class _Slide:
    """A drag along the bar: the whole bar is the whole way from dark to bright."""

    def __init__(self, page: DisplayPage, room: float) -> None:
        self._page = page
        self._room = room
        self._at: float | None = None

    def takes(self, dx: float, dy: float) -> bool:
        return abs(dx) > abs(dy)

    def move(self, dx: float, dy: float) -> None:
        at = self._page.level if self._at is None else self._at
        self._at = min(float(MOST), max(float(LEAST), at + dx * MOST / self._room))
        self._page.set_level(self._at)

    def end(self, vx: float, vy: float) -> None:
        self._at = None
