"""scrcpy on the wire, seen from the phone: bytes to messages and frames to bytes.

The functions take the version the client asked for, 2.0 to 4.x. All integers are big-endian.
Nothing here touches the phone.

Source: ControlMessageReader.java, DeviceMessageWriter.java, Streamer.java, DesktopConnection.java
of scrcpy 2.0, 2.4, 2.7, 3.0, 3.1, 3.3.1, 3.3.4, 4.0 and 4.1.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

Version = tuple[int, ...]
"""A version of scrcpy, such as (3, 3, 4)."""

NEWEST_KNOWN = (3, 3, 4)
"""What the phone claims to be when a client asks for a version it does not serve."""
OLDEST_SERVED, END_OF_SERVED = (2, 0), (5, 0)
H264 = 0x68323634
DEVICE_NAME_SIZE = 64
SESSION = 1 << 31
DISABLED = struct.pack(">I", 0)

MAX_TEXT = 300
MAX_CLIPBOARD = 262130
CLIPBOARD, ACK_CLIPBOARD = 0, 1


class BadControlMessage(Exception):
    """Bytes on the control socket that are no message of this version; the server ends."""


def served_version(text: str) -> Version | None:
    """Returns the version a client asks for; None if this phone has no such server."""
    if not re.fullmatch(r"\d{1,4}(\.\d{1,4}){1,3}", text):
        return None
    version = tuple(int(part) for part in text.split("."))
    return version if OLDEST_SERVED <= version < END_OF_SERVED else None


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


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A message of 4.x about cameras, virtual displays or the media scanner."""

    what: str


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
    | Unsupported
)
ReadExactly = Callable[[int], Awaitable[bytes]]


async def read_control_message(
    read_exactly: ReadExactly, version: Version = NEWEST_KNOWN
) -> ControlMessage:
    """Returns the next control message of a client of this version.

    Raises:
        EOFError: the socket ended.
        BadControlMessage: an unknown type or an impossible length.
    """
    kind = (await read_exactly(1))[0]
    if kind == 14 and version < (2, 7):
        kind = 15  # these versions have no message that unplugs a device
    since, reader = _READERS.get(kind, (END_OF_SERVED, None))
    if reader is None or version < since:
        raise BadControlMessage(f"Unknown event type: {kind}")
    return await reader(read_exactly, version)


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
UHID_IDS = struct.Struct(">HH")
U16 = struct.Struct(">H")


async def _keycode(read_exactly: ReadExactly, version: Version) -> ControlMessage:
    return InjectKeycode(*await _unpack(read_exactly, KEYCODE))


async def _text(read_exactly: ReadExactly, version: Version) -> ControlMessage:
    data = await _counted(read_exactly, 4, MAX_TEXT)
    return InjectText(data.decode("utf-8", "replace"))


async def _touch(read_exactly: ReadExactly, version: Version) -> ControlMessage:
    action, pointer, x, y, width, height, pressure, button, buttons = await _unpack(
        read_exactly, TOUCH
    )
    place = Position(x, y, width, height)
    return InjectTouch(action, pointer, place, _u16_fixed(pressure), button, buttons)


async def _scroll(read_exactly: ReadExactly, version: Version) -> ControlMessage:
    x, y, width, height, horizontal, vertical, buttons = await _unpack(read_exactly, SCROLL)
    place = Position(x, y, width, height)
    most = 16 if version >= (3, 3, 1) else 1
    return InjectScroll(place, _i16_fixed(horizontal) * most, _i16_fixed(vertical) * most, buttons)


async def _back(read_exactly: ReadExactly, version: Version) -> ControlMessage:
    return BackOrScreenOn((await read_exactly(1))[0])


async def _get_clipboard(read_exactly: ReadExactly, version: Version) -> ControlMessage:
    return GetClipboard((await read_exactly(1))[0])


async def _set_clipboard(read_exactly: ReadExactly, version: Version) -> ControlMessage:
    sequence, paste = await _unpack(read_exactly, SET_CLIPBOARD)
    data = await _counted(read_exactly, 4, MAX_CLIPBOARD)
    return SetClipboard(sequence, bool(paste), data.decode("utf-8", "replace"))


async def _display_power(read_exactly: ReadExactly, version: Version) -> ControlMessage:
    return SetDisplayPower(bool((await read_exactly(1))[0]))


async def _uhid_create(read_exactly: ReadExactly, version: Version) -> ControlMessage:
    (number,) = await _unpack(read_exactly, U16)
    vendor, product = await _unpack(read_exactly, UHID_IDS) if version >= (3, 1) else (0, 0)
    name = ""
    if version >= (2, 7):
        name = (await _counted(read_exactly, 1, 255)).decode("utf-8", "replace")
    return UhidCreate(number, vendor, product, name, await _counted(read_exactly, 2, 0xFFFF))


