"""Android Lab's compressed form of a dump: what its agents read and its judges search.

Source: utils_mobile/xml_tool.py. Its special pages of three Chinese apps are not written anew; of
those apps overlapping elements stay, as they do there on any other page.
"""

from __future__ import annotations

import re
import uuid
from collections import deque
from collections.abc import Callable, Iterator
from xml.parsers import expat

from episodes.trees.uiautomator import MAX_BYTES, MAX_DEPTH, MAX_NODES

TITLE = "The current screenshot's description is shown"

Compressed = dict[str, "str | Compressed"]

_PLAIN_CLASSES = ("View", "FrameLayout", "LinearLayout", "RelativeLayout")
_FLAGS = (
    *("checkable", "checked", "clickable", "focusable", "scrollable", "long-clickable"),
    *("password", "selected"),
)
_ACTIONS = {
    "clickable": "click",
    "scrollable": "scroll",
    "long-clickable": "long-click",
    "checkable": "check",
}
_TAKEN_IN = (
    *("index", "text", "resource-id", "package", "content-desc", "enabled", "focused", "class"),
    *_FLAGS,
)
"""Attributes the description stands for; all others stay as leaves, unknown ones too."""

_KEEP_OVERLAPS = ("com.autonavi.minimap", "com.tencent.mm", "com.sankuai.meituan")
_BOUNDS = re.compile(r"\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]")

Bounds = tuple[int, int, int, int]


class UnreadableDump(ValueError):
    """A dump that Android Lab's compression cannot read, with the reason."""


def compress(xml: str, new_id: Callable[[], str] | None = None) -> Compressed:
    """Returns the compressed form as nested dictionaries, one key a node.

    Args:
        xml: what `uiautomator dump` wrote.
        new_id: gives each node its id; random ones by default, as in the original.

    Raises:
        Unreadable: it is no dump, lacks an attribute, or is larger or deeper than a screen is.
    """
    root = _parse(xml)
    try:
        _remove_plain(root)
        if root.children[0].attributes["package"] not in _KEEP_OVERLAPS:
            _remove_overlapped(root)
        key, value = _as_dict(root, new_id or _random_id)
    except (LookupError, ValueError) as error:
        raise UnreadableDump(f"it lacks something a dump has: {error}") from error
    return {key: value}


def as_text(compressed: Compressed) -> str:
    """Returns the compressed form as the lines an agent reads."""
    return "".join(_lines(compressed, 0)).strip()


def _lines(compressed: Compressed, indent: int) -> Iterator[str]:
    for key, value in compressed.items():
        if isinstance(value, str):
            yield f"{' ' * indent}{key}: {value}\n"
        else:
            yield f"{' ' * indent}{key}: \n"
            yield from _lines(value, indent + 4)


class _Node:
    """A node that can be moved; the original changes its XML in place."""

    def __init__(self, tag: str, attributes: dict[str, str], parent: _Node | None) -> None:
        self.tag = tag
        self.attributes = attributes
        self.parent = parent
        self.children: list[_Node] = []
        self.words = ""
        self.action = ""
        self.short_class = ""
        self.short_id = attributes.get("resource-id", "")

    @property
    def bounds(self) -> Bounds:
        found = _BOUNDS.search(self.attributes["bounds"])
        if found is None:
            raise ValueError(f"bounds “{self.attributes['bounds'][:40]}”")
        left, top, right, bottom = map(int, found.groups())
        return left, top, right, bottom

    def put_before(self, child: _Node) -> None:
        """Moves a node next to this one, in front of it."""
        assert child.parent is not None
        assert self.parent is not None
        child.parent.children.remove(child)
        child.parent = self.parent
        self.parent.children.insert(self.parent.children.index(self), child)

    def leave(self) -> None:
        assert self.parent is not None
        self.parent.children.remove(self)


def _parse(xml: str) -> _Node:
    data = xml.encode("utf-8", "surrogatepass")
    if len(data) > MAX_BYTES:
        raise UnreadableDump(f"it has {len(data)} bytes, and at most {MAX_BYTES} are read")
    roots: list[_Node] = []
    stack: list[_Node] = []
    count = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > MAX_NODES or len(stack) > MAX_DEPTH:
            raise UnreadableDump("it has more nodes, or is deeper, than a screen can be")
        node = _Node(tag, attributes, stack[-1] if stack else None)
        (stack[-1].children if stack else roots).append(node)
        stack.append(node)

    def entity(*_: object) -> None:
        raise UnreadableDump("it declares entities, which no phone does")

    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: stack.pop() and None
    parser.EntityDeclHandler = entity
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise UnreadableDump(f"line {error.lineno}: {expat.ErrorString(error.code)}") from error
    return roots[0]


