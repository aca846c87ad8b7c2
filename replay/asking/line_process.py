"""A worker process that answers one JSON line with one JSON line, and can be stopped."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import Any

MARK = "taptrail "
START_LIMIT_S = 60.0


def answer(value: dict[str, Any]) -> None:
    """Prints an answer; called in the worker. Other lines it prints are skipped."""
    print(MARK + json.dumps(value), flush=True)


class NoAnswer(Exception):
    """The worker was too slow and has been killed, or ended by itself (`ended`)."""

    def __init__(self, ended: bool) -> None:
        self.ended = ended
        super().__init__()


class LineProcess:
    """One worker of our own Python. Thread-safe: calls wait for one another.

    The worker prints one answer when it is ready. It is started by the first call, and again by the
    call after one that killed it.
    """

    def __init__(
        self, module: str, words: Sequence[str] = (), env: Mapping[str, str] | None = None
    ):
        """Names the module that runs as the worker.

        Args:
            env: the worker's environment; None for ours.
        """
        self._command = [sys.executable, "-P", "-m", module, *words]
        path = os.pathsep.join(one for one in sys.path if one)
        self._env = dict(os.environ if env is None else env) | {"PYTHONPATH": path}
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def start(self) -> dict[str, Any]:
        """Starts the worker, and returns its first answer.

        Raises:
            NoAnswer: it did not become ready.
        """
        with self._lock:
            return self._start()

    def ask(self, request: dict[str, Any], timeout_s: float) -> dict[str, Any]:
        """Returns the worker's answer.

        Raises:
            NoAnswer: it took longer, or ended.
        """
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                self._start()
            assert self._process is not None
            assert self._process.stdin is not None
            try:
                self._process.stdin.write(json.dumps(request) + "\n")
                self._process.stdin.flush()
            except OSError:
                self._stop()
                raise NoAnswer(ended=True) from None
            return self._next(timeout_s)

    def close(self) -> None:
        """Ends the worker."""
        with self._lock:
            self._stop()

    def _start(self) -> dict[str, Any]:
        self._stop()
        process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=self._env,
        )
        lines: queue.SimpleQueue[str] = queue.SimpleQueue()

        def read() -> None:
            assert process.stdout is not None
            with process.stdout:
                for line in process.stdout:
                    if line.startswith(MARK):
                        lines.put(line[len(MARK) :])
            lines.put("")

        self._process, self._lines = process, lines
        threading.Thread(target=read, name="worker-reader", daemon=True).start()
        return self._next(START_LIMIT_S)

    def _next(self, timeout_s: float) -> dict[str, Any]:
        try:
            line = self._lines.get(timeout=timeout_s)
        except queue.Empty:
            self._stop()
            raise NoAnswer(ended=False) from None
        if not line:
            self._stop()
            raise NoAnswer(ended=True)
        found: dict[str, Any] = json.loads(line)
        return found

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            if self._process.stdin is not None:
                self._process.stdin.close()
            self._process = None
