"""Writes steps into the library, one after the other.

Belongs to the session's thread. A step is written when its still is a file, its segment has a row,
the frames under way have arrived, and its tree is decided. The next step is written when the one
before is in the library, so no index is lost.

If the disk has no room for a still, the step is written without it as long as its packet is in the
video: the picture can be decoded from that. A step with neither would show nothing and is not
written. Both cases are reported.
"""

from __future__ import annotations

import bisect
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

from episodes.actions import Action, Finish, TypeText
from episodes.errors import KnownError
from episodes.geometry import Size
from episodes.media import pictures
from episodes.screens import Basis, Foreground, Frame, StepTree, Still, StillSource
from episodes.steps import Step
from episodes.store.library import Library
from recorder.clock import ClockMap
from recorder.frames import LiveFrame
from recorder.library_thread import LibraryThread
from recorder.pending_step import PendingStep
from recorder.video_index import VideoIndex

# Frames drawn before a press need this long to be here, so that a change under way is seen.
FRAMES_NS = 300_000_000
TREE_PATIENCE_NS = 1_000_000_000
FRAMES_PATIENCE_NS = 3_000_000_000
SETTLE_NS = 600_000_000
NEVER_STILL_NS = 5_000_000_000

_PNG = "image/png"


class Witnesses(Protocol):
    """Supplies the tree and the app of a step, when it is committed."""

    def tree(self, pressed_ns: int, shown: LiveFrame | None) -> StepTree:
        """Returns the tree of a step that began then, on this frame."""

    def tree_is_coming(self, pressed_ns: int, shown: LiveFrame | None, patient: bool) -> bool:
        """Returns whether waiting may still give a better tree.

        Args:
            patient: whether to wait for an answer, too, not only for late frames.
        """

    def protects(self, shown: LiveFrame) -> bool:
        """Returns whether an app forbade this picture."""

    def app(self, began_ns: int, acted_ns: int) -> Foreground | None:
        """Returns the foreground app."""

    def target(self, tree: StepTree, action: TypeText, frame: Size | None) -> TypeText:
        """Returns the text with the field it went into, in pixels of a frame of this size."""


@dataclass(frozen=True, slots=True)
class Committed:
    """A step is in the library."""

    step: Step


@dataclass(frozen=True, slots=True)
class AfterCommitted:
    """The screen after a step is in the library."""

    index: int
    frame: Frame


