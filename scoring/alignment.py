"""Aligns the steps of two episodes by what the screens show and what was done.

Steps are paired by likeness, not by number: global alignment as by Needleman and Wunsch (1970). A
screen is compared by the edges in its small picture, which a dark theme keeps, without the status
bar, so that the clock does not count. Pictures are scaled by width and may be scrolled against each
other. Visible words of the trees and the app in front count where both episodes have them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from episodes import actions as a
from episodes.geometry import Size

WIDTH = 16
"""Columns of a compared picture; its rows are as high as a column is wide."""
ROWS = 32
STATUS_BAR = 0.04
"""Of the height, at the top."""
SHIFTS = (-2, 2, -4, 4, -6, 6)
"""Rows by which one picture may be scrolled against the other."""
SCALES = (0.9, 0.95, 1.05, 1.1)
BLUR = 0.8
"""In cells; small differences of the layout do not count."""
SCROLL_COST = 0.05
PAIRED = 0.5
"""Screens less alike than this do not meet, whatever was done on them."""
ALIKE = 0.65
"""Screens at least this alike are the same screen with another action."""
PIXELS = 80
"""A picture is about as many pixels wide when its edges are taken."""
BATCH = 64
WORDS_WEIGHT = 0.5
NEAR_ACROSS, NEAR_DOWN = 0.07, 0.04

Picture = NDArray[np.uint8]
_Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class SeenStep:
    """What the alignment knows of one step.

    Attributes:
        picture: the small brightness (height, width) of the screen; None if there is none.
        words: visible texts and element ids of the screen; empty if unknown.
        app: package of the app in front; "" if unknown.
        name: of the element under the action; "" if unknown.
        size: pixels that the action's points count; None if it has no frame.
    """

    action: a.Action
    picture: Picture | None = None
    words: frozenset[str] = frozenset()
    app: str = ""
    name: str = ""
    size: Size | None = None


class Meeting(StrEnum):
    """How the two steps of a row relate: the same, different, or only one is there."""

    SAME = "same"  # the same screen and action
    OTHER_ACTION = "other action"  # the same screen
    ONLY_FIRST = "only first"
    ONLY_SECOND = "only second"


@dataclass(frozen=True, slots=True)
class Row:
    """One row: positions in the two episodes. Of an only-one row, the other's next position.

    Attributes:
        likeness: of the two screens, 0..1; None for an only-one row.
    """

    meeting: Meeting
    first: int
    second: int
    likeness: float | None = None


@dataclass(frozen=True, slots=True)
class Divergence:
    """Rows in which the episodes differ.

    Attributes:
        row: the first of them.
        came_back: the first row after them with the same screen and action; None if none is left.
    """

    row: int
    came_back: int | None


@dataclass(frozen=True, slots=True)
class Alignment:
    """Two episodes, row by row."""

    rows: tuple[Row, ...]

    @property
    def divergences(self) -> tuple[Divergence, ...]:
        """All stretches in which they differ, in order."""
        found: list[Divergence] = []
        began: int | None = None
        for number, row in enumerate(self.rows):
            if row.meeting is not Meeting.SAME:
                began = number if began is None else began
            elif began is not None:
                found.append(Divergence(began, number))
                began = None
        if began is not None:
            found.append(Divergence(began, None))
        return tuple(found)

    @property
    def first_divergence(self) -> Divergence | None:
        """The first stretch in which they differ; None for the same path."""
        return next(iter(self.divergences), None)


def align(first: Sequence[SeenStep], second: Sequence[SeenStep]) -> Alignment:
    """Aligns two episodes. 500 x 500 steps take less than a second.

    Of several alignments that are equally good, the one that diverges last is returned.
    """
    if not first or not second:
        return _only_one(len(first), len(second))
    alike, shift, scale = _screens_alike(first, second)
    same = _same_actions(first, second, shift, scale)
    score = np.where(same, 1.0 + alike, 0.4 * alike).astype(np.float32)
    score[alike < np.where(same, PAIRED, ALIKE)] = -1.0
    # Aligned from the end, so that the walk from the beginning meets as long as it can.
    best = _best_from_end(score)
    rows: list[Row] = []
    i = j = 0
    while i < len(first) or j < len(second):
        if i < len(first) and j < len(second) and score[i, j] > 0:
            paired = float(score[i, j]) + best[i + 1, j + 1]
            if paired >= max(best[i + 1, j], best[i, j + 1]) - 1e-4:
                meeting = Meeting.SAME if same[i, j] else Meeting.OTHER_ACTION
                rows.append(Row(meeting, i, j, round(float(alike[i, j]), 3)))
                i, j = i + 1, j + 1
                continue
        if j >= len(second) or (i < len(first) and best[i + 1, j] >= best[i, j + 1]):
            rows.append(Row(Meeting.ONLY_FIRST, i, j))
            i += 1
        else:
            rows.append(Row(Meeting.ONLY_SECOND, i, j))
            j += 1
    return Alignment(tuple(rows))


def _only_one(first: int, second: int) -> Alignment:
    rows = [Row(Meeting.ONLY_FIRST, i, 0) for i in range(first)]
    return Alignment((*rows, *(Row(Meeting.ONLY_SECOND, first, j) for j in range(second))))


def _best_from_end(score: _Matrix) -> NDArray[np.float64]:
    """Returns the best sum of `score` that is left at each pair of positions, by diagonals."""
    rows, columns = score.shape
    best = np.zeros((rows + 1, columns + 1))
    for total in range(rows + columns - 2, -1, -1):
        i = np.arange(max(0, total - columns + 1), min(rows, total + 1))
        j = total - i
        gap = np.maximum(best[i + 1, j], best[i, j + 1])
        best[i, j] = np.maximum(gap, np.maximum(score[i, j], 0) + best[i + 1, j + 1])
    return best


# --- screens -----------------------------------------------------------------------------------
def _screens_alike(
    first: Sequence[SeenStep], second: Sequence[SeenStep]
) -> tuple[_Matrix, _Matrix, _Matrix]:
    """Returns how alike each two screens are, 0..1, and how the second fits the first best.

    That is by how many rows it is scrolled, and how much higher it is drawn. Screens of which
    nothing is known count as alike, those of two apps not at all.
    """
    pictures, shift, scale = _pictures_alike(first, second)
    words = _words_alike(first, second)
    both = (1 - WORDS_WEIGHT) * pictures + WORDS_WEIGHT * words
    alike = np.where(np.isnan(pictures), words, np.where(np.isnan(words), pictures, both))
    alike = np.where(np.isnan(alike), ALIKE, alike)
    apps = _numbers([one.app for one in first], [one.app for one in second])
    alike[(apps[0][:, None] != apps[1][None]) & (apps[0][:, None] > 0) & (apps[1][None] > 0)] = 0
    return np.clip(alike, 0, 1).astype(np.float32), shift, scale


def _pictures_alike(
    first: Sequence[SeenStep], second: Sequence[SeenStep]
) -> tuple[_Matrix, _Matrix, _Matrix]:
    drawn = _Drawn(second)
    ones = _unit(_Drawn(first).pictures(1.0))
    plain = drawn.pictures(1.0)
    fits = [(plain, 0, 1.0)] + [(_scrolled(plain, rows), rows, 1.0) for rows in SHIFTS]
    if _shapes(first) != _shapes(second):
        fits += [(drawn.pictures(scale), 0, scale) for scale in SCALES]
    alike = np.full((len(first), len(second)), -1, np.float32)
    shift, scale = np.zeros_like(alike), np.ones_like(alike)
    for others, rows, higher in fits:
        found = ones @ _unit(others).T
        if rows:
            found -= SCROLL_COST
        better = found > alike
        np.copyto(alike, found, where=better)
        np.copyto(shift, rows, where=better)
        np.copyto(scale, higher, where=better)
    alike[[not _shape(step) for step in first], :] = np.nan
    alike[:, [not _shape(step) for step in second]] = np.nan
    return alike, shift, scale


def _shapes(steps: Sequence[SeenStep]) -> set[tuple[int, ...]]:
    return {_shape(step) for step in steps} - {()}


class _Drawn:
    """Where the brightness changes in the pictures of an episode, blurred."""

    def __init__(self, steps: Sequence[SeenStep]) -> None:
        """Draws them WIDTH cells wide and still at their full height."""
        self._count = len(steps)
        self._narrow: dict[tuple[int, ...], tuple[list[int], _Matrix]] = {}
        for shape in _shapes(steps):
            at = [n for n, one in enumerate(steps) if _shape(one) == shape]
            parts = [
                _narrow_edges(np.stack([steps[n].picture for n in at[begin : begin + BATCH]]))  # type: ignore[misc]
                for begin in range(0, len(at), BATCH)
            ]
            self._narrow[shape] = (at, np.concatenate(parts))

    def pictures(self, scale: float) -> _Matrix:
        """Returns them as (steps, ROWS, WIDTH); rows below a picture's end are 0.

        Args:
            scale: how much higher they are drawn: phones of other densities lay out differently.
        """
        drawn = np.zeros((self._count, ROWS, WIDTH), np.float32)
        for shape, (at, narrow) in self._narrow.items():
            cell = shape[1] / max(1, round(shape[1] / PIXELS)) / WIDTH
            down = _blur(ROWS, narrow.shape[1], cell / scale)
            across = narrow.transpose(1, 0, 2).reshape(narrow.shape[1], -1)
            drawn[at] = (down @ across).reshape(ROWS, len(at), WIDTH).transpose(1, 0, 2)
        return drawn


def _shape(step: SeenStep) -> tuple[int, ...]:
    """Returns (height, width) of a step's picture; () without one that can be compared."""
    return () if step.picture is None or min(step.picture.shape) < 2 else step.picture.shape


