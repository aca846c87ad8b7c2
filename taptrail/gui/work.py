"""From the window to other threads and back; the only code of the window that starts threads.

A job is a function of values: it runs elsewhere and touches no widget. Its result comes back on
the GUI thread, unless whoever asked has been closed in the meantime. What a thread owns (a
connection, say) is made, used and closed there.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QObject, Qt, Signal
from shiboken6 import isValid

from episodes.errors import KnownError

R = TypeVar("R")
T = TypeVar("T")


class Cancelled(Exception):
    """Raised inside a job whose progress has been cancelled; no error, and nothing is shown."""


class Progress(QObject):
    """How far a job is; called on its thread, heard on the GUI thread.

    Signals:
        moved: done and total, which is 0 where it is not known; only the newest is heard.
    """

    moved = Signal(int, int)
    _put = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._place: Latest[tuple[int, int]] = Latest()
        self._cancelled = threading.Event()
        self._put.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    def __call__(self, done: int, total: int | None) -> None:
        """Notes how far the job is; None where the total is not known. Any thread.

        Raises:
            Cancelled: somebody wants the job to end here.
        """
        if self._cancelled.is_set():
            raise Cancelled
        if self._place.put((done, total or 0)):
            self._put.emit()

    def cancel(self) -> None:
        """Ends the job at its next step. Any thread."""
        self._cancelled.set()

    def is_cancelled(self) -> bool:
        """Returns whether somebody wants the job to end. Any thread."""
        return self._cancelled.is_set()

    def _tell(self) -> None:
        found = self._place.take()
        if found is not None:
            self.moved.emit(*found)


class Latest(Generic[T]):
    """One place for one value; of frames and counts only the newest is worth anything."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._value: T | None = None

    def put(self, value: T) -> bool:
        """Replaces the value. Returns whether the place was empty, so that it must be told."""
        with self._lock:
            was_empty = self._value is None
            self._value = value
            return was_empty

    def take(self) -> T | None:
        """Returns the value and empties the place."""
        with self._lock:
            value, self._value = self._value, None
            return value


class Relay(QObject):
    """Hands values of other threads to the GUI thread.

    Signals:
        came: each value given to `send`, in order.
        newest: the newest value given to `put`; those in between are not worth showing.
    """

    came = Signal(object)
    newest = Signal(object)
    _put = Signal()
    _sent = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._place: Latest[Any] = Latest()
        self._put.connect(self._tell, Qt.ConnectionType.QueuedConnection)
        self._sent.connect(self.came, Qt.ConnectionType.QueuedConnection)

    def send(self, value: object) -> None:
        """Hands over each value. Any thread."""
        if isValid(self):
            self._sent.emit(value)

    def put(self, value: object) -> None:
        """Hands over the newest value only. Any thread."""
        if self._place.put(value) and isValid(self):
            self._put.emit()

    def _tell(self) -> None:
        value = self._place.take()
        if value is not None:
            self.newest.emit(value)


@dataclass(frozen=True)
class _Job:
    work: Callable[[Any], Any]
    owner: QObject
    done: Callable[[Any], None]
    failed: Callable[[KnownError], None]
    cancelled: Callable[[], None] | None
    progress: Progress | None


class WorkThread(QObject, Generic[R]):
    """One background thread with a queue. Jobs run one at a time and in order.

    Args:
        opens: makes what the thread owns, on the thread, before its first job; a KnownError is
            handed to each job that wanted it, and it is tried again for the next.
        closes: lets go of it, on the thread, at the end.
    """

    _finished = Signal(object, object, object)

    def __init__(
        self,
        name: str,
        opens: Callable[[], R],
        closes: Callable[[R], None] = lambda _: None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._opens, self._closes = opens, closes
        self._jobs: deque[_Job] = deque()
        self._wake = threading.Condition()
        self._stopping = False
        self._running: _Job | None = None
        self._finished.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._thread = threading.Thread(target=self._loop, name=name, daemon=True)
        self._thread.start()

    def run(
        self,
        job: Callable[[R], T],
        *,
        owner: QObject,
        done: Callable[[T], None],
        failed: Callable[[KnownError], None],
        cancelled: Callable[[], None] | None = None,
        progress: Progress | None = None,
        next_up: bool = False,
    ) -> None:
        """Runs `job` with what the thread owns, then `done` with its result, here.

        Args:
            owner: nothing is called once it has been closed.
            failed: hears known errors; any other is a bug and is raised on the GUI thread.
            cancelled: called instead of both when the job was cancelled.
            progress: what the job reports to; `stop` cancels it.
            next_up: before the jobs that wait, for what a person is looking at now.
        """
        with self._wake:
            if self._stopping:
                return
            made = _Job(job, owner, done, failed, cancelled, progress)
            if next_up:
                self._jobs.appendleft(made)
            else:
                self._jobs.append(made)
            self._wake.notify()

    def stop(self, patience: float | None = None) -> bool:
        """Drops the jobs that wait, cancels the running one, and returns when it has ended.

        Args:
            patience: seconds to wait for it; then it is left to end, and to let go of what it
                owns, by itself, and tells nobody. None waits for ever.

        Returns whether it has ended.
        """
        with self._wake:
            self._stopping = True
            self._jobs.clear()
            if self._running is not None and self._running.progress is not None:
                self._running.progress.cancel()
            self._wake.notify()
        self._thread.join(patience)
        return not self._thread.is_alive()

    def _loop(self) -> None:
        owned: list[R] = []
        while (job := self._next()) is not None:
            try:
                if not owned:
                    owned.append(self._opens())
                result, error = job.work(owned[0]), None
            except Exception as problem:  # noqa: BLE001  # handed to the GUI thread, whole
                result, error = None, problem
            if not self._stopping and isValid(self):
                self._finished.emit(job, result, error)
        if owned:
            self._closes(owned[0])

    def _next(self) -> _Job | None:
        with self._wake:
            self._running = None
            self._wake.wait_for(lambda: self._stopping or bool(self._jobs))
            if self._stopping:
                return None
            self._running = self._jobs.popleft()
            return self._running

    def _deliver(self, job: _Job, result: object, error: Exception | None) -> None:
        if not isValid(job.owner):
            return
        if error is None:
            job.done(result)
        elif isinstance(error, KnownError):
            job.failed(error)
        elif not isinstance(error, Cancelled):
            raise error
        elif job.cancelled is not None:
            job.cancelled()
