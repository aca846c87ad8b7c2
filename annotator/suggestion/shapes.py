"""Boxes that a press on a picture may have meant: fills, ink, rows, cells, touch squares.

Each is a guess of one kind; none is judged here. All in pixels of the band.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from annotator.suggestion.band import Flags, ImageBand
from episodes.geometry import Box

NEAR_DP = 14
"""How far from the press the background's colour is looked for."""
INK_NEAR_DP = 22
"""How far from the press the ink of its element may begin."""
CLOSINGS_DP = ((3, 2), (7, 4), (12, 7), (20, 11))
"""Gaps in ink that are closed, across and down: letters, words, icon and label, blocks."""
PADDINGS_DP = (3, 8, 12)
SQUARES_DP = (40, 48, 56)
FLAT, NOISY = 3, 8
"""How far a fill's colours may differ: from one pixel to the next, and from where it began."""
LINE_SHARE = 0.7
"""A row of pixels with edges over this share of a fill's width is a line between rows."""
RIM_DP = 4
"""Ink nearer to a side of an area than this belongs to its border."""
FILLS_DEEP = 3
"""How many areas round one another are filled."""


class Guess(NamedTuple):
    """One box and how it came about."""

    box: Box
    kind: str


def guess_boxes(band: ImageBand) -> list[Guess]:
    """Returns all guesses that hold the press and are larger than a dot; equal ones once."""
    fills = list(_fills(band))
    inks = list(_inks(band))
    made = [Guess(box, "fill") for box in fills]
    made += [Guess(box, "ink") for box in inks]
    for ink in inks[:2]:
        made += _around(band, ink)
    made += _touch_squares(band, inks)
    screen = Box(0, 0, band.width, band.height)
    enclosing = [box for box in fills if box.width > 60 * band.dp] or [screen]
    for outer in (*enclosing[:2], screen):
        made += _rows_and_cells(band, outer)
    kept: dict[tuple[int, int, int, int], Guess] = {}
    for box, kind in made:
        whole = Box(
            max(0, round(box.left)),
            max(0, round(box.top)),
            min(band.width, round(box.right)),
            min(band.height, round(box.bottom)),
        )
        large = whole.width >= 8 * band.dp and whole.height >= 8 * band.dp
        holds = whole.left <= band.x < whole.right and whole.top <= band.y < whole.bottom
        if large and holds:
            edges = (int(whole.left), int(whole.top), int(whole.right), int(whole.bottom))
            kept.setdefault(edges, Guess(whole, kind))
    return list(kept.values())


def _fills(band: ImageBand) -> Iterator[Box]:
    """Areas of one colour round the press, then those round them."""
    seen: list[Box] = []
    for seed in ((band.x, band.y), _common_nearby(band)):
        for box in (_fill(band, seed, FLAT, False), _fill(band, seed, NOISY, True)):
            if box not in seen:
                seen.append(box)
    yield from seen
    box = max(seen, key=lambda one: one.area)
    for _ in range(FILLS_DEEP):
        outer = _outside(band, box)
        if outer is None:
            return
        grown = _fill(band, outer, NOISY, True)
        box = Box(
            min(box.left, grown.left),
            min(box.top, grown.top),
            max(box.right, grown.right),
            max(box.bottom, grown.bottom),
        )
        yield box


def _fill(band: ImageBand, seed: tuple[int, int], tolerance: int, fixed: bool) -> Box:
    mask = np.zeros((band.height + 2, band.width + 2), np.uint8)
    flags = 4 | cv2.FLOODFILL_MASK_ONLY | (cv2.FLOODFILL_FIXED_RANGE if fixed else 0)
    reach = (tolerance,) * 3
    _, _, _, (x, y, w, h) = cv2.floodFill(band.colours, mask, seed, 0, reach, reach, flags)
    return Box(x, y, x + w, y + h)


def _common_nearby(band: ImageBand) -> tuple[int, int]:
    """A pixel of the colour that is most common around the press: the nearest one in its largest
    patch, as the holes of letters are patches too."""
    reach = round(NEAR_DP * band.dp)
    left, top = max(0, band.x - reach), max(0, band.y - reach)
    near = band.colours[top : band.y + reach + 1, left : band.x + reach + 1].astype(np.int32) >> 3
    codes = (near[..., 0] << 10) | (near[..., 1] << 5) | near[..., 2]
    common = (codes == np.bincount(codes.ravel()).argmax()).astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(common, connectivity=4)
    rows, columns = np.nonzero(labels == stats[1:, cv2.CC_STAT_AREA].argmax() + 1)
    away = (rows + top - band.y) ** 2 + (columns + left - band.x) ** 2
    at = int(away.argmin())
    return int(columns[at]) + left, int(rows[at]) + top


