"""Encodes inputs as control messages: pure tables and functions.

The phone's virtual key map knows ASCII; other text goes through the clipboard.
"""

from __future__ import annotations

from collections.abc import Sequence

from episodes.actions import Key
from recorder.device.scrcpy import messages
from recorder.inputs import Input, KeyPress, StartApp, Touch, TypedText, WheelTurn

CODES: dict[Key, int] = {
    Key.BACK: 4,
    Key.HOME: 3,
    Key.RECENTS: 187,
    Key.ENTER: 66,
    Key.DELETE: 67,
    Key.TAB: 61,
    Key.POWER: 26,
    Key.VOLUME_UP: 24,
    Key.VOLUME_DOWN: 25,
    Key.MENU: 82,
}

# Source: https://developer.android.com/reference/android/view/KeyEvent
NAMED_CODES: dict[str, int] = {
    "KEYCODE_DPAD_UP": 19,
    "KEYCODE_DPAD_DOWN": 20,
    "KEYCODE_DPAD_LEFT": 21,
    "KEYCODE_DPAD_RIGHT": 22,
    "KEYCODE_DPAD_CENTER": 23,
    "KEYCODE_CAMERA": 27,
    "KEYCODE_SPACE": 62,
    "KEYCODE_SEARCH": 84,
    "KEYCODE_MEDIA_PLAY_PAUSE": 85,
    "KEYCODE_PAGE_UP": 92,
    "KEYCODE_PAGE_DOWN": 93,
    "KEYCODE_ESCAPE": 111,
    "KEYCODE_FORWARD_DEL": 112,
    "KEYCODE_MOVE_HOME": 122,
    "KEYCODE_MOVE_END": 123,
    "KEYCODE_WAKEUP": 224,
    "KEYCODE_CUT": 277,
    "KEYCODE_COPY": 278,
    "KEYCODE_PASTE": 279,
    **{f"KEYCODE_{digit}": 7 + digit for digit in range(10)},
    **{f"KEYCODE_{chr(ord('A') + place)}": 29 + place for place in range(26)},
}

META: dict[str, int] = {"META_CTRL_ON": 0x1000, "META_SHIFT_ON": 0x1}
"""Keys that are held meanwhile; they stand before a key's name, as in META_CTRL_ON+KEYCODE_A."""

_COPIES = {"KEYCODE_COPY": messages.CopyKey.COPY, "KEYCODE_CUT": messages.CopyKey.CUT}


_FINGERS = {0: messages.FINGER, 1: -3}


def messages_of(one: Input) -> Sequence[bytes]:
    """Returns the messages that do an input on the phone, in order.

    Raises:
        ValueError: a key that has no known name.
    """
    match one:
        case Touch():
            contact = one.contact
            pointer = _FINGERS.get(contact.pointer, contact.pointer)
            return (messages.touch(contact.phase, contact.at, one.shown.size, pointer),)
        case KeyPress():
            return press_messages(one.key, one.name)
        case TypedText():
            return paste_messages(one.text) if one.pasted else text_messages(one.text)
        case WheelTurn():
            return (messages.scroll(one.at, one.shown.size, one.across, one.down),)
        case StartApp():
            return (messages.start_app(one.package),)


def key_code(key: Key, name: str | None = None) -> int:
    """Returns Android's number of a key; `name` says which when `key` is OTHER.

    Raises:
        ValueError: OTHER without a known name.
    """
    if key is not Key.OTHER:
        return CODES[key]
    if name not in NAMED_CODES:
        raise ValueError(f"the key {name} is not known")
    return NAMED_CODES[name]


def press_messages(key: Key, name: str | None = None) -> tuple[bytes, ...]:
    """Returns the messages that press and release a key.

    Copy and cut also ask for the clipboard; the phone presses the key itself before it answers.

    Raises:
        ValueError: OTHER without a known name.
    """
    if key is not Key.OTHER or name is None:
        return messages.press(key_code(key, name))
    if name in _COPIES:
        return (messages.get_clipboard(_COPIES[name]),)
    *held, pressed = name.split("+")
    unknown = [word for word in held if word not in META]
    if unknown:
        raise ValueError(f"the key {unknown[0]} is not known")
    return messages.press(key_code(key, pressed), sum(META[word] for word in held))


def text_messages(text: str) -> list[bytes]:
    """Returns the messages that enter a text, in order; line ends become Enter."""
    found: list[bytes] = []
    for typed, piece in _runs(text):
        if piece == "\n":
            found.extend(press_messages(Key.ENTER))
        elif typed:
            found.extend(
                messages.text(piece[begin : begin + messages.MAX_TEXT])
                for begin in range(0, len(piece), messages.MAX_TEXT)
            )
        else:
            found.append(messages.set_clipboard(piece, paste=True))
    return found


def paste_messages(text: str) -> list[bytes]:
    """Returns the messages that put a text into the phone as a whole, line ends and all."""
    return [messages.set_clipboard(text, paste=True)] if text else []


def _runs(text: str) -> list[tuple[bool, str]]:
    """Splits into (the key map knows it, piece), line ends alone."""
    found: list[tuple[bool, str]] = []
    for character in text:
        typed = " " <= character <= "~" or character == "\t"
        if character != "\n" and found and found[-1][0] == typed and found[-1][1] != "\n":
            found[-1] = (typed, found[-1][1] + character)
        else:
            found.append((typed, character))
    return found
