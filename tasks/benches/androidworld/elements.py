"""AndroidWorld's UI elements: read from a dump, described to a model, turned with the screen.

Source: env/representation_utils.py, agents/m3a.py, agents/m3a_utils.py.
"""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from typing import Any

from episodes.geometry import Box
from episodes.trees.uiautomator import read_uiautomator
from episodes.trees.values import Node

_CALL = re.compile(r"Reason:(.*)Action:", re.DOTALL)
_ACTION = re.compile(r"Action:(.*)", re.DOTALL)
_OBJECT = re.compile(r"\{.*?\}", re.DOTALL)
_LONGEST_LITERAL = 100_000


@dataclass(frozen=True, slots=True)
class UiElement:
    """An element as AndroidWorld's agents see it; its box is in pixels of the turned screen."""

    text: str | None = None
    content_description: str | None = None
    class_name: str | None = None
    box: Box | None = None
    hint_text: str | None = None
    tooltip: str | None = None
    resource_id: str | None = None
    package_name: str | None = None
    is_checked: bool | None = None
    is_clickable: bool | None = None
    is_editable: bool | None = None
    is_enabled: bool | None = None
    is_focusable: bool | None = None
    is_long_clickable: bool | None = None
    is_scrollable: bool | None = None
    is_selected: bool | None = None
    is_visible: bool | None = True


def elements_of_dump(data: bytes) -> list[UiElement]:
    """Returns every node of a `uiautomator dump` as an element, containers too.

    `is_editable` stays unknown, as the dump does not say it.

    Raises:
        KnownError: the bytes are no such dump.
    """
    found: list[UiElement] = []

    def add(node: Node) -> None:
        found.append(
            UiElement(
                text=node.text,
                content_description=node.description,
                class_name=node.class_name,
                box=node.box,
                resource_id=node.resource_id,
                package_name=node.package,
                is_checked=node.checked,
                is_clickable=node.clickable,
                is_enabled=node.enabled,
                is_focusable=node.focusable,
                is_long_clickable=node.long_clickable,
                is_scrollable=node.scrollable,
                is_selected=node.selected,
            )
        )
        for child in node.children:
            add(child)

    for window in read_uiautomator(data).windows:
        if window.root is not None:
            add(window.root)
    return found


def describe(element: UiElement, index: int) -> str:
    """Returns the line that stands for an element in the prompt of the agent M3A."""
    parts = [f'"index": {index}']
    for name in ("text", "content_description", "hint_text", "tooltip"):
        if value := getattr(element, name):
            parts.append(f'"{name}": "{value}"')
    for name in ("is_clickable", "is_long_clickable", "is_editable"):
        parts.append(f'"{name}": {bool(getattr(element, name))}')
    for name in ("is_scrollable", "is_focusable"):
        if getattr(element, name):
            parts.append(f'"{name}": True')
    for name in ("is_selected", "is_checked"):
        parts.append(f'"{name}": {bool(getattr(element, name))}')
    return f"UI element {index}: {{{', '.join(parts)}}}"


def is_valid(element: UiElement, screen: tuple[int, int]) -> bool:
    """Returns whether an element is visible, not empty, and at least in part on the screen."""
    if not element.is_visible:
        return False
    box = element.box
    return box is None or (
        box.left < box.right
        and box.left < screen[0]
        and box.right > 0
        and box.top < box.bottom
        and box.top < screen[1]
        and box.bottom > 0
    )


def to_physical(
    point: tuple[float, float],
    logical: tuple[int, int],
    frame: tuple[int, int, int, int],
    orientation: int,
) -> tuple[int, int]:
    """Returns where a point of the turned screen lies in the portrait frame.

    Args:
        point: in logical pixels.
        logical: width and height of the turned screen.
        frame: left, top, right, bottom of the physical frame.
        orientation: quarter turns, 0 to 3.

    Raises:
        ValueError: the orientation is none of these.
    """
    left, top, right, bottom = frame
    width, height = right - left, bottom - top
    (x, y), (across, down) = point, logical
    match orientation:
        case 0:
            return int(x * width / across) + left, int(y * height / down) + top
        case 1:
            return width - int(y * width / down) + left, int(x * height / across) + top
        case 2:
            return (
                width - int(x * width / across) + left,
                height - int(y * height / down) + top,
            )
        case 3:
            return int(y * width / down) + left, height - int(x * height / across) + top
    raise ValueError("Unsupported orientation.")


def parse_reply(raw: str) -> tuple[str | None, str | None]:
    """Returns reason and action of a reply of M3A; None for what it does not hold.

    An object that is a Python literal is written anew as JSON. Any other text stays, and so does
    JSON with true, false or null.
    """
    reason, action = _CALL.search(raw), _ACTION.search(raw)
    text = action.group(1).strip() if action else None
    if text and (found := _literal(text)) is not None:
        text = json.dumps(found)
    return reason.group(1).strip() if reason else None, text


def _literal(text: str) -> dict[Any, Any] | None:
    """Returns the first {...} of a text where it is a Python literal of a dictionary."""
    found = _OBJECT.search(text)
    if found is None or len(found.group()) > _LONGEST_LITERAL:
        return None
    try:
        value = ast.literal_eval(found.group())
        json.dumps(value)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return None
    return value if isinstance(value, dict) else None
