"""Checks whether an action, or the gold stated in a row, may belong to a step.

Evaluators write the gold they judged with next to the answer: GUI-R1 `gt_action`, `gt_bbox` and
`gt_input_text`, ClawGUI `answer`, GUIOdyssey `gt`, others `label` or `ground_truth`. It is
never used for scoring. It reveals rows that were joined to wrong steps. So this comparison is
tolerant: it must detect a wrong order, but not a different convention.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from episodes import actions as a
from episodes.episodes import Episode
from episodes.geometry import Point, Size
from episodes.runs import Unreadable
from replay.dialect import Declared, Dialect, Row
from replay.dialects.loose import number_of
from replay.dialects.places import word_of

NEAR = 0.14
"""How far apart two places of one thing may be, as a part of the screen: GUIOdyssey's rule."""

_NO_TEXT = "no input text"
_WORDS = {
    **dict.fromkeys(("click", "tap", "leftclick", "clickelement"), "tap"),
    **dict.fromkeys(("longpress", "longclick"), "long_press"),
    **dict.fromkeys(("doubletap", "doubleclick", "leftdouble"), "double_tap"),
    **dict.fromkeys(("scroll", "swipe", "slide", "drag"), "scroll"),
    **dict.fromkeys(("type", "typetext", "input", "inputtext"), "type_text"),
    **dict.fromkeys(("openapp", "open", "launch", "awake"), "open_app"),
    **dict.fromkeys(("wait", "sleep"), "wait"),
    **dict.fromkeys(
        ("complete", "finish", "finished", "terminate", "status", "stop", "impossible"), "finish"
    ),
    **dict.fromkeys(("pressback", "navigateback", "back"), "back"),
    **dict.fromkeys(("presshome", "navigatehome", "home"), "home"),
    **dict.fromkeys(("pressrecent", "pressappselect", "recents", "appselect"), "recents"),
    **dict.fromkeys(("enter", "pressenter", "keyboardenter"), "enter"),
}
_DIRECTIONS = {"up": "vertical", "down": "vertical", "left": "horizontal", "right": "horizontal"}
_WHOLE_GOLD = ("gt", "gold", "label", "labels", "answer", "groundtruth", "gts", "gtanswer")
_KINDS = ("gtaction", "goldaction", "actiontype", "action", "type", "ACTION")
_BOXES = ("gtbbox", "gtbox", "gtpoint", "bbox", "goldbbox", "coordinate", "point")
_TEXTS = ("gtinputtext", "gttext", "text", "inputtext", "content")


@dataclass(frozen=True, slots=True)
class Gist:
    """The parts of an action that are compared.

    Attributes:
        kind: of the action; "" if only its place is known. A key's kind is its name.
        axis: of a scroll: "vertical" or "horizontal"; "" if unknown.
        text: typed; None if unknown.
        places: possible places, as fractions of the screen: one for each space its numbers may be
            in.
    """

    kind: str
    axis: str = ""
    text: str | None = None
    places: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class StepGist:
    """The parts of a recorded step that are compared."""

    episode: str
    step: int
    gist: Gist
    size: Size | None


def steps_of(episodes: Iterable[Episode]) -> Iterator[StepGist]:
    """Yields the compared parts of each step of the episodes, in order."""
    for episode in episodes:
        for step in episode.steps:
            size = step.frame.size if step.frame is not None else None
            yield StepGist(episode.name, step.index, gist_of(step.action, size), size)


def gist_of(action: a.Action, size: Size | None) -> Gist:
    """Returns the compared parts of an action in pixels of a frame."""
    at = a.place(action)
    places = (Point(at.x / size.width, at.y / size.height),) if at is not None and size else ()
    match action:
        case a.Swipe(start, end):
            across, down = abs(end.x - start.x), abs(end.y - start.y)
            return Gist("scroll", "horizontal" if across > down else "vertical", None, ())
        case a.Scroll(direction):
            return Gist("scroll", _DIRECTIONS[direction.value])
        case a.TypeText(text):
            return Gist("type_text", "", _plain(text))
        case a.PressKey(key, name):
            return Gist(key.value if key is not a.Key.OTHER else name or "key")
        case a.Answer():
            return Gist("finish")
        case a.Other(name):
            return Gist(_WORDS.get(word_of(name), "other"))
    return Gist(a.kind(action), places=places)


