"""Names of keys for people: those of `episodes.actions.Key`, and Android's own names."""

from __future__ import annotations

from episodes import actions as a

KEY_LABELS = {
    a.Key.BACK: "Back",
    a.Key.HOME: "Home",
    a.Key.RECENTS: "Recents",
    a.Key.ENTER: "Enter",
    a.Key.DELETE: "Delete",
    a.Key.TAB: "Tab",
    a.Key.POWER: "Power",
    a.Key.VOLUME_UP: "Volume up",
    a.Key.VOLUME_DOWN: "Volume down",
    a.Key.MENU: "Menu",
}
"""English names; whoever shows them translates them."""

_HELD = {"META_CTRL_ON": "Ctrl", "META_SHIFT_ON": "Shift", "META_ALT_ON": "Alt"}


def format_key(native: str | None) -> str:
    """Returns a key's name in words: "META_CTRL_ON+KEYCODE_4" as "Ctrl+4"; "" for none.

    Held keys come before the key, joined by "+", as recordings write them.
    """
    *held, key = (native or "").split("+")
    named = key.removeprefix("KEYCODE_").replace("_", " ").capitalize()
    return "+".join([*(_HELD.get(one, one.replace("_", " ").capitalize()) for one in held), named])
