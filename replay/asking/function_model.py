"""A Python function instead of an endpoint, run in a worker process of its own.

The function gets a `ModelRequest` and returns the answer's text. It is the user's own code, run
only when they name it; a process keeps its memory, its imports and its crashes apart from ours.
"""

from __future__ import annotations

import base64
import importlib
import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PIL import Image

from episodes.errors import KnownError
from episodes.runs import Ended
from replay.asking.client import Received, RequestFailed
from replay.asking.line_process import LineProcess, NoAnswer, answer


@dataclass(frozen=True)
class ModelRequest:
    """What a model function is given.

    Attributes:
        messages: as in a chat completion; pictures are data URLs in them.
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
        doing = f"start the model function {name}"
        if name.count(":") != 1:
            raise KnownError(doing, "it is no MODULE:FUNCTION", "Name both.")
        self._name, self._timeout_s = name, timeout_s
        self._process = LineProcess("replay.asking.function_model", [name])
        try:
            first = self._process.start()
        except NoAnswer:
            first = {"error": "its process did not start"}
        if "error" in first:
            self.close()
            raise KnownError(doing, first["error"], "Check the module and the name.")

    def ask(self, body: bytes, key: str) -> Received:
        """Returns the function's answer.

        Raises:
            RequestFailed: the function raised, took too long, or its process ended.
        """
        try:
            told = self._process.ask({"key": key, "body": json.loads(body)}, self._timeout_s)
        except NoAnswer as error:
            if error.ended:
                raise RequestFailed("the function's process ended", ("process",), False) from None
            raise RequestFailed("the function took too long", ("time-out",), False) from None
        if "error" in told:
            raise RequestFailed(f"the function raised {told['error']}", ("function",), False)
        text = str(told["text"])
        ended = Ended.STOP if text.strip() else Ended.EMPTY
        return Received(text, ended, answered_by=(self._name, ""))

    def close(self) -> None:
        """Ends the process."""
        self._process.close()


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
        answer({"error": f"{type(error).__name__}: {error}"})
        return
    answer({"ready": True})
    for line in sys.stdin:
        request = json.loads(line)
        body = request["body"]
        try:
            asked = ModelRequest(
                request["key"], body["messages"], _pictures(body["messages"]), body
            )
            answer({"text": function(asked)})
        except Exception as error:  # noqa: BLE001 - so may the function
            answer({"error": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
    serve(sys.argv[1])
