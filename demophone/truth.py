"""The truth log: what the phone really showed, and what really happened to it.

JSON lines, each with the event's name, the phone's clock and the number of the screen that was
last drawn. Knows nothing of who writes it.
"""

from __future__ import annotations

import json
from typing import Any, TextIO

from demophone.views.geometry import Rect
from demophone.views.view import View, visible

PixelBox = list[int]


class TruthLog:
    """Writes lines; without a stream it does nothing."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream

    @property
    def kept(self) -> bool:
        """Whether anybody reads what is logged."""
        return self._stream is not None

    def log(self, event: str, t_us: int, screen: int, /, **facts: Any) -> None:
        """Writes one line and flushes it."""
        if self._stream is None:
            return
        line = {"event": event, "t_us": t_us, "screen": screen, **facts}
        self._stream.write(json.dumps(line, separators=(",", ":")) + "\n")
        self._stream.flush()


def pixel_box(rect: Rect, scale: float) -> PixelBox:
    """Left, top, right and bottom in whole pixels."""
    return [
        round(rect.x * scale),
        round(rect.y * scale),
        round(rect.right * scale),
        round(rect.bottom * scale),
    ]


def element(
    view: View,
    shown: Rect,
    scale: float,
    window: str,
    prefix: str,
    package: str,
    node: bool = True,
) -> dict[str, Any]:
    """One element of a screen, as it is written in the log; the box is clipped.

    `node` is whether a dump of the window has a node for it; the text of a password is as hidden
    as on the screen.
    """
    text = view.field.shown if view.field is not None else view.text
    return {
        "id": f"{prefix}/{view.key}",
        "class": view.cls,
        "text": text,
        "desc": view.desc or ("" if text else view.hint),
        "resource_id": f"{package}:id/{view.res}" if view.res else "",
        "box": pixel_box(shown, scale),
        "clickable": view.clickable,
        "long_clickable": view.long_clickable,
        "editable": view.field is not None,
        "scrollable": view.scrollable,
        "password": view.password,
        "node": node,
        "window": window,
    }


def elements(
    root: View, screen: Rect, scale: float, window: str, prefix: str, package: str
) -> list[dict[str, Any]]:
    """All named views of a window that show, parents first."""
    found: list[dict[str, Any]] = []
    below = -1  # depth of the opaque view that the walk is inside of
    for view, shown, depth in visible(root, screen):
        if 0 <= depth <= below:
            below = -1
        if view.key:
            found.append(element(view, shown, scale, window, prefix, package, below < 0))
        if view.opaque and below < 0:
            below = depth
    return found
