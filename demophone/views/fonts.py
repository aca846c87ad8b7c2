"""The phone's type faces: text and icons, measured and cached.

Text is Roboto where it is installed, else the system's sans. Icons are the Material Design
Icons font that the `qtawesome` package ships; the package is located, never imported.
"""

from __future__ import annotations

import importlib.util
import json
import os
from functools import lru_cache
from pathlib import Path

from PySide6.QtGui import QFont, QFontDatabase, QFontMetricsF, QGuiApplication

_TEXT_FACES = ("Roboto", "Noto Sans", "Inter", "DejaVu Sans")
_held: list[QGuiApplication] = []


def prepare() -> None:
    """Makes sure there is a QGuiApplication; without one Qt cannot draw text."""
    if QGuiApplication.instance() is None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        _held.append(QGuiApplication(["demophone"]))


@lru_cache(maxsize=1)
def text_face() -> str:
    """The family that text is set in."""
    installed = set(QFontDatabase.families())
    return next((face for face in _TEXT_FACES if face in installed), QFont().defaultFamily())


@lru_cache(maxsize=1)
def _icon_face() -> tuple[str, dict[str, str]]:
    spec = importlib.util.find_spec("qtawesome")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("qtawesome, which ships the icon font, is not installed")
    folder = Path(spec.submodule_search_locations[0]) / "fonts"
    font = next(iter(sorted(folder.glob("materialdesignicons6-webfont-*.ttf"))))
    names = next(iter(sorted(folder.glob("materialdesignicons6-webfont-charmap-*.json"))))
    number = QFontDatabase.addApplicationFontFromData(font.read_bytes())
    families = QFontDatabase.applicationFontFamilies(number)
    points = json.loads(names.read_text(encoding="utf-8"))
    return families[0], {name: chr(int(point, 16)) for name, point in points.items()}


@lru_cache(maxsize=512)
def glyph(name: str) -> str:
    """The character of an icon, by its Material Design name.

    Raises:
        KeyError: there is no such icon.
    """
    return _icon_face()[1][name]


@lru_cache(maxsize=128)
def icon_font(pixels: int) -> QFont:
    """The icon font at a size in pixels."""
    font = QFont(_icon_face()[0])
    font.setPixelSize(max(1, pixels))
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


@lru_cache(maxsize=256)
def text_font(pixels: int, weight: int = 400) -> QFont:
    """The text font at a size in pixels."""
    font = QFont(text_face())
    font.setPixelSize(max(1, pixels))
    font.setWeight(QFont.Weight(weight))
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


@lru_cache(maxsize=256)
def metrics(pixels: int, weight: int = 400) -> QFontMetricsF:
    """Measures of the text font."""
    return QFontMetricsF(text_font(pixels, weight))


@lru_cache(maxsize=16384)
def width(text: str, pixels: int, weight: int = 400) -> float:
    """The advance of a line of text, in pixels."""
    return metrics(pixels, weight).horizontalAdvance(text)


@lru_cache(maxsize=4096)
def elided(text: str, pixels: int, weight: int, room: int) -> str:
    """Returns the text, cut with an ellipsis if it is wider than `room` pixels."""
    if width(text, pixels, weight) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if width(text[:middle].rstrip() + "…", pixels, weight) <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "…"


@lru_cache(maxsize=4096)
def wrapped(text: str, pixels: int, weight: int, room: int) -> tuple[tuple[int, int], ...]:
    """Start and end of each line of `text` set into `room` pixels, broken at spaces."""
    lines: list[tuple[int, int]] = []
    start = 0
    for paragraph in text.split("\n"):
        end = start + len(paragraph)
        line = start
        while line <= end:
            stop = _fitting(text, line, end, pixels, weight, room)
            lines.append((line, stop))
            if stop >= end:
                break
            line = stop + 1 if text[stop] == " " else stop
        start = end + 1
    return tuple(lines)


def _fitting(text: str, start: int, end: int, pixels: int, weight: int, room: int) -> int:
    if width(text[start:end], pixels, weight) <= room:
        return end
    best = start
    for at in range(start + 1, end):
        if text[at] == " ":
            if width(text[start:at], pixels, weight) > room:
                break
            best = at
    if best > start:
        return best
    at = start + 1
    while at < end and width(text[start : at + 1], pixels, weight) <= room:
        at += 1
    return at
