"""Runs scripts of the phone's shell over its table of commands.

No command of the computer is ever started: what is not in the table does not exist.
"""

from __future__ import annotations

import asyncio
import fnmatch
import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, replace

from demophone.filesystem import reason
from demophone.shell.grammar import (
    BOTH_OUTPUTS,
    MAX_DEPTH,
    IfStatement,
    Part,
    Pipeline,
    Redirect,
    Script,
    ScriptGroup,
    ShellSyntaxError,
    Simple,
    Word,
    parse,
)
from demophone.shell.process import Handler, HandlerFailed, Process
from demophone.streams import Channel, Sink, Source
from demophone.system import System

SHELL = "/system/bin/sh"
MAX_OUTPUT = 1024 * 1024
ENVIRONMENT = {
    "ANDROID_DATA": "/data",
    "ANDROID_ROOT": "/system",
    "EXTERNAL_STORAGE": "/sdcard",
    "HOME": "/",
    "HOSTNAME": "demo",
    "LOGNAME": "shell",
    "PATH": "/product/bin:/apex/com.android.runtime/bin:/system/bin:/system/xbin:/vendor/bin",
    "SHELL": SHELL,
    "TERM": "xterm-256color",
    "TMPDIR": "/data/local/tmp",
    "USER": "shell",
}


@dataclass(frozen=True)
class Streams:
    """Where a command reads and writes."""

    stdin: Source
    stdout: Sink
    stderr: Sink


class _Exit(Exception):
    def __init__(self, status: int) -> None:
        self.status = status


class Collected:
    """A sink that keeps what is written, up to a bound."""

    def __init__(self) -> None:
        self.data = bytearray()

    async def write(self, data: bytes) -> None:
        if len(self.data) + len(data) > MAX_OUTPUT:
            raise BrokenPipeError("more output than the shell keeps")
        self.data += data


class Nothing:
    """/dev/null: reads end at once, writes vanish."""

    async def read(self, limit: int = 0) -> bytes:
        return b""

    async def write(self, data: bytes) -> None:
        return


class _FileSink:
    def __init__(self, system: System, path: str) -> None:
        self._system = system
        self._path = path

    async def write(self, data: bytes) -> None:
        try:
            self._system.files.write(self._path, data, append=True)
        except OSError as error:
            raise HandlerFailed(f"write error: {reason(error)}") from error


