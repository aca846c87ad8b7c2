"""Pictures that lie about their size, hold garbage behind right check sums, or are bombs."""

from __future__ import annotations

import struct
import zlib
from functools import lru_cache
from random import Random

import cv2
import numpy as np

from tests.fuzz.mutators import of_bytes

_PNG = b"\x89PNG\r\n\x1a\n"
SIDES = (0, 1, 2, 8_000, 8_001, 20_000, 20_001, 60_000, 65_535, 2**31 - 1, 2**31, 2**32 - 1)


def drawn(suffix: str, width: int = 36, height: int = 80) -> bytes:
    """Returns a small picture with some structure in it."""
    across = np.arange(width, dtype=np.uint16)[None, :]
    down = np.arange(height, dtype=np.uint16)[:, None]
    planes = [(across * n + down * (7 - n)) % 256 for n in (2, 3, 5)]
    pixels = np.stack(planes, axis=2).astype(np.uint8)
    done, data = cv2.imencode(suffix, pixels)
    assert done
    return bytes(data)


def mutated(data: bytes, rng: Random) -> bytes:
    """Returns a picture of its kind that is damaged in its headers, its stream or its bytes."""
    roll = rng.random()
    if roll < 0.3:
        return of_bytes.mutated(data, rng)
    if roll < 0.36:
        return rng.choice(_others())
    if data.startswith(_PNG):
        return _png(data, rng)
    if data.startswith(b"\xff\xd8"):
        return _jpeg(data, rng)
    if data[:4] == b"RIFF":
        return _webp(data, rng)
    return of_bytes.mutated(data, rng)


def _others() -> tuple[bytes, ...]:
    """Pictures and things of kinds nobody asked for."""
    return (
        b"GIF89a\x60\xea\x60\xea\x80\0\0" + bytes(30),
        b"BM" + bytes(60),
        b"II*\0\x08\0\0\0" + bytes(60),
        b"<svg xmlns='http://www.w3.org/2000/svg'><image href='file:///etc/passwd'/></svg>",
        b"P6\n60000 60000\n255\n",
        b"%PDF-1.4\n",
        b"\0\0\0\x20ftypavif" + bytes(40),
        b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 60000 +X 60000\n",
        drawn(".jpg")[:60] + drawn(".png"),
        drawn(".png") + b"<?php system('id') ?>",
    )


