"""Everything that differs between operating systems: locks, files on the disk, processes, signals.

No other module imports what only some systems have, such as `fcntl`, `msvcrt` or `resource`.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

_CLOSE_ON_EXEC = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_FOLDER = getattr(os, "O_DIRECTORY", 0)
_NO_FOLDER_LOCKS = (errno.EBADF, errno.EINVAL, errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
_NICENESS = 10
_HOLDER_BYTES = 20


# Locks


class FileLock:
    """A lock on a file. One process holds it; the system releases it when that process ends."""

    def __init__(self, path: Path) -> None:
        """Opens the file, and makes it if it is missing. Does not lock it yet."""
        self._path = path
        self._descriptor = open_to_write(path)
        self._soft: Any = None

    def acquire(self) -> bool:
        """Locks the file without waiting. Returns False if somebody else holds or removed it."""
        import filelock

        try:
            locked = filelock.lock_descriptor(self._descriptor, blocking=False)
            return locked and os.path.samestat(os.fstat(self._descriptor), self._path.stat())
        except FileNotFoundError:
            return False
        except OSError as error:
            if error.errno != errno.ENOSYS:
                raise
        # This Python cannot lock files: a second file beside it names the process that holds it.
        self._soft = self._soft or filelock.SoftFileLock(f"{self._path}-held")
        try:
            self._soft.acquire(timeout=0)
        except filelock.Timeout:
            return False
        return True

    def write_holder(self) -> None:
        """Writes the number of this process into the file."""
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        os.ftruncate(self._descriptor, 0)
        os.write(self._descriptor, f" {os.getpid()}\n".encode("ascii"))

    def holder(self) -> str:
        """Returns the number of the process that wrote it last, "" if the file is empty."""
        for start in (0, 1):  # Windows keeps the first byte, a blank, from everybody but the holder
            with contextlib.suppress(PermissionError):
                os.lseek(self._descriptor, start, os.SEEK_SET)
                return os.read(self._descriptor, _HOLDER_BYTES).decode("ascii", "replace").strip()
        return ""

    def remove(self) -> None:
        """Deletes the file, which this process has locked, and releases the lock."""
        with contextlib.suppress(PermissionError):  # Windows deletes no open file
            self._path.unlink(missing_ok=True)
        self.release()

    def release(self) -> None:
        """Releases the lock and closes the file. A second call does nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
        if self._soft is not None:
            self._soft.release()


class FolderLock:
    """A lock on a folder itself. Where folders cannot be locked, `acquire` always succeeds.

    Windows opens no folders, and NFS does not lock them.
    """

    def __init__(self, folder: Path) -> None:
        self._descriptor = (
            os.open(folder, os.O_RDONLY | _FOLDER | _CLOSE_ON_EXEC) if _FOLDER else -1
        )

    def acquire(self) -> bool:
        """Locks the folder without waiting. Returns False if somebody else holds the lock."""
        if self._descriptor < 0:
            return True
        import filelock

        try:
            return filelock.lock_descriptor(self._descriptor, blocking=False)
        except OSError as error:
            if error.errno in _NO_FOLDER_LOCKS:
                return True
            raise

    def release(self) -> None:
        """Releases the lock. A second call does nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


# Files on the disk


def open_to_write(path: Path, *, new: bool = False) -> int:
    """Opens a file for reading and writing, makes it if it is missing, and returns its descriptor.

    Args:
        path: of the file.
        new: raise FileExistsError if the file exists.
    """
    flags = os.O_RDWR | os.O_CREAT | (os.O_EXCL if new else 0)
    return os.open(path, flags | _CLOSE_ON_EXEC, 0o644)


def sync_file(path: Path) -> None:
    """Waits until the content of a file is on the disk."""
    reading = os.O_RDWR if sys.platform == "win32" else os.O_RDONLY  # Windows syncs what it writes
    descriptor = os.open(path, reading | _CLOSE_ON_EXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Waits until the names in a folder are on the disk. Windows cannot, and does nothing."""
    if not _FOLDER:
        return
    descriptor = os.open(folder, os.O_RDONLY | _CLOSE_ON_EXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folder(folder: Path) -> None:
    """Makes a folder and those above it, and waits until their names are on the disk."""
    missing = [folder]
    while not missing[-1].parent.exists():
        missing.append(missing[-1].parent)
    if folder.exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    for made in missing:
        sync_folder(made.parent)


def open_memory_file() -> int:
    """Returns the descriptor of an empty file without a name, in memory if the system has that."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("taptrail")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


# Processes


def separate_group() -> dict[str, Any]:
    """Returns arguments for `subprocess.Popen`: Ctrl-C reaches us and not the new process."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def kill_group(process: subprocess.Popen[Any]) -> None:
    """Ends a process that was started with `separate_group`, and on Unix what it started."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError):  # it may have ended
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def lower_priority() -> None:
    """Lets this process use the processor when no other wants it, and die first without memory."""
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("800")


def limit_memory(limit: int) -> None:
    """Limits the memory of this process to so many bytes, where the system can."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def free_memory_mb() -> float | None:
    """Returns how much memory a program can use before the system swaps. None if unknown."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return None
    found = dict(line.split(":", 1) for line in lines if ":" in line)
    value = found.get("MemAvailable", "").split()
    return int(value[0]) / 1000 if value else None


# Signals


def hangup() -> list[signal.Signals]:
    """Returns the signal of a closed terminal; an empty list if it is ignored or does not exist."""
    number = getattr(signal, "SIGHUP", None)
    if number is None or signal.getsignal(number) is signal.SIG_IGN:  # as under nohup
        return []
    return [number]