def _narrow_edges(pictures: Picture) -> _Matrix:
    """Returns the edges of pictures (n, height, width), blurred across: (n, body, WIDTH)."""
    every = max(1, round(pictures.shape[2] / PIXELS))
    begin = round(pictures.shape[1] * STATUS_BAR)
    body = pictures[:, begin::every, ::every].astype(np.float32)
    edges = np.zeros_like(body)
    edges[:, :, 1:] = np.abs(body[:, :, 1:] - body[:, :, :-1])
    edges[:, 1:] += np.abs(body[:, 1:] - body[:, :-1])
    # The root keeps one large picture or button from hiding all the small text.
    np.sqrt(np.minimum(edges, 96, out=edges), out=edges)
    width = edges.shape[2]
    narrow: _Matrix = edges.reshape(-1, width) @ _blur(WIDTH, width, width / WIDTH).T
    return narrow.reshape(len(pictures), -1, WIDTH)


@lru_cache(maxsize=64)
def _blur(cells: int, pixels: int, cell: float) -> _Matrix:
    """Returns the weights of pixels in cells of this many pixels each, (cells, pixels)."""
    middles = (np.arange(cells) + 0.5)[:, None]
    at = (np.arange(pixels) + 0.5)[None] / cell
    weights = np.exp(-(((at - middles) / BLUR) ** 2) / 2)
    weights[middles[:, 0] > at[0, -1] + 1] = 0
    summed = weights.sum(axis=1, keepdims=True)
    scaled: _Matrix = (weights / np.where(summed > 0, summed, 1)).astype(np.float32)
    return scaled


