"""One running command of the phone's shell, as its handler sees it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from demophone.filesystem import reason
from demophone.streams import CHUNK, Sink, Source
from demophone.system import System

MAX_INPUT = 64 * 1024 * 1024


class HandlerFailed(Exception):
    """Ends a handler with a text on stderr and an exit status."""

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message)
        self.status = status


@dataclass
class Process:
    """A command with its words, variables and streams.

    Attributes:
        argv: the command's name and its arguments.
        tty: whether its output is a terminal, as with `adb shell -t`.
        run_script: runs a script the way `sh -c` does, with this process's streams.
        run_command: runs another command with this process's streams.
    """

    system: System
    argv: list[str]
    env: Mapping[str, str]
    cwd: str
    stdin: Source
    stdout: Sink
    stderr: Sink
    tty: bool
    run_script: Callable[[str], Awaitable[int]]
    run_command: Callable[[list[str]], Awaitable[int]]

    @property
    def name(self) -> str:
        """The command's own name."""
        return self.argv[0]

    @property
    def args(self) -> list[str]:
        """What follows the command's name."""
        return self.argv[1:]

    async def say(self, text: str) -> None:
        """Prints `text` and a line end."""
        await self.stdout.write(text.encode("utf-8", "surrogateescape") + b"\n")

    async def complain(self, text: str) -> None:
        """Prints `text` and a line end to stderr."""
        await self.stderr.write(text.encode("utf-8", "surrogateescape") + b"\n")

    async def read_all(self) -> bytes:
        """All of stdin.

        Raises:
            CommandFailed: it is larger than a command of this phone takes.
        """
        parts: list[bytes] = []
        size = 0
        while data := await self.stdin.read(CHUNK):
            size += len(data)
            if size > MAX_INPUT:
                raise HandlerFailed(f"{self.name}: out of memory")
            parts.append(data)
        return b"".join(parts)

    def read_file(self, path: str) -> bytes:
        """The content of a file named by an argument.

        Raises:
            CommandFailed: it cannot be read; the text is what the tools of a phone say.
        """
        try:
            return self.system.files.read(path, self.cwd)
        except OSError as error:
            raise HandlerFailed(f"{self.name}: {path}: {reason(error)}") from error

    async def inputs(self, paths: list[str]) -> list[tuple[str, bytes]]:
        """Name and content of each file, or of stdin where none is named.

        Raises:
            CommandFailed: one cannot be read.
        """
        if not paths:
            return [("-", await self.read_all())]
        return [
            (path, await self.read_all() if path == "-" else self.read_file(path)) for path in paths
        ]


Handler = Callable[[Process], Awaitable[int]]
