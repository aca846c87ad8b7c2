"""All widgets of the Review page, and how they are laid out."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget, QWidget

from episodes.store.library import Library
from taptrail.gui.commands import key
from taptrail.gui.compare.page import DifferencesPage
from taptrail.gui.components.button import MAIN, QUIET, Button
from taptrail.gui.components.keycap import words as key_words
from taptrail.gui.components.messages import ErrorBand
from taptrail.gui.components.shell import Head, StatusBar
from taptrail.gui.components.strip import StepStrip
from taptrail.gui.review.columns import Columns
from taptrail.gui.review.differing_steps import DifferingSteps
from taptrail.gui.review.foot import Foot
from taptrail.gui.review.head import ModeChoice, OverlayToggles, ProtocolButton, RunChoice
from taptrail.gui.review.layout import empty_page, hints, steps_page
from taptrail.gui.review.new_run import NewRunBar
from taptrail.gui.review.playback import Playback
from taptrail.gui.review.report_bar import ReportBar
from taptrail.gui.review.scores import Scores
from taptrail.gui.review.side_panel import SidePanel
from taptrail.gui.thumbnails import Pictures
from taptrail.gui.work import WorkThread
from taptrail.words import tr

EMPTY, STEPS, DIFFERENCES = range(3)
_RUNS_BESIDE_WORDS = 1


class ReviewView:
    """The attributes are the widgets."""

    def __init__(
        self,
        reader: WorkThread[Library],
        judge: WorkThread[Library],
        thumbnails: Pictures,
        pictures: Pictures,
        protocol: str,
    ) -> None:
        self.scores, self.differing = Scores(), DifferingSteps()
        self.columns, self.aside = Columns(), SidePanel()
        self.playback = Playback()
        self.reporting = ReportBar(judge)
        self.asking = NewRunBar()
        self.new_run = Button(tr("New run…"), "robot-outline", kind=QUIET)
        self.new_run.set_tip(tr("New run: ask a model about these steps"))
        self.strip = StepStrip(thumbnails, tr("Steps of the episode"))
        self.foot = Foot(self.strip)
        self.error = ErrorBand()
        self.runs = RunChoice()
        self.mode, self.extras = ModeChoice(), OverlayToggles()
        self.protocol = ProtocolButton(protocol)
        self.report = Button(tr("Report"), "file-chart-outline")
        self.differences = DifferencesPage(judge, reader, pictures)
        why = tr("Why do two numbers differ?") + "  " + key_words(key("differences"))
        self.differ = Button(tr("Differences"), "not-equal-variant", kind=QUIET, tip=why)
        self.browse = Button(tr("Go to Episodes"), "table-large", kind=MAIN, size="l")
        self.head = Head(
            tr("Review"),
            [self.runs, self.new_run],
            [self.mode, self.extras],
            [self.differ, self.protocol, self.report],
        )
        self.status = StatusBar(hints())
        self.stack = QStackedWidget()
        self.stack.addWidget(empty_page(self.browse))
        self.stack.addWidget(self._steps())
        self.stack.addWidget(self.differences)

    def _steps(self) -> QWidget:
        return steps_page(
            [self.error, self.scores, self.differing],
            self.columns,
            self.aside,
            [self.foot, self.playback, self.reporting, self.asking],
        )

    def page(self) -> int:
        """Returns EMPTY, STEPS or DIFFERENCES."""
        return self.stack.currentIndex()

    def show_page(self, page: int) -> None:
        """Shows the steps or the empty page; an open comparison page stays."""
        if page == EMPTY or self.page() != DIFFERENCES:
            self.stack.setCurrentIndex(page)

    def show_differences(self, *, on: bool) -> None:
        """Shows the comparison page or the steps, each with its own keys."""
        self.stack.setCurrentIndex(DIFFERENCES if on else STEPS)
        for part in (self.mode, self.extras, self.differ):
            part.setVisible(not on)
        self.status.show_keys(self.differences.hints() if on else hints())
        self.head.layout_again()

    def make_room(self, *, narrow: bool, runs: int) -> None:
        """Shows icons alone in the head where words would not fit beside the runs."""
        self.mode.set_narrow(narrow)
        self.new_run.set_words("" if narrow or runs > _RUNS_BESIDE_WORDS else tr("New run…"))
        self.head.layout_again()

    def show_report(self, *, offered: bool) -> None:
        """Enables the report button if there is a run."""
        self.report.setEnabled(offered)
        self.report.set_tip(tr("Write a report") if offered else tr("Choose a run to report on"))
        self.head.layout_again()
