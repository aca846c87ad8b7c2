"""The Review page: step through episodes with gold and runs side by side."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent

from episodes.store.library import Library
from taptrail.gui.components.shell import Page
from taptrail.gui.history import ChangeHistory
from taptrail.gui.review.filters import DifferingStep, Filter, pair_of
from taptrail.gui.review.head import LETTERS
from taptrail.gui.review.judgement_controller import JudgementController
from taptrail.gui.review.scoring_session import ScoringSession
from taptrail.gui.review.shortcuts import bind, use_keys
from taptrail.gui.review.step_controller import StepController
from taptrail.gui.review.view import DIFFERENCES, EMPTY, STEPS, ReviewView
from taptrail.gui.thumbnails import Pictures
from taptrail.gui.work import WorkThread
from taptrail.usecases import reviewing
from taptrail.usecases.judgements import takes_alternatives
from taptrail.usecases.predicting import request_of_run

DEFAULT_PROTOCOL = "guiodyssey@2"
_NARROW = 1280


class ReviewPlace(Page):
    """Signals:
    browse: the user asked for the Episodes page.
    imports: the user asked to import predictions.
    said: (message, whether undo is offered) after a change.
    """

    browse = Signal()
    imports = Signal()
    said = Signal(str, bool)

    def __init__(
        self,
        reader: WorkThread[Library],
        judge: WorkThread[Library],
        thumbnails: Pictures,
        pictures: Pictures,
        history: ChangeHistory | None = None,
        protocol: str = DEFAULT_PROTOCOL,
    ) -> None:
        """Without `history` the page is read-only."""
        super().__init__("Review")
        self._reader = reader
        self.scorer = ScoringSession(judge, protocol, self)
        self.parts = parts = ReviewView(reader, judge, thumbnails, pictures, protocol)
        self.judgements = JudgementController(reader, history, parts.aside, self)
        self.shown = StepController(parts, reader, pictures, self.scorer, self.judgements)
        self.shown.setParent(self)
        self.comparisons, self.stills = self.shown.comparisons, self.shown.stills
        self.player, self.video = self.shown.player, self.shown.player.video
        self.scores, self.differing, self.columns = parts.scores, parts.differing, parts.columns
        self.strip, self.playback, self.reporting = parts.strip, parts.playback, parts.reporting
        self.report, self.differ, self.differences = parts.report, parts.differ, parts.differences
        self.aside, self.why, self.foot = parts.aside, parts.aside.why, parts.foot
        self.asking = parts.asking
        self._wanted_step: int | None = None
        self._wanted_run = ""
        self._order: tuple[str, ...] = ()
        self._search = 0
        self.furnish(parts.head, parts.stack, parts.status)
        self._connect()
        self._bind()

    def _connect(self) -> None:
        parts = self.parts
        parts.browse.clicked.connect(self.browse)
        parts.extras.changed.connect(self.columns.set_extras)
        parts.extras.toggles["target"].setChecked(True)
        parts.protocol.chosen.connect(self.choose_protocol)
        parts.runs.chosen.connect(self._choose_own)
        parts.report.clicked.connect(self._offer_report)
        parts.new_run.clicked.connect(self.begin_run)
        self.asking.made.connect(self._open_run)
        parts.differ.clicked.connect(self.show_differences)
        self.why.wanted.connect(parts.runs.offer)
        self.why.imports.connect(self.imports)
        for page in (self.why, self.aside.notes):
            page.left.connect(self._back_to_strip)
        self.why.asks.connect(self._show_request)
        self.aside.numbers.wanted.connect(self._list_pair)
        self.differing.chosen.connect(self.go)
        self.differences.closed.connect(self.show_steps)
        self.differences.opened.connect(self._open_differing)
        self.scorer.changed.connect(self._show_runs)
        self.scorer.listed.connect(self._show_lines)
        self.scorer.moved.connect(self.scores.show_progress)
        self.judgements.said.connect(lambda words: self.said.emit(words, True))
        self.judgements.changed.connect(self._changed)
        for failing in (self.scorer, self.comparisons, self.video, self.judgements):
            failing.failed.connect(parts.error.tell)

    def _bind(self) -> None:
        bind(
            self,
            self.parts,
            self.shown,
            self.judgements,
            {
                "next-parting": lambda: self._next_parting(1),
                "last-parting": lambda: self._next_parting(-1),
                "next-episode": lambda: self._next_episode(1),
                "last-episode": lambda: self._next_episode(-1),
                "report": self._offer_report,
                "differences": self.show_differences,
            },
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        self.parts.make_room(narrow=self.width() < _NARROW, runs=len(self.scorer.runs))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.why.form_open():
            self.why.close_forms()
        else:
            super().keyPressEvent(event)

    # --- open episode ------------------------------------------------------------------------

    def entered(self) -> None:
        """Lists new runs; the shown step stays."""
        self._load(self.shown.uuid(), fresh=False)

    def open_at(self, uuid: str, row: int = 0) -> None:
        """Opens an episode at a step's row, with the runs that have predictions for it.

        Runs selected by the user stay if one of them has.
        """
        self.show_steps()
        self._wanted_step = None
        self.shown.row = row
        self._load(uuid, fresh=True)

    def _load(self, uuid: str, *, fresh: bool) -> None:
        self._search += 1
        search = self._search

        def done(found: reviewing.ReviewContents) -> None:
            if search == self._search:
                self._found(found, fresh=fresh)

        self._reader.run(
            lambda library: reviewing.what_there_is(library, uuid, must_be=fresh),
            owner=self,
            done=done,
            failed=self.parts.error.tell,
            next_up=fresh,
        )

    def _found(self, found: reviewing.ReviewContents, *, fresh: bool) -> None:
        wanted = self.scorer.take(found.runs, found.answering, fresh=fresh)
        if self._wanted_run in self.scorer.there_are:
            others = [name for name in self.scorer.runs if name != self._wanted_run]
            self.scorer.judged.pop(self._wanted_run, None)
            self.scorer.own_choice = True
            wanted = [self._wanted_run, *others]
        self._wanted_run = ""
        self._order = found.order
        self.parts.show_page(STEPS if found.order or found.uuid else EMPTY)
        if found.uuid and self.hasFocus():
            self.strip.setFocus()
        elsewhere = self.shown.uuid() != found.uuid
        if wanted is not None:
            self.choose_runs(wanted)
        self._show_runs()
        if found.uuid and (fresh or elsewhere):
            self._open(found.uuid)

    def _open(self, uuid: str, *, again: bool = False) -> None:
        """Reads an episode and shows it; `again` if it was only changed."""
        names = tuple(self.scorer.runs)
        self._search += 1
        search = self._search

        def done(opened: reviewing.OpenEpisode) -> None:
            if search == self._search:
                wanted, self._wanted_step = self._wanted_step, None
                if again:
                    self.shown.show_again(opened)
                else:
                    self.shown.show_episode(opened, wanted)

        self._reader.run(
            lambda library: reviewing.open_episode(library, uuid, names),
            owner=self,
            done=done,
            failed=self.parts.error.tell,
            next_up=True,
        )

    def choose_runs(self, names: list[str]) -> None:
        """Compares these runs, at most four, in this order."""
        self.shown.selected = min(self.shown.selected, max(0, min(len(names), len(LETTERS)) - 1))
        self.scorer.choose(names)
        if self.shown.uuid():
            self._open(self.shown.uuid())

    def choose_protocol(self, key: str) -> None:
        """Scores all runs by another protocol."""
        if key != self.scorer.protocol:
            self.parts.protocol.show_protocol(key)
            self.scorer.choose_protocol(key)
            self.shown.show_step()

    def runs(self) -> list[str]:
        """Returns the names of the runs that are compared, A first."""
        return list(self.scorer.runs)

    def where(self) -> tuple[str, int]:
        """Returns the name of the open episode and the row of its step; ("", -1) if none."""
        return self.shown.where()

    def turn_to(self, row: int) -> None:
        """Shows another step of the open episode, and stops playing."""
        self.shown.turn_to(row)

    def leaving(self) -> None:
        """Cancels scoring, comparison, playback and reports."""
        self.aside.notes.note.keep()
        self.differences.leaving()
        self.scorer.cancel()
        self.video.close()
        self.reporting.cancel()

    def _choose_own(self, names: list[str]) -> None:
        self.scorer.own_choice = True
        self.choose_runs(names)

    def _changed(self, uuid: str) -> None:
        """Shows changes of the open episode, and of verdicts that depend on them."""
        if uuid != self.shown.uuid():
            return
        self._open(uuid, again=True)
        if takes_alternatives(self.scorer.protocol):
            self.scorer.judge_again()

    # --- differences, report -------------------------------------------------------------------

    def show_differences(self) -> None:
        """Shows the page that explains why scores differ."""
        if self.parts.page() == STEPS:
            self.video.pause()
            self.parts.show_differences(on=True)
            use_keys(self, on=False)
            self.differences.use(self.scorer.runs, self.scorer.protocol)
            self.differences.groups.setFocus()

    def show_steps(self) -> None:
        """Returns to the steps."""
        if self.parts.page() == DIFFERENCES:
            self.differences.leaving()
            self.parts.show_differences(on=False)
            use_keys(self, on=True)
            self.strip.setFocus()

    def _open_differing(self, place: reviewing.Place) -> None:
        self.show_steps()
        self.go(place)

    def _show_runs(self) -> None:
        pairs, judged = self.scorer.pairs(), self.scorer.judged
        self.parts.runs.show_runs(list(self.scorer.there_are), self.scorer.runs)
        self._make_room()
        if self.parts.page() == DIFFERENCES:
            self.differences.follow(self.scorer.runs, self.scorer.protocol)
        self.parts.show_report(offered=bool(pairs))
        self.scores.show_runs([(x, name, judged.get(name)) for x, name in pairs])
        self.scores.setVisible(bool(pairs))
        self.shown.show_numbers()

    def _show_lines(self, lines: list[DifferingStep]) -> None:
        self.differing.show_lines(lines)
        self.differing.turn_to(self.shown.place())
        self.shown.show_strip()
        self.shown.say_more()

    def _list_pair(self, gold: str, predicted: str) -> None:
        """Lists the steps of a cell of the confusion matrix."""
        self.differing.use(Filter(pair=pair_of(self.shown.letter(), gold, predicted)))
        lines = self.differing.lines()
        if lines:
            self.go(lines[0].place)

    def _show_request(self, run: str, episode: str, step: int) -> None:
        about = (run, episode, step)
        self._reader.run(
            lambda library: request_of_run(library.folder, *about),
            owner=self,
            done=lambda text: self.why.show_request(about, text),
            failed=self.parts.error.tell,
            next_up=True,
        )

    def begin_run(self) -> None:
        """Opens the form for a new run of a model."""
        self.show_steps()

        def opened(folder: Path) -> None:
            self.asking.use_folder(folder)
            self.asking.open()

        self._reader.run(
            lambda library: library.folder,
            owner=self,
            done=opened,
            failed=self.parts.error.tell,
            next_up=True,
        )

    def _open_run(self, name: str, uuid: str) -> None:
        """Shows a run that has just been made, at the first episode it answers."""
        self._wanted_run = name
        self.open_at(uuid)

    def _offer_report(self) -> None:
        if self.report.isEnabled():
            self.reporting.offer(self.report, self.scorer.runs, self.scorer.protocol)

    # --- other episodes ------------------------------------------------------------------------

    def go(self, place: reviewing.Place) -> None:
        """Shows a step of the library."""
        uuid, index = place
        if self.shown.uuid() == uuid:
            self.shown.turn_to_index(index)
        else:
            self._wanted_step = index
            self._open(uuid)

    def _next_parting(self, step: int) -> None:
        place = self.shown.place()
        wanted = self.differing.next_place(place, step) if place is not None else None
        if wanted is not None:
            self.go(wanted)

    def _next_episode(self, step: int) -> None:
        if self.shown.uuid() not in self._order:
            return
        wanted = self._order.index(self.shown.uuid()) + step
        if 0 <= wanted < len(self._order):
            self.open_at(self._order[wanted])

    def _back_to_strip(self) -> None:
        self.strip.setFocus(Qt.FocusReason.OtherFocusReason)
