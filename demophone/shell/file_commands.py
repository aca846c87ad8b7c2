"""Commands about files: ls, stat, cp, mv, rm, mkdir, touch, ln, chmod, restorecon, df, pwd."""

from __future__ import annotations

import errno
import os
import posixpath
import stat as modes
from datetime import UTC, datetime

from demophone.filesystem import Entry, reason
from demophone.shell.process import Handler, HandlerFailed, Process


def split_flags(args: list[str], with_value: str = "") -> tuple[str, dict[str, str], list[str]]:
    """Single-letter flags, flags with a value, and the rest of a command's arguments."""
    flags, values, rest = "", {}, []
    waiting = list(args)
    while waiting:
        word = waiting.pop(0)
        if word == "--":
            rest += waiting
            break
        if not word.startswith("-") or word == "-" or word.startswith("--"):
            rest.append(word)
            continue
        for index, letter in enumerate(word[1:], 2):
            if letter in with_value:
                values[letter] = word[index:] or (waiting.pop(0) if waiting else "")
                break
            flags += letter
    return flags, values, rest


def _failed(process: Process, path: str, error: OSError) -> HandlerFailed:
    return HandlerFailed(f"{process.name}: {path}: {reason(error)}")


LS_FLAGS = "1AaCdFfhilnoRrSstu"  # sorting and columns change nothing on this phone


async def _ls(process: Process) -> int:
    flags, _, paths = split_flags(process.args)
    unknown = next((letter for letter in flags if letter not in LS_FLAGS), None)
    if unknown is not None:
        raise HandlerFailed(f"ls: Unknown option '{unknown}' (see \"ls --help\")")
    files = process.system.files
    status = 0
    recursive = "R" in flags and "d" not in flags
    folders: list[tuple[str, list[Entry]]] = []
    singles: list[Entry] = []
    for path in paths or ["."]:
        try:
            entry = files.stat(path, process.cwd)
            if entry.is_folder and "d" not in flags:
                folders.append((path, files.list(path, process.cwd)))
            else:
                singles.append(Entry(path, entry.mode, entry.size, entry.mtime, entry.inode))
        except OSError as error:
            await process.complain(f"ls: {path}: {reason(error)}")
            status = 1
    for entry in singles:
        await process.say(_line(entry, flags))
    titled, is_first = recursive or len(paths) > 1, not singles
    while folders:
        path, entries = folders.pop(0)
        if titled:
            await process.say(("" if is_first else "\n") + f"{path}:")
        is_first = False
        shown = [entry for entry in entries if "a" in flags or not entry.name.startswith(".")]
        if "a" in flags:
            here = files.stat(path, process.cwd)
            shown = [Entry(name, here.mode, 4096, here.mtime) for name in (".", "..")] + shown
        if "l" in flags:
            await process.say(f"total {sum(-(-entry.size // 1024) for entry in shown)}")
        for entry in shown:
            await process.say(_line(entry, flags))
        if recursive:
            inner = [f"{path.rstrip('/')}/{one.name}" for one in entries if one in shown]
            inner = [one for one in inner if files.stat(one, process.cwd).is_folder]
            folders[:0] = [(one, files.list(one, process.cwd)) for one in inner]
    return status


def _line(entry: Entry, flags: str) -> str:
    if "l" not in flags:
        return entry.name
    moment = datetime.fromtimestamp(entry.mtime, UTC)
    full = flags.count("l") > 1
    when = moment.strftime("%Y-%m-%d %H:%M:%S.000000000 +0000" if full else "%Y-%m-%d %H:%M")
    permissions = modes.filemode(entry.mode)
    return f"{permissions} {entry.links} shell shell {entry.size:>8} {when} {entry.name}"


async def _stat(process: Process) -> int:
    _, values, paths = split_flags(process.args, "c")
    if not paths:
        raise HandlerFailed("stat: Needs 1 argument")
    status = 0
    for path in paths:
        try:
            entry = process.system.files.stat(path, process.cwd)
        except OSError as error:
            await process.complain(f"stat: '{path}': {reason(error)}")
            status = 1
            continue
        if "c" not in values:
            await process.say(f"  File: {path}\n  Size: {entry.size}\t Blocks: {entry.size // 512}")
            continue
        answers = {
            "s": str(entry.size),
            "n": path,
            "a": f"{entry.mode & 0o7777:o}",
            "A": modes.filemode(entry.mode),
            "f": f"{entry.mode:x}",
            "F": "directory" if entry.is_folder else "regular file",
            "i": str(entry.inode),
            "Y": str(entry.mtime),
            "U": "shell",
            "G": "shell",
            "u": "2000",
            "g": "2000",
            "h": str(entry.links),
            "%": "%",
        }
        text, pattern = "", values["c"]
        while pattern:
            before, mark, after = pattern.partition("%")
            text += before + (answers.get(after[:1], "?") if mark else "")
            pattern = after[1:]
        await process.say(text)
    return status


async def _rm(process: Process) -> int:
    flags, _, paths = split_flags(process.args)
    status = 0
    for path in paths:
        try:
            process.system.files.remove(path, process.cwd, "r" in flags or "R" in flags)
        except OSError as error:
            if error.errno == errno.ENOENT and "f" in flags:
                continue
            await process.complain(f"rm: {path}: {reason(error)}")
            status = 1
    return status


