"""Background threads of the window; the only code of the window that starts threads.

A job is a function of plain values; it runs on another thread and uses no widget. Its result
arrives on the GUI thread, unless its owner was closed in the meantime. Resources of a thread, such
as a connection, are created, used and closed there.
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


class JobCancelled(Exception):
    """Raised inside a job after it was cancelled. It is not an error; nothing is shown."""


class Progress(QObject):
    """Progress of a job: called on the job's thread, with signals on the GUI thread.

    Signals:
        moved: done and total (0 if unknown); only the newest value is delivered.
    """

    moved = Signal(int, int)
    _put = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._place: NewestValue[tuple[int, int]] = NewestValue()
        self._cancelled = threading.Event()
        self._put.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    def __call__(self, done: int, total: int | None) -> None:
        """Reports the progress; a total of None means unknown. Thread-safe.

        Raises:
            JobCancelled: the job was cancelled.
        """
        if self._cancelled.is_set():
            raise JobCancelled
        if self._place.put((done, total or 0)):
            self._put.emit()

    def cancel(self) -> None:
        """Cancels the job at its next step. Thread-safe."""
        self._cancelled.set()

    def is_cancelled(self) -> bool:
        """Returns whether the job was cancelled. Thread-safe."""
        return self._cancelled.is_set()

    def _tell(self) -> None:
        found = self._place.take()
        if found is not None:
            self.moved.emit(*found)


class NewestValue(Generic[T]):
    """Holds only the newest value, for example of frames or counts."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._value: T | None = None

    def put(self, value: T) -> bool:
        """Replaces the value.

        Returns whether it was empty, so that the receiver must be notified.
        """
        with self._lock:
            was_empty = self._value is None
            self._value = value
            return was_empty

    def take(self) -> T | None:
        """Returns and removes the value."""
        with self._lock:
            value, self._value = self._value, None
            return value


class Relay(QObject):
    """Passes values from other threads to the GUI thread.

    Signals:
        came: each value given to `send`, in order.
        newest: the newest value given to `put`; values in between are dropped.
    """

    came = Signal(object)
    newest = Signal(object)
    _put = Signal()
    _sent = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._place: NewestValue[Any] = NewestValue()
        self._put.connect(self._tell, Qt.ConnectionType.QueuedConnection)
        self._sent.connect(self.came, Qt.ConnectionType.QueuedConnection)

    def send(self, value: object) -> None:
        """Passes on each value. Thread-safe."""
        if isValid(self):
            self._sent.emit(value)

    def put(self, value: object) -> None:
        """Passes on only the newest value. Thread-safe."""
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
    """A background thread with a queue. Jobs run one at a time and in order.

    Args:
        opens: creates the thread's resource, on the thread, before the first job. A KnownError
            fails the job that needed the resource; the next job tries again.
        closes: releases the resource, on the thread, at the end.
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
        """Runs `job` with the thread's resource, then `done` with its result on the GUI thread.

        Args:
            owner: no callback is called after it was closed.
            failed: receives known errors; any other exception is a bug and is raised on the GUI
                thread.
            cancelled: called instead of `done` and `failed` if the job was cancelled.
            progress: receives the job's progress; `stop` cancels it.
            next_up: whether to run it before queued jobs, for what the user is looking at.
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
        """Drops queued jobs, cancels the running one, and returns after it has ended.

        Args:
            patience: seconds to wait; None waits without limit. After that time the job is left to
                end and to release the resource by itself, without callbacks.

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
        elif not isinstance(error, JobCancelled):
            raise error
        elif job.cancelled is not None:
            job.cancelled()
