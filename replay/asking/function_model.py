"""A Python function instead of an endpoint, run in a worker process of its own.

The function gets a `ModelRequest` and returns the answer's text. It is the user's own code, run
only when they name it; a process keeps its memory, its imports and its crashes apart from ours.
"""

from __future__ import annotations

import base64
import importlib
import io
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PIL import Image

from episodes.errors import KnownError
from replay.asking.client import Ended, Received, RequestFailed

MARK = "taptrail-answer "


@dataclass(frozen=True)
class ModelRequest:
    """What a model function is given.

    Attributes:
        messages: as in a chat completion; pictures stand in them as data URLs.
        pictures: the same pictures in order, as PIL images.
        body: the whole request, sampling parameters included.
    """

    key: str
    messages: list[dict[str, Any]]
    pictures: list[Image.Image]
    body: dict[str, Any]


class FunctionModel:
    """Asks `module:function`. Thread-safe: the function answers one request at a time."""

    def __init__(self, name: str, timeout_s: float = 600.0) -> None:
        """Starts the process.

        Raises:
            KnownError: the function cannot be imported.
        """
        if name.count(":") != 1:
            raise KnownError(
                "start the model function", f"“{name}” is no MODULE:FUNCTION", "Name both."
            )
        self._name, self._timeout_s = name, timeout_s
        self._lock = threading.Lock()
        self._start()

    def ask(self, body: bytes, key: str) -> Received:
        """Returns the function's answer.

        Raises:
            RequestFailed: the function raised, took too long, or its process ended.
        """
        with self._lock:
            if self._process.poll() is not None:
                self._start()
            try:
                assert self._process.stdin is not None
                line = json.dumps({"key": key, "body": json.loads(body)})
                self._process.stdin.write(line + "\n")
                self._process.stdin.flush()
                told = self._lines.get(timeout=self._timeout_s)
            except (OSError, queue.Empty):
                self.close()
                raise RequestFailed("the function took too long", ("time-out",), False) from None
        if told is None:
            raise RequestFailed("the function's process ended", ("process",), False)
        if "error" in told:
            raise RequestFailed(f"the function raised {told['error']}", ("function",), False)
        text = str(told["text"])
        return Received(
            text, Ended.STOP if text.strip() else Ended.EMPTY, answered_by=(self._name, "")
        )

    def close(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.wait()

    def _start(self) -> None:
        self._process = process = subprocess.Popen(
            [sys.executable, "-m", "replay.asking.function_model", self._name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=os.environ | {"PYTHONPATH": os.pathsep.join(path or "." for path in sys.path)},
        )
        self._lines: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        lines = self._lines

        def read() -> None:
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith(MARK):  # what the function prints itself is passed over
                    lines.put(json.loads(line[len(MARK) :]))
            lines.put(None)

        threading.Thread(target=read, name="function-reader", daemon=True).start()
        first = lines.get()
        if first is None or "error" in first:
            found = first["error"] if first is not None else "its process ended"
            self.close()
            raise KnownError(
                f"start the model function {self._name}", found, "Check the module and the name."
            )


def _say(value: dict[str, Any]) -> None:
    print(MARK + json.dumps(value), flush=True)


def _pictures(messages: list[dict[str, Any]]) -> list[Image.Image]:
    found: list[Image.Image] = []
    for message in messages:
        parts = message["content"] if isinstance(message["content"], list) else []
        for part in parts:
            if part.get("type") == "image_url":
                data = base64.b64decode(part["image_url"]["url"].partition(",")[2])
                found.append(Image.open(io.BytesIO(data)))
    return found


def serve(name: str) -> None:
    """Answers requests with the function until stdin ends; the worker process runs this."""
    module, _, attribute = name.partition(":")
    try:
        function: Callable[[ModelRequest], str] = getattr(
            importlib.import_module(module), attribute
        )
    except Exception as error:  # noqa: BLE001 - the user's module may raise anything
        _say({"error": f"{type(error).__name__}: {error}"})
        return
    _say({"ready": True})
    for line in sys.stdin:
        request = json.loads(line)
        body = request["body"]
        try:
            asked = ModelRequest(
                request["key"], body["messages"], _pictures(body["messages"]), body
            )
            _say({"text": function(asked)})
        except Exception as error:  # noqa: BLE001 - so may the function
            _say({"error": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
    serve(sys.argv[1])
