"""TFRecord files: records one after the other, each with two check sums.

A record is its length (8 bytes, little endian), the masked CRC-32C of these, its bytes, and the
masked CRC-32C of the bytes. A file is plain or GZIP as a whole; its first bytes decide. It is read
as a stream: one record is in memory at a time.

Source: tensorflow.org, "TFRecord and tf.train.Example", section "TFRecords format details".
"""

from __future__ import annotations

import gzip
import struct
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import google_crc32c

from episodes.errors import KnownError
from episodes.formats.input_files import Refused

try:
    from isal import igzip, isal_zlib
except ImportError:
    GZIP: Any = gzip.GzipFile
    LEVEL = 6
    DAMAGED: Any = (OSError, zlib.error)
else:
    GZIP = igzip.IGzipFile  # inflates more than twice as fast
    LEVEL = 2
    DAMAGED = (OSError, zlib.error, isal_zlib.error)

MAX_RECORD_BYTES = 256 * 1024 * 1024
GZIP_MAGIC = b"\x1f\x8b\x08"

_HEADER = struct.Struct("<QI")
_CHECK = struct.Struct("<I")
_SKIP = 1 << 20


def masked_crc(data: bytes) -> int:
    """Returns the masked CRC-32C of bytes, as stored in the file."""
    crc: int = google_crc32c.value(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


class RecordReader:
    """The records of one file, from its beginning."""

    def __init__(self, path: Path, doing: str) -> None:
        """Opens the file.

        Raises:
            KnownError: it cannot be opened, or is not a regular file.
        """
        self._path = path
        if not path.is_file():  # a pipe or a device may never end
            raise KnownError(doing, f"{path.name} is no file", "Check the path.")
        try:
            self._file: IO[bytes] = path.open("rb")
        except OSError as error:
            raise KnownError(
                doing, f"{path.name}: {error.strerror or error}", "Check that it may be read."
            ) from error

    @property
    def position(self) -> int:
        """How many bytes of the file have been read so far."""
        return self._file.tell()

    def __enter__(self) -> RecordReader:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def __iter__(self) -> Iterator[tuple[int, bytes | Refused]]:
        """Yields (record number from 0, its bytes or why there are none).

        After damage that leaves no telling where the next record begins, nothing follows.
        """
        number = 0
        try:
            stream = self._stream()
            while header := stream.read(_HEADER.size):
                if len(header) < _HEADER.size:
                    yield number, self._refused(number, "the file ends within its header")
                    return
                length, check = _HEADER.unpack(header)
                if masked_crc(header[:8]) != check:
                    reason = "the CRC of its length is wrong, so nobody can tell where it ends"
                    if number == 0:
                        reason = "the file is neither a TFRecord nor GZIP of one"
                    yield number, self._refused(number, reason)
                    return
                data, ended = self._record(stream, number, length)
                yield number, data
                if ended:
                    return
                number += 1
        except EOFError:
            yield number, self._refused(number, "the GZIP stream ends before its end")
        except DAMAGED as error:
            told = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            yield number, self._refused(number, f"the file cannot be read on: {told[:120]}")

    def _record(self, stream: IO[bytes], number: int, length: int) -> tuple[bytes | Refused, bool]:
        """Returns a record's bytes or what is wrong, and whether the file ends there."""
        if length > MAX_RECORD_BYTES:
            left = length + _CHECK.size
            while left and (skipped := len(stream.read(min(left, _SKIP)))):
                left -= skipped
            reason = f"it has {length} bytes; at most {MAX_RECORD_BYTES} are read"
            return self._refused(number, reason), left > 0
        data = stream.read(length)
        check = stream.read(_CHECK.size)
        if len(data) < length or len(check) < _CHECK.size:
            reason = f"the file ends after {len(data)} of its {length} bytes"
            return self._refused(number, reason), True
        if masked_crc(data) != _CHECK.unpack(check)[0]:
            return self._refused(number, "the CRC of its bytes is wrong"), False
        return data, False

    def _stream(self) -> IO[bytes]:
        """A TFRecord may by chance begin like GZIP; then the CRC of its first length is right."""
        start = self._file.read(_HEADER.size)
        self._file.seek(0)
        plain = len(start) == _HEADER.size and masked_crc(start[:8]) == _HEADER.unpack(start)[1]
        if start.startswith(GZIP_MAGIC) and not plain:
            stream: IO[bytes] = GZIP(fileobj=self._file, mode="rb")
            return stream
        return self._file

    def _refused(self, number: int, reason: str) -> Refused:
        return Refused(f"{self._path.name} record {number}", reason)


class RecordWriter:
    """Writes one GZIP TFRecord, which is there whole after `close`, or not at all."""

    def __init__(self, path: Path, doing: str) -> None:
        """Makes the file, and its folder where there is none.

        Raises:
            KnownError: it cannot be made.
        """
        self._path = path
        self._doing = doing
        self._part = path.with_name(path.name + ".part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[bytes] = self._part.open("wb")
            self._stream = GZIP(
                filename="", mode="wb", compresslevel=LEVEL, fileobj=self._file, mtime=0
            )
        except OSError as error:
            raise self._full(error) from error

    def write(self, data: bytes) -> None:
        """Writes one record.

        Raises:
            KnownError: the disk is full.
        """
        length = struct.pack("<Q", len(data))
        try:
            self._stream.write(length + _CHECK.pack(masked_crc(length)))
            self._stream.write(data)
            self._stream.write(_CHECK.pack(masked_crc(data)))
        except OSError as error:
            raise self._full(error) from error

    def close(self) -> None:
        """Ends the file and gives it its name.

        Raises:
            KnownError: the disk is full.
        """
        try:
            self._stream.close()
            self._file.close()
            self._part.replace(self._path)
        except OSError as error:
            raise self._full(error) from error

    def abandon(self) -> None:
        """Takes away what has been written, ended or not."""
        with suppress(OSError):
            self._file.close()
        for path in (self._part, self._path):
            with suppress(OSError):
                path.unlink()

    def _full(self, error: OSError) -> KnownError:
        return KnownError(
            self._doing,
            f"{self._path}: {error.strerror or error}",
            "Make room or choose another folder.",
        )
