"""Controller for judgements of the step and the episode in Review.

It loads the existing judgements, shows them in the right panel, and saves new ones through the
window's history. `taptrail episodes judge` and `review` call the same functions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from annotator.gold_actions import accepted_alternatives
from episodes.annotations import Author, Decision, Edit, StepJudgement
from episodes.episodes import Episode
from episodes.runs import Prediction
from episodes.steps import Step
from episodes.store.library import Library
from taptrail.gui.history import ChangeHistory
from taptrail.gui.review.head import protocol_words
from taptrail.gui.review.judgement import Says, Standing
from taptrail.gui.review.side_panel import NOTES, WHY, SidePanel
from taptrail.gui.work import WorkThread
from taptrail.usecases import judgements
from taptrail.usecases.judgements import EpisodeHistory, judge_episode, load_episode_history
from taptrail.usecases.saved_changes import SavedChange
from taptrail.words import tr

NOBODY = Author("", "")


@dataclass(frozen=True)
class Before:
    """The episode, step and prediction that are shown.

    Attributes:
        run: name of the selected run; "" if there is none.
        prediction: its prediction for the step.
    """

    episode: Episode
    step: Step
    run: str
    prediction: Prediction | None
    protocol: str


class JudgementController(QObject):
    """Signals:
    told: the judgements of the open episode were loaded again.
    changed: the uuid of an episode whose gold, texts or judgements changed.
    said: a message about what was done.
    failed: the KnownError of a failed load.
    """

    told = Signal()
    changed = Signal(str)
    said = Signal(str)
    failed = Signal(object)

    def __init__(
        self,
        reader: WorkThread[Library],
        history: ChangeHistory | None,
        aside: SidePanel,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._reader, self._history, self._aside = reader, history, aside
        self._told: EpisodeHistory | None = None
        self._before: Before | None = None
        self._search = 0
        why, notes = aside.why, aside.notes
        why.judgement.said.connect(self._say)
        why.judgement.taken_back.connect(self._take_back)
        why.judge_form.wanted.connect(self._judge_episode)
        notes.written.connect(self._write_note)
        if history is not None:
            history.changed.connect(self._heard)

    def open(self, uuid: str) -> None:
        """Loads the judgements of an episode; `told` follows."""
        self._search += 1
        search = self._search
        if self._told is not None and self._told.uuid != uuid:
            self._told = None

        def done(found: EpisodeHistory) -> None:
            if search == self._search:
                self._told = found
                self.told.emit()

        self._reader.run(
            lambda library: load_episode_history(library, uuid),
            owner=self,
            done=done,
            failed=self.failed.emit,
        )

    def show(self, before: Before | None) -> None:
        """Shows the judgements of a step, and which are possible."""
        moved = (before and before.step.index) != (self._before and self._before.step.index)
        other = moved or (before and before.episode.uuid) != (
            self._before and self._before.episode.uuid
        )
        self._before = before
        if other:
            self._aside.why.close_forms(quiet=True)
        if before is None:
            self._aside.past.show_lines(())
            return
        said = self._said_of(before.step.index)
        lines = self._told.lines_of(before.step.index) if self._told is not None else ()
        self._aside.past.show_lines(lines)
        self._aside.notes.show_step(before.step, said, self._why_not())
        count = len(said) + bool(before.step.texts.note)
        self._aside.tabs.mark(NOTES, tr("1 note", "{n} notes", n=count) if count else "")
        self._aside.why.judgement.show_standing(
            self._author().name, self._standing(before), self._note(before)
        )

    def say(self, says: Says) -> None:
        """Saves a judgement of the step, or asks for the reason."""
        self._aside.turn_to(WHY)
        self._aside.why.close_forms(quiet=True)
        self._aside.why.judgement.say(says)

    def open_judge(self, decision: Decision) -> None:
        """Opens the form for the decision on the episode."""
        if self._before is None or self._why_not():
            return
        self._aside.turn_to(WHY)
        review = self._told.review if self._told is not None else None
        count = len(self._told.said) if self._told is not None else 0
        words = tr("1 objection is open.", "{n} objections are open.", n=count) if count else ""
        self._aside.why.open_judge(decision, review, words)

    def review_words(self) -> tuple[Decision, str] | None:
        """Returns the decision on the episode with author and reason, or None."""
        review = self._told.review if self._told is not None else None
        if review is None:
            return None
        who = tr("by {who}", who=review.author.name or tr("somebody"))
        return review.decision, f"{who}. {review.reason}".strip()

    def _said_of(self, step: int) -> tuple[StepJudgement, ...]:
        return tuple(self._told.said_of(step)) if self._told is not None else ()

    def _author(self) -> Author:
        return self._history.author if self._history is not None else NOBODY

    def _why_not(self) -> str:
        return "" if self._history is not None else tr("This library is open for reading only.")

    def _standing(self, before: Before) -> dict[Says, Standing]:
        said, step, author = self._said_of(before.step.index), before.step, self._author()
        no_run = "" if before.run else tr("No run has predictions for this episode")
        not_right = no_run or judgements.why_not_also_right(step, before.prediction)
        also = before.prediction is not None and before.prediction.parsed in [
            gold.action for gold in accepted_alternatives(step)
        ]
        of_gold = judgements.objection_of(said, step, author)
        of_verdict = judgements.objection_of(said, step, author, before.run, before.protocol)
        return {
            Says.RIGHT: Standing(self._why_not() or not_right, "" if also else None),
            Says.GOLD: Standing(self._why_not(), of_gold.reason if of_gold is not None else None),
            Says.VERDICT: Standing(
                self._why_not() or no_run,
                of_verdict.reason if of_verdict is not None and before.run else None,
            ),
        }

    def _note(self, before: Before) -> str:
        also = [gold for gold in before.step.golds if gold.role == "alternative"]
        if not also or judgements.takes_alternatives(before.protocol):
            return ""
        return tr(
            "Another action is right, too: it counts under taptrail-strict. {protocol} knows one.",
            protocol=protocol_words(before.protocol),
        )

    # --- changes -------------------------------------------------------------------------------

    def _make(self, make: Callable[[Library, Episode, Author], Edit | None], words: str) -> None:
        if self._history is None or self._before is None:
            return

        def done(change: SavedChange) -> None:
            if change.numbers:
                self.said.emit(words)

        self._history.change(self._before.episode.uuid, make, done)

    def _say(self, says: Says, reason: str) -> None:
        before = self._before
        if before is None:
            return
        step, run, protocol = before.step, before.run, before.protocol

        def make(library: Library, episode: Episode, author: Author) -> Edit:
            if says is Says.GOLD:
                return judgements.object_to_gold(library, episode, step, author, reason)
            if says is Says.VERDICT:
                return judgements.object_to_verdict(
                    library, episode, step, run, protocol, author, reason
                )
            judgements.accept_answer(library, episode, step, run, before.prediction, author)
            return library.edits(episode.uuid)[-1]

        words = {
            Says.RIGHT: tr("The answer of {run} is also right", run=run),
            Says.GOLD: tr("You object to the gold"),
            Says.VERDICT: tr("You disagree with the verdict"),
        }[says]
        self._make(make, words)

    def _take_back(self, says: Says) -> None:
        before = self._before
        if before is None:
            return
        step = before.step
        of = (before.run, before.protocol) if says is Says.VERDICT else ("", "")
        self._make(
            lambda library, episode, author: judgements.take_back(
                library, episode, step, author, *of
            ),
            tr("Your objection was withdrawn"),
        )

    def _judge_episode(self, decision: Decision | None, reason: str) -> None:
        self._aside.why.close_forms()
        self._make(
            lambda library, episode, author: judge_episode(
                library, episode, decision, author, reason
            ),
            tr("The episode is judged")
            if decision is not None
            else tr("The episode is open again"),
        )

    def _write_note(self, words: str) -> None:
        if self._before is None:
            return
        index = self._before.step.index
        self._make(
            lambda library, episode, author: library.editor(author).change_texts(
                episode.uuid, index, note=words
            ),
            tr("The note is kept"),
        )

    def _heard(self, change: SavedChange) -> None:
        for uuid in dict.fromkeys(change.episodes):
            self.changed.emit(uuid)