def _scrolled(pictures: _Matrix, rows: int) -> _Matrix:
    """Returns pictures with their content moved down by so many rows, or up."""
    moved = np.zeros_like(pictures)
    if rows >= 0:
        moved[:, rows:] = pictures[:, : ROWS - rows]
    else:
        moved[:, :rows] = pictures[:, -rows:]
    return moved


def _unit(pictures: _Matrix) -> _Matrix:
    flat = pictures.reshape(len(pictures), -1)
    flat = flat - flat.mean(axis=1, keepdims=True)
    lengths = np.linalg.norm(flat, axis=1, keepdims=True)
    unit: _Matrix = (flat / np.maximum(lengths, 1e-6)).astype(np.float32)
    return unit


def _words_alike(first: Sequence[SeenStep], second: Sequence[SeenStep]) -> _Matrix:
    """Returns the share of common words (Jaccard's); NaN if one side's are unknown."""
    known = {word: at for at, word in enumerate({w for one in first for w in one.words})}
    rest = {w for one in second for w in one.words} - known.keys()
    known |= {word: at for at, word in enumerate(rest, len(known))}

    def table(steps: Sequence[SeenStep]) -> _Matrix:
        found = np.zeros((len(steps), max(1, len(known))), np.float32)
        for row, step in enumerate(steps):
            found[row, [known[word] for word in step.words]] = 1
        return found

    ones, others = table(first), table(second)
    common = ones @ others.T
    counts = ones.sum(axis=1)[:, None] + others.sum(axis=1)[None]
    with np.errstate(invalid="ignore", divide="ignore"):
        alike = common / (counts - common)
    unknown = (ones.sum(axis=1)[:, None] == 0) | (others.sum(axis=1)[None] == 0)
    return np.where(unknown, np.float32(np.nan), alike).astype(np.float32)


