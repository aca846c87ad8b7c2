"""scrcpy 3.3.4 on the wire, seen from the phone: bytes to messages and frames to bytes.

All integers are big-endian. Nothing here touches the phone. Another version gets a module of its
own with the same functions.

Source: ControlMessageReader.java, DeviceMessageWriter.java, Streamer.java, DesktopConnection.java
of scrcpy 3.3.4.
"""

from __future__ import annotations

import struct
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

VERSION = "3.3.4"
H264 = 0x68323634
DEVICE_NAME_SIZE = 64
CONFIG = 1 << 63
KEY_FRAME = 1 << 62
DISABLED = struct.pack(">I", 0)

MAX_TEXT = 300
MAX_CLIPBOARD = 262130
CLIPBOARD, ACK_CLIPBOARD = 0, 1


class BadControlMessage(Exception):
    """Bytes on the control socket that are no message of this version; the server ends."""


# --- control messages ----------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Position:
    """A point in the video and the size of the video it was taken from."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class InjectKeycode:
    """Half of a key press: `action` 0 down, 1 up."""

    action: int
    keycode: int
    repeat: int
    metastate: int


@dataclass(frozen=True, slots=True)
class InjectText:
    """Text typed key by key."""

    text: str


@dataclass(frozen=True, slots=True)
class InjectTouch:
    """One position of one pointer: `action` 0 down, 1 up, 2 move, 3 cancel, 7 hover."""

    action: int
    pointer: int
    position: Position
    pressure: float
    action_button: int
    buttons: int


@dataclass(frozen=True, slots=True)
class InjectScroll:
    """A mouse wheel; one step is 1.0, at most 16 either way."""

    position: Position
    horizontal: float
    vertical: float
    buttons: int


@dataclass(frozen=True, slots=True)
class BackOrScreenOn:
    """Back, or the power key where the screen is off; only `action` 0 counts then."""

    action: int


@dataclass(frozen=True, slots=True)
class Panel:
    """Opens `notifications` or `settings`, or closes them."""

    name: Literal["notifications", "settings"] | None


@dataclass(frozen=True, slots=True)
class GetClipboard:
    """Asks for the clipboard, after pressing nothing (0), copy (1) or cut (2)."""

    copy_key: int


@dataclass(frozen=True, slots=True)
class SetClipboard:
    """Sets the clipboard; a sequence other than 0 is answered."""

    sequence: int
    paste: bool
    text: str


@dataclass(frozen=True, slots=True)
class SetDisplayPower:
    """Turns the panel off or on while the phone stays awake."""

    on: bool


@dataclass(frozen=True, slots=True)
class RotateDevice:
    """Turns the phone."""


@dataclass(frozen=True, slots=True)
class UhidCreate:
    """Plugs in an input device of the computer's making."""

    id: int
    vendor: int
    product: int
    name: str
    descriptor: bytes


@dataclass(frozen=True, slots=True)
class UhidInput:
    """A report of such a device."""

    id: int
    data: bytes


@dataclass(frozen=True, slots=True)
class UhidDestroy:
    """Unplugs such a device."""

    id: int


@dataclass(frozen=True, slots=True)
class OpenHardKeyboardSettings:
    """Opens the settings of physical keyboards."""


@dataclass(frozen=True, slots=True)
class StartApp:
    """Starts an app; `+` in front restarts it, `?` looks for its label."""

    name: str


@dataclass(frozen=True, slots=True)
class ResetVideo:
    """Starts the encoder anew, with a key frame."""


ControlMessage = (
    InjectKeycode
    | InjectText
    | InjectTouch
    | InjectScroll
    | BackOrScreenOn
    | Panel
    | GetClipboard
    | SetClipboard
    | SetDisplayPower
    | RotateDevice
    | UhidCreate
    | UhidInput
    | UhidDestroy
    | OpenHardKeyboardSettings
    | StartApp
    | ResetVideo
)
ReadExactly = Callable[[int], Awaitable[bytes]]


async def read_control_message(read_exactly: ReadExactly) -> ControlMessage:
    """The next control message.

    Raises:
        EOFError: the socket ended.
        BadControlMessage: an unknown type or an impossible length.
    """
    kind = (await read_exactly(1))[0]
    reader = _READERS.get(kind)
    if reader is None:
        raise BadControlMessage(f"Unknown event type: {kind}")
    return await reader(read_exactly)


async def _unpack(read_exactly: ReadExactly, layout: struct.Struct) -> tuple[int, ...]:
    values: tuple[int, ...] = layout.unpack(await read_exactly(layout.size))
    return values


async def _counted(read_exactly: ReadExactly, size: int, most: int) -> bytes:
    length = int.from_bytes(await read_exactly(size), "big")
    if length > most:
        raise BadControlMessage(f"a text of {length} bytes, at most {most} are allowed")
    return await read_exactly(length)


def _u16_fixed(value: int) -> float:
    return 1.0 if value == 0xFFFF else value / 0x10000


def _i16_fixed(value: int) -> float:
    return 1.0 if value == 0x7FFF else value / 0x8000


