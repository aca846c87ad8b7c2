"""The place Review: step through episodes with gold and runs side by side."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QAbstractButton, QApplication, QStackedWidget

from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.media.playing import StillPicture, VideoPicture
from episodes.runs import Run
from episodes.screens import Frame, Still
from episodes.steps import Step
from episodes.store.library import Library
from taptrail.gui.commands import key, keys
from taptrail.gui.components.button import MAIN, QUIET, Button, Segmented
from taptrail.gui.components.keycap import KeyHint
from taptrail.gui.components.messages import EmptyState, ErrorBand
from taptrail.gui.components.panel import Panel, Row, Split
from taptrail.gui.components.shell import Head, Place, StatusBar
from taptrail.gui.components.strip import StepStrip
from taptrail.gui.components.words import ElidedLabel, label
from taptrail.gui.fonts import BODY, CAPTION, FACTS
from taptrail.gui.review import saying
from taptrail.gui.review.cinema import Cinema, Projected
from taptrail.gui.review.columns import AFTER, OVERLAY, SPLIT, Columns, Played, Said
from taptrail.gui.review.comparisons import Comparisons
from taptrail.gui.review.filters import Parting
from taptrail.gui.review.head import LETTERS, ProtocolButton, RunChoice
from taptrail.gui.review.judging import Judging
from taptrail.gui.review.partings import Partings
from taptrail.gui.review.playback import Playback
from taptrail.gui.review.reporting import Reporting
from taptrail.gui.review.scores import Scores
from taptrail.gui.review.why import Why
from taptrail.gui.thumbnails import Pictures
from taptrail.gui.work import WorkThread
from taptrail.usecases import reviewing
from taptrail.usecases.playing import Film
from taptrail.words import tr

DEFAULT_PROTOCOL = "guiodyssey@2"
_NARROW = 1280
AHEAD = 8
"""So many steps to both sides have their pictures read ahead."""


@dataclass(frozen=True, slots=True)
class _There:
    """What the library has: runs, episodes, and the runs that answer the one to open."""

    runs: tuple[Run, ...]
    order: tuple[str, ...]
    uuid: str
    answering: tuple[str, ...]


class ReviewPlace(Place):
    """Signals:
    browse: a person wants to go to Episodes.
    """

    browse = Signal()

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
        self.cinema = Cinema(reader, self)
        self._opened: reviewing.OpenEpisode | None = None
        self._row = 0
        self._selected = 0
        self._wanted_step: int | None = None
        self._order: tuple[str, ...] = ()
        self._search = 0
        self._own_choice = False
        self._in_film = False

        self.scores = Scores()
        self.partings = Partings()
        self.columns = Columns()
        self.why = Why()
        self.playback = Playback()
        self.reporting = Reporting(judge)
        self.strip = StepStrip(thumbnails, tr("Steps of the episode"))
        self._error = ErrorBand()
        self._run_choice = RunChoice()
        self._mode = Segmented(_modes(), tr("How the frames stand"))
        self._region = Button(tr("Target"), kind=QUIET)
        self._candidates = Button(tr("Boxes"), kind=QUIET)
        self._tolerance = Button(tr("Tolerance"), kind=QUIET)
        self._choose_protocol = ProtocolButton(protocol)
        self.report = Button(tr("Report"), "file-chart-outline")
        head = Head(
            tr("Review"),
            [self._run_choice],
            [self._mode, Row(self._region, self._candidates, self._tolerance, gap=0)],
            [self._choose_protocol, self.report],
        )
        status = StatusBar(
            [
                KeyHint([key("last-step"), key("next-step")], tr("Step")),
                KeyHint([key("next-parting")], tr("Next in the list")),
                KeyHint([key("next-episode")], tr("Episode")),
                KeyHint([key("play")], tr("Play")),
                KeyHint([key("overlay")], tr("Overlay")),
            ]
        )
        self.furnish(head, self._body(), status)
        self._connect()

    def _body(self) -> QStackedWidget:
        left = Panel(tr("Scores"))
        left.add(self._error, self.scores, self.partings)
        left.column.setStretch(2, 1)
        left.setMinimumWidth(226)
        self._episode_name = ElidedLabel("", FACTS, mono=True, ink="text2")
        self._step_words = label("", BODY, 600)
        self._under = label("", CAPTION, tone="3", wrap=True)
        words = Panel(tr("Episode"))
        words.setFixedWidth(140)
        words.column.setContentsMargins(12, 0, 8, 0)
        words.column.setSpacing(3)
        words.add(None, self._episode_name, self._step_words, self._under, None)
        bottom = Row(words, self.strip, gap=0)
        bottom.row.setStretch(1, 1)
        foot = Panel(tr("Steps"))
        foot.setFixedHeight(112)
        foot.add(bottom)
        across = Split(
            Qt.Orientation.Horizontal,
            [left, self.columns, self.why],
            [264, 0, 308],
            [226, 240, 280],
            [236, 0, 296],
        )
        whole = Panel(tr("Review"), "window")
        line = Panel("", "line")
        line.setFixedHeight(1)
        whole.add(across, line, foot, self.playback, self.reporting)
        whole.column.setStretch(0, 1)
        browse = Button(tr("Go to Episodes"), "table-large", kind=MAIN, size="l")
        browse.clicked.connect(self.browse)
        empty = Panel(tr("Review"))
        empty.add(
            EmptyState(
                "compare",
                tr("Nothing to review yet"),
                tr("Record an episode or import a data set, then a run's predictions."),
                [browse],
            )
        )
        self._stack = QStackedWidget()
        self._stack.addWidget(empty)
        self._stack.addWidget(whole)
        return self._stack

    def _connect(self) -> None:
        for toggle, command in (
            (self._region, "target"),
            (self._candidates, "candidates"),
            (self._tolerance, "tolerance"),
        ):
            toggle.setCheckable(True)
            toggle.toggled.connect(lambda _: self._set_extras())
            self._command(command, toggle.toggle)
        self._region.setChecked(True)
        self._mode.chosen.connect(self._show_mode)
        self._choose_protocol.chosen.connect(self.choose_protocol)
        self._run_choice.chosen.connect(self._choose_own)
        self.why.wanted.connect(self._run_choice.offer)
        self.strip.chosen.connect(self.turn_to)
        self.partings.chosen.connect(self._go)
        self.columns.chosen.connect(lambda who: self._select(LETTERS.index(who)))
        self._pictures.ready.connect(self._picture_ready)
        self.report.clicked.connect(self._offer_report)
        self.judging.changed.connect(self._show_runs)
        self.judging.listed.connect(self._show_lines)
        self.judging.moved.connect(self.scores.show_progress)
        self.comparisons.ready.connect(self._compared)
        for failing in (self.judging, self.comparisons, self.cinema):
            failing.failed.connect(self._fail)
        self.cinema.loaded.connect(self._show_film)
        self.cinema.projected.connect(self._project)
        self.cinema.moved.connect(self._moved)
        self.playback.toggled.connect(self._toggle_play)
        self.playback.stepped.connect(lambda by: self.turn_to(self._row + by))
        self.playback.sped.connect(self.cinema.set_speed)
        self.playback.bar.sought.connect(self._seek)
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
            ("play", self._space),
            ("play-back", lambda: self._play(-1)),
            ("stop", self.cinema.pause),
            ("play-on", lambda: self._play(1)),
            ("frame-before", lambda: self._step_film(-1)),
            ("frame-after", lambda: self._step_film(1)),
            ("filter", self.partings.offer),
            ("report", self._offer_report),
        ):
            self._command(command, does)

    def _command(self, name: str, does: object) -> None:
        for sequence in keys(name):
            shortcut = QShortcut(QKeySequence(sequence), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(does)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < _NARROW
        for number, (_, words) in enumerate(_modes()):
            part = self._mode.part(number)
            part.setText("" if narrow else words)
            part.setToolTip(words)
            part.setAccessibleName(words)
            part.updateGeometry()
        self.head.layout_again()

    # --- what is there -------------------------------------------------------------------------

    def entered(self) -> None:
        """Looks for new runs; stays where one was."""
        self._load(self._opened.episode.uuid if self._opened is not None else "", fresh=False)

    def open_at(self, uuid: str, row: int = 0) -> None:
        """Opens an episode at a step's row, beside the runs that answer it.

        Runs a person has chosen stay while one of them answers.
        """
        self._wanted_step = None
        self._row = row
        self._load(uuid, fresh=True)

    def _load(self, uuid: str, *, fresh: bool) -> None:
        self._search += 1
        search = self._search

        def look(library: Library) -> _There:
            order = reviewing.episode_order(library)
            asked = uuid if uuid in order or fresh else next(iter(order), "")
            answer = reviewing.runs_that_answer(library, asked) if asked else ()
            return _There(reviewing.runs_there_are(library), order, asked, answer)

        def done(found: _There) -> None:
            if search == self._search:
                self._found(found, fresh=fresh)

        self._reader.run(look, owner=self, done=done, failed=self._fail, next_up=fresh)

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

    def leaving(self) -> None:
        """Ends the judging, the playing and the writing."""
        self.judging.cancel()
        self.cinema.close()
        self.reporting.cancel()

    def _choose_own(self, names: list[str]) -> None:
        self._own_choice = True
        self.choose_runs(names)

    def _found(self, found: _There, *, fresh: bool) -> None:
        before, runs = set(self.judging.there_are), self.judging.runs
        self.judging.there_are = {run.name: run for run in found.runs}
        self._order = found.order
        self._stack.setCurrentIndex(1 if found.order or found.uuid else 0)
        if found.uuid and self.hasFocus():
            self.strip.setFocus()
        kept = [name for name in runs if name in self.judging.there_are]
        new = [n for n in found.answering if n not in before and n not in kept]
        wanted = (kept + new)[: len(LETTERS)]
        mine = self._own_choice and any(name in found.answering for name in kept)
        if fresh and not mine:
            self._own_choice = False
            wanted = list(found.answering[: len(LETTERS)])
        elsewhere = self._opened is None or self._opened.episode.uuid != found.uuid
        if wanted != runs or not before:
            self.choose_runs(wanted)
        self._show_runs()
        if found.uuid and (fresh or elsewhere):
            self._open(found.uuid)

    # --- judging -------------------------------------------------------------------------------

    def _show_runs(self) -> None:
        pairs, judged = self.judging.pairs(), self.judging.judged
        self._run_choice.show_runs(list(self.judging.there_are), self.judging.runs)
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
        self.cinema.pause()
        if 0 <= row < len(self._steps()) and (row != self._row or self._in_film):
            self._leave_film()
            self._turn(row)
            self._seek_step()

    def _turn(self, row: int) -> None:
        self._row = row
        self.strip.turn_to(row)
        self._show_step()

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
            failed=self._fail,
            next_up=True,
        )

    def _show_episode(self, opened: reviewing.OpenEpisode) -> None:
        before, self._opened = self._opened, opened
        steps = opened.episode.steps
        if self._wanted_step is not None:
            rows = [n for n, step in enumerate(steps) if step.index == self._wanted_step]
            self._row = rows[0] if rows else 0
            self._wanted_step = None
        self._row = min(max(0, self._row), max(0, len(steps) - 1))
        self._error.hide()
        self._stack.setCurrentIndex(1)
        letters = [letter for letter, _ in self._answering()]
        if letters and self._letter() not in letters:
            self._selected = LETTERS.index(letters[0])
        if before is None or before.episode.uuid != opened.episode.uuid:
            self._leave_film()
            self.playback.show_nothing()
        self._show_strip()
        self._show_step()
        self.cinema.open(opened.episode.uuid)

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
        step = self._step()
        if step is None or self._opened is None:
            return
        episode = self._opened.episode
        self._episode_name.set_text(episode.name)
        self._step_words.setText(tr("Step {n} of {all}", n=self._row + 1, all=len(episode.steps)))
        names = ", ".join(tr("run {who}", who=letter) for letter, _ in self._answering())
        self._under.setText(tr("Under each step: {names}", names=names) if names else "")
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
        if step.frame is not None and step.frame.still is not None:
            self._show_picture(step.frame.still, own=True, next_up=True)
        else:
            self.comparisons.get(self._row)
        after = self._frame_after()
        if self._mode.choice() == AFTER and after is not None and after.still is not None:
            self._show_picture(after.still, own=False, next_up=False)

    def _said(self, episode: Episode, step: Step) -> list[Said]:
        found = self.comparisons.peek(self._row)
        opened, place = self._opened, self._place()
        runs: list[tuple[str, str, saying.Answer | None]] = []
        for letter, name in self._answering():
            if found is not None and name in found.sides:
                side = found.sides[name]
                runs.append((letter, name, (side.prediction, side.verdict)))
            elif opened is not None and place is not None:
                judged = self.judging.judged.get(name)
                known = judged.steps.get(place) if judged is not None else None
                verdict = known.verdict if known is not None else None
                runs.append((letter, name, (opened.predictions[name].get(step.index), verdict)))
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

    def _picture_ready(self, sha256: str) -> None:
        step, after = self._step(), self._frame_after()
        own = step.frame.still if step is not None and step.frame is not None else None
        if after is not None and after.still is not None and after.still.sha256 == sha256:
            self._show_picture(after.still, own=False, next_up=False)
        if own is not None and own.sha256 == sha256:
            self._show_picture(own, own=True, next_up=True)
        elif own is not None:
            self._look_ahead()

    def _show_picture(self, still: Still, *, own: bool, next_up: bool) -> None:
        """Shows a still where it is at hand; what costs time besides waits until it shows."""
        image = self._pictures.get(still, next_up=next_up)
        gone = image is None and self._pictures.missing(still)
        missing = tr("The picture is not in the library") if gone else ""
        if not own:
            self.columns.show_after_image(image, missing)
            return
        self.columns.show_image(image, missing)
        if image is not None or gone:
            QTimer.singleShot(0, self, lambda row=self._row: self._then(row))

    def _then(self, row: int) -> None:
        if row == self._row:
            self.comparisons.get(row)
            self._look_ahead()

    def _look_ahead(self) -> None:
        """Has pictures near the step read before anybody wants them, one at a time."""
        steps = self._steps()
        near = sorted(range(len(steps)), key=lambda row: (abs(row - self._row), -row))
        for row in near[: 2 * AHEAD + 1]:
            frame = steps[row].frame
            if frame is None or frame.still is None:
                continue
            if abs(row - self._row) * 2 + 1 > self._pictures.room_for(frame.still):
                return
            if self._pictures.get(frame.still) is None and not self._pictures.missing(frame.still):
                return

    def _frame_after(self) -> Frame | None:
        if self._opened is None or not self._steps():
            return None
        return reviewing.screen_after(self._opened.episode, self._row)

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

    # --- playing -------------------------------------------------------------------------------

    def _show_film(self, film: Film) -> None:
        if self._opened is not None:
            self.playback.show_track(film.track, self._opened.episode)
            self._seek_step()

    def _seek_step(self) -> None:
        """Moves the playhead to the step, whose still shows already."""
        film = self.cinema.film()
        span = film.track.steps[self._row] if film is not None and film.track.steps else None
        if span is not None:
            self.cinema.seek(span.began_us, shown=False)
            self.playback.show_at(span.began_us, self._row, 0, 0)

    def _space(self) -> None:
        focused = QApplication.focusWidget()
        if isinstance(focused, QAbstractButton):
            focused.click()
        else:
            self._toggle_play()

    def _toggle_play(self) -> None:
        if self.cinema.direction():
            self.cinema.pause()
        else:
            self._play(1)

    def _play(self, direction: int) -> None:
        self._enter_film()
        self.cinema.play(direction)

    def _step_film(self, pictures: int) -> None:
        self._enter_film()
        self.cinema.step(pictures)

    def _seek(self, at_us: float) -> None:
        self._enter_film()
        self.cinema.seek(at_us)

    def _enter_film(self) -> None:
        self._in_film = True
        self.cinema.set_room(*self.columns.room())

    def _leave_film(self) -> None:
        self._in_film = False
        self.columns.show_played(None)

    def _project(self, projected: Projected) -> None:
        film = self.cinema.film()
        if not self._in_film or film is None or self._opened is None:
            return
        picture, episode = projected.picture, self._opened.episode
        if isinstance(picture, StillPicture):
            if picture.row != self._row:
                self._turn(picture.row)
            self._moved(self.cinema.at_us())
            return
        row = film.track.row(projected.at_us)
        if row >= 0 and row != self._row:
            self._turn(row)
        if isinstance(picture, VideoPicture) and projected.image is not None:
            size = next(s.size for s in episode.segments if s.number == picture.segment)
            action = saying.acted(episode, film.track, projected.at_us)
            self.columns.show_played(Played(projected.image, size, action))
        self._moved(self.cinema.at_us())

    def _moved(self, at_us: float) -> None:
        if self._in_film:
            self.playback.show_at(at_us, self._row, self.cinema.direction(), self.cinema.dropped())

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

    def _set_extras(self) -> None:
        self.columns.set_extras(
            region=self._region.isChecked(),
            candidates=self._candidates.isChecked(),
            tolerance=self._tolerance.isChecked(),
        )

    # --- small questions -----------------------------------------------------------------------

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

    def _fail(self, error: KnownError) -> None:
        self._error.tell(error)


def _modes() -> list[tuple[str, str]]:
    return [
        ("view-column-outline", tr("Split")),
        ("layers-outline", tr("Overlay")),
        ("compare", tr("Before, after")),
    ]
