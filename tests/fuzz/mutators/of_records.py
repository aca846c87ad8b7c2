"""TFRecords damaged behind right check sums: features, wire types, lengths, counts, bombs."""

from __future__ import annotations

import gzip
import io
import struct
import zlib
from functools import lru_cache
from random import Random

import google_crc32c

from tests.fuzz.mutators import hostile, of_bytes, of_json, of_pictures, of_xml

LARGE = 4 << 20
Field = tuple[int, int, int | bytes]  # number, wire type, value


def mutated(data: bytes, rng: Random) -> bytes:
    """Returns a shard with a record changed, packed as before, or with a lie in its framing."""
    packed = data.startswith(b"\x1f\x8b")
    if rng.random() < 0.15:
        return of_bytes.mutated(data, rng)
    plain = data
    if packed:
        with gzip.open(io.BytesIO(data)) as stream:
            plain = stream.read(LARGE)
    if len(plain) >= LARGE:
        return of_bytes.mutated(data, rng)
    records = _records(plain)
    roll = rng.random()
    if roll < 0.06:
        return _bomb(rng)
    if roll < 0.18 or not records:
        return _framing(plain, rng, packed)
    for _ in range(rng.choice((1, 1, 3))):
        at = rng.randrange(len(records))
        records[at] = _record(records[at], rng)
    if rng.random() < 0.1:
        records.insert(0, records[-1])
    if rng.random() < 0.05:
        records = records * rng.choice((2, 40))
    framed = b"".join(map(_frame, records))
    if rng.random() < 0.2:
        packed = not packed
    return gzip.compress(framed, 1, mtime=0) if packed else framed


def _records(plain: bytes) -> list[bytes]:
    at, found = 0, []
    while at + 12 <= len(plain):
        (length,) = struct.unpack_from("<Q", plain, at)
        found.append(plain[at + 12 : at + 12 + length])
        at += 16 + length
    return found


def _frame(record: bytes, length: int | None = None) -> bytes:
    head = struct.pack("<Q", len(record) if length is None else length)
    return head + _crc(head) + record + _crc(record)


def _crc(data: bytes) -> bytes:
    crc = google_crc32c.value(data)
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def _bomb(rng: Random) -> bytes:
    """Few bytes of GZIP that unpack to one record of very many, or to one that never ends."""
    size = rng.choice((200, 300)) << 20
    told = rng.choice((size, (256 << 20) - 1, 1 << 40, (1 << 64) - 1))
    return _packed(told, size)


@lru_cache
def _packed(told: int, size: int) -> bytes:
    head = struct.pack("<Q", told)
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    parts = [packer.compress(head + _crc(head))]
    block = bytes(1 << 20)
    parts += [packer.compress(block) for _ in range(size >> 20)]
    return b"".join((*parts, packer.flush()))


def _framing(plain: bytes, rng: Random, packed: bool) -> bytes:
    records = _records(plain)
    what = rng.randrange(4)
    if what == 0:  # a length that lies, with its own check sum right
        length = rng.choice((0, 1, len(plain), 1 << 20, 1 << 31, 1 << 40, (1 << 64) - 1))
        plain = b"".join(_frame(r, length if not n else None) for n, r in enumerate(records))
    elif what == 1:
        plain = of_bytes.mutated(plain, rng)
    elif what == 2:
        plain = b"".join(map(_frame, (b"", *records, b"\0", rng.randbytes(99))))
    else:  # members of GZIP one after the other, the last one cut
        half = len(plain) // 2
        whole = gzip.compress(plain[:half], mtime=0) + gzip.compress(plain[half:], mtime=0)
        return whole[: len(whole) - rng.choice((0, 1, 4, 9, 30))]
    return gzip.compress(plain, 1, mtime=0) if packed else plain


def _record(record: bytes, rng: Random) -> bytes:
    if rng.random() < 0.1:
        return of_bytes.mutated(record, rng)
    outer = fields(record)
    if not outer or not isinstance(outer[0][2], bytes):
        return of_bytes.mutated(record, rng)
    entries = fields(outer[0][2])
    roll = rng.random()
    if roll < 0.12:
        entries.pop(rng.randrange(len(entries)))
    elif roll < 0.2:
        entries += entries * rng.choice((1, 1, 60))
    elif roll < 0.26:
        name = hostile.text(rng).encode("utf-8", "surrogatepass")
        entries.append((1, 2, written([(1, 2, name), (2, 2, _feature(rng))])))
    elif roll < 0.3:
        entries.append((rng.choice((1, 2, 3, (1 << 29) - 1)), rng.choice((0, 1, 2, 5)), 7))
    else:
        at = rng.randrange(len(entries))
        number, kind, entry = entries[at]
        if isinstance(entry, bytes):
            entries[at] = (number, kind, _entry(entry, rng))
    return written([(1, 2, written(entries))])


def _entry(entry: bytes, rng: Random) -> bytes:
    named = fields(entry)
    if len(named) != 2 or not isinstance(named[1][2], bytes):
        return of_bytes.mutated(entry, rng)
    if rng.random() < 0.2:
        return written([named[0], (2, 2, _feature(rng))])
    lists = fields(named[1][2])
    if not lists or not isinstance(lists[0][2], bytes):
        return written([named[0], (2, 2, _feature(rng))])
    kind, _, held = lists[0]
    if not isinstance(held, bytes):
        return entry
    return written([named[0], (2, 2, written([(kind, 2, _list(kind, held, rng))]))])


