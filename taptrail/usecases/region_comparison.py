"""Agreement of SAM 2's masks, suggestions, trees, people and data sets on the target of presses.

For each press with a box on the reference side, the other side's box is compared with it. A program
is represented by its best-scored box, people and data sets by their last choice. The tree is
represented by the element its rule chooses, if the tree is fresh or belongs to a data set and the
rule's confidence is not low.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from annotator.candidates import Level, find_candidates, needs_target
from annotator.evidence import parse_prompts as told_of
from annotator.gold_actions import current_gold
from annotator.region_agreement import (
    RegionAgreement,
    RegionPair,
    classify_element,
    matching_element,
    measure_by_kind,
)
from episodes.actions import place
from episodes.annotations import Region, RegionSource, Status
from episodes.density import likely_pixels_per_dp
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.geometry import Box
from episodes.runs import StepSet
from episodes.steps import Step
from episodes.store.library import EVERYTHING, Library
from episodes.store.queries import EpisodeQuery
from episodes.trees.step_trees import NoTree, tree_of_step

SIDES = ("sam2", "suggestion", "accessibility", "person", "import")
"""Sources of regions; any two can be compared."""
_PROGRAMS = ("sam2", "suggestion")


@dataclass(frozen=True, slots=True)
class RegionComparison:
    """Agreement of two sources of regions, by kind of element.

    Attributes:
        model, version: of the program that made the source's regions; "" for other sources.
        step_set: the compared presses, with the hash of their names.
        presses: number of all presses.
        unknown: number of presses without a box on the reference side.
        rows: one for each kind of element, then one for all.
    """

    source: str
    against: str
    model: str
    version: str
    step_set: StepSet
    presses: int
    unknown: int
    rows: tuple[RegionAgreement, ...]


def compare_regions(
    library: Library,
    source: str = "sam2",
    against: str = "accessibility",
    *,
    query: EpisodeQuery = EVERYTHING,
    names: Sequence[str] = (),
    dataset: str | None = None,
    model: str = "",
    on_progress: Callable[[int, int | None], None] = lambda done, total: None,
) -> RegionComparison:
    """Compares the source's boxes with those of the reference side.

    Args:
        source, against: two of `SIDES`.
        names: episodes of `dataset`; () for all that `query` finds.
        model: name or "name version"; needed if several models made regions.

    Raises:
        KnownError: both sides are the same, several models made regions and none is named, or the
            named one made none.
    """
    if source == against:
        raise KnownError(
            "compare regions", f"both sides are {source}", f"Take two of {', '.join(SIDES)}."
        )
    pairs: list[RegionPair] = []
    lines: list[str] = []
    made: Counter[tuple[str, str]] = Counter()
    presses = unknown = 0
    for episode, step in _presses(library, query, names, dataset, on_progress):
        presses += 1
        regions = _regions(episode, step, source)
        if source in _PROGRAMS:
            made.update({(one.provenance.model, one.provenance.version) for one in regions})
            regions = [one for one in regions if _is_of(one, model)]
        measure = _first(_regions(episode, step, against))
        if measure is None:
            unknown += 1
            continue
        pairs.append(_pair(episode, step, regions, measure))
        origin = episode.origin
        lines.append(f"{origin.dataset}/{origin.version}/{episode.name}/{step.index}\n")
    name, version = _one_model(made, model, source)
    digest = hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()
    called = ", ".join(names) or query.dataset or "all"
    return RegionComparison(
        source,
        against,
        name,
        version,
        StepSet(called, len(lines), digest),
        presses,
        unknown,
        measure_by_kind(pairs),
    )


def _presses(
    library: Library,
    query: EpisodeQuery,
    names: Sequence[str],
    dataset: str | None,
    on_progress: Callable[[int, int | None], None],
) -> Iterator[tuple[Episode, Step]]:
    total = len(names) or library.count(query)
    named = (library.episode(one, dataset) for one in names)
    for done, episode in enumerate(named if names else library.iterate(query), start=1):
        for step in episode.steps:
            action = current_gold(step).action
            if needs_target(action) and place(action) is not None and step.frame is not None:
                yield episode, step
        on_progress(done, total)


def _regions(episode: Episode, step: Step, side: str) -> list[Region]:
    """Returns a side's regions for a press, best first."""
    if side == "accessibility":
        return _by_tree(episode, step)
    source = RegionSource(side)
    found = [
        one
        for one in step.regions
        if one.provenance.source is source and one.box is not None and one.box.area > 0
    ]
    if side in _PROGRAMS:
        found = [one for one in found if _of_the_press_alone(one, step)]
        return sorted(found, key=lambda one: -(one.provenance.score or 0.0))
    found = [one for one in found if one.status is not Status.REJECTED]
    return sorted(reversed(found), key=lambda one: not one.chosen)


def _of_the_press_alone(region: Region, step: Step) -> bool:
    """Returns whether the press was the only prompt, and has not moved since."""
    if region.author is not None:
        return False
    points = told_of(region).get("points")
    at = place(current_gold(step).action)
    return points is None or (at is not None and points == [[at.x, at.y]])


def _by_tree(episode: Episode, step: Step) -> list[Region]:
    found = find_candidates(step, episode.uuid)
    if found is None or found.proposed is None or found.level is Level.LOW:
        return []
    return [found.found[found.proposed].region]


def _first(regions: Sequence[Region]) -> Box | None:
    return regions[0].box if regions else None


def _pair(episode: Episode, step: Step, regions: Sequence[Region], measure: Box) -> RegionPair:
    assert step.frame is not None
    size = step.frame.size
    tree = tree_of_step(step)
    node = None if isinstance(tree, NoTree) else matching_element(measure, tree.walk())
    kind = classify_element(measure, node, size, likely_pixels_per_dp(episode.device, size))
    boxes = tuple(one.box for one in regions if one.box is not None)
    return RegionPair(kind, boxes[0] if boxes else None, boxes, measure)


def _is_of(region: Region, model: str) -> bool:
    made = region.provenance
    return model in ("", made.model, f"{made.model} {made.version}")


def _one_model(made: Counter[tuple[str, str]], model: str, source: str) -> tuple[str, str]:
    if source not in _PROGRAMS:
        return "", ""
    fitting = [one for one in made if model in ("", one[0], " ".join(one))]
    if len(fitting) == 1:
        return fitting[0]
    doing = f"compare the regions of {source}"
    if fitting:
        names = ", ".join(f"“{name} {version}”" for name, version in sorted(fitting))
        raise KnownError(
            doing, f"several drew some: {names}", "Say which with --model NAME or “NAME VERSION”."
        )
    said = f"none of “{model}” is there" if model else "there are none"
    make = "taptrail segment" if source == "sam2" else "taptrail regions propose --suggest"
    raise KnownError(doing, said, f"Make them with: {make}")
