"""Controller of the open episode: shows its current step in all parts of the Review page."""

from __future__ import annotations

from PySide6.QtCore import QObject

from episodes.episodes import Episode
from episodes.steps import Step
from episodes.store.library import Library
from taptrail.gui.review import texts
from taptrail.gui.review.columns import AFTER, SPLIT, RunAnswer
from taptrail.gui.review.comparisons import Comparisons
from taptrail.gui.review.episode_player import EpisodePlayer
from taptrail.gui.review.head import LETTERS
from taptrail.gui.review.judgement_controller import Before, JudgementController
from taptrail.gui.review.scoring_session import ScoringSession
from taptrail.gui.review.stills import StepStills
from taptrail.gui.review.view import STEPS, ReviewView
from taptrail.gui.thumbnails import Pictures
from taptrail.gui.work import WorkThread
from taptrail.usecases import reviewing
from taptrail.words import tr


class StepController(QObject):
    """Attributes:
    opened: the episode with the predictions of the runs; None before the first is loaded.
    row: the row of the current step.
    selected: the number of the run shown in the right panel.
    """

    def __init__(
        self,
        parts: ReviewView,
        reader: WorkThread[Library],
        pictures: Pictures,
        scorer: ScoringSession,
        judgements: JudgementController,
    ) -> None:
        super().__init__()
        self._parts, self._scorer, self._judgements = parts, scorer, judgements
        self.comparisons = Comparisons(reader, self)
        self.stills = StepStills(pictures, parts.columns, self)
        self.player = EpisodePlayer(reader, parts.columns, parts.playback, self)
        self.opened: reviewing.OpenEpisode | None = None
        self.row = self.selected = 0
        self.stills.settled.connect(self.comparisons.get)  # after the frame is visible
        self.comparisons.ready.connect(self._compared)
        self.player.turned.connect(self._turn)
        judgements.told.connect(self._show_told)
        parts.strip.chosen.connect(self.turn_to)
        parts.columns.chosen.connect(lambda who: self.select(LETTERS.index(who)))
        parts.playback.stepped.connect(lambda by: self.turn_to(self.row + by))
        parts.mode.chosen.connect(self.show_mode)

    # --- open step -----------------------------------------------------------------------------

    def uuid(self) -> str:
        """Returns the uuid of the open episode; "" if none is open."""
        return self.opened.episode.uuid if self.opened is not None else ""

    def where(self) -> tuple[str, int]:
        """Returns the name of the open episode and the row of its step; ("", -1) if none."""
        return (self.opened.episode.name, self.row) if self.opened is not None else ("", -1)

    def steps(self) -> tuple[Step, ...]:
        """Returns the steps of the open episode."""
        return self.opened.episode.steps if self.opened is not None else ()

    def step(self) -> Step | None:
        """Returns the shown step."""
        steps = self.steps()
        return steps[self.row] if self.row < len(steps) else None

    def place(self) -> reviewing.Place | None:
        """Returns the Place of the shown step."""
        step = self.step()
        if step is None or self.opened is None:
            return None
        return self.opened.episode.uuid, step.index

    def answering(self) -> list[tuple[str, str]]:
        """Returns letter and name of the runs with predictions for the open episode."""
        said = self.opened.predictions if self.opened is not None else {}
        return [pair for pair in self._scorer.pairs() if pair[1] in said]

    def letter(self) -> str:
        """Returns the letter of the selected run; "" if no run is compared."""
        return LETTERS[self.selected] if self._scorer.runs else ""

    # --- moving --------------------------------------------------------------------------------

    def show_episode(self, opened: reviewing.OpenEpisode, wanted_step: int | None) -> None:
        """Shows an episode, at the step with this index if one is given."""
        self.opened = opened
        steps = opened.episode.steps
        if wanted_step is not None:
            rows = [n for n, step in enumerate(steps) if step.index == wanted_step]
            self.row = rows[0] if rows else 0
        self.row = min(max(0, self.row), max(0, len(steps) - 1))
        self._parts.error.hide()
        self._parts.show_page(STEPS)
        letters = [letter for letter, _ in self.answering()]
        if letters and self.letter() not in letters:
            self.selected = LETTERS.index(letters[0])
        self._judgements.open(opened.episode.uuid)
        self.player.open(opened.episode, self.row)
        self.show_strip()
        self.show_step()
        self.player.show_step(self.row)

    def show_again(self, opened: reviewing.OpenEpisode) -> None:
        """Shows changes of the open episode; the picture of its step stays."""
        before = [step.index for step in self.steps()]
        if [step.index for step in opened.episode.steps] != before:
            step = self.step()
            self.show_episode(opened, step.index if step is not None else None)
            return
        self.opened = opened
        self._judgements.open(opened.episode.uuid)
        self.comparisons.turn(opened, self._scorer.protocol)
        self.show_strip()
        self.show_why()
        self.comparisons.get(self.row)

    def turn_to(self, row: int) -> None:
        """Shows another step of the open episode, and stops playing."""
        was_on = self.player.is_on
        self.player.leave()
        if 0 <= row < len(self.steps()) and (row != self.row or was_on):
            self._turn(row)

    def turn_by(self, by: int) -> None:
        """Shows the next or previous step."""
        self.turn_to(self.row + by)

    def turn_to_index(self, index: int) -> None:
        """Shows the step with this index in the data."""
        rows = [n for n, step in enumerate(self.steps()) if step.index == index]
        if rows:
            self.turn_to(rows[0])

    def select(self, number: int) -> None:
        """Selects the run shown in the right panel."""
        if 0 <= number < len(self._scorer.runs):
            self.selected = number
            self._parts.columns.select(self.letter())
            self.show_why()
            self.show_numbers()

    def select_beside(self, by: int) -> None:
        """Selects the next or previous run with predictions for the episode."""
        letters = [letter for letter, _ in self.answering()]
        at = letters.index(self.letter()) + by if self.letter() in letters else 0
        if 0 <= at < len(letters):
            self.select(LETTERS.index(letters[at]))

    def set_mode(self, mode: int) -> None:
        """Sets the layout of the frames; the same layout again resets it."""
        wanted = SPLIT if self._parts.mode.choice() == mode else mode
        self._parts.mode.set_choice(wanted)
        self.show_mode(wanted)

    def show_mode(self, mode: int) -> None:
        """Applies the layout of the frames."""
        self._parts.columns.set_mode(mode)
        self.show_step()

    def _turn(self, row: int) -> None:
        self.row = row
        self._parts.strip.turn_to(row)
        self.show_step()
        self.player.show_step(row)

    # --- showing -------------------------------------------------------------------------------

    def show_strip(self) -> None:
        """Shows all steps with their verdicts."""
        if self.opened is None:
            return
        episode, judged = self.opened.episode, self._scorer.judged
        pairs = [(x, judged[name]) for x, name in self.answering() if name in judged]
        items = [
            texts.strip_item(episode, step, pairs, row) for row, step in enumerate(episode.steps)
        ]
        self._parts.strip.show_items(items, self.row)

    def show_step(self) -> None:
        """Shows the step immediately; its comparison and picture follow."""
        if self.opened is None:
            return
        step, episode, parts = self.step(), self.opened.episode, self._parts
        if step is None:
            parts.foot.show_step(episode.name, 0, 0, ())
            parts.columns.show_nothing(tr("This episode has no steps"))
            self._judgements.show(None)
            return
        letters = [letter for letter, _ in self.answering()]
        parts.foot.show_step(episode.name, self.row + 1, len(episode.steps), letters)
        parts.status.say(tr("Saved"))
        parts.status.say_health(episode.task.instruction)
        parts.differing.turn_to(self.place())
        self.comparisons.turn(self.opened, self._scorer.protocol)
        found = self.comparisons.peek(self.row)
        parts.columns.show_step(
            texts.shown(episode, step, found.tolerance if found is not None else None),
            self._said(episode, step),
            self.letter(),
            texts.after(episode, self.row),
        )
        self.show_why()
        self.stills.turn(episode, self.row, with_after=parts.mode.choice() == AFTER)

    def say_more(self) -> None:
        """Updates the texts of the step after its comparison was loaded."""
        step, found = self.step(), self.comparisons.peek(self.row)
        if step is not None and self.opened is not None and found is not None:
            episode = self.opened.episode
            self._parts.columns.show_said(
                texts.shown(episode, step, found.tolerance),
                self._said(episode, step),
                self.letter(),
            )
            self.show_why()

    def show_why(self) -> None:
        """Updates the right panel."""
        runs, there_are = self._scorer.runs, self._scorer.there_are
        name = runs[self.selected] if self.selected < len(runs) else ""
        found, why = self.comparisons.peek(self.row), self._parts.aside.why
        if found is not None and name in found.sides:
            why.show_step(self.letter(), there_are[name], found.sides[name], self._scorer.protocol)
        elif not there_are:
            why.show_nothing()
        elif name not in dict(self.answering()).values():
            why.show_no_answer(self._parts.runs.can_offer())
        self._show_said(name)

    def show_numbers(self) -> None:
        """Shows the numbers of the runs scored so far."""
        judged = self._scorer.judged
        self._parts.aside.numbers.show_runs(
            self.letter(),
            [(x, judged[name]) for x, name in self._scorer.pairs() if name in judged],
        )

    def _show_said(self, run: str) -> None:
        step, opened = self.step(), self.opened
        if step is None or opened is None:
            return
        found = self.comparisons.peek(self.row)
        self._parts.aside.words.show_step(
            opened.episode, step, found.name if found is not None else ""
        )
        answers = opened.predictions.get(run)
        self._judgements.show(
            Before(
                opened.episode,
                step,
                run if answers is not None else "",
                answers.get(step.index) if answers is not None else None,
                self._scorer.protocol,
            )
        )

    def _show_told(self) -> None:
        self._parts.foot.show_review(self._judgements.review_words())
        self.show_why()

    def _said(self, episode: Episode, step: Step) -> list[RunAnswer]:
        found, opened = self.comparisons.peek(self.row), self.opened
        sides = found.sides if found is not None else {}
        judged = self._scorer.judged
        runs: list[tuple[str, str, texts.Answer | None]] = [
            (x, name, texts.answer(opened, step, name, sides, judged.get(name)))
            for x, name in self.answering()
            if opened is not None
        ]
        return texts.said(episode, step, found.name if found is not None else "", runs)

    def _compared(self, row: int) -> None:
        if row == self.row:
            self.say_more()
            for beside in (row - 1, row + 1):
                self.comparisons.get(beside, ahead=True)
