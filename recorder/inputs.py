"""One input of the person or script: a value that goes unchanged from the mirror to the step.

Each carries the frame it was made on and the host's monotonic time. The device encodes it for the
phone; the input reader turns it into steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from episodes.actions import Key, Phase
from episodes.geometry import Point
from recorder.frames import LiveFrame


@dataclass(frozen=True, slots=True)
class Touch:
    """The position of one finger at one time.

    Attributes:
        at: in pixels of `shown`.
        shown: the frame that was painted when this finger came down; its moves and its lift carry
            the same frame.
        host_ns: host clock of the event.
        painted_ns: host clock when `shown` was painted.
    """

    phase: Phase
    at: Point
    shown: LiveFrame
    host_ns: int
    painted_ns: int | None = None
    pointer: int = 0


@dataclass(frozen=True, slots=True)
class KeyPress:
    """A key pressed and released.

    Attributes:
        shown: the frame that was painted then; None if there was none.
        name: Android's name of the key if `key` is OTHER ("META_CTRL_ON+KEYCODE_A").
    """

    key: Key
    shown: LiveFrame | None
    host_ns: int
    name: str | None = None


@dataclass(frozen=True, slots=True)
class TypedText:
    """Text from the keyboard, an input method or the clipboard.

    Attributes:
        pasted: whether the phone gets it as one piece through its clipboard.
    """

    text: str
    shown: LiveFrame | None
    host_ns: int
    painted_ns: int | None = None
    pasted: bool = False


@dataclass(frozen=True, slots=True)
class WheelTurn:
    """A turn of the mouse wheel, in notches; positive is right and up."""

    at: Point
    across: float
    down: float
    shown: LiveFrame
    host_ns: int
    painted_ns: int | None = None


@dataclass(frozen=True, slots=True)
class StartApp:
    """An app brought to the front by its package."""

    package: str
    shown: LiveFrame | None
    host_ns: int


Input: TypeAlias = Touch | KeyPress | TypedText | WheelTurn | StartApp
