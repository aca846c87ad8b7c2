"""Scores a run under a protocol: the verdict of every step, and the metrics.

The gold always comes from the given episodes, never from the prediction file. Episodes are read one
by one; only one small record per step stays in memory.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from episodes.episodes import Episode
from episodes.runs import Orphan, OrphanReason, Prediction, Run, StepSet
from episodes.steps import Step
from replay.step_facts import step_facts
from scoring.numbers import StepFacts
from scoring.protocol import Carry, Metric, Metrics, ScoredStep, ScoringProtocol

PredictionsOf = Callable[[Episode], Iterable[Prediction]]


@dataclass(frozen=True, slots=True)
class ScoreResult:
    """A run's verdicts and numbers under one protocol; `steps` is empty when not kept."""

    protocol: ScoringProtocol
    run: Run
    step_set: StepSet
    metrics: Metrics
    steps: tuple[ScoredStep, ...]
    facts: tuple[StepFacts, ...] = ()


class OrphansByEpisode:
    """The orphans of a run that may be judged, grouped by episode."""

    def __init__(self, orphans: Iterable[Orphan]) -> None:
        self._again: dict[str, list[Prediction]] = defaultdict(list)
        self._surplus: dict[str, list[Prediction]] = defaultdict(list)
        for orphan in orphans:
            if orphan.why is OrphanReason.DOUBLED:
                self._again[orphan.prediction.episode].append(orphan.prediction)
            elif orphan.why is OrphanReason.NO_STEP:
                self._surplus[orphan.prediction.episode].append(orphan.prediction)

    def of(self, episode: str) -> tuple[list[Prediction], list[Prediction]]:
        """Returns an episode's second predictions, and its predictions for missing steps."""
        return self._again.get(episode, []), self._surplus.get(episode, [])


@dataclass(slots=True)
class AddedEnds:
    """Counts the end steps that a protocol added to episodes, and how many were judged."""

    added: int = 0
    judged: int = 0

    def add(self, protocol: ScoringProtocol, episode: Episode, scored: list[ScoredStep]) -> None:
        """Counts the end step of one episode."""
        self.added += protocol.end is not None and protocol.end(episode) is not None
        self.judged += sum(step.derived for step in scored)

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


def score(
    run: Run,
    episodes: Iterable[Episode],
    predictions: PredictionsOf,
    protocol: ScoringProtocol,
    *,
    orphans: Iterable[Orphan] = (),
    keep_steps: bool = True,
    keep_facts: bool = False,
    on_step: Callable[[ScoredStep], None] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    episode_count: int = 0,
) -> ScoreResult:
    """Returns the run's verdicts and metrics over the given episodes, which are its step set.

    Args:
        predictions: returns the run's predictions of one episode, at most one per step.
        orphans: of the run. Second predictions for a step are judged too, because protocols may
            count them. Of the others only the answer to an added end step is judged.
        keep_facts: whether to keep the step facts that numbers and tables are computed from.
        on_step: called with each judged step.
        on_progress: called with (episodes done, `episode_count`).
    """
    beside, ends = OrphansByEpisode(orphans), AddedEnds()
    kept: list[ScoredStep] = []
    facts: list[StepFacts] = []
    lines: list[str] = []
    carry = protocol.carry() if protocol.carry is not None else None

    def judged() -> Iterator[ScoredStep]:
        for done, episode in enumerate(episodes, start=1):
            lines.extend(step_lines(episode))
            doubled, surplus = beside.of(episode.name)
            found = list(predictions(episode))
            mine = list(score_episode(episode, found, protocol, doubled, carry, surplus))
            ends.add(protocol, episode, mine)
            if keep_facts:
                facts.extend(step_facts(episode, (*found, *surplus), mine))
            for scored in mine:
                if keep_steps:
                    kept.append(scored)
                if on_step is not None:
                    on_step(scored)
                yield scored
            if on_progress is not None:
                on_progress(done, episode_count)

    metrics = ends.add_note(protocol.aggregate(judged()))
    name = run.step_set.name if run.step_set is not None else "all"
    held = step_set(name, lines)
    return ScoreResult(protocol, run, held, metrics, tuple(kept), tuple(facts))


