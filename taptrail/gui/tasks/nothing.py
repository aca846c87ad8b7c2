"""What stands in Tasks while there are none."""

from __future__ import annotations

from collections.abc import Callable

from taptrail.gui.components.button import MAIN, Button
from taptrail.gui.components.messages import EmptyState
from taptrail.gui.components.panel import Panel
from taptrail.words import tr


def no_tasks(record: Callable[[], object], browse: Callable[[], object]) -> Panel:
    """Returns the page, with a button to record one and one to look for some."""
    first = Button(tr("Record"), "record-circle-outline", kind=MAIN, size="l")
    first.clicked.connect(lambda: record())
    second = Button(tr("Go to Episodes"), "table-large", size="l")
    second.clicked.connect(lambda: browse())
    page = Panel(tr("Tasks"))
    page.add(
        EmptyState(
            "clipboard-check-outline",
            tr("No tasks yet"),
            tr("Record one, or import a data set. Episodes with the same words are one task."),
            [first, second],
        )
    )
    return page