KEYCODE = struct.Struct(">BiII")
TOUCH = struct.Struct(">BqiiHHHII")
SCROLL = struct.Struct(">iiHHhhI")
SET_CLIPBOARD = struct.Struct(">QB")
UHID_CREATE = struct.Struct(">HHH")
U16 = struct.Struct(">H")


async def _keycode(read_exactly: ReadExactly) -> ControlMessage:
    return InjectKeycode(*await _unpack(read_exactly, KEYCODE))


async def _text(read_exactly: ReadExactly) -> ControlMessage:
    data = await _counted(read_exactly, 4, MAX_TEXT)
    return InjectText(data.decode("utf-8", "replace"))


async def _touch(read_exactly: ReadExactly) -> ControlMessage:
    action, pointer, x, y, width, height, pressure, button, buttons = await _unpack(
        read_exactly, TOUCH
    )
    place = Position(x, y, width, height)
    return InjectTouch(action, pointer, place, _u16_fixed(pressure), button, buttons)


async def _scroll(read_exactly: ReadExactly) -> ControlMessage:
    x, y, width, height, horizontal, vertical, buttons = await _unpack(read_exactly, SCROLL)
    place = Position(x, y, width, height)
    return InjectScroll(place, _i16_fixed(horizontal) * 16, _i16_fixed(vertical) * 16, buttons)


async def _back(read_exactly: ReadExactly) -> ControlMessage:
    return BackOrScreenOn((await read_exactly(1))[0])


async def _get_clipboard(read_exactly: ReadExactly) -> ControlMessage:
    return GetClipboard((await read_exactly(1))[0])


async def _set_clipboard(read_exactly: ReadExactly) -> ControlMessage:
    sequence, paste = await _unpack(read_exactly, SET_CLIPBOARD)
    data = await _counted(read_exactly, 4, MAX_CLIPBOARD)
    return SetClipboard(sequence, bool(paste), data.decode("utf-8", "replace"))


async def _display_power(read_exactly: ReadExactly) -> ControlMessage:
    return SetDisplayPower(bool((await read_exactly(1))[0]))


async def _uhid_create(read_exactly: ReadExactly) -> ControlMessage:
    number, vendor, product = await _unpack(read_exactly, UHID_CREATE)
    name = (await _counted(read_exactly, 1, 255)).decode("utf-8", "replace")
    return UhidCreate(number, vendor, product, name, await _counted(read_exactly, 2, 0xFFFF))


async def _uhid_input(read_exactly: ReadExactly) -> ControlMessage:
    (number,) = await _unpack(read_exactly, U16)
    return UhidInput(number, await _counted(read_exactly, 2, 0xFFFF))


async def _uhid_destroy(read_exactly: ReadExactly) -> ControlMessage:
    return UhidDestroy(*await _unpack(read_exactly, U16))


async def _start_app(read_exactly: ReadExactly) -> ControlMessage:
    return StartApp((await _counted(read_exactly, 1, 255)).decode("utf-8", "replace"))


def _bare(message: ControlMessage) -> Callable[[ReadExactly], Awaitable[ControlMessage]]:
    async def read(read_exactly: ReadExactly) -> ControlMessage:
        return message

    return read


_READERS: dict[int, Callable[[ReadExactly], Awaitable[ControlMessage]]] = {
    0: _keycode,
    1: _text,
    2: _touch,
    3: _scroll,
    4: _back,
    5: _bare(Panel("notifications")),
    6: _bare(Panel("settings")),
    7: _bare(Panel(None)),
    8: _get_clipboard,
    9: _set_clipboard,
    10: _display_power,
    11: _bare(RotateDevice()),
    12: _uhid_create,
    13: _uhid_input,
    14: _uhid_destroy,
    15: _bare(OpenHardKeyboardSettings()),
    16: _start_app,
    17: _bare(ResetVideo()),
}


# --- to the computer -----------------------------------------------------------------------------
def device_meta(name: str) -> bytes:
    """The phone's name in its 64 bytes; a longer one is cut at a character."""
    data = name.encode()[: DEVICE_NAME_SIZE - 1].decode("utf-8", "ignore").encode()
    return data.ljust(DEVICE_NAME_SIZE, b"\0")


def codec_meta(codec: int, width: int, height: int) -> bytes:
    """What a video socket begins with, once."""
    return struct.pack(">III", codec, width, height)


def frame_header(size: int, pts_us: int | None, key: bool) -> bytes:
    """Returns the header of a packet; without a time it is a config packet."""
    flags = CONFIG if pts_us is None else pts_us | (KEY_FRAME if key else 0)
    return struct.pack(">QI", flags, size)


def clipboard_message(text: str) -> bytes:
    """The phone's clipboard changed, or was asked for."""
    data = text.encode()[: MAX_CLIPBOARD + 8].decode("utf-8", "ignore").encode()
    return struct.pack(">BI", CLIPBOARD, len(data)) + data


def ack_message(sequence: int) -> bytes:
    """The clipboard of that sequence was set."""
    return struct.pack(">BQ", ACK_CLIPBOARD, sequence)
