"""What an agent is shown: the present screen as a step that has no action yet.

The request for it is built by `replay.asking.requests`, as for a recorded step.
"""

from __future__ import annotations

import hashlib
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from episodes import actions as a
from episodes.clocks import Moment
from episodes.geometry import Box
from episodes.media.pictures import encode_png
from episodes.media.signature import Luma
from episodes.screens import Basis, Foreground, Frame, StepTree, Still, StillSource, TreeFit
from episodes.steps import Step
from episodes.trees.passwords import without_passwords
from episodes.trees.step_trees import NoTree, tree_on_frame
from episodes.trees.values import Tree
from recorder.frames import LiveFrame
from recorder.mirror import Mirror
from recorder.session import Session

TRIES = 3
AGAIN_S = 0.1
EARLY_S = 0.12


class LiveStills:
    """Pictures of the screens of one attempt, in a folder that is removed afterwards."""

    def __init__(self, folder: Path, needed: bool = True) -> None:
        """Args: needed: whether anybody looks at them; else no file is written."""
        self._folder, self._needed = folder, needed

    def add(self, frame: LiveFrame, hidden: tuple[Box, ...]) -> Still:
        """Writes a frame's picture, black where it is hidden."""
        if not self._needed:
            return Still("", "image/png", frame.size, 0, StillSource.STREAM, True)
        pixels = np.array(frame.pixels) if hidden else frame.pixels
        for box in hidden:
            top, bottom = max(0, int(box.top)), max(0, int(box.bottom) + 1)
            left, right = max(0, int(box.left)), max(0, int(box.right) + 1)
            pixels[top:bottom, left:right] = 0
        data = encode_png(pixels, quickly=True)
        sha256 = hashlib.sha256(data).hexdigest()
        self.path(sha256, "image/png").write_bytes(data)
        return Still(sha256, "image/png", frame.size, len(data), StillSource.STREAM, True)

    def path(self, sha256: str, media_type: str) -> Path:
        """Returns the file of a picture."""
        return self._folder / f"{sha256}.png"


@dataclass(frozen=True, slots=True)
class Observation:
    """The present screen.

    Attributes:
        step: the screen as a step; its action is a placeholder.
        tree: in pixels of the frame; None if the phone gave none that holds.
        protected: whether an app forbids pictures of it.
        moving: whether it did not come to rest.
    """

    step: Step
    frame: LiveFrame
    tree: Tree | None
    app: Foreground | None
    protected: bool
    moving: bool

    @property
    def luma(self) -> Luma:
        """The small brightness of the screen."""
        return self.frame.blocks


class Observer:
    """Looks at the phone of one session."""

    def __init__(
        self, session: Session, mirror: Mirror, stills: LiveStills, patience_s: float = 6.0
    ) -> None:
        self._session, self._mirror, self._stills = session, mirror, stills
        self._device = mirror.device.another()
        self._patience_s = patience_s
        self._encoding = ThreadPoolExecutor(1, "picture")
        self._closing = threading.Event()

    def close(self) -> None:
        """Interrupts its own connection to the phone."""
        self._closing.set()
        self._device.interrupt()
        self._encoding.shutdown(wait=True, cancel_futures=True)

    def front(self) -> tuple[Foreground | None, bool]:
        """Asks the phone for the app in front, and whether it is protected.

        Raises:
            KnownError: the phone is away.
        """
        found = self._device.front()
        return found.app, found.protected

    def screen(self, number: int) -> Observation | None:
        """Waits until the screen rests and its tree is known, at most `patience_s`; then looks.

        Returns None if the session does not record.

        Raises:
            KnownError: the phone is away.
        """
        # Most screens do not change while their tree is awaited: the picture is made meanwhile.
        early = self._encoding.submit(self._encode_early)
        rested = self._session.wait_quiet(self._patience_s)
        for _ in range(TRIES):
            frame = self._mirror.latest.peek()
            around = None if frame is None else self._session.surroundings(frame)
            app, protected = self.front()
            if around is None or protected:
                break
            # A tree that was asked for before the newest frame may be another screen's, and a
            # black frame may be that of a protected screen which has just been left.
            if around.tree.fit is TreeFit.FRESH and not around.protected:
                break
            time.sleep(AGAIN_S)
            self._session.wait_quiet(self._patience_s / TRIES)
        if frame is None or around is None:
            return None
        protected = protected or around.protected
        tree = tree_on_frame(around.tree, frame.size)
        kept = None if isinstance(tree, NoTree) else tree
        passwords = tuple(n.box for n in kept.walk() if n.password and n.visible) if kept else ()
        step = Step(
            number,
            a.Wait(),
            Frame(
                frame.size,
                Basis.BEFORE_ACTION,
                None if protected else self._still(frame, passwords, early),
                protected=protected,
            ),
            source="agent",
            began=Moment(host_ns=time.monotonic_ns()),
            tree=_without_passwords(around.tree),
            foreground=app,
        )
        return Observation(step, frame, kept, app, protected, not rested)

    def _still(
        self, frame: LiveFrame, hidden: tuple[Box, ...], early: Future[tuple[int, Still] | None]
    ) -> Still:
        if not hidden:
            made = early.result()
            if made is not None and made[0] == frame.content:
                return made[1]
        return self._stills.add(frame, hidden)

    def _encode_early(self) -> tuple[int, Still] | None:
        """Encodes the screen as soon as it has been still for a moment; returns its content."""
        deadline = time.monotonic() + self._patience_s
        before = -1
        while time.monotonic() < deadline and not self._closing.is_set():
            frame = self._mirror.latest.peek()
            if frame is not None and frame.content == before:
                return frame.content, self._stills.add(frame, ())
            before = -1 if frame is None else frame.content
            self._closing.wait(EARLY_S)
        return None


def _without_passwords(tree: StepTree) -> StepTree | None:
    data = without_passwords(tree.record.format, tree.record.data)
    return None if data is None else replace(tree, record=replace(tree.record, data=data))
