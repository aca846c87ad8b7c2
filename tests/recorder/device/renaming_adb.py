"""An adb server in front of the real one that lists and selects phones under other names."""

from __future__ import annotations

import contextlib
import socket
import socketserver
import threading
from collections.abc import Callable, Iterator

from recorder.device.adb.server import read_exactly


class _Handler(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        with contextlib.suppress(OSError):
            self._talk(self.request, self.server)

    def _talk(self, client: socket.socket, server: object) -> None:
        length = int(read_exactly(client, 4), 16)
        service = read_exactly(client, length).decode()
        with socket.create_connection(("127.0.0.1", server.behind)) as real:  # type: ignore[attr-defined]
            service = server.select(service)  # type: ignore[attr-defined]
            real.sendall(f"{len(service.encode()):04x}{service}".encode())
            if service == "host:devices-l":
                read_exactly(real, 4)
                length = int(read_exactly(real, 4), 16)
                shown = server.show(read_exactly(real, length).decode())  # type: ignore[attr-defined]
                client.sendall(b"OKAY" + f"{len(shown.encode()):04x}{shown}".encode())
                return
            back = threading.Thread(target=_copy, args=(real, client))
            back.start()
            _copy(client, real)
            back.join()


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False


@contextlib.contextmanager
def renaming_adb(
    behind: int, show: Callable[[str], str], select: Callable[[str], str]
) -> Iterator[int]:
    """Runs the server; yields its port.

    Args:
        behind: port of the real server.
        show: changes the list of phones.
        select: changes a service, so that the real server knows the phone.
    """
    with _Server(("127.0.0.1", 0), _Handler) as server:
        server.behind, server.show, server.select = behind, show, select  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


def _copy(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)
