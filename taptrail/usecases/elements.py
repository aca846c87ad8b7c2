"""Elements of a screen: name of a step's target, and details of the element under the pointer.

Pure functions over trees that have been read. They return no text of a field that hides what is
typed into it, nor of a screen that its app protects from screenshots.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from episodes.actions import DoubleTap, LongPress, Tap, TypeText, place
from episodes.density import pixels_per_dp
from episodes.geometry import Box, Point, Size
from episodes.recordings import DeviceFacts
from episodes.screens import StepTree, TreeFit, TreeStatus
from episodes.steps import Step
from episodes.trees.hits import label, nodes_at, target_at
from episodes.trees.step_trees import NoTree, TreeProblem, tree_of_step, tree_on_frame
from episodes.trees.values import Node, Tree
from recorder.screen_context import StepContext

LONGEST_NAME = 60
LONGEST_WORDS = 120


def target_name(step: Step) -> str:
    """Returns the text of the element under an action; "" if unknown.

    The target's label comes first. A late or stale tree is not used.
    """
    chosen = step.target
    if chosen is not None and chosen.label:
        return chosen.label
    point = place(step.action)
    if not isinstance(step.action, Tap | DoubleTap | LongPress | TypeText) or point is None:
        return ""
    tree = tree_of_step(step)
    if isinstance(tree, NoTree):
        return ""  # the reason is shown beside the tree
    found = target_at(tree, point)
    words = " ".join(label(found[1]).split()) if found is not None else ""
    return words if len(words) <= LONGEST_NAME else words[: LONGEST_NAME - 1] + "…"


@dataclass(frozen=True, slots=True)
class ElementDetails:
    """Details of an element from a tree.

    Attributes:
        name: its text; "" if it has none.
        class_name, resource_id: without the package.
        can: accepted actions: "tap", "long press", "type", "scroll", "check".
        box: in pixels of the frame.
    """

    name: str
    class_name: str
    resource_id: str
    can: tuple[str, ...]
    box: Box


@dataclass(frozen=True, slots=True)
class ElementUnderPointer:
    """The element under the pointer, and how well the tree fits the screen.

    Attributes:
        element: None if the tree has none there, or if it is hidden.
        protected: whether the field or the screen hides its contents.
        fit: how well the tree would fit a step that begins now.
        status: result of the newest relevant request.
        age_us: time since the request; None if there was none.
    """

    element: ElementDetails | None
    protected: bool
    fit: TreeFit
    status: TreeStatus
    age_us: int | None = None


def pointed_at(around: StepContext, at: Point, frame: Size, now_ns: int) -> ElementUnderPointer:
    """Returns the element under a point of a frame, in the frame's pixels.

    Args:
        now_ns: host clock.
    """
    record, fit = around.tree.record, around.tree.fit
    asked_ns = record.requested.host_ns
    age = None if asked_ns is None else max(0, now_ns - asked_ns) // 1000
    status = record.status
    if around.protected:
        return ElementUnderPointer(None, True, fit, status, age)
    found = _read(around.tree, frame)
    tree = found.outdated if isinstance(found, NoTree) else found
    if tree is None:
        assert isinstance(found, NoTree)
        if found.problem is TreeProblem.UNREADABLE:
            fit, status = TreeFit.FAILED, TreeStatus.UNREADABLE
        elif found.problem is TreeProblem.OTHER_SHAPE:
            fit = TreeFit.MISSING
        return ElementUnderPointer(None, False, fit, status, age)
    under = [node for _, node in nodes_at(tree, at)]
    if any(node.password for node in under):
        return ElementUnderPointer(None, True, fit, status, age)
    hit = target_at(tree, at)
    element = None if hit is None else _element(hit[1])
    return ElementUnderPointer(element, False, fit, status, age)


def in_dp(box: Box, frame: Size, facts: DeviceFacts) -> Box | None:
    """Converts a box of a frame to dp; returns None if the screen's density is unknown."""
    per_dp = pixels_per_dp(facts, frame)
    if per_dp is None:
        return None
    left, top, right, bottom = box.left, box.top, box.right, box.bottom
    return Box(left / per_dp, top / per_dp, right / per_dp, bottom / per_dp)


# Cached, because the pointer moves many times over one tree.
@lru_cache(maxsize=2)
def _read(kept: StepTree, frame: Size) -> Tree | NoTree:
    return tree_on_frame(kept, frame)


def _element(node: Node) -> ElementDetails:
    words = " ".join(label(_told(node)).split())
    can = (
        ("tap", node.clickable),
        ("long press", node.long_clickable),
        ("type", node.editable),
        ("scroll", node.scrollable),
        ("check", node.checkable),
    )
    return ElementDetails(
        words if len(words) <= LONGEST_WORDS else words[: LONGEST_WORDS - 1] + "…",
        node.class_name.rpartition(".")[2],
        node.resource_id.rpartition("/")[2],
        tuple(word for word, takes in can if takes and node.enabled),
        node.box,
    )


def _told(node: Node) -> Node:
    """Returns a node without the fields in it that hide their contents."""
    open_ones = tuple(_told(child) for child in node.children if not child.password)
    return node._replace(children=open_ones)
