"""A list of work: each task with each seed, so many attempts; done by several phones at once.

An entry is done when its attempt has a verdict in the library and did not end by the harness's
fault (model away, phone lost, a recording that lacks something). Those are tried again, others
never. So the same list continues after any interruption, and nothing is done twice.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from episodes.errors import KnownError

P = TypeVar("P")
MAX_TRIES = 3


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """One attempt to be made.

    Attributes:
        seed: of the task's parameters, the model's sampling and the hand.
        attempt: 1, 2, ...
    """

    task: str
    seed: int
    attempt: int

    @property
    def key(self) -> str:
        """Names it in the details of a verdict."""
        return f"{self.task}/{self.seed}/{self.attempt}"


def entries(tasks: Iterable[str], seeds: Iterable[int], attempts: int) -> list[Entry]:
    """Returns all entries, task by task."""
    numbers = range(1, attempts + 1)
    drawn = list(dict.fromkeys(seeds))
    return [
        Entry(task, seed, number)
        for task in dict.fromkeys(tasks)
        for seed in drawn
        for number in numbers
    ]


@dataclass
class Worked:
    """What a go through the list did.

    Attributes:
        left: entries that are not done, with the reason.
    """

    done: list[Entry] = field(default_factory=list)
    left: dict[Entry, str] = field(default_factory=dict)


class WorkList(Generic[P]):
    """Works on entries with several phones, a thread for each.

    Args:
        work: makes an attempt on a phone; returns whether it counts, or in words why it has to be
            made again. A KnownError is a reason, too.
    """

    def __init__(self, todo: Sequence[Entry], work: Callable[[Entry, P], str]) -> None:
        self._work = work
        self._queue = deque(todo)
        self._tries: dict[Entry, int] = {}
        self._lock = threading.Lock()
        self._bugs: list[BaseException] = []
        self.worked = Worked(left={entry: "not begun" for entry in todo})

    def go(self, phones: Sequence[P], stop: threading.Event) -> Worked:
        """Works until the list is empty, or `stop` is set, or no phone can go on."""
        threads = [
            threading.Thread(target=self._on_phone, args=(phone, stop), name=f"agent {number}")
            for number, phone in enumerate(phones)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self._bugs:
            raise self._bugs[0]
        return self.worked

    def _on_phone(self, phone: P, stop: threading.Event) -> None:
        in_a_row = 0
        while in_a_row < MAX_TRIES and not stop.is_set():
            with self._lock:
                if not self._queue or self._bugs:
                    return
                entry = self._queue.popleft()
                self._tries[entry] = self._tries.get(entry, 0) + 1
            try:
                reason = self._work(entry, phone)
            except KnownError as error:
                reason = str(error)
            except BaseException as error:  # noqa: BLE001  it belongs to whoever called `go`
                with self._lock:
                    self._bugs.append(error)
                return
            with self._lock:
                if not reason:
                    in_a_row = 0
                    self.worked.done.append(entry)
                    del self.worked.left[entry]
                    continue
                in_a_row += 1
                self.worked.left[entry] = reason
                if self._tries[entry] < MAX_TRIES and not stop.is_set():
                    self._queue.append(entry)
