"""A queue between two threads that is bounded by the bytes in it as well as by their number."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from queue import Full
from typing import Generic, TypeVar

T = TypeVar("T")


class ByteQueue(Generic[T]):
    """First in, first out. Any thread.

    Args:
        max_items: how many values may wait.
        max_bytes: how many bytes may wait; a single value may be larger.
        size: returns the bytes of a value.
    """

    def __init__(self, max_items: int, max_bytes: int, size: Callable[[T], int]) -> None:
        self._max_items = max_items
        self._max_bytes = max_bytes
        self._size = size
        self._waiting: deque[T] = deque()
        self._bytes = 0
        self._condition = threading.Condition()

    def put(self, value: T) -> None:
        """Appends a value.

        Raises:
            queue.Full: too many values or bytes are waiting.
        """
        size = self._size(value)
        with self._condition:
            too_large = bool(self._waiting) and self._bytes + size > self._max_bytes
            if too_large or len(self._waiting) >= self._max_items:
                raise Full
            self._waiting.append(value)
            self._bytes += size
            self._condition.notify()

    def get(self) -> T:
        """Removes and returns the oldest value; waits for one."""
        with self._condition:
            self._condition.wait_for(lambda: self._waiting)
            value = self._waiting.popleft()
            self._bytes -= self._size(value)
            return value

    def clear(self) -> int:
        """Removes all values and returns how many there were."""
        with self._condition:
            count = len(self._waiting)
            self._waiting.clear()
            self._bytes = 0
            return count
