"""Android's key codes, as far as the phone knows them. Knows no field and no screen."""

from __future__ import annotations

from enum import IntEnum


class KeyCode(IntEnum):
    """Keys that do something other than write a character."""

    HOME = 3
    BACK = 4
    UP = 19
    DOWN = 20
    LEFT = 21
    RIGHT = 22
    CENTRE = 23
    POWER = 26
    TAB = 61
    ENTER = 66
    DELETE = 67
    MENU = 82
    NOTIFICATION = 83
    SEARCH = 84
    PAGE_UP = 92
    PAGE_DOWN = 93
    ESCAPE = 111
    FORWARD_DELETE = 112
    MOVE_HOME = 122
    MOVE_END = 123
    NUMPAD_ENTER = 160
    RECENTS = 187
    SLEEP = 223
    WAKE = 224
    CUT = 277
    COPY = 278
    PASTE = 279


SHIFT = 0x1
CONTROL = 0x1000
CAPS_LOCK = 0x100000

_DIGITS = ("0)", "1!", "2@", "3#", "4$", "5%", "6^", "7&", "8*", "9(")
_SIGNS = {
    17: "**",
    18: "##",
    55: ",<",
    56: ".>",
    62: "  ",
    68: "`~",
    69: "-_",
    70: "=+",
    71: "[{",
    72: "]}",
    73: "\\|",
    74: ";:",
    75: "'\"",
    76: "/?",
    77: "@@",
    81: "++",
    154: "//",
    155: "**",
    156: "--",
    157: "++",
    158: "..",
    159: ",,",
}


def character(keycode: int, meta: int) -> str:
    """The character a key writes with these meta keys, "" if it writes none."""
    shifted = bool(meta & SHIFT)
    if 29 <= keycode <= 54:
        upper = shifted != bool(meta & CAPS_LOCK)
        letter = chr(ord("a") + keycode - 29)
        return letter.upper() if upper else letter
    if 7 <= keycode <= 16:
        return _DIGITS[keycode - 7][shifted]
    if 144 <= keycode <= 153:
        return str(keycode - 144)
    if keycode in _SIGNS:
        return _SIGNS[keycode][shifted]
    return ""
