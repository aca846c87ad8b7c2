"""One input of the person or script: a value that goes unchanged from the mirror to the step.

Each carries the frame it was made on and the host's monotonic time. The device encodes it for the
phone; the input reader turns it into steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from episodes.actions import Contact, Key, Phase
from episodes.geometry import Point
from recorder.frames import LiveFrame


@dataclass(frozen=True, slots=True)
class Touch:
    """One contact of a finger, with the frame it was made on.

    Attributes:
        contact: in pixels of `shown`; its time is `host_ns`, cut to microseconds.
        shown: the frame that was painted when this finger came down; its moves and its lift carry
            the same frame.
        host_ns: host clock of the event.
        painted_ns: host clock when `shown` was painted.
    """

    contact: Contact
    shown: LiveFrame
    host_ns: int
    painted_ns: int | None = None

    @classmethod
    def of(
        cls,
        phase: Phase,
        at: Point,
        shown: LiveFrame,
        host_ns: int,
        painted_ns: int | None = None,
        pointer: int = 0,
    ) -> Touch:
        """Returns a touch at full pressure, or at none if the finger leaves."""
        pressure = 0.0 if phase in (Phase.UP, Phase.CANCEL) else 1.0
        contact = Contact(phase, at, host_ns // 1000, pointer, pressure)
        return cls(contact, shown, host_ns, painted_ns)

    @property
    def is_down(self) -> bool:
        """Whether the finger comes down."""
        return self.contact.phase is Phase.DOWN

    @property
    def is_lift(self) -> bool:
        """Whether the finger leaves, or its gesture is cancelled."""
        return self.contact.phase in (Phase.UP, Phase.CANCEL)


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
