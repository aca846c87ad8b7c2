"""adb's packets: a header of six little-endian words and a payload.

Source: packages/modules/adb/protocol.txt and types.h of AOSP.
"""

from __future__ import annotations

import asyncio
import struct
from dataclasses import dataclass

HEADER = struct.Struct("<6I")
MAX_PAYLOAD = 1024 * 1024
VERSION = 0x01000001
VERSION_WITH_SUMS = 0x01000000

TOKEN, SIGNATURE, PUBLIC_KEY = 1, 2, 3


def _command(name: bytes) -> int:
    return int.from_bytes(name, "little")


CNXN = _command(b"CNXN")
AUTH = _command(b"AUTH")
OPEN = _command(b"OPEN")
OKAY = _command(b"OKAY")
WRTE = _command(b"WRTE")
CLSE = _command(b"CLSE")
STLS = _command(b"STLS")
SYNC = _command(b"SYNC")
COMMANDS = frozenset((CNXN, AUTH, OPEN, OKAY, WRTE, CLSE, STLS, SYNC))


class BadPacket(Exception):
    """Bytes that are no adb packet, or one that the protocol forbids at this point."""


@dataclass(frozen=True, slots=True)
class AdbPacket:
    """One packet; `arg0` and `arg1` mean what `command` makes of them."""

    command: int
    arg0: int
    arg1: int
    payload: bytes = b""


def pack(packet: AdbPacket, with_sum: bool) -> bytes:
    """The bytes of `packet`; the payload's sum is left 0 unless `with_sum`."""
    total = sum(packet.payload) & 0xFFFFFFFF if with_sum else 0
    header = HEADER.pack(
        packet.command,
        packet.arg0,
        packet.arg1,
        len(packet.payload),
        total,
        packet.command ^ 0xFFFFFFFF,
    )
    return header + packet.payload


async def read_packet(reader: asyncio.StreamReader, with_sum: bool) -> AdbPacket | None:
    """The next packet, or None at the end of the connection.

    Raises:
        BadPacket: the bytes are no packet, or the payload's sum is wrong where it counts.
    """
    try:
        header = await reader.readexactly(HEADER.size)
    except asyncio.IncompleteReadError as error:
        if error.partial:
            raise BadPacket(f"the connection ended {len(error.partial)} bytes into a header") from (
                error
            )
        return None
    command, arg0, arg1, length, total, magic = HEADER.unpack(header)
    if magic != command ^ 0xFFFFFFFF or command not in COMMANDS:
        raise BadPacket(f"a header that is none of adb's: {header.hex()}")
    if length > MAX_PAYLOAD:
        raise BadPacket(f"a payload of {length} bytes, at most {MAX_PAYLOAD} are allowed")
    try:
        payload = await reader.readexactly(length)
    except asyncio.IncompleteReadError as error:
        raise BadPacket(f"a payload of {length} bytes ended at {len(error.partial)}") from error
    if with_sum and command != CNXN and total != sum(payload) & 0xFFFFFFFF:
        raise BadPacket("a payload whose sum is wrong")
    return AdbPacket(command, arg0, arg1, payload)
