"""The services adbd offers by name: shell, files, sockets, reverse rules and the small ones."""

from __future__ import annotations

import asyncio
import struct

from demophone.adb.shell_service import shell_service
from demophone.adb.sync import SyncService
from demophone.adb.transport import Service, Transport
from demophone.sockets import SocketError
from demophone.streams import CHUNK, Pipe
from demophone.system import System

FRAMEBUFFER = struct.Struct("<14I")


class Services:
    """Finds what an OPEN asks for."""

    def __init__(self, system: System) -> None:
        self._system = system

    def find(self, transport: Transport, name: str) -> Service | None:
        """Returns the service `name`; None if the phone has none."""
        kind, _, argument = name.partition(":")
        if kind in ("shell", "exec") or kind.startswith("shell,"):
            return shell_service(self._system, kind, argument)
        if kind in ("tcp", "local", "localabstract", "localreserved", "localfilesystem"):
            return self._socket(name)
        if kind == "reverse":
            return lambda pipe: self._reverse(transport, pipe, argument)
        if kind == "sync":
            return lambda pipe: SyncService(self._system.files, pipe).run()
        if kind == "framebuffer":
            return self._framebuffer
        if kind in ("track-jdwp", "track-app"):
            return _no_debuggable_apps
        if kind == "jdwp":
            return _say("")
        answer = {
            "root": "adbd is already running as root\n"
            if self._system.root
            else "adbd cannot run as root in production builds\n",
            "unroot": "adbd not running as root\n",
            "remount": 'Not running as root. Try "adb root" first.\n',
            "disable-verity": "disable-verity only works for userdebug builds\n",
            "tcpip": f"restarting in TCP mode port: {argument}\n",
            "usb": "restarting in USB mode\n",
            "reboot": "",
            "backup": "",
        }.get(kind)
        if answer is None:
            return None
        self._system.device.log("adb_service", service=name[:80])
        return _say(answer)

    def _socket(self, name: str) -> Service | None:
        accept = self._system.sockets.listener(name)
        if accept is None:
            return None

        async def serve(pipe: Pipe) -> None:
            # The listener owns the pipe from here; the stream must outlive this call.
            owned = _Owned(pipe)
            accept(owned)
            await owned.closed()

        return serve

    async def _reverse(self, transport: Transport, pipe: Pipe, request: str) -> None:
        sockets = self._system.sockets
        verb, _, rest = request.partition(":")
        try:
            if verb == "list-forward":
                text = "".join(f"host-1 {local} {remote}\n" for local, remote in sockets.rules())
                await pipe.write(_counted(text))
            elif verb == "killforward-all":
                sockets.remove_rules()
                await pipe.write(b"OKAY")
            elif verb == "killforward":
                sockets.remove_rule(rest)
                await pipe.write(b"OKAY")
            elif verb == "forward":
                rebind = not rest.startswith("norebind:")
                local, semicolon, remote = rest.removeprefix("norebind:").partition(";")
                if not semicolon:
                    raise SocketError("bad forward: " + rest[:80])
                taken = sockets.add_rule(local, remote, transport.dial, rebind)
                port = _counted(taken.partition(":")[2]) if local == "tcp:0" else b""
                await pipe.write(b"OKAY" + port)
            else:
                raise SocketError("unknown reverse request " + verb[:40])
        except SocketError as error:
            await pipe.write(b"FAIL" + _counted(str(error)))

    async def _framebuffer(self, pipe: Pipe) -> None:
        pixels = self._system.device.picture().pixels[:, :, [2, 1, 0, 3]]
        height, width = pixels.shape[:2]
        data = pixels.tobytes()
        colours = (0, 8, 16, 8, 8, 8, 24, 8)  # offset and length of red, blue, green, alpha
        await pipe.write(FRAMEBUFFER.pack(2, 32, 1, len(data), width, height, *colours) + data)


class _Owned(Pipe):
    """A stream given away to a listener; tells when that closed it."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe
        self._done = asyncio.Event()

    async def read(self, limit: int = CHUNK) -> bytes:
        return await self._pipe.read(limit)

    async def write(self, data: bytes) -> None:
        await self._pipe.write(data)

    def close(self) -> None:
        self._done.set()
        self._pipe.close()

    async def closed(self) -> None:
        await self._done.wait()


def _counted(text: str) -> bytes:
    data = text.encode()
    return b"%04x" % len(data) + data


def _say(answer: str) -> Service:
    async def serve(pipe: Pipe) -> None:
        if answer:
            await pipe.write(answer.encode())

    return serve


async def _no_debuggable_apps(pipe: Pipe) -> None:
    await pipe.write(_counted(""))
    while await pipe.read():
        pass
