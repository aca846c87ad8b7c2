"""Masks as COCO writes them: run lengths down the columns of the whole picture, from the top left.

    {"size": [height, width], "counts": [zeros, ones, zeros, ...]}

Source: maskApi.h of cocodataset/cocoapi at 8c9bcc3; the uncompressed form, which its tools read.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from episodes.annotations import Mask
from episodes.geometry import Box, Size
from episodes.media import pictures

MAX_RUNS = 4_000_000


def runs_of(mask: Mask, frame: Size, picture: Size) -> dict[str, Any]:
    """Returns a mask of a frame as runs of the picture of that frame.

    Raises:
        KnownError: the mask is not a picture.
    """
    inside = pictures.decode(mask.png)[:, :, 0] > 127
    across, down = picture.width / frame.width, picture.height / frame.height
    whole = np.zeros((picture.height, picture.width), bool)
    rows = _places(picture.height, down, mask.box.top, inside.shape[0])
    columns = _places(picture.width, across, mask.box.left, inside.shape[1])
    if rows.size and columns.size:
        above = np.floor((rows + 0.5) / down).astype(int) - int(mask.box.top)
        beside = np.floor((columns + 0.5) / across).astype(int) - int(mask.box.left)
        above, beside = above.clip(0, inside.shape[0] - 1), beside.clip(0, inside.shape[1] - 1)
        whole[np.ix_(rows, columns)] = inside[np.ix_(above, beside)]
    flat = whole.T.reshape(-1)
    edges = np.flatnonzero(np.diff(flat)) + 1
    counts = np.diff(np.concatenate(([0], edges, [flat.size])))
    told = counts.tolist()
    return {
        "size": [picture.height, picture.width],
        "counts": [0, *told] if flat.size and flat[0] else told,
    }


def mask_of(told: Any) -> Mask | None:
    """Returns the mask of runs, cut to the box of what is inside; None if nothing is.

    Raises:
        ValueError: they are not runs of a picture, in a few words.
    """
    match told:
        case {"size": [int(height), int(width)], "counts": list(counts)}:
            pass
        case _:
            raise ValueError("its segmentation is neither runs nor polygons that can be read")
    if not (0 < height <= 20_000 and 0 < width <= 20_000 and height * width <= pictures.MAX_PIXELS):
        raise ValueError(f"its segmentation is of a picture of {width} by {height} pixels")
    if len(counts) > MAX_RUNS or not all(
        isinstance(n, int) and not isinstance(n, bool) and 0 <= n <= height * width for n in counts
    ):
        raise ValueError("its segmentation has runs that are no lengths")
    if sum(counts) != height * width:
        raise ValueError("the runs of its segmentation are not as long as the picture")
    values = np.zeros(len(counts), bool)
    values[1::2] = True
    whole = np.repeat(values, counts).reshape(width, height).T
    rows, columns = np.flatnonzero(whole.any(axis=1)), np.flatnonzero(whole.any(axis=0))
    if not rows.size:
        return None
    top, bottom = int(rows[0]), int(rows[-1]) + 1
    left, right = int(columns[0]), int(columns[-1]) + 1
    part = (whole[top:bottom, left:right] * np.uint8(255)).astype(np.uint8)
    return Mask(Box(left, top, right, bottom), pictures.encode_png(part))


def area_of(runs: dict[str, Any]) -> int:
    """Returns how many pixels are inside."""
    return int(sum(runs["counts"][1::2]))


def _places(length: int, scale: float, start: float, count: int) -> Any:
    """Pixels of a side of the picture whose middle is within the mask's side."""
    first = max(0, math.ceil(int(start) * scale - 0.5))
    last = min(length, math.ceil((int(start) + count) * scale - 0.5))
    return np.arange(first, max(first, last))
