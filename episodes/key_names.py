"""Formats Android's name of a key for people. Pure."""

from __future__ import annotations

_HELD = {"META_CTRL_ON": "Ctrl", "META_SHIFT_ON": "Shift", "META_ALT_ON": "Alt"}


def format_key(native: str | None) -> str:
    """Returns a key's name in words: "META_CTRL_ON+KEYCODE_4" as "Ctrl+4"; "" for none.

    Keys that are held stand before the key, joined by "+", as recordings write them.
    """
    *held, key = (native or "").split("+")
    named = key.removeprefix("KEYCODE_").replace("_", " ").capitalize()
    return "+".join([*(_HELD.get(one, one.replace("_", " ").capitalize()) for one in held), named])