class Shell:
    """One shell with its variables; scripts run in it one after the other.

    Args:
        commands: the table of commands, name to handler.
        tty: whether its output is a terminal.
    """

    def __init__(
        self, system: System, commands: Mapping[str, Handler], tty: bool = False, depth: int = 0
    ) -> None:
        self.system = system
        self.commands = commands
        self.tty = tty
        self.cwd = "/"
        self.variables = dict(ENVIRONMENT)
        self.exported = set(ENVIRONMENT)
        self.status = 0
        self._depth = depth

    async def run(self, text: str, streams: Streams) -> int:
        """Runs a script and returns its status; `exit` ends it."""
        try:
            if self._depth > MAX_DEPTH:
                raise ShellSyntaxError("scripts nest too deeply")
            await self._script(parse(text), streams)
        except ShellSyntaxError as error:
            await _tell(streams.stderr, f"{SHELL}: {error}")
            self.status = 1
        except _Exit as end:
            self.status = end.status
        return self.status

    # --- the tree ----------------------------------------------------------------------------
    async def _script(self, script: Script, streams: Streams) -> None:
        for link, pipeline in script.items:
            if (link == "&&" and self.status) or (link == "||" and not self.status):
                continue
            self.status = await self._pipeline(pipeline, streams)

    async def _pipeline(self, pipeline: Pipeline, streams: Streams) -> int:
        commands = pipeline.commands
        if len(commands) == 1:
            status = await self._command(commands[0], streams)
        else:
            status = await self._piped(commands, streams)
        return int(not status) if pipeline.negated else status

    async def _piped(
        self, commands: tuple[Simple | ScriptGroup | IfStatement, ...], streams: Streams
    ) -> int:
        async def stage(command: Simple | ScriptGroup | IfStatement, ends: Streams) -> int:
            shell = self._copy()
            try:
                return await shell._command(command, ends)
            except _Exit as end:
                return end.status
            except BrokenPipeError:
                return 141  # SIGPIPE
            finally:
                if isinstance(ends.stdout, Channel) and command is not commands[-1]:
                    ends.stdout.end()
                if isinstance(ends.stdin, Channel) and command is not commands[0]:
                    ends.stdin.break_off()

        channels = [Channel() for _ in commands[1:]]
        sources: list[Source] = [streams.stdin, *channels]
        sinks: list[Sink] = [*channels, streams.stdout]
        tasks = [
            asyncio.create_task(
                stage(command, replace(streams, stdin=sources[index], stdout=sinks[index]))
            )
            for index, command in enumerate(commands)
        ]
        try:
            return (await asyncio.gather(*tasks))[-1]
        finally:
            for task in tasks:
                task.cancel()

    async def _command(self, command: Simple | ScriptGroup | IfStatement, streams: Streams) -> int:
        try:
            streams = await self._redirected(command.redirects, streams)
            if isinstance(command, Simple):
                return await self._simple(command, streams)
            if isinstance(command, IfStatement):
                return await self._choose(command, streams)
            shell = self._copy() if command.isolated else self
            try:
                await shell._script(command.script, streams)
            except _Exit as end:
                if not command.isolated:
                    raise
                return end.status
            return shell.status
        except HandlerFailed as error:
            await _tell(streams.stderr, str(error))
            return error.status

    async def _choose(self, choice: IfStatement, streams: Streams) -> int:
        for condition, body in choice.branches:
            await self._script(condition, streams)
            if self.status == 0:
                await self._script(body, streams)
                return self.status
        if choice.otherwise is None:
            return 0
        await self._script(choice.otherwise, streams)
        return self.status

    async def _simple(self, command: Simple, streams: Streams) -> int:
        words = [text for word in command.words for text in await self._expanded(word, streams)]
        values = {
            name: " ".join(await self._fields(word, streams, split=False))
            for name, word in command.assignments
        }
        if not words:
            self.variables.update(values)
            return self.status if _has_script(command) else 0
        return await self._invoke(words, values, streams)

    async def _invoke(self, words: list[str], values: Mapping[str, str], streams: Streams) -> int:
        name = words[0]
        if name == "exec":
            if len(words) > 1:
                raise _Exit(await self._invoke(words[1:], values, streams))
            return 0
        if name == "exit":
            raise _Exit(int(words[1]) & 255 if words[1:] and words[1].isdecimal() else self.status)
        if name == "cd":
            return self._change_folder(words[1] if words[1:] else "/")
        if name in ("export", "unset", "set"):
            return await self._declare(name, words[1:], streams)
        if name in (":", "wait", "umask", "trap"):
            return 0
        base = posixpath.basename(name) if name.startswith(("/system/bin/", "/bin/")) else name
        handler = self.commands.get(base)
        if handler is None:
            await _tell(streams.stderr, f"{SHELL}: {name}: inaccessible or not found")
            return 127
        env = {key: self.variables[key] for key in self.exported if key in self.variables}
        env |= values

        async def run_script(text: str) -> int:
            inner = self._copy()
            inner.variables |= values
            inner.exported |= set(values)
            return await inner.run(text, streams)

        async def run_command(argv: list[str]) -> int:
            return await self._copy()._invoke(argv, values, streams)

        process = Process(
            self.system,
            [base, *words[1:]],
            env,
            self.cwd,
            streams.stdin,
            streams.stdout,
            streams.stderr,
            self.tty,
            run_script,
            run_command,
        )
        try:
            return await handler(process)
        except HandlerFailed as error:
            await _tell(streams.stderr, str(error))
            return error.status
        except BrokenPipeError:
            raise
        except OSError as error:  # a path that cannot be; the tool has no words of its own for it
            await _tell(streams.stderr, f"{base}: {reason(error)}")
            return 1

    def _copy(self) -> Shell:
        shell = Shell(self.system, self.commands, self.tty, self._depth + 1)
        shell.cwd, shell.status = self.cwd, self.status
        shell.variables, shell.exported = dict(self.variables), set(self.exported)
        return shell

    def _change_folder(self, path: str) -> int:
        try:
            if not self.system.files.stat(path, self.cwd).is_folder:
                raise HandlerFailed(f"{SHELL}: cd: {path}: Not a directory", 2)
        except OSError as error:
            raise HandlerFailed(f"{SHELL}: cd: {path}: {reason(error)}", 2) from error
        self.cwd = posixpath.normpath(posixpath.join(self.cwd, path))
        return 0

    async def _declare(self, verb: str, words: list[str], streams: Streams) -> int:
        if not words:
            shown = self.exported if verb == "export" else set(self.variables)
            for name in sorted(shown & set(self.variables)):
                await _tell(streams.stdout, f"{name}={self.variables[name]}")
        for word in words if verb != "set" else []:
            name, assigned, value = word.partition("=")
            if verb == "unset":
                self.variables.pop(name, None)
                continue
            self.exported.add(name)
            if assigned:
                self.variables[name] = value
        return 0

    # --- words -------------------------------------------------------------------------------
    async def _expanded(self, word: Word, streams: Streams) -> list[str]:
        texts = await self._fields(word, streams, split=True)
        globs = any(
            not part.quoted and part.kind == "text" and any(char in part.text for char in "*?[")
            for part in word
        )
        if not globs:
            return texts
        return [found for text in texts for found in self._matching(text)]

    async def _fields(self, word: Word, streams: Streams, split: bool) -> list[str]:
        fields: list[str] = []
        current: str | None = None
        for part in word:
            value = await self._value(part, streams)
            if part.quoted or part.kind == "text" or not split:
                current = (current or "") + value
                continue
            pieces = value.split()
            if not pieces:
                continue
            if value[0].isspace() and current is not None:
                fields.append(current)
                current = None
            current = (current or "") + pieces[0]
            for piece in pieces[1:]:
                fields.append(current)
                current = piece
            if value[-1].isspace():
                fields.append(current)
                current = None
        if current is not None:
            fields.append(current)
        return fields

    async def _value(self, part: Part, streams: Streams) -> str:
        if part.kind == "text":
            return part.text
        if part.kind == "variable":
            special = {"?": str(self.status), "$": "4242", "#": "0", "0": SHELL}
            value = special.get(part.text, self.variables.get(part.text, ""))
            return value or part.default or ""
        output = Collected()
        shell = self._copy()
        self.status = await shell.run(part.text, replace(streams, stdout=output))
        return output.data.decode("utf-8", "surrogateescape").rstrip("\n")

    def _matching(self, pattern: str) -> list[str]:
        folder, name = posixpath.split(pattern)
        if any(char in folder for char in "*?[") or not name:
            return [pattern]
        try:
            entries = self.system.files.list(folder or ".", self.cwd)
        except OSError:
            return [pattern]
        found = [
            posixpath.join(folder, entry.name)
            for entry in entries
            if fnmatch.fnmatchcase(entry.name, name)
            and (name.startswith(".") or not entry.name.startswith("."))
        ]
        return found or [pattern]

    # --- redirections ------------------------------------------------------------------------
    async def _redirected(self, redirects: tuple[Redirect, ...], streams: Streams) -> Streams:
        for redirect in redirects:
            if redirect.operator == ">&":
                sink = streams.stdout if redirect.target[0].text == "1" else streams.stderr
                if redirect.fd == 2:
                    streams = replace(streams, stderr=sink)
                else:
                    streams = replace(streams, stdout=sink)
                continue
            path = " ".join(await self._fields(redirect.target, streams, split=False))
            if redirect.operator == "<":
                streams = replace(streams, stdin=self._opened_for_reading(path))
                continue
            sink = self._opened_for_writing(path, redirect.operator == ">>")
            if redirect.fd in (1, BOTH_OUTPUTS):
                streams = replace(streams, stdout=sink)
            if redirect.fd in (2, BOTH_OUTPUTS):
                streams = replace(streams, stderr=sink)
        return streams

    def _opened_for_reading(self, path: str) -> Source:
        channel = Channel()
        try:
            channel.feed(self.system.files.read(path, self.cwd))
        except OSError as error:
            message = f"{SHELL}: can't open {path}: {reason(error)}"
            raise HandlerFailed(message) from error
        channel.end()
        return channel

    def _opened_for_writing(self, path: str, append: bool) -> Sink:
        full = posixpath.join(self.cwd, path)
        try:
            if self.system.files.device_path(full) == "/dev/null":
                return Nothing()
            self.system.files.write(full, b"", append=append)
        except OSError as error:
            message = f"{SHELL}: can't create {path}: {reason(error)}"
            raise HandlerFailed(message) from error
        return _FileSink(self.system, full)


async def _tell(sink: Sink, text: str) -> None:
    await sink.write(text.encode("utf-8", "surrogateescape") + b"\n")


def _has_script(command: Simple) -> bool:
    return any(part.kind == "script" for _, word in command.assignments for part in word)
