"""Watches a process of our own: its memory, its time, its words on the terminal, its files.

Memory: RLIMIT_DATA counts all private memory that can be written, with heaps and threads' stacks;
the address space that libraries only reserve is not in it. Time: processor time of the process
(ITIMER_PROF), so that a busy machine makes nothing slow.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CHANGES = (
    "os.rename",
    "os.remove",
    "os.mkdir",
    "os.rmdir",
    "os.link",
    "os.symlink",
    "os.truncate",
    "os.chmod",
)


class TooSlow(BaseException):
    """A command took more processor time than it may; nothing that catches errors catches this."""


@contextmanager
def memory_of(size: int) -> Iterator[None]:
    """Gives no private memory beyond `size` bytes: what asks for more gets a MemoryError."""
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raises TooSlow after so much processor time of this process."""

    def late(number: int, frame: Any) -> None:
        raise TooSlow(f"more than {seconds} s of processor time")

    before = signal.signal(signal.SIGPROF, late)
    began = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    if time.process_time() - began > seconds:  # within one call, which no signal can end
        raise TooSlow(f"{time.process_time() - began:.1f} s of processor time")


def forget_peak() -> None:
    """Lets `peak` count from now on."""
    Path("/proc/self/clear_refs").write_text("5")


def peak() -> int:
    """Returns the most memory that was resident since `forget_peak`, in bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


class Terminal:
    """What is written to the terminal, from Python or from below it."""

    def __init__(self, file: Path) -> None:
        """Takes the place of standard error in this process, for good."""
        self._file = os.open(file, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        os.dup2(self._file, 2)

    def taken(self) -> str:
        """Returns what was written since the last time."""
        sys.stderr.flush()
        size = os.fstat(self._file).st_size
        said = os.pread(self._file, size, 0).decode("utf-8", "replace")
        os.ftruncate(self._file, 0)
        os.lseek(self._file, 0, os.SEEK_SET)
        return said


class Files:
    """Which files are opened and changed while a case runs, as Python's audit events tell."""

    def __init__(self, readable: tuple[Path, ...]) -> None:
        """Begins to listen, for good.

        Args:
            readable: folders with the program itself.
        """
        self._program = tuple(os.path.realpath(path) for path in readable)
        self._read: tuple[str, ...] = ()
        self._written: tuple[str, ...] = ()
        self._found: list[str] = []
        self._on = False
        sys.addaudithook(self._event)

    @contextmanager
    def only(self, read: tuple[Path, ...], written: tuple[Path, ...]) -> Iterator[list[str]]:
        """Yields a list to which every file outside of these is added."""
        self._read = tuple(os.path.realpath(path) for path in read)
        self._written = tuple(os.path.realpath(path) for path in written)
        self._found = []
        self._on = True
        try:
            yield self._found
        finally:
            self._on = False

    def _event(self, event: str, args: tuple[Any, ...]) -> None:
        if not self._on:
            return
        if event == "open" and isinstance(args[0], str | bytes | os.PathLike):
            mode, flags = args[1], args[2]
            writes = bool(set(mode or "") & set("wax+")) or bool((flags or 0) & WRITES)
            self._look(event, args[0], writes)
        elif event in _CHANGES:
            for name in args[:2] if event in ("os.rename", "os.link") else args[:1]:
                self._look(event, name, True)

    def _look(self, event: str, name: Any, writes: bool) -> None:
        if isinstance(name, int):
            return
        path = os.path.realpath(os.fsdecode(name)) if b"\0" not in os.fsencode(name) else "\0"
        allowed = self._written if writes else (*self._written, *self._read, *self._program)
        if not any(path == one or path.startswith(one + os.sep) for one in allowed):
            self._found.append(f"{event} {'writes' if writes else 'reads'} {path}"[:300])
