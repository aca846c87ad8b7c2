"""The accessibility forest of android_env, as AndroidControl keeps it: protobuf bytes.

    AndroidAccessibilityForest { repeated WindowInfo windows = 1 }
    WindowInfo { bounds = 1, display_id = 2, id = 3, layer = 4, title = 5, window_type = 6,
        is_active = 8, tree = 11 }; the tree { repeated NodeInfo nodes = 1 }
    NodeInfo: the numbers are in `_TEXTS`, `_FLAGS` and below; ProtoRect: left 1, top 2, right 3,
        bottom 4. A value that is zero is absent.

The nodes of a window are a list; a node names its children by their ids, and the root has the id 0.
The list need not be a tree: a node that is named twice belongs to the first who names it, and one
that nobody names is put below the root, so that none is lost.

Source: android_env/proto/a11y/*.proto of google-deepmind/android_env at 60db435.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from episodes.errors import KnownError
from episodes.geometry import Box
from episodes.trees.uiautomator import OPAQUE
from episodes.trees.values import Node, Tree, TreeWindow
from episodes.wire import (
    BYTES,
    VARINT,
    BadWire,
    Value,
    as_varints,
    bytes_field,
    fields,
    signed_32,
    varints,
    whole_field,
)

FORMAT = "a11y-forest"
MAX_BYTES = 32 << 20
MAX_NODES = 100_000
MAX_WINDOWS = 1_000
MAX_DEPTH = 400
KINDS = (
    "UNKNOWN_TYPE",
    "TYPE_APPLICATION",
    "TYPE_INPUT_METHOD",
    "TYPE_SYSTEM",
    "TYPE_ACCESSIBILITY_OVERLAY",
    "TYPE_SPLIT_SCREEN_DIVIDER",
    "TYPE_MAGNIFICATION_OVERLAY",
    "TYPE_WINDOW_CONTROL",
)

_TEXTS = {
    3: "class_name",
    4: "description",
    5: "hint",
    6: "package",
    7: "text",
    10: "resource_id",
}
_FLAGS = {
    12: "checkable",
    13: "checked",
    14: "clickable",
    15: "editable",
    16: "enabled",
    17: "focusable",
    18: "focused",
    19: "long_clickable",
    20: "password",
    21: "scrollable",
    22: "selected",
    23: "visible",
}
_EDGES = 0x7FFFFFFF


@dataclass(slots=True)
class _Listed:
    """A node as the list of nodes stores it."""

    number: int = 0
    box: Box = Box(0, 0, 0, 0)
    texts: dict[str, str] = field(default_factory=dict)
    flags: dict[str, bool] = field(default_factory=dict)
    children: list[int] = field(default_factory=list)


def read_forest(data: bytes) -> Tree:
    """Returns the windows and nodes of a forest.

    Raises:
        KnownError: the bytes are not such a message, or are larger or deeper than a screen can be.
    """
    if len(data) > MAX_BYTES:
        raise _refused(f"it has {len(data)} bytes, and at most {MAX_BYTES} are read")
    try:
        views = [
            _bytes(kind, value) for number, kind, value in fields(memoryview(data)) if number == 1
        ]
        if len(views) > MAX_WINDOWS:
            raise BadWire(f"it has more than {MAX_WINDOWS} windows")
        left = MAX_NODES
        windows: list[TreeWindow] = []
        for view in views:
            window, count = _window(view, left)
            windows.append(window)
            left -= count
    except BadWire as error:
        raise _refused(str(error)) from error
    return Tree(tuple(sorted(windows, key=lambda window: window.layer)))


def forest_bytes(tree: Tree) -> bytes:
    """Returns a tree as a forest; `read_forest` gives an equal one, boxes rounded to pixels.

    A forest declares layers. If the source did not, they follow the assumed order.
    """
    windows = tree.windows
    if not tree.layers_declared and not tree.order_known:
        windows = tuple(
            replace(window, layer=layer)
            for layer, window in enumerate(reversed(tree.front_to_back))
        )
    return b"".join(bytes_field(1, _window_bytes(window)) for window in windows)


def password_words(data: memoryview) -> Iterator[memoryview]:
    """Yields where the words in and below password fields stand in a forest's bytes.

    Raises:
        KnownError: as `read_forest`.
    """
    try:
        for number, kind, window in fields(data):
            if number != 1:
                continue
            for inner, inner_kind, held in fields(_bytes(kind, window)):
                if inner == 11:
                    views = [
                        _bytes(node_kind, node)
                        for which, node_kind, node in fields(_bytes(inner_kind, held))
                        if which == 1
                    ]
                    yield from _words_of(views)
    except BadWire as error:
        raise _refused(str(error)) from error


def _words_of(views: list[memoryview]) -> Iterator[memoryview]:
    """Yields the texts and descriptions of the password fields in a list, and of all below them."""
    nodes = [_listed(view) for view in views]
    by_number: dict[int, list[int]] = {}
    for place, node in enumerate(nodes):
        by_number.setdefault(node.number, []).append(place)
    waiting = [place for place, node in enumerate(nodes) if node.flags.get("password")]
    hidden = set(waiting)
    while waiting:
        for child in nodes[waiting.pop()].children:
            new = set(by_number.get(child, ())) - hidden
            hidden |= new
            waiting += new
    for place in hidden:
        for number, kind, value in fields(views[place]):
            if _TEXTS.get(number) in ("text", "description"):
                yield _bytes(kind, value)


def _window(data: memoryview, left: int) -> tuple[TreeWindow, int]:
    wholes: dict[int, int] = {}
    title, box = "", Box(0, 0, 0, 0)
    nodes: list[_Listed] = []
    for number, kind, value in fields(data):
        if number == 1:
            box = _rect(_bytes(kind, value))
        elif number == 5:
            title = _text(kind, value)
        elif number == 11:
            for inner, inner_kind, held in fields(_bytes(kind, value)):
                if inner == 1:
                    if len(nodes) == left:
                        raise BadWire(f"it has more than {MAX_NODES} nodes")
                    nodes.append(_listed(_bytes(inner_kind, held)))
        elif kind == VARINT and isinstance(value, int):
            wholes[number] = signed_32(value)
    what = wholes.get(6, 0)
    window = TreeWindow(
        window_id=wholes.get(3, 0),
        kind=KINDS[what] if 0 <= what < len(KINDS) else f"TYPE_{what}",
        layer=wholes.get(4, 0),
        display=wholes.get(2, 0),
        box=box,
        active=bool(wholes.get(8, 0)),
        root=_Hierarchy(nodes).root() if nodes else None,
        title=title,
    )
    return window, len(nodes)


def _listed(data: memoryview) -> _Listed:
    node = _Listed()
    for number, kind, value in fields(data):
        if number in _TEXTS:
            node.texts[_TEXTS[number]] = _text(kind, value)
        elif number in _FLAGS:
            node.flags[_FLAGS[number]] = bool(_whole(kind, value))
        elif number == 1:
            node.number = signed_32(_whole(kind, value))
        elif number == 2:
            node.box = _rect(_bytes(kind, value))
        elif number == 25:
            packed = [value] if isinstance(value, int) else varints(value, MAX_NODES)
            node.children += [signed_32(child) for child in packed]
    return node


class _Hierarchy:
    """Puts the nodes of one window together."""

    def __init__(self, nodes: list[_Listed]) -> None:
        self._nodes = nodes
        self._places: dict[int, int] = {}
        for place, node in enumerate(nodes):
            self._places.setdefault(node.number, place)
        self._free = set(range(len(nodes)))

    def root(self) -> Node:
        """Returns the root with all nodes below it."""
        top = self._places.get(0, 0)
        self._free.discard(top)
        family = self._family(top)
        named = {
            place
            for node in self._nodes
            for number in node.children
            if (place := self._places.get(number)) is not None
        }
        alone = [place for place in sorted(self._free) if place not in named]
        for place in (
            *alone,
            *range(len(self._nodes)),
        ):  # the latter for rings that name each other
            if place in self._free:
                self._free.discard(place)
                family[top].append(place)
                family |= self._family(place)
        return self._node(top, family, ())

    def _family(self, top: int) -> dict[int, list[int]]:
        """Returns the children of each node below `top`, by their places in the list."""
        family: dict[int, list[int]] = {}
        waiting = [top]
        while waiting:
            place = waiting.pop()
            own = family.setdefault(place, [])
            for number in self._nodes[place].children:
                child = self._places.get(number)
                if child is not None and child in self._free:
                    self._free.discard(child)
                    own.append(child)
            waiting += reversed(own)
        return family

    def _node(self, place: int, family: dict[int, list[int]], path: tuple[int, ...]) -> Node:
        if len(path) > MAX_DEPTH:
            raise BadWire(f"it is more than {MAX_DEPTH} nodes deep")
        listed = self._nodes[place]
        children = tuple(
            self._node(child, family, (*path, number)) for number, child in enumerate(family[place])
        )
        texts, flags = listed.texts, listed.flags
        class_name = texts.get("class_name", "")
        return Node(
            path=path,
            class_name=class_name,
            package=texts.get("package", ""),
            resource_id=texts.get("resource_id", ""),
            text=texts.get("text", ""),
            description=texts.get("description", ""),
            hint=texts.get("hint", ""),
            box=listed.box,
            opaque=class_name in OPAQUE and not children,
            children=children,
            **{name: flags.get(name, False) for name in _FLAGS.values()},
        )


def _window_bytes(window: TreeWindow) -> bytes:
    kind = window.kind.removeprefix("TYPE_")
    what = next((n for n, name in enumerate(KINDS) if name.removeprefix("TYPE_") == kind), 0)
    nodes = b""
    if window.root is not None:
        listed = list(window.root.walk())
        numbers = {node.path: number for number, node in enumerate(listed)}
        nodes = b"".join(bytes_field(1, _node_bytes(node, numbers)) for node in listed)
    wholes = {2: window.display, 3: window.window_id, 4: window.layer, 6: what, 8: window.active}
    parts = [bytes_field(1, _rect_bytes(window.box))]
    parts += [whole_field(number, int(value)) for number, value in wholes.items() if value]
    parts += [bytes_field(5, window.title.encode(errors="replace"))] if window.title else []
    return b"".join((*parts, bytes_field(11, nodes)))


def _node_bytes(node: Node, numbers: dict[tuple[int, ...], int]) -> bytes:
    def parts() -> Iterator[bytes]:
        if numbers[node.path]:
            yield whole_field(1, numbers[node.path])
        yield bytes_field(2, _rect_bytes(node.box))
        for number, name in _TEXTS.items():
            if words := getattr(node, name):
                yield bytes_field(number, words.encode(errors="replace"))
        for number, name in _FLAGS.items():
            if getattr(node, name):
                yield whole_field(number, 1)
        if node.children:
            yield bytes_field(25, as_varints(numbers[child.path] for child in node.children))
        if node.path:
            yield whole_field(27, len(node.path))

    return b"".join(parts())


def _rect(data: memoryview) -> Box:
    edges = [0, 0, 0, 0]
    for number, kind, value in fields(data):
        if 1 <= number <= 4:
            edges[number - 1] = signed_32(_whole(kind, value))
    left, top, right, bottom = map(float, edges)
    return Box(left, top, right, bottom)


def _rect_bytes(box: Box) -> bytes:
    edges = (box.left, box.top, box.right, box.bottom)
    wholes = (round(max(-_EDGES, min(_EDGES, edge))) for edge in edges)
    return b"".join(whole_field(n, whole) for n, whole in enumerate(wholes, 1) if whole)


def _bytes(kind: int, value: Value) -> memoryview:
    if kind != BYTES or isinstance(value, int):
        raise BadWire("a message has another type")
    return value


def _whole(kind: int, value: Value) -> int:
    if kind != VARINT or not isinstance(value, int):
        raise BadWire("a number has another type")
    return value


def _text(kind: int, value: Value) -> str:
    return bytes(_bytes(kind, value)).decode(errors="replace")


def _refused(found: str) -> KnownError:
    return KnownError("read an accessibility forest", found, "The bytes are stored unchanged.")