async def _uhid_input(read_exactly: ReadExactly, version: Version) -> ControlMessage:
    (number,) = await _unpack(read_exactly, U16)
    return UhidInput(number, await _counted(read_exactly, 2, 0xFFFF))


async def _uhid_destroy(read_exactly: ReadExactly, version: Version) -> ControlMessage:
    return UhidDestroy(*await _unpack(read_exactly, U16))


async def _start_app(read_exactly: ReadExactly, version: Version) -> ControlMessage:
    return StartApp((await _counted(read_exactly, 1, 255)).decode("utf-8", "replace"))


async def _torch(read_exactly: ReadExactly, version: Version) -> ControlMessage:
    await read_exactly(1)
    return Unsupported("camera torch")


async def _resize(read_exactly: ReadExactly, version: Version) -> ControlMessage:
    await read_exactly(4)
    return Unsupported("resizing a virtual display")


async def _scan_file(read_exactly: ReadExactly, version: Version) -> ControlMessage:
    await _counted(read_exactly, 4, MAX_CLIPBOARD)
    return Unsupported("media scanner")


Reader = Callable[[ReadExactly, Version], Awaitable[ControlMessage]]


def _bare(message: ControlMessage) -> Reader:
    async def read(read_exactly: ReadExactly, version: Version) -> ControlMessage:
        return message

    return read


_READERS: dict[int, tuple[Version, Reader]] = {
    0: (OLDEST_SERVED, _keycode),
    1: (OLDEST_SERVED, _text),
    2: (OLDEST_SERVED, _touch),
    3: (OLDEST_SERVED, _scroll),
    4: (OLDEST_SERVED, _back),
    5: (OLDEST_SERVED, _bare(Panel("notifications"))),
    6: (OLDEST_SERVED, _bare(Panel("settings"))),
    7: (OLDEST_SERVED, _bare(Panel(None))),
    8: (OLDEST_SERVED, _get_clipboard),
    9: (OLDEST_SERVED, _set_clipboard),
    10: (OLDEST_SERVED, _display_power),
    11: (OLDEST_SERVED, _bare(RotateDevice())),
    12: ((2, 4), _uhid_create),
    13: ((2, 4), _uhid_input),
    14: ((2, 7), _uhid_destroy),
    15: ((2, 4), _bare(OpenHardKeyboardSettings())),
    16: ((3, 0), _start_app),
    17: ((3, 0), _bare(ResetVideo())),
    18: ((4, 0), _torch),
    19: ((4, 0), _bare(Unsupported("camera zoom"))),
    20: ((4, 0), _bare(Unsupported("camera zoom"))),
    21: ((4, 0), _resize),
    22: ((4, 1), _scan_file),
}
"""By type: the version that brought it, and its parser."""


# --- to the computer -----------------------------------------------------------------------------
def device_meta(name: str) -> bytes:
    """The phone's name in its 64 bytes; a longer one is cut at a character."""
    data = name.encode()[: DEVICE_NAME_SIZE - 1].decode("utf-8", "ignore").encode()
    return data.ljust(DEVICE_NAME_SIZE, b"\0")


def video_header(codec: int, width: int, height: int, version: Version = NEWEST_KNOWN) -> bytes:
    """Returns what a video socket begins with; since 4.0 each encoder session names its size."""
    if version >= (4, 0):
        return struct.pack(">I", codec)
    return struct.pack(">III", codec, width, height)


def session_header(width: int, height: int, version: Version) -> bytes:
    """Returns what an encoder session begins with; nothing before 4.0."""
    return struct.pack(">III", SESSION, width, height) if version >= (4, 0) else b""


def frame_header(
    size: int, pts_us: int | None, key: bool, version: Version = NEWEST_KNOWN
) -> bytes:
    """Returns the header of a packet; without a time it is a config packet."""
    config = 1 << (62 if version >= (4, 0) else 63)
    flags = config if pts_us is None else pts_us | (config >> 1 if key else 0)
    return struct.pack(">QI", flags, size)


def clipboard_message(text: str) -> bytes:
    """The phone's clipboard changed, or was asked for."""
    data = text.encode()[: MAX_CLIPBOARD + 8].decode("utf-8", "ignore").encode()
    return struct.pack(">BI", CLIPBOARD, len(data)) + data


def ack_message(sequence: int) -> bytes:
    """The clipboard of that sequence was set."""
    return struct.pack(">BQ", ACK_CLIPBOARD, sequence)
