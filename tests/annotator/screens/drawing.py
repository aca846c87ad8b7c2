"""Screens of apps that are not there, drawn with Pillow: each app has a style of its own.

Lists with and without dividers, forms, a grid of apps on a photo, chips with cards and a button
that floats, dialogs over a scrim, settings with switches, tabs at the bottom, a pad of keys.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from episodes.geometry import Box
from tests.annotator.screens.values import Element, Screen

FITTED = (
    *("Fern", "Harbour", "Maple", "Lantern", "Pocket", "Coffee"),
    *("River", "Yellow", "Orders", "Sunday", "Bridge", "Notes"),
)
"""Apps that the ranking may have seen; the others are what it is measured on."""
UNSEEN = ("Garden", "Kitchen", "Window", "Station", "Paper", "Market")
WORDS = (
    *("Inbox", "Weather", "Morning", "Tickets", "Basket", "Letters", "Account"),
    *FITTED,
    *UNSEEN,
)
DENSITIES = ((720, 1600, 320), (1080, 2400, 420), (540, 1200, 210))


class Canvas:
    """One screen under way; lengths in dp."""

    def __init__(self, app: str, number: int, dark: bool) -> None:
        self.style = np.random.default_rng([ord(c) for c in app])
        self.chance = np.random.default_rng([number, *(ord(c) for c in app)])
        width, height, density = DENSITIES[int(self.style.integers(len(DENSITIES)))]
        self.dp = density / 160
        self.app, self.dark = app, dark
        self.width, self.height = width / self.dp, height / self.dp
        hue = self.style.random(3)
        base = np.array([18, 18, 22]) if dark else np.array([252, 251, 250])
        tint = hue * 255
        self.back = _mixed(base, tint, 0.04)
        self.surface = _mixed(base, tint, float(self.style.uniform(0.07, 0.16)))
        self.ink = (232, 232, 236) if dark else (28, 28, 32)
        self.quiet = (168, 170, 178) if dark else (96, 98, 106)
        self.line = _mixed(np.array(self.back), np.array(self.ink), 0.13)
        self.accent = _mixed(np.array([90, 110, 190]), tint, 0.6)
        self.radius = float(self.style.choice([2, 6, 12, 20]))
        self.row = float(self.style.choice([48, 56, 64, 72, 84]))
        self.margin = float(self.style.choice([12, 16, 20, 24]))
        self.image = Image.new("RGB", (width, height), self.back)
        self.draw = ImageDraw.Draw(self.image)
        self.elements: list[Element] = []

    def box(self, x: float, y: float, w: float, h: float) -> tuple[int, int, int, int]:
        """Left, top, right and bottom in pixels; the last two are outside."""
        return tuple(round(n * self.dp) for n in (x, y, x + w, y + h))  # type: ignore[return-value]

    def fill(self, x: float, y: float, w: float, h: float, colour, radius: float = 0.0) -> None:
        left, top, right, bottom = self.box(x, y, w, h)
        at = (left, top, right - 1, bottom - 1)
        self.draw.rounded_rectangle(at, min(radius, w / 2, h / 2) * self.dp, fill=colour)

    def outline(self, x: float, y: float, w: float, h: float, colour, radius: float) -> None:
        left, top, right, bottom = self.box(x, y, w, h)
        at = (left, top, right - 1, bottom - 1)
        reach = min(radius, w / 2, h / 2) * self.dp
        self.draw.rounded_rectangle(at, reach, outline=colour, width=max(1, round(self.dp)))

    def text(self, x: float, y: float, words: str, size: float, colour, anchor="lm") -> float:
        """Writes; returns how wide that is, in dp."""
        font = ImageFont.load_default(size * self.dp)
        self.draw.text((x * self.dp, y * self.dp), words, colour, font, anchor=anchor)
        return float(self.draw.textlength(words, font)) / self.dp

    def icon(self, cx: float, cy: float, size: float, colour) -> None:
        kind = int(self.chance.integers(5))
        x, y, s = cx - size / 2, cy - size / 2, size
        left, top, right, bottom = self.box(x, y, s, s)
        thick = max(2, round(2 * self.dp))
        if kind == 0:
            self.draw.ellipse((left, top, right, bottom), outline=colour, width=thick)
        elif kind == 1:
            for at in (0.2, 0.5, 0.8):
                level = round((y + s * at) * self.dp)
                self.draw.line((left, level, right, level), colour, thick)
        elif kind == 2:
            self.draw.line((left, top, right, bottom), colour, thick)
            self.draw.line((left, bottom, right, top), colour, thick)
        elif kind == 3:
            self.draw.polygon(
                ((left, bottom), ((left + right) // 2, top), (right, bottom)), fill=colour
            )
        else:
            self.draw.rectangle((left, top, right, bottom), outline=colour, width=thick)
            self.draw.line((left, (top + bottom) // 2, right, (top + bottom) // 2), colour, thick)

    def takes(self, kind: str, x: float, y: float, w: float, h: float) -> None:
        left, top, right, bottom = self.box(x, y, w, h)
        shown = Box(
            max(0, left), max(0, top), min(self.image.width, right), min(self.image.height, bottom)
        )
        if shown.width > 8 * self.dp and shown.height > 8 * self.dp:
            self.elements.append(Element(shown, kind))

    def words(self, most: int) -> str:
        count = int(self.chance.integers(1, most + 1))
        return " ".join(str(word) for word in self.chance.choice(WORDS, count))

    def photo(self, x: float, y: float, w: float, h: float) -> None:
        left, top, right, bottom = self.box(x, y, w, h)
        small = self.chance.integers(30, 225, (6, 5, 3)).astype(np.uint8)
        picture = Image.fromarray(small).resize(
            (right - left, bottom - top), Image.Resampling.BICUBIC
        )
        self.image.paste(picture.filter(ImageFilter.GaussianBlur(2)), (left, top))

    def screen(self) -> Screen:
        """The picture, sent through JPEG in every second app."""
        if self.style.random() < 0.5:
            kept = io.BytesIO()
            self.image.save(kept, "JPEG", quality=85)
            self.image = Image.open(kept)
        pixels = np.asarray(self.image.convert("RGB"))
        return Screen(self.app, pixels, self.dp, tuple(self.elements), self.dark)


def _mixed(under: np.ndarray, over: np.ndarray, share: float) -> tuple[int, int, int]:
    return tuple(int(n) for n in under + (over - under) * share)  # type: ignore[return-value]


def _bars(c: Canvas) -> float:
    """Status and app bar; returns where the content begins."""
    c.text(20, 16, "10:24", 13, c.ink)
    c.text(c.width - 20, 16, "84", 12, c.ink, "rm")
    coloured = bool(c.style.integers(2))
    if coloured:
        c.fill(0, 32, c.width, 56, c.accent)
    ink = (255, 255, 255) if coloured else c.ink
    c.icon(28, 60, 18, ink)
    c.takes("icon", 4, 36, 48, 48)
    c.text(60, 60, c.words(2), 20, ink)
    for at in range(int(c.chance.integers(0, 3))):
        c.icon(c.width - 28 - 48 * at, 60, 20, ink)
        c.takes("icon", c.width - 52 - 48 * at, 36, 48, 48)
    return 88.0


def _tabs(c: Canvas) -> None:
    count = int(c.style.integers(3, 6))
    top, cell = c.height - 80, c.width / count
    c.fill(0, top, c.width, 80, c.surface)
    for at in range(count):
        x = cell * at
        if at == 0:
            c.fill(x + cell / 2 - 30, top + 10, 60, 30, c.line, 15)
        c.icon(x + cell / 2, top + 25, 20, c.ink)
        c.text(x + cell / 2, top + 54, str(c.chance.choice(WORDS)), 11, c.ink, "mm")
        c.takes("tab", x, top, cell, 80)


def _list(c: Canvas) -> None:
    y = _bars(c)
    dividers, pictures, end = (bool(n) for n in c.style.integers(0, 2, 3))
    two = c.row >= 60
    while y < c.height - (90 if end else 0):
        x = c.margin
        c.takes("row", 0, y, c.width, c.row)
        if pictures:
            size = min(40.0, c.row - 16)
            c.fill(x, y + c.row / 2 - size / 2, size, size, c.accent, size / 2)
            x += size + 16
        c.text(x, y + c.row / 2 - (10 if two else 0), c.words(3), 16, c.ink)
        if two:
            c.text(x, y + c.row / 2 + 12, c.words(5), 13, c.quiet)
        if c.chance.random() < 0.3:
            c.icon(c.width - c.margin - 10, y + c.row / 2, 20, c.quiet)
            c.takes("icon", c.width - c.margin - 34, y + c.row / 2 - 24, 48, 48)
        if dividers:
            c.fill(0 if c.radius < 10 else x, y + c.row - 1, c.width, 1, c.line)
        y += c.row
    if end:
        c.fill(0, c.height - 90, c.width, 90, c.back)
        c.elements[:] = [
            e for e in c.elements if e.box.bottom <= (c.height - 90) * c.dp + c.row / 2
        ]
        _tabs(c)


def _form(c: Canvas) -> None:
    y = _bars(c) + 16
    kind = int(c.style.integers(3))
    for _ in range(int(c.chance.integers(3, 7))):
        x, w = c.margin, c.width - 2 * c.margin
        if kind == 0:
            c.outline(x, y, w, 56, c.quiet, c.radius)
        elif kind == 1:
            c.fill(x, y, w, 56, c.surface, c.radius)
        c.text(x + (16 if kind < 2 else 0), y + 28, c.words(2), 16, c.quiet)
        if kind == 2:
            c.fill(x, y + 54, w, 1.5, c.quiet)
        c.takes("field", x, y, w, 56)
        y += 56 + 18
    for at in range(2):
        c.takes("row", 0, y, c.width, 48)
        c.outline(c.margin, y + 14, 20, 20, c.accent, 3 if at else 10)
        c.text(c.margin + 36, y + 24, c.words(3), 15, c.ink)
        y += 48
    y += 16
    words = c.words(1)
    if c.style.random() < 0.5:
        c.fill(c.margin, y, c.width - 2 * c.margin, 48, c.accent, 24)
        c.text(c.width / 2, y + 24, words, 15, (255, 255, 255), "mm")
        c.takes("button", c.margin, y, c.width - 2 * c.margin, 48)
    else:
        for at, word in enumerate((words, c.words(1))):
            x = c.margin + at * (c.width / 2 - c.margin / 2)
            w = c.width / 2 - 1.5 * c.margin
            (c.fill if at else c.outline)(x, y, w, 44, c.accent, c.radius)
            c.text(x + w / 2, y + 22, word, 15, (255, 255, 255) if at else c.accent, "mm")
            c.takes("button", x, y, w, 44)


def _grid(c: Canvas) -> None:
    c.photo(0, 0, c.width, c.height)
    count = int(c.style.integers(4, 6))
    cell, tall = c.width / count, float(c.style.choice([88, 96, 104]))
    for row in range(int((c.height - 140) // tall)):
        for column in range(count):
            x, y = cell * column, 60 + tall * row
            c.fill(
                x + cell / 2 - 27, y + 8, 54, 54, tuple(c.chance.integers(40, 230, 3)), c.radius * 2
            )
            c.icon(x + cell / 2, y + 35, 24, (255, 255, 255))
            c.text(x + cell / 2, y + 74, str(c.chance.choice(WORDS)), 12, (255, 255, 255), "mm")
            c.takes("app", x, y, cell, tall)


def _cards(c: Canvas) -> None:
    y = _bars(c) + 8
    x = c.margin
    while x < c.width - 60:
        word = str(c.chance.choice(WORDS))
        w = 32 + 8.2 * len(word)
        if c.chance.random() < 0.4:
            c.fill(x, y, w, 32, c.line, 8)
        else:
            c.outline(x, y, w, 32, c.quiet, 8)
        c.text(x + w / 2, y + 16, word, 13.5, c.ink, "mm")
        c.takes("chip", x, y, w, 32)
        x += w + 8
    y += 44
    columns = int(c.style.integers(1, 3))
    w = (c.width - c.margin * 2 - 12 * (columns - 1)) / columns
    tall = float(c.style.choice([96, 132, 180]))
    while y < c.height - 40:
        for column in range(columns):
            x = c.margin + column * (w + 12)
            c.fill(x, y, w, tall, c.surface, c.radius)
            if tall > 100:
                c.photo(x, y, w, tall - 64)
            c.text(x + 14, y + tall - 42, c.words(2), 15, c.ink)
            c.text(x + 14, y + tall - 20, c.words(2), 12.5, c.quiet)
            c.takes("card", x, y, w, tall)
            if w > 150:
                c.icon(x + w - 24, y + tall - 30, 20, c.quiet)
                c.takes("icon", x + w - 48, y + tall - 54, 48, 48)
        y += tall + 12
    c.fill(c.width - 76, c.height - 110, 56, 56, c.accent, 18)
    c.icon(c.width - 48, c.height - 82, 22, (255, 255, 255))
    c.takes("fab", c.width - 76, c.height - 110, 56, 56)


def _dialog(c: Canvas) -> None:
    _list(c)
    c.elements.clear()
    c.image = Image.blend(c.image, Image.new("RGB", c.image.size), 0.45)
    c.draw = ImageDraw.Draw(c.image)
    w = c.width - 64
    options = int(c.chance.integers(0, 4))
    tall = 150.0 + 48 * options
    x, y = 32.0, (c.height - tall) / 2
    c.fill(x, y, w, tall, c.surface, max(8, c.radius))
    c.text(x + 24, y + 34, c.words(3), 20, c.ink)
    if not options:
        c.text(x + 24, y + 68, c.words(5), 14, c.quiet)
    for at in range(options):
        level = y + 64 + 48 * at
        c.outline(x + 24, level + 14, 20, 20, c.accent, 10)
        c.text(x + 60, level + 24, c.words(2), 15, c.ink)
        c.takes("row", x, level, w, 48)
    right = x + w - 16
    for _ in range(2):
        word = str(c.chance.choice(WORDS))
        wide = 24 + 8.4 * len(word)
        c.text(right - wide / 2, y + tall - 34, word, 14, c.accent, "mm")
        c.takes("text button", right - wide, y + tall - 58, wide, 48)
        right -= wide + 8


def _settings(c: Canvas) -> None:
    y = _bars(c)
    grouped = bool(c.style.integers(2))
    while y < c.height - c.row:
        c.text(c.margin, y + 22, c.words(1), 13, c.accent)
        y += 36
        inset = 12.0 if grouped else 0.0
        for at in range(int(c.chance.integers(1, 5))):
            if grouped:
                c.fill(inset, y, c.width - 2 * inset, c.row - 2, c.surface, 4)
            c.text(c.margin + inset, y + c.row / 2, c.words(3), 16, c.ink)
            if (at + int(c.style.integers(2))) % 2:
                on = c.chance.random() < 0.5
                right = c.width - c.margin - inset
                c.fill(right - 52, y + c.row / 2 - 16, 52, 32, c.accent if on else c.line, 16)
                c.fill(right - (30 if on else 46), y + c.row / 2 - 12, 24, 24, c.back, 12)
            c.takes("row", inset, y, c.width - 2 * inset, c.row - (2 if grouped else 0))
            y += c.row


def _pad(c: Canvas) -> None:
    c.text(c.width / 2, 160, "555 0142", 34, c.ink, "mm")
    cell, tall = c.width / 3, float(c.style.choice([64, 76, 88]))
    top = c.height - 5.4 * tall
    shape = int(c.style.integers(3))
    for at, word in enumerate("123456789*0#"):
        x, y = cell * (at % 3), top + tall * (at // 3)
        if shape == 0:
            side = tall - 10
            c.fill(x + cell / 2 - side / 2, y + 5, side, side, c.surface, side / 2)
            c.takes("key", x + cell / 2 - side / 2, y + 5, side, side)
        elif shape == 1:
            c.fill(x + 4, y + 4, cell - 8, tall - 8, c.surface, c.radius)
            c.takes("key", x + 4, y + 4, cell - 8, tall - 8)
        else:
            c.takes("key", x, y, cell, tall)
        c.text(x + cell / 2, y + tall / 2, word, 26, c.ink, "mm")


PAGES: dict[str, Callable[[Canvas], None]] = {
    "list": _list,
    "form": _form,
    "grid": _grid,
    "cards": _cards,
    "dialog": _dialog,
    "settings": _settings,
    "pad": _pad,
}


def drawn_screen(app: str, page: str, number: int, dark: bool) -> Screen:
    """Returns one page of an app; equal arguments give equal pixels."""
    canvas = Canvas(app, number, dark)
    PAGES[page](canvas)
    return canvas.screen()


def drawn_screens(apps: Sequence[str]) -> list[Screen]:
    """Returns every page of each app, in turn light and dark."""
    return [
        drawn_screen(app, page, number, (at + number) % 2 == 1)
        for at, app in enumerate(apps)
        for number, page in enumerate(PAGES)
    ]
