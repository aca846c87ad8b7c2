"""adb's file service: push, pull, ls, in both of its versions.

Source: packages/modules/adb/SYNC.TXT and file_sync_protocol.h of AOSP.
"""

from __future__ import annotations

import errno
import os
import stat
import struct
from collections.abc import Awaitable, Callable

from demophone.filesystem import MAX_FILE, Entry, FileSystem, reason
from demophone.streams import Pipe

MAX_SYNC_PATH = 1024
MAX_DATA = 64 * 1024
BURST = 16 * MAX_DATA
DRY_RUN = 0x80000000

WORD = struct.Struct("<I")
STAT_1 = struct.Struct("<III")
STAT_2 = struct.Struct("<IQQIIIIQqqq")


class SyncFailure(Exception):
    """A failed request that ends the service; its text is sent to the computer."""


def _stat_1(entry: Entry | None) -> bytes:
    if entry is None:
        return STAT_1.pack(0, 0, 0)
    return STAT_1.pack(entry.mode, min(entry.size, 0xFFFFFFFF), entry.mtime & 0xFFFFFFFF)


def _stat_2(entry: Entry | None, error: int = 0) -> bytes:
    if entry is None:
        return STAT_2.pack(error, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    times = (entry.mtime, entry.mtime, entry.mtime)
    mode, size = entry.mode, entry.size
    return STAT_2.pack(0, 0xFE00, entry.inode, mode, entry.links, 2000, 2000, size, *times)


class SyncService:
    """One `sync:` stream."""

    def __init__(self, files: FileSystem, pipe: Pipe) -> None:
        self._files = files
        self._pipe = pipe

    async def run(self) -> None:
        """Answers requests until QUIT or the end of the stream."""
        handlers: dict[bytes, Callable[[str], Awaitable[None]]] = {
            b"STAT": self._stat,
            b"STA2": lambda path: self._stat2(b"STA2", path),
            b"LST2": lambda path: self._stat2(b"LST2", path),
            b"LIST": lambda path: self._list(path, b"DENT"),
            b"LIS2": lambda path: self._list(path, b"DNT2"),
            b"SEND": self._send,
            b"SND2": self._send2,
            b"RECV": self._receive,
            b"RCV2": self._receive2,
        }
        while True:
            name, length = await self._header()
            if name == b"QUIT":
                return
            handler = handlers.get(name)
            if handler is None:
                await self._fail(f"unknown command {name!r}")
                return
            if length > MAX_SYNC_PATH:
                await self._fail("path too long")
                return
            path = (await self._pipe.read_exactly(length)).decode("utf-8", "surrogateescape")
            try:
                await handler(path)
            except SyncFailure as failure:
                await self._fail(str(failure))
                return

    async def _header(self) -> tuple[bytes, int]:
        header = await self._pipe.read_exactly(8)
        return header[:4], WORD.unpack(header[4:])[0]

    async def _fail(self, message: str) -> None:
        text = message.encode("utf-8", "replace")[:MAX_DATA]
        await self._pipe.write(b"FAIL" + WORD.pack(len(text)) + text)

    # --- looking -----------------------------------------------------------------------------
    async def _stat(self, path: str) -> None:
        try:
            entry = self._files.stat(path)
        except OSError:
            entry = None
        await self._pipe.write(b"STAT" + _stat_1(entry))

    async def _stat2(self, name: bytes, path: str) -> None:
        try:
            answer = _stat_2(self._files.stat(path))
        except OSError as error:
            answer = _stat_2(None, error.errno or errno.EIO)
        await self._pipe.write(name + answer)

    async def _list(self, path: str, name: bytes) -> None:
        try:
            entries = self._files.list(path)
        except OSError:
            entries = []  # adbd lists nothing where there is nothing to list
        answer = bytearray()
        for entry in entries:
            text = entry.name.encode("utf-8", "surrogateescape")
            answer += name + (_stat_1(entry) if name == b"DENT" else _stat_2(entry))
            answer += WORD.pack(len(text)) + text
        answer += b"DONE" + bytes((STAT_1 if name == b"DENT" else STAT_2).size + WORD.size)
        await self._pipe.write(bytes(answer))

    # --- to the phone --------------------------------------------------------------------------
    async def _send(self, request: str) -> None:
        path, comma, mode = request.rpartition(",")
        if not comma or not mode.isdecimal():
            raise SyncFailure("missing , in ID_SEND")
        await self._store(path, int(mode))

    async def _send2(self, path: str) -> None:
        name, mode = await self._header()
        flags = WORD.unpack(await self._pipe.read_exactly(4))[0]
        if name != b"SND2":
            raise SyncFailure("malformed request")
        if flags & ~DRY_RUN:
            raise SyncFailure(f"unsupported flags: {flags}")
        await self._store(path, mode, dry=bool(flags & DRY_RUN))

    async def _store(self, path: str, mode: int, dry: bool = False) -> None:
        if stat.S_ISLNK(mode):
            await self._store_link(path, dry)
            return
        problem = ""
        size = 0
        file = None
        place = None
        try:
            try:
                if not dry:
                    place = self._files.writable(path)
                    place.parent.mkdir(parents=True, exist_ok=True)
                    file = place.open("wb")
            except OSError as error:
                problem = f"couldn't create file: {reason(error)}"
            while True:
                name, length = await self._header()
                if name == b"DONE":
                    break
                if name != b"DATA" or length > MAX_DATA:
                    raise SyncFailure("invalid data message")
                data = await self._pipe.read_exactly(length)
                size += length
                if size > MAX_FILE:
                    problem = problem or "write failed: No space left on device"
                elif file is not None:
                    file.write(data)
        finally:
            if file is not None:
                file.close()
        if problem:
            raise SyncFailure(problem)
        if place is not None:
            place.chmod(mode & 0o777 | 0o600)
            os.utime(place, (length, length))
        await self._pipe.write(b"OKAY" + WORD.pack(0))

    async def _store_link(self, path: str, dry: bool) -> None:
        target = b""
        while True:
            name, length = await self._header()
            if name == b"DONE":
                break
            if name != b"DATA" or len(target) + length > MAX_SYNC_PATH:
                raise SyncFailure("invalid data message")
            target += await self._pipe.read_exactly(length)
        try:
            if not dry:
                self._files.add_link(path, target.rstrip(b"\0").decode("utf-8", "replace"))
        except OSError as error:
            raise SyncFailure(f"couldn't create symlink: {reason(error)}") from error
        await self._pipe.write(b"OKAY" + WORD.pack(0))

    # --- from the phone ------------------------------------------------------------------------
    async def _receive2(self, path: str) -> None:
        name, flags = await self._header()
        if name != b"RCV2" or flags:
            raise SyncFailure(f"unsupported flags: {flags}")
        await self._receive(path)

    async def _receive(self, path: str) -> None:
        try:
            if self._files.stat(path).is_folder:
                raise OSError(errno.EISDIR, "Is a directory")
            pieces = self._files.chunks(path, size=BURST)
        except OSError as error:
            raise SyncFailure(f"open failed: {reason(error)}") from error
        for piece in pieces:
            burst = bytearray()
            for offset in range(0, len(piece), MAX_DATA):
                part = piece[offset : offset + MAX_DATA]
                burst += b"DATA" + WORD.pack(len(part)) + part
            await self._pipe.write(bytes(burst))
        await self._pipe.write(b"DONE" + WORD.pack(0))