def _outside(band: ImageBand, box: Box) -> tuple[int, int] | None:
    """A pixel just outside of a box, on the side where there is most room; None at the edges."""
    gap = max(3, round(3 * band.dp))
    x, y = int(box.centre.x), int(box.centre.y)
    sides = [
        (box.left, (int(box.left) - gap, y)),
        (box.top, (x, int(box.top) - gap)),
        (band.width - box.right, (int(box.right) + gap - 1, y)),
        (band.height - box.bottom, (x, int(box.bottom) + gap - 1)),
    ]
    room, seed = max(sides)
    return seed if room > gap else None


def _inks(band: ImageBand) -> Iterator[Box]:
    """The ink at the press, or the nearest, with ever larger gaps closed."""
    raw = band.edges.astype(np.uint8)
    for across, down in CLOSINGS_DP:
        size = (max(1, round(across * band.dp)) | 1, max(1, round(down * band.dp)) | 1)
        closed = cv2.morphologyEx(raw, cv2.MORPH_CLOSE, np.ones(size[::-1], np.uint8))
        box = _component(band, np.asarray(closed, np.uint8))
        if box is not None:
            yield box


def _component(band: ImageBand, ink: npt.NDArray[np.uint8]) -> Box | None:
    _, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    label = int(labels[band.y, band.x])
    if not label:
        lefts, tops = stats[:, cv2.CC_STAT_LEFT], stats[:, cv2.CC_STAT_TOP]
        rights, bottoms = lefts + stats[:, 2], tops + stats[:, 3]
        across = np.maximum(np.maximum(lefts - band.x, band.x - rights + 1), 0)
        down = np.maximum(np.maximum(tops - band.y, band.y - bottoms + 1), 0)
        away = np.hypot(across, down)
        away[0] = np.inf
        # a frame round the press holds it at no distance; the ink inside is what is near
        away[(away == 0) & (stats[:, cv2.CC_STAT_WIDTH] > 64 * band.dp)] += 1
        label = int(away.argmin())
        if not np.isfinite(away[label]) or away[label] > INK_NEAR_DP * band.dp:
            return None
    x, y, w, h, _ = (int(n) for n in stats[label])
    return Box(x, y, x + w, y + h)


def _around(band: ImageBand, ink: Box) -> Iterator[Guess]:
    for padding in PADDINGS_DP:
        p = padding * band.dp
        yield Guess(_grown(ink, p, p), "padded")
    p = 0.25 * ink.height
    yield Guess(_grown(ink, 2 * p, p), "text")
    yield Guess(_grown(ink, 16 * band.dp, max(0.0, 20 * band.dp - ink.height / 2)), "padded")


def _touch_squares(band: ImageBand, inks: list[Box]) -> Iterator[Guess]:
    for ink in inks[:2]:
        if max(ink.width, ink.height) > 64 * band.dp:
            continue
        for side in SQUARES_DP:
            half = side / 2 * band.dp
            c = ink.centre
            yield Guess(Box(c.x - half, c.y - half, c.x + half, c.y + half), "square")
    if not inks:
        half = SQUARES_DP[1] / 2 * band.dp
        yield Guess(Box(band.x - half, band.y - half, band.x + half, band.y + half), "square")


