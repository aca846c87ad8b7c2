"""From the model's small mask to a box, a shape and its numbers, in pixels of the frame.

The model answers with logits on a grid a quarter of its square. Blown up to the frame that would
be millions of pixels for a button; here only the window around what is above zero is computed,
with the same result.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from annotator.sam2.values import MaskProposal, Prompt
from episodes.geometry import Box, Point

Logits = npt.NDArray[np.float32]
Pixels = npt.NDArray[np.bool_]

STABILITY_STEP = 1.0
"""How far the cut moves up and down for a mask's stability, in logits."""
POLYGON_SLACK = 0.5
"""An outline may leave the mask's edge by this part of a pixel, to have fewer corners."""
MAX_POLYGONS = 16
ROWS = 32
"""Of a window, computed at a time: as many as stay in the processor's own memory."""


def make_proposal(logits: Logits, score: float, view: Box, prompt: Prompt) -> MaskProposal | str:
    """Returns one mask as a proposal, or in a few words why it is none.

    Args:
        logits: the model's answer, rows by columns, over the whole view.
        score: the IoU the model expects.
        view: what the model was shown, whole pixels of the frame.
    """
    if not np.isfinite(logits).all() or not np.isfinite(score):
        return "is not a number"
    found = upscale_mask(logits, round(view.width), round(view.height))
    if found is None:
        return "is empty"
    pixels, left, top = found
    left, top = left + round(view.left), top + round(view.top)
    pixels = keep_prompted_part(pixels, [Point(one.x - left, one.y - top) for one in prompt.points])
    rows, columns = np.flatnonzero(pixels.any(axis=1)), np.flatnonzero(pixels.any(axis=0))
    pixels = pixels[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    left, top = left + int(columns[0]), top + int(rows[0])
    height, width = pixels.shape
    box = Box(left, top, left + width, top + height)
    return MaskProposal(
        box,
        encode_runs(pixels),
        trace_polygons(pixels, left, top),
        score=min(max(float(score), 0.0), 1.0),
        stability=stability(logits),
        area=int(pixels.sum()),
        sides=sum(
            (
                box.left <= view.left,
                box.top <= view.top,
                box.right >= view.right,
                box.bottom >= view.bottom,
            )
        ),
    )


def upscale_mask(logits: Logits, width: int, height: int) -> tuple[Pixels, int, int] | None:
    """Returns the mask where it is not empty, with its left and top; None for an empty one.

    The same pixels as blowing all of it up to width x height, bilinear with half-pixel centres,
    and cutting at zero.
    """
    above = logits > 0
    rows, columns = np.flatnonzero(above.any(axis=1)), np.flatnonzero(above.any(axis=0))
    if not len(rows):
        return None
    top, bottom = _reach(rows, logits.shape[0], height)
    left, right = _reach(columns, logits.shape[1], width)
    y0, y1, fy = _between(np.arange(top, bottom), logits.shape[0], height)
    x0, x1, fx = _between(np.arange(left, right), logits.shape[1], width)
    across = logits[:, x0] * (1 - fx) + logits[:, x1] * fx
    pixels = np.empty((bottom - top, right - left), np.bool_)
    for at in range(0, len(pixels), ROWS):
        some = slice(at, at + ROWS)
        value = across[y0[some]] * (1 - fy[some])[:, None]
        value += across[y1[some]] * fy[some][:, None]
        np.greater(value, 0, out=pixels[some])
    return (pixels, left, top) if pixels.any() else None


def stability(logits: Logits) -> float:
    """Returns the IoU of the mask cut a step higher and a step lower, 0 if both are empty."""
    higher = int((logits > STABILITY_STEP).sum())
    lower = int((logits > -STABILITY_STEP).sum())
    return higher / lower if lower else 0.0


def keep_prompted_part(pixels: Pixels, points: list[Point]) -> Pixels:
    """Returns the mask without what does not hang together with the places pointed at.

    Where no place is on the mask, its largest connected part is taken.
    """
    count, labels = cv2.connectedComponents(pixels.view(np.uint8), connectivity=8)
    if count <= 2:
        return pixels
    height, width = pixels.shape
    touched = {
        int(labels[int(one.y), int(one.x)])
        for one in points
        if 0 <= one.x < width and 0 <= one.y < height
    } - {0}
    if not touched:
        touched = {int(np.bincount(labels.ravel())[1:].argmax()) + 1}
    return np.isin(labels, list(touched))


def encode_runs(pixels: Pixels) -> tuple[int, ...]:
    """Returns the lengths of runs outside, inside, outside, ..., column by column."""
    flat = np.concatenate(([False], pixels.ravel(order="F")))
    edges = np.flatnonzero(flat[1:] != flat[:-1])
    return tuple(np.diff(np.concatenate(([0], edges, [pixels.size]))).tolist())


def mask_pixels(mask: MaskProposal) -> Pixels:
    """Returns a proposal's mask inside its box, rows by columns."""
    return decode_runs(mask.runs, round(mask.box.width), round(mask.box.height))


def decode_runs(lengths: tuple[int, ...], width: int, height: int) -> Pixels:
    """Returns the pixels that `encode_runs` came from, rows by columns.

    Raises:
        ValueError: the runs do not fill width x height.
    """
    if min(lengths, default=0) < 0 or sum(lengths) != width * height:
        raise ValueError(f"runs of {sum(lengths)} pixels do not fill {width}x{height}")
    inside = np.arange(len(lengths)) % 2 == 1
    flat: Pixels = np.repeat(inside, lengths)
    return flat.reshape((height, width), order="F")


def trace_polygons(pixels: Pixels, left: int, top: int) -> tuple[tuple[Point, ...], ...]:
    """Returns the outer outlines in pixels of the frame, the largest first, at most sixteen."""
    found, _ = cv2.findContours(pixels.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    ordered = sorted(found, key=lambda one: -cv2.contourArea(one))[:MAX_POLYGONS]
    smooth = (cv2.approxPolyDP(one, POLYGON_SLACK, closed=True) for one in ordered)
    return tuple(
        tuple(Point(float(x) + left, float(y) + top) for x, y in one.reshape(-1, 2).tolist())
        for one in smooth
    )


def _reach(cells: npt.NDArray[np.intp], count: int, pixels: int) -> tuple[int, int]:
    """The pixels that the cells may reach when `count` cells are blown up to `pixels`."""
    per_cell = pixels / count
    first = int((cells[0] - 0.5) * per_cell) - 1
    last = int((cells[-1] + 1.5) * per_cell) + 2
    return max(first, 0), min(last, pixels)


def _between(
    at: npt.NDArray[np.intp], count: int, pixels: int
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], npt.NDArray[np.float32]]:
    """The two cells each pixel lies between, and how near it is to the second, 0..1."""
    place = np.maximum((at + 0.5) * (count / pixels) - 0.5, 0)
    lower = place.astype(np.intp)
    share = (place - lower).astype(np.float32)
    return lower, np.minimum(lower + 1, count - 1), share
