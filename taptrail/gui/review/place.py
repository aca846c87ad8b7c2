"""The place Review: step through episodes with gold and runs side by side."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QStackedWidget

from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.runs import Run
from episodes.steps import Step
from episodes.store.library import Library
from replay.side_by_side import SideBySide
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
from taptrail.gui.review.columns import Columns
from taptrail.gui.review.head import LETTERS, ProtocolButton, RunChoice
from taptrail.gui.review.partings import Partings
from taptrail.gui.review.scores import Scores
from taptrail.gui.review.why import Why
from taptrail.gui.thumbnails import Pictures
from taptrail.gui.work import Progress, WorkThread
from taptrail.usecases import reviewing
from taptrail.usecases.naming import target_name
from taptrail.words import tr

DEFAULT_PROTOCOL = "guiodyssey@2"


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
        self._reader, self._judge, self._pictures = reader, judge, pictures
        self._protocol = protocol
        self._all_runs: dict[str, Run] = {}
        self._runs: list[str] = []
        self._judged: dict[str, reviewing.JudgedRun] = {}
        self._opened: reviewing.OpenEpisode | None = None
        self._row = 0
        self._selected = 0
        self._wanted_step: int | None = None
        self._order: tuple[str, ...] = ()
        self._sides: dict[str, SideBySide] = {}
        self._progress: Progress | None = None
        self._search = 0
        self._own_choice = False

        self.scores = Scores()
        self.partings = Partings()
        self.columns = Columns()
        self.why = Why()
        self.strip = StepStrip(thumbnails, tr("Steps of the episode"))
        self._error = ErrorBand()
        self._run_choice = RunChoice()
        self._mode = Segmented(
            [("view-column-outline", tr("Split")), ("layers-outline", tr("Overlay"))],
            tr("How the frames stand"),
        )
        self._region = Button(tr("Target"), kind=QUIET)
        self._tolerance = Button(tr("Tolerance"), kind=QUIET)
        self._choose_protocol = ProtocolButton(protocol)
        head = Head(
            tr("Review"),
            [self._run_choice],
            [self._mode, self._region, self._tolerance],
            [self._choose_protocol],
        )
        status = StatusBar(
            [
                KeyHint([key("last-step"), key("next-step")], tr("Step")),
                KeyHint([key("next-parting")], tr("Next in the list")),
                KeyHint([key("next-episode")], tr("Episode")),
                KeyHint([key("last-run"), key("next-run")], tr("Run")),
                KeyHint([key("overlay")], tr("Overlay")),
            ]
        )
        self.furnish(head, self._body(), status)
        self._connect()

    def _body(self) -> QStackedWidget:
        left = Panel(tr("Scores"))
        left.add(self._error, self.scores, self.partings)
        left.column.setStretch(2, 1)
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
            [200, 240, 280],
            [232, 0, 300],
        )
        whole = Panel(tr("Review"), "window")
        line = Panel("", "line")
        line.setFixedHeight(1)
        whole.add(across, line, foot)
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
        for toggle, command in ((self._region, "target"), (self._tolerance, "tolerance")):
            toggle.setCheckable(True)
            toggle.toggled.connect(lambda _: self._set_extras())
            self._command(command, toggle.toggle)
        self._region.setChecked(True)
        self._mode.chosen.connect(lambda n: self.columns.set_overlay(n == 1))
        self._choose_protocol.chosen.connect(self.choose_protocol)
        self._run_choice.chosen.connect(self._choose_own)
        self.why.wanted.connect(self._run_choice.offer)
        self.strip.chosen.connect(self.turn_to)
        self.partings.chosen.connect(self._go)
        self.columns.chosen.connect(lambda who: self._select(LETTERS.index(who)))
        self._pictures.ready.connect(self._picture_ready)
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
            ("overlay", lambda: self._toggle_overlay()),
        ):
            self._command(command, does)

    def _command(self, name: str, does: object) -> None:
        for sequence in keys(name):
            shortcut = QShortcut(QKeySequence(sequence), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(does)

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
        self._runs = names[: len(LETTERS)]
        self._selected = min(self._selected, max(0, len(self._runs) - 1))
        self._judged = {name: run for name, run in self._judged.items() if name in self._runs}
        self._show_runs()
        self._judge_missing()
        if self._opened is not None:
            self._open(self._opened.episode.uuid)

    def choose_protocol(self, key: str) -> None:
        """Judges all runs by another protocol."""
        if key != self._protocol:
            self._protocol = key
            self._choose_protocol.show_protocol(key)
            self._judged = {}
            self._show_runs()
            self._judge_missing()
            self._show_step()

    def runs(self) -> list[str]:
        """Returns the names of the runs that are compared, A first."""
        return list(self._runs)

    def where(self) -> tuple[str, int]:
        """Returns the name of the open episode and the row of its step; ("", -1) for none."""
        if self._opened is None:
            return "", -1
        return self._opened.episode.name, self._row

    def leaving(self) -> None:
        """Ends the judging."""
        if self._progress is not None:
            self._progress.cancel()

    def _choose_own(self, names: list[str]) -> None:
        self._own_choice = True
        self.choose_runs(names)

    def _found(self, found: _There, *, fresh: bool) -> None:
        before = set(self._all_runs)
        self._all_runs = {run.name: run for run in found.runs}
        self._order = found.order
        self._stack.setCurrentIndex(1 if found.order or found.uuid else 0)
        if found.uuid and self.hasFocus():
            self.strip.setFocus()
        kept = [name for name in self._runs if name in self._all_runs]
        new = [n for n in found.answering if n not in before and n not in kept]
        wanted = (kept + new)[: len(LETTERS)]
        mine = self._own_choice and any(name in found.answering for name in kept)
        if fresh and not mine:
            self._own_choice = False
            wanted = list(found.answering[: len(LETTERS)])
        elsewhere = self._opened is None or self._opened.episode.uuid != found.uuid
        if wanted != self._runs or not before:
            self.choose_runs(wanted)
        self._show_runs()
        if found.uuid and (fresh or elsewhere):
            self._open(found.uuid)

    # --- judging -------------------------------------------------------------------------------

    def _judge_missing(self) -> None:
        if self._progress is not None:
            self._progress.cancel()
            self._progress = None
        protocol = self._protocol
        missing = [name for name in self._runs if name not in self._judged]
        if not missing:
            return
        name = missing[0]
        progress = Progress(self)
        progress.moved.connect(self.scores.show_progress)
        self._progress = progress

        def done(judged: reviewing.JudgedRun) -> None:
            if self._progress is progress:
                self._progress = None
                self._judged[name] = judged
                self._show_runs()
                self._judge_missing()

        def failed(error: KnownError) -> None:
            if self._progress is progress:
                self._progress = None
            self._fail(error)

        self._judge.run(
            lambda library: reviewing.judge_run(library, name, protocol, progress),
            owner=self,
            done=done,
            failed=failed,
            progress=progress,
        )

    def _show_runs(self) -> None:
        self._run_choice.show_runs(list(self._all_runs), self._runs)
        self.head.layout_again()
        pairs = list(zip(LETTERS, self._runs, strict=False))
        self.scores.show_runs([(x, name, self._judged.get(name)) for x, name in pairs])
        self.scores.setVisible(bool(pairs))
        whole = [(x, self._judged[name]) for x, name in pairs if name in self._judged]
        if len(whole) == len(pairs):
            self.partings.show_runs(whole)
            self._show_strip()
            self.partings.turn_to(self._place())

    # --- the open episode ----------------------------------------------------------------------

    def turn_to(self, row: int) -> None:
        """Shows another step of the open episode."""
        if 0 <= row < len(self._steps()) and row != self._row:
            self._row = row
            self.strip.turn_to(row)
            self._show_step()

    def _open(self, uuid: str) -> None:
        names = tuple(self._runs)
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
        self._opened = opened
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
        self._show_strip()
        self._show_step()

    def _show_strip(self) -> None:
        if self._opened is None:
            return
        episode = self._opened.episode
        judged = [(x, self._judged[name]) for x, name in self._answering() if name in self._judged]
        items = [
            saying.strip_item(episode, step, judged, row) for row, step in enumerate(episode.steps)
        ]
        self.strip.show_items(items, self._row)

    def _show_step(self) -> None:
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
        self._compare(episode, step)
        self.partings.turn_to(self._place())

    def _compare(self, episode: Episode, step: Step) -> None:
        """Judges the one step under all protocols, then shows it; the newest wish wins."""
        opened, protocol, runs = self._opened, self._protocol, list(self._runs)
        if opened is None:
            return
        row, uuid = self._row, episode.uuid

        def compare(_: Library) -> tuple[str, dict[str, SideBySide]]:
            return target_name(step), {
                name: reviewing.compare(
                    episode, step, opened.predictions[name].get(step.index), protocol
                )
                for name in runs
                if name in opened.predictions
            }

        def done(found: tuple[str, dict[str, SideBySide]]) -> None:
            now = self._opened
            same = now is not None and now.episode.uuid == uuid and self._row == row
            if same and protocol == self._protocol:
                name, self._sides = found
                self._show_frames(episode, step, name)
                self._show_why()

        self._reader.run(compare, owner=self, done=done, failed=self._fail, next_up=True)

    def _show_frames(self, episode: Episode, step: Step, name: str) -> None:
        pairs = zip(LETTERS, self._runs, strict=False)
        sides = [(x, run, self._sides[run]) for x, run in pairs if run in self._sides]
        self.columns.show_step(
            saying.shown(episode, step),
            saying.said(episode, step, name, sides, self._protocol),
            self._letter(),
        )
        if step.frame is not None and step.frame.still is not None:
            self._picture_ready(step.frame.still.sha256, ask=True)

    def _picture_ready(self, sha256: str, *, ask: bool = False) -> None:
        step = self._step()
        still = step.frame.still if step is not None and step.frame is not None else None
        if still is None or still.sha256 != sha256:
            return
        image = self._pictures.get(still, next_up=True) if ask else self._pictures.get(still)
        missing = ""
        if image is None and self._pictures.missing(still):
            missing = tr("The picture is not in the library")
        self.columns.show_image(image, missing)

    def _show_why(self) -> None:
        name = self._runs[self._selected] if self._selected < len(self._runs) else ""
        if name in self._sides:
            self.why.show_step(
                self._letter(), self._all_runs[name], self._sides[name], self._protocol
            )
        elif not self._all_runs:
            self.why.show_nothing()
        else:
            self.why.show_no_answer(self._run_choice.can_offer())

    # --- moving --------------------------------------------------------------------------------

    def _select(self, number: int) -> None:
        if 0 <= number < len(self._runs):
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

    def _toggle_overlay(self) -> None:
        other = 1 - self._mode.choice()
        self._mode.set_choice(other)
        self.columns.set_overlay(other == 1)

    def _set_extras(self) -> None:
        self.columns.set_extras(
            region=self._region.isChecked(), tolerance=self._tolerance.isChecked()
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
        return [pair for pair in zip(LETTERS, self._runs, strict=False) if pair[1] in said]

    def _letter(self) -> str:
        return LETTERS[self._selected] if self._runs else ""

    def _fail(self, error: KnownError) -> None:
        self._error.tell(error)
