"""Commands about text and bytes: cat, echo, printf, grep, head, tail, wc, sort, sums, base64."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re

from demophone.filesystem import reason
from demophone.shell.file_commands import split_flags
from demophone.shell.process import Handler, HandlerFailed, Process
from demophone.streams import CHUNK


async def _cat(process: Process) -> int:
    paths = split_flags(process.args)[2]
    status = 0
    for path in paths or ["-"]:
        if path == "-":
            while data := await process.stdin.read(CHUNK):
                await process.stdout.write(data)
            continue
        try:
            pieces = process.system.files.chunks(path, process.cwd)
        except OSError as error:
            await process.complain(f"cat: {path}: {reason(error)}")
            status = 1
            continue
        for piece in pieces:
            await process.stdout.write(piece)
    return status


async def _echo(process: Process) -> int:
    words = list(process.args)
    newline, escapes = True, False
    while words and re.fullmatch(r"-[neE]+", words[0]):
        newline = newline and "n" not in words[0]
        escapes = "e" in words[0]
        words.pop(0)
    text = " ".join(words)
    if escapes:
        text = _unescaped(text)
    await process.stdout.write((text + "\n" * newline).encode("utf-8", "surrogateescape"))
    return 0


def _unescaped(text: str) -> str:
    names = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "0": "\0", "a": "\a", "e": "\x1b"}
    return re.sub(r"\\(.)", lambda found: names.get(found[1], found[0]), text)


async def _printf(process: Process) -> int:
    if not process.args:
        raise HandlerFailed("printf: Needs 1 argument")
    values = list(process.args[1:])

    def value(found: re.Match[str]) -> str:
        if found[0] == "%%":
            return "%"
        given = values.pop(0) if values else ""
        if found[0][-1] == "s":
            return given
        number = int(given) if re.fullmatch(r"-?\d+", given) else 0
        return f"{number:x}" if found[0][-1] == "x" else str(number)

    text = re.sub(r"%[%sdx]", value, _unescaped(process.args[0]))
    await process.stdout.write(text.encode("utf-8", "surrogateescape"))
    return 0


async def _grep(process: Process) -> int:
    flags, values, rest = split_flags(process.args, "emABC")
    if "e" in values:
        rest.insert(0, values["e"])
    if not rest:
        raise HandlerFailed("grep: no REGEX", 2)
    if len(rest[0]) > 1000:
        raise HandlerFailed("grep: bad REGEX", 2)
    text = re.escape(rest[0]) if "F" in flags else rest[0]
    if "E" not in flags and "F" not in flags:
        # In a basic expression these need a back-slash to be special.
        text = re.sub(r"\\([|()+?{}])|([|()+?{}])", _as_basic, text)
    try:
        pattern = re.compile(text, re.IGNORECASE if "i" in flags else 0)
    except re.error as error:
        raise HandlerFailed(f"grep: bad REGEX: {error}", 2) from error
    hits = 0
    most = int(values["m"]) if values.get("m", "").isdecimal() else -1
    inputs = await process.inputs(rest[1:])
    for path, data in inputs:
        count = 0
        for number, line in enumerate(data.decode("utf-8", "surrogateescape").splitlines(), 1):
            found = pattern.fullmatch(line) if "x" in flags else pattern.search(line)
            if bool(found) == ("v" in flags) or count == most:
                continue
            count += 1
            if "q" in flags or "c" in flags or "l" in flags:
                continue
            prefix = f"{path}:" if len(inputs) > 1 and "h" not in flags else ""
            prefix += f"{number}:" if "n" in flags else ""
            await process.say(prefix + (found[0] if found and "o" in flags else line))
        if "c" in flags:
            await process.say(str(count))
        if "l" in flags and count:
            await process.say(path)
        hits += count
    return 0 if hits else 1


def _as_basic(found: re.Match[str]) -> str:
    return found[1] if found[1] else "\\" + found[2]


async def _head(process: Process) -> int:
    args = [f"-n{word[1:]}" if re.fullmatch(r"-\d+", word) else word for word in process.args]
    _, values, paths = split_flags(args, "nc")
    for _, data in await process.inputs(paths):
        if "c" in values:
            await process.stdout.write(data[: _number(process, values["c"])])
            continue
        lines = data.splitlines(keepends=True)
        await process.stdout.write(b"".join(lines[: _number(process, values.get("n", "10"))]))
    return 0


async def _tail(process: Process) -> int:
    args = [f"-n{word[1:]}" if re.fullmatch(r"-\d+", word) else word for word in process.args]
    _, values, paths = split_flags(args, "nc")
    for _, data in await process.inputs(paths):
        if "c" in values:
            count = _number(process, values["c"])
            await process.stdout.write(data[max(0, len(data) - count) :])
            continue
        lines = data.splitlines(keepends=True)
        asked = values.get("n", "10")
        if asked.startswith("+"):
            await process.stdout.write(b"".join(lines[_number(process, asked[1:]) - 1 :]))
        else:
            start = max(0, len(lines) - _number(process, asked))
            await process.stdout.write(b"".join(lines[start:]))
    return 0


def _number(process: Process, text: str) -> int:
    if not text.isdecimal():
        raise HandlerFailed(f"{process.name}: not integer: {text}")
    return int(text)


async def _wc(process: Process) -> int:
    flags, _, paths = split_flags(process.args)
    for path, data in await process.inputs(paths):
        counts = {"l": data.count(b"\n"), "w": len(data.split()), "c": len(data)}
        counts["m"] = len(data.decode("utf-8", "replace"))
        numbers = " ".join(str(counts[flag]) for flag in (flags or "lwc") if flag in counts)
        await process.say(numbers if path == "-" else f"{numbers} {path}")
    return 0


async def _sort(process: Process) -> int:
    flags, _, paths = split_flags(process.args)
    lines: list[bytes] = []
    for _, data in await process.inputs(paths):
        lines += data.splitlines()
    if "n" in flags:
        lines.sort(key=lambda line: (_leading_number(line), line))
    else:
        lines.sort()
    if "r" in flags:
        lines.reverse()
    if "u" in flags:
        lines = list(dict.fromkeys(lines))
    await process.stdout.write(b"".join(line + b"\n" for line in lines))
    return 0


def _leading_number(line: bytes) -> float:
    found = re.match(rb"\s*(-?\d+(?:\.\d+)?)", line)
    return float(found[1]) if found else 0.0


async def _uniq(process: Process) -> int:
    last = None
    for _, data in await process.inputs(split_flags(process.args)[2]):
        for line in data.splitlines():
            if line != last:
                await process.stdout.write(line + b"\n")
            last = line
    return 0


async def _tr(process: Process) -> int:
    flags, _, rest = split_flags(process.args)
    sets = [_unescaped(word) for word in rest]
    text = (await process.read_all()).decode("utf-8", "surrogateescape")
    if "d" in flags and sets:
        text = text.translate({ord(char): None for char in sets[0]})
    elif len(sets) == 2 and sets[1]:
        text = text.translate(str.maketrans(sets[0], sets[1].ljust(len(sets[0]), sets[1][-1])))
    else:
        raise HandlerFailed("tr: Needs 2 arguments")
    await process.stdout.write(text.encode("utf-8", "surrogateescape"))
    return 0


async def _sum(process: Process) -> int:
    flags, _, paths = split_flags(process.args)
    name = {"md5": "md5", "md5sum": "md5", "sha1sum": "sha1"}.get(process.name, "sha256")
    for path, data in await process.inputs(paths):
        digest = hashlib.new(name, data, usedforsecurity=False).hexdigest()
        await process.say(digest if "b" in flags else f"{digest}  {path}")
    return 0


async def _base64(process: Process) -> int:
    flags, values, paths = split_flags(process.args, "w")
    for _, data in await process.inputs(paths):
        if "d" in flags:
            try:
                await process.stdout.write(base64.b64decode(data))
            except binascii.Error as error:
                raise HandlerFailed("base64: bad input") from error
            continue
        text = base64.b64encode(data)
        width = _number(process, values.get("w", "76")) or len(text) or 1
        for start in range(0, len(text), width):
            await process.stdout.write(text[start : start + width] + b"\n")
    return 0


async def _tee(process: Process) -> int:
    flags, _, paths = split_flags(process.args)
    data = await process.read_all()
    for path in paths:
        process.system.files.write(path, data, process.cwd, append="a" in flags)
    await process.stdout.write(data)
    return 0


COMMANDS: dict[str, Handler] = {
    "base64": _base64,
    "cat": _cat,
    "echo": _echo,
    "grep": _grep,
    "egrep": _grep,
    "fgrep": _grep,
    "head": _head,
    "md5": _sum,
    "md5sum": _sum,
    "printf": _printf,
    "sha1sum": _sum,
    "sha256sum": _sum,
    "sort": _sort,
    "tail": _tail,
    "tee": _tee,
    "tr": _tr,
    "uniq": _uniq,
    "wc": _wc,
}
