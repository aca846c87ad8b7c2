"""Actions on more than one step: findings, blind rounds, the decision on the episode."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from annotator.candidates import Level
from episodes.annotations import Author, Decision
from episodes.errors import KnownError
from episodes.store.library import Library
from taptrail.gui.annotate.edit_queue import EditQueue
from taptrail.gui.annotate.findings import FindingsWatch
from taptrail.gui.annotate.modes import BlindMode, ChosenTarget, Mode, OpenMode, SettlingMode
from taptrail.gui.annotate.state import AnnotateState
from taptrail.gui.annotate.view import AnnotateView
from taptrail.gui.work import WorkThread
from taptrail.usecases import blind, linting
from taptrail.usecases.annotation_queue import rest_of_high
from taptrail.usecases.blind import BlindRound
from taptrail.usecases.judgements import judge_episode
from taptrail.usecases.linting import ReportedFinding
from taptrail.words import tr


class EpisodeActions(QObject):
    """Signals:
    waits: a form waits until its edit is saved.
    entered: the mode changed; the episode must be read again.
    """

    waits = Signal()
    entered = Signal()

    def __init__(
        self,
        state: AnnotateState,
        parts: AnnotateView,
        edits: EditQueue,
        reader: WorkThread[Library],
    ) -> None:
        super().__init__()
        self._state, self._parts, self._edits, self._reader = state, parts, edits, reader
        self._watch = FindingsWatch(reader, self)
        self._watch.found.connect(self._found)
        self._watch.failed.connect(parts.decision.error.tell)
        d = parts.decision
        d.findings.fixed.connect(self._fix)
        d.findings.accepted.connect(self._let_stand)
        d.findings.reopened.connect(self._reopen)
        d.judge_form.wanted.connect(self._judge)
        d.round_form.blind.connect(self.choose_blind)
        d.round_form.settle.connect(self.settle)
        parts.band.left.connect(self.leave_round)
        parts.judge.clicked.connect(lambda: self.open_judge(Decision.ACCEPTED))
        parts.rounds.clicked.connect(self.open_rounds)
        parts.queue.rest.connect(self.accept_rest)

    def show_whole(self) -> None:
        """Shows the texts of the episode; its findings follow later."""
        mode, whole = self._edits.mode(), self._state.whole
        if isinstance(mode, BlindMode):
            author = self._edits.author()
            self._parts.band.show_blind(mode.round, author.name, len(self._state.levels()))
        elif isinstance(mode, SettlingMode) and whole is not None:
            self._parts.band.show_settling(mode.round, whole.agreement)
        else:
            self._parts.band.hide()
        if mode.free and whole is not None:
            self._watch.look(whole.episode.uuid)
        else:
            self._state.findings = ()

    # --- findings ------------------------------------------------------------------------------

    def go_to_findings(self) -> None:
        """Moves the keyboard focus to the first finding."""
        self._parts.decision.findings.begin()

    def _found(self, uuid: str, told: tuple[ReportedFinding, ...]) -> None:
        if uuid == self._state.uuid() and self._edits.mode().free:
            self._state.findings = told
            self._parts.show_strip()

    def _fix(self, told: ReportedFinding) -> None:
        whole, finding = self._state.whole, told.finding
        if whole is None or finding.step is None:
            return
        episode, step = whole.episode, finding.step
        self._edits.make(
            episode.uuid,
            lambda library, author: linting.fix_finding(
                library, episode, step, finding.rule, author
            ),
        )

    def _let_stand(self, told: ReportedFinding, reason: str) -> None:
        whole, finding = self._state.whole, told.finding
        if whole is None:
            return
        episode = whole.episode
        self._edits.make(
            episode.uuid,
            lambda library, author: linting.accept_finding(
                library, episode, finding.step, finding.rule, reason, author
            ),
        )

    def _reopen(self, told: ReportedFinding) -> None:
        whole, finding = self._state.whole, told.finding
        if whole is None:
            return
        episode = whole.episode
        self._edits.make(
            episode.uuid,
            lambda library, author: linting.reopen_finding(
                library, episode, finding.step, finding.rule, author
            ),
        )

    # --- remaining high steps, whole episode ---------------------------------------------------

    def accept_rest(self) -> None:
        """Accepts the proposed targets of the high steps that need no review."""
        whole = self._state.whole
        if whole is None or self._state.read_only or not self._edits.mode().free:
            return
        episode, levels = whole.episode, self._state.levels()
        for index in rest_of_high(episode, dict(whole.opened)):
            opened = whole.opened[index]
            if levels.get(index) is not Level.HIGH or opened.proposed is None:
                continue
            self._state.ahead.add(index)
            region = opened.choices[opened.proposed].region
            self._edits.take(episode, opened.step, ChosenTarget(region))
        self._parts.show_strip()

    def open_judge(self, decision: Decision) -> None:
        """Opens the form for the decision on the episode."""
        whole = self._state.whole
        if whole is None or self._state.read_only or self._state.round:
            return
        open_, found = (
            len(self._state.levels()),
            len([o for o in self._state.findings if not o.accepted]),
        )
        words = []
        if open_:
            words.append(tr("1 step has no target yet.", "{n} steps have no target yet.", n=open_))
        if found:
            words.append(tr("1 finding is open.", "{n} findings are open.", n=found))
        self._parts.decision.open_judge(decision, whole.review, " ".join(words))

    def _judge(self, decision: Decision | None, reason: str) -> None:
        whole = self._state.whole
        if whole is None:
            return
        episode = whole.episode
        self.waits.emit()

        def change(library: Library, author: Author) -> object:
            return judge_episode(library, episode, decision, author, reason)

        self._edits.make(episode.uuid, change)

    # --- blind rounds --------------------------------------------------------------------------

    def open_rounds(self) -> None:
        """Opens the form for blind rounds, after their names are read."""
        if self._state.whole is None or self._state.read_only:
            return

        def done(rounds: tuple[BlindRound, ...]) -> None:
            if self._state.whole is not None:
                self._parts.decision.open_rounds(rounds)

        def failed(error: KnownError) -> None:
            self._parts.decision.error.tell(error)

        self._reader.run(blind.rounds, owner=self, done=done, failed=failed, next_up=True)

    def choose_blind(self, name: str) -> None:
        """Starts choosing in a round, without seeing the choices of others."""
        self._enter(BlindMode(name))

    def settle(self, name: str) -> None:
        """Starts settling a round."""
        self._enter(SettlingMode(name))

    def leave_round(self) -> None:
        """Leaves the round."""
        if self._state.round:
            self._enter(OpenMode())

    def _enter(self, mode: Mode) -> None:
        self._edits.set_mode(mode)
        self._state.round = mode.round
        self._state.findings = ()
        self._parts.decision.close_forms(quiet=True)
        self._parts.decision.set_free(free=mode.free)
        self.entered.emit()
