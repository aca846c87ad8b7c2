"""Actions as Android Lab's traces write them (`parsed_action`), to ours and back.

A box in a trace is kept as the target. Swipes have a direction, which is the finger's, and one of
three lengths. Typing ends with Enter where no marked picture was used.

Source: page_executor, utils_mobile/and_controller.py of THUDM/Android-Lab.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from episodes import actions as a
from episodes.geometry import Box, Direction, Point, Size
from episodes.steps import Step

SPACE = "androidlab"
LENGTHS = {"long": 10.0, "medium": 2.0, "short": 1.0}
"""Tenths of the screen's width; twice that for a vertical swipe."""

SWIPE_US = 400_000
WAIT_US = 5_000_000
_KEYS = {"back": a.Key.BACK, "home": a.Key.HOME, "enter": a.Key.ENTER}
_WORDS = {key: f"Press {name.capitalize()}" for name, key in _KEYS.items()}

ParsedAction = dict[str, Any]
BoxAt = Callable[[Step, Point], Box | None]


def action_of(told: Mapping[str, Any], size: Size, *, submits: bool) -> a.Action:
    """Returns the action of a `parsed_action`; what has no equivalent becomes `Other`.

    Args:
        size: of the screen in pixels.
        submits: whether typing ends with Enter, as it does without marked pictures.
    """
    name = str(told.get("action") or told.get("type") or "")
    given = told.get("kwargs")
    words: Mapping[str, Any] = given if isinstance(given, dict) else {}
    target = _target(words.get("element"))
    match name.lower().removeprefix("press ").strip():
        case "tap" if target is not None:
            return a.Tap(target)
        case "long press" if target is not None:
            return a.LongPress(target)
        case "swipe" if _direction(words.get("direction")) is not None:
            return _swipe(words, target, size)
        case "type":
            return a.TypeText(str(words.get("text", "")), submit=submits)
        case "launch":
            return a.OpenApp(str(words.get("package") or words.get("app_name") or words.get("app")))
        case "wait":
            return a.Wait(WAIT_US)
        case "back" | "home" | "enter" as key:
            return a.PressKey(_KEYS[key])
        case "finish":
            message = words.get("message", told.get("input"))
            return a.Finish(a.Ending.COMPLETE, None if message is None else str(message))
        case _:
            return a.Other(name or "unknown", json.dumps(words, ensure_ascii=False))


def parsed_action(action: a.Action, box: Box | None = None) -> ParsedAction | None:
    """Returns an action as a trace without marked pictures has it; None for one without a word.

    Args:
        box: of the element that was meant; the point alone without it.
    """
    match action:
        case a.Tap(at=at) | a.DoubleTap(at=at) if _numbers(at, box) is not None:
            return _do("Tap", element=_numbers(at, box))
        case a.LongPress(at=at) if _numbers(at, box) is not None:
            return _do("Long Press", element=_numbers(at, box))
        case a.Swipe(start=start):
            return _do(
                "Swipe",
                element=_numbers(start, box),
                direction=action.direction.value,
                dist="medium",
            )
        case a.Scroll(direction=direction, at=at):
            return _do("Swipe", element=_numbers(at, box), direction=direction.value, dist="medium")
        case a.TypeText(text=text):
            return _do("Type", text=text)
        case a.PressKey(key=key) if key in _WORDS:
            return {"operation": "do", "action": _WORDS[key]}
        case a.OpenApp(app=app):
            return _do("Launch", package=app)
        case a.Wait():
            return {"operation": "do", "action": "Wait"}
        case a.Finish(reason=reason):
            return _finish(reason or "done")
        case a.Answer(text=text):
            return _finish(text)
        case _:
            return None


def trace_lines(
    steps: Iterable[Step], box_at: BoxAt | None = None
) -> Iterator[tuple[Step, ParsedAction | None]]:
    """Yields the steps of an episode as the lines of a trace.

    An answer and the finish behind it become one finish with the answer as its message. A step that
    came from a trace keeps its own words.
    """
    listed = list(steps)
    said: str | None = None
    for number, step in enumerate(listed):
        following = listed[number + 1] if number + 1 < len(listed) else None
        own = own_parsed(step)
        if own is not None:
            yield step, own
            continue
        action = step.action
        if isinstance(action, a.Answer):
            said = action.text
            if following is not None and isinstance(following.action, a.Finish):
                continue
        if isinstance(action, a.Finish) and said is not None:
            yield step, _finish(said)
            continue
        at = _point(action)
        box = box_at(step, at) if box_at is not None and at is not None else None
        yield step, parsed_action(action, box)


def own_parsed(step: Step) -> ParsedAction | None:
    """Returns the `parsed_action` a step came with; None for a step from elsewhere."""
    if step.native is None or step.native.space != SPACE:
        return None
    told = step.native.value
    action = told.get("parsed_action") if isinstance(told, dict) else None
    return action if isinstance(action, dict) else None


def swipe_length(swipe: a.Swipe, size: Size) -> str:
    """Returns the word for the length that is nearest to a swipe's."""
    across, down = abs(swipe.end.x - swipe.start.x), abs(swipe.end.y - swipe.start.y)
    unit = size.width / 10
    tenths = across / unit if across > down else down / (2 * unit)
    return min(LENGTHS, key=lambda word: abs(LENGTHS[word] - tenths))


def _do(action: str, **words: Any) -> ParsedAction:
    told = {name: value for name, value in words.items() if value is not None}
    return {"operation": "do", "action": action, "kwargs": told}


def _finish(message: str) -> ParsedAction:
    return {"operation": "finish", "action": "finish", "kwargs": {"message": message}}


def _target(element: Any) -> Point | Box | None:
    numbers = element if isinstance(element, list | tuple) else ()
    if not all(isinstance(one, int | float) and abs(one) < 1e6 for one in numbers):
        return None
    if len(numbers) == 4:
        return Box(*map(float, numbers))
    return Point(*map(float, numbers)) if len(numbers) == 2 else None


def _direction(word: Any) -> Direction | None:
    try:
        return Direction(str(word).lower())
    except ValueError:
        return None


def _swipe(words: Mapping[str, Any], target: Point | Box | None, size: Size) -> a.Action:
    direction = _direction(words.get("direction"))
    assert direction is not None
    if target is None:
        return a.Scroll(direction)
    start = target.centre if isinstance(target, Box) else target
    length = LENGTHS.get(str(words.get("dist", "medium")), LENGTHS["medium"]) * size.width / 10
    dx, dy = {
        Direction.UP: (0.0, -2 * length),
        Direction.DOWN: (0.0, 2 * length),
        Direction.LEFT: (-length, 0.0),
        Direction.RIGHT: (length, 0.0),
    }[direction]
    end = Point(
        min(max(start.x + dx, 0.0), float(size.width)),
        min(max(start.y + dy, 0.0), float(size.height)),
    )
    return a.Swipe(start, end, SWIPE_US)


def _point(action: a.Action) -> Point | None:
    match action:
        case a.Tap(at=at) | a.DoubleTap(at=at) | a.LongPress(at=at) | a.Scroll(at=at):
            return at.centre if isinstance(at, Box) else at if isinstance(at, Point) else None
        case a.Swipe(start=start):
            return start
        case _:
            return None


def _numbers(at: a.Target | None, box: Box | None) -> list[int] | None:
    if box is None and isinstance(at, Box):
        box = at
    if box is not None:
        return [round(one) for one in (box.left, box.top, box.right, box.bottom)]
    if isinstance(at, Point):
        return [round(at.x), round(at.y), round(at.x), round(at.y)]
    return None
