"""Elements of a step's screen, as the evaluators extract them from its tree.

Each evaluator keeps a different selection. The order is the tree's: windows from the lowest layer,
in them parents before children. A data set's file may have another order, which matters only
between boxes of equal size or distance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.geometry import Box
from episodes.screens import TreeStatus
from episodes.steps import Step
from episodes.trees.readers import read_tree, scale_tree
from episodes.trees.step_trees import NoTree, tree_of_step
from episodes.trees.values import Node, Tree
from scoring.protocol import CannotSay, ScoringProtocol

LTRB = tuple[float, float, float, float]
Gold = Callable[[Step, Episode], Any]
ReadScreen = Callable[[Step], "Screen | CannotSay"]
LABELLED_CLASSES = ("Switch", "EditText")


@dataclass(frozen=True, slots=True)
class Element:
    """A node: its box (left, top, right, bottom) in pixels, and its texts and flags."""

    box: LTRB
    text: str = ""
    description: str = ""
    hint: str = ""
    tooltip: str = ""
    class_name: str = ""
    resource_id: str = ""
    visible: bool = True
    scrollable: bool = False
    leaf: bool = True

    @property
    def labels(self) -> tuple[str, ...]:
        """Its words, without the empty ones."""
        return tuple(
            words for words in (self.text, self.description, self.hint, self.tooltip) if words
        )

    @property
    def area(self) -> float:
        """Width times height."""
        return (self.box[2] - self.box[0]) * (self.box[3] - self.box[1])

    def holds(self, x: float, y: float) -> bool:
        """Whether a point is in the box, all four edges included."""
        return inside(self.box, x, y)


@dataclass(frozen=True, slots=True)
class Screen:
    """All elements of a step's screen, and the boxes of its windows."""

    elements: tuple[Element, ...]
    windows: tuple[LTRB, ...] = ()

    @property
    def boxes(self) -> tuple[LTRB, ...]:
        """Every box there is: of the windows, and of all elements, seen or not."""
        return (*self.windows, *(element.box for element in self.elements))


def screen_of(step: Step) -> Screen | CannotSay:
    """Returns the screen of the tree that holds for a step, in pixels of its frame."""
    tree = tree_of_step(step)
    return CannotSay(_said(tree)) if isinstance(tree, NoTree) else _screen(tree)


def screen_of_any_tree(step: Step) -> Screen | CannotSay:
    """Returns the screen of a step's tree even if it is stale, late or of a turned screen.

    The first versions of the protocols read trees so.
    """
    if step.tree is None or step.tree.record.status is not TreeStatus.OK:
        return CannotSay("the step has no tree, so the elements of its screen are unknown")
    if step.frame is None:
        return CannotSay("the step has no frame to place its tree on")
    try:
        record = step.tree.record
        tree = read_tree(record.format, record.data)
    except KnownError as error:
        return CannotSay(f"the step's tree cannot be read: {error}")
    size = step.frame.size
    return _screen(scale_tree(tree, record.size or size, size))


def _said(found: NoTree) -> str:
    reason = found.reason.removesuffix(".")
    return f"{reason[0].lower()}{reason[1:]}, so the elements of the step's screen are not known"


def _screen(tree: Tree) -> Screen:
    return Screen(
        tuple(_element(node) for node in tree.walk()),
        tuple(_ltrb(window.box) for window in tree.windows),
    )


def with_trees_that_hold(protocol: ScoringProtocol, gold: Gold) -> ScoringProtocol:
    """Returns version 2 of a protocol, which reads only trees that hold for their step.

    Args:
        gold: the protocol's gold, with `screen_of` as its reader.
    """
    quirk = "A recorded tree that is late, stale or of a turned screen is not used."
    return replace(protocol, version="2", quirks=(*protocol.quirks, quirk), gold=gold)


def inside(box: LTRB, x: float, y: float) -> bool:
    """Whether a point is in a box, all four edges included."""
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def candidates(screen: Screen, x: float, y: float) -> tuple[LTRB, ...]:
    """Returns the boxes of the visible elements that contain a point.

    Published lists of candidates are similar; how they were made is not documented.
    """
    return tuple(one.box for one in screen.elements if one.visible and one.holds(x, y))


def named_like(elements: Iterable[Element], name: str) -> tuple[LTRB, ...]:
    """Returns the boxes of the visible elements whose text or description is a part of a name, or
    has it as a part, ignoring case. How published lists were made is not known."""
    wanted = name.lower().strip()

    def alike(words: str) -> bool:
        told = words.lower().strip()
        return bool(told) and bool(wanted) and (told in wanted or wanted in told)

    return tuple(
        one.box for one in elements if one.visible and (alike(one.text) or alike(one.description))
    )


def _element(node: Node) -> Element:
    return Element(
        _ltrb(node.box),
        text=node.text,
        description=node.description,
        hint=node.hint,
        class_name=node.class_name,
        resource_id=node.resource_id,
        visible=node.visible,
        scrollable=node.scrollable,
        leaf=not node.children,
    )


def _ltrb(box: Box) -> LTRB:
    return (box.left, box.top, box.right, box.bottom)
