"""Boxes of a step's screen for benchmarks of the Android in the Wild family.

The data set's own boxes come from text recognition and icon detection. A step without them, because
it was recorded or belongs to another data set, gets the boxes of its tree: visible nodes that are
touchable, have text, or have no children. Without a tree it gets its regions.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from episodes.annotations import Status
from episodes.errors import KnownError
from episodes.geometry import Box, Native, Size
from episodes.native_boxes import FRACTION, PIXEL, YXHW, converted
from episodes.screens import TreeStatus
from episodes.steps import Step
from episodes.trees.readers import read_tree, scale_tree
from episodes.trees.step_trees import NoTree, tree_of_step
from episodes.trees.values import Tree
from scoring.protocol import CannotSay

ReadBoxes = Callable[[Step], tuple[Box, ...] | None]
MAX_BOXES = 100_000


def own_boxes(decoded: Any) -> tuple[YXHW, ...] | CannotSay | None:
    """Returns the boxes (y, x, height, width) of a data set's step; None if it has none.

    They may be in fractions or in pixels; they are not converted.
    """
    if decoded is None:
        return None
    if not isinstance(decoded, list) or len(decoded) > MAX_BOXES:
        return CannotSay("the step's boxes are no list that can be read")
    if not all(isinstance(box, list) and len(box) == 4 for box in decoded):
        return CannotSay("one of the step's boxes has not four numbers")
    rows = [[_number(number) for number in box] for box in decoded]
    if any(number is None for row in rows for number in row):
        return CannotSay("one of the step's boxes has not four numbers")
    return tuple((y or 0.0, x or 0.0, h or 0.0, w or 0.0) for y, x, h, w in rows)


def native_boxes(
    native: Native, unit: str, size: Size | None
) -> tuple[YXHW, ...] | CannotSay | None:
    """Returns the boxes of a step's own numbers, space "aitw" or "aitz", in a unit; None if it has
    none."""
    told = own_boxes(native.value.get("boxes")) if isinstance(native.value, dict) else None
    if told is None or isinstance(told, CannotSay):
        return told
    fractions = native.space == "aitw" or native.value.get("box_unit") == FRACTION
    own = FRACTION if fractions else PIXEL
    if own == unit or not told:
        return told
    if size is None:
        return CannotSay("the step has no frame to measure its boxes in")
    return converted(told, own, unit, size)


def pixel_boxes(step: Step) -> tuple[Box, ...] | None:
    """Returns the boxes of the tree that holds for a step, else of its regions, in pixels of its
    frame; None if it has neither."""
    tree = tree_of_step(step)
    return _boxes(step, None if isinstance(tree, NoTree) else tree)


def boxes_of_any_tree(step: Step) -> tuple[Box, ...] | None:
    """Returns the same, even of a tree that is stale, late or of a turned screen.

    The first versions of the protocols read trees so.
    """
    tree: Tree | None = None
    if step.frame is not None and step.tree is not None:
        record, size = step.tree.record, step.frame.size
        if record.status is TreeStatus.OK:
            with contextlib.suppress(KnownError):
                tree = scale_tree(read_tree(record.format, record.data), record.size or size, size)
    return _boxes(step, tree)


def _boxes(step: Step, tree: Tree | None) -> tuple[Box, ...] | None:
    if step.frame is None:
        return None
    found = None if tree is None else _tree_boxes(tree, step.frame.size)
    if found is None:
        regions = [region for region in step.regions if region.status is not Status.REJECTED]
        boxes = [region.box for region in regions if region.box is not None]
        found = tuple(boxes) or None
    return found


def fractions(box: Box, size: Size) -> YXHW:
    """Returns a box in pixels as (y, x, height, width), fractions of the frame."""
    return (
        box.top / size.height,
        box.left / size.width,
        box.height / size.height,
        box.width / size.width,
    )


def _tree_boxes(tree: Tree, size: Size) -> tuple[Box, ...]:
    screen = Box(0, 0, size.width, size.height)

    def boxes() -> Iterator[Box]:
        for node in tree.walk():
            shows = node.text or node.description or node.interactive or not node.children
            shown = node.box.intersection(screen)
            if node.visible and shows and shown.area > 0:
                yield shown

    return tuple(dict.fromkeys(boxes()))


def _number(decoded: Any) -> float | None:
    if decoded == "NaN":
        return float("nan")
    if isinstance(decoded, bool) or not isinstance(decoded, int | float) or abs(decoded) > 1e30:
        return None
    return float(decoded)
