"""The server of uiautomator2 on the phone: it stays there and returns accessibility trees.

Its jar comes from the wheel of `uiautomator2` and is used only if its SHA-256 is the known one.
It is removed from the phone as soon as the server runs, and the server is ended with `stop`; what
a killed program left behind is removed by the next `start`.

Source: uiautomator2 3.7.1, core.py.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import re
import socket
import threading
import time
from pathlib import Path

from episodes.errors import KnownError
from recorder.device.adb.server import CHUNK, PhoneLink
from recorder.device.interface import CommandTimeout, PhoneGone

JAR_SHA256 = "87c8ac9505970d42aa5922baa90114808fda6f47f9e5fbd4caa0f621c2c8d30d"
PORT = 9317
MAX_ANSWER = 32 << 20
MAX_DEPTH = 100
START_S = 20.0

_CLASS = "com.wetest.uia2.Main"
_REMOTE = "/data/local/tmp/taptrail-uiautomator2.jar"
_REINSTALL = "Run python3 bootstrap.py again."


class ServerRefused(KnownError):
    """The server does not run on this phone, or said no."""


def jar() -> bytes:
    """Returns the server's jar.

    Raises:
        KnownError: the package is not installed, or its file is not the known one.
    """
    doing = "take the tree server of uiautomator2"
    spec = importlib.util.find_spec("uiautomator2")  # finds the folder without importing it
    if spec is None or not spec.submodule_search_locations:
        raise KnownError(doing, "the package uiautomator2 is not installed", _REINSTALL)
    path = Path(next(iter(spec.submodule_search_locations))) / "assets" / "u2.jar"
    try:
        data = path.read_bytes()
    except OSError as error:
        raise KnownError(doing, f"its jar cannot be read ({error.strerror})", _REINSTALL) from error
    found = hashlib.sha256(data).hexdigest()
    if found != JAR_SHA256:
        raise KnownError(doing, f"the sha256 of its jar is {found}, not {JAR_SHA256}", _REINSTALL)
    return data


class TreeServer:
    """One server on one phone. `hierarchy` belongs to one thread; `interrupt` is for any."""

    def __init__(self, phone: PhoneLink, port: int = PORT) -> None:
        self._phone = phone
        self._cleaner = phone.adb.link(phone.serial)  # works after `interrupt`, too
        self._port = port
        self._log: socket.socket | None = None
        self._said = bytearray()
        self._ended = threading.Event()
        self._reader: threading.Thread | None = None
        self._stream: socket.socket | None = None
        self._lock = threading.Lock()
        self._interrupted = False

    @property
    def running(self) -> bool:
        """Whether the server has been started and has not ended."""
        return self._log is not None and not self._ended.is_set()

    def start(self, timeout: float = START_S) -> None:
        """Copies the jar to the phone, starts the server and waits until it answers.

        Raises:
            ServerRefused: it does not start here, e.g. as another program holds UiAutomation.
            KnownError: the jar is missing, or the phone is away.
        """
        deadline = time.monotonic() + timeout
        self._kill()
        self._phone.push(jar(), _REMOTE)
        self._said.clear()
        self._ended.clear()
        line = f"CLASSPATH={_REMOTE} app_process / {_CLASS} -p {self._port}"
        self._log = self._phone.open(f"shell:{line}")
        self._log.settimeout(None)
        self._reader = threading.Thread(
            target=self._read_log, args=(self._log,), name="tree-server", daemon=True
        )
        self._reader.start()
        try:
            while not self._answers():
                if self._ended.wait(0.05) or time.monotonic() > deadline or self._interrupted:
                    raise ServerRefused(
                        "start the tree server on the phone", self._last_words(), "Look at doctor."
                    )
            self._phone.run(f"rm -f {_REMOTE}")
        except BaseException:
            self.stop()
            raise

    def hierarchy(self, timeout: float) -> str:
        """Returns the XML of all windows.

        Raises:
            CommandTimeout: there was no answer in time; the server is ended.
            ServerRefused: the server failed, in its own words.
            PhoneGone: the connection to it broke; the server is ended.
        """
        body = json.dumps(
            {"jsonrpc": "2.0", "id": 1, "method": "dumpWindowHierarchy",
             "params": [False, MAX_DEPTH]}
        )  # fmt: skip
        answer = self._request(f"POST /jsonrpc/0 HTTP/1.1\r\n{_HEAD}", body.encode(), timeout)
        doing = "ask the phone for its tree"
        try:
            value = json.loads(answer)
        except (ValueError, RecursionError) as error:
            raise ServerRefused(doing, "its answer is not JSON", "Try again.") from error
        failure = value.get("error") if isinstance(value, dict) else None
        result = value.get("result") if isinstance(value, dict) else None
        if isinstance(failure, dict):
            said = f"{failure.get('message', '')} {failure.get('data') or ''}".strip()
            raise ServerRefused(doing, said[:300] or "it failed without a word", "Try again.")
        if not isinstance(result, str):
            raise ServerRefused(doing, "its answer holds no tree", "Try again.")
        return result

    def interrupt(self) -> None:
        """Breaks off a question under way; the next ones fail. Any thread."""
        with self._lock:
            self._interrupted = True
            stream = self._stream
        if stream is not None:
            _shut(stream)

    def stop(self) -> None:
        """Ends the server and waits for its thread; may be called twice."""
        log, self._log = self._log, None
        self._hang_up()
        if log is None:
            return
        with contextlib.suppress(KnownError):  # the phone is away, and its server with it
            self._kill()
        _shut(log)
        log.close()
        if self._reader is not None:
            self._reader.join()

    def _kill(self) -> None:
        """Ends servers of ours on the phone, also those of a program that was killed."""
        own = f"{_CLASS} -p {self._port}"
        listed = self._cleaner.run(f"ps -A -o PID,ARGS | grep {_CLASS}", timeout=5).text
        lines = [line.split(None, 1) for line in listed.splitlines() if line.rstrip().endswith(own)]
        numbers = [line[0] for line in lines if re.fullmatch(r"[0-9]{1,9}", line[0])]
        if numbers:
            self._cleaner.run(f"kill {' '.join(numbers)}", timeout=5)
        self._cleaner.run(f"rm -f {_REMOTE}", timeout=5)

    def _answers(self) -> bool:
        try:
            return self._request(f"GET /ping HTTP/1.1\r\n{_HEAD}", b"", 5) == b"pong"
        except KnownError:
            return False

    def _request(self, head: str, body: bytes, timeout: float) -> bytes:
        """Sends one request on the kept connection and returns the body of the answer."""
        deadline = time.monotonic() + timeout
        try:
            stream = self._connected()
            stream.settimeout(timeout)
            stream.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            return _answer(stream, deadline)
        except TimeoutError:
            self._hang_up()
            raise CommandTimeout(
                "ask the phone for its tree", f"no answer in {timeout:g} seconds", "Try again."
            ) from None
        except OSError as error:
            self._hang_up()
            raise PhoneGone(
                "ask the phone for its tree", f"the connection broke: {error}", "Try again."
            ) from error
        except ValueError as error:
            self._hang_up()
            raise ServerRefused(
                "ask the phone for its tree", f"its answer is not HTTP ({error})", "Try again."
            ) from error

    def _connected(self) -> socket.socket:
        stream = self._stream
        if stream is None:
            stream = self._phone.open(f"tcp:{self._port}", timeout=5)
            stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with self._lock:
            self._stream = stream
            if self._interrupted:
                _shut(stream)
        return stream

    def _hang_up(self) -> None:
        with self._lock:
            stream, self._stream = self._stream, None
        if stream is not None:
            stream.close()

    def _read_log(self, log: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := log.recv(CHUNK):
                self._said += data
                del self._said[:-4096]
        self._ended.set()

    def _last_words(self) -> str:
        lines = self._said.decode(errors="replace").split("\n")
        told = [line.strip() for line in lines if line.strip()]
        if any("already registered" in line for line in told):
            return "another program uses the phone's UiAutomation"
        return f"it says: {told[-1][:200]}" if told else "it does not answer"


_HEAD = "Host: localhost\r\nAccept-Encoding:\r\nContent-Type: application/json\r\n"


def _answer(stream: socket.socket, deadline: float) -> bytes:
    """Reads one HTTP answer with a Content-Length.

    Raises:
        OSError, TimeoutError: the connection ended or was silent; ValueError: it is none.
    """
    kept = bytearray()
    wanted: int | None = None
    while wanted is None or len(kept) < wanted:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        stream.settimeout(left)
        piece = stream.recv(CHUNK)
        if not piece:
            raise ConnectionError("the server hung up")
        kept += piece
        if wanted is None and (end := kept.find(b"\r\n\r\n")) >= 0:
            head = kept[:end].decode("latin-1")
            length = re.search(r"(?im)^content-length:\s*([0-9]{1,9})\s*$", head)
            if not re.match(r"HTTP/1\.[01] 200\b", head) or length is None:
                raise ValueError(head[:60])
            wanted = int(length[1])
            if wanted > MAX_ANSWER:
                raise ValueError(f"{wanted} bytes")
            del kept[: end + 4]
        elif wanted is None and len(kept) > 65536:
            raise ValueError("a head without end")
    return bytes(kept[:wanted])


def _shut(stream: socket.socket) -> None:
    with contextlib.suppress(OSError):  # it may have ended in this moment
        stream.shutdown(socket.SHUT_RDWR)
