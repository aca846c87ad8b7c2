"""A step that is not committed yet."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass

from episodes.actions import Action
from episodes.screens import Basis, Foreground, StepTree, Still
from recorder.frames import LiveFrame


@dataclass(slots=True, eq=False)
class PendingStep:
    """One step on its way into the library. Belongs to the session's thread.

    Attributes:
        source: "mirror", "keyboard", "button" or "command".
        by_agent: whether an agent did it, not a person.
        shown: the frame it was made on; None if there was none yet.
        began_ns, ended_ns: host clock, first and last contact or key.
        painted_ns: host clock when the window had painted `shown`.
        still: of `shown`, being written; None if there is no frame.
        index: set when it is committed.
        after: the frame of the settled screen after it, once known.
        tree, foreground: of the screen before it, once decided; long queues do not change them.
    """

    action: Action
    source: str
    shown: LiveFrame | None
    basis: Basis
    began_ns: int
    ended_ns: int
    painted_ns: int | None = None
    by_agent: bool = False
    still: Future[Still] | None = None
    index: int | None = None
    after: LiveFrame | None = None
    tree: StepTree | None = None
    foreground: Foreground | None = None
