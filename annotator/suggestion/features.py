"""Computes the features of a box in a band, as numbers that a ranking can weigh.

It does not decide which box is right.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from annotator.suggestion.band import ImageBand
from annotator.suggestion.shapes import Guess
from episodes.geometry import Box

Numbers = npt.NDArray[np.float64]

KINDS = ("fill", "ink", "padded", "text", "square", "row", "cell", "pitch")
FEATURES = (
    "one",
    "height",
    "height squared",
    "width",
    "width squared",
    "height by width",
    "of the screen's width",
    "whole width",
    "off across",
    "off down",
    "off across in dp",
    "off down in dp",
    "weakest side",
    "clear sides",
    "weakest clear side",
    "fill with clear sides",
    "sides",
    "two sides",
    "four sides",
    "edges at left and right",
    "edges at top and bottom",
    "edges inside",
    "edges around",
    "nothing around",
    "cut by the band",
    "others alike",
    "margins alike across",
    "margins alike down",
    "ink across",
    "ink down",
    "ink across squared",
    "ink down squared",
    "lines of the screen",
    "a control",
    "round a control",
    *KINDS,
)
CLEAR = 0.35
"""From this on all four sides are edges with nothing beside them inside."""
CONTROL_DP = (24, 80)
"""How high a button, a field or a chip is."""
SIDE = 0.5
"""A side lies on an edge where at least this share of it has edge pixels beside it."""


def compute_features(
    band: ImageBand, found: Sequence[Guess]
) -> tuple[Numbers, npt.NDArray[np.int64]]:
    """Returns the numbers of each guess, (guesses, names), and how many sides lie on edges."""
    boxes = np.array([[g.box.left, g.box.top, g.box.right, g.box.bottom] for g in found])
    alike = _alike(boxes)
    rows, counts = [], []
    for guess, others in zip(found, alike, strict=True):
        numbers, sides = _numbers(band, guess, float(others))
        rows.append(numbers)
        counts.append(sides)
    made = np.array(rows)
    heights = (boxes[:, 3] - boxes[:, 1]) / band.dp
    clear = made[:, FEATURES.index("weakest clear side")] >= CLEAR
    controls = clear & (heights >= CONTROL_DP[0]) & (heights <= CONTROL_DP[1])
    made[:, FEATURES.index("a control")] = controls
    made[:, FEATURES.index("round a control")] = _round_one(boxes, controls)
    return made, np.array(counts)


def _numbers(band: ImageBand, guess: Guess, alike: float) -> tuple[list[float], int]:
    box, dp = guess.box, band.dp
    height, width = math.log(box.height / dp / 48), math.log(box.width / dp / 84)
    left, top, right, bottom = strengths = _sides(band, box)
    within = _sides(band, _shrunk(box, 4 * dp))
    clear = [max(0.0, at - inner) for at, inner in zip(strengths, within, strict=True)]
    off_across, off_down = abs(band.x + 0.5 - box.centre.x), abs(band.y + 0.5 - box.centre.y)
    sides = sum(one >= SIDE for one in strengths)
    whole = float(box.width >= 0.97 * band.width)
    inside = band.count(box.left, box.top, box.right, box.bottom) / box.area
    ring = 6 * dp
    around = band.count(box.left - ring, box.top - ring, box.right + ring, box.bottom + ring)
    room = (box.width + 2 * ring) * (box.height + 2 * ring) - box.area
    outside = (around - inside * box.area) / room
    cut = float(
        (box.top <= 0 and band.open_top) or (box.bottom >= band.height and band.open_bottom)
    )
    across, down, wide, tall = _margins(band, box)
    return [
        1.0,
        height,
        height * height,
        width,
        width * width,
        height * width,
        box.width / band.width,
        whole,
        off_across / box.width,
        off_down / box.height,
        min(off_across / dp / 48, 2.0),
        min(off_down / dp / 48, 2.0),
        min(strengths),
        sum(clear),
        min(clear),
        min(clear) * (guess.kind == "fill"),
        float(sides),
        float(sides >= 2),
        float(sides == 4),
        left + right,
        top + bottom,
        inside,
        outside,
        float(outside < 0.01),
        cut,
        alike,
        across,
        down,
        wide,
        tall,
        wide * wide,
        tall * tall,
        float(box.left <= 1) + float(box.right >= band.width - 1),
        0.0,  # a control: filled in once all guesses are known
        0.0,
        *(float(guess.kind == kind) for kind in KINDS),
    ], sides


def _sides(band: ImageBand, box: Box) -> tuple[float, float, float, float]:
    """How much of each side has an edge within a dp and a half, corners left out."""
    near = max(1.0, 1.5 * band.dp)
    inset = min(0.2 * min(box.width, box.height), 12 * band.dp)
    return (
        _along(band, box.left, box.top + inset, box.bottom - inset, near, True),
        _along(band, box.top, box.left + inset, box.right - inset, near, False),
        _along(band, box.right, box.top + inset, box.bottom - inset, near, True),
        _along(band, box.bottom, box.left + inset, box.right - inset, near, False),
    )


def _shrunk(box: Box, by: float) -> Box:
    across, down = min(by, box.width / 3), min(by, box.height / 3)
    return Box(box.left + across, box.top + down, box.right - across, box.bottom - down)


def _along(
    band: ImageBand, at: float, start: float, end: float, near: float, upright: bool
) -> float:
    first, last = int(max(start, 0)), int(max(end, start + 1))
    low, high = int(max(at - near, 0)), int(at + near)
    if upright:
        part = band.edges[first:last, low : high + 1]
        return float(part.any(axis=1).mean()) if part.size else 0.0
    part = band.edges[low : high + 1, first:last]
    return float(part.any(axis=0).mean()) if part.size else 0.0


def _margins(band: ImageBand, box: Box) -> tuple[float, float, float, float]:
    """How evenly the ink inside lies between the sides, across and down: 1 for evenly; and how
    much of the width and of the height it takes."""
    inset = max(1, round(2 * band.dp))
    part = band.edges[
        int(box.top) + inset : int(box.bottom) - inset,
        int(box.left) + inset : int(box.right) - inset,
    ]
    columns, rows = np.flatnonzero(part.any(axis=0)), np.flatnonzero(part.any(axis=1))
    if not len(columns):
        return 0.0, 0.0, 0.0, 0.0
    height, width = part.shape
    across = abs(int(columns[0]) - (width - 1 - int(columns[-1]))) / width
    down = abs(int(rows[0]) - (height - 1 - int(rows[-1]))) / height
    wide, tall = float(columns[-1] - columns[0] + 1), float(rows[-1] - rows[0] + 1)
    return 1.0 - across, 1.0 - down, wide / box.width, tall / box.height


def _round_one(boxes: Numbers, controls: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which boxes hold a control that is clearly smaller."""
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    before = (boxes[:, None, :2] <= boxes[None, :, :2] + 1).all(axis=2)
    behind = (boxes[:, None, 2:] >= boxes[None, :, 2:] - 1).all(axis=2)
    holds = before & behind & (areas[None, :] < 0.8 * areas[:, None])
    return np.asarray((holds & controls[None, :]).any(axis=1), bool)


def _alike(boxes: Numbers) -> Numbers:
    """For each box the share of the others that it overlaps by half or more."""
    left = np.maximum(boxes[:, None, 0], boxes[None, :, 0])
    top = np.maximum(boxes[:, None, 1], boxes[None, :, 1])
    right = np.minimum(boxes[:, None, 2], boxes[None, :, 2])
    bottom = np.minimum(boxes[:, None, 3], boxes[None, :, 3])
    shared = np.maximum(right - left, 0) * np.maximum(bottom - top, 0)
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    overlaps = shared / (areas[:, None] + areas[None, :] - shared)
    counts: Numbers = (overlaps >= 0.7).sum(axis=1) - 1.0
    return counts / max(1, len(boxes) - 1)
