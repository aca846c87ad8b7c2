"""`find` with its tests: -name, -type, -mindepth, -maxdepth, -size, -newer, -o, !, ( ), -delete."""

from __future__ import annotations

import fnmatch
import posixpath
from collections.abc import Callable
from dataclasses import dataclass

from demophone.filesystem import Entry, FileSystem, reason
from demophone.shell.process import Handler, HandlerFailed, Process


@dataclass(frozen=True, slots=True)
class _Found:
    path: str
    entry: Entry
    depth: int


_Test = Callable[[_Found], bool]


class _Expression:
    """The words behind the paths; a test that holds may act: print, or delete."""

    def __init__(self, files: FileSystem, cwd: str, words: list[str]) -> None:
        self._files, self._cwd, self._words = files, cwd, words
        self.least, self.most = 0, 1 << 30
        self.acts = False
        self.deletes = False
        self.printed: list[bytes] = []
        self.problems: list[str] = []
        self.test = self._either() if words else lambda found: True
        if self._words:
            raise HandlerFailed(f"find: bad arg '{self._words[0]}'")

    def _either(self) -> _Test:
        sides = [self._both()]
        while self._words and self._words[0] in ("-o", "-or"):
            self._words.pop(0)
            sides.append(self._both())
        return lambda found: any(side(found) for side in sides)

    def _both(self) -> _Test:
        parts = [self._one()]
        while self._words and self._words[0] not in ("-o", "-or", ")"):
            if self._words[0] in ("-a", "-and"):
                self._words.pop(0)
            parts.append(self._one())
        return lambda found: all(part(found) for part in parts)

    def _one(self) -> _Test:
        word = self._words.pop(0) if self._words else ""
        if word in ("!", "-not"):
            inner = self._one()
            return lambda found: not inner(found)
        if word == "(":
            inner = self._either()
            if not self._words or self._words.pop(0) != ")":
                raise HandlerFailed("find: need )")
            return inner
        if word in ("-print", "-print0"):
            self.acts = True
            end = b"\n" if word == "-print" else b"\0"
            return lambda found: self._print(found, end)
        if word == "-delete":
            self.acts = self.deletes = True
            return self._delete
        if word == "-empty":
            return self._is_empty
        if word not in ("-name", "-iname", "-path", "-type", "-mindepth", "-maxdepth", "-newer"):
            raise HandlerFailed(f"find: bad arg '{word}'")
        if not self._words:
            raise HandlerFailed(f"find: '{word}' needs 1 arg")
        return self._with_value(word, self._words.pop(0))

    def _with_value(self, word: str, value: str) -> _Test:
        match word:
            case "-name":
                return lambda found: fnmatch.fnmatchcase(posixpath.basename(found.path), value)
            case "-iname":
                pattern = value.lower()
                return lambda found: fnmatch.fnmatchcase(
                    posixpath.basename(found.path).lower(), pattern
                )
            case "-path":
                return lambda found: fnmatch.fnmatchcase(found.path, value)
            case "-type":
                return lambda found: value == ("d" if found.entry.is_folder else "f")
            case "-newer":
                than = self._files.stat(value, self._cwd).mtime
                return lambda found: found.entry.mtime > than
            case _:
                if not value.isdecimal():
                    raise HandlerFailed(f"find: bad number '{value}'")
                if word == "-mindepth":
                    self.least = int(value)
                else:
                    self.most = int(value)
                return lambda found: True

    def _print(self, found: _Found, end: bytes) -> bool:
        self.printed.append(found.path.encode("utf-8", "surrogateescape") + end)
        return True

    def _is_empty(self, found: _Found) -> bool:
        if found.entry.is_folder:
            return not self._files.list(found.path, self._cwd)
        return found.entry.size == 0

    def _delete(self, found: _Found) -> bool:
        try:
            if found.entry.is_folder:
                self._files.writable(found.path, self._cwd).rmdir()
            else:
                self._files.remove(found.path, self._cwd)
        except OSError as error:
            self.problems.append(f"find: {found.path}: {reason(error)}")
            return False
        return True


async def _find(process: Process) -> int:
    words = list(process.args)
    paths = []
    while words and not words[0].startswith("-") and words[0] not in ("!", "("):
        paths.append(words.pop(0))
    files, cwd = process.system.files, process.cwd
    expression = _Expression(files, cwd, words)
    status = 0
    for start in paths or ["."]:
        try:
            found = _below(files, cwd, start, expression.most)
        except OSError as error:
            await process.complain(f"find: '{start}': {reason(error)}")
            status = 1
            continue
        if expression.deletes:  # what is inside a folder goes first
            found.reverse()
        for one in found:
            holds = one.depth >= expression.least and expression.test(one)
            if holds and not expression.acts:
                await process.say(one.path)
            for line in expression.printed:
                await process.stdout.write(line)
            expression.printed.clear()
    for problem in expression.problems:
        await process.complain(problem)
        status = 1
    return status


def _below(files: FileSystem, cwd: str, start: str, most: int) -> list[_Found]:
    """A path and all below it, each before what is in it."""
    waiting = [_Found(start, files.stat(start, cwd), 0)]
    found = []
    while waiting:
        one = waiting.pop(0)
        found.append(one)
        if one.entry.is_folder and one.depth < most:
            waiting[:0] = [
                _Found(posixpath.join(one.path, child.name), child, one.depth + 1)
                for child in files.list(one.path, cwd)
            ]
    return found


COMMANDS: dict[str, Handler] = {"find": _find}
