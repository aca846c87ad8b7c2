"""An adb server whose phone answers each command with whatever a test sends."""

from __future__ import annotations

import contextlib
import socketserver
import struct
import threading
from collections.abc import Callable, Iterator
from typing import Any

Reply = Callable[[Any, bool], None]


class _Handler(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        with contextlib.suppress(OSError, EOFError):
            self._talk()

    def _talk(self) -> None:
        while True:
            service = self._exactly(int(self._exactly(4), 16)).decode()
            if "features" in service:
                answer = b"shell_v2"
                self.request.sendall(b"OKAY" + f"{len(answer):04x}".encode() + answer)
                return
            answers = self.server.answers  # type: ignore[attr-defined]
            if answers is not None and not service.startswith("host:transport"):
                word, text = b"OKAY", answers.get(service)
                if text is None:
                    word, text = b"FAIL", f"unknown host service '{service}'"
                self.request.sendall(word + f"{len(text):04x}{text}".encode())
                return
            self.request.sendall(b"OKAY")
            if service.startswith(("shell", "exec")):
                version_2 = service.startswith("shell,v2")
                self.server.reply(self.request, version_2)  # type: ignore[attr-defined]
                return

    def _exactly(self, count: int) -> bytes:
        kept = b""
        while len(kept) < count:
            piece = self.request.recv(count - len(kept))
            if not piece:
                raise EOFError
            kept += piece
        return kept


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False


@contextlib.contextmanager
def hostile_adb(reply: Reply, answers: dict[str, str] | None = None) -> Iterator[int]:
    """Runs the server; yields its port.

    Args:
        answers: by service of the server itself; all others are unknown to it.
        reply: gets the socket of each command, and whether it speaks shell protocol 2.
    """
    with _Server(("127.0.0.1", 0), _Handler) as server:
        server.reply, server.answers = reply, answers  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


def packet(kind: int, data: bytes, length: int | None = None) -> bytes:
    """Returns a packet of shell protocol 2, with a false length if one is given."""
    return struct.pack("<BI", kind, len(data) if length is None else length) + data
