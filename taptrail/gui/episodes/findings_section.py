"""Inspector section with the findings of the selected episode, each with its step."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal

from annotator.lint.findings import LintSeverity
from taptrail.gui.annotate.texts import SEVERITIES
from taptrail.gui.components.button import Button
from taptrail.gui.components.chip import Chip
from taptrail.gui.components.labels import WrappedLabel, label
from taptrail.gui.components.panel import Icon, Section, WidgetRow, section_head
from taptrail.gui.fonts import CAPTION, FACTS
from taptrail.usecases.linting import ReportedFinding
from taptrail.words import tr

MOST = 3
_ORDER = tuple(LintSeverity)


class FindingsSection(Section):
    """The open findings, worst first, without notes.

    Signals:
        shown: row of the step to show.
    """

    shown = Signal(int)

    def __init__(self) -> None:
        self._count = Chip("", "mismatch")
        self._more = label("", CAPTION, tone="3")
        super().__init__(section_head(tr("Findings"), self._count, None))
        self._rows = [_Found() for _ in range(MOST)]
        for row in self._rows:
            row.shown.connect(self.shown)
            self.column.addWidget(row)
        self.column.addWidget(self._more)
        self._shown: tuple[list[ReportedFinding], dict[int, int]] = ([], {})
        self._most = MOST
        self.hide()

    def set_most(self, most: int) -> None:
        """Limits the number of listed findings; the others are counted."""
        if most != self._most:
            self._most = most
            self.show_found(*self._shown)

    def show_found(self, told: list[ReportedFinding], rows: dict[int, int]) -> None:
        """Shows findings; `rows` maps step indices to rows."""
        self._shown = told, rows
        open_ones = [
            one
            for one in told
            if one.accepted is None and one.finding.severity is not LintSeverity.NOTE
        ]
        open_ones.sort(key=lambda one: _ORDER.index(one.finding.severity))
        self._count.set_words(str(len(open_ones)), "mismatch")
        listed = open_ones[: self._most]
        for row, one in zip(self._rows, listed, strict=False):
            step = one.finding.step
            row.show_found(one, rows.get(step) if step is not None else None)
        for row in self._rows[len(listed) :]:
            row.hide()
        rest = len(open_ones) - len(listed)
        words = ("1 more in Annotate", "{n} more in Annotate")
        if not listed:
            words = ("See it in Annotate", "See them in Annotate")
        self._more.setText(tr(*words, n=max(0, rest)))
        self._more.setVisible(rest > 0)
        self.setVisible(bool(open_ones))

    def lines(self) -> list[str]:
        """Returns the shown texts."""
        return [row.words() for row in self._rows if not row.isHidden()]


class _Found(WidgetRow):
    shown = Signal(int)

    def __init__(self) -> None:
        self._sign = Icon("alert", 16, "mismatch")
        self._said = WrappedLabel(FACTS)
        self._show = Button(tr("Show"), size="s")
        super().__init__(self._sign, self._said, self._show, gap=8)
        self.row.setStretch(1, 1)
        for part in (self._sign, self._show):
            self.row.setAlignment(part, Qt.AlignmentFlag.AlignTop)
        self._row: int | None = None
        self._show.clicked.connect(lambda: self.shown.emit(self._row or 0))

    def show_found(self, told: ReportedFinding, row: int | None) -> None:
        icon, ink, _ = SEVERITIES[told.finding.severity]
        self._sign.set_icon(icon, ink)
        self._row = row
        where = tr("Step {n}: ", n=row + 1) if row is not None else ""
        self._said.set_text(where + told.finding.reason)
        self._show.set_tip(tr("Show the finding in Annotate"))
        self.show()

    def words(self) -> str:
        return self._said.text()
