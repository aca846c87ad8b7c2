"""The interface of a scoring protocol: verdicts of steps, and metrics of runs.

A protocol reads its own gold from a step, judges one prediction against it, and aggregates verdicts
into metrics. It uses no files, stores or pictures. Each protocol is a module of
`scoring.protocols`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from episodes.episodes import Episode
from episodes.runs import Prediction
from episodes.steps import Step
from episodes.verdicts import Outcome, Share, Verdict


@dataclass(frozen=True, slots=True)
class CannotSay:
    """A protocol has no gold for a step, or cannot judge a prediction; `reason` explains it."""

    reason: str


@dataclass(frozen=True, slots=True)
class Counts:
    """Texts on how special steps enter the denominators."""

    missing: str
    unreadable: str
    unscored: str
    doubled: str


@dataclass(frozen=True, slots=True)
class ScoredStep:
    """One judged step, with the facts of its episode that aggregation needs.

    Attributes:
        category: of the episode's task; "" if it has none.
        declared_steps: how many steps the episode should have.
        place: position of the prediction in the run's file; steps are ordered by it.
        doubled: a second prediction for a step that already has one.
        derived: the step is an end that the protocol adds; no recording has it.
    """

    episode: str
    step: int
    verdict: Verdict
    category: str = ""
    declared_steps: int = 0
    place: int = 0
    doubled: bool = False
    derived: bool = False


@dataclass(frozen=True, slots=True)
class Metric:
    """One number of a report.

    Attributes:
        value: None if there is none; then `note` gives the reason.
        share: hits and total; None for means of means.
    """

    value: float | None
    share: Share | None = None
    unit: str = "%"
    note: str = ""


@dataclass(frozen=True, slots=True)
class Metrics:
    """All numbers of a run under one protocol, in the order they are shown.

    Attributes:
        tally: number of steps or episodes that were left out or judged specially, by reason.
    """

    values: Mapping[str, Metric]
    notes: tuple[str, ...] = ()
    tally: Mapping[str, int] = field(default_factory=dict)


Carry = Callable[[Prediction | None, Step], Prediction | None]


@dataclass(frozen=True, slots=True)
class ScoringProtocol:
    """A named, versioned set of rules.

    Attributes:
        source: whose rules these are: repository and commit, or "Taptrail".
        quirks: peculiarities that affect its numbers, one sentence each.
        gold: reads the gold of a step, in the form that this protocol's `judge` takes.
        judge: the verdict on a prediction, or on its absence.
        aggregate: consumes scored steps one by one and returns the metrics. It keeps counts of
            each episode, not the steps.
        carry: for rules that look back at earlier answers. It is called once per run and returns a
            function that maps each step's prediction, in order, to the one that is judged.
        end: for rules that append an end step to an episode whose recording has none. Returns the
            step or None. It is judged if the run answers it, and never stored.
    """

    name: str
    version: str
    title: str
    source: str
    quirks: tuple[str, ...]
    counts: Counts
    gold: Callable[[Step, Episode], Any | CannotSay]
    judge: Callable[[Prediction | None, Any], Verdict]
    aggregate: Callable[[Iterable[ScoredStep]], Metrics]
    carry: Callable[[], Carry] | None = None
    end: Callable[[Episode], Step | None] | None = None

    @property
    def key(self) -> str:
        """Name and version, e.g. "guiodyssey@2"."""
        return f"{self.name}@{self.version}"

    def verdict(self, prediction: Prediction | None, step: Step, episode: Episode) -> Verdict:
        """Returns the verdict on a step's prediction; unscored if the step has no gold."""
        gold = self.gold(step, episode)
        if isinstance(gold, CannotSay):
            return unscored("no-gold", gold.reason)
        return self.judge(prediction, gold)


def unscored(rule: str, reason: str) -> Verdict:
    """Returns the verdict of a step that cannot be judged."""
    return Verdict(Outcome.UNSCORED, rule, reason)


def percent(share: Share) -> float | None:
    """Returns hits of total as a percentage rounded to two decimals; None if the total is 0."""
    return round(share.hits / share.total * 100, 2) if share.total else None
