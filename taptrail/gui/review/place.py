"""The place Review: step through episodes with gold and runs side by side."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QStackedWidget

from episodes.episodes import Episode
from episodes.steps import Step
from episodes.store.library import Library
from taptrail.gui.commands import key, keys
from taptrail.gui.compare.page import DifferencesPage
from taptrail.gui.components.button import MAIN, QUIET, Button
from taptrail.gui.components.keycap import words as key_words
from taptrail.gui.components.messages import ErrorBand
from taptrail.gui.components.shell import Head, Place, StatusBar
from taptrail.gui.components.strip import StepStrip
from taptrail.gui.review import saying
from taptrail.gui.review.columns import AFTER, OVERLAY, SPLIT, Columns, Said
from taptrail.gui.review.comparisons import Comparisons
from taptrail.gui.review.filters import Parting
from taptrail.gui.review.foot import Foot
from taptrail.gui.review.head import LETTERS, Extras, ModeChoice, ProtocolButton, RunChoice
from taptrail.gui.review.judging import Judging
from taptrail.gui.review.layout import empty_page, hints, steps_page
from taptrail.gui.review.partings import Partings
from taptrail.gui.review.playback import Playback
from taptrail.gui.review.reporting import Reporting
from taptrail.gui.review.scores import Scores
from taptrail.gui.review.screening import Screening
from taptrail.gui.review.stills import StepStills
from taptrail.gui.review.why import Why
from taptrail.gui.thumbnails import Pictures
from taptrail.gui.work import WorkThread
from taptrail.usecases import reviewing
from taptrail.words import tr

DEFAULT_PROTOCOL = "guiodyssey@2"
_NARROW = 1280


class ReviewPlace(Place):
    """Signals:
    browse: a person wants to go to Episodes.
    imports: a person wants to import predictions.
    """

    browse = Signal()
    imports = Signal()

    def __init__(
        self,
        reader: WorkThread[Library],
        judge: WorkThread[Library],
        thumbnails: Pictures,
        pictures: Pictures,
        protocol: str = DEFAULT_PROTOCOL,
    ) -> None:
        super().__init__("Review")
        self._reader, self._pictures = reader, pictures
        self.judging = Judging(judge, protocol, self)
        self.comparisons = Comparisons(reader, self)
        self._opened: reviewing.OpenEpisode | None = None
        self._row = 0
        self._selected = 0
        self._wanted_step: int | None = None
        self._order: tuple[str, ...] = ()
        self._search = 0

        self.scores = Scores()
        self.partings = Partings()
        self.columns = Columns()
        self.why = Why()
        self.playback = Playback()
        self.stills = StepStills(pictures, self.columns, self)
        self.screening = Screening(reader, self.columns, self.playback, self)
        self.cinema = self.screening.cinema
        self.reporting = Reporting(judge)
        self.strip = StepStrip(thumbnails, tr("Steps of the episode"))
        self._error = ErrorBand()
        self._run_choice = RunChoice()
        self._mode, self._extras = ModeChoice(), Extras()
        self._choose_protocol = ProtocolButton(protocol)
        self.report = Button(tr("Report"), "file-chart-outline")
        self.differences = DifferencesPage(judge, reader, pictures)
        why = tr("Why do two numbers differ?") + "  " + key_words(key("differences"))
        self.differ = Button(tr("Differences"), "not-equal-variant", kind=QUIET, tip=why)
        head = Head(
            tr("Review"),
            [self._run_choice],
            [self._mode, self._extras],
            [self.differ, self._choose_protocol, self.report],
        )
        status = StatusBar(hints())
        self.furnish(head, self._body(), status)
        self._connect()

    def _body(self) -> QStackedWidget:
        self.foot = Foot(self.strip)
        whole = steps_page(
            [self._error, self.scores, self.partings],
            self.columns,
            self.why,
            [self.foot, self.playback, self.reporting],
        )
        browse = Button(tr("Go to Episodes"), "table-large", kind=MAIN, size="l")
        browse.clicked.connect(self.browse)
        self._stack = QStackedWidget()
        self._stack.addWidget(empty_page(browse))
        self._stack.addWidget(whole)
        self._stack.addWidget(self.differences)
        return self._stack

    def _connect(self) -> None:
        self._extras.changed.connect(self.columns.set_extras)
        for command, toggle in self._extras.toggles.items():
            self._command(command, toggle.toggle)
        self._extras.toggles["target"].setChecked(True)
        self._mode.chosen.connect(self._show_mode)
        self._choose_protocol.chosen.connect(self.choose_protocol)
        self._run_choice.chosen.connect(self._choose_own)
        self.why.wanted.connect(self._run_choice.offer)
        self.why.imports.connect(self.imports)
        self.strip.chosen.connect(self.turn_to)
        self.partings.chosen.connect(self._go)
        self.columns.chosen.connect(lambda who: self._select(LETTERS.index(who)))
        self.stills.settled.connect(self.comparisons.get)  # now that the frame shows
        self.report.clicked.connect(self._offer_report)
        self.differ.clicked.connect(self.show_differences)
        self.differences.closed.connect(self.show_steps)
        self.differences.opened.connect(self._open_differing)
        self.judging.changed.connect(self._show_runs)
        self.judging.listed.connect(self._show_lines)
        self.judging.moved.connect(self.scores.show_progress)
        self.comparisons.ready.connect(self._compared)
        for failing in (self.judging, self.comparisons, self.cinema):
            failing.failed.connect(self._error.tell)
        self.screening.turned.connect(self._turn)
        self.playback.stepped.connect(lambda by: self.turn_to(self._row + by))
        for command, does in (
            ("last-step", lambda: self.turn_to(self._row - 1)),
            ("next-step", lambda: self.turn_to(self._row + 1)),
            ("first-step", lambda: self.turn_to(0)),
            ("end-step", lambda: self.turn_to(len(self._steps()) - 1)),
            ("next-parting", lambda: self._next_parting(1)),
            ("last-parting", lambda: self._next_parting(-1)),
            ("next-episode", lambda: self._next_episode(1)),
            ("last-episode", lambda: self._next_episode(-1)),
            ("next-run", lambda: self._select_beside(1)),
            ("last-run", lambda: self._select_beside(-1)),
            ("overlay", lambda: self._set_mode(OVERLAY)),
            ("before-after", lambda: self._set_mode(AFTER)),
            *self.screening.commands(),
            ("filter", self.partings.offer),
            ("report", self._offer_report),
            ("differences", self.show_differences),
        ):
            self._command(command, does)

    def _command(self, name: str, does: object) -> None:
        for sequence in keys(name):
            shortcut = QShortcut(QKeySequence(sequence), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(does)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._mode.set_narrow(self.width() < _NARROW)
        self.head.layout_again()

    # --- what is there -------------------------------------------------------------------------

    def entered(self) -> None:
        """Looks for new runs; stays where one was."""
        self._load(self._opened.episode.uuid if self._opened is not None else "", fresh=False)

    def open_at(self, uuid: str, row: int = 0) -> None:
        """Opens an episode at a step's row, beside the runs that answer it.

        Runs a person has chosen stay while one of them answers.
        """
        self.show_steps()
        self._wanted_step = None
        self._row = row
        self._load(uuid, fresh=True)

    def _load(self, uuid: str, *, fresh: bool) -> None:
        self._search += 1
        search = self._search

        def done(found: reviewing.There) -> None:
            if search == self._search:
                self._found(found, fresh=fresh)

        self._reader.run(
            lambda library: reviewing.what_there_is(library, uuid, must_be=fresh),
            owner=self,
            done=done,
            failed=self._error.tell,
            next_up=fresh,
        )

    def choose_runs(self, names: list[str]) -> None:
        """Compares these runs, at most four, in this order."""
        self._selected = min(self._selected, max(0, min(len(names), len(LETTERS)) - 1))
        self.judging.choose(names)
        if self._opened is not None:
            self._open(self._opened.episode.uuid)

    def choose_protocol(self, key: str) -> None:
        """Judges all runs by another protocol."""
        if key != self.judging.protocol:
            self._choose_protocol.show_protocol(key)
            self.judging.choose_protocol(key)
            self._show_step()

    def runs(self) -> list[str]:
        """Returns the names of the runs that are compared, A first."""
        return list(self.judging.runs)

    def where(self) -> tuple[str, int]:
        """Returns the name of the open episode and the row of its step; ("", -1) for none."""
        if self._opened is None:
            return "", -1
        return self._opened.episode.name, self._row

    def show_differences(self) -> None:
        """Shows why the numbers of the runs, or of two protocols, differ."""
        if self._stack.currentIndex() == 1:
            self.cinema.pause()
            self._stack.setCurrentWidget(self.differences)
            self._use_keys(steps=False)
            self.differences.use(self.judging.runs, self.judging.protocol)
            self.differences.groups.setFocus()

    def show_steps(self) -> None:
        """Shows the steps again."""
        if self._stack.currentWidget() is self.differences:
            self.differences.leaving()
            self._stack.setCurrentIndex(1)
            self._use_keys(steps=True)
            self.strip.setFocus()

    def _use_keys(self, *, steps: bool) -> None:
        """Lets the keys and buttons of the steps work, or those of the differences."""
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        for shortcut in self.findChildren(QShortcut, options=direct):
            shortcut.setEnabled(steps)
        for part in (self._mode, self._extras):
            part.setVisible(steps)
        self.differ.setVisible(steps)
        self.status.show_keys(hints() if steps else self.differences.hints())
        self.head.layout_again()

    def _open_differing(self, place: reviewing.Place) -> None:
        self.show_steps()
        self._go(place)

    def _show_page(self, number: int) -> None:
        """Shows the steps, or that there are none; the differences stay where they are shown."""
        if number == 0 or self._stack.currentWidget() is not self.differences:
            self._stack.setCurrentIndex(number)

    def leaving(self) -> None:
        """Ends the judging, the comparing, the playing and the writing."""
        self.differences.leaving()
        self.judging.cancel()
        self.cinema.close()
        self.reporting.cancel()

    def _choose_own(self, names: list[str]) -> None:
        self.judging.own_choice = True
        self.choose_runs(names)

    def _found(self, found: reviewing.There, *, fresh: bool) -> None:
        wanted = self.judging.take(found.runs, found.answering, fresh=fresh)
        self._order = found.order
        self._show_page(1 if found.order or found.uuid else 0)
        if found.uuid and self.hasFocus():
            self.strip.setFocus()
        elsewhere = self._opened is None or self._opened.episode.uuid != found.uuid
        if wanted is not None:
            self.choose_runs(wanted)
        self._show_runs()
        if found.uuid and (fresh or elsewhere):
            self._open(found.uuid)

    def _show_runs(self) -> None:
        pairs, judged = self.judging.pairs(), self.judging.judged
        self._run_choice.show_runs(list(self.judging.there_are), self.judging.runs)
        if self._stack.currentWidget() is self.differences:
            self.differences.follow(self.judging.runs, self.judging.protocol)
        self.report.setEnabled(bool(pairs))
        self.report.set_tip(tr("Write a report") if pairs else tr("Choose a run to report on"))
        self.head.layout_again()
        self.scores.show_runs([(x, name, judged.get(name)) for x, name in pairs])
        self.scores.setVisible(bool(pairs))

    def _show_lines(self, lines: list[Parting]) -> None:
        self.partings.show_lines(lines)
        self.partings.turn_to(self._place())
        self._show_strip()
        self._say_more(self._row)

    def _offer_report(self) -> None:
        if self.report.isEnabled():
            self.reporting.offer(self.report, self.judging.runs, self.judging.protocol)

    # --- the open episode ----------------------------------------------------------------------

    def turn_to(self, row: int) -> None:
        """Shows another step of the open episode, and stops playing."""
        was_on = self.screening.is_on
        self.screening.leave()
        if 0 <= row < len(self._steps()) and (row != self._row or was_on):
            self._turn(row)

    def _turn(self, row: int) -> None:
        self._row = row
        self.strip.turn_to(row)
        self._show_step()
        self.screening.show_step(row)

    def _open(self, uuid: str) -> None:
        names = tuple(self.judging.runs)
        self._search += 1
        search = self._search

        def done(opened: reviewing.OpenEpisode) -> None:
            if search == self._search:
                self._show_episode(opened)

        self._reader.run(
            lambda library: reviewing.open_episode(library, uuid, names),
            owner=self,
            done=done,
            failed=self._error.tell,
            next_up=True,
        )

    def _show_episode(self, opened: reviewing.OpenEpisode) -> None:
        self._opened = opened
        steps = opened.episode.steps
        if self._wanted_step is not None:
            rows = [n for n, step in enumerate(steps) if step.index == self._wanted_step]
            self._row = rows[0] if rows else 0
            self._wanted_step = None
        self._row = min(max(0, self._row), max(0, len(steps) - 1))
        self._error.hide()
        self._show_page(1)
        letters = [letter for letter, _ in self._answering()]
        if letters and self._letter() not in letters:
            self._selected = LETTERS.index(letters[0])
        self.screening.open(opened.episode, self._row)
        self._show_strip()
        self._show_step()
        self.screening.show_step(self._row)

    def _show_strip(self) -> None:
        if self._opened is None:
            return
        episode, judged = self._opened.episode, self.judging.judged
        pairs = [(x, judged[name]) for x, name in self._answering() if name in judged]
        items = [
            saying.strip_item(episode, step, pairs, row) for row, step in enumerate(episode.steps)
        ]
        self.strip.show_items(items, self._row)

    def _show_step(self) -> None:
        """Shows what is known of the step at once; the comparison and the picture follow."""
        if self._opened is None:
            return
        step, episode = self._step(), self._opened.episode
        if step is None:
            self.foot.show_step(episode.name, 0, 0, ())
            self.columns.show_nothing(tr("This episode has no steps"))
            return
        letters = [letter for letter, _ in self._answering()]
        self.foot.show_step(episode.name, self._row + 1, len(episode.steps), letters)
        self.status.say(tr("Saved"))
        self.status.say_health(episode.task.instruction)
        self.partings.turn_to(self._place())
        self.comparisons.turn(self._opened, self.judging.protocol)
        found = self.comparisons.peek(self._row)
        tolerance = found.tolerance if found is not None else None
        self.columns.show_step(
            saying.shown(episode, step, tolerance),
            self._said(episode, step),
            self._letter(),
            saying.after(episode, self._row),
        )
        self._show_why()
        self.stills.turn(episode, self._row, with_after=self._mode.choice() == AFTER)

    def _said(self, episode: Episode, step: Step) -> list[Said]:
        found, opened = self.comparisons.peek(self._row), self._opened
        sides = found.sides if found is not None else {}
        runs: list[tuple[str, str, saying.Answer | None]] = [
            (x, name, saying.answer(opened, step, name, sides, self.judging.judged.get(name)))
            for x, name in self._answering()
            if opened is not None
        ]
        return saying.said(episode, step, found.name if found is not None else "", runs)

    def _compared(self, row: int) -> None:
        if row == self._row:
            self._say_more(row)
            for beside in (row - 1, row + 1):
                self.comparisons.get(beside, ahead=True)

    def _say_more(self, row: int) -> None:
        step, found = self._step(), self.comparisons.peek(row)
        if step is not None and self._opened is not None and found is not None:
            episode = self._opened.episode
            self.columns.show_said(
                saying.shown(episode, step, found.tolerance),
                self._said(episode, step),
                self._letter(),
            )
            self._show_why()

    def _show_why(self) -> None:
        runs, there_are = self.judging.runs, self.judging.there_are
        name = runs[self._selected] if self._selected < len(runs) else ""
        found = self.comparisons.peek(self._row)
        if found is not None and name in found.sides:
            self.why.show_step(
                self._letter(), there_are[name], found.sides[name], self.judging.protocol
            )
        elif not there_are:
            self.why.show_nothing()
        elif name not in dict(self._answering()).values():
            self.why.show_no_answer(self._run_choice.can_offer())

    # --- moving --------------------------------------------------------------------------------

    def _select(self, number: int) -> None:
        if 0 <= number < len(self.judging.runs):
            self._selected = number
            self.columns.select(self._letter())
            self._show_why()

    def _select_beside(self, step: int) -> None:
        letters = [letter for letter, _ in self._answering()]
        at = letters.index(self._letter()) + step if self._letter() in letters else 0
        if 0 <= at < len(letters):
            self._select(LETTERS.index(letters[at]))

    def _next_parting(self, step: int) -> None:
        place = self._place()
        wanted = self.partings.next_place(place, step) if place is not None else None
        if wanted is not None:
            self._go(wanted)

    def _next_episode(self, step: int) -> None:
        if self._opened is None or self._opened.episode.uuid not in self._order:
            return
        wanted = self._order.index(self._opened.episode.uuid) + step
        if 0 <= wanted < len(self._order):
            self.open_at(self._order[wanted])

    def _go(self, place: reviewing.Place) -> None:
        uuid, index = place
        if self._opened is not None and self._opened.episode.uuid == uuid:
            rows = [n for n, step in enumerate(self._steps()) if step.index == index]
            if rows:
                self.turn_to(rows[0])
        else:
            self._wanted_step = index
            self._open(uuid)

    def _set_mode(self, mode: int) -> None:
        """Turns to a way the frames stand, or back to one frame for each."""
        wanted = SPLIT if self._mode.choice() == mode else mode
        self._mode.set_choice(wanted)
        self._show_mode(wanted)

    def _show_mode(self, mode: int) -> None:
        self.columns.set_mode(mode)
        self._show_step()

    def _steps(self) -> tuple[Step, ...]:
        return self._opened.episode.steps if self._opened is not None else ()

    def _step(self) -> Step | None:
        steps = self._steps()
        return steps[self._row] if self._row < len(steps) else None

    def _place(self) -> reviewing.Place | None:
        step = self._step()
        if step is None or self._opened is None:
            return None
        return self._opened.episode.uuid, step.index

    def _answering(self) -> list[tuple[str, str]]:
        """Returns letter and name of the runs that answer the open episode."""
        said = self._opened.predictions if self._opened is not None else {}
        return [pair for pair in self.judging.pairs() if pair[1] in said]

    def _letter(self) -> str:
        return LETTERS[self._selected] if self.judging.runs else ""
