"""Key hints of the Tasks page for the status bar."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from taptrail.gui.commands import key
from taptrail.gui.components.keycap import KeyHint
from taptrail.words import tr


def key_hints(*, side_by_side: bool) -> list[QWidget]:
    """Returns the hints, for the side-by-side view or the charts."""
    if side_by_side:
        return [
            KeyHint(["Left", "Right"], tr("Step")),
            KeyHint(["Up", "Down"], tr("Attempt")),
            KeyHint([key("annotate-attempt")], tr("Annotate")),
            KeyHint([key("review-attempt")], tr("Review")),
            KeyHint([key("back-to-task")], tr("Back")),
        ]
    return [
        KeyHint(["Up", "Down"], tr("Task")),
        KeyHint([key("side-by-side")], tr("Side by side")),
        KeyHint([key("factor-up"), key("factor-down")], tr("Factor")),
        KeyHint([key("judge-attempt")], tr("Say how it ended")),
        KeyHint([key("record-attempt")], tr("Record attempt")),
        KeyHint([key("keys")], tr("All keys")),
    ]