def _list(kind: int, held: bytes, rng: Random) -> bytes:
    values = fields(held)
    if rng.random() < 0.1 or not values:
        return of_bytes.mutated(held, rng)
    at = rng.randrange(len(values))
    if kind == 1:
        roll = rng.random()
        if roll < 0.15:
            values.pop(at)
        elif roll < 0.3:
            values[at:at] = [values[at]] * rng.choice((1, 3, 500))
        else:
            number, wire, value = values[at]
            changed = inside(value, rng) if isinstance(value, bytes) else rng.choice(hostile.WHOLE)
            values[at] = (number, wire, changed)
        return written(values)
    if kind == 2:
        floats = [
            rng.choice((0.0, -0.0, 1e38, -1.0, 0.5, 1e-45, float("nan"), float("inf")))
            for _ in range(4)
        ]
        count = rng.choice((0, 1, 2, 3, 4, 400, 200_000))
        return written([(1, 2, struct.pack(f"<{count}f", *(floats * (count // 4 + 1))[:count]))])
    wholes = [rng.choice((*hostile.WHOLE, 2**63, 2**64 - 1, 10, 11, 12)) for _ in range(4)]
    count = rng.choice((0, 1, 1, 1, 2, 3, 9, 100_000))
    return written([(1, 2, b"".join(map(varint, (wholes * (count // 4 + 1))[:count])))])


def inside(value: bytes, rng: Random) -> bytes:
    """Returns bytes within a record changed by what they seem to be."""
    if rng.random() < 0.15:
        return hostile.text(rng).encode("utf-8", "surrogatepass")
    if value.startswith((b"\x89PNG", b"\xff\xd8", b"RIFF")):
        return of_pictures.mutated(value, rng)
    if value[:1] in (b"{", b"["):
        found = of_json.mutated(value, rng)
        if found is not None:
            return found
    if value.startswith(b"<"):
        return of_xml.mutated(value, rng)
    if len(value) > 20 and rng.random() < 0.7:
        return of_message(value, rng)
    return of_bytes.mutated(value, rng)


def of_message(data: bytes, rng: Random, depth: int = 0) -> bytes:
    """Returns a message of Protocol Buffers with a field changed, somewhere inside."""
    found = fields(data)
    if not found:
        return of_bytes.mutated(data, rng)
    at = rng.randrange(len(found))
    number, kind, value = found[at]
    roll = rng.random()
    if isinstance(value, bytes) and depth < 6 and roll < 0.7 and len(value) > 2:
        found[at] = (number, kind, of_message(value, rng, depth + 1))
    elif roll < 0.5 and isinstance(value, int):
        found[at] = (number, kind, rng.choice((*hostile.WHOLE, 2**63, 2**64 - 1)))
    elif roll < 0.6:
        found.pop(at)
    elif roll < 0.72:
        found[at:at] = [found[at]] * rng.choice((1, 2, 300, 3_000))
    elif roll < 0.8:
        found[at] = (rng.choice((1, 2, 4, 7, 11, 25, (1 << 29) - 1)), kind, value)
    elif roll < 0.86:  # messages in each other, deeper than anyone goes
        inner = b""
        for _ in range(rng.choice((10, 399, 401, 2_000))):
            inner = written([(rng.choice((1, 11)), 2, inner)])
        found.append((number, 2, inner))
    elif roll < 0.93:
        return written(found) + rng.choice(
            (
                b"\xff" * 11,
                b"\x80" * 9 + b"\x01",
                b"\0",
                b"\x0f",
                b"\x0b",
                b"\x0a\xff\xff\xff\xff\x0f",
            )
        )
    else:
        return of_bytes.mutated(data, rng)
    return written(found)


def _feature(rng: Random) -> bytes:
    """Returns a feature of another kind than anyone expects."""
    kind = rng.choice((1, 2, 3))
    return rng.choice(
        (
            b"",
            written([(kind, 2, b"")]),
            written(
                [(kind, 2, written([(1, 2, hostile.text(rng).encode("utf-8", "surrogatepass"))]))]
            ),
            written([(kind, 2, written([(1, 0, rng.choice(hostile.WHOLE))]))]),
            written([(kind, 2, written([(1, 5, struct.unpack("<I", rng.randbytes(4))[0])]))]),
            rng.randbytes(20),
        )
    )


def fields(data: bytes) -> list[Field]:
    """Returns the fields of a message as far as they can be read."""
    at, found = 0, []
    try:
        while at < len(data):
            tag, at = _varint(data, at)
            number, kind = tag >> 3, tag & 7
            if kind == 0:
                whole, at = _varint(data, at)
                found.append((number, kind, whole))
                continue
            size = {1: 8, 5: 4}.get(kind, -1)
            if kind == 2:
                size, at = _varint(data, at)
            if size < 0 or at + size > len(data):
                break
            value: int | bytes = data[at : at + size]
            if kind != 2:
                value = int.from_bytes(data[at : at + size], "little")
            found.append((number, kind, value))
            at += size
    except IndexError:
        pass
    return found


def written(found: list[Field]) -> bytes:
    """Returns the message of these fields."""
    out = bytearray()
    for number, kind, value in found:
        out += varint(number << 3 | kind)
        if isinstance(value, bytes):
            out += varint(len(value)) + value
        elif kind == 0:
            out += varint(value)
        elif kind == 2:
            out += varint(value)  # a length with nothing behind it
        else:
            width = 8 if kind == 1 else 4
            out += (value & (1 << 8 * width) - 1).to_bytes(width, "little")
    return bytes(out)


def varint(value: int) -> bytes:
    """Returns a whole number as the wire has it."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128 or shift > 63:
            return value, at
        shift += 7
