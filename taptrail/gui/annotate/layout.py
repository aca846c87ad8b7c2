"""Layout of the Annotate page: tree, tools, frame and decision; progress and strip below."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from taptrail.gui.annotate import texts
from taptrail.gui.commands import key
from taptrail.gui.components.button import Button
from taptrail.gui.components.keycap import KeyHint
from taptrail.gui.components.labels import ElidedLabel, label
from taptrail.gui.components.messages import EmptyState
from taptrail.gui.components.panel import Icon, Panel, PanelSplitter, WidgetRow
from taptrail.gui.fonts import BODY, FACTS
from taptrail.usecases.annotating import StepState
from taptrail.words import tr

STATES = (StepState.ACCEPTED, StepState.LOW, StepState.WAITING, StepState.NONE)


class StepProgress(Panel):
    """Progress bar: the number of steps in each state."""

    def __init__(self) -> None:
        super().__init__(tr("Progress"))
        self.setFixedWidth(146)
        self.column.setContentsMargins(12, 0, 8, 0)
        self.column.setSpacing(1)
        self._steps = label("", BODY, 600)
        self._rows: dict[StepState, tuple[WidgetRow, ElidedLabel]] = {}
        self.add(None, self._steps)
        for state in STATES:
            icon, ink = texts.STATE_ICONS[state]
            said = ElidedLabel("", FACTS, ink="text2")
            row = WidgetRow(Icon(icon, 14, ink), said, gap=4)
            row.row.setStretch(1, 1)
            self._rows[state] = (row, said)
            self.add(row)
        self.add(None)

    def show_counts(self, counts: Mapping[StepState, int]) -> None:
        """Shows the number of steps in each state."""
        self._steps.setText(tr("1 step", "{n} steps", n=sum(counts.values())))
        for state, words in texts.counted(counts).items():
            row, said = self._rows[state]
            said.set_text(words)
            row.setVisible(bool(counts[state]))


def steps_page(
    left: QWidget,
    band: QWidget,
    tools: QWidget,
    frame: QWidget,
    right: QWidget,
    jobs: QWidget,
    below: WidgetRow,
) -> Panel:
    """Returns the page that shows one step; `band` is above the frame, `jobs` above the strip."""
    middle = Panel(tr("Frame"), "stage")
    inside = WidgetRow(tools, frame, gap=0)
    inside.row.setStretch(1, 1)
    middle.add(band, inside)
    middle.column.setStretch(1, 1)
    across = PanelSplitter(
        Qt.Orientation.Horizontal,
        [left, middle, right],
        [284, 0, 356],
        [200, 320, 280],
        [236, 0, 336],
    )
    below.row.setStretch(1, 1)
    foot = Panel(tr("Steps"))
    foot.setFixedHeight(118)
    foot.add(below)
    line = Panel("", "line")
    line.setFixedHeight(1)
    whole = Panel(tr("Annotate"), "window")
    whole.add(across, jobs, line, foot)
    whole.column.setStretch(0, 1)
    return whole


def empty_page(title: str, more: str, browse: Button, error: QWidget | None = None) -> Panel:
    """Returns the page for a library without episodes."""
    page = Panel(tr("Annotate"))
    if error is not None:
        page.add(error)
    page.add(EmptyState("vector-square", title, more, [browse]))
    page.column.setStretch(page.column.count() - 1, 1)
    return page


def hints() -> list[QWidget]:
    """Returns the keys of the page, for the status bar."""
    return [
        KeyHint([key("accept")], tr("Accept")),
        KeyHint([key("last-annotated"), key("next-annotated")], tr("Step")),
        KeyHint(["Tab"], tr("Next low")),
        KeyHint([key("point")], tr("Point")),
        KeyHint([key("box")], tr("Box")),
        KeyHint([key("undo")], tr("Undo")),
        KeyHint([key("keys")], tr("All keys")),
    ]
