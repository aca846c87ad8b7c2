"""A text cursor that blinks is not a change of the screen, once it has proved to be one.

A cursor is known by two things. It is a thin, upright bar. And it comes, goes and comes again at
one place, at the pace of a blink, while all else stays. Typed text, a switch or a badge may come
and go once; they do not alternate by themselves. Until the second blink has come, each change
counts as one. That tree decides whether it may be kept in spite of it (`trees.holds`).
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import cv2
import numpy as np

from episodes.geometry import Box
from episodes.media.signature import SHRINK, THRESHOLD, Luma, blocks_differ

SHORTEST_US = 250_000
LONGEST_US = 1_200_000  # Android's blinks each half second; loaded phones are late
MAX_ACROSS = 2  # blocks of 8 pixels: 2 dp and a smooth edge, also where it lies on a boundary
MAX_TALL = 16  # large text on the densest screens
PROOF = 3
"""The changes that a cursor is proved by: gone, there and gone, or the other way round."""


class _Shown(NamedTuple):
    blocks: Luma
    since_us: int


class BlinkWatch:
    """Looks at each change of one picture. Belongs to one thread."""

    def __init__(self) -> None:
        self._shown: deque[_Shown] = deque(maxlen=PROOF + 1)

    def see(self, blocks: Luma, pts_us: int) -> Box | None:
        """Takes a picture that differs from the one before.

        Returns where a cursor blinks, in pixels of the frame, if this change and the two before it
        were nothing else; None for any other change.

        Args:
            blocks: (height / 8, width / 8), as `episodes.media.signature.blocks` makes them.
            pts_us: when it was drawn.
        """
        self._shown.append(_Shown(blocks, pts_us))
        if len(self._shown) <= PROOF:
            return None
        first, second, third, fourth = self._shown
        if blocks_differ(first.blocks, third.blocks) or blocks_differ(second.blocks, fourth.blocks):
            return None
        for before, after in ((second, third), (third, fourth)):
            if not SHORTEST_US <= after.since_us - before.since_us <= LONGEST_US:
                return None
        return _bar(third.blocks, fourth.blocks)


def _bar(one: Luma, other: Luma) -> Box | None:
    """Where two pictures of one size differ, if that has a cursor's shape."""
    rows, columns = np.nonzero(cv2.absdiff(one, other) >= THRESHOLD)
    if not rows.size:
        return None
    left, right = int(columns.min()), int(columns.max()) + 1
    top, bottom = int(rows.min()), int(rows.max()) + 1
    if right - left > MAX_ACROSS or bottom - top > MAX_TALL or right - left > bottom - top:
        return None
    return Box(left * SHRINK, top * SHRINK, right * SHRINK, bottom * SHRINK)
