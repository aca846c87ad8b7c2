"""Trees of the screen: who is asked, when, and which of the answers belongs to a step.

A tree takes between a third of a second and three, so it is asked for while the screen is still,
before anybody needs it. Which one is a step's is decided by the time it was asked for: a tree is
fresh only if nothing can have changed from then to the press. Otherwise it is said to be late or
stale, never passed off as the screen's.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Protocol

from episodes.clocks import Moment
from episodes.errors import KnownError
from episodes.geometry import Box, Size
from episodes.media.signature import SHRINK
from episodes.screens import StepTree, TreeFit, TreeRecord, TreeStatus
from episodes.trees.dumps import ReceivedTree, receive_dump
from episodes.trees.reading import read_record
from recorder.clock import ClockMap
from recorder.device.adb import CommandTimeout
from recorder.device.phone import Phone
from recorder.screen_log import ScreenLog

MAX_TREE = 16 << 20
TIMEOUT_S = 15.0


class TreeSource(Protocol):
    """Somebody who can be asked for the tree of the present screen; waits for the answer."""

    name: str
    format: str

    def ask(self) -> ReceivedTree:
        """Asks once."""

    def interrupt(self) -> None:
        """Breaks off a question under way, from another thread."""


class UiautomatorDump:
    """`uiautomator dump`: on every phone, slow, and only while the screen is idle."""

    name = "uiautomator dump"
    format = "uiautomator"

    def __init__(self, phone: Phone, timeout: float = TIMEOUT_S) -> None:
        self._phone = phone.another()
        self._timeout = timeout

    def ask(self) -> ReceivedTree:
        """Runs the command and reads what it printed."""
        try:
            result = self._phone.link.exec_out(
                "uiautomator dump /dev/tty", timeout=self._timeout, limit=MAX_TREE
            )
        except CommandTimeout as error:
            return ReceivedTree(TreeStatus.TIMEOUT, detail=error.found)
        except KnownError as error:
            return ReceivedTree(TreeStatus.FAILED, detail=error.found)
        if result.cut:
            return ReceivedTree(TreeStatus.FAILED, detail=f"longer than {MAX_TREE} bytes")
        return receive_dump(result.output)

    def interrupt(self) -> None:
        """Breaks the command off."""
        self._phone.link.interrupt()


TREE_SOURCES: dict[str, Callable[[Phone], TreeSource]] = {"uiautomator": UiautomatorDump}


class TreeWorker:
    """A thread that asks a source when told to; one question at a time."""

    def __init__(
        self, source: TreeSource, clock: ClockMap, tell: Callable[[TreeRecord], None]
    ) -> None:
        self._source = source
        self._clock = clock
        self._tell = tell
        self._wanted = threading.Event()
        self._stopping = threading.Event()
        self._asked_ns: int | None = None
        self._thread = threading.Thread(target=self._work, name="trees", daemon=True)

    def start(self) -> None:
        """Begins to wait for questions."""
        self._thread.start()

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
        while True:
            self._wanted.wait()
            self._wanted.clear()
            if self._stopping.is_set():
                return
            asked = time.monotonic_ns()
            self._asked_ns = asked
            answer = self._source.ask()
            answered = time.monotonic_ns()
            if self._stopping.is_set():
                return
            record = TreeRecord(
                format=self._source.format,
                data=answer.data,
                source=self._source.name,
                status=answer.status,
                requested=self._clock.to_device(asked),
                answered=self._clock.to_device(answered),
                detail=answer.detail,
            )
            self._tell(record)
            self._asked_ns = None


def join(
    records: Sequence[TreeRecord],
    pressed_ns: int,
    screen: ScreenLog,
    waiting_ns: int | None,
    frame: Size | None = None,
) -> StepTree:
    """Returns the tree of a step that began at a host time, with how well it belongs.

    Args:
        records: the answers there are, in the order they were asked for.
        waiting_ns: when the question under way was asked; None for none.
        frame: the size of the frames; None while none has come.

    The newest good answer that was asked for and given while nothing changed up to the press is
    fresh. One given after the press is late, whatever it shows. Else the newest good one before
    the press is stale. Failures count only where there is no good one.
    """
    asked = [r for r in records if (r.requested.host_ns or 0) <= pressed_ns]
    good = [r for r in reversed(asked) if r.status is TreeStatus.OK]
    before = [r for r in good if (r.answered.host_ns or 0) <= pressed_ns]
    for record in before:
        if holds(record, pressed_ns, screen, frame):
            return StepTree(record, TreeFit.FRESH)
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


def holds(record: TreeRecord, at_ns: int, screen: ScreenLog, frame: Size | None) -> bool:
    """Returns whether nothing can have changed between the asking for a tree and a host time.

    A cursor that blinks in a field that has the focus by this very tree is no change.
    """

    def is_cursor(place: Box) -> bool:
        return frame is not None and any(_covers(box, place) for box in _fields(record, frame))

    return not screen.changed(record.requested.host_ns or 0, at_ns, is_cursor)


def awaits(
    records: Sequence[TreeRecord],
    pressed_ns: int,
    screen: ScreenLog,
    waiting_ns: int | None,
    frame: Size | None = None,
) -> bool:
    """Returns whether the question under way may still give a better tree than there is."""
    if waiting_ns is None or waiting_ns > pressed_ns:
        return False
    return join(records, pressed_ns, screen, None, frame).fit is not TreeFit.FRESH


@lru_cache(maxsize=16)
def _fields(record: TreeRecord, frame: Size) -> tuple[Box, ...]:
    """The text fields that have the focus, in pixels of the frame."""
    try:
        tree = read_record(record, frame)
    except KnownError:
        return ()  # the record is kept as it came; readers of it say what is wrong
    return tuple(node.box for node in tree.walk() if node.focused and node.editable)


def _covers(box: Box, place: Box) -> bool:
    """Whether the place lies in the box, to the block: places are known no finer."""
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
