"""Layout of the Review page: panels side by side; strip, playback and reports below."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from taptrail.gui.commands import key
from taptrail.gui.components.button import Button
from taptrail.gui.components.keycap import KeyHint
from taptrail.gui.components.messages import EmptyState
from taptrail.gui.components.panel import Panel, PanelSplitter
from taptrail.words import tr

LEFT = 226
"""What the left panel needs so that the list's lines are not cut."""


def steps_page(left: list[QWidget], columns: QWidget, why: QWidget, below: list[QWidget]) -> Panel:
    """Returns the page with frames; the last widget on the left takes the remaining space."""
    panel = Panel(tr("Scores"))
    panel.add(*left)
    panel.column.setStretch(len(left) - 1, 1)
    across = PanelSplitter(
        Qt.Orientation.Horizontal,
        [panel, columns, why],
        [264, 0, 308],
        [LEFT, 240, 280],
        [236, 0, 296],
    )
    line = Panel("", "line")
    line.setFixedHeight(1)
    whole = Panel(tr("Review"), "window")
    whole.add(across, line, *below)
    whole.column.setStretch(0, 1)
    return whole


def empty_page(browse: Button) -> Panel:
    """Returns the page for a library without episodes."""
    empty = Panel(tr("Review"))
    empty.add(
        EmptyState(
            "compare",
            tr("Nothing to review yet"),
            tr("Record an episode or import a data set, then a run's predictions."),
            [browse],
        )
    )
    return empty


def hints() -> list[QWidget]:
    """Returns the key hints of the page with frames, for the status bar."""
    return [
        KeyHint([key("last-step"), key("next-step")], tr("Step")),
        KeyHint([key("next-parting")], tr("Next in the list")),
        KeyHint([key("judge-right"), key("judge-gold"), key("judge-verdict")], tr("Judge")),
        KeyHint([key("play")], tr("Play")),
        KeyHint([key("keys")], tr("All keys")),
    ]
