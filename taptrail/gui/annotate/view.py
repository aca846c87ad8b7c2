"""All widgets of the Annotate page, and the functions that show the state in them."""

from __future__ import annotations

from collections import Counter
from statistics import median

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QStackedWidget

from annotator.candidates import Level
from episodes.store.library import Library
from taptrail.gui import phrases
from taptrail.gui.annotate import texts
from taptrail.gui.annotate.decision import ROUND, DecisionPanel
from taptrail.gui.annotate.frame import AnnotateFrame, Tool
from taptrail.gui.annotate.layout import StepProgress, empty_page, hints, steps_page
from taptrail.gui.annotate.mark_painter import MarkPainter
from taptrail.gui.annotate.queue_head import LevelCounts, QueueButton
from taptrail.gui.annotate.rounds import RoundBand
from taptrail.gui.annotate.screen_loader import ScreenLoader
from taptrail.gui.annotate.state import AnnotateState
from taptrail.gui.annotate.tools import ToolBar
from taptrail.gui.annotate.tree import TreePanel
from taptrail.gui.commands import key
from taptrail.gui.components.button import MAIN, QUIET, Button
from taptrail.gui.components.chip import Chip
from taptrail.gui.components.keycap import words as key_words
from taptrail.gui.components.labels import ElidedLabel
from taptrail.gui.components.messages import EPISODES_DONE, ErrorBand, JobBar
from taptrail.gui.components.panel import WidgetRow
from taptrail.gui.components.shell import Head, StatusBar
from taptrail.gui.components.strip import StepStrip
from taptrail.gui.components.tips import tip
from taptrail.gui.decisions import decision_words
from taptrail.gui.fonts import BODY, FACTS
from taptrail.gui.thumbnails import Pictures
from taptrail.gui.work import WorkThread
from taptrail.usecases.annotating import StepState
from taptrail.usecases.annotation_queue import rest_of_high
from taptrail.words import tr

_NAME = 160


