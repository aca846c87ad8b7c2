"""The worker's side of its connection to the program: lines of JSON on stdin and stdout.

Loaded from this folder by the workers, in the Python of somebody's installation. It imports the
standard library only. What a benchmark prints goes to stderr, and its stdin is empty.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import traceback


class WorkerRefusal(Exception):
    """A request, or an adb command, that is not carried out; `kind` is a word for the reason."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


class WorkerWire:
    """Lines in and out. A thread reads, so that the end of stdin ends a request that hangs."""

    def __init__(self):
        self._in = os.fdopen(os.dup(0), "rb")
        self._out = os.fdopen(os.dup(1), "wb")
        empty = os.open(os.devnull, os.O_RDONLY)
        os.dup2(empty, 0)
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        self._lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self._in:
            self._lines.put(line)
        os._exit(0)

    def receive(self):
        """Returns the next request; None if the line is no JSON object."""
        line = self._lines.get()
        try:
            request = json.loads(line)
        except (ValueError, RecursionError):
            return None
        return request if isinstance(request, dict) else None

    def send(self, message):
        self._out.write(json.dumps(message).encode() + b"\n")
        self._out.flush()

    def ask(self, what, **words):
        """Asks the program for something.

        Raises:
            RuntimeError: it cannot give it, and why.
        """
        self.send({"event": "ask", "what": what, **words})
        reply = self.receive() or {}
        if "give" not in reply:
            raise RuntimeError(f"no {what}: {reply.get('cannot', 'there was no answer')}")
        return reply["give"]


def serve(start, verbs):
    """Answers requests until one closes the worker.

    Args:
        start: receives the wire and returns an object with a method for each verb. If it raises,
            every request is answered with that error.
        verbs: the requests that are answered.
    """
    wire = WorkerWire()
    try:
        worker = start(wire)
    except Exception as error:
        problem = _problem(error, "import", "start")
        while True:
            request = wire.receive() or {}
            wire.send({"id": request.get("id"), "error": problem})
    while True:
        request = wire.receive() or {}
        verb = request.get("do")
        if verb == "close":
            wire.send({"id": request.get("id"), "ok": {}})
            os._exit(0)
        try:
            if verb not in verbs:
                raise WorkerRefusal("no verb", f"a request names none of: {', '.join(verbs)}")
            answer = {"ok": getattr(worker, verb)(request)}
        except Exception as error:
            answer = {"error": _problem(error, "raised", verb)}
        wire.send({"id": request.get("id"), **answer})


def _problem(error, kind, phase):
    return {
        "kind": getattr(error, "kind", kind),
        "message": f"{type(error).__name__}: {error}",
        "phase": phase,
        "traceback": traceback.format_exc(),
    }
