"""adb's shell service: both protocols, with and without a terminal.

Source: packages/modules/adb/shell_protocol.h and daemon/shell_service.cpp of AOSP.
"""

from __future__ import annotations

import asyncio
import struct

from demophone.adb.transport import Service
from demophone.shell.commands import COMMANDS
from demophone.shell.interpreter import Shell, Streams
from demophone.streams import CHUNK, Channel, Pipe, Sink
from demophone.system import System

HEADER = struct.Struct("<BI")
STDIN, STDOUT, STDERR, EXIT, CLOSE_STDIN, WINDOW_SIZE = range(6)
MAX_SHELL_PACKET = 1024 * 1024
LINGER_S = 2.0
PROMPT = b"demo:/ $ "


def shell_service(system: System, kind: str, command: str) -> Service:
    """The service of `shell:`, `shell,v2,...:` or `exec:` with its command."""
    options = kind.split(",")[1:]
    terminal = "pty" in options or (kind != "exec" and not command and "raw" not in options)

    async def serve(pipe: Pipe) -> None:
        session = _FramedSession(pipe) if "v2" in options else _PlainSession(pipe)
        # Without packets the end of the stream is the end of stdin: `adb exec-in` closes it while
        # the command still has to write what it read.
        pipe.linger_s = 0.0 if "v2" in options or terminal else LINGER_S
        if terminal:
            await _run_terminal(system, command, session)
        else:
            shell = Shell(system, COMMANDS)
            feeding = asyncio.create_task(session.feed())
            try:
                streams = Streams(session.stdin, session.stdout, session.stderr)
                await session.exit(await shell.run(command, streams))
            finally:
                feeding.cancel()

    return serve


class _PlainSession:
    """Protocol 1: stdin is the stream, both outputs are mixed, no exit code."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe
        self.stdin = Channel(limit=CHUNK)
        self.stdout: Sink = pipe
        self.stderr: Sink = pipe

    async def feed(self) -> None:
        try:
            while data := await self._pipe.read():
                await self.stdin.write(data)
        except BrokenPipeError:
            return
        finally:
            self.stdin.end()

    async def exit(self, status: int) -> None:
        return


class _FramedSession(_PlainSession):
    """Protocol 2: packets with a number for what they are."""

    def __init__(self, pipe: Pipe) -> None:
        super().__init__(pipe)
        self.stdout = _Framed(pipe, STDOUT)
        self.stderr = _Framed(pipe, STDERR)

    async def feed(self) -> None:
        try:
            while True:
                kind, length = HEADER.unpack(await self._pipe.read_exactly(HEADER.size))
                if length > MAX_SHELL_PACKET:
                    return
                data = await self._pipe.read_exactly(length)
                if kind == STDIN and data:
                    await self.stdin.write(data)
                elif kind == CLOSE_STDIN:
                    self.stdin.end()
        except (EOFError, BrokenPipeError):
            return
        finally:
            self.stdin.end()

    async def exit(self, status: int) -> None:
        await self._pipe.write(HEADER.pack(EXIT, 1) + bytes([status & 255]))


class _Framed:
    def __init__(self, pipe: Pipe, kind: int) -> None:
        self._pipe = pipe
        self._kind = kind

    async def write(self, data: bytes) -> None:
        if data:
            await self._pipe.write(HEADER.pack(self._kind, len(data)) + data)


class _Terminal:
    """A terminal's output: line ends become carriage return and line feed."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    async def write(self, data: bytes) -> None:
        await self._sink.write(data.replace(b"\n", b"\r\n"))


async def _run_terminal(system: System, command: str, session: _PlainSession) -> None:
    shell = Shell(system, COMMANDS, tty=True)
    screen = _Terminal(session.stdout)
    feeding = asyncio.create_task(session.feed())
    keys = Channel(limit=CHUNK)
    status = 0
    try:
        if command:
            status = await _interruptible(shell, command, screen, keys, session)
        else:
            status = await _interactive(shell, screen, session)
        await session.exit(status)
    finally:
        feeding.cancel()


async def _interruptible(
    shell: Shell, command: str, screen: Sink, keys: Channel, session: _PlainSession
) -> int:
    async def watch() -> None:
        while data := await session.stdin.read():
            typed, interrupt, rest = data.partition(b"\x03")
            if interrupt:
                session.stdin.unread(rest)
                return
            await keys.write(typed.replace(b"\r", b"\n"))
        keys.end()
        await asyncio.Event().wait()

    running = asyncio.create_task(shell.run(command, Streams(keys, screen, screen)))
    watching = asyncio.create_task(watch())
    try:
        await asyncio.wait((running, watching), return_when=asyncio.FIRST_COMPLETED)
        return running.result() if running.done() else 130
    finally:
        running.cancel()
        watching.cancel()
        session.stdin.unread(keys.left())  # what was typed ahead is for the next command


async def _interactive(shell: Shell, screen: Sink, session: _PlainSession) -> int:
    line = b""
    await session.stdout.write(PROMPT)
    while data := await session.stdin.read():
        for byte in data:
            key = bytes([byte])
            if key in b"\r\n":
                await screen.write(b"\n")
                text, line = line.decode("utf-8", "replace").strip(), b""
                if text == "exit" or text.startswith("exit "):
                    return await shell.run(text, Streams(Channel(), screen, screen))
                if text:
                    await _interruptible(shell, text, screen, Channel(), session)
                await session.stdout.write(PROMPT)
            elif key == b"\x04" and not line:
                return shell.status
            elif key == b"\x03":
                line = b""
                await screen.write(b"^C\n" + PROMPT)
            elif key in b"\x7f\x08":
                if line:
                    line = line[:-1]
                    await screen.write(b"\b \b")
            elif len(line) < 4096:
                line += key
                await session.stdout.write(key)
    return shell.status
