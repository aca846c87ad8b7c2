"""Suggests candidates for presses from pictures, without a model.

A suggestion takes some hundredths of a second, mostly for decoding the picture: do not call from a
GUI thread. Nothing here writes to a library.
"""

from __future__ import annotations

import json

from annotator.candidates import needs_target
from annotator.gold_actions import current_gold
from annotator.suggestion.coefficients import VERSION
from annotator.suggestion.ranking import MODEL, Suggestion, make_regions, suggest
from episodes.actions import place
from episodes.annotations import Author, Region, RegionSource
from episodes.density import likely_pixels_per_dp
from episodes.episodes import Episode
from episodes.geometry import Box, Point, Size
from episodes.media.pictures import decode
from episodes.steps import Step
from episodes.store.stills import StillFiles

PROGRAM = Author("taptrail:shapes", "Taptrail's suggestions", "program")
"""Author of suggestions."""


def can_be_suggested(step: Step) -> bool:
    """Returns whether a step is a press on a picture without suggestions of this version."""
    frame, point = step.frame, _point(step)
    if frame is None or frame.still is None or frame.protected or point is None:
        return False
    return not any(_answers(region, point) for region in step.regions)


def suggestions(stills: StillFiles, episode: Episode, step: Step) -> list[Region]:
    """Returns suggestions for a step's press, best first; they are not stored.

    Returns [] if `can_be_suggested` is False or the picture suggests nothing.

    Raises:
        KnownError: the picture is missing or cannot be read.
    """
    frame, point = step.frame, _point(step)
    if not can_be_suggested(step) or frame is None or frame.still is None or point is None:
        return []
    still = frame.still
    pixels = decode(stills.read(still.sha256, still.media_type))
    shown = Size(pixels.shape[1], pixels.shape[0])
    across, down = shown.width / frame.size.width, shown.height / frame.size.height
    per_dp = likely_pixels_per_dp(episode.device, shown)
    made = suggest(pixels, Point(point.x * across, point.y * down), per_dp)
    if shown != frame.size:
        made = [_stretched(one, 1 / across, 1 / down) for one in made]
    return make_regions(made, point, episode.uuid, still.sha256)


def _point(step: Step) -> Point | None:
    """Returns the point of the press in force, if it is inside the frame."""
    action = current_gold(step).action
    point = place(action) if needs_target(action) else None
    if point is None or step.frame is None:
        return None
    size = step.frame.size
    return point if point in Box(0, 0, size.width, size.height) else None


def _answers(region: Region, point: Point) -> bool:
    made = region.provenance
    if (made.source, made.model, made.version) != (RegionSource.SUGGESTION, MODEL, VERSION):
        return False
    try:
        return bool(json.loads(made.prompts)["points"] == [[point.x, point.y]])
    except (ValueError, TypeError, KeyError):
        return False  # a different program wrote this


def _stretched(one: Suggestion, across: float, down: float) -> Suggestion:
    b = one.box
    box = Box(b.left * across, b.top * down, b.right * across, b.bottom * down)
    return Suggestion(box, one.kind, one.score, one.edges)
