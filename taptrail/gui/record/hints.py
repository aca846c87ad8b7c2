"""Key hints of the Record page for the status bar and the key map."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from taptrail.gui.commands import COMMANDS, key, keys
from taptrail.gui.components.keycap import KeyHint
from taptrail.words import tr


def key_hints(
    modifier: str, *, connected: bool, running: bool, paused: bool, in_phone: bool
) -> list[QWidget]:
    """Returns the hints for the status bar, which depend on the keyboard focus.

    Args:
        modifier: the modifier for keys that must not go to the phone.
        in_phone: whether the mirror has the focus.
    """
    if not connected:
        return [
            KeyHint([key("start-demo")], tr("Start the demo phone")),
            KeyHint([key("look-again")], tr("Look again")),
        ]
    hints: list[QWidget] = []
    if in_phone:
        hints = [
            KeyHint([f"{modifier}+H"], tr("Home")),
            KeyHint([f"{modifier}+B"], tr("Back")),
            KeyHint([f"{modifier} 1…5"], tr("Places")),
            KeyHint([key("next-part")], tr("Leave the phone")),
        ]
    if running:
        hints += [
            KeyHint([key("pause")], tr("Go on") if paused else tr("Pause")),
            KeyHint([key("complete")], tr("Complete")),
        ]
    else:
        hints.append(KeyHint([key("record")], tr("Record")))
    return hints if in_phone else [*hints, KeyHint([key("keys")], tr("All keys"))]


def kept_keys() -> tuple[str, ...]:
    """Returns the keys that stay with the window while the mirror has the focus.

    Only while nothing is recorded: during a recording they would be part of the demonstration.
    """
    names = [name for name in COMMANDS if name.startswith("go-")]
    names += ["record", "mark-recorded", "open-recorded", "quit"]
    return tuple(one for name in names for one in keys(name))


def phone_keys(modifier: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Returns (description, keys) of the keys that the mirror sends to the phone."""
    return (
        (tr("Phone: Home"), (f"{modifier}+H",)),
        (tr("Phone: Back"), (f"{modifier}+B", "Esc")),
        (tr("Phone: Recents"), (f"{modifier}+S",)),
        (tr("Phone: paste this computer's clipboard"), ("Ctrl+V",)),
        (tr("Phone: copy, cut, to this computer too"), ("Ctrl+C", "Ctrl+X")),
    )
