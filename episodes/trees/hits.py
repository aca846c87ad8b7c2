"""Which node a touch means: the smallest sensible one under a point.

The node a person means is the one that takes the touch. Where none does (a picture in a web
view), it is the smallest that shows something. Windows are looked through from the person's side.
"""

from __future__ import annotations

from collections.abc import Iterator

from episodes.geometry import Point
from episodes.trees.values import Node, Tree, TreeWindow


def nodes_at(tree: Tree, point: Point) -> Iterator[tuple[TreeWindow, Node]]:
    """Yields the visible nodes under a point, topmost window first, in it deepest first."""
    for window in tree.front_to_back:
        if window.root is None:
            continue
        found = list(_under(window.root, point))
        for node in reversed(found):
            yield window, node
        if found:
            return  # a window hides what is below it


def target_at(tree: Tree, point: Point) -> tuple[TreeWindow, Node] | None:
    """Returns the node hit by a touch at a point, with its window; None if there is none.

    It is the smallest interactive node under the point; of equal ones the deepest. Without one,
    the smallest that has a text or description or is a leaf.
    """
    found = list(nodes_at(tree, point))
    for sensible in (_takes_touch, _shows_something):
        fitting = [pair for pair in found if sensible(pair[1])]
        if fitting:
            return min(fitting, key=lambda pair: pair[1].box.area)
    return None


def label(node: Node) -> str:
    """Returns the label that a person would give a node; "" if it has none.

    Its own text or description; else those of what it holds, in order.
    """
    own = node.text or node.description or node.hint
    if own:
        return own
    inside = (child.text or child.description for child in node.walk() if child.visible)
    return " ".join(dict.fromkeys(words for words in inside if words))


def _under(node: Node, point: Point) -> Iterator[Node]:
    """A child may extend beyond its parent, so children of a missed parent are also tested."""
    if node.visible and point in node.box:
        yield node
    for child in node.children:
        yield from _under(child, point)


def _takes_touch(node: Node) -> bool:
    return node.interactive


def _shows_something(node: Node) -> bool:
    return bool(node.text or node.description) or not node.children


def node_with_words(tree: Tree, words: str) -> Node | None:
    """Returns the node with exactly this text or description, or else one that contains it.

    Nodes of the topmost window come first. Returns None if there is none that can be touched.
    """
    nodes = [
        node
        for window in tree.front_to_back
        for node in (window.root.walk() if window.root is not None else ())
        if node.visible and node.enabled and node.box.area
    ]
    for fits in (lambda said: said == words, lambda said: words in said):
        for node in nodes:
            if fits(node.text) or fits(node.description):
                return node
    return None
