"""A step that has happened and is not committed yet."""

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
        shown: the frame it was made on; None where there was none yet.
        began_ns, ended_ns: host clock, first and last contact or key.
        painted_ns: host clock when the window had painted `shown`.
        still: of `shown`, being written; None where there is none to write.
        index: given when it is committed.
        after: the frame of the settled screen that followed, once that is known.
        tree, foreground: what was around it, once that is decided; long queues do not change it.
    """

    action: Action
    source: str
    shown: LiveFrame | None
    basis: Basis
    began_ns: int
    ended_ns: int
    painted_ns: int | None = None
    still: Future[Still] | None = None
    index: int | None = None
    after: LiveFrame | None = None
    tree: StepTree | None = None
    foreground: Foreground | None = None
