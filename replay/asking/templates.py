"""Renders a recipe's templates in a process of its own, which can be stopped.

Recipes are shared between strangers. A template runs in Jinja2's immutable sandbox with strict
variables, no includes, bounded memory, bounded output and a time limit; a template that does not
return is killed with its process.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Any

from episodes.errors import KnownError

TIME_LIMIT_S = 2.0
START_LIMIT_S = 30.0
OUTPUT_LIMIT = 1_000_000
MEMORY_LIMIT = 1 << 30


class TemplateRenderer:
    """Renders templates. Thread-safe: calls wait for one another.

    Raises, from `render`:
        KnownError: a template is wrong, runs too long or prints too much.
    """

    def __init__(self, time_limit_s: float = TIME_LIMIT_S) -> None:
        self._time_limit_s = time_limit_s
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def render(self, templates: Sequence[str], values: dict[str, Any]) -> list[str]:
        """Returns the text of each template for these values."""
        request = json.dumps({"templates": list(templates), "values": values})
        with self._lock:
            process = self._running()
            try:
                assert process.stdin is not None
                process.stdin.write(request + "\n")
                process.stdin.flush()
                line = self._lines.get(timeout=self._time_limit_s)
            except (OSError, queue.Empty):
                self._stop()
                raise _refused(f"it ran longer than {self._time_limit_s:g} s") from None
            if not line:
                self._stop()
                raise _refused("it used up the memory it may use")
        answer = json.loads(line)
        if "error" in answer:
            raise _refused(answer["error"])
        texts: list[str] = answer["texts"]
        return texts

    def close(self) -> None:
        """Ends the process."""
        with self._lock:
            self._stop()

    def _running(self) -> subprocess.Popen[str]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self._process = process = subprocess.Popen(
            [sys.executable, "-P", "-m", "replay.asking.template_worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            env=_environment(),
        )
        lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._lines = lines

        def read() -> None:
            assert process.stdout is not None
            for line in process.stdout:
                lines.put(line)
            lines.put("")

        threading.Thread(target=read, name="template-reader", daemon=True).start()
        try:
            self._lines.get(timeout=START_LIMIT_S)  # "ready": starting counts for no template
        except queue.Empty:
            self._stop()
            raise KnownError(
                "render the recipe's templates",
                "the process that renders them did not start",
                "Try again.",
            ) from None
        return process

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
            self._process = None


def _environment() -> dict[str, str]:
    """The worker finds our packages where this process did, and gets no secrets."""
    kept = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TMPDIR", "TEMP")
    found = {name: os.environ[name] for name in kept if name in os.environ}
    return found | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def _refused(found: str) -> KnownError:
    return KnownError("render a template of the recipe", found, "Correct the template.")
