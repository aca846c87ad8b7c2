"""The keys that do something in Record now, as caps for the status bar and the key map."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from taptrail.gui.commands import key
from taptrail.gui.components.keycap import KeyHint
from taptrail.words import tr


def key_hints(modifier: str, *, connected: bool, running: bool, paused: bool) -> list[QWidget]:
    """Returns the caps for the status bar; `modifier` is the key that keeps one from the phone."""
    if not connected:
        return [
            KeyHint([key("start-demo")], tr("Start the demo phone")),
            KeyHint([key("look-again")], tr("Look again")),
        ]
    phone: list[QWidget] = [
        KeyHint([f"{modifier}+H"], tr("Home")),
        KeyHint([f"{modifier}+B"], tr("Back")),
        KeyHint([f"{modifier}+S"], tr("Recents")),
    ]
    if running:
        return [
            *phone,
            KeyHint([key("pause")], tr("Go on") if paused else tr("Pause")),
            KeyHint([key("complete")], tr("Complete")),
        ]
    return [*phone, KeyHint([key("record")], tr("Record"))]


def phone_keys(modifier: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Returns (words, keys) of what the mirror has for the phone while it has the focus."""
    return (
        (tr("Phone: Home"), (f"{modifier}+H",)),
        (tr("Phone: Back"), (f"{modifier}+B", "Esc")),
        (tr("Phone: Recents"), (f"{modifier}+S",)),
        (tr("Phone: paste this computer's clipboard"), ("Ctrl+V",)),
        (tr("Phone: copy, cut, to this computer too"), ("Ctrl+C", "Ctrl+X")),
    )