class AnnotateView(QObject):
    """The attributes are the widgets, named as on the screen."""

    def __init__(
        self,
        state: AnnotateState,
        reader: WorkThread[Library],
        thumbnails: Pictures,
        pictures: Pictures,
    ) -> None:
        super().__init__()
        self._state = state
        self.tree, self.frame, self.tools = TreePanel(), AnnotateFrame(), ToolBar()
        self.decision = DecisionPanel()
        self.strip = StepStrip(thumbnails, tr("Steps of the episode"))
        self.progress = StepProgress()
        self.painting = MarkPainter(state)
        self.screens = ScreenLoader(
            state, self.frame, self.tree, reader, pictures, self.decision.error.tell
        )
        self.screens.setParent(self)
        self._name = ElidedLabel("", FACTS, mono=True, ink="text2")
        self._instruction = ElidedLabel("", BODY)
        self._review = Chip("")
        self._review.hide()
        self._private = Chip(tr("Private"), "outline", "eye-off-outline")
        self._private.setToolTip(tip(tr("This episode is left out of every export")))
        self._private.hide()
        self._lock = Chip(tr("Read-only"), "outline", "lock-outline")
        self._lock.hide()
        self.band = RoundBand()
        self.counts, self.queue = LevelCounts(), QueueButton()
        self.suggest = Button(
            tr("Suggest"),
            "select-search",
            kind=QUIET,
            tip=tr("Suggest targets from the pictures of all steps without one, without a model")
            + f"  {key_words(key('suggest'))}",
        )
        self.jobs = JobBar()
        self.judge = Button(
            "",
            "check-decagram-outline",
            kind=QUIET,
            tip=tr("What is your decision on the episode?"),
        )
        self.rounds = Button("", "account-multiple-outline", kind=QUIET, tip=tr("Blind round"))
        self.undo = Button("", "undo", kind=QUIET, tip=tr("Undo"))
        self.redo = Button("", "redo", kind=QUIET, tip=tr("Redo"))
        self.before = Button("", "skip-previous", kind=QUIET, tip=tr("Episode before"))
        self.after = Button("", "skip-next", kind=QUIET, tip=tr("Next episode"))
        self.head = Head(
            tr("Annotate"),
            [self._name, self._instruction, self._review, self._private],
            [],
            [
                self._lock,
                self.counts,
                self.queue,
                self.suggest,
                self.rounds,
                self.judge,
                self.undo,
                self.redo,
                self.before,
                self.after,
            ],
        )
        self.status = StatusBar(hints())
        self.stack = QStackedWidget()
        self.error = ErrorBand()
        self.browse = [
            Button(tr("Go to Episodes"), "table-large", kind=MAIN, size="l") for _ in range(2)
        ]
        self.stack.addWidget(
            empty_page(
                tr("Nothing to annotate yet"),
                tr("Record an episode, or import a data set."),
                self.browse[0],
                self.error,
            )
        )
        self.stack.addWidget(
            empty_page(
                tr("This episode has no steps"),
                tr("They may have been deleted: undo brings them back."),
                self.browse[1],
            )
        )
        below = WidgetRow(self.progress, self.strip, gap=0)
        self.stack.addWidget(
            steps_page(
                self.tree, self.band, self.tools, self.frame, self.decision, self.jobs, below
            )
        )

    def show_nothing(self) -> None:
        """Shows that the library has no episodes."""
        self.stack.setCurrentIndex(0)

    def show_episode(self) -> None:
        """Shows the texts of the episode, and its steps if it has any."""
        whole = self._state.whole
        if whole is None:
            return
        self._name.set_text(whole.episode.name)
        # A long instruction is elided; its tooltip has the whole text.
        self._name.setMinimumWidth(min(self._name.sizeHint().width(), _NAME))
        self._instruction.set_text(whole.episode.task.instruction or tr("No instruction"))
        review = whole.review
        self._review.setVisible(review is not None)
        if review is not None:
            icon, tone, word = decision_words(review.decision)
            self._review.set_words(word, tone, icon)
            who = tr("by {who}", who=review.author.name or tr("somebody"))
            self._review.setToolTip(tip(f"{who}. {review.reason}".strip()))
        self._private.setVisible(whole.episode.private)
        self.head.layout_again()
        self.stack.setCurrentIndex(2 if whole.episode.steps else 1)
        self.show_undo()

    def show_step(self) -> None:
        """Shows the current step."""
        opened, whole = self._state.opened(), self._state.whole
        if opened is None or whole is None:
            return
        count = len(whole.episode.steps)
        state = self._state.step_state(opened.step.index)
        said = [one for one in whole.said if one.step == opened.step.index]
        self.decision.show_step(opened, state, self._state.row() + 1, count, said)
        self.screens.show_step(opened.step, whole.episode.device)
        self.show_strip()
        self.show_focus()

    def show_strip(self) -> None:
        """Shows the state of each step."""
        whole = self._state.whole
        if whole is None:
            return
        steps = whole.episode.steps
        states = {step.index: self._state.step_state(step.index) for step in steps}
        items = [
            texts.strip_item(
                whole.opened[step.index],
                n,
                len(steps),
                states[step.index],
                self._state.findings_of(step.index),
            )
            for n, step in enumerate(steps, 1)
        ]
        self.strip.show_items(items, max(0, self._state.row()))
        counts = Counter(states.values())
        self.progress.show_counts(counts)
        seconds = [one.seconds for one in whole.times]
        self.decision.show_counts(
            counts[StepState.ACCEPTED],
            counts[StepState.LOW],
            median(seconds) if seconds else None,
        )
        self.show_queue()
        self.show_findings()

    def show_queue(self) -> None:
        """Shows how many steps wait at each level, and the order of the queue."""
        levels, whole = self._state.levels(), self._state.whole
        to_look_at = self._state.to_look_at()
        high = sum(levels[index] is Level.HIGH for index in to_look_at)
        self.counts.show_counts(Counter(levels.values()), high)
        rest = 0
        if whole is not None:
            found = rest_of_high(whole.episode, dict(whole.opened))
            rest = sum(index in levels for index in found)
        off = self._state.read_only or ("" if self._state.round == "" else tr(ROUND))
        self.queue.show_order(by_level=self._state.by_level, rest=rest, off=off)

    def show_findings(self) -> None:
        """Shows the findings of the step and of the whole episode."""
        state = self._state
        of_episode = [one for one in state.findings if one.finding.step is None]
        self.decision.findings.show_findings(
            (*state.findings_of(state.index), *of_episode), state.read_only
        )

    def show_focus(self) -> None:
        """Shows which candidate is in focus and what Accept does."""
        opened = self._state.opened()
        if opened is None:
            return
        state, tool = self._state, self.frame.tool()
        drawing = tool in (Tool.BOX, Tool.POLYGON)
        drawn = tr("the box") if self.frame.draft() is not None else ""
        if tool is Tool.POLYGON and len(state.corners) > 2:
            drawn = tr("the outline")
        self.decision.show_focus(
            opened,
            state.focus,
            state.label_shown(drawing=drawing),
            drawing=drawing,
            drawn=drawn,
            who=state.who(),
        )
        if self.screens.after:
            self.decision.go.setEnabled(False)
            self.decision.go.set_tip(tr("This is the screen after the step: go back to it first"))
        self.show_marks()
        self.show_undo()
        self._say_undo()

    def show_marks(self) -> None:
        """Draws the marks of the current step on the frame, and describes them."""
        opened, painting = self._state.opened(), self.painting
        if opened is None:
            return
        words = [phrases.sentence(phrases.action_words(opened.gold.action))]
        if self._state.focus is not None:
            words.append(texts.title_of(opened.choices[self._state.focus]))
        painting.form = self.decision.action_form.isVisible()
        painting.draft = self.frame.draft() is not None or bool(self._state.corners)
        hidden = painting.hidden or self.screens.after
        if self.screens.after:
            words = [self.frame.banner()]
        self.frame.show_marks(None if hidden else painting.paint, ", ".join(words))

    def show_suggesting(self, *, on: bool) -> None:
        """Shows that suggestions are being computed, or that they are available."""
        off = self._state.read_only or (tr(ROUND) if self._state.round else "")
        self.suggest.setEnabled(not on and not off)
        if on:
            self.jobs.begin(tr("Suggesting"), EPISODES_DONE, "select-search")
        elif not self.jobs.isHidden():
            self.jobs.hide()

    def show_tools(self) -> None:
        """Shows which tool is selected."""
        held, t = self.frame.tool(), self.tools
        for tool, button in (
            (Tool.SELECT, t.select),
            (Tool.POINT, t.point),
            (Tool.AVOID, t.avoid),
            (Tool.BOX, t.box),
            (Tool.POLYGON, t.polygon),
        ):
            button.setChecked(held is tool)

    def show_pointing(self, why_not: str) -> None:
        """Disables the tools that need SAM 2 and shows the reason, or enables them."""
        self.tools.point.set_off(why_not)
        self.tools.avoid.set_off(why_not)

    def show_read_only(self) -> None:
        """Disables all changes and shows the reason, or enables them."""
        why = self._state.read_only
        self._lock.setVisible(bool(why))
        self._lock.setToolTip(tip(why))
        self.head.layout_again()
        self.decision.set_read_only(why)
        self.tools.box.set_off(why)
        self.tools.polygon.set_off(why)
        self.show_undo()
        self.show_focus()

    def show_neighbours(self, *, before: bool, after: bool) -> None:
        """Shows whether there is a next and a previous episode."""
        self.before.setEnabled(before)
        self.after.setEnabled(after)

    def show_undo(self) -> None:
        """Shows what Undo and Redo would do."""
        whole, why = self._state.whole, self._state.read_only
        undo = whole.undo if whole is not None else None
        redo = whole.redo if whole is not None else None
        drawn = self._drawn_words()
        self.undo.setEnabled(bool(undo is not None or drawn) and not why)
        self.undo.set_tip(
            why or (tr("Undo: {what}", what=drawn) if drawn else texts.undo_words(undo))
        )
        self.redo.setEnabled(redo is not None and not why)
        self.redo.set_tip(why or texts.redo_words(redo))

    def show_status(self, waiting: int, *, looking: bool) -> None:
        """Shows the number of unsaved edits, whether SAM 2 is working, and what Undo does."""
        if self._state.read_only:
            self.status.say(tr("Read-only"), "lock-outline", "text2")
            self.status.say_health(self._state.read_only)
            self.status.say_undo("")
            return
        if waiting:
            said = tr("1 change is being saved", "{n} changes are being saved", n=waiting)
            self.status.say(said, "timer-sand", "text2")
        else:
            self.status.say(tr("Saved"))
        self.status.say_health(tr("SAM 2 is looking…") if looking else "")
        self._say_undo()

    def _say_undo(self) -> None:
        undo = self._state.whole.undo if self._state.whole is not None else None
        words = texts.line_words(undo) if undo is not None else ""
        self.status.say_undo("" if self._state.read_only else self._drawn_words() or words)

    def _drawn_words(self) -> str:
        """Returns the name of the unsaved drawing on the step, which Undo discards first."""
        state = self._state
        if self.frame.draft() is not None and self.frame.tool() is Tool.BOX:
            return tr("Drawn box")
        if state.corners:
            return tr("Last corner")
        return tr("Last point") if state.points.get(state.index) else ""