def _remove_plain(node: _Node) -> None:
    """Takes out what is empty, outside its parent, or says and does nothing; children move up."""
    children = list(node.children)
    if node.tag == "node":
        if _says_nothing(node):
            for child in children:
                node.put_before(child)
            node.leave()
        else:
            _describe(node)
    elif node.parent is not None:
        raise ValueError(f"element “{node.tag[:40]}”")
    for child in children:
        _remove_plain(child)


def _says_nothing(node: _Node) -> bool:
    told = node.attributes
    bounds = node.bounds
    if bounds[0] < 0 or bounds[1] < 0 or bounds[0] >= bounds[2] or bounds[1] >= bounds[3]:
        return True
    above = node.parent
    if above is not None and "bounds" in above.attributes and not _inside(bounds, above.bounds):
        return True
    if any(told[flag] == "true" for flag in _FLAGS):
        return False
    return told["text"] == "" and told["content-desc"] == ""


def _describe(node: _Node) -> None:
    told = node.attributes
    node.words = "".join(f"{told[name]} " for name in ("text", "content-desc") if told[name])
    last = told["class"].split(".")[-1]
    node.short_class = "" if last in _PLAIN_CLASSES else last
    node.short_id = told["resource-id"].partition(":id/")[2]
    node.action = "".join(f"{word} " for flag, word in _ACTIONS.items() if told[flag] == "true")
    if node.action == "" and told["focusable"] == "true":
        node.action = "focusable "
    above = node.parent
    if above is not None and above.tag == "node" and "material_clock_face" in above.short_id:
        node.action += "click"


def _remove_overlapped(root: _Node) -> None:
    """Takes out nodes that a later sibling overlaps; their children outside of it stay."""
    queue = deque([root])
    while queue:
        node = queue.popleft()
        if "bounds" not in node.attributes or node.parent is None:
            queue.extend(node.children)
            continue
        siblings = node.parent.children
        later = siblings[siblings.index(node) + 1 :]
        over = next((one.bounds for one in later if _meet(node.bounds, one.bounds)), None)
        if over is None:
            queue.extend(node.children)
            continue
        _save_children(node, over, node, queue)
        node.leave()


def _save_children(node: _Node, over: Bounds, current: _Node, queue: deque[_Node]) -> None:
    for child in list(node.children):
        if _meet(child.bounds, over):
            _save_children(child, over, current, queue)
        else:
            current.put_before(child)
            queue.append(child)


def _as_dict(node: _Node, new_id: Callable[[], str]) -> tuple[str, Compressed]:
    key = new_id()
    told = dict(node.attributes)
    if node.tag == "node":
        key = f"[{key}] {_line(node)}"
        for name in _TAKEN_IN:
            del told[name]
        told.pop("NAF", None)
    elif "rotation" in told:
        key = TITLE
        del told["rotation"]
    return key, {**told, **dict(_as_dict(child, new_id) for child in node.children)}


def _line(node: _Node) -> str:
    told = node.attributes
    text = f"{node.short_class} " if node.short_class else ""
    text += f";{node.action}; "
    text += "".join(f"{name} " for name in ("checked", "password", "selected") if _is(told, name))
    if _is(told, "checkable") and told["checked"] == "false":
        text += "unchecked "
    text += ";"
    if _is(told, "password"):
        text += " you can input password, "
    if _is(told, "selected"):
        text += " selected, "
    return f"{text};{node.words}".replace("\n", "")


def _is(told: dict[str, str], name: str) -> bool:
    return told[name] == "true"


def _inside(inner: Bounds, outer: Bounds) -> bool:
    return (
        inner[0] >= outer[0]
        and inner[1] >= outer[1]
        and inner[2] <= outer[2]
        and inner[3] <= outer[3]
    )


def _meet(a: Bounds, b: Bounds) -> bool:
    return a[0] < b[2] and a[2] > b[0] and a[1] < b[3] and a[3] > b[1]


def _random_id() -> str:
    return "n" + uuid.uuid4().hex[:4]
