"""What a press on a picture meant, guessed from pixels alone and ranked.

It answers in some hundredths of a second and needs no weights file. It is right often enough to
be corrected quickly, not often enough to be believed: see docs/annotating.md for how good it is.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from annotator.suggestion.band import Pixels, cut_band
from annotator.suggestion.coefficients import CALIBRATION, VERSION, WEIGHTS
from annotator.suggestion.features import FEATURES, compute_features
from annotator.suggestion.shapes import guess_boxes
from episodes.annotations import Provenance, Region, RegionSource
from episodes.geometry import Box, Point

MODEL = "taptrail-shapes"
SAME_BOX_IOU = 0.9
"""Boxes that overlap by more are one suggestion."""
MAX_SUGGESTIONS = 12
"""No more suggestions than this are given for a press."""
_WEIGHTS = np.array([WEIGHTS[name] for name in FEATURES])


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One guess.

    Attributes:
        box: in whole pixels of the frame.
        kind: how it came about: "fill", "ink", "padded", "text", "square", "row", "cell", "pitch".
        score: the IoU with the meant element that is to be expected, 0..1.
        edges: how many of its sides lie on edges of the picture.
    """

    box: Box
    kind: str
    score: float
    edges: int


def suggest(pixels: Pixels, point: Point, per_dp: float) -> list[Suggestion]:
    """Returns suggestions for a press, best first; [] if the picture shows nothing.

    Args:
        pixels: the frame, (rows, columns, 3), RGB.
        point: in pixels of the frame.
        per_dp: pixels of the frame per dp.

    Raises:
        ValueError: the point is outside of the frame.
    """
    if not (0 <= point.x < pixels.shape[1] and 0 <= point.y < pixels.shape[0]):
        raise ValueError(f"there is no pixel at {point.x}, {point.y}")
    around = cut_band(pixels, point, per_dp)
    found = guess_boxes(around)
    if not found:
        return []
    numbers, edges = compute_features(around, found)
    raw = numbers @ _WEIGHTS
    kept: list[Suggestion] = []
    for at in np.argsort(-raw, kind="stable"):
        box = around.in_frame(found[at].box)
        if all(box.overlap(one.box) <= SAME_BOX_IOU for one in kept):
            score = round(calibrate(float(raw[at])), 4)
            kept.append(Suggestion(box, found[at].kind, score, int(edges[at])))
        if len(kept) == MAX_SUGGESTIONS:
            break
    return kept


def calibrate(raw: float) -> float:
    """Returns the IoU to be expected of the best guess when the ranking says `raw`, 0..1."""
    offset, factor = CALIBRATION
    return min(max(offset + factor * raw, 0.0), 1.0)


def make_regions(
    made: Sequence[Suggestion], point: Point, episode: str, frame: str
) -> list[Region]:
    """Returns suggestions as regions to keep; the same ones have the same uuids everywhere.

    Args:
        point: the press they answer.
        episode: uuid of the step's episode.
        frame: sha256 of the picture.
    """
    kept = []
    for one in made:
        said = {"points": [[point.x, point.y]], "kind": one.kind, "edges": one.edges}
        b = one.box
        name = (
            f"{episode}/{frame}/{VERSION}/{point.x},{point.y}/{b.left},{b.top},{b.right},{b.bottom}"
        )
        kept.append(
            Region(
                b,
                Provenance(
                    RegionSource.SUGGESTION,
                    MODEL,
                    VERSION,
                    json.dumps(said, separators=(",", ":")),
                    one.score,
                ),
                uuid=str(uuid.uuid5(uuid.NAMESPACE_URL, f"taptrail:suggestion/{name}")),
            )
        )
    return kept
