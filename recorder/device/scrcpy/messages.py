"""Encodes the messages that go to the phone on scrcpy's control socket.

One pure function for each message, big-endian as on the wire. Servers 3.1 to 4.1 share these
layouts.

Source: https://github.com/Genymobile/scrcpy, tag v3.3.4, app/src/control_msg.c.
"""

from __future__ import annotations

import struct
from enum import IntEnum

from episodes.actions import Phase
from episodes.geometry import Point, Size

FINGER = -2  # the generic finger; own fingers count from 0
MAX_TEXT = 300
MAX_CLIPBOARD = 262_130

_PRIMARY_BUTTON = 1


class Type(IntEnum):
    """The first byte of each message that Taptrail sends."""

    INJECT_KEYCODE = 0
    INJECT_TEXT = 1
    INJECT_TOUCH = 2
    INJECT_SCROLL = 3
    GET_CLIPBOARD = 8
    SET_CLIPBOARD = 9
    ROTATE_DEVICE = 11
    START_APP = 16
    RESET_VIDEO = 17


class CopyKey(IntEnum):
    """The key the phone presses before it reads its clipboard."""

    NONE = 0
    COPY = 1
    CUT = 2


_TOUCH_ACTIONS = {Phase.DOWN: 0, Phase.UP: 1, Phase.MOVE: 2, Phase.CANCEL: 3}


def touch(
    phase: Phase, at: Point, size: Size, pointer: int = FINGER, pressure: float = 1.0
) -> bytes:
    """Encodes the position of one finger.

    Args:
        at: in pixels of the frame the person saw; rounded here and clamped to the frame.
        size: of that frame. The server ignores a touch whose size is not that of its video.
        pressure: 0..1; 0 is sent for a finger that leaves.
    """
    lifted = phase in (Phase.UP, Phase.CANCEL)
    return struct.pack(
        ">BBqiiHHHII",
        Type.INJECT_TOUCH,
        _TOUCH_ACTIONS[phase],
        pointer,
        *_place(at, size),
        size.width,
        size.height,
        _unsigned_fraction(0.0 if lifted else pressure),
        0 if phase is Phase.MOVE else _PRIMARY_BUTTON,
        0 if lifted else _PRIMARY_BUTTON,
    )


def scroll(at: Point, size: Size, across: float, down: float, buttons: int = 0) -> bytes:
    """Encodes a turn of the wheel.

    Args:
        across, down: notches, -16..16; positive is right and up, as a mouse wheel counts.
    """
    return struct.pack(
        ">BiiHHhhI",
        Type.INJECT_SCROLL,
        *_place(at, size),
        size.width,
        size.height,
        _signed_fraction(across / 16),
        _signed_fraction(down / 16),
        buttons,
    )


def key(down: bool, code: int, repeat: int = 0, meta: int = 0) -> bytes:
    """Encodes a key going down or up; `code` is Android's KEYCODE number."""
    return struct.pack(">BBiII", Type.INJECT_KEYCODE, 0 if down else 1, code, repeat, meta)


def press(code: int, meta: int = 0) -> tuple[bytes, bytes]:
    """Encodes a key going down and up."""
    return key(True, code, meta=meta), key(False, code, meta=meta)


def text(words: str) -> bytes:
    """Encodes text the phone types with its key map, cut to 300 bytes at a character."""
    data = _cut(words.encode(), MAX_TEXT)
    return struct.pack(">BI", Type.INJECT_TEXT, len(data)) + data


def get_clipboard(copy_key: CopyKey = CopyKey.NONE) -> bytes:
    """Encodes a request for the clipboard's text (not answered while autosync is on)."""
    return bytes((Type.GET_CLIPBOARD, copy_key))


def set_clipboard(words: str, paste: bool, sequence: int = 0) -> bytes:
    """Encodes text for the clipboard, pasted if asked; a sequence of 0 asks for no answer."""
    data = _cut(words.encode(), MAX_CLIPBOARD)
    return struct.pack(">BQBI", Type.SET_CLIPBOARD, sequence, int(paste), len(data)) + data


def rotate_device() -> bytes:
    """Encodes a request to turn the device by a quarter."""
    return bytes((Type.ROTATE_DEVICE,))


def start_app(name: str) -> bytes:
    """Encodes the start of an app: a package, "+package" to restart it, "?name" by its label."""
    called = _cut(name.encode(), 255)
    return bytes((Type.START_APP, len(called))) + called


def reset_video() -> bytes:
    """Encodes a request for a new video session: configuration and key frame."""
    return bytes((Type.RESET_VIDEO,))


def _place(at: Point, size: Size) -> tuple[int, int]:
    return (
        min(max(int(at.x), 0), size.width - 1),
        min(max(int(at.y), 0), size.height - 1),
    )


def _unsigned_fraction(value: float) -> int:
    return 0xFFFF if value >= 1 else int(max(value, 0.0) * 0x10000)


def _signed_fraction(value: float) -> int:
    return 0x7FFF if value >= 1 else int(max(value, -1.0) * 0x8000)


def _cut(data: bytes, limit: int) -> bytes:
    """Returns at most `limit` bytes, ending at a whole character."""
    if len(data) <= limit:
        return data
    end = limit
    while end and data[end] & 0xC0 == 0x80:
        end -= 1
    return data[:end]