def _png(data: bytes, rng: Random) -> bytes:
    chunks = _chunks(data)
    what = rng.randrange(10)
    if what == 0:  # a size that the stream does not have
        width, height = rng.choice(SIDES), rng.choice(SIDES)
        chunks[0] = (b"IHDR", struct.pack(">II", width, height) + chunks[0][1][8:])
    elif what == 1:  # depth, colour, compression, filter, interlace
        head = bytearray(chunks[0][1])
        head[rng.randrange(8, 13)] = rng.choice((0, 1, 2, 3, 4, 6, 7, 8, 16, 255))
        chunks[0] = (b"IHDR", bytes(head))
    elif what == 2:  # a broken stream with a right check sum
        chunks = [(k, of_bytes.mutated(d, rng) if k == b"IDAT" else d) for k, d in chunks]
    elif what == 3:  # rows with filters that there are not
        width, height = struct.unpack(">II", chunks[0][1][:8])
        rows = b"".join(
            bytes([rng.choice((0, 1, 2, 3, 4, 5, 255))]) + rng.randbytes(width * 3)
            for _ in range(height)
        )
        chunks = [chunks[0], (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    elif what == 4:  # a valid bomb: few bytes, many pixels
        width, height = rng.choice(
            ((8_000, 8_000), (20_000, 3_200), (3_000, 20_000), (4_000, 4_000))
        )
        colour, depth, across = rng.choice(
            ((2, 8, width * 3), (0, 1, (width + 7) // 8), (6, 16, width * 8))
        )
        head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, rng.choice((0, 0, 1)))
        chunks = [(b"IHDR", head), (b"IDAT", _zeros((across + 1) * height)), (b"IEND", b"")]
    elif what == 5:  # a stream that is far longer than its rows
        chunks = [chunks[0], (b"IDAT", _zeros(200_000_000)), (b"IEND", b"")]
    elif what == 6:  # texts and profiles that unpack to much
        packed = _zeros(50_000_000)
        kind = rng.choice((b"zTXt", b"iCCP", b"iTXt"))
        between = b"\0\0" if kind != b"iTXt" else b"\0\1\0\0\0"
        chunks.insert(1, (kind, b"x" + between + packed))
    elif what == 7:  # an animation, a palette, a transparency that do not fit
        chunks.insert(1, (b"acTL", struct.pack(">II", rng.choice((0, 1, 2**31 - 1)), 0)))
        chunks.insert(2, (b"fcTL", struct.pack(">IIIIIHHBB", 0, 60_000, 60_000, 0, 0, 1, 0, 0, 0)))
    elif what == 8:
        chunks.insert(
            1,
            (
                rng.choice((b"PLTE", b"tRNS", b"gAMA", b"eXIf")),
                rng.randbytes(rng.choice((0, 2, 3, 7, 768))),
            ),
        )
    else:  # parts doubled, swapped or gone
        at = rng.randrange(len(chunks))
        chunks = rng.choice((chunks[:at] + chunks[at + 1 :], chunks + chunks, chunks[::-1]))
    return _PNG + b"".join(_chunk(*chunk) for chunk in chunks)


@lru_cache
def _zeros(size: int) -> bytes:
    packer = zlib.compressobj(1)
    block = bytes(1 << 20)
    parts = [packer.compress(block) for _ in range(size >> 20)]
    return b"".join((*parts, packer.compress(bytes(size & (1 << 20) - 1)), packer.flush()))


def _chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    at, found = len(_PNG), []
    while at + 12 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        found.append((kind, data[at + 8 : at + 8 + length]))
        at += 12 + length
    return found


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _jpeg(data: bytes, rng: Random) -> bytes:
    frame = next(at for at in range(len(data)) if data[at : at + 2] in (b"\xff\xc0", b"\xff\xc2"))
    scan = data.index(b"\xff\xda")
    what = rng.randrange(6)
    changed = bytearray(data)
    if what == 0:
        sides = (rng.choice((0, 1, 8_000, 60_000, 65_500, 65_535)) for _ in range(2))
        struct.pack_into(">HH", changed, frame + 5, *sides)
    elif what == 1:  # garbage where the coefficients are
        for _ in range(rng.choice((1, 4, 40))):
            changed[rng.randrange(scan + 14, len(changed))] = rng.randrange(256)
    elif what == 2:
        changed[frame + rng.choice((1, 4, 9, 10, 11, 12))] = rng.randrange(256)
    elif what == 3:
        changed[scan:scan] = b"\xff\xe1" + struct.pack(">H", 60_000) + rng.randbytes(60_000 - 2)
    elif what == 4:  # many scans over one frame
        body = changed[scan:-2]
        changed[-2:] = bytes(body) * rng.choice((2, 50, 500)) + b"\xff\xd9"
    else:
        changed[2:2] = b"\xff" * rng.choice((1, 1_000, 500_000))
    return bytes(changed)


def _webp(data: bytes, rng: Random) -> bytes:
    changed = bytearray(data)
    what = rng.randrange(4)
    if what == 0:  # VP8: a size; VP8L: 14 bits a side
        for at in range(20, min(30, len(changed))):
            changed[at] = rng.choice((0, 0xFF, changed[at]))
    elif what == 1:
        head = struct.pack("<I", rng.randrange(256)) + b"\x5f\xea\0" + b"\x5f\xea\0"
        changed[12:12] = b"VP8X" + struct.pack("<I", 10) + head
    elif what == 2:
        struct.pack_into("<I", changed, rng.choice((4, 16)), rng.choice((0, 1, 2**31, 2**32 - 1)))
    else:
        for _ in range(rng.choice((1, 10, 100))):
            changed[rng.randrange(20, len(changed))] = rng.randrange(256)
    return bytes(changed)