def fits(told: Gist, gold: Gist) -> bool:
    """Returns whether two actions may be the same."""
    if told.kind and told.kind != gold.kind:
        return False
    if told.axis and gold.axis and told.axis != gold.axis:
        return False
    if told.text is not None and gold.text is not None and told.text != gold.text:
        return False
    if told.places and gold.places:
        return any(near(place, gold.places[0]) for place in told.places)
    return True


def near(place: Point, other: Point) -> bool:
    """Returns whether two places, as fractions of the screen, may be on one element."""
    return math.hypot(place.x - other.x, place.y - other.y) <= NEAR


def stated_gist(row: Row, size: Size | None, dialect: Dialect, declared: Declared) -> Gist | None:
    """Returns the gold stated in a row; None if there is none or it is unreadable."""
    if row.stated is None:
        return None
    words = {word_of(name): value for name, value in row.stated.items()}
    for name in _WHOLE_GOLD:
        if (found := _whole(words.get(name), row, size, dialect, declared)) is not None:
            return found
    return _of_fields(words, size)


def _whole(
    value: Any, row: Row, size: Size | None, dialect: Dialect, declared: Declared
) -> Gist | None:
    """Returns gold stated in one value, in the dialect's syntax or a common one."""
    if value in (None, "", []) or isinstance(value, bool):
        return None
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    told = dialect.action(replace(row, value=value, problem="", stated=None), size, declared)
    if isinstance(told, Unreadable):
        if isinstance(value, dict):
            return _of_fields({word_of(k): v for k, v in value.items() if isinstance(k, str)}, size)
        kind = _WORDS.get(word_of(told.guess)) if told.guess else None
        return Gist(kind) if kind is not None else None
    if isinstance(told, a.Other):
        kind = _WORDS.get(word_of(told.name))
        return Gist(kind) if kind is not None else None
    return gist_of(told, size)


def _of_fields(words: dict[str, Any], size: Size | None) -> Gist | None:
    named = next((v for name in _KINDS if isinstance(v := words.get(name), str)), None)
    kind = _WORDS.get(word_of(named)) if named is not None else ""
    if kind is None:
        return None
    places = _places(next((v for name in _BOXES if (v := words.get(name))), None), size)
    said = next((v for name in _TEXTS if isinstance(v := words.get(name), str)), None)
    said = None if said == _NO_TEXT else said
    way = words.get("direction", said if kind == "scroll" else None)
    axis = _DIRECTIONS.get(way.strip().lower(), "") if isinstance(way, str) else ""
    text = _plain(said) if kind == "type_text" and said is not None else None
    if kind not in ("", "tap", "long_press", "double_tap"):
        places = ()
    return Gist(kind, axis, text, places) if kind or places else None


def _places(value: Any, size: Size | None) -> tuple[Point, ...]:
    """Returns the possible places of a point or box of an unknown space, as fractions of the
    screen."""
    if not isinstance(value, list | tuple) or len(value) not in (2, 4):
        return ()
    numbers = [number for one in value if (number := number_of(one)) is not None]
    if len(numbers) != len(value) or min(numbers) < 0:
        return ()
    x, y = numbers[:2]
    if len(numbers) == 4:
        x, y = (x + numbers[2]) / 2, (y + numbers[3]) / 2
    found = [Point(x, y)] if x <= 1 and y <= 1 else [Point(x / 1000, y / 1000)]
    if size is not None and (x > 1 or y > 1):
        found.append(Point(x / size.width, y / size.height))
    return tuple(found)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())[:500]
