"""The outline of a stored mask, and the mask of an outline that a person drew.

Outlines run through the middle of the mask's outermost pixels, in pixels of the step's frame.
"""

from __future__ import annotations

import math
import uuid
from collections.abc import Sequence

import cv2
import numpy as np

from episodes.annotations import Author, Mask, Provenance, Region, RegionSource
from episodes.errors import KnownError
from episodes.geometry import Box, Point, Size
from episodes.media.pictures import decode, encode_png, header

MAX_OUTLINES = 16
"""Maximum number of parts of a mask, the largest ones."""
_SLACK = 0.5


def trace_outlines(mask: Mask) -> tuple[tuple[Point, ...], ...]:
    """Returns the outer outlines of a mask, the largest first; holes are left out.

    Raises:
        KnownError: the picture cannot be read, or has another size than the mask's box.
    """
    box = mask.box
    wide, high = round(box.width), round(box.height)
    said = header(mask.png).size
    if (said.width, said.height) != (wide, high):
        raise KnownError(
            "read a mask",
            f"its picture has {said.width} × {said.height} pixels, its box {wide} × {high}",
            "Segment the step again.",
        )
    pixels = decode(mask.png)
    inside = pixels.max(axis=2) > 127
    found, _ = cv2.findContours(inside.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    largest = sorted(found, key=lambda one: -cv2.contourArea(one))[:MAX_OUTLINES]
    smooth = (cv2.approxPolyDP(one, _SLACK, closed=True) for one in largest)
    return tuple(
        tuple(Point(x + box.left + 0.5, y + box.top + 0.5) for x, y in one.reshape(-1, 2).tolist())
        for one in smooth
    )


def make_outlined_region(
    corners: Sequence[Point], size: Size, author: Author, label: str = ""
) -> Region:
    """Returns the region inside an outline that a person drew, with its mask, cut to the frame.

    Raises:
        KnownError: it has fewer than three corners, or covers nothing of the frame.
    """
    if len(corners) < 3:
        raise KnownError(
            "draw an outline",
            f"it has {len(corners)} corners",
            "Set at least three.",
        )
    left = max(0, math.floor(min(one.x for one in corners)))
    top = max(0, math.floor(min(one.y for one in corners)))
    right = min(size.width, math.ceil(max(one.x for one in corners)))
    bottom = min(size.height, math.ceil(max(one.y for one in corners)))
    if right <= left or bottom <= top:
        raise KnownError(
            "draw an outline", "it covers nothing of the frame", "Draw it on the picture."
        )
    pixels = np.zeros((bottom - top, right - left), np.uint8)
    points = [[round(one.x - left - 0.5), round(one.y - top - 0.5)] for one in corners]
    cv2.fillPoly(pixels, [np.array(points, np.int32)], 255)
    box = Box(left, top, right, bottom)
    mask = Mask(box, encode_png(pixels))
    name = str(uuid.uuid4())
    return Region(box, Provenance(RegionSource.PERSON), label, mask=mask, author=author, uuid=name)
