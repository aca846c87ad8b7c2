"""The phone's files: a folder of the computer as the phone's root, links and virtual files.

Every path of the phone goes through `FileSystem.host`, which never answers with a place outside
the root, neither by `..` nor by links of the phone nor by symbolic links of the computer.
"""

from __future__ import annotations

import errno
import os
import posixpath
import shutil
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

MAX_PATH = 4096
MAX_FILE = 1 << 30
MAX_LINKS = 40

FOLDERS = (
    "/data/app",
    "/data/data",
    "/data/local/tmp",
    "/dev/input",
    "/proc",
    "/storage/emulated/0/Android/data",
    "/storage/emulated/0/DCIM",
    "/storage/emulated/0/Documents",
    "/storage/emulated/0/Download",
    "/storage/emulated/0/Movies",
    "/storage/emulated/0/Music",
    "/storage/emulated/0/Pictures",
    "/storage/self",
    "/system/app",
    "/system/bin",
    "/system/etc",
    "/vendor",
)
LINKS = {
    "/sdcard": "/storage/self/primary",
    "/mnt/sdcard": "/storage/self/primary",
    "/storage/self/primary": "/storage/emulated/0",
    "/data/user/0": "/data/data",
    "/bin": "/system/bin",
    "/etc": "/system/etc",
}
READ_ONLY = ("/system", "/vendor", "/proc", "/dev")


