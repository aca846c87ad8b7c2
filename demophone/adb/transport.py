"""One connected adb server: the handshake and its streams.

Each direction of a stream has at most one packet on its way. A packet from the computer is
acknowledged when its bytes have been read inside the phone, so a slow reader slows the computer
down. What a stream is for is the business of `services`.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable

from demophone.adb import packets
from demophone.adb.packets import AdbPacket, BadPacket
from demophone.faults import fault_value
from demophone.sockets import SocketError
from demophone.streams import CHUNK, Channel, Pipe

log = logging.getLogger(__name__)

MAX_STREAMS = 4096
FEATURES = "shell_v2,cmd,stat_v2,ls_v2,fixed_push_mkdir,fixed_push_symlink_timestamp,sendrecv_v2"

Service = Callable[[Pipe], Awaitable[None]]
FindService = Callable[["Transport", str], Service | None]


class Stream(Pipe):
    """One adb stream, as a pipe."""

    def __init__(self, transport: Transport, local: int, remote: int) -> None:
        self.local = local
        self.remote = remote
        self.task: asyncio.Task[None] | None = None
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.abandoned = False
        self._transport = transport
        self._incoming = Channel(on_drained=self._acknowledge)
        self._owes_okay = False
        self._may_send = asyncio.Event()
        self._may_send.set()
        self._closed = False

    async def read(self, limit: int = CHUNK) -> bytes:
        return await self._incoming.read(limit)

    async def write(self, data: bytes) -> None:
        size = self._transport.max_payload
        for start in range(0, len(data), size):
            await self._may_send.wait()
            if self._closed:
                raise BrokenPipeError("the computer closed the stream")
            self._may_send.clear()
            part = data[start : start + size] if len(data) > size else data
            await self._transport.deliver(AdbPacket(packets.WRTE, self.local, self.remote, part))
        if self._closed:
            raise BrokenPipeError("the computer closed the stream")

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._incoming.break_off()
            self._may_send.set()
            self._transport.forget(self)
            self._transport.send(AdbPacket(packets.CLSE, self.local, self.remote))

    # --- what the transport tells ------------------------------------------------------------
    def received(self, payload: bytes) -> None:
        """Bytes from the computer.

        Raises:
            BadPacket: the packet before was not acknowledged yet.
        """
        if self._owes_okay:
            raise BadPacket(f"stream {self.remote} sent on without waiting for OKAY")
        self._owes_okay = True
        if payload:
            self._incoming.feed(payload)
        else:
            self._acknowledge()

    def acknowledged(self) -> None:
        """The computer took the last packet."""
        self._may_send.set()

    def closed_by_computer(self) -> None:
        """The computer closed the stream: reads end, writes fail, the service is ended."""
        self._closed = True
        self._incoming.end()
        self._may_send.set()
        if self.task is not None and self.linger_s:
            asyncio.get_running_loop().call_later(self.linger_s, self.task.cancel)
        elif self.task is not None:
            self.task.cancel()

    def _acknowledge(self) -> None:
        if self._owes_okay and not self._closed:
            self._owes_okay = False
            self._transport.send(AdbPacket(packets.OKAY, self.local, self.remote))


class Transport:
    """One adb connection, from its first byte to its last.

    Args:
        banner: what the phone calls itself, `key=value;...`.
        find_service: the service of a name in an OPEN; None refuses it.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        banner: str,
        find_service: FindService,
        faults: frozenset[str],
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._banner = banner
        self._find_service = find_service
        self._faults = faults
        self._streams: dict[int, Stream] = {}
        self._next_id = 1
        self._version = packets.VERSION_WITH_SUMS
        self._online = False
        self.max_payload = packets.MAX_PAYLOAD
        delay = fault_value(faults, "slow", "30")
        self._delay = int(delay) / 1000 if delay is not None else 0.0

    async def run(self) -> None:
        """Serves the connection until it ends."""
        drop_after = fault_value(self._faults, "drop-after")
        count = 0
        try:
            while True:
                with_sum = self._version == packets.VERSION_WITH_SUMS
                packet = await packets.read_packet(self._reader, with_sum and self._online)
                if packet is None:
                    return
                self._take(packet)
                count += 1
                if drop_after is not None and count >= int(drop_after):
                    log.warning("adb connection dropped after %d packets, as asked for", count)
                    return
        except BadPacket as error:
            log.warning("adb connection closed: %s", error)
        except (ConnectionError, TimeoutError) as error:
            log.info("adb connection lost: %s", error)
        finally:
            await self._end()

    def send(self, packet: AdbPacket) -> None:
        """Sends without waiting; for packets without bulk."""
        if not self._writer.is_closing():
            with_sum = self._version == packets.VERSION_WITH_SUMS or packet.command == packets.CNXN
            self._writer.write(packets.pack(packet, with_sum))

    async def deliver(self, packet: AdbPacket) -> None:
        """Sends, waiting while the connection is full.

        Raises:
            BrokenPipeError: the connection is gone.
        """
        if self._delay:
            await asyncio.sleep(self._delay)
        self.send(packet)
        try:
            await self._writer.drain()
        except ConnectionError as error:
            raise BrokenPipeError("the adb connection is gone") from error

    async def dial(self, destination: str) -> Pipe:
        """A stream to an address of the computer, for a reverse rule.

        Raises:
            SocketError: the computer refused it, or there are too many streams.
        """
        stream = self._new_stream(0)
        if stream is None or self._writer.is_closing():
            raise SocketError("Connection refused")
        self.send(AdbPacket(packets.OPEN, stream.local, 0, destination.encode() + b"\0"))
        try:
            await stream.opened
        except asyncio.CancelledError:
            stream.abandoned = True  # closed as soon as the computer answers
            raise
        return stream

    def forget(self, stream: Stream) -> None:
        """A stream closed itself."""
        self._streams.pop(stream.local, None)

    # --- packets from the computer -----------------------------------------------------------
    def _take(self, packet: AdbPacket) -> None:
        if packet.command == packets.CNXN:
            self._connect(packet)
        elif packet.command == packets.AUTH:
            if fault_value(self._faults, "unauthorized") is None:
                raise BadPacket("AUTH that nobody asked for")
            if packet.arg0 == packets.SIGNATURE:
                self._demand_key()
        elif not self._online:
            raise BadPacket("a packet before the handshake")
        elif packet.command == packets.OPEN:
            self._open(packet)
        elif packet.command == packets.OKAY:
            self._okay(packet)
        elif packet.command == packets.WRTE:
            self._write(packet)
        elif packet.command == packets.CLSE:
            self._close(packet)
        else:
            raise BadPacket(f"command {packet.command:#010x} has no place here")

    def _connect(self, packet: AdbPacket) -> None:
        if packet.arg0 < packets.VERSION_WITH_SUMS or not packet.arg1 >= 4096:
            raise BadPacket(f"CNXN of version {packet.arg0:#010x}, payloads of {packet.arg1} bytes")
        self._close_streams()
        self.max_payload = min(packet.arg1, packets.MAX_PAYLOAD)
        self._version = min(packet.arg0, packets.VERSION)
        if fault_value(self._faults, "offline") is not None:
            return
        if fault_value(self._faults, "unauthorized") is not None:
            self._demand_key()
            return
        self._online = True
        banner = f"device::{self._banner};features={FEATURES}"
        self.send(AdbPacket(packets.CNXN, packets.VERSION, packets.MAX_PAYLOAD, banner.encode()))

    def _demand_key(self) -> None:
        self.send(AdbPacket(packets.AUTH, packets.TOKEN, 0, os.urandom(20)))

    def _open(self, packet: AdbPacket) -> None:
        if packet.arg0 == 0:
            raise BadPacket("OPEN of stream 0")
        name = packet.payload.rstrip(b"\0").decode("utf-8", "replace")
        service = self._find_service(self, name)
        stream = self._new_stream(packet.arg0) if service is not None else None
        if service is None or stream is None:
            self.send(AdbPacket(packets.CLSE, 0, packet.arg0))
            return
        self.send(AdbPacket(packets.OKAY, stream.local, stream.remote))
        stream.task = asyncio.create_task(self._serve(stream, service, name))

    async def _serve(self, stream: Stream, service: Service, name: str) -> None:
        try:
            await service(stream)
        except (BrokenPipeError, EOFError) as error:
            log.debug("%s ended: %s", name[:80], error)
        except asyncio.CancelledError:
            log.debug("%s was closed by the computer", name[:80])
        except Exception:  # a bug in one service leaves the other streams working
            log.exception("the service %s failed", name[:80])
        finally:
            stream.close()

    def _okay(self, packet: AdbPacket) -> None:
        stream = self._streams.get(packet.arg1)
        if stream is None:
            return  # it was closed while this was on its way
        if stream.remote == 0:
            stream.remote = packet.arg0
            if stream.abandoned:
                stream.close()
            else:
                stream.opened.set_result(None)
        else:
            stream.acknowledged()

    def _write(self, packet: AdbPacket) -> None:
        stream = self._streams.get(packet.arg1)
        if stream is None:
            self.send(AdbPacket(packets.CLSE, 0, packet.arg0))
        elif stream.remote != packet.arg0:
            raise BadPacket(f"WRTE to stream {packet.arg1} from {packet.arg0}")
        else:
            stream.received(packet.payload)

    def _close(self, packet: AdbPacket) -> None:
        stream = self._streams.get(packet.arg1)
        if stream is not None and stream.remote in (0, packet.arg0):
            self._drop(stream)
            self.send(AdbPacket(packets.CLSE, stream.local, packet.arg0))

    def _drop(self, stream: Stream) -> None:
        self._streams.pop(stream.local, None)
        stream.closed_by_computer()
        if stream.remote == 0 and not stream.abandoned:
            stream.opened.set_exception(SocketError("Connection refused"))

    def _new_stream(self, remote: int) -> Stream | None:
        if len(self._streams) >= MAX_STREAMS:
            return None
        stream = Stream(self, self._next_id, remote)
        self._streams[stream.local] = stream
        self._next_id += 1
        return stream

    # --- the end -------------------------------------------------------------------------------
    def _close_streams(self) -> list[asyncio.Task[None]]:
        tasks = [stream.task for stream in self._streams.values() if stream.task is not None]
        for stream in list(self._streams.values()):
            self._drop(stream)
        return tasks

    async def _end(self) -> None:
        tasks = self._close_streams()
        self._writer.close()
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
