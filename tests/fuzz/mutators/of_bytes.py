"""Bytes damaged without a thought of what they mean."""

from __future__ import annotations

from random import Random

BAD_TEXT = (
    b"\xff",
    b"\xc0\x80",
    b"\xed\xa0\x80",
    b"\xf8\x88\x80\x80\x80",
    b"\xe2\x82",
    b"\0",
    b"\xfe\xff",
)
EDGES = (0, 1, 0x20, 0x22, 0x5C, 0x7B, 0x7D, 0x7F, 0x80, 0xFF)


def mutated(data: bytes, rng: Random) -> bytes:
    """Returns the bytes flipped, cut, doubled, moved or with numbers at their extremes."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        _change(changed, rng)
    return bytes(changed)


def _change(data: bytearray, rng: Random) -> None:
    size = len(data)
    at = rng.randrange(size) if size else 0
    roll = rng.random()
    if roll < 0.25 and size:
        for _ in range(rng.choice((1, 1, 4, 32))):
            place = rng.randrange(size)
            data[place] ^= 1 << rng.randrange(8)
    elif roll < 0.4 and size:
        data[at] = rng.choice(EDGES)
    elif roll < 0.5:
        del data[at:]
    elif roll < 0.58:
        del data[at : at + rng.choice((1, 2, 8, 100))]
    elif roll < 0.66:
        data[at:at] = data[at : at + rng.choice((1, 8, 100, 2_000))]
    elif roll < 0.74:
        data[at:at] = rng.choice(BAD_TEXT)
    elif roll < 0.8:
        data[at:at] = rng.randbytes(rng.choice((1, 7, 64)))
    elif roll < 0.86:
        width = rng.choice((2, 4, 8))
        top = (1 << 8 * width) - 1
        whole = rng.choice((0, top, top >> 1, (top >> 1) + 1, size, size + 1))
        data[at : at + width] = (whole & top).to_bytes(width, rng.choice(("little", "big")))
    elif roll < 0.91:
        data[at:at] = bytes([rng.randrange(256)]) * rng.choice((100, 10_000, 1_000_000))
    elif roll < 0.94:
        data[:0] = rng.choice(
            (b"\xef\xbb\xbf", b"\xff\xfe", b"\x1f\x8b\x08", b"PK\x03\x04", b"\n" * 99, b"[", b"{")
        )
    elif roll < 0.97:
        data += bytes(data)
    elif roll < 0.985:
        data.reverse()
    else:
        data.clear()
