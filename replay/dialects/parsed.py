"""What a dialect reads from one answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from episodes import actions as a
from episodes.runs import Unreadable


@dataclass(frozen=True, slots=True)
class Parsed:
    """The first action of an answer, in the model's own numbers.

    Attributes:
        action: a scroll keeps the direction the model wrote.
        by_finger: whether a scroll's direction is the finger's even if the content's is declared.
        in_pixels: whether the numbers are pixels of the frame even if another space is declared.
        more: how many further actions the answer has.
        listed: whether the dialect itself lists the action's name; otherwise it was looked up.
    """

    action: a.Action
    by_finger: bool = False
    in_pixels: bool = False
    more: int = 0
    listed: bool = True


ParseResult: TypeAlias = Parsed | Unreadable


def first_of(
    found: Any, read: Callable[[str, dict[str, Any]], a.Action | Unreadable]
) -> ParseResult:
    """Returns the first action of a list of objects with "action", or of one such object.

    Args:
        read: returns the action of a name in lower case and the object.
    """
    actions = found if isinstance(found, list) else [found]
    first = actions[0] if actions else None
    if not isinstance(first, dict) or not isinstance(first.get("action"), str):
        return Unreadable("the answer names no action")
    action = read(first["action"].lower(), first)
    return action if isinstance(action, Unreadable) else Parsed(action, more=len(actions) - 1)


Parser: TypeAlias = Callable[[Any], ParseResult]
