"""From what a source of trees printed to `Tree`, by the name of its format.

Files and phones are not trusted: sizes, depths and counts are bounded, entities are refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from episodes.errors import KnownError
from episodes.geometry import Box, Size
from episodes.screens import TreeRecord
from episodes.trees.flat import read_flat
from episodes.trees.forest import read_forest
from episodes.trees.uiautomator import read_uiautomator
from episodes.trees.values import Node, Tree

READERS: dict[str, Callable[[bytes], Tree]] = {
    "a11y-forest": read_forest,
    "aitw-ocr": read_flat,
    "uiautomator": read_uiautomator,
}


def read_tree(format_name: str, data: bytes) -> Tree:
    """Returns the tree in some bytes; the last few are remembered, as trees never change.

    Raises:
        KnownError: the format is not known, or the bytes are not in it.
    """
    reader = READERS.get(format_name)
    if reader is None:
        raise KnownError(
            "read a tree",
            f"its format “{format_name}” is not known",
            f"Known are: {', '.join(sorted(READERS))}.",
        )
    found = _read(reader, data)
    if isinstance(found, _Refusal):
        raise KnownError(found.doing, found.found, found.remedy)
    return found


class _Refusal(NamedTuple):
    """What is wrong with some bytes; an error itself would keep all that was read of them."""

    doing: str
    found: str
    remedy: str


# All protocols look at the tree of one step, one after the other, for each run beside it. One that
# cannot be read may be that of a thousand steps.
@lru_cache(maxsize=4)
def _read(reader: Callable[[bytes], Tree], data: bytes) -> Tree | _Refusal:
    try:
        return reader(data)
    except KnownError as error:
        return _Refusal(error.doing, error.found, error.remedy)


def read_record(record: TreeRecord, frame: Size) -> Tree:
    """Returns a record's tree with its boxes in pixels of a frame of this size.

    A phone tells of its screen's pixels; its video may have others, as encoders want sides that
    are multiples of 8 and people ask for smaller ones.

    Raises:
        KnownError: as `read_tree`.
    """
    tree = read_tree(record.format, record.data)
    if record.size is None or record.size == frame:
        return tree
    return _scaled(tree, record.size, frame)


def _scaled(tree: Tree, screen: Size, frame: Size) -> Tree:
    def box(old: Box) -> Box:
        left, right = (x * frame.width / screen.width for x in (old.left, old.right))
        top, bottom = (y * frame.height / screen.height for y in (old.top, old.bottom))
        return Box(left, top, right, bottom)

    def node(old: Node) -> Node:
        return old._replace(box=box(old.box), children=tuple(node(one) for one in old.children))

    return Tree(
        tuple(
            replace(window, box=box(window.box), root=window.root and node(window.root))
            for window in tree.windows
        )
    )
