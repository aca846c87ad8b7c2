"""From what a source of trees printed to `Tree`, by the name of its format.

Files and phones are not trusted: sizes, depths and counts are bounded, entities are refused.
"""

from __future__ import annotations

from collections.abc import Callable

from episodes.errors import KnownError
from episodes.trees.uiautomator import read_uiautomator
from episodes.trees.values import Tree

READERS: dict[str, Callable[[bytes], Tree]] = {"uiautomator": read_uiautomator}


def read_tree(format_name: str, data: bytes) -> Tree:
    """Returns the tree in some bytes.

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
    return reader(data)