async def _mkdir(process: Process) -> int:
    flags, _, paths = split_flags(process.args, "m")
    for path in paths:
        try:
            place = process.system.files.writable(path, process.cwd)
            place.mkdir(parents="p" in flags, exist_ok="p" in flags)
        except OSError as error:
            raise HandlerFailed(f"mkdir: '{path}': {reason(error)}") from error
    return 0


async def _rmdir(process: Process) -> int:
    for path in split_flags(process.args)[2]:
        try:
            process.system.files.writable(path, process.cwd).rmdir()
        except OSError as error:
            raise _failed(process, path, error) from error
    return 0


async def _touch(process: Process) -> int:
    for path in split_flags(process.args, "dtr")[2]:
        try:
            process.system.files.write(path, b"", process.cwd, append=True)
            os.utime(process.system.files.writable(path, process.cwd))
        except OSError as error:
            raise HandlerFailed(f"touch: '{path}': {reason(error)}") from error
    return 0


async def _cp(process: Process) -> int:
    flags, _, paths = split_flags(process.args)
    await _transfer(process, paths, "r" in flags or "R" in flags or "a" in flags, move=False)
    return 0


async def _mv(process: Process) -> int:
    await _transfer(process, split_flags(process.args)[2], recursive=True, move=True)
    return 0


async def _transfer(process: Process, paths: list[str], recursive: bool, move: bool) -> None:
    if len(paths) < 2:
        raise HandlerFailed(f"{process.name}: Needs 2 arguments")
    files, cwd = process.system.files, process.cwd
    *sources, target = paths
    for source in sources:
        try:
            entry = files.stat(source, cwd)
            goal = target
            if files.host(target, cwd).is_dir() and not source.endswith("/."):
                goal = posixpath.join(target, posixpath.basename(source.rstrip("/")))
            if entry.is_folder and not recursive:
                raise HandlerFailed(f"cp: Skipped dir '{source}'")
            start, end = files.device_path(source, cwd), files.device_path(goal, cwd)
            if end == start or end.startswith(start + "/"):
                raise HandlerFailed(f"{process.name}: {source}: {goal} is inside it")
            if move:
                files.writable(source, cwd).rename(files.writable(goal, cwd))
            else:
                _copy(process, start, end)
        except OSError as error:
            raise _failed(process, source, error) from error


def _copy(process: Process, source: str, target: str) -> None:
    files = process.system.files
    if not files.stat(source).is_folder:
        files.write(target, files.read(source))
        return
    files.writable(target).mkdir(exist_ok=True)
    for entry in files.list(source):
        _copy(process, posixpath.join(source, entry.name), posixpath.join(target, entry.name))


async def _ln(process: Process) -> int:
    flags, _, paths = split_flags(process.args)
    if "s" not in flags or len(paths) != 2:
        raise HandlerFailed("ln: only 'ln -s TARGET LINK' works here")
    try:
        process.system.files.add_link(posixpath.join(process.cwd, paths[1]), paths[0])
    except OSError as error:
        raise _failed(process, paths[1], error) from error
    return 0


async def _chmod(process: Process) -> int:
    for path in split_flags(process.args)[2][1:]:
        try:
            process.system.files.stat(path, process.cwd)
        except OSError as error:
            raise _failed(process, path, error) from error
    return 0


async def _restorecon(process: Process) -> int:
    for path in split_flags(process.args)[2]:
        try:
            process.system.files.stat(path, process.cwd)
        except OSError as error:
            raise _failed(process, path, error) from error
    return 0


async def _df(process: Process) -> int:
    human = "h" in split_flags(process.args)[0]
    total, used = 118_000_000, 23_400_000  # KiB
    rows = [
        ("/dev/block/dm-5", 4_100_000, 4_080_000, "/"),
        ("tmpfs", 3_900_000, 1_400, "/dev"),
        ("/dev/block/dm-42", total, used, "/data"),
        ("/dev/fuse", total, used, "/storage/emulated"),
    ]

    def amount(kib: int) -> str:
        if not human:
            return str(kib)
        return f"{kib / 1048576:.1f}G" if kib >= 1048576 else f"{kib / 1024:.1f}M"

    unit = "     Size" if human else "1K-blocks"
    await process.say(f"Filesystem       {unit}     Used Available Use% Mounted on")
    for name, size, taken, place in rows:
        share = f"{taken * 100 // size}%"
        numbers = f"{amount(size):>9} {amount(taken):>8} {amount(size - taken):>9} {share:>4}"
        await process.say(f"{name:<16} {numbers} {place}")
    return 0


async def _pwd(process: Process) -> int:
    await process.say(process.cwd)
    return 0


async def _readlink(process: Process) -> int:
    flags, _, paths = split_flags(process.args)
    for path in paths:
        if "f" in flags or "e" in flags:
            await process.say(process.system.files.device_path(path, process.cwd))
            continue
        target = process.system.files.link_target(posixpath.join(process.cwd, path))
        if target is None:
            return 1
        await process.say(target)
    return 0


async def _realpath(process: Process) -> int:
    for path in process.args:
        await process.say(process.system.files.device_path(path, process.cwd))
    return 0


COMMANDS: dict[str, Handler] = {
    "chmod": _chmod,
    "cp": _cp,
    "df": _df,
    "ln": _ln,
    "ls": _ls,
    "mkdir": _mkdir,
    "mv": _mv,
    "pwd": _pwd,
    "readlink": _readlink,
    "realpath": _realpath,
    "restorecon": _restorecon,
    "rm": _rm,
    "rmdir": _rmdir,
    "stat": _stat,
    "touch": _touch,
}