class StepWriter:
    """Writes the steps of one episode.

    Args:
        encode: one thread that makes stills.
        post: runs a function on the session's thread.
        tell: called with what is in the library.
        failed: called with an error, and whether data are lost for good: a still that the video
            holds can be decoded again.
    """

    def __init__(
        self,
        episode: str,
        library: LibraryThread,
        video: VideoIndex,
        clock: ClockMap,
        witnesses: Witnesses,
        encode: ThreadPoolExecutor,
        post: Callable[[Callable[[], None]], None],
        tell: Callable[[Committed | AfterCommitted], None],
        failed: Callable[[KnownError, bool], None],
    ) -> None:
        self._episode = episode
        self._library = library
        self._video = video
        self._clock = clock
        self._witnesses = witnesses
        self._encode = encode
        self._post = post
        self._tell = tell
        self._failed = failed
        self._pending: deque[PendingStep] = deque()
        self._writing: PendingStep | None = None
        self._unsettled: PendingStep | None = None
        self._pressed: tuple[int, LiveFrame] | None = None
        self._afters = 0
        self._next = 0
        self._there: list[int] = []
        self._stills: deque[tuple[LiveFrame, Future[Still]]] = deque(maxlen=4)
        self.final: Frame | None = None

    @property
    def idle(self) -> bool:
        """Whether nothing waits or is being written."""
        return not self._pending and self._writing is None and not self._afters

    def add(self, step: PendingStep) -> None:
        """Adds a step; its still is encoded at once."""
        if step.shown is not None:
            step.still = self._still(step.shown)
        self._pending.append(step)
        if isinstance(step.action, Finish):
            return
        # A tap is known only after its second chance: by then the next press may have come.
        if self._pressed is not None and self._pressed[0] > step.ended_ns:
            self._followed(step, self._pressed[1])
        else:
            self._unsettled = step

    def pressed(self, began_ns: int, shown: LiveFrame | None) -> None:
        """A new input begins on this frame: it is the screen after the step before."""
        if shown is None:
            return
        self._pressed = (began_ns, shown)
        if self._unsettled is not None and began_ns > self._unsettled.ended_ns:
            self._followed(self._unsettled, shown)

    def drop_since(self, since_ns: int) -> list[PendingStep]:
        """Removes and returns uncommitted mirror steps that ended at `since_ns` or later."""
        dropped = [
            step for step in self._pending if step.source == "mirror" and step.ended_ns >= since_ns
        ]
        for step in dropped:
            self._pending.remove(step)
            if self._unsettled is step:
                self._unsettled = None
        return dropped

    def drop_last(self) -> int | None:
        """Returns the index of the newest step, which is to be deleted; None for none.

        An index is never used twice.
        """
        if not self._there:
            return None
        self._unsettled = None
        return self._there.pop()

    def put_back(self, index: int) -> None:
        """Counts a restored step again."""
        bisect.insort(self._there, index)

    def due_ns(self, changed_ns: int) -> int | None:
        """Returns the host time at which `tick` may have something to do; None for never."""
        due: list[int] = []
        for step in self._pending:
            if step.tree is None:
                waits = (FRAMES_NS, TREE_PATIENCE_NS, FRAMES_PATIENCE_NS)
                due += [step.ended_ns + wait for wait in waits]
        if self._unsettled is not None:
            due.append(self._settled_ns(self._unsettled, changed_ns))
        return min(due, default=None)

    def tick(self, now_ns: int, changed_ns: int, newest: LiveFrame | None) -> None:
        """Commits the steps that are ready.

        Args:
            changed_ns: host time of the last change of the picture.
            newest: the frame on the screen now.
        """
        step = self._unsettled
        if step is not None and newest is not None and now_ns >= self._settled_ns(step, changed_ns):
            self._followed(step, newest)
        for waiting in self._pending:
            if waiting.tree is None and self._is_decided(waiting, now_ns):
                acted = waiting.ended_ns if waiting.source == "mirror" else waiting.began_ns
                waiting.tree = self._witnesses.tree(waiting.began_ns, waiting.shown)
                waiting.foreground = self._witnesses.app(waiting.began_ns, acted)
        if self._pending and self._writing is None and self._is_ready(self._pending[0]):
            self._commit(self._pending.popleft())

    # --- a step --------------------------------------------------------------------------------
    def _is_decided(self, step: PendingStep, now_ns: int) -> bool:
        """Returns whether no better tree or app of a step can arrive any more."""
        if now_ns < step.ended_ns + FRAMES_NS:
            return False
        if now_ns >= step.ended_ns + FRAMES_PATIENCE_NS:
            return True
        patient = now_ns < step.ended_ns + TREE_PATIENCE_NS
        return not self._witnesses.tree_is_coming(step.began_ns, step.shown, patient)

    def _is_ready(self, step: PendingStep) -> bool:
        if step.tree is None or (step.still and not step.still.done()):
            return False
        return step.shown is None or not self._video.awaits(step.shown)

    def _commit(self, pending: PendingStep) -> None:
        step = self._step(pending, self._next)
        if _shows_nothing(step, pending) and not isinstance(step.action, Finish):
            self._failed(_no_room(step.index), True)
            return
        pending.index = self._next
        self._writing = pending
        taken = self._video.take_index()

        def write(library: Library) -> None:
            packets = self._video.ready(step.frame, taken)
            try:
                library.add_step(self._episode, step, packets)
            except KnownError:
                self._video.put_back(packets)
                raise

        self._library.submit(write).add_done_callback(
            lambda future: self._post(lambda: self._written(pending, step, future))
        )

    def _written(self, pending: PendingStep, step: Step, future: Future[None]) -> None:
        self._writing = None
        error = future.exception()
        if isinstance(error, KnownError):
            pending.index = None
            self._failed(error, True)
            return
        future.result()
        self._next = step.index + 1
        self._there.append(step.index)
        if isinstance(step.action, Finish):
            self.final = step.frame
        self._tell(Committed(step))
        if pending.after is not None:
            self._save_after(pending, pending.after)

    def _step(self, pending: PendingStep, index: int) -> Step:
        tree = pending.tree
        assert tree is not None
        action: Action = pending.action
        if isinstance(action, TypeText):
            size = None if pending.shown is None else pending.shown.size
            action = self._witnesses.target(tree, action, size)
        return Step(
            index=index,
            action=action,
            frame=self._frame(pending.shown, pending.basis, pending.still, pending.painted_ns),
            source="agent" if pending.by_agent else pending.source,
            began=self._clock.to_device(pending.began_ns),
            ended=self._clock.to_device(pending.ended_ns),
            tree=tree,
            foreground=pending.foreground,
        )

    # --- the screen that followed --------------------------------------------------------------
    def _settled_ns(self, step: PendingStep, changed_ns: int) -> int:
        still_ns = max(step.ended_ns, changed_ns) + SETTLE_NS
        return min(still_ns, step.ended_ns + NEVER_STILL_NS)

    def _followed(self, step: PendingStep, frame: LiveFrame) -> None:
        if self._unsettled is step:
            self._unsettled = None
        step.after = frame
        if step.index is not None and self._writing is not step:
            self._save_after(step, frame)

    def _save_after(self, step: PendingStep, shown: LiveFrame) -> None:
        index = step.index
        assert index is not None
        self._afters += 1
        still = self._still(shown)

        def save(done: Future[Still]) -> None:
            frame = self._frame(shown, Basis.AFTER, done, None)
            assert frame is not None
            if frame.still is None and frame.packet is None:
                self._afters -= 1  # it would show nothing; the full disk has been reported
                return

            def write(library: Library) -> None:
                for number, packets in self._video.ready(frame).items():
                    self._video.add_packets(library, number, packets)
                library.set_after(self._episode, index, frame)

            self._library.submit(write).add_done_callback(
                lambda future: self._post(lambda: self._after_written(index, frame, future))
            )

        still.add_done_callback(lambda done: self._post(lambda: save(done)))

    def _after_written(self, index: int, frame: Frame, future: Future[None]) -> None:
        self._afters -= 1
        error = future.exception()
        if isinstance(error, KnownError):
            self._failed(error, True)
            return
        future.result()
        self._tell(AfterCommitted(index, frame))

    # --- pictures ------------------------------------------------------------------------------
    def _frame(
        self,
        shown: LiveFrame | None,
        basis: Basis,
        still: Future[Still] | None,
        painted_ns: int | None,
    ) -> Frame | None:
        if shown is None:
            return None
        kept: Still | None = None
        if still is not None:
            error = still.exception()
            if isinstance(error, KnownError):
                self._failed(error, False)
            else:
                kept = still.result()
        recorded = self._video.holds(shown)
        return Frame(
            size=shown.size,
            basis=basis,
            still=kept,
            pts_us=shown.pts_us,
            segment=shown.segment if recorded else None,
            packet=shown.packet if recorded else None,
            received_ns=shown.received_ns,
            painted_ns=painted_ns,
            protected=self._witnesses.protects(shown),
        )

    def _still(self, shown: LiveFrame) -> Future[Still]:
        for frame, future in self._stills:
            if frame is shown:
                return future
        future = self._encode.submit(self._make_still, shown)
        future.add_done_callback(lambda _: self._post(_nothing))  # wakes the session
        self._stills.append((shown, future))
        return future

    def _make_still(self, shown: LiveFrame) -> Still:
        """On the encoder's thread."""
        data = pictures.encode_png(shown.pixels)
        return Still(
            sha256=self._library.stills.write(data, _PNG),
            media_type=_PNG,
            size=shown.size,
            byte_count=len(data),
            source=StillSource.STREAM,
            lossless=True,
            signature=shown.signature,
        )


def _shows_nothing(step: Step, pending: PendingStep) -> bool:
    """Whether a step that was made on a frame has neither its still nor its packet."""
    frame = step.frame
    lost = pending.still is not None and frame is not None
    return lost and frame is not None and frame.still is None and frame.packet is None


def _no_room(index: int) -> KnownError:
    return KnownError(
        f"save step {index}",
        "neither its picture nor the video could be written",
        "Free some space, then do it again.",
    )


def _nothing() -> None:
    return None
