"""The XML of `uiautomator dump` (and of uiautomator2, which prints the same).

One window, or with `--windows` several with their layers; uiautomator2 prints the roots of several
windows without layers, in no fixed order. Each element has its bounds as
"[left,top][right,bottom]" in pixels of the screen as it is turned. Attributes that newer versions
add (hint, drawing-order, display-id) are optional.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from xml.parsers import expat

from episodes.errors import KnownError
from episodes.geometry import Box
from episodes.trees.values import Node, Tree, TreeWindow

FORMAT = "uiautomator"
MAX_BYTES = 32 << 20
MAX_NODES = 100_000
MAX_DEPTH = 400

_BOUNDS = re.compile(r"\[(-?\d{1,7}),(-?\d{1,7})\]\[(-?\d{1,7}),(-?\d{1,7})\]")
_LONGEST_BOUNDS = 40
_NUMBER = re.compile(r"-?\d{1,9}")
_NOWHERE = Box(0, 0, 0, 0)
OPAQUE = ("android.webkit.WebView", "android.view.SurfaceView", "android.view.TextureView")

_Attributes = dict[str, str]


def read_uiautomator(data: bytes) -> Tree:
    """Returns the windows and nodes of a dump.

    Raises:
        KnownError: the bytes are not such XML, or are larger or deeper than a screen can be.
    """
    if len(data) > MAX_BYTES:
        raise _refused(f"it has {len(data)} bytes, and at most {MAX_BYTES} are read")
    builder = _Builder()
    try:
        builder.parser.Parse(data, True)
    except expat.ExpatError as error:
        raise _refused(f"line {error.lineno}: {expat.ErrorString(error.code)}") from error
    except (ValueError, LookupError) as error:  # what Python says of the encoding that is declared
        raise _refused(f"its encoding cannot be read: {error}") from error
    return builder.tree()


class _Builder:
    def __init__(self) -> None:
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.EntityDeclHandler = self._entity
        # Elements whose end has not come: name, attributes, path, children.
        self._open: list[tuple[str, _Attributes, tuple[int, ...], list[Node]]] = []
        self._windows: list[TreeWindow] = []
        self._roots: list[Node] = []
        self._window: _Attributes = {}
        self._root_attributes: list[_Attributes] = []
        self._display = 0
        self._layers_declared = True
        self._count = 0
        self._begun = False

    def tree(self) -> Tree:
        if not self._begun:
            raise _refused("it has no hierarchy")
        self._end_window()
        if not self._layers_declared:
            return Tree(tuple(self._windows), layers_declared=False)
        return Tree(tuple(sorted(self._windows, key=lambda window: window.layer)))

    def _start(self, name: str, attributes: _Attributes) -> None:
        if name in ("hierarchy", "displays", "display"):
            self._begun = True
            if name == "display":
                self._display = _number(attributes.get("id", ""), 0)
            return
        if not self._begun:
            raise _refused(f"it begins with “{name[:40]}”, not with a hierarchy")
        if name == "window":
            self._end_window()
            self._window = attributes
            return
        self._count += 1
        if self._count > MAX_NODES:
            raise _refused(f"it has more than {MAX_NODES} nodes")
        if len(self._open) >= MAX_DEPTH:
            raise _refused(f"it is more than {MAX_DEPTH} nodes deep")
        path: tuple[int, ...] = ()
        if self._open:
            _, _, above, brothers = self._open[-1]
            path = (*above, len(brothers))
        self._open.append((name, attributes, path, []))

    def _end(self, name: str) -> None:
        if name == "window":
            self._end_window()
        if not self._open or self._open[-1][0] != name:
            return
        attributes = self._open[-1][1]
        node = _node(*self._open.pop())
        if self._open:
            self._open[-1][3].append(node)
        else:
            self._roots.append(node)
            self._root_attributes.append(attributes)

    def _end_window(self) -> None:
        """Several roots without a window around them are windows of their own."""
        attributes, self._window = self._window, {}
        roots: list[tuple[Node | None, _Attributes]] = [
            *zip(self._roots, self._root_attributes, strict=True)
        ]
        self._roots, self._root_attributes = [], []
        if attributes and not roots:
            roots = [(None, {})]
        layer = attributes.get("layer", "")
        if len(roots) > 1 or (roots and not _NUMBER.fullmatch(layer)):
            self._layers_declared = False
        for root, own in roots:
            number = len(self._windows)
            bounds = _box(attributes.get("bounds", ""))
            display = attributes.get("display-id") or own.get("display-id") or ""
            self._windows.append(
                TreeWindow(
                    window_id=_number(attributes.get("id", ""), number),
                    kind=attributes.get("type", ""),
                    layer=_number(layer, number),
                    display=_number(display, self._display),
                    box=bounds if bounds is not None else root.box if root else _NOWHERE,
                    active=attributes.get("active", "true") == "true",
                    root=root,
                    title=attributes.get("title", ""),
                )
            )

    def _entity(self, *_: object) -> None:
        raise _refused("it declares entities, which no phone does")


def _node(name: str, told: _Attributes, path: tuple[int, ...], children: Sequence[Node]) -> Node:
    get = told.get
    box = _box(get("bounds", ""))
    # uiautomator 1 calls every element "node"; uiautomator 2 in Appium by its class.
    class_name = get("class") or (name if name != "node" else "")
    # In the order of Node's fields: by name it takes half as long again.
    return Node(
        path,
        class_name,
        get("package", ""),
        get("resource-id", ""),
        get("text", ""),
        get("content-desc", ""),
        box or _NOWHERE,
        box is not None and get("visible-to-user", "true") == "true",
        get("enabled", "true") == "true",
        get("clickable") == "true",
        get("long-clickable") == "true",
        get("scrollable") == "true",
        get("checkable") == "true",
        get("checked") == "true",
        get("selected") == "true",
        get("focusable") == "true",
        get("focused") == "true",
        _editable(class_name, told),
        get("password") == "true",
        class_name in OPAQUE and not children,
        get("hint", ""),
        tuple(children),
    )


def _editable(class_name: str, told: _Attributes) -> bool:
    """The dump does not say it of every version; by Android's classes it is a text field."""
    if "editable" in told:
        return told["editable"] == "true"
    return class_name.endswith(("EditText", "AutoCompleteTextView"))


def _number(text: str, default: int) -> int:
    return int(text) if _NUMBER.fullmatch(text) else default


def _box(text: str) -> Box | None:
    return _short_box(text) if len(text) <= _LONGEST_BOUNDS else None


@lru_cache(maxsize=1 << 14)  # the screens of an app, and lists of all apps, repeat their bounds
def _short_box(text: str) -> Box | None:
    found = _BOUNDS.fullmatch(text)
    if found is None:
        return None
    left, top, right, bottom = found.groups()
    return Box(float(left), float(top), float(right), float(bottom))


def _refused(found: str) -> KnownError:
    return KnownError("read a tree of uiautomator", found, "The bytes are stored unchanged.")