# --- actions -----------------------------------------------------------------------------------
def _same_actions(
    first: Sequence[SeenStep], second: Sequence[SeenStep], shift: _Matrix, scale: _Matrix
) -> NDArray[np.bool_]:
    """Returns whether each two actions are the same: kind, and element or place, text, key."""
    kinds = _numbers([_kind(one) for one in first], [_kind(one) for one in second])
    same = kinds[0][:, None] == kinds[1][None]
    names = _numbers([_name(one) for one in first], [_name(one) for one in second])
    both = (names[0][:, None] > 0) & (names[1][None] > 0)
    named = names[0][:, None] == names[1][None]
    x1, top1, bottom1 = _places(first)
    x2, top2, bottom2 = _places(second)
    moved = shift / WIDTH
    across = np.abs(x1[:, None] - x2[None]) <= NEAR_ACROSS
    from_top = top1[:, None] - top2[None]
    from_bottom = bottom1[:, None] - bottom2[None]
    tall = 2 * NEAR_DOWN  # heights are counted in widths; a phone is about twice as high
    down = (np.abs(from_top) <= tall) | (np.abs(from_bottom) <= tall)
    down |= np.abs(top1[:, None] - top2[None] * scale - moved) <= tall
    unplaced = np.isnan(x1)[:, None] | np.isnan(x2)[None]
    numbered = np.array([bool(re.search(r"\d", one.name)) for one in first])[:, None]
    place = unplaced | (across & down)
    placed = np.where(both, named & (~numbered | place), place)
    found: NDArray[np.bool_] = same & placed
    return found


def _kind(step: SeenStep) -> str:
    """Returns everything of an action that has to be equal, but its place and its element."""
    match step.action:
        case a.Swipe() | a.Scroll() as moved:
            return f"scroll {moved.direction.value}"
        case a.TypeText(text=text):
            return f"type {' '.join(text.split()).casefold()}"
        case a.PressKey(key=key, name=name):
            return f"key {key.value} {name if key is a.Key.OTHER else ''}"
        case a.OpenApp(app=app):
            return f"open {app.casefold()}"
        case a.Answer(text=text):
            return f"answer {' '.join(text.split()).casefold()}"
        case a.Finish(ending=ending):
            return f"finish {ending.value}"
        case a.Pinch(scale=scale):
            return f"pinch {scale > 1}"
        case a.Other(name=name, arguments=arguments):
            return f"other {name} {arguments}"
        case _:
            return a.kind(step.action)


def _name(step: SeenStep) -> str:
    """Returns the element's name without digits, for actions that are meant for one."""
    if not isinstance(step.action, a.Tap | a.DoubleTap | a.LongPress):
        return ""
    return re.sub(r"\d+", "", step.name).strip().casefold()


def _places(steps: Sequence[SeenStep]) -> tuple[_Matrix, _Matrix, _Matrix]:
    """Returns across (0..1), and down from the top and up from the bottom in widths; NaN: none."""
    found = np.full((3, len(steps)), np.nan, np.float32)
    for at, step in enumerate(steps):
        touched = isinstance(step.action, a.Tap | a.DoubleTap | a.LongPress)
        point = a.place(step.action) if touched else None
        if point is not None and step.size is not None:
            wide, high = step.size.width, step.size.height
            found[:, at] = point.x / wide, point.y / wide, (high - point.y) / wide
    return found[0], found[1], found[2]


def _numbers(
    first: Sequence[str], second: Sequence[str]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Returns both lists as numbers that are equal for equal texts; 0 for an empty one."""
    known = {"": 0}
    ones, others = (
        np.array([known.setdefault(text, len(known)) for text in texts], np.int32)
        for texts in (first, second)
    )
    return ones, others
