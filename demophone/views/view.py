"""The view: one node that is drawn, hit by a finger, logged and dumped.

A screen is built anew as a tree of views whenever something changed; what must outlive that
(scroll offsets, text in fields) is held by the activity and referred to here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from demophone.views.canvas import Canvas
from demophone.views.fields import Field
from demophone.views.geometry import Rect


class Drag(Protocol):
    """What follows a finger once it has left the slop."""

    def takes(self, dx: float, dy: float) -> bool:
        """Whether a drag that begins in this direction (dp) is meant for it."""

    def move(self, dx: float, dy: float) -> None:
        """Called with the finger's movement in dp since the last call."""

    def end(self, vx: float, vy: float) -> None:
        """The finger left, with a velocity in dp per second."""


class PinchTarget(Protocol):
    """What two fingers spread."""

    def pinch(self, factor: float) -> None:
        """The distance of the fingers grew by `factor` since the last call."""


@dataclass(slots=True, eq=False)
class View:
    """One node of a screen; `box` is in dp of the present rotation, not clipped."""

    box: Rect
    cls: str = "android.view.View"
    key: str = ""
    """Stable name within its window; with it the view is an element of the truth log."""
    path: str = ""
    """Its name on the whole screen: the window's and its own. Set when the scene is made."""
    res: str = ""
    """Local name of its resource id."""
    text: str = ""
    desc: str = ""
    hint: str = ""
    """What an empty field says; Android puts it into the text of a dump."""
    paint: Callable[[Canvas, View], None] | None = None
    children: list[View] = field(default_factory=list)
    tap: Callable[[], None] | None = None
    long_press: Callable[[], None] | None = None
    double_tap: Callable[[], None] | None = None
    drag: Drag | None = None
    pinch: PinchTarget | None = None
    field: Field | None = None
    scrollable: bool = False
    enabled: bool = True
    checkable: bool = False
    checked: bool = False
    selected: bool = False
    focused: bool = False
    ripple: float | None = None
    """Radius of the pressed state; None if it is not shown."""
    ripple_on: str = "#000000"
    clip: bool = False
    opaque: bool = False
    """What is in it has no nodes in a dump: a web page, a drawn area, links inside a text."""

    @property
    def password(self) -> bool:
        """Whether it is a field whose text is hidden."""
        return self.field is not None and self.field.hidden

    @property
    def interactive(self) -> bool:
        """Whether a finger can do something here."""
        return self.enabled and (
            self.tap is not None
            or self.long_press is not None
            or self.double_tap is not None
            or self.field is not None
            or self.drag is not None
            or self.pinch is not None
        )

    @property
    def clickable(self) -> bool:
        """Whether a tap does something here."""
        return self.enabled and (self.tap is not None or self.field is not None)

    @property
    def long_clickable(self) -> bool:
        """Whether a long press does something here."""
        return self.enabled and (self.long_press is not None or self.field is not None)

    def add(self, *views: View) -> View:
        """Puts views in front of those it has; returns itself."""
        self.children.extend(views)
        return self


def visible(root: View, screen: Rect) -> Iterator[tuple[View, Rect, int]]:
    """Views that show, parents first, each with its clipped box and its depth."""

    def walk(view: View, bounds: Rect, depth: int) -> Iterator[tuple[View, Rect, int]]:
        shown = view.box.intersection(bounds)
        if shown.w <= 0 or shown.h <= 0:
            return
        yield view, shown, depth
        inner = shown if view.clip else bounds
        for child in view.children:
            yield from walk(child, inner, depth + 1)

    yield from walk(root, screen, 0)


def chain_at(root: View, x: float, y: float) -> list[View]:
    """Returns the views under a point from the root to the innermost one in front; [] for none."""
    if not root.box.contains(x, y):
        return []
    best: list[View] = []
    for child in reversed(root.children):
        below = chain_at(child, x, y)
        if below and (any(v.interactive for v in below) or not best):
            best = below
            if any(v.interactive for v in below):
                break
    return [root, *best]


def draw(canvas: Canvas, view: View, pressed: str, spread: float) -> None:
    """Draws a view and its children; `pressed` is the path of the view under the finger.

    `spread` is how far the pressed state has grown, 0 to 1.
    """
    if view.clip:
        canvas.clip(view.box)
    if view.paint is not None:
        view.paint(canvas, view)
    if view.ripple is not None and view.path and view.path == pressed:
        _ripple(canvas, view, spread)
    for child in view.children:
        draw(canvas, child, pressed, spread)
    if view.clip:
        canvas.unclip()


def _ripple(canvas: Canvas, view: View, spread: float) -> None:
    radius = view.ripple or 0.0
    canvas.fill(view.box, view.ripple_on, radius, 0.06)
    if spread >= 1.0:
        canvas.fill(view.box, view.ripple_on, radius, 0.08)
        return
    reach = (view.box.w**2 + view.box.h**2) ** 0.5 / 2
    canvas.clip(view.box, radius)
    canvas.circle(view.box.cx, view.box.cy, reach * (0.3 + 0.7 * spread), view.ripple_on, 0.08)
    canvas.unclip()