@dataclass(frozen=True, slots=True)
class Entry:
    """What `stat` says about a path. Sizes in bytes, times in seconds since 1970."""

    name: str
    mode: int
    size: int
    mtime: int
    inode: int = 1
    links: int = 1

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder."""
        return stat.S_ISDIR(self.mode)


class FileSystem:
    """The files under `root`; missing standard folders are made.

    Args:
        root: a folder of the computer; it becomes the phone's `/`.
    """

    def __init__(self, root: Path) -> None:
        root.mkdir(parents=True, exist_ok=True)
        self.root = root.resolve()
        self._links = dict(LINKS)
        self._virtual: dict[str, Callable[[], bytes]] = {"/dev/null": lambda: b""}
        for folder in FOLDERS:
            (self.root / folder[1:]).mkdir(parents=True, exist_ok=True)

    # --- paths -----------------------------------------------------------------------------
    def device_path(self, path: str, cwd: str = "/") -> str:
        """`path` without dots and links, absolute, as the phone names it.

        Raises:
            OSError: the path is too long, has a NUL in it, or its links go round in a circle.
        """
        if "\0" in path:
            raise OSError(errno.EINVAL, "Invalid argument", path.replace("\0", "?"))
        if len(path.encode("utf-8", "surrogateescape")) > MAX_PATH:
            raise OSError(errno.ENAMETOOLONG, "File name too long", path[:60])
        waiting = posixpath.join(cwd, path).split("/")[::-1]
        resolved: list[str] = []
        followed = 0
        while waiting:
            part = waiting.pop()
            if part in ("", "."):
                continue
            if part == "..":
                if resolved:
                    resolved.pop()
                continue
            target = self._links.get("/" + "/".join([*resolved, part]))
            if target is None:
                resolved.append(part)
                continue
            followed += 1
            if followed > MAX_LINKS:
                raise OSError(errno.ELOOP, "Too many symbolic links encountered", path)
            if target.startswith("/"):
                resolved = []
            waiting.extend(target.split("/")[::-1])
        return "/" + "/".join(resolved)

    def host(self, path: str, cwd: str = "/") -> Path:
        """The place of `path` on the computer, always inside the root.

        Raises:
            OSError: the path is not a possible one, or a symbolic link of the computer on the
                way leads out of the root.
        """
        place = self.root / self.device_path(path, cwd)[1:]
        if not place.resolve().is_relative_to(self.root):
            raise OSError(errno.EACCES, "Permission denied", path)
        return place

    # --- reading ---------------------------------------------------------------------------
    def stat(self, path: str, cwd: str = "/") -> Entry:
        """What is at `path`.

        Raises:
            OSError: there is nothing, or it may not be seen.
        """
        device = self.device_path(path, cwd)
        virtual = self._virtual.get(device)
        name = posixpath.basename(device) or "/"
        if virtual is not None:
            kind = stat.S_IFCHR | 0o666 if device.startswith("/dev/") else stat.S_IFREG | 0o444
            return Entry(name, kind, 0, 0)
        found = self.host(device).stat()
        mode = stat.S_IFMT(found.st_mode) | (0o771 if stat.S_ISDIR(found.st_mode) else 0o660)
        return Entry(name, mode, found.st_size, int(found.st_mtime), found.st_ino, found.st_nlink)

    def list(self, path: str, cwd: str = "/") -> list[Entry]:
        """The entries of a folder, sorted by name.

        Raises:
            OSError: it is not there or not a folder.
        """
        device = self.device_path(path, cwd)
        names = {child.name for child in self.host(device).iterdir()}
        for other in self._virtual:
            if posixpath.dirname(other) == device:
                names.add(posixpath.basename(other))
        for link in self._links:
            if posixpath.dirname(link) == device:
                names.add(posixpath.basename(link))
        entries = []
        for name in sorted(names):
            try:
                entry = self.stat(posixpath.join(device, name))
            except OSError:  # a link to nothing is listed, as `ls` does
                entry = Entry(name, stat.S_IFLNK | 0o777, 0, 0)
            entries.append(Entry(name, entry.mode, entry.size, entry.mtime, entry.inode))
        return entries

    def link_target(self, path: str) -> str | None:
        """Returns the target of the link at `path`; None if it is not a link."""
        parent, name = posixpath.split(posixpath.normpath(path))
        return self._links.get(posixpath.join(self.device_path(parent or "/"), name))

    def read(self, path: str, cwd: str = "/") -> bytes:
        """The whole content of a file.

        Raises:
            OSError: it is not there or cannot be read.
        """
        device = self.device_path(path, cwd)
        virtual = self._virtual.get(device)
        if virtual is not None:
            return virtual()
        return self.host(device).read_bytes()

    def chunks(self, path: str, cwd: str = "/", size: int = 1024 * 1024) -> Iterator[bytes]:
        """The content of a file, piece by piece; it is opened before this returns.

        Raises:
            OSError: it is not there, is a folder, or cannot be read.
        """
        device = self.device_path(path, cwd)
        virtual = self._virtual.get(device)
        if virtual is not None:
            return iter([virtual()])
        file = self.host(device).open("rb")

        def pieces() -> Iterator[bytes]:
            with file:
                while piece := file.read(size):
                    yield piece

        return pieces()

    def virtual(self, path: str, content: Callable[[], bytes]) -> None:
        """Makes `path` a file whose content is asked for at each reading."""
        self._virtual[path] = content

    # --- writing ---------------------------------------------------------------------------
    def writable(self, path: str, cwd: str = "/") -> Path:
        """The place of `path` on the computer, for a writer that is not the system.

        Raises:
            OSError: the path is part of the read-only system, or not a possible one.
        """
        device = self.device_path(path, cwd)
        if any(device == top or device.startswith(top + "/") for top in READ_ONLY):
            raise OSError(errno.EROFS, "Read-only file system", path)
        return self.host(device)

    def write(self, path: str, data: bytes, cwd: str = "/", append: bool = False) -> None:
        """Writes a file, whole or at its end. `/dev/null` takes anything.

        Raises:
            OSError: it may not be written, or grows beyond what a file may hold.
        """
        if self.device_path(path, cwd) == "/dev/null":
            return
        place = self.writable(path, cwd)
        before = place.stat().st_size if append and place.exists() else 0
        if before + len(data) > MAX_FILE:
            raise OSError(errno.ENOSPC, "No space left on device", path)
        with place.open("ab" if append else "wb") as file:
            file.write(data)

    def add_link(self, path: str, target: str) -> None:
        """Makes `path` a link of the phone to `target`.

        Raises:
            OSError: the path may not be written.
        """
        parent, name = posixpath.split(posixpath.normpath(path))
        place = posixpath.join(self.device_path(parent or "/"), name)
        self.writable(place)
        self._links[place] = target

    def remove(self, path: str, cwd: str = "/", recursive: bool = False) -> None:
        """Removes a file, a link or, when asked, a folder with all in it.

        Raises:
            OSError: it is not there, may not be written, or is a folder.
        """
        full = posixpath.normpath(posixpath.join(cwd, path))
        parent, name = posixpath.split(full)
        link = posixpath.join(self.device_path(parent or "/"), name)
        if link in self._links:
            if link in LINKS:
                raise OSError(errno.EROFS, "Read-only file system", path)
            del self._links[link]
            return
        place = self.writable(path, cwd)
        if not place.exists():
            raise OSError(errno.ENOENT, "No such file or directory", path)
        if not place.is_dir():
            place.unlink()
        elif not recursive:
            raise OSError(errno.EISDIR, "Is a directory", path)
        elif place == self.root:
            raise OSError(errno.EBUSY, "Device or resource busy", path)
        else:
            shutil.rmtree(place)


def reason(error: OSError) -> str:
    """What a phone's tools say about `error`, e.g. "No such file or directory"."""
    return os.strerror(error.errno) if error.errno else str(error)
