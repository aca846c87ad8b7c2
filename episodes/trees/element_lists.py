"""Lists the elements of a tree by a named, versioned rule, so that answers by index can be judged.

Prompts number the elements of a screen, and a model answers with a number. The number means
something only together with the rule that numbered them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from episodes.geometry import Box, Size
from episodes.trees.values import Node, Tree

MAX_TEXT = 200


@dataclass(frozen=True, slots=True)
class ListedElement:
    """An element with its number.

    Attributes:
        box: in pixels of the tree's frame, inside it.
    """

    index: int
    text: str
    description: str
    class_name: str
    resource_id: str
    box: Box
    clickable: bool
    editable: bool
    scrollable: bool
    checked: bool


def list_elements(tree: Tree, size: Size, rule: str) -> tuple[ListedElement, ...]:
    """Returns the elements of a screen of that size, numbered from 0 by a rule of `LISTINGS`.

    Raises:
        KeyError: there is no such rule.
    """
    kept = LISTINGS[rule]
    found: list[ListedElement] = []
    for node in tree.walk():
        box = node.box
        inside = Box(
            max(0.0, box.left),
            max(0.0, box.top),
            min(float(size.width), box.right),
            min(float(size.height), box.bottom),
        )
        if inside.right - inside.left < 1 or inside.bottom - inside.top < 1 or not kept(node):
            continue
        found.append(
            ListedElement(
                len(found),
                "" if node.password else node.text[:MAX_TEXT],
                node.description[:MAX_TEXT],
                node.class_name,
                node.resource_id,
                inside,
                node.interactive,
                node.editable,
                node.scrollable,
                node.checked,
            )
        )
    return tuple(found)


def _taptrail_1(node: Node) -> bool:
    """Visible elements that react to touches, scroll, or say something."""
    says = bool(node.text.strip() or node.description.strip())
    return node.visible and (node.interactive or node.scrollable or says)


LISTINGS: dict[str, Callable[[Node], bool]] = {"taptrail-1": _taptrail_1}
"""Rules by name and version: whether a node is listed. Nodes come in the tree's order."""
