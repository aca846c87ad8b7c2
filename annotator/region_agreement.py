"""How well two sources of regions agree, by kind of element.

The kind follows from written rules, the first that holds:

1. field: text can be typed into it, or its class says so;
2. icon: neither side is longer than 64 dp;
3. button: its class says so (Button, CheckBox, Chip, RadioButton, Switch, Tab, ToggleButton);
4. text: its class is TextView and no touch does anything on it;
5. row: at least three quarters as wide as the frame, and at most 160 dp high;
6. button: at most 64 dp high;
7. card: at most a quarter of the frame;
8. other.

Rules 1, 3 and 4 need an element of a tree; a box that nobody knows an element of is told by its
size alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from annotator.evidence import LARGEST_SHARE, frame_share
from episodes.geometry import Box, Size
from episodes.trees.values import Node

ICON_DP, LOW_DP, ROW_DP = 64, 64, 160
ROW_WIDTH = 0.75
HALF, THREE_QUARTERS = 0.5, 0.75
SAME_ELEMENT = 0.5
"""From this IoU on, a box is that of an element, for its kind."""
_FIELDS = ("EditText", "AutoCompleteTextView", "TextField", "SearchView")
_BUTTONS = ("Button", "CheckBox", "Chip", "RadioButton", "Switch", "Tab", "TabView", "ToggleButton")


class ElementKind(StrEnum):
    """What a person would call an element."""

    BUTTON = "button"
    FIELD = "field"
    CARD = "card"
    ROW = "row"
    ICON = "icon"
    TEXT = "text"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class RegionPair:
    """The boxes of two sources for one press.

    Attributes:
        kind: of the element of the other source.
        box: what the source takes by itself; None if it has nothing for this press.
        boxes: all it has, which `box` is one of.
        against: what it is measured by.
    """

    kind: ElementKind
    box: Box | None
    boxes: tuple[Box, ...]
    against: Box


@dataclass(frozen=True, slots=True)
class RegionAgreement:
    """The presses of one kind, or of all.

    Attributes:
        kind: None for all.
        n: how many both sources have a box for.
        missing: how many more only the other source has one for.
        mean_iou: of the boxes that are taken.
        above_half, above_three_quarters: how many have an IoU above that, of n.
        inside: how much of the box is inside the other, on average.
        covered: how much of the other it covers, on average.
        best_iou: mean IoU of the best box the source has: what a perfect choice would reach.
    """

    kind: ElementKind | None
    n: int
    missing: int
    mean_iou: float | None
    above_half: int
    above_three_quarters: int
    inside: float | None
    covered: float | None
    best_iou: float | None


def classify_element(box: Box, node: Node | None, size: Size, per_dp: float) -> ElementKind:
    """Returns what kind of element a box is.

    Args:
        node: the element it is the box of; None if unknown.
        size: of the frame.
        per_dp: pixels of the frame per dp.
    """
    width, height = box.width / per_dp, box.height / per_dp
    name = "" if node is None else node.class_name.rpartition(".")[2]
    if node is not None and (node.editable or name.endswith(_FIELDS)):
        return ElementKind.FIELD
    if max(width, height) <= ICON_DP:
        return ElementKind.ICON
    if name.endswith(_BUTTONS):
        return ElementKind.BUTTON
    if node is not None and name.endswith("TextView") and not node.interactive:
        return ElementKind.TEXT
    if box.width >= ROW_WIDTH * size.width and height <= ROW_DP:
        return ElementKind.ROW
    if height <= LOW_DP:
        return ElementKind.BUTTON
    return ElementKind.CARD if frame_share(box, size) <= LARGEST_SHARE else ElementKind.OTHER


def matching_element(box: Box, nodes: Iterable[Node]) -> Node | None:
    """Returns the element whose box a region's is, the innermost of equal ones; None for none."""
    best, found = SAME_ELEMENT, None
    for node in nodes:
        overlap = box.overlap(node.box)
        if overlap >= best:
            best, found = overlap, node
    return found


def measure_by_kind(pairs: Sequence[RegionPair]) -> tuple[RegionAgreement, ...]:
    """Returns the agreement of each kind that occurs, ordered as in `ElementKind`, then of all."""
    by_kind = {kind: [pair for pair in pairs if pair.kind is kind] for kind in ElementKind}
    kinds = [_agreement(kind, found) for kind, found in by_kind.items() if found]
    return (*kinds, _agreement(None, pairs))


def _agreement(kind: ElementKind | None, pairs: Sequence[RegionPair]) -> RegionAgreement:
    both = [(pair, pair.box) for pair in pairs if pair.box is not None]
    ious = [box.overlap(pair.against) for pair, box in both]
    shared = [box.intersection(pair.against).area for pair, box in both]
    return RegionAgreement(
        kind,
        len(both),
        len(pairs) - len(both),
        _mean(ious),
        sum(iou > HALF for iou in ious),
        sum(iou > THREE_QUARTERS for iou in ious),
        _mean([_part(one, box) for one, (_, box) in zip(shared, both, strict=True)]),
        _mean([_part(one, pair.against) for one, (pair, _) in zip(shared, both, strict=True)]),
        _mean([max(one.overlap(pair.against) for one in pair.boxes) for pair, _ in both]),
    )


def _part(area: float, box: Box) -> float:
    return area / box.area if box.area else 0.0


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