def _rows_and_cells(band: ImageBand, outer: Box) -> Iterator[Guess]:
    """The row of the press within an area, and its cell in that row."""
    left, right = int(outer.left), int(outer.right)
    top, bottom = int(outer.top), int(outer.bottom)
    rim = round(RIM_DP * band.dp)
    first_column = left + rim if left > 0 else left
    last_column = right - rim if right < band.width else right
    inside = band.edges[top:bottom, first_column:last_column]
    if inside.shape[0] < 4 or inside.shape[1] < 4:
        return
    y = band.y - top
    if not 0 <= y < inside.shape[0]:
        return
    counts = inside.sum(axis=1)
    lines = counts >= LINE_SHARE * inside.shape[1]
    above, below = _between_lines(lines, y)
    if above > 0 or below < len(lines):
        yield Guess(Box(left, top + above, right, top + below), "row")
    for gap in (5, 9, 14):
        found = _run_with_gaps(counts[above:below] > 0, y - above, gap * band.dp)
        if found is None:
            continue
        first, last, before, after = found
        first, last = first + above, last + above
        start = first - before / 2 if before is not None else first - _spare(after, band)
        end = last + after / 2 if after is not None else last + _spare(before, band)
        start, end = max(start, above), min(end, below)
        yield Guess(Box(left, top + start, right, top + end), "row")
        pad = min(p for p in (before, after, 32 * band.dp) if p is not None) / 2
        yield Guess(Box(left, top + first - pad, right, top + last + pad), "row")
        row = Box(left, top + start, right, top + end)
        ink = inside[int(first) : int(last) + 1].any(axis=0)
        yield from _cells(band, row, np.asarray(ink, bool), first_column, first + top, last + top)


def _spare(other: float | None, band: ImageBand) -> float:
    return min(other if other is not None else 24 * band.dp, 24 * band.dp) / 2


def _cells(
    band: ImageBand, row: Box, ink: Flags, ink_left: int, first: float, last: float
) -> Iterator[Guess]:
    left, right = int(row.left), int(row.right)
    for gap in (7, 14):
        shift = ink_left - left
        runs = [(start + shift, end + shift) for start, end in _runs(ink, gap * band.dp)]
        at = _run_at(runs, band.x - left)
        if at is None or len(runs) < 2:
            continue
        start, end = runs[at]
        before = (runs[at - 1][1] + start) / 2 if at else 0.0
        after = (runs[at + 1][0] + end) / 2 if at + 1 < len(runs) else float(right - left)
        yield Guess(Box(left + before, row.top, left + after, row.bottom), "cell")
        centre = (start + end) / 2
        pad = min(centre - before, after - centre)
        yield Guess(Box(left + centre - pad, row.top, left + centre + pad, row.bottom), "cell")
        middles = [(a + b) / 2 for a, b in runs]
        if len(middles) >= 3:
            half = float(np.median([b - a for a, b in pairwise(middles)])) / 2
            box = Box(left + centre - half, row.top, left + centre + half, row.bottom)
            yield Guess(box, "pitch")
        yield Guess(
            _grown(Box(left + start, first, left + end, last), 8 * band.dp, 8 * band.dp), "cell"
        )


def _between_lines(lines: Flags, y: int) -> tuple[int, int]:
    """Rows between the nearest line above and the nearest below."""
    above = np.flatnonzero(lines[:y])
    below = np.flatnonzero(lines[y + 1 :])
    return (
        int(above[-1]) + 1 if len(above) else 0,
        int(below[0]) + y + 1 if len(below) else len(lines),
    )


def _run_with_gaps(
    ink: Flags, y: int, gap: float
) -> tuple[int, int, float | None, float | None] | None:
    """First and last row of the ink at or nearest to y, and the empty rows around it.

    None for a side on which nothing more comes.
    """
    runs = _runs(ink, gap)
    at = _run_at(runs, y)
    if at is None:
        return None
    first, last = runs[at]
    before = float(first - runs[at - 1][1]) if at else None
    after = float(runs[at + 1][0] - last) if at + 1 < len(runs) else None
    return first, last, before, after


def _runs(ink: Flags, gap: float) -> list[tuple[int, int]]:
    """Stretches of ink, with gaps up to a length closed: first, and one after the last."""
    there = np.flatnonzero(ink)
    if not len(there):
        return []
    breaks = np.flatnonzero(np.diff(there) > gap + 1)
    starts = np.concatenate(([there[0]], there[breaks + 1]))
    ends = np.concatenate((there[breaks], [there[-1]]))
    return [(int(a), int(b) + 1) for a, b in zip(starts, ends, strict=True)]


def _run_at(runs: list[tuple[int, int]], at: int) -> int | None:
    if not runs:
        return None
    away = [max(first - at, at - last + 1, 0) for first, last in runs]
    return int(np.argmin(away))


def _grown(box: Box, across: float, down: float) -> Box:
    return Box(box.left - across, box.top - down, box.right + across, box.bottom + down)
