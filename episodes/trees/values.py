"""A forest of windows and nodes, as every kind of tree is read into."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from episodes.geometry import Box


class Node(NamedTuple):
    """One element of the screen; a tuple, as those are made fastest and a tree has many.

    Attributes:
        path: child numbers from the window's root, e.g. (0, 2, 1); () is the root.
        class_name: as the phone gives it, e.g. "android.widget.EditText".
        box: in pixels of the frame the tree belongs to.
        opaque: the tree does not describe what is inside (web view, game, canvas).
    """

    path: tuple[int, ...]
    class_name: str
    package: str
    resource_id: str
    text: str
    description: str
    box: Box
    visible: bool = True
    enabled: bool = True
    clickable: bool = False
    long_clickable: bool = False
    scrollable: bool = False
    checkable: bool = False
    checked: bool = False
    selected: bool = False
    focusable: bool = False
    focused: bool = False
    editable: bool = False
    password: bool = False
    opaque: bool = False
    hint: str = ""
    children: tuple[Node, ...] = ()

    def walk(self) -> Iterator[Node]:
        """Yields this node and all below it, parents first, in the order they are drawn."""
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def interactive(self) -> bool:
        """Whether the node itself reacts to touches."""
        return self.enabled and (
            self.clickable or self.long_clickable or self.checkable or self.editable
        )


@dataclass(frozen=True, slots=True)
class TreeWindow:
    """One window of a screen; `layer` grows towards the person."""

    window_id: int
    kind: str
    layer: int
    display: int
    box: Box
    active: bool
    root: Node | None
    title: str = ""


@dataclass(frozen=True, slots=True)
class Tree:
    """All windows a source reported.

    Attributes:
        windows: lowest layer first; in the order of the file if the source declares no layers.
        layers_declared: whether the source says how the windows lie over each other.
    """

    windows: tuple[TreeWindow, ...]
    layers_declared: bool = True

    def walk(self) -> Iterator[Node]:
        """Yields all nodes, window by window from the lowest layer."""
        for window in self.windows:
            if window.root is not None:
                yield from window.root.walk()

    @property
    def order_known(self) -> bool:
        """Whether the order of the windows is known."""
        shown = [(window.display, window.layer) for window in self.windows if window.root]
        return len(shown) < 2 or (self.layers_declared and len(set(shown)) == len(shown))

    @property
    def front_to_back(self) -> tuple[TreeWindow, ...]:
        """The windows of the first display, topmost first.

        If the order is not known, a smaller window counts as in front of a larger one: bars, menus
        and dialogs lie over the app, which fills the screen.
        """
        first = min((window.display for window in self.windows), default=0)
        shown = [window for window in reversed(self.windows) if window.display == first]
        if self.order_known:
            return tuple(shown)
        return tuple(sorted(shown, key=lambda window: window.box.area))
