"""The wire format of Protocol Buffers: the fields of one message, read and written.

It knows field numbers and wire types, not what they mean; readers of one kind of message are built
on it. Bytes are not trusted: whatever is cut off, too long or malformed is a `BadWire`.

Source: protobuf.dev, "Encoding".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
MAX_FIELDS = 500_000  # of one message

Value: TypeAlias = int | memoryview

_WIDTHS = {FIXED64: 8, FIXED32: 4}


class BadWire(ValueError):
    """Some bytes are not such a message; the text says why."""


def fields(data: memoryview) -> Iterator[tuple[int, int, Value]]:
    """Yields (field number, wire type, value) of a message.

    A varint is a number of 64 bits without sign; all others are views of the bytes.

    Raises:
        BadWire: the bytes are not a message.
    """
    at, end, count = 0, len(data), 0
    while at < end:
        count += 1
        if count > MAX_FIELDS:
            raise BadWire(f"a message has more than {MAX_FIELDS} fields")
        tag, at = _varint(data, at)
        number, kind = tag >> 3, tag & 7
        if not 0 < number < 1 << 29:
            raise BadWire(f"there is no field {number}")
        if kind == VARINT:
            whole, at = _varint(data, at)
            yield number, kind, whole
            continue
        if kind == BYTES:
            length, at = _varint(data, at)
        elif kind in _WIDTHS:
            length = _WIDTHS[kind]
        else:
            raise BadWire(f"field {number} has the unknown wire type {kind}")
        if length > end - at:
            raise BadWire(f"field {number} is cut off")
        yield number, kind, data[at : at + length]
        at += length


def varints(data: memoryview, limit: int) -> list[int]:
    """Returns packed numbers of 64 bits without sign.

    Raises:
        BadWire: the last is cut off, or there are more than `limit`.
    """
    found: list[int] = []
    at, end = 0, len(data)
    while at < end:
        if len(found) == limit:
            raise BadWire(f"there are more than {limit} numbers")
        whole, at = _varint(data, at)
        found.append(whole)
    return found


def signed(value: int) -> int:
    """Returns the number of 64 bits that `value` stands for when it has a sign."""
    return value - (1 << 64) if value >> 63 else value


def signed_32(value: int) -> int:
    """Returns the number of 32 bits that `value` stands for when it has a sign."""
    value &= 0xFFFFFFFF
    return value - (1 << 32) if value >> 31 else value


def whole_field(number: int, value: int) -> bytes:
    """Returns a field with a whole number; one below zero takes ten bytes."""
    return _as_varint(number << 3) + _as_varint(value & 0xFFFFFFFFFFFFFFFF)


def bytes_field(number: int, value: bytes) -> bytes:
    """Returns a field with bytes, a text or a message."""
    return bytes_head(number, len(value)) + value


def bytes_head(number: int, length: int) -> bytes:
    """Returns what comes before the bytes of a field."""
    return _as_varint(number << 3 | BYTES) + _as_varint(length)


def as_varints(values: Iterable[int]) -> bytes:
    """Returns numbers packed one after the other."""
    return b"".join(_as_varint(value & 0xFFFFFFFFFFFFFFFF) for value in values)


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    try:
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                break
            shift += 7
            if shift > 63:
                raise BadWire("a number has more than ten bytes")
    except IndexError as error:
        raise BadWire("a number is cut off") from error
    return value & 0xFFFFFFFFFFFFFFFF, at


def _as_varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
