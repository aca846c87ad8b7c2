"""Parses the messages that the phone sends on scrcpy's control socket.

Pure and incremental: bytes in, messages out. A message of an unknown type has no length to skip,
so it ends the session.

Source: https://github.com/Genymobile/scrcpy, tag v3.3.4, app/src/device_msg.c.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TypeAlias

MAX_LENGTH = 1 << 18


@dataclass(frozen=True, slots=True)
class ClipboardText:
    """The text on the phone's clipboard."""

    text: str


@dataclass(frozen=True, slots=True)
class ClipboardSet:
    """The clipboard now holds what was sent with this sequence number."""

    sequence: int


@dataclass(frozen=True, slots=True)
class UhidOutput:
    """Output for a virtual input device (its lamps, for example). Parsed only to be skipped."""

    device: int
    report: bytes


DeviceMessage: TypeAlias = ClipboardText | ClipboardSet | UhidOutput


class BadDeviceMessage(ValueError):
    """A message of an unknown type, or of an impossible length."""


class DeviceMessageParser:
    """Parses messages from pieces of any size."""

    def __init__(self) -> None:
        self._pending = bytearray()

    def feed(self, data: bytes) -> list[DeviceMessage]:
        """Takes bytes and returns the messages they complete.

        Raises:
            BadDeviceMessage: an unknown type or an impossible length; the rest is lost.
        """
        self._pending += data
        found: list[DeviceMessage] = []
        while (message := self._next()) is not None:
            found.append(message)
        return found

    def _next(self) -> DeviceMessage | None:
        pending = self._pending
        if not pending:
            return None
        match pending[0]:
            case 0:
                data = self._counted(">I", 1)
                return None if data is None else ClipboardText(data.decode(errors="replace"))
            case 1:
                if len(pending) < 9:
                    return None
                (sequence,) = struct.unpack_from(">Q", pending, 1)
                del pending[:9]
                return ClipboardSet(sequence)
            case 2:
                if len(pending) < 3:
                    return None
                (device,) = struct.unpack_from(">H", pending, 1)
                data = self._counted(">H", 3)
                return None if data is None else UhidOutput(device, data)
            case unknown:
                raise BadDeviceMessage(f"message type {unknown} is not known")

    def _counted(self, form: str, at: int) -> bytes | None:
        """Takes a message whose data follow their length at `at`; None while it is not whole."""
        begin = at + struct.calcsize(form)
        if len(self._pending) < begin:
            return None
        (length,) = struct.unpack_from(form, self._pending, at)
        if length > MAX_LENGTH:
            raise BadDeviceMessage(f"a message of {length} bytes is longer than {MAX_LENGTH}")
        if len(self._pending) < begin + length:
            return None
        data = bytes(self._pending[begin : begin + length])
        del self._pending[: begin + length]
        return data
