"""Draws the windows of the phone into a picture, with the transition that is under way.

Pictures are numpy arrays of BGRA. An array is drawn into again only after everybody let go of
it. Knows no app.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage, QPainter

from demophone.views.canvas import Canvas
from demophone.views.motion import eased
from demophone.views.view import View, draw

Kind = Literal["forward", "back", "fade"]
Pixels = NDArray[np.uint8]


@dataclass(slots=True)
class Layer:
    """A window to draw: its views, and its vertical offset in dp."""

    root: View
    down: float = 0.0


class Composer:
    """Draws pictures, one after the other."""

    def __init__(self) -> None:
        self._pool: list[Pixels] = []
        self._last: Pixels | None = None
        self._old: Pixels | None = None
        self._kind: Kind = "fade"
        self.share = 1.0
        """How much of the transition is over, 0 to 1."""

    def begin(self, kind: Kind) -> None:
        """Starts a transition from the last picture; set `share` as time passes."""
        if self._last is not None:
            self._old = self._last
            self._kind = kind
            self.share = 0.0

    def end(self) -> None:
        """There is nothing to lead over from any more."""
        self._old = None
        self.share = 1.0

    def compose(
        self,
        layers: Sequence[Layer],
        width: int,
        height: int,
        scale: float,
        font_scale: float,
        pressed: str,
        spread: float,
    ) -> Pixels:
        """The picture of these windows, the lowest first; `(height, width, 4)`.

        `pressed` is the path of the view under the finger, `spread` how far that shows, 0 to 1.
        """
        pixels = self._fresh(width, height)
        image = wrapped(pixels)
        canvas = Canvas(image, scale, font_scale)
        try:
            for layer in layers:
                if layer.down:
                    canvas.painter.translate(0, round(layer.down * scale))
                draw(canvas, layer.root, pressed, spread)
                if layer.down:
                    canvas.painter.resetTransform()
        finally:
            canvas.close()
        if self.share >= 1.0 or self._old is None or self._old.shape != pixels.shape:
            self.end()
        else:
            pixels = self._blended(self._old, pixels, scale)
        self._last = pixels
        return pixels

    def black(self, width: int, height: int) -> Pixels:
        """The picture of a screen that is off."""
        pixels = self._fresh(width, height)
        pixels[:] = (0, 0, 0, 255)
        self.end()
        self._last = pixels
        return pixels

    def snapshot(self, share: float) -> QImage | None:
        """A smaller copy of the last picture."""
        if self._last is None:
            return None
        height, width = self._last.shape[:2]
        small = wrapped(self._last).scaled(round(width * share), round(height * share))
        return small.copy()

    def _blended(self, old: Pixels, new: Pixels, scale: float) -> Pixels:
        height, width = new.shape[:2]
        mixed = self._fresh(width, height)
        image = wrapped(mixed)
        painter = QPainter(image)
        painter.drawImage(0, 0, wrapped(old))
        at = eased(self.share)
        way = 96 * scale * (1 - at)
        dx = {"forward": way, "back": -way, "fade": 0.0}[self._kind]
        painter.setOpacity(min(1.0, 0.15 + at))
        painter.drawImage(QPointF(round(dx), 0), wrapped(new))
        painter.end()
        return mixed

    def _fresh(self, width: int, height: int) -> Pixels:
        pool = self._pool
        for i, old in enumerate([pixels.shape[:2] for pixels in pool]):
            # two references, the pool's and the argument's: nobody else holds the array
            if old == (height, width) and sys.getrefcount(pool[i]) == 2:
                return pool[i]
        made: Pixels = np.empty((height, width, 4), np.uint8)
        self._pool = [*[p for p in self._pool if p.shape == made.shape][-3:], made]
        return made


def wrapped(pixels: Pixels) -> QImage:
    """An image that draws into the array; the array must outlive it."""
    height, width = pixels.shape[:2]
    return QImage(pixels.data, width, height, width * 4, QImage.Format.Format_RGB32)
