"""Judges runs episode by episode. Scores, reviews, comparisons, reports and budgets all read this.

    for judged in judge_episodes([Side("A", run, protocol)], members, predictions, orphans):
        for step in judged.steps: ...

Episodes are read one by one, and nothing of an episode is kept after it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from episodes.episodes import Episode
from episodes.runs import Orphan, OrphanReason, Prediction, Run
from episodes.steps import Step
from replay.step_facts import step_facts
from scoring.numbers import StepFacts
from scoring.protocol import Metrics, ScoredStep, ScoringProtocol

PredictionsOf = Callable[[str, Episode], Iterable[Prediction]]
"""Returns the predictions of a run, by its name, for one episode: at most one per step."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison: a run under a protocol."""

    letter: str
    run: Run
    protocol: ScoringProtocol

    @property
    def name(self) -> str:
        """The run's name, which identifies the side if all sides have the same protocol."""
        return self.run.name


@dataclass(frozen=True, slots=True)
class Member:
    """An episode, and the letters of the sides it is measured for."""

    episode: Episode
    letters: frozenset[str]


@dataclass(frozen=True, slots=True)
class JudgedEpisode:
    """The verdicts of one side on an episode.

    Attributes:
        letter: of the side.
        predictions: of the run; those for a missing step, such as an added end, come last.
        steps: of each step, of the added end step if the run answers it, then of second
            predictions.
        end_added: whether the protocol appends an end step to the episode.
    """

    letter: str
    episode: Episode
    predictions: tuple[Prediction, ...]
    steps: tuple[ScoredStep, ...]
    end_added: bool

    def facts(self, steps: Iterable[ScoredStep] | None = None) -> Iterator[StepFacts]:
        """Returns the facts of the given steps or of all, without second predictions."""
        return step_facts(self.episode, self.predictions, self.steps if steps is None else steps)


def judge_episodes(
    sides: Iterable[Side],
    members: Iterable[Member],
    predictions: PredictionsOf,
    orphans: Mapping[str, Iterable[Orphan]],
    *,
    on_progress: Callable[[int, int], None] | None = None,
    episode_count: int = 0,
) -> Iterator[JudgedEpisode]:
    """Yields the verdicts on each episode, of each side in turn.

    Args:
        predictions: called once per episode and run.
        orphans: of each run by name, read once for each of its sides. Second predictions for a step
            are judged too, because protocols may count them. Of the others only the answer to an
            added end step is judged.
        on_progress: called with (episodes done, `episode_count`).
    """
    judges = [_Judge(side, orphans.get(side.run.name, ())) for side in sides]
    for done, member in enumerate(members, start=1):
        found: dict[str, list[Prediction]] = {}
        for judge in judges:
            if judge.side.letter in member.letters:
                run = judge.side.run.name
                if run not in found:
                    found[run] = list(predictions(run, member.episode))
                yield judge.judge(member.episode, found[run])
        if on_progress is not None:
            on_progress(done, episode_count)


class _Judge:
    """Judges the episodes of one side, in their order: some rules look back at earlier answers."""

    def __init__(self, side: Side, orphans: Iterable[Orphan]) -> None:
        self.side = side
        self._carry = side.protocol.carry() if side.protocol.carry is not None else None
        self._again: dict[str, list[Prediction]] = defaultdict(list)
        self._surplus: dict[str, list[Prediction]] = defaultdict(list)
        for orphan in orphans:
            if orphan.why is OrphanReason.DOUBLED:
                self._again[orphan.prediction.episode].append(orphan.prediction)
            elif orphan.why is OrphanReason.NO_STEP:
                self._surplus[orphan.prediction.episode].append(orphan.prediction)

    def judge(self, episode: Episode, predictions: list[Prediction]) -> JudgedEpisode:
        protocol = self.side.protocol
        surplus = self._surplus.get(episode.name, [])
        end = protocol.end(episode) if protocol.end is not None else None
        return JudgedEpisode(
            self.side.letter,
            episode,
            (*predictions, *surplus),
            tuple(self._steps(episode, predictions, surplus, end)),
            end is not None,
        )

    def _steps(
        self,
        episode: Episode,
        predictions: list[Prediction],
        surplus: list[Prediction],
        end: Step | None,
    ) -> Iterator[ScoredStep]:
        found = {prediction.step: prediction for prediction in predictions}
        steps = {step.index: step for step in episode.steps}
        for step in episode.steps:
            prediction = found.get(step.index)
            if self._carry is not None:
                prediction = self._carry(prediction, step)
            yield self._scored(episode, step, prediction)
        if end is not None:
            answer = next((one for one in surplus if one.step == end.index), None)
            if answer is not None:
                yield replace(self._scored(episode, end, answer), derived=True)
        for prediction in self._again.get(episode.name, []):
            if prediction.step in steps:
                again = self._scored(episode, steps[prediction.step], prediction)
                yield replace(again, doubled=True)

    def _scored(self, episode: Episode, step: Step, prediction: Prediction | None) -> ScoredStep:
        return ScoredStep(
            episode.name,
            step.index,
            self.side.protocol.verdict(prediction, step, episode),
            category=episode.task.category,
            declared_steps=episode.declared_steps or len(episode.steps),
            place=prediction.line if prediction is not None else 0,
        )


@dataclass(slots=True)
class AddedEnds:
    """Counts the end steps that a protocol added to episodes, and how many were judged."""

    added: int = 0
    judged: int = 0

    def add(self, judged: JudgedEpisode) -> None:
        """Counts the end step of one episode."""
        self.added += judged.end_added
        self.judged += sum(step.derived for step in judged.steps)

    def add_note(self, metrics: Metrics) -> Metrics:
        """Returns the metrics with a note about added end steps, if there are any."""
        if not self.added:
            return metrics
        note = (
            f"The recordings lack an end; this protocol puts one behind each of {self.added} "
            f"episodes. The run answers {self.judged} of them, which are in the numbers and not in "
            "the step set."
        )
        return replace(metrics, notes=(*metrics.notes, note))
