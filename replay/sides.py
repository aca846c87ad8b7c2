"""Judges the sides of a comparison in one pass over the episodes.

The result is the input of the numbers, the comparison and the report. It keeps one small record per
step, and the shares of each episode.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from episodes.runs import Orphan, StepSet
from episodes.verdicts import Share
from replay.judging import (
    AddedEnds,
    JudgedEpisode,
    Member,
    PredictionsOf,
    Side,
    judge_episodes,
)
from replay.score_columns import JudgedRows
from replay.score_runs import step_lines, step_set
from scoring.numbers import StepFacts
from scoring.protocol import Metric, Metrics, ScoredStep
from scoring.statistics import Interval, bootstrap

LETTERS = "ABCD"
Place: TypeAlias = tuple[str, int]
"""An episode's uuid and the index of one of its steps."""


@dataclass(slots=True)
class JudgedSide:
    """A side with its verdicts.

    Attributes:
        metrics: as the protocol adds them up.
        steps: each once, in the order of the episodes.
        episodes: by uuid, the shares of the protocol's metrics for that episode alone.
        doubled: second predictions for a step; each protocol decides how they count.
        private_steps, private_episodes: numbers of steps and episodes that were left out.
    """

    side: Side
    step_set: StepSet
    metrics: Metrics
    steps: dict[Place, StepFacts] = field(default_factory=dict)
    episodes: dict[str, Mapping[str, Share]] = field(default_factory=dict)
    doubled: int = 0
    private_steps: int = 0
    private_episodes: int = 0

    def interval(self, metric: str, uuids: Iterable[str] | None = None) -> Interval | None:
        """Returns the bootstrap interval, over some episodes, of a metric that pools its episodes.

        Returns None if the share is not the sum of the episodes' shares (e.g. a mean of means), or
        if `bootstrap` returns None.
        """
        told = self.metrics.values.get(metric)
        if told is None or told.share is None:
            return None
        shares = [_of(shares, metric) for shares in self.episodes.values()]
        pooled = Share(sum(s.hits for s in shares), sum(s.total for s in shares))
        if pooled != told.share:
            return None
        chosen = shares if uuids is None else [_of(self.episodes[u], metric) for u in uuids]
        return bootstrap(chosen)

    def pooled(self, metric: str, uuids: Iterable[str]) -> Share:
        """Returns a metric's share over some episodes."""
        shares = [_of(self.episodes[uuid], metric) for uuid in uuids]
        return Share(sum(share.hits for share in shares), sum(share.total for share in shares))


def judge_sides(
    sides: Iterable[Side],
    members: Iterable[Member],
    predictions: PredictionsOf,
    orphans: Mapping[str, Sequence[Orphan]],
    *,
    private: bool = True,
    on_progress: Callable[[int, int], None] | None = None,
    episode_count: int = 0,
) -> tuple[JudgedSide, ...]:
    """Returns the sides with all verdicts; episodes are read one by one.

    Args:
        private: whether private steps and episodes are counted.

    The other arguments are those of `judge_episodes`.
    """
    chosen = tuple(sides)
    folds = {side.letter: _Fold(side) for side in chosen}
    for judged in judge_episodes(
        chosen,
        members,
        predictions,
        orphans,
        on_progress=on_progress,
        episode_count=episode_count,
    ):
        folds[judged.letter].add(judged, private=private)
    return tuple(fold.done() for fold in folds.values())


def judge_sides_from_columns(
    sides: Sequence[Side],
    episodes: Callable[[Side], Iterable[JudgedRows]],
    *,
    private: bool = True,
    on_progress: Callable[[int, int], None] | None = None,
    episode_count: int = 0,
) -> tuple[JudgedSide, ...]:
    """Returns what `judge_sides` returns, for sides that are measured on the same episodes.

    Args:
        episodes: returns a side's episodes, judged (`score_columns.judge_rows_by_episode`).
    """
    found = []
    done = 0
    for side in sides:
        fold = _Fold(side)
        for judged in episodes(side):
            fold.add_rows(judged, private=private)
            done += 1
            if on_progress is not None:
                on_progress(done // len(sides), episode_count)
        found.append(fold.done())
    return tuple(found)


class _Fold:
    """Collects one side's verdicts."""

    def __init__(self, side: Side) -> None:
        self._protocol = side.protocol
        self._judged = JudgedSide(side, StepSet("", 0, ""), Metrics({}))
        self._lines: list[str] = []
        self._scored: list[ScoredStep] = []
        self._ends = AddedEnds()

    def add(self, judged: JudgedEpisode, *, private: bool) -> None:
        episode = judged.episode
        if episode.private and not private:
            self._judged.private_episodes += 1
            return
        hidden = {step.index for step in episode.steps if step.private and not private}
        steps = [step for step in judged.steps if step.step not in hidden]
        self._lines.extend(step_lines(episode, hidden))
        self._ends.add(judged)
        self._add(episode.uuid, hidden, steps, judged.facts(steps))

    def add_rows(self, judged: JudgedRows, *, private: bool) -> None:
        """Adds an episode that was judged from columns."""
        row, found = judged.row, judged.properties
        if found.private and not private:
            self._judged.private_episodes += 1
            return
        hidden = {step.number for step in found.steps if step.private and not private}
        steps = [step for step in judged.scored if step.step not in hidden]
        facts = [fact for fact in judged.facts if fact.step not in hidden]
        origin = f"{found.dataset}/{found.version}/{row.name}"
        self._lines.extend(f"{origin}/{fact.step}" for fact in facts)
        self._add(row.uuid, hidden, steps, facts)

    def _add(
        self,
        uuid: str,
        hidden: set[int],
        steps: list[ScoredStep],
        facts: Iterable[StepFacts],
    ) -> None:
        found = self._judged
        found.private_steps += len(hidden)
        found.doubled += sum(step.doubled for step in steps)
        for fact in facts:
            found.steps[uuid, fact.step] = fact
        self._scored.extend(steps)
        alone = self._protocol.aggregate(steps).values
        found.episodes[uuid] = {
            name: metric.share for name, metric in alone.items() if metric.share is not None
        }

    def done(self) -> JudgedSide:
        held = self._judged.side.run.step_set
        name = held.name if held is not None else "all"
        self._judged.step_set = step_set(name, self._lines)
        self._judged.metrics = self._ends.add_note(self._protocol.aggregate(self._scored))
        return self._judged


def _of(shares: Mapping[str, Share], metric: str) -> Share:
    return shares.get(metric, Share(0, 0))


def lead_metric(judged: JudgedSide) -> str:
    """Returns the name of a side's lead metric: AMS, else the protocol's first."""
    return known_by(judged.metrics)


def known_by(metrics: Metrics) -> str:
    """Returns the name of the lead metric: AMS, else the first main metric."""
    names = [name for name in metrics.values if _is_main(name)]
    return "AMS" if "AMS" in names else next(iter(names), "")


def whole_metric(judged: JudgedSide) -> str:
    """Returns the name of the share of whole episodes; "" if the protocol has none."""
    values = judged.metrics.values
    return next((n for n in _WHOLE if n in values and values[n].share is not None), "")


_WHOLE = ("SR", "success_rate", "complete match")


def main_metrics(judged: JudgedSide) -> dict[str, Metric]:
    """Returns the protocol's metrics without those of single categories and apps."""
    return {name: metric for name, metric in judged.metrics.values.items() if _is_main(name)}


def _is_main(name: str) -> bool:
    return "/" not in name or name.endswith("/category mean")
