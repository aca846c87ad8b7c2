"""The one thread that writes into a library.

Work is a function of the library; what it returns or raises comes back as a future. A full queue
makes the caller wait.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

from episodes.store.library import Library
from episodes.store.stills import StillFiles

T = TypeVar("T")
MAX_QUEUED = 256


class LibraryThread:
    """A library, open for writing on a thread of its own, until `close()`."""

    def __init__(self, folder: Path, create: bool = True) -> None:
        self.folder = folder
        self.stills = StillFiles(folder)
        self._create = create
        self._jobs: queue.Queue[tuple[Callable[[Library], Any], Future[Any]] | None] = queue.Queue(
            MAX_QUEUED
        )
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._work, name="library", daemon=True)
        self._opened: Future[None] = Future()

    def start(self) -> LibraryThread:
        """Opens the library.

        Raises:
            KnownError: it cannot be opened for writing, and why.
        """
        self._thread.start()
        self._opened.result()
        return self

    def submit(self, work: Callable[[Library], T]) -> Future[T]:
        """Queues work and returns its future; waits while the queue is full.

        Callbacks of the future are called on the library's thread.
        """
        future: Future[T] = Future()
        if self._closed.is_set():
            raise ValueError("the library is closed")
        self._jobs.put((work, future))
        return future

    def call(self, work: Callable[[Library], T]) -> T:
        """Does work on the library's thread and returns its result, or raises its error."""
        return self.submit(work).result()

    def close(self) -> None:
        """Does what is queued, closes the library and waits for the thread. A second call does
        nothing."""
        if not self._closed.is_set():
            self._closed.set()
            if self._thread.is_alive():
                self._jobs.put(None)
        if self._thread.is_alive():
            self._thread.join()

    def __enter__(self) -> LibraryThread:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _work(self) -> None:
        try:
            library = Library.open(self.folder, create=self._create)
        except BaseException as error:  # noqa: BLE001  it belongs to whoever waits in `start`
            self._opened.set_exception(error)
            return
        with library:
            self._opened.set_result(None)
            while (job := self._jobs.get()) is not None:
                work, future = job
                if not future.set_running_or_notify_cancel():
                    continue
                try:
                    result = work(library)
                except BaseException as error:  # noqa: BLE001  it belongs to whoever asked
                    future.set_exception(error)
                else:
                    future.set_result(result)
