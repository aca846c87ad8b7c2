"""The XML that `uiautomator dump` prints for a window of the phone.

The form is that of real dumps of Android 11 to 15: attributes in their order, one line, no
white space between nodes. Knows views, not apps.
"""

from __future__ import annotations

from collections.abc import Sequence

from demophone.truth import pixel_box
from demophone.views.geometry import Rect
from demophone.views.view import View

_HEAD = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
_ESCAPES = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "\n": "&#10;",
    "\r": "&#13;",
    "\t": "&#9;",
}


def dump(
    root: View, screen: Rect, scale: float, rotation: int, package: str, compressed: bool = False
) -> str:
    """The window's tree as XML.

    Args:
        root: the window's content; the frames that every Android window has are put round it.
        screen: the screen in dp; nodes outside are left out, boxes are cut to it.
        scale: pixels of a dp.
        rotation: quarter turns, written into the head.
        package: of the app that owns the window.
        compressed: leaves out containers that carry nothing, as `--compressed` does.
    """
    content = View(root.box, "android.widget.FrameLayout", children=[root])
    layout = View(root.box, "android.widget.LinearLayout", children=[content])
    frame = View(root.box, "android.widget.FrameLayout", children=[layout])
    writer = _Writer(scale, package, compressed, content)
    body = "".join(writer.nodes([frame], screen))
    return f'{_HEAD}<hierarchy rotation="{rotation}">{body}</hierarchy>'


def dump_windows(
    windows: Sequence[tuple[View, str]],
    screen: Rect,
    scale: float,
    rotation: int,
    compressed: bool = False,
    depth: int = 50,
) -> str:
    """The trees of several windows, as uiautomator2's server writes them; nodes say in addition
    whether a person sees them.

    Args:
        windows: content and package of each.
        screen, scale, rotation, compressed: as for `dump`.
        depth: of the nodes that are still written; a window's own frame is at 0.
    """
    body = ""
    for number, (root, package) in enumerate(windows):
        frame = View(root.box, "android.widget.FrameLayout", children=[root])
        writer = _Writer(scale, package, compressed, None, depth, True)
        made = writer.nodes([frame], screen, first=number)
        body += "".join(made)
    head = _HEAD + "\r\n"
    return f'{head}<hierarchy rotation="{rotation}"' + (f">{body}</hierarchy>" if body else " />")


def empty(rotation: int) -> str:
    """What a dump says while no window is active."""
    return f'{_HEAD}<hierarchy rotation="{rotation}" />'


class _Writer:
    def __init__(
        self,
        scale: float,
        package: str,
        compressed: bool,
        content: View | None,
        depth: int = 200,
        visibility: bool = False,
    ) -> None:
        self._scale = scale
        self._package = package
        self._compressed = compressed
        self._content = content
        self._depth = depth
        self._visibility = visibility

    def nodes(self, views: list[View], bounds: Rect, first: int = 0, depth: int = 0) -> list[str]:
        """The siblings that show, numbered from `first`, each with what is in it."""
        made: list[str] = []
        for view, shown in self._kept(views, bounds):
            children = [] if view.opaque or depth >= self._depth else view.children
            inner = self.nodes(children, shown if view.clip else bounds, depth=depth + 1)
            tag = f"<node {self._attributes(first + len(made), view, shown)}"
            made.append(f"{tag}>{''.join(inner)}</node>" if inner else f"{tag} />")
        return made

    def _kept(self, views: list[View], bounds: Rect) -> list[tuple[View, Rect]]:
        kept: list[tuple[View, Rect]] = []
        for view in views:
            shown = view.box.intersection(bounds)
            left, top, right, bottom = pixel_box(shown, self._scale)
            if right <= left or bottom <= top:
                continue
            if self._compressed and self._plain(view):
                kept += self._kept(view.children, shown if view.clip else bounds)
            else:
                kept.append((view, shown))
        return kept

    def _plain(self, view: View) -> bool:
        layout = view.cls.endswith(("Layout", "View", "ViewGroup")) and not view.opaque
        speaks = view.text or view.desc or view.res or view is self._content
        return layout and not speaks and not view.interactive

    def _attributes(self, index: int, view: View, shown: Rect) -> str:
        left, top, right, bottom = pixel_box(shown, self._scale)
        if view is self._content:
            resource = "android:id/content"
        else:
            resource = f"{self._package}:id/{view.res}" if view.res else ""
        text = (view.field.shown or view.hint) if view.field is not None else view.text
        focusable = view.clickable or view.long_clickable or view.scrollable
        visible = (("visible-to-user", "true"),) if self._visibility else ()
        pairs = (
            ("index", str(index)),
            ("text", text),
            ("resource-id", resource),
            ("class", view.cls),
            ("package", self._package),
            ("content-desc", view.desc),
            ("checkable", _word(view.checkable)),
            ("checked", _word(view.checked)),
            ("clickable", _word(view.clickable)),
            ("enabled", _word(view.enabled)),
            ("focusable", _word(focusable)),
            ("focused", _word(view.focused)),
            ("scrollable", _word(view.scrollable)),
            ("long-clickable", _word(view.long_clickable)),
            ("password", _word(view.password)),
            ("selected", _word(view.selected)),
            *visible,
            ("bounds", f"[{left},{top}][{right},{bottom}]"),
        )
        return " ".join(f'{name}="{_escaped(value)}"' for name, value in pairs)


def _word(value: bool) -> str:
    return "true" if value else "false"


def _escaped(text: str) -> str:
    """Text for an attribute; characters XML cannot hold become dots, as in Android."""
    return "".join(_ESCAPES.get(c, c) if c >= " " or c in "\n\r\t" else "." for c in text)
