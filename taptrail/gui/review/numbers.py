"""The Numbers tab: confusion matrix of action kinds, and shares by kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal

from episodes.verdicts import Share
from taptrail.gui.components.labels import ElidedLabel, WrappedLabel, label
from taptrail.gui.components.messages import EmptyState
from taptrail.gui.components.panel import Icon, Panel, Scrolled, Section, WidgetRow, section_head
from taptrail.gui.fonts import CAPTION, FACTS
from taptrail.gui.review.kinds import KindsChart
from taptrail.gui.review.matrix import Matrix
from taptrail.usecases.reviewing import JudgedRun
from taptrail.words import tr

_FEW = 5
"""Fewer swipes than this say nothing about a declaration."""


class Numbers(Panel):
    """Signals:
    wanted: the (gold, predicted) kinds of the cell whose steps to list.
    """

    wanted = Signal(str, str)

    def __init__(self) -> None:
        super().__init__(tr("Numbers"))
        self._title = ElidedLabel("", FACTS, 600)
        self._count = label("", CAPTION, tone="3")
        self.matrix = Matrix()
        self.matrix.wanted.connect(self.wanted)
        how = label(
            tr("Rows gold, columns predicted. A cell lists its steps."),
            CAPTION,
            tone="3",
            wrap=True,
        )
        head = WidgetRow(self._title, self._count, gap=6)
        head.row.setStretch(0, 1)
        self.kinds = KindsChart()
        self._turned = WrappedLabel(FACTS)
        row = WidgetRow(Icon("alert", 17, "mismatch"), self._turned)
        row.row.setStretch(1, 1)
        self._warn = Section(None, row, line=False)
        inside = Panel(tr("Numbers"))
        inside.add(
            Section(head, self.matrix, how),
            Section(section_head(tr("Right steps by kind")), self.kinds),
            self._warn,
            None,
        )
        self._scrolled = Scrolled(inside)
        self._empty = EmptyState(
            "scale-balance",
            tr("No numbers yet"),
            tr("They appear after a run is scored."),
            aside=True,
        )
        self.add(self._scrolled, self._empty)
        self.show_runs("", [])

    def show_runs(self, selected: str, runs: Sequence[tuple[str, JudgedRun]]) -> None:
        """Shows the numbers of (letter, run) pairs; the matrix belongs to the selected letter."""
        found = dict(runs).get(selected)
        self._scrolled.setVisible(found is not None)
        self._empty.setVisible(found is None)
        if found is None:
            return
        total = sum(found.kinds.counts.values())
        self._title.set_text(tr("Action kinds, {run}", run=found.run.name))
        self._count.setText(tr("1 step", "{n} steps", n=total))
        self.matrix.show_counts(found.kinds)
        self.kinds.show_shares(
            _kinds([run.by_kind for _, run in runs]), [(x, run.by_kind) for x, run in runs]
        )
        against = found.against
        self._warn.setVisible(against.total >= _FEW and 2 * against.hits > against.total)
        self._turned.set_text(
            tr(
                "Swipes of {who} look reversed: {some} of {all} go the other way. Import the "
                "run again with the other direction of scrolls.",
                who=selected,
                some=f"{against.hits:,}",
                all=f"{against.total:,}",
            )
        )

    def warning(self) -> str:
        """Returns the warning about a run's swipe directions; "" if there is none."""
        return self._turned.text() if self._warn.isVisibleTo(self) else ""


def _kinds(shares: Sequence[Mapping[str, Share]]) -> list[str]:
    """Returns the gold kinds on which any run was scored, most frequent first."""
    found: dict[str, int] = {}
    for one in shares:
        for kind, share in one.items():
            found[kind] = max(found.get(kind, 0), share.total)
    return sorted((k for k, n in found.items() if n), key=lambda kind: (-found[kind], kind))
