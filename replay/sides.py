"""Judges the sides of a comparison in one pass over the episodes.

A side is a letter, a run and a protocol. The result is the input of the numbers, the comparison and
the report. It keeps one small record per step, and the shares of each episode.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from episodes.episodes import Episode
from episodes.runs import Orphan, Prediction, Run, StepSet
from episodes.verdicts import Share
from replay.score_runs import AddedEnds, OrphansByEpisode, score_episode, step_set
from replay.step_facts import step_facts
from scoring.numbers import StepFacts
from scoring.protocol import Metric, Metrics, ScoredStep, ScoringProtocol
from scoring.statistics import Interval, bootstrap

LETTERS = "ABCD"
Place: TypeAlias = tuple[str, int]
"""An episode's uuid and the index of one of its steps."""

PredictionsOf = Callable[[str, Episode], Iterable[Prediction]]


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
        predictions: returns the predictions of a run, by its name, for one episode.
        orphans: of each run by name, read once for each of its sides. Second predictions for a step
            are judged too.
        private: whether private steps and episodes are counted.
        on_progress: called with (episodes done, `episode_count`).
    """
    judges = [_Judge(side, orphans.get(side.run.name, ())) for side in sides]
    for done, member in enumerate(members, start=1):
        said: dict[str, list[Prediction]] = {}
        for judge in judges:
            if judge.side.letter not in member.letters:
                continue
            run = judge.side.run.name
            if run not in said:
                said[run] = list(predictions(run, member.episode))
            judge.take(member.episode, said[run], private=private)
        if on_progress is not None:
            on_progress(done, episode_count)
    return tuple(judge.done() for judge in judges)


class _Judge:
    """Collects one side's verdicts."""

    def __init__(self, side: Side, orphans: Iterable[Orphan]) -> None:
        self.side = side
        self.judged = JudgedSide(side, StepSet("", 0, ""), Metrics({}))
        self.carry = side.protocol.carry() if side.protocol.carry is not None else None
        self.lines: list[str] = []
        self.scored: list[ScoredStep] = []
        self.beside = OrphansByEpisode(orphans)
        self.ends = AddedEnds()

    def take(self, episode: Episode, predictions: list[Prediction], *, private: bool) -> None:
        again, surplus = self.beside.of(episode.name)
        judged = score_episode(episode, predictions, self.side.protocol, again, self.carry, surplus)
        if episode.private and not private:
            self.judged.private_episodes += 1
            deque(judged, maxlen=0)  # judged all the same: some rules look back at answers before
            return
        hidden = {step.index for step in episode.steps if step.private and not private}
        self.judged.private_steps += len(hidden)
        mine = [scored for scored in judged if scored.step not in hidden]
        self.judged.doubled += sum(scored.doubled for scored in mine)
        origin = episode.origin
        for fact in step_facts(episode, (*predictions, *surplus), mine):
            self.judged.steps[episode.uuid, fact.step] = fact
        for scored in mine:
            if not (scored.doubled or scored.derived):
                self.lines.append(f"{origin.dataset}/{origin.version}/{episode.name}/{scored.step}")
        self.ends.add(self.side.protocol, episode, mine)
        self.scored.extend(mine)
        alone = self.side.protocol.aggregate(mine).values
        self.judged.episodes[episode.uuid] = {
            name: metric.share for name, metric in alone.items() if metric.share is not None
        }

    def done(self) -> JudgedSide:
        held = self.side.run.step_set
        self.judged.step_set = step_set(held.name if held is not None else "all", self.lines)
        self.judged.metrics = self.ends.add_note(self.side.protocol.aggregate(self.scored))
        self.scored = []
        return self.judged


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
