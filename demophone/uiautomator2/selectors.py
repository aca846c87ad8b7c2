"""UiSelector over the nodes of a dump: which of them are meant.

Source: the masks of uiautomator2/_selector.py 3.7.1; UiSelector of AndroidX.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from typing import Any

from demophone.uiautomator2.http import RpcError

Node = ElementTree.Element
_FLAGS = {
    "checkable": "checkable",
    "checked": "checked",
    "clickable": "clickable",
    "longClickable": "long-clickable",
    "scrollable": "scrollable",
    "enabled": "enabled",
    "focusable": "focusable",
    "focused": "focused",
    "selected": "selected",
}
_TEXTS = {
    "text": "text",
    "className": "class",
    "description": "content-desc",
    "packageName": "package",
    "resourceId": "resource-id",
}
_BOUNDS = re.compile(r"\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]")
MAX_PATTERN = 500


def found(xml: str, selector: Any) -> list[Node]:
    """The nodes that a selector means, in the order of the dump.

    Raises:
        RpcError: it is no selector.
    """
    # The dump is this phone's own.
    root = ElementTree.fromstring(xml)  # noqa: S314
    return _found(list(root), selector)


def with_text(xml: str, parent: Any, child: Any, attribute: str, text: str) -> list[Node]:
    """Returns the children of an element that have this text, or have it in them."""
    inside = [further for node in found(xml, parent)[:1] for further in _found(list(node), child)]
    return [node for node in inside if any(one.get(attribute) == text for one in _walk(node))]


def bounds(node: Node) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of a node in pixels."""
    match = _BOUNDS.fullmatch(node.get("bounds", ""))
    if match is None:
        raise AssertionError(f"a node without bounds: {node.attrib}")
    left, top, right, bottom = (int(number) for number in match.groups())
    return left, top, right, bottom


def info(node: Node) -> dict[str, Any]:
    """A node as `objInfo` tells it."""
    left, top, right, bottom = bounds(node)
    box = {"left": left, "top": top, "right": right, "bottom": bottom}
    flags = {name: node.get(attribute) == "true" for name, attribute in _FLAGS.items()}
    return {
        "bounds": box,
        "visibleBounds": box,
        "childCount": len(node),
        "className": node.get("class"),
        "contentDescription": node.get("content-desc"),
        "packageName": node.get("package"),
        "resourceName": node.get("resource-id"),
        "text": node.get("text"),
        **flags,
    }


def _found(roots: list[Node], selector: Any) -> list[Node]:
    if not isinstance(selector, dict):
        raise RpcError(-32602, "Invalid method parameters: no selector")
    fits = _test(selector)
    nodes = [node for root in roots for node in _walk(root) if fits(node)]
    relations = selector.get("childOrSibling") or []
    inner = selector.get("childOrSiblingSelector") or []
    instance = selector.get("instance")
    if isinstance(instance, int):
        nodes = nodes[instance : instance + 1] if instance >= 0 else []
    for relation, further in zip(relations, inner, strict=False):
        parents = {child: node for root in roots for node in _walk(root) for child in node}
        if relation == "child":
            near = [list(node) for node in nodes]
        else:
            near = [list(parents[node]) for node in nodes if node in parents]
        below = [node for group in near for node in _found(group, {**further, "instance": None})]
        nodes = list(dict.fromkeys(below))
        at = further.get("instance") if isinstance(further, dict) else None
        if isinstance(at, int):
            nodes = nodes[at : at + 1] if at >= 0 else []
    return nodes


def _walk(node: Node) -> Iterator[Node]:
    yield node
    for child in node:
        yield from _walk(child)


def _test(selector: dict[str, Any]) -> Callable[[Node], bool]:
    """What tells whether a node fits all that a selector asks for."""
    tests: list[Callable[[Node], bool]] = []
    for name, wanted in selector.items():
        if wanted is None:
            continue
        if name in _FLAGS:
            tests.append(_flag(_FLAGS[name], bool(wanted)))
        elif name == "index":
            tests.append(_equal("index", str(wanted)))
        else:
            stem = next((s for s in _TEXTS if name.startswith(s)), None)
            if stem is not None:
                tests.append(_text(_TEXTS[stem], name.removeprefix(stem), str(wanted)))
    return lambda node: all(test(node) for test in tests)


def _flag(attribute: str, wanted: bool) -> Callable[[Node], bool]:
    return lambda node: (node.get(attribute) == "true") == wanted


def _equal(attribute: str, wanted: str) -> Callable[[Node], bool]:
    return lambda node: node.get(attribute) == wanted


def _text(attribute: str, how: str, wanted: str) -> Callable[[Node], bool]:
    match how:
        case "":
            return _equal(attribute, wanted)
        case "Contains":
            return lambda node: wanted.lower() in node.get(attribute, "").lower()
        case "StartsWith":
            return lambda node: node.get(attribute, "").lower().startswith(wanted.lower())
        case "Matches":
            pattern = _pattern(wanted)
            return lambda node: pattern.fullmatch(node.get(attribute, "")) is not None
        case _:
            raise RpcError(-32602, f"Invalid method parameters: {attribute}{how[:40]}")


def _pattern(text: str) -> re.Pattern[str]:
    if len(text) > MAX_PATTERN:
        raise RpcError(-32602, "java.util.regex.PatternSyntaxException: too long")
    try:
        return re.compile(text, re.DOTALL)
    except (re.error, RecursionError) as error:
        raise RpcError(-32602, f"java.util.regex.PatternSyntaxException: {error}") from error
