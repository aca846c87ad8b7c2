"""What a scoring protocol is, and what it says of steps and of runs.

A protocol reads its own gold out of a step, judges one prediction against it, and makes numbers
of many verdicts. It knows nothing of files, stores or pictures; each lives in a module of
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
    """A protocol has no gold for a step, or cannot place a prediction; `reason` says why."""

    reason: str


@dataclass(frozen=True, slots=True)
class Counts:
    """How steps that were not simply judged enter the denominators, in words."""

    missing: str
    unreadable: str
    unscored: str
    doubled: str


@dataclass(frozen=True, slots=True)
class ScoredStep:
    """One judged step, with what aggregation needs of its episode.

    Attributes:
        category: of the episode's task, "" where it has none.
        declared_steps: how many steps the episode should have.
        place: position of the prediction in what was read; orders steps as the run has them.
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
        value: None where there is none to give; `note` then says why.
        share: what it is made of; None for means of means.
    """

    value: float | None
    share: Share | None = None
    unit: str = "%"
    note: str = ""


@dataclass(frozen=True, slots=True)
class Metrics:
    """All numbers of a run under one protocol, in the order they are shown.

    Attributes:
        tally: how many steps or episodes were left out or judged specially, by reason.
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
        quirks: what a reader of its numbers should know, one sentence each.
        gold: reads the gold of a step; what it returns is only for this protocol's `judge`.
        judge: the verdict on a prediction, or on its absence.
        aggregate: consumes scored steps one by one and returns the metrics. It keeps counts of
            each episode, not the steps.
        carry: for rules that look back at earlier answers. Called once a run, it returns what
            makes of each step's prediction, in order, the one that is judged.
        end: for rules that put an end step behind an episode whose recording has none: returns
            it, or None. It is judged where the run answers it, and never stored.
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
        """Name and version as commands take them, e.g. "guiodyssey@2"."""
        return f"{self.name}@{self.version}"

    def verdict(self, prediction: Prediction | None, step: Step, episode: Episode) -> Verdict:
        """Returns the verdict on a step's prediction; unscored where the step has no gold."""
        gold = self.gold(step, episode)
        if isinstance(gold, CannotSay):
            return unscored("no-gold", gold.reason)
        return self.judge(prediction, gold)


def unscored(rule: str, reason: str) -> Verdict:
    """Returns the verdict of a step that cannot be told right from wrong."""
    return Verdict(Outcome.UNSCORED, rule, reason)


def percent(share: Share) -> float | None:
    """Returns hits of total as a percentage rounded to two decimals, None of nothing."""
    return round(share.hits / share.total * 100, 2) if share.total else None
