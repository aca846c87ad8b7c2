"""The part of a picture around a press, made ready to be looked at.

It is made small to at most two pixels a dp, so that all phones cost the same. Knows colours and
edges, not boxes.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from episodes.geometry import Box, Point

Pixels = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]

REACH_DP = 170
"""How far above and below the press is looked."""
MOST_PX_A_DP = 2.0
EDGE = 24
"""From this Sobel answer on there is an edge: a step of 6 in one of 256 levels of a colour."""


@dataclass(frozen=True, slots=True)
class ImageBand:
    """What is looked at, in pixels of its own.

    Attributes:
        colours: (rows, columns, 3), RGB.
        edges: (rows, columns), where the colour changes.
        sums: integral of `edges`, (rows + 1, columns + 1).
        dp: pixels of a dp.
        x, y: the press.
        scale: pixels of the band in one of the frame.
        top: first row of the frame that is in it.
        open_top, open_bottom: whether the screen goes on there.
    """

    colours: Pixels
    edges: Flags
    sums: npt.NDArray[np.int32]
    dp: float
    x: int
    y: int
    scale: float
    top: int
    open_top: bool
    open_bottom: bool

    @property
    def height(self) -> int:
        """Rows."""
        return int(self.edges.shape[0])

    @property
    def width(self) -> int:
        """Columns."""
        return int(self.edges.shape[1])

    def count(self, left: float, top: float, right: float, bottom: float) -> int:
        """Returns how many edge pixels lie in a rectangle; the part outside the band has none."""
        x0, x1 = (min(max(round(x), 0), self.width) for x in (left, right))
        y0, y1 = (min(max(round(y), 0), self.height) for y in (top, bottom))
        if x1 <= x0 or y1 <= y0:
            return 0
        sums = self.sums
        return int(sums[y1, x1] - sums[y0, x1] - sums[y1, x0] + sums[y0, x0])

    def in_frame(self, box: Box) -> Box:
        """Returns a box of the band in whole pixels of the frame."""
        return Box(
            float(round(box.left / self.scale)),
            float(round(box.top / self.scale) + self.top),
            float(round(box.right / self.scale)),
            float(round(box.bottom / self.scale) + self.top),
        )


def cut_band(pixels: Pixels, point: Point, per_dp: float) -> ImageBand:
    """Returns the band around a press.

    Args:
        pixels: the frame, (rows, columns, 3), RGB.
        point: in pixels of the frame, inside it.
        per_dp: pixels of the frame per dp.
    """
    height = pixels.shape[0]
    reach = round(REACH_DP * per_dp)
    top, bottom = max(0, int(point.y) - reach), min(height, int(point.y) + reach)
    cut: Pixels = pixels[top:bottom]
    scale = min(1.0, MOST_PX_A_DP / per_dp)
    if scale < 1:
        size = (round(cut.shape[1] * scale), round(cut.shape[0] * scale))
        cut = np.asarray(cv2.resize(cut, size, interpolation=cv2.INTER_AREA), np.uint8)
    cut = np.array(cut)  # OpenCV wants to be able to write, though it only fills a mask
    edges = edges_of(cut)
    return ImageBand(
        cut,
        edges,
        np.asarray(cv2.integral(edges.astype(np.uint8)), np.int32),
        per_dp * scale,
        min(int(point.x * scale), cut.shape[1] - 1),
        min(int((point.y - top) * scale), cut.shape[0] - 1),
        scale,
        top,
        top > 0,
        bottom < height,
    )


def edges_of(pixels: Pixels) -> Flags:
    """Returns where one of the three colours changes quickly, (rows, columns)."""
    found = np.zeros(pixels.shape[:2], bool)
    for channel in cv2.split(pixels):
        for across, down in ((1, 0), (0, 1)):
            step = cv2.Sobel(channel, cv2.CV_16S, across, down, ksize=3)
            found |= np.abs(step) > EDGE
    return found
