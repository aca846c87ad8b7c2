"""What the computer says on the control socket, as bytes.

One pure function a message, big-endian as on the wire, for servers 3.1 to 4.1 (the layouts of
the messages used here are the same in all of them). It opens no socket and remembers nothing.

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
    """The first byte of each message."""

    INJECT_KEYCODE = 0
    INJECT_TEXT = 1
    INJECT_TOUCH = 2
    INJECT_SCROLL = 3
    BACK_OR_SCREEN_ON = 4
    EXPAND_NOTIFICATION_PANEL = 5
    EXPAND_SETTINGS_PANEL = 6
    COLLAPSE_PANELS = 7
    GET_CLIPBOARD = 8
    SET_CLIPBOARD = 9
    SET_DISPLAY_POWER = 10
    ROTATE_DEVICE = 11
    UHID_CREATE = 12
    UHID_INPUT = 13
    UHID_DESTROY = 14
    OPEN_HARD_KEYBOARD_SETTINGS = 15
    START_APP = 16
    RESET_VIDEO = 17


class CopyKey(IntEnum):
    """What the phone presses before it reads its clipboard."""

    NONE = 0
    COPY = 1
    CUT = 2


_TOUCH_ACTIONS = {Phase.DOWN: 0, Phase.UP: 1, Phase.MOVE: 2, Phase.CANCEL: 3}


def touch(
    phase: Phase, at: Point, size: Size, pointer: int = FINGER, pressure: float = 1.0
) -> bytes:
    """Returns one finger at one moment.

    Args:
        at: in pixels of the frame the person saw; rounded here, and kept on the frame.
        size: of that frame. The server ignores a touch of any other size than its present one.
        pressure: 0..1; a finger that leaves has none.
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


def raw_touch(
    action: int,
    pointer: int,
    place: tuple[int, int],
    size: Size,
    pressure: float,
    action_button: int,
    buttons: int,
) -> bytes:
    """Returns a touch with every field as given, for what `touch` does not say (mouse, hover)."""
    return struct.pack(
        ">BBqiiHHHII",
        Type.INJECT_TOUCH,
        action,
        pointer,
        *place,
        size.width,
        size.height,
        _unsigned_fraction(pressure),
        action_button,
        buttons,
    )


def scroll(at: Point, size: Size, across: float, down: float, buttons: int = 0) -> bytes:
    """Returns a turn of the wheel.

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
    """Returns a key going down or up; `code` is Android's KEYCODE number."""
    return struct.pack(">BBiII", Type.INJECT_KEYCODE, 0 if down else 1, code, repeat, meta)


def press(code: int, meta: int = 0) -> tuple[bytes, bytes]:
    """Returns a key's way down and up."""
    return key(True, code, meta=meta), key(False, code, meta=meta)


def text(words: str) -> bytes:
    """Returns text the phone types with its key map, cut to 300 bytes at a character."""
    data = _cut(words.encode(), MAX_TEXT)
    return struct.pack(">BI", Type.INJECT_TEXT, len(data)) + data


def back_or_screen_on(down: bool) -> bytes:
    """Returns Back, which wakes the screen where it is off."""
    return bytes((Type.BACK_OR_SCREEN_ON, 0 if down else 1))


def expand_notifications() -> bytes:
    """Returns a pull at the notification shade."""
    return bytes((Type.EXPAND_NOTIFICATION_PANEL,))


def expand_settings() -> bytes:
    """Returns a pull at the quick settings."""
    return bytes((Type.EXPAND_SETTINGS_PANEL,))


def collapse_panels() -> bytes:
    """Returns a push that closes both."""
    return bytes((Type.COLLAPSE_PANELS,))


def get_clipboard(copy_key: CopyKey = CopyKey.NONE) -> bytes:
    """Returns the question for the clipboard's text (unanswered while autosync is on)."""
    return bytes((Type.GET_CLIPBOARD, copy_key))


def set_clipboard(words: str, paste: bool, sequence: int = 0) -> bytes:
    """Returns text for the clipboard, pasted at once if asked; a sequence of 0 wants no answer."""
    data = _cut(words.encode(), MAX_CLIPBOARD)
    return struct.pack(">BQBI", Type.SET_CLIPBOARD, sequence, int(paste), len(data)) + data


def set_display_power(on: bool) -> bytes:
    """Returns the switch of the phone's panel; the mirror goes on."""
    return bytes((Type.SET_DISPLAY_POWER, int(on)))


def rotate_device() -> bytes:
    """Returns a quarter turn."""
    return bytes((Type.ROTATE_DEVICE,))


def uhid_create(device: int, vendor: int, product: int, name: str, descriptor: bytes) -> bytes:
    """Returns a USB input device that is not there, with its report descriptor."""
    called = _cut(name.encode(), 127)
    return (
        struct.pack(">BHHHB", Type.UHID_CREATE, device, vendor, product, len(called))
        + called
        + struct.pack(">H", len(descriptor))
        + descriptor
    )


def uhid_input(device: int, report: bytes) -> bytes:
    """Returns one report of such a device."""
    return struct.pack(">BHH", Type.UHID_INPUT, device, len(report)) + report


def uhid_destroy(device: int) -> bytes:
    """Returns the end of such a device."""
    return struct.pack(">BH", Type.UHID_DESTROY, device)


def open_hard_keyboard_settings() -> bytes:
    """Returns the way to the settings of a hardware keyboard."""
    return bytes((Type.OPEN_HARD_KEYBOARD_SETTINGS,))


def start_app(name: str) -> bytes:
    """Returns the start of an app: a package, "+package" afresh, "?name" by its label."""
    called = _cut(name.encode(), 255)
    return bytes((Type.START_APP, len(called))) + called


def reset_video() -> bytes:
    """Returns the wish for a new video session: configuration and key frame."""
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
