"""Asks for trees of the screen and decides which one belongs to a step.

A tree is asked for as soon as the screen rests, before anybody needs it. It belongs to a step by
what the screen showed while the source was asked: a tree is fresh if the screen certainly showed
the step's picture all that time, and again when the step began. So one from before a detour to
another screen may be fresh, and so may a late one. Nothing else is called fresh.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from enum import Enum
from functools import lru_cache

from episodes.clocks import Moment
from episodes.errors import KnownError
from episodes.geometry import Box, Size
from episodes.media.signature import SHRINK
from episodes.screens import StepTree, TreeFit, TreeRecord, TreeStatus
from episodes.trees.dumps import ReceivedTree
from episodes.trees.readers import read_record
from recorder.clock import ClockMap
from recorder.device.interface import TreeSource
from recorder.frames import FrameNote, LiveFrame
from recorder.screen_log import ScreenChange, ScreenLog

LAG_NS = 50_000_000
"""A tree may be so much newer than the picture: the phone draws what it has after that."""
PENDING_NS = 300_000_000
"""An input has its visible effect within this time, or none."""
ARRIVAL_NS = 100_000_000
MAX_DELAY_NS = 2_000_000_000
"""Frames drawn so much longer ago than the last ones took have arrived."""


class TreeWorker:
    """A thread that asks a source on request; one question at a time.

    Args:
        tell: receives each answer, on the worker's thread.
        warn: gets what a person should know of the source, on the same thread.
    """

    def __init__(
        self,
        source: TreeSource,
        clock: ClockMap,
        tell: Callable[[TreeRecord], None],
        warn: Callable[[KnownError], None] = lambda error: None,
    ) -> None:
        self._source = source
        self._clock = clock
        self._tell = tell
        self._warn = warn
        self._wanted = threading.Event()
        self._stopping = threading.Event()
        self._asked_ns: int | None = None
        self._thread = threading.Thread(target=self._work, name="trees", daemon=True)

    def start(self) -> None:
        """Prepares the source and begins to wait for questions."""
        self._thread.start()

    @property
    def quiet_ns(self) -> int:
        """How long the screen must have been still before a question is worth it."""
        return self._source.quiet_ns

    @property
    def retry_ns(self) -> int:
        """How long to wait after a failure."""
        return self._source.retry_ns

    def ask(self) -> bool:
        """Asks now; returns False where a question is under way already."""
        if self._asked_ns is not None or self._wanted.is_set():
            return False
        self._asked_ns = time.monotonic_ns()
        self._wanted.set()
        return True

    @property
    def asked_ns(self) -> int | None:
        """When the question under way was asked; None while there is none."""
        return self._asked_ns

    def stop(self) -> None:
        """Breaks off and waits for the thread."""
        self._stopping.set()
        self._wanted.set()
        self._source.interrupt()
        if self._thread.is_alive():
            self._thread.join()

    def _work(self) -> None:
        try:
            try:
                warning = self._source.prepare()
            except KnownError as error:
                warning = error
            if warning is not None and not self._stopping.is_set():
                self._warn(warning)
            self._answer_questions()
        finally:
            self._source.close()

    def _answer_questions(self) -> None:
        while True:
            self._wanted.wait()
            self._wanted.clear()
            if self._stopping.is_set():
                return
            asked = time.monotonic_ns()
            self._asked_ns = asked
            name = self._source.name
            try:
                answer = self._source.ask()
            except KnownError as error:
                answer = ReceivedTree(TreeStatus.FAILED, detail=error.found)
            answered = time.monotonic_ns()
            if self._stopping.is_set():
                return
            record = TreeRecord(
                format=self._source.format,
                data=answer.data,
                source=name,
                status=answer.status,
                requested=self._clock.to_device(asked),
                answered=self._clock.to_device(answered),
                detail=answer.detail,
            )
            self._tell(record)
            self._asked_ns = None


class Proof(Enum):
    """Whether a tree is certainly that of a picture at the beginning of a step."""

    YES = "yes"
    NO = "no"
    OPEN = "open"  # frames that would tell may still be under way


def join(
    records: Sequence[TreeRecord],
    pressed_ns: int,
    screen: ScreenLog,
    waiting_ns: int | None,
    shown: LiveFrame | FrameNote | None = None,
    now_ns: int | None = None,
) -> StepTree:
    """Returns the tree of a step that began at a host time, with how well it belongs.

    Args:
        records: the answers there are, in the order they were asked for.
        waiting_ns: when the question under way was asked; None for none.
        shown: the picture the step was made on; None for the one the phone showed then.
        now_ns: host time until which frames can have arrived; None for long after.

    The newest tree that is proved fresh is fresh. Else one that was answered after the press is
    late, and the newest from before it is stale. Failures count only without a good one.
    """
    good = [r for r in reversed(records) if r.status is TreeStatus.OK]
    for record in good:
        if prove(record, pressed_ns, screen, shown, now_ns) is Proof.YES:
            return StepTree(record, TreeFit.FRESH)
    asked = [r for r in records if (r.requested.host_ns or 0) <= pressed_ns]
    good = [r for r in good if r in asked]
    before = [r for r in good if (r.answered.host_ns or 0) <= pressed_ns]
    late = [r for r in good if r not in before]
    if late:
        return StepTree(late[0], TreeFit.LATE)
    if before:
        return StepTree(before[0], TreeFit.STALE)
    if asked:
        return StepTree(asked[-1], TreeFit.FAILED)
    if waiting_ns is not None and waiting_ns <= pressed_ns:
        detail = "it had not answered when the step was saved"
        return StepTree(_none(TreeStatus.TIMEOUT, detail, waiting_ns), TreeFit.FAILED)
    nobody = _none(TreeStatus.FAILED, "nobody asked before the press", None)
    return StepTree(nobody, TreeFit.MISSING)


def prove(
    record: TreeRecord,
    pressed_ns: int,
    screen: ScreenLog,
    shown: LiveFrame | FrameNote | None = None,
    now_ns: int | None = None,
) -> Proof:
    """Returns whether a tree is certainly that of the picture a step was made on.

    It is if the screen showed this picture, by its signature, from the question until the answer
    and a while longer, as a phone knows what it will draw a moment before; and if it still showed
    it when the step began, with no earlier input whose effect may have been under way. A cursor
    that blinks in a field that has the focus by this very tree makes no difference.
    """
    asked, answered = record.requested.host_ns or 0, record.answered.host_ns or 0
    picture = shown if shown is not None else screen.shown_at(pressed_ns)
    if picture is None or screen.acted(max(asked, pressed_ns - PENDING_NS), pressed_ns):
        return Proof.NO
    size = None if isinstance(picture, ScreenChange) else picture.size

    def is_cursor(place: Box) -> bool:
        frame = size or record.size
        return frame is not None and any(_covers(box, place) for box in _fields(record, frame))

    if not screen.showed_at_press(picture, pressed_ns, is_cursor):
        return Proof.NO
    lag = PENDING_NS if screen.acted(asked - PENDING_NS, answered) else LAG_NS
    acted = screen.next_act_ns(answered)
    until = answered + lag if acted is None else min(answered + lag, acted)
    if not screen.shows(picture, asked, until, is_cursor):
        return Proof.NO
    arrival = ARRIVAL_NS + min(screen.delay_ns, MAX_DELAY_NS)
    known = now_ns is None or max(until, pressed_ns) <= now_ns - arrival
    return Proof.YES if known else Proof.OPEN


def awaits(
    records: Sequence[TreeRecord],
    pressed_ns: int,
    screen: ScreenLog,
    waiting_ns: int | None,
    shown: LiveFrame | FrameNote | None = None,
    now_ns: int | None = None,
) -> bool:
    """Returns whether waiting may still give a better tree than there is."""
    good = [r for r in records if r.status is TreeStatus.OK]
    proofs = [prove(record, pressed_ns, screen, shown, now_ns) for record in good]
    if Proof.YES in proofs:
        return False
    return Proof.OPEN in proofs or (waiting_ns is not None and waiting_ns <= pressed_ns)


@lru_cache(maxsize=16)
def _fields(record: TreeRecord, frame: Size) -> tuple[Box, ...]:
    """The text fields that have the focus, in pixels of the frame."""
    try:
        tree = read_record(record, frame)
    except KnownError:
        return ()  # the record is kept as it came; readers of it say what is wrong
    return tuple(node.box for node in tree.walk() if node.focused and node.editable)


def _covers(box: Box, place: Box) -> bool:
    """Whether the place is in the box, to the block: places are known no finer."""
    return (
        box.left - SHRINK < place.left
        and box.top - SHRINK < place.top
        and place.right < box.right + SHRINK
        and place.bottom < box.bottom + SHRINK
    )


def _none(status: TreeStatus, detail: str, asked_ns: int | None) -> TreeRecord:
    return TreeRecord(
        format="",
        data=b"",
        source="",
        status=status,
        requested=Moment(host_ns=asked_ns),
        detail=detail,
    )
