"""Events of a mirror and a session: values, never live objects."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from episodes.errors import KnownError
from episodes.screens import Frame, TreeStatus
from episodes.steps import Step


class SessionState(StrEnum):
    """The state of a recording."""

    NEW = "new"
    STARTING = "starting"  # waits for the first frame of its own
    RECORDING = "recording"
    PAUSED = "paused"  # the mirror goes on, nothing is recorded
    LOST = "lost"  # the phone is away; records again from its first frame when it is back
    FINISHED = "finished"
    STOPPED = "stopped"  # ended without a claim: the episode is incomplete


@dataclass(frozen=True, slots=True)
class StateChanged:
    """The session went into another state."""

    state: SessionState


@dataclass(frozen=True, slots=True)
class StepSaved:
    """A step is committed: it outlives this process."""

    step: Step


@dataclass(frozen=True, slots=True)
class StepDropped:
    """A step was deleted, and that is committed."""

    index: int


@dataclass(frozen=True, slots=True)
class StepRestored:
    """A deleted step was restored, and that is committed."""

    index: int


@dataclass(frozen=True, slots=True)
class AfterSaved:
    """The settled screen that followed a step is committed."""

    index: int
    frame: Frame


@dataclass(frozen=True, slots=True)
class TextCollected:
    """Typed text that is not a step yet; "" when it has become one."""

    text: str


@dataclass(frozen=True, slots=True)
class TreeState:
    """The newest answer of the tree source; `status` is None while a request is under way.

    Attributes:
        source: the name of the source that answered.
    """

    status: TreeStatus | None
    took_ms: int | None = None
    detail: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Health:
    """Rates and counts of the mirror.

    Attributes:
        fps: frames decoded in the last second.
        packets: received since the mirror started.
        lost: packets received while recording that could not be written (full disk or queue). The
            connection itself loses none.
        skipped: frames not decoded because the display had fallen behind; they are recorded.
        delay_ms: from the phone drawing a frame to it being ready here; None while unknown.
    """

    fps: float
    packets: int
    lost: int
    skipped: int
    delay_ms: float | None


@dataclass(frozen=True, slots=True)
class Lost:
    """The phone, or its video, was lost."""

    reason: str


@dataclass(frozen=True, slots=True)
class Back:
    """The phone is connected again."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something a person should know; the session goes on.

    Attributes:
        is_loss: whether the recording lacks something because of it: it ends incomplete.
    """

    error: KnownError
    is_loss: bool = False


@dataclass(frozen=True, slots=True)
class Copied:
    """The text on the phone's clipboard, after a key that copies."""

    text: str


@dataclass(frozen=True, slots=True)
class Undelivered:
    """The phone reports that the newest input did not reach its apps."""

    error: KnownError


MirrorEvent: TypeAlias = Lost | Back | Health | Problem | Copied | Undelivered
SessionEvent: TypeAlias = (
    StateChanged
    | StepSaved
    | StepDropped
    | StepRestored
    | AfterSaved
    | TextCollected
    | TreeState
    | Health
    | Lost
    | Back
    | Problem
)
