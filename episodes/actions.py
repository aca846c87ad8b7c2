"""What a person or a model does to a phone.

One union of frozen types; `match` over it is checked by the type checker. What a format or a
model says that fits none of them becomes `Other`, with its name and arguments: counted, never
dropped.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from episodes.geometry import Box, Direction, Point, direction_between


class Phase(StrEnum):
    """What a finger does at one moment."""

    DOWN = "down"
    MOVE = "move"
    UP = "up"
    CANCEL = "cancel"


@dataclass(frozen=True, slots=True)
class Contact:
    """One finger at one moment, on the frame that was on the screen when it came down.

    Attributes:
        pointer: which finger; 0 is the first.
        time_us: microseconds since the gesture's first contact.
        pressure: 0..1.
    """

    phase: Phase
    at: Point
    time_us: int
    pointer: int = 0
    pressure: float = 1.0


Path: TypeAlias = tuple[Contact, ...]


@dataclass(frozen=True, slots=True)
class ElementRef:
    """An element named instead of pointed at: a number, a text, or a path in the tree."""

    index: int | None = None
    text: str | None = None
    path: str | None = None


Target: TypeAlias = Point | Box | ElementRef


@dataclass(frozen=True, slots=True)
class Tap:
    """One short touch; `lift` is where the finger left, when that is known."""

    at: Target
    lift: Point | None = None
    path: Path = ()


@dataclass(frozen=True, slots=True)
class DoubleTap:
    """Two short touches of one place."""

    at: Target
    path: Path = ()


@dataclass(frozen=True, slots=True)
class LongPress:
    """A finger held still; `duration_us` where it is known."""

    at: Target
    duration_us: int | None = None
    path: Path = ()


@dataclass(frozen=True, slots=True)
class Swipe:
    """A finger moved over the screen, with its way where it is known."""

    start: Point
    end: Point
    duration_us: int | None = None
    path: Path = ()

    @property
    def direction(self) -> Direction:
        """Where the finger goes, in pixels; on an exact diagonal the vertical one."""
        return direction_between(self.start, self.end)


@dataclass(frozen=True, slots=True)
class Scroll:
    """A scroll of which only the finger's direction is known (several formats have no more)."""

    direction: Direction
    at: Target | None = None


@dataclass(frozen=True, slots=True)
class Pinch:
    """Two fingers moved apart (`scale` > 1) or together (< 1)."""

    centre: Point
    scale: float
    path: Path = ()


@dataclass(frozen=True, slots=True)
class TypeText:
    """Text entered, with the field it went into where that is known.

    Attributes:
        clear: whether the field was emptied first.
        submit: whether the keyboard's action key ended it.
    """

    text: str
    target: Target | None = None
    clear: bool = False
    submit: bool = False


class Key(StrEnum):
    """Keys that mean something to a phone; others keep Android's name in `PressKey.name`."""

    BACK = "back"
    HOME = "home"
    RECENTS = "recents"
    ENTER = "enter"
    DELETE = "delete"
    TAB = "tab"
    POWER = "power"
    VOLUME_UP = "volume_up"
    VOLUME_DOWN = "volume_down"
    MENU = "menu"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class PressKey:
    """A key pressed and released; `name` says which when `key` is OTHER (KEYCODE_...)."""

    key: Key
    name: str | None = None


@dataclass(frozen=True, slots=True)
class OpenApp:
    """An app brought to the front by name, not by tapping its icon."""

    app: str


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing done on purpose."""

    duration_us: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to the person who set the task."""

    text: str


class Ending(StrEnum):
    """The actor's claim of how the task ended."""

    COMPLETE = "complete"
    IMPOSSIBLE = "impossible"


@dataclass(frozen=True, slots=True)
class Finish:
    """The claim that the task is done, or that it cannot be."""

    ending: Ending
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Other:
    """An action none of the others can hold; `arguments` is JSON text."""

    name: str
    arguments: str = "{}"


Action: TypeAlias = (
    Tap
    | DoubleTap
    | LongPress
    | Swipe
    | Scroll
    | Pinch
    | TypeText
    | PressKey
    | OpenApp
    | Wait
    | Answer
    | Finish
    | Other
)


def kind(action: Action) -> str:
    """Returns the action's name as files and tables write it, e.g. "long_press"."""
    return _KINDS[type(action)]


def describe_kind(action: Action) -> str:
    """Returns the action's kind in words, with its key or its foreign name, e.g. "key tab"."""
    match action:
        case PressKey(key, name):
            return f"key {name or key.value}"
        case Other(name, _):
            return f"action “{name[:40]}”"
    return kind(action).replace("_", " ")


_KINDS: dict[type, str] = {
    Tap: "tap",
    DoubleTap: "double_tap",
    LongPress: "long_press",
    Swipe: "swipe",
    Scroll: "scroll",
    Pinch: "pinch",
    TypeText: "type_text",
    PressKey: "press_key",
    OpenApp: "open_app",
    Wait: "wait",
    Answer: "answer",
    Finish: "finish",
    Other: "other",
}
KINDS: tuple[str, ...] = tuple(_KINDS.values())


def place(action: Action) -> Point | None:
    """Returns the one point an action is about, or None if it has none.

    A box counts with its centre, a swipe with its start.
    """
    match action:
        case Tap(at) | DoubleTap(at) | LongPress(at):
            return _point(at)
        case Swipe(start=start):
            return start
        case Pinch(centre=centre):
            return centre
        case Scroll(at=target) | TypeText(target=target):
            return _point(target) if target is not None else None
        case PressKey() | OpenApp() | Wait() | Answer() | Finish() | Other():
            return None


def _point(target: Target) -> Point | None:
    match target:
        case Point():
            return target
        case Box():
            return target.centre
        case ElementRef():
            return None
