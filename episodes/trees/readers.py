"""Parses the output of a source of trees into a `Tree`, by the name of its format.

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

ROUNDING_PX = 16
"""Video encoders round each side to a multiple of up to 16 pixels."""
ROUNDING_SHARE = 0.02
"""Part of the longer side by which two sizes of the same shape may differ."""

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


class OtherShapeError(KnownError):
    """A tree was taken while the screen had another shape than the frame."""


def read_record(record: TreeRecord, frame: Size) -> Tree:
    """Returns a record's tree with its boxes in pixels of a frame of this size.

    A tree counts the pixels of the phone's screen. The video may have others: encoders want sides
    that are multiples of 8, and people ask for smaller pictures.

    Raises:
        OtherShapeError: the screen was turned or folded between tree and frame.
        KnownError: as `read_tree`.
    """
    tree = read_tree(record.format, record.data)
    screen = _screen_size(tree, record.size, frame)
    if screen is None:
        raise OtherShapeError(
            "place a tree on its frame",
            f"it was taken while the screen had another shape than the frame's {frame}",
            "The tree is stored unchanged, and is not used for this frame.",
        )
    return scale_tree(tree, screen, frame)


def scale_tree(tree: Tree, screen: Size, frame: Size) -> Tree:
    """Returns a tree of a screen of one size in pixels of a frame of another size."""
    if screen == frame:
        return tree

    def box(old: Box) -> Box:
        left, right = (x * frame.width / screen.width for x in (old.left, old.right))
        top, bottom = (y * frame.height / screen.height for y in (old.top, old.bottom))
        return Box(left, top, right, bottom)

    def node(old: Node) -> Node:
        return old._replace(box=box(old.box), children=tuple(node(one) for one in old.children))

    windows = tuple(
        replace(window, box=box(window.box), root=window.root and node(window.root))
        for window in tree.windows
    )
    return replace(tree, windows=windows)


def same_shape(one: Size, other: Size) -> bool:
    """Returns whether two sizes can be one screen, not turned, at two scales."""
    if (one.width > one.height) != (other.width > other.height):
        return False
    scale = max(other.width, other.height) / max(one.width, one.height)
    tolerance = max(ROUNDING_PX, ROUNDING_SHARE * max(other.width, other.height))
    across = abs(one.width * scale - other.width)
    down = abs(one.height * scale - other.height)
    return across <= tolerance and down <= tolerance


def _screen_size(tree: Tree, stored: Size | None, frame: Size) -> Size | None:
    """Returns the size of the screen whose pixels a tree counts; None if its shape is not the
    frame's.

    If no size was stored it is the frame's, unless the windows reach beyond the frame and have its
    shape: then they cover the screen, and the frame is a smaller picture of it.
    """
    extent = _extent(tree)
    if stored is not None:
        return stored if same_shape(stored, frame) and not _turned(extent, stored) else None
    if _turned(extent, frame):
        return None
    if extent is None or _fits(extent, frame) or not same_shape(extent, frame):
        return frame
    return extent


def _extent(tree: Tree) -> Size | None:
    """Returns the right and bottom limits of a tree's windows."""
    boxes = [window.box for window in tree.windows if window.box.area > 0]
    right = round(max((box.right for box in boxes), default=0))
    bottom = round(max((box.bottom for box in boxes), default=0))
    return Size(right, bottom) if right > 0 and bottom > 0 else None


def _fits(inner: Size, outer: Size) -> bool:
    across, down = (1 + ROUNDING_SHARE) * outer.width, (1 + ROUNDING_SHARE) * outer.height
    return inner.width <= across and inner.height <= down


def _turned(extent: Size | None, screen: Size) -> bool:
    """Returns whether windows reach beyond a screen that would hold them if it were turned."""
    if extent is None or _fits(extent, screen):
        return False
    return _fits(extent, Size(screen.height, screen.width))
