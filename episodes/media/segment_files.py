"""Video packets in a file, as they were received, and their index beside it.

`segment-000.h264` holds the codec configuration and then the packets' bytes, nothing else: any
player opens it. It cannot say when a packet was shown, so `segment-000.index` holds a record for
each, appended right after the packet's bytes. After a crash the library takes from it the packets
it has not heard of. The index begins with the 8 bytes "TTINDEX1"; a record is 44 bytes,
little-endian: number u32, flags u32 (1: key frame), pts_us i64, received_ns i64, offset u64,
length u32, crc32 of the packet u32, crc32 of the 40 bytes before it u32.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

from episodes.errors import KnownError
from episodes.operating_system import make_folder, open_to_write, sync_file, sync_folder
from episodes.recordings import Packet

INDEX_START = b"TTINDEX1"
_RECORD = struct.Struct("<IIqqQII")
_CRC = struct.Struct("<I")
_RECORD_SIZE = _RECORD.size + _CRC.size
_KEY = 1
MAX_PACKET = 64 * 1024 * 1024


class SegmentWriter:
    """Appends packets to a new file. Unbuffered, no SQL; belongs to one thread."""

    def __init__(self, path: Path, config: bytes) -> None:
        """Makes the file and its folder, and writes the codec configuration.

        Raises:
            KnownError: the file is there already, or cannot be written.
        """
        self.path = path
        self.count = 0
        self._file: _Appended | None = None
        self._index: _Appended | None = None
        make_folder(path.parent)
        try:
            self._file = _Appended(path)
            self._index = _Appended(index_path(path))
            self._file.append(config)
            self._index.append(INDEX_START)
            sync_folder(path.parent)
        except BaseException:
            self.close()
            raise

    def append(
        self, data: bytes, pts_us: int | None = None, key: bool = False, received_ns: int = 0
    ) -> tuple[int, int]:
        """Appends one packet and returns (offset, length) of its bytes.

        Without `pts_us` it is not written into the index, and a crash before its row is
        committed forgets it. `write` does both and returns the packet.

        Raises:
            KnownError: the disk is full; nothing of the packet is left.
        """
        if self._file is None or self._index is None:
            raise ValueError(f"{self.path} is closed")
        offset = self._file.append(data)
        if pts_us is not None:
            flags = _KEY if key else 0
            crc = zlib.crc32(data)
            record = _RECORD.pack(self.count, flags, pts_us, received_ns, offset, len(data), crc)
            self._index.append(record + _CRC.pack(zlib.crc32(record)))
        self.count += 1
        return offset, len(data)

    def write(self, data: bytes, pts_us: int, key: bool, received_ns: int) -> Packet:
        """Appends one packet with its index record.

        Raises:
            KnownError: the disk is full; nothing of the packet is left.
        """
        number = self.count
        offset, length = self.append(data, pts_us, key, received_ns)
        return Packet(number, pts_us, key, offset, length, received_ns)

    def sync(self) -> None:
        """Waits until all packets so far outlive a loss of power."""
        for file in (self._file, self._index):
            if file is not None:
                file.sync()

    def close(self) -> None:
        """Syncs and closes; a second call does nothing."""
        for file in (self._file, self._index):
            if file is not None:
                file.close()
        self._file = self._index = None

    def __enter__(self) -> SegmentWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def index_path(path: Path) -> Path:
    """Returns the place of the index of a segment's file."""
    return path.with_suffix(".index")


def sync_segment(path: Path) -> None:
    """Waits until the packets of a segment's file, and their index, are on the disk.

    Any thread may call it while another one appends. A missing file is skipped.
    """
    for one in (path, index_path(path)):
        try:
            sync_file(one)
        except FileNotFoundError:
            continue


def read_index(path: Path) -> Iterator[Packet]:
    """Yields the packets of a segment's file that are whole, as its index tells, in order.

    It ends at the first record, or packet, that is not whole; a missing file has none.
    """
    if not path.is_file() or not index_path(path).is_file():
        return
    with index_path(path).open("rb") as index, path.open("rb") as video:
        if index.read(len(INDEX_START)) != INDEX_START:
            return
        while len(record := index.read(_RECORD_SIZE)) == _RECORD_SIZE:
            body = record[: _RECORD.size]
            if _CRC.unpack(record[_RECORD.size :])[0] != zlib.crc32(body):
                return
            number, flags, pts_us, received_ns, offset, length, crc = _RECORD.unpack(body)
            if length > MAX_PACKET:
                return
            video.seek(offset)
            if zlib.crc32(video.read(length)) != crc:
                return
            yield Packet(number, pts_us, bool(flags & _KEY), offset, length, received_ns)


class _Appended:
    """A new file that grows by whole pieces, or not at all."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._size = 0
        try:
            self._descriptor = open_to_write(path, new=True)
        except OSError as error:
            raise self._refused(error) from error

    def append(self, data: bytes) -> int:
        """Writes the bytes and returns where they begin."""
        start = self._size
        left = memoryview(data)
        try:
            while left:
                left = left[os.write(self._descriptor, left) :]
        except OSError as error:
            os.ftruncate(self._descriptor, start)
            os.lseek(self._descriptor, start, os.SEEK_SET)
            raise self._refused(error) from error
        self._size += len(data)
        return start

    def sync(self) -> None:
        os.fsync(self._descriptor)

    def close(self) -> None:
        os.fsync(self._descriptor)
        os.close(self._descriptor)

    def _refused(self, error: OSError) -> KnownError:
        return KnownError(
            f"write the video {self._path}",
            f"the system said: {error.strerror}",
            "See that the folder is there and the disk has room, and record again.",
        )
