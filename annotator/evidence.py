"""Measures the evidence for and against a region, as separate numbers.

Each is 0..1 and has one meaning; levels follow from them by rules (`annotator.choice`), never from
a sum. All are computed from boxes and provenance alone, so a level can be had again without the
picture.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from episodes.annotations import Region, RegionSource, Status
from episodes.geometry import Box, Point, Size

USUAL_SHARE, LARGEST_SHARE = 0.06, 0.25
"""Up to the first share of the frame a size is usual; from the second on no press means it."""
VISUAL = (RegionSource.SAM2, RegionSource.SUGGESTION)
"""Sources that looked at pixels."""


@dataclass(frozen=True, slots=True)
class RegionEvidence:
    """What is known of one region.

    Attributes:
        agreement: IoU with the program's choice: the best mask, or else the best suggestion; None
            without either.
        containment: share of that choice inside the region.
        support: the best IoU with any mask or suggestion; None if no picture was examined.
        score: what the program that drew it expects its IoU to be; None for the tree's.
        stability: of a mask; None for all others.
        size: 1 for a usual size, down to 0 at a quarter of the frame.
        centred: 1 where the press is on the middle, 0 on the edge.
    """

    agreement: float | None = None
    containment: float | None = None
    support: float | None = None
    score: float | None = None
    stability: float | None = None
    size: float = 0.0
    centred: float = 0.0


def measure_evidence(
    region: Region, point: Point, size: Size, seen: Sequence[Region]
) -> RegionEvidence:
    """Returns what is known of a region.

    Args:
        point: the press, in pixels of the frame.
        size: of the frame.
        seen: all regions that came from pixels.
    """
    box = region.box
    assert box is not None
    others = [one for one in seen if one is not region and one.box is not None]
    first = best_scored(others)
    return RegionEvidence(
        agreement=None if first is None else overlap(box, first),
        containment=None if first is None else contained_share(first, box),
        support=max((overlap(box, one) for one in others), default=None),
        score=region.provenance.score,
        stability=region.provenance.stability,
        size=size_prior(frame_share(box, size)),
        centred=centredness(box, point),
    )


def visual_regions(regions: Iterable[Region]) -> list[Region]:
    """Returns those that came from pixels, have a box and were not rejected; each uuid once.

    Of suggestions only those of each program's newest version: scores of two versions cannot be
    compared.
    """
    kept: dict[str, Region] = {}
    for at, one in enumerate(regions):
        if one.provenance.source in VISUAL and one.box is not None:
            kept[one.uuid or str(at)] = one
    newest: dict[str, int] = {}
    for one in kept.values():
        if one.provenance.source is RegionSource.SUGGESTION:
            model = one.provenance.model
            newest[model] = max(newest.get(model, 0), _version(one))
    return [
        one
        for one in kept.values()
        if one.status is not Status.REJECTED
        and (
            one.provenance.source is not RegionSource.SUGGESTION
            or _version(one) == newest[one.provenance.model]
        )
    ]


def _version(one: Region) -> int:
    said = one.provenance.version
    return int(said) if said.isascii() and said.isdecimal() and len(said) < 10 else 0


def best_scored(seen: Sequence[Region]) -> Region | None:
    """Returns what would be taken by its own score: a mask before any suggestion."""
    return max(
        seen,
        key=lambda one: (
            one.provenance.source is RegionSource.SAM2,
            one.provenance.score or 0.0,
        ),
        default=None,
    )


def overlap(box: Box, region: Region) -> float:
    """Returns the IoU of a box and a region's box."""
    return 0.0 if region.box is None else box.overlap(region.box)


def contained_share(region: Region, box: Box) -> float:
    """Returns how much of a region's box is inside another box, 0..1."""
    own = region.box
    return 0.0 if own is None or not own.area else own.intersection(box).area / own.area


def frame_share(box: Box, size: Size) -> float:
    """Returns how much of the frame a box covers, 0..1."""
    return box.area / (size.width * size.height)


def size_prior(of_frame: float) -> float:
    """Returns 1 up to a usual share of the frame, falling to 0 at the largest one."""
    left = (LARGEST_SHARE - of_frame) / (LARGEST_SHARE - USUAL_SHARE)
    return min(max(left, 0.0), 1.0)


def centredness(box: Box, point: Point) -> float:
    """Returns 1 on the middle of a box, 0 on its edge and outside."""
    if box.width <= 0 or box.height <= 0:
        return 0.0
    off = max(
        abs(point.x - box.centre.x) / box.width * 2, abs(point.y - box.centre.y) / box.height * 2
    )
    return max(0.0, 1.0 - off)


def parse_prompts(region: Region) -> dict[str, Any]:
    """Returns what a program wrote down of its work: points, kind, edges; {} where unreadable."""
    try:
        value = json.loads(region.provenance.prompts or "{}")
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def count_edge_sides(region: Region, seen: Sequence[Region]) -> int:
    """Returns how many sides of a box lie on edges, as it was told of it or of one nearly alike."""
    alike = [one for one in seen if region.box is not None and overlap(region.box, one) >= 0.7]
    counts = [parse_prompts(one).get("edges") for one in (region, *alike)]
    return max((count for count in counts if isinstance(count, int)), default=0)
