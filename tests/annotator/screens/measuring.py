"""How good suggestions, doubts in foreign trees and levels are, on screens that are known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from annotator.choice import choose_target
from annotator.suggestion.ranking import make_regions, suggest
from episodes.annotations import Region
from episodes.screens import TreeFit
from tests.annotator.screens.faults import Faulty, faulty, joined
from tests.annotator.screens.values import Click, Screen, clicks

RIGHT = 0.8
"""From this IoU with the true box on, a region is right."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What came out.

    Attributes:
        levels: of each level, how many regions were taken and how many of them are right.
        faults: of each fault, how many regions were marked high and how many of them are right.
        kept: share of true trees with a box under the press that were not doubted.
        rejected: share of trees of another screen with a wrong box under the press that were.
        foreign: how many of these there were.
        suggestion: mean IoU of the best suggestion with the true box.
    """

    presses: int
    levels: dict[str, tuple[int, int]]
    faults: dict[str, tuple[int, int]]
    kept: float
    rejected: float
    foreign: int
    suggestion: float


def measured(screens: Sequence[Screen], presses: int, seed: int) -> Measured:
    """Returns what comes out for so many presses on screens that have trees."""
    made = list(clicks(list(screens), presses, seed))
    seen = [suggested(click) for click in made]
    levels: dict[str, list[bool]] = defaultdict(list)
    faults: dict[str, list[bool]] = defaultdict(list)
    for one, found in zip(faulty(made, list(screens), seed), seen, strict=True):
        chosen = choose_target(one.step, "episode", one.click.screen.per_dp, found)
        assert chosen is not None
        right = is_right(chosen.region, one)
        levels[chosen.level.value].append(right)
        if chosen.level.value == "high":
            faults[one.fault].append(right)
    kept, rejected = _doubts(made, list(screens), seen, seed)
    return Measured(
        presses,
        {level: (len(all_), sum(all_)) for level, all_ in levels.items()},
        {fault: (len(all_), sum(all_)) for fault, all_ in faults.items()},
        float(np.mean(kept)),
        float(np.mean(rejected)),
        len(rejected),
        mean_overlap(made, seen),
    )


@dataclass(frozen=True, slots=True)
class OnImported:
    """Presses on screens with exact trees that count as imported, of `presses` each.

    Attributes:
        alone: how many regions the tree alone gets right.
        suggestions: how many are right with suggestions beside it.
        agreeing: how many suggestions and tree agree on (level high).
    """

    presses: int
    alone: int
    suggestions: int
    agreeing: int


def on_imported(screens: Sequence[Screen], presses: int, seed: int) -> OnImported:
    """Returns what suggestions make of imported trees that are exact."""
    alone = both = agreeing = 0
    for at, click in enumerate(clicks(list(screens), presses, seed)):
        step = joined(at, click, click.screen.tree)
        assert step.tree is not None
        step = replace(step, tree=replace(step.tree, fit=TreeFit.IMPORTED))
        found = [
            choose_target(step, "episode", click.screen.per_dp, more)
            for more in ((), suggested(click))
        ]
        right = [
            one is not None
            and one.region is not None
            and one.region.box is not None
            and one.region.box.overlap(click.truth) >= RIGHT
            for one in found
        ]
        alone += right[0]
        both += right[1]
        agreeing += found[1] is not None and found[1].level.value == "high"
    return OnImported(presses, alone, both, agreeing)


def suggested(click: Click) -> list[Region]:
    """Returns what is suggested for a press, as regions."""
    found = suggest(click.screen.pixels, click.point, click.screen.per_dp)
    return make_regions(found, click.point, "episode", click.screen.app)


def mean_overlap(made: Sequence[Click], seen: Sequence[list[Region]]) -> float:
    """Returns the mean IoU of the best suggestion with the true box; none counts as 0."""
    return float(
        np.mean(
            [
                found[0].box.overlap(click.truth) if found and found[0].box else 0.0
                for click, found in zip(made, seen, strict=True)
            ]
        )
    )


def is_right(region: Region | None, one: Faulty) -> bool:
    """Returns whether a region is the pressed element."""
    return (
        region is not None
        and region.box is not None
        and region.box.overlap(one.click.truth) >= RIGHT
    )


def _doubts(
    made: list[Click], screens: list[Screen], seen: list[list[Region]], seed: int
) -> tuple[list[bool], list[bool]]:
    """For each press with its own whole tree, and with one of another screen: what was doubted."""
    chance = np.random.default_rng(seed)
    kept, rejected = [], []
    for at, (click, found) in enumerate(zip(made, seen, strict=True)):
        others = [one.tree for one in screens if one.tree != click.screen.tree]
        foreign = others[int(chance.integers(len(others)))]
        for own, data in ((True, click.screen.tree), (False, foreign)):
            step = joined(at, click, data)
            chosen = choose_target(step, "episode", click.screen.per_dp, found)
            assert chosen is not None
            place = chosen.tree.proposed
            if place is None:
                continue
            box = chosen.tree.found[place].region.box
            if own:
                kept.append(not chosen.doubted)
            elif box is not None and box.overlap(click.truth) < RIGHT:
                rejected.append(chosen.doubted)
    return kept, rejected
