"""The program's side of a worker: a process that runs a benchmark's own code.

One request at a time. While it is answered, the worker may ask for what only the program has: a
tree, a verdict on an answer. Every request has a time limit; a worker that exceeds it is killed.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Self

from episodes.errors import KnownError
from episodes.operating_system import kill_group, separate_group

Words = dict[str, Any]
OnEvent = Callable[[Words], None]
Give = Callable[[Words], Any]
"""Answers a worker's question; what it raises as KnownError is told to the worker as refused."""

WORKERS = {
    "androidlab": "androidlab_worker.py",
    "androidworld": "androidworld_worker.py",
}
"""The bench's name, and the file that runs in its installation."""

START_SECONDS = 120.0
MAX_LINE = 64 << 20
_SECRET = ("KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL")
_TAIL = 4000


class WorkerFailed(KnownError):
    """A request the worker could not answer.

    Attributes:
        kind: the worker's word for the reason, for example "refused".
        message: the error in the benchmark's own words.
    """

    def __init__(self, doing: str, kind: str, message: str, remedy: str) -> None:
        super().__init__(doing, message, remedy)
        self.kind = kind
        self.message = message


class BenchWorker:
    """A running worker. Calls must come from one thread at a time.

    Args:
        bench: a name of `WORKERS`.
        python: the interpreter of the user's installation.
        words: arguments of the worker, for example the path of a clone.
        give: answers the worker's questions.
        on_event: receives every other event, for example an adb command that ran.
        script: another worker file; the one shipped for the bench by default.

    Raises:
        KnownError: the interpreter cannot be started.
    """

    def __init__(
        self,
        bench: str,
        python: str,
        words: Sequence[str] = (),
        *,
        give: Give | None = None,
        on_event: OnEvent | None = None,
        script: Path | None = None,
    ) -> None:
        self.bench = bench
        self._give = give
        self._on_event = on_event
        self._number = 0
        self._errors: list[bytes] = []
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        with as_file(files("tasks.benches").joinpath(WORKERS[bench])) as shipped:
            try:
                self._process = subprocess.Popen(
                    [python, "-u", str(script or shipped), *words],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    env=environment_without_secrets(os.environ),
                    **separate_group(),
                )
            except OSError as error:
                raise KnownError(
                    f"start the worker of {bench}",
                    f"{python} could not be started: {error.strerror or error}",
                    "Name the Python in which the benchmark is installed.",
                ) from error
        self._readers = [
            threading.Thread(target=target, args=(stream,), daemon=True)
            for target, stream in (
                (self._read_lines, self._process.stdout),
                (self._read_errors, self._process.stderr),
            )
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def process_id(self) -> int:
        """The number of the worker's process."""
        return self._process.pid

    def ask(self, verb: str, *, seconds: float = 60.0, **words: Any) -> Any:
        """Sends a request and returns its answer.

        Args:
            verb: one of the protocol's.
            seconds: how long the answer may take; the worker is killed after that.

        Raises:
            WorkerFailed: the worker answered with an error.
            KnownError: it did not answer in time, or it ended.
        """
        doing = f"ask the worker of {self.bench} to {verb}"
        self._number += 1
        self._send({"id": self._number, "do": verb, **words}, doing)
        deadline = time.monotonic() + seconds
        while True:
            told = self._receive(deadline, doing, seconds)
            if "event" in told:
                self._answer_event(told, doing)
            elif told.get("id") == self._number:
                if "error" in told:
                    raise _failed(doing, told["error"])
                return told.get("ok")

    def close(self) -> None:
        """Ends the worker; it is killed if it does not end by itself."""
        assert self._process.stdin is not None
        if self._process.poll() is None:
            try:
                self._process.stdin.write(b'{"id": 0, "do": "close"}\n')
                self._process.stdin.flush()
                self._process.wait(2)
            except (OSError, ValueError, subprocess.TimeoutExpired):
                pass  # it is killed now
        self.kill()

    def kill(self) -> None:
        """Ends the worker and whatever it started, at once."""
        kill_group(self._process)
        self._process.wait()
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # bytes that could not be written any more
            self._process.stdin.close()
        for reader in self._readers:
            reader.join()

    def _answer_event(self, told: Words, doing: str) -> None:
        if told.get("event") != "ask":
            if self._on_event is not None:
                self._on_event(told)
            return
        if self._give is None:
            self._send({"cannot": "nobody answers"}, doing)
            return
        try:
            self._send({"give": self._give(told)}, doing)
        except KnownError as error:
            self._send({"cannot": str(error)}, doing)

    def _send(self, told: Words, doing: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(told).encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise self._ended(doing) from error

    def _receive(self, deadline: float, doing: str, seconds: float) -> Words:
        try:
            line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            self.kill()
            raise KnownError(
                doing,
                f"there was no answer within {seconds:.0f} s, and the worker was ended",
                "Look at the phone, then start it again.",
            ) from None
        if line is None:
            raise self._ended(doing)
        try:
            told = json.loads(line)
        except (ValueError, RecursionError) as error:
            self.kill()
            raise KnownError(
                doing, f"it wrote a line that is no JSON: {line[:80]!r}", "Start it again."
            ) from error
        return told if isinstance(told, dict) else {}

    def _ended(self, doing: str) -> KnownError:
        try:
            self._process.wait(2)
        except subprocess.TimeoutExpired:
            self.kill()
        last = b"".join(self._errors)[-_TAIL:].decode(errors="replace").strip()
        line = last.rsplit("\n", 1)[-1] or "it said nothing"
        return KnownError(doing, f"the worker ended: {line[:300]}", "Start it again.")

    def _read_lines(self, stream: Any) -> None:
        with stream:
            while line := stream.readline(MAX_LINE):
                self._lines.put(line)
        self._lines.put(None)

    def _read_errors(self, stream: Any) -> None:
        """Keeps the end of what the benchmark printed."""
        with stream:
            while part := stream.read1(1 << 16):
                self._errors = [b"".join(self._errors)[-_TAIL:], part]


def environment_without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """Returns an environment without variables that are named like keys or passwords.

    Python's own variables are left out too, as they belong to this program's interpreter.
    """
    return {
        name: value
        for name, value in environment.items()
        if not any(word in name.upper() for word in _SECRET)
        and name not in ("PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV")
    }


def _failed(doing: str, error: Any) -> WorkerFailed:
    told = error if isinstance(error, dict) else {"message": str(error)}
    return WorkerFailed(
        doing,
        str(told.get("kind", "raised")),
        str(told.get("message", "it gave no reason"))[:2000],
        "The worker goes on; what it could not do is unknown.",
    )
