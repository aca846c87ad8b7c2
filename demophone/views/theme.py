"""Colours of the phone by role, for the light and the dark theme. Knows no view."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtGui import QColor


@lru_cache(maxsize=1024)
def colour(name: str, alpha: float = 1.0) -> QColor:
    """A colour from `#rrggbb`, with an opacity of 0 to 1."""
    made = QColor(name)
    made.setAlphaF(alpha)
    return made


def blend(under: str, over: str, share: float) -> str:
    """`over` laid on `under` with an opacity of `share`."""
    a, b = QColor(under), QColor(over)
    red, green, blue = (
        round(p + (q - p) * share)
        for p, q in zip((a.red(), a.green(), a.blue()), (b.red(), b.green(), b.blue()), strict=True)
    )
    return f"#{red:02x}{green:02x}{blue:02x}"


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours an app draws with, by what they are for."""

    dark: bool
    background: str
    surface: str
    """Fields, bubbles, cards."""
    high: str
    """Menus and dialogs."""
    primary: str
    on_primary: str
    tint: str
    """Containers in the app's colour: main buttons, chosen chips."""
    on_tint: str
    text: str
    quiet: str
    """Second lines, captions, icons."""
    outline: str
    line: str
    error: str


def _light(background: str, primary: str, tint: str, on_tint: str) -> Palette:
    return Palette(
        dark=False,
        background=background,
        surface=blend(background, primary, 0.09),
        high=blend(background, primary, 0.06),
        primary=primary,
        on_primary="#ffffff",
        tint=tint,
        on_tint=on_tint,
        text="#1b1c1f",
        quiet="#4d5159",
        outline="#82878f",
        line=blend(background, "#1b1c1f", 0.12),
        error="#b3261e",
    )


def _dark(background: str, primary: str, on_primary: str, tint: str, on_tint: str) -> Palette:
    return Palette(
        dark=True,
        background=background,
        surface=blend(background, primary, 0.13),
        high=blend(background, primary, 0.11),
        primary=primary,
        on_primary=on_primary,
        tint=tint,
        on_tint=on_tint,
        text="#e5e6ea",
        quiet="#b0b5be",
        outline="#868b94",
        line=blend(background, "#e5e6ea", 0.15),
        error="#ffb4ab",
    )


BLUE = (
    _light("#fbfaff", "#4356a9", "#dfe1f9", "#2a3560"),
    _dark("#121319", "#b9c3ff", "#22306b", "#363f6b", "#dfe1ff"),
)
GREEN = (
    _light("#f8fbf8", "#1d6b52", "#b6ecd5", "#0f3d2e"),
    _dark("#101512", "#8fd6b9", "#00382a", "#1f5140", "#b6ecd5"),
)
VIOLET = (
    _light("#fbf9fd", "#5b4c9a", "#e4dcfb", "#362a69"),
    _dark("#131217", "#cbbeff", "#32246c", "#463a78", "#e4dcff"),
)
SAND = (
    _light("#fffbf2", "#7a5a00", "#f7dd9a", "#3b2f07"),
    _dark("#16130b", "#e9c35c", "#3f2e00", "#5a4510", "#ffe6a9"),
)
ROSE = (
    _light("#fffafa", "#a8324a", "#f8d9dc", "#5c1022"),
    _dark("#171112", "#ffb2bc", "#5c1022", "#6d2a37", "#ffd9dd"),
)
LEAF = (
    _light("#fdfaf6", "#2f6b3f", "#d7e4cd", "#22351f"),
    _dark("#11140f", "#9fd2a4", "#0d3819", "#2e4a31", "#cfe9cd"),
)
PAPER = (
    _light("#fbf8f3", "#6a4aa3", "#e6dcf5", "#35225c"),
    _dark("#15130f", "#cfbdf5", "#37225f", "#4c3a73", "#eaddff"),
)
NIGHT = (
    _light("#f8f9fd", "#2f4a7d", "#d8e2f6", "#16294d"),
    _dark("#0f1219", "#abc7ff", "#0c305f", "#2b4265", "#d8e3ff"),
)
TEAL = (
    _light("#f7fbfb", "#0f6469", "#c3e8e8", "#07393c"),
    _dark("#0e1415", "#82d3d8", "#00363a", "#1c4d50", "#bfecee"),
)

AVATARS = (
    "#6b5aa8",
    "#2f7d6b",
    "#a8553a",
    "#3a6ea8",
    "#8a6d1f",
    "#7a3f78",
    "#4a6b35",
    "#59606e",
    "#8a3f5d",
    "#37707c",
)
"""Colours with a contrast of at least 4.5 to white initials."""
