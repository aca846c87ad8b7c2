"""adbd: listens on one port of the loopback address and serves every adb that connects."""

from __future__ import annotations

import asyncio
import socket

from demophone.adb.services import Services
from demophone.adb.transport import Transport
from demophone.system import MODEL, System

READ_BUFFER = 4 * 1024 * 1024
MAX_CONNECTIONS = 16
# Every adb server of this computer asks these ports for emulators by itself.
SCANNED_PORTS = range(5555, 5586)


class PortTaken(Exception):
    """The port asked for is not free; the text says which."""


class Daemon:
    """The listening side. Connections end with it."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._services = Services(system)
        self._server: asyncio.Server | None = None
        self._transports: set[asyncio.Task[None]] = set()

    async def start(self, port: int) -> int:
        """Begins to listen, on a free port for 0. Returns the port.

        Raises:
            PortTaken: something else listens there.
        """
        listening = _bound(port)
        self._system.port = port = int(listening.getsockname()[1])
        self._server = await asyncio.start_server(self._serve, sock=listening, limit=READ_BUFFER)
        return port

    async def stop(self) -> None:
        """Ends every connection and the listening."""
        if self._server is not None:
            self._server.close()
        for task in list(self._transports):
            task.cancel()
        if self._transports:
            await asyncio.wait(self._transports, timeout=5)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None or len(self._transports) >= MAX_CONNECTIONS:
            writer.close()
            return
        self._transports.add(task)
        try:
            writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            transport = Transport(
                reader, writer, _banner(), self._services.find, self._system.faults
            )
            try:
                await transport.run()
            finally:
                self._system.sockets.remove_rules(transport.dial)
        except asyncio.CancelledError:
            return
        finally:
            self._transports.discard(task)


def _bound(port: int) -> socket.socket:
    """A socket bound to `port` of the loopback address, or to a free one outside adb's scan."""
    for _ in range(200):
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind(("127.0.0.1", port))
        except OSError as error:
            listening.close()
            if port:
                raise PortTaken(f"port {port} is not free ({error.strerror})") from error
            continue
        if port or listening.getsockname()[1] not in SCANNED_PORTS:
            listening.setblocking(False)
            return listening
        listening.close()
    raise PortTaken("no free port was found")


def _banner() -> str:
    model = MODEL.replace(" ", "_")
    return f"ro.product.name=demophone;ro.product.model={model};ro.product.device=demo"
