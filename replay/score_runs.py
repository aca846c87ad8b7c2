"""Scores a run under a protocol: the verdict of every step, and the metrics.

The gold always comes from the given episodes, never from the prediction file. Episodes are read one
by one; only one small record per step stays in memory.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from episodes.episodes import Episode
from episodes.runs import Orphan, Prediction, Run, StepSet
from replay.judging import AddedEnds, JudgedEpisode, Member, Side, judge_episodes
from scoring.numbers import StepFacts
from scoring.protocol import Metric, Metrics, ScoredStep, ScoringProtocol

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


def score(
    run: Run,
    episodes: Iterable[Episode],
    predictions: PredictionsOf,
    protocol: ScoringProtocol,
    *,
    orphans: Iterable[Orphan] = (),
    keep_steps: bool = True,
    keep_facts: bool = False,
    on_episode: Callable[[JudgedEpisode], None] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    episode_count: int = 0,
) -> ScoreResult:
    """Returns the run's verdicts and metrics over the given episodes, which are its step set.

    Args:
        predictions: returns the run's predictions of one episode, at most one per step.
        orphans: of the run; see `judge_episodes`.
        keep_facts: whether to keep the step facts that numbers and tables are computed from.
        on_episode: called with each judged episode.
        on_progress: called with (episodes done, `episode_count`).
    """
    ends = AddedEnds()
    kept: list[ScoredStep] = []
    facts: list[StepFacts] = []
    lines: list[str] = []

    def judged_steps() -> Iterator[ScoredStep]:
        for judged in judge_episodes(
            [Side("A", run, protocol)],
            (Member(episode, frozenset("A")) for episode in episodes),
            lambda _, episode: predictions(episode),
            {run.name: orphans},
            on_progress=on_progress,
            episode_count=episode_count,
        ):
            lines.extend(step_lines(judged.episode))
            ends.add(judged)
            if keep_facts:
                facts.extend(judged.facts())
            if keep_steps:
                kept.extend(judged.steps)
            if on_episode is not None:
                on_episode(judged)
            yield from judged.steps

    metrics = ends.add_note(protocol.aggregate(judged_steps()))
    name = run.step_set.name if run.step_set is not None else "all"
    held = step_set(name, lines)
    return ScoreResult(protocol, run, held, metrics, tuple(kept), tuple(facts))


def group_predictions(predictions: Iterable[Prediction]) -> PredictionsOf:
    """Returns the function that `score` takes, for predictions in memory."""
    by_episode: dict[str, list[Prediction]] = defaultdict(list)
    for prediction in predictions:
        by_episode[prediction.episode].append(prediction)
    return lambda episode: by_episode.get(episode.name, [])


def step_lines(episode: Episode, hidden: Collection[int] = ()) -> Iterator[str]:
    """Yields the lines "dataset/version/episode/step" from which a step set's hash is computed.

    Args:
        hidden: indexes of steps that are left out.
    """
    origin = episode.origin
    for step in episode.steps:
        if step.index not in hidden:
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