def score_episode(
    episode: Episode,
    predictions: Iterable[Prediction],
    protocol: ScoringProtocol,
    doubled: Iterable[Prediction] = (),
    carry: Carry | None = None,
    surplus: Iterable[Prediction] = (),
) -> Iterator[ScoredStep]:
    """Yields the verdicts of an episode: of each step, of the added end step if the run answers it,
    then of second predictions.

    Args:
        carry: the state of a protocol that looks back at earlier answers.
        surplus: the run's answers for steps that the episode does not have.
    """
    found = {prediction.step: prediction for prediction in predictions}
    steps = {step.index: step for step in episode.steps}
    for step in episode.steps:
        prediction = found.get(step.index)
        judged = carry(prediction, step) if carry is not None else prediction
        yield _scored(episode, step, judged, protocol)
    end = protocol.end(episode) if protocol.end is not None else None
    if end is not None:
        told = next((one for one in surplus if one.step == end.index), None)
        if told is not None:
            yield replace(_scored(episode, end, told, protocol), derived=True)
    for prediction in doubled:
        if prediction.step in steps:
            again = _scored(episode, steps[prediction.step], prediction, protocol)
            yield replace(again, doubled=True)


def group_predictions(predictions: Iterable[Prediction]) -> PredictionsOf:
    """Returns the function that `score` takes, for predictions in memory."""
    by_episode: dict[str, list[Prediction]] = defaultdict(list)
    for prediction in predictions:
        by_episode[prediction.episode].append(prediction)
    return lambda episode: by_episode.get(episode.name, [])


def step_lines(episode: Episode) -> Iterator[str]:
    """Yields the lines "dataset/version/episode/step" from which a step set's hash is computed."""
    origin = episode.origin
    for step in episode.steps:
        yield f"{origin.dataset}/{origin.version}/{episode.name}/{step.index}"


def step_set(name: str, lines: Iterable[str]) -> StepSet:
    """Returns the step set of these lines: their count, and a hash independent of their order."""
    ordered = sorted(lines)
    digest = hashlib.sha256("".join(line + "\n" for line in ordered).encode()).hexdigest()
    return StepSet(name, len(ordered), digest)


def score_to_json(result: ScoreResult, library: str) -> dict[str, Any]:
    """Returns what `taptrail score --json` prints."""
    return {
        "protocol": result.protocol.name,
        "version": result.protocol.version,
        "library": library,
        "run": result.run.name,
        "step_set": {
            "name": result.step_set.name,
            "n": result.step_set.count,
            "sha256": result.step_set.sha256,
        },
        "metrics": {name: _metric(metric) for name, metric in result.metrics.values.items()},
        "steps": [step_to_json(scored) for scored in result.steps],
        "notes": list(result.metrics.notes),
        "left_out": dict(result.metrics.tally),
    }


def step_to_json(scored: ScoredStep) -> dict[str, Any]:
    """Returns one step's verdict as in `taptrail score --json`; a second answer is marked."""
    return {
        "episode": scored.episode,
        "step": scored.step,
        "outcome": scored.verdict.outcome.value,
        "rule": scored.verdict.rule,
        "reason": scored.verdict.reason,
        "parts": dict(scored.verdict.parts),
        **({"doubled": True} if scored.doubled else {}),
    }


def _metric(metric: Metric) -> dict[str, Any]:
    share = metric.share
    told: dict[str, Any] = {
        "value": metric.value,
        "unit": metric.unit,
        "hits": share.hits if share is not None else None,
        "total": share.total if share is not None else None,
    }
    return told | ({"note": metric.note} if metric.note else {})


def _scored(
    episode: Episode,
    step: Step,
    prediction: Prediction | None,
    protocol: ScoringProtocol,
) -> ScoredStep:
    return ScoredStep(
        episode.name,
        step.index,
        protocol.verdict(prediction, step, episode),
        category=episode.task.category,
        declared_steps=episode.declared_steps or len(episode.steps),
        place=prediction.line if prediction is not None else 0,
    )
