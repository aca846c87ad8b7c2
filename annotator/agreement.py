"""Agreement of two annotators who marked the same steps in a blind round.

It reports three numbers, because none of them is enough alone:

* **Same region**: the share of steps at which both marked boxes with an IoU of at least 0.5, or
  both said that there is no target.
* **Cohen's kappa** over the category of each choice, relative to what the rule proposes: the
  *proposal* (IoU of at least 0.5 with it), *another* region, or *none*. Where the rule proposes
  nothing, every box is another region. Two different other regions are one category here: that they
  lie apart is told by the same region and by the IoU. A second kappa looks only at whether there is
  a target.
* **IoU** of the two boxes, mean and median, over the steps at which both marked one.

    kappa = (observed - expected) / (1 - expected)

with `observed` the share of steps in the same category and `expected` the sum over the categories
of the product of both people's shares. Where both used one and the same category throughout,
`expected` is 1 and kappa says nothing: it is None.

Source: Cohen, "A coefficient of agreement for nominal scales", 1960.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean, median

from episodes.geometry import Box

SAME_REGION_IOU = 0.5
"""From this IoU on two boxes are the same region."""


class Category(StrEnum):
    """What one person's choice was."""

    PROPOSAL = "proposal"
    OTHER = "other"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class ChoicePair:
    """What two people chose at one step.

    Attributes:
        kind: of the element under the press, for the counts by kind ("Button").
        proposal: what the rule takes there; None if it takes nothing.
        first, second: their boxes; None if one says that there is no target.
    """

    kind: str
    proposal: Box | None
    first: Box | None
    second: Box | None

    @property
    def iou(self) -> float | None:
        """Of both boxes; None if one of them marked none."""
        if self.first is None or self.second is None:
            return None
        return self.first.overlap(self.second)

    @property
    def same(self) -> bool:
        """Whether both chose the same region, or both none."""
        iou = self.iou
        return self.first is None and self.second is None if iou is None else iou >= SAME_REGION_IOU

    @property
    def categories(self) -> tuple[Category, Category]:
        """What each choice was."""
        return classify_choice(self.first, self.proposal), classify_choice(
            self.second, self.proposal
        )


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two people agree over some steps.

    Attributes:
        steps: how many both decided.
        same: at how many of them they chose the same region.
        both: how many both marked with a box; the IoU is of these.
        mean_iou, median_iou: None if there are none.
        kappa: over the three categories; None if undefined.
        kappa_target: over whether there is a target; None if undefined.
    """

    steps: int
    same: int
    both: int
    mean_iou: float | None
    median_iou: float | None
    kappa: float | None
    kappa_target: float | None


def classify_choice(box: Box | None, proposal: Box | None) -> Category:
    """Returns the category of a choice, given the rule's proposal."""
    if box is None:
        return Category.NONE
    if proposal is not None and box.overlap(proposal) >= SAME_REGION_IOU:
        return Category.PROPOSAL
    return Category.OTHER


def measure_agreement(pairs: Sequence[ChoicePair]) -> Agreement:
    """Returns the agreement of two people over these steps."""
    ious = [iou for pair in pairs if (iou := pair.iou) is not None]
    return Agreement(
        steps=len(pairs),
        same=sum(pair.same for pair in pairs),
        both=len(ious),
        mean_iou=fmean(ious) if ious else None,
        median_iou=median(ious) if ious else None,
        kappa=kappa([pair.categories for pair in pairs]),
        kappa_target=kappa([(pair.first is None, pair.second is None) for pair in pairs]),
    )


def measure_agreement_by_kind(pairs: Sequence[ChoicePair]) -> dict[str, Agreement]:
    """Returns the same for each kind of element, those with most steps first."""
    counts = Counter(pair.kind for pair in pairs)
    return {
        kind: measure_agreement([pair for pair in pairs if pair.kind == kind])
        for kind, _ in sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    }


def kappa(said: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Returns Cohen's kappa of two people's categories; None if undefined."""
    if not said:
        return None
    total = len(said)
    observed = sum(one == other for one, other in said)
    first, second = Counter(one for one, _ in said), Counter(other for _, other in said)
    expected = sum(count * second[name] for name, count in first.items())
    if expected == total * total:
        return None
    # In whole numbers as long as it goes, so that 1 is 1.
    return (observed * total - expected) / (total * total - expected)
