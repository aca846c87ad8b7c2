"""Small pictures made of plain colours, as PNG bytes."""

import struct
import zlib

from episodes.geometry import Size

SMALL = Size(36, 80)


def png(size: Size = SMALL, shade: int = 200, colour: tuple[int, int, int] | None = None) -> bytes:
    """Returns a picture of one colour; the same arguments give the same bytes."""
    red, green, blue = colour or (shade, shade, 255 - shade)
    row = b"\0" + bytes((red, green, blue)) * size.width
    header = struct.pack(">IIBBBBB", size.width, size.height, 8, 2, 0, 0, 0)
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", header),
            _chunk(b"IDAT", zlib.compress(row * size.height)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
