"""Numbers of an agent's attempts, judged by the tasks' checks and not by its claims."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from statistics import mean, median
from typing import Any

Z = 1.959963984540054
"""Of the normal distribution, for 95 %."""


@dataclass(frozen=True, slots=True)
class JudgedAttempt:
    """An attempt with a verdict.

    Attributes:
        verdict: "success", "partial", "failed" or "unknown".
        claimed: "complete", "impossible" or "".
        budget: steps that people's attempts or the task allow; None if unknown.
    """

    task: str
    verdict: str
    score: float | None
    claimed: str
    stop: str
    turns: int
    steps: int
    tokens: int
    seconds: float
    model_s: float
    budget: int | None = None


@dataclass(frozen=True, slots=True)
class AgentNumbers:
    """Numbers of one task, or of all.

    Attributes:
        judged: attempts whose check knows; the others are `unknown` and in no rate.
        interval: of the success rate, by Wilson (1927), 95 %; None without a judged attempt.
        androidworld: mean over the tasks of each task's mean score.
        androidlab: successes of all tasks that were attempted, unknown ones among them.
        false_complete: claims "complete" that the check denies; false_impossible: claims
            "impossible" although it was done.
        in_budget: successes that took no more steps than the budget.
    """

    task: str
    attempts: int
    judged: int
    unknown: int
    successes: int
    rate: float | None
    interval: tuple[float, float] | None
    androidworld: float | None
    androidlab: float | None
    true_complete: int
    false_complete: int
    false_impossible: int
    silent_successes: int
    in_budget: int | None
    turns: float | None
    steps: float | None
    tokens: float | None
    seconds: float | None
    stops: dict[str, int]

    def to_json(self) -> dict[str, Any]:
        """Returns it as plain values."""
        return asdict(self)


def wilson(successes: int, total: int) -> tuple[float, float] | None:
    """Returns the 95 % interval of a share; None of nothing. Source: Wilson, JASA 22 (1927)."""
    if total == 0:
        return None
    share, z2 = successes / total, Z * Z
    middle = share + z2 / (2 * total)
    around = Z * sqrt(share * (1 - share) / total + z2 / (4 * total * total))
    return (
        max(0.0, (middle - around) / (1 + z2 / total)),
        min(1.0, (middle + around) / (1 + z2 / total)),
    )


def agent_numbers(attempts: Iterable[JudgedAttempt]) -> list[AgentNumbers]:
    """Returns the numbers of each task in alphabetical order, and of all ("") at the end."""
    by_task: dict[str, list[JudgedAttempt]] = defaultdict(list)
    for one in attempts:
        by_task[one.task].append(one)
    found = [_numbers(task, by_task[task]) for task in sorted(by_task)]
    every = [one for task in sorted(by_task) for one in by_task[task]]
    return [*found, _numbers("", every)] if every else []


def _numbers(task: str, ones: Sequence[JudgedAttempt]) -> AgentNumbers:
    judged = [one for one in ones if one.verdict != "unknown"]
    good = [one for one in judged if one.verdict == "success"]
    bad = [one for one in judged if one.verdict != "success"]
    budgeted = [one for one in good if one.budget is not None]
    scores: dict[str, list[float]] = defaultdict(list)
    for one in judged:
        scores[one.task].append(one.score or 0.0)
    return AgentNumbers(
        task=task,
        attempts=len(ones),
        judged=len(judged),
        unknown=len(ones) - len(judged),
        successes=len(good),
        rate=len(good) / len(judged) if judged else None,
        interval=wilson(len(good), len(judged)),
        androidworld=mean(mean(one) for one in scores.values()) if scores else None,
        androidlab=len(good) / len(ones) if ones else None,
        true_complete=sum(one.claimed == "complete" for one in good),
        false_complete=sum(one.claimed == "complete" for one in bad),
        false_impossible=sum(one.claimed == "impossible" for one in good),
        silent_successes=sum(not one.claimed for one in good),
        in_budget=sum(one.steps <= (one.budget or 0) for one in budgeted) if budgeted else None,
        turns=_middle([one.turns for one in ones]),
        steps=_middle([one.steps for one in ones]),
        tokens=_middle([one.tokens for one in ones]),
        seconds=_middle([one.seconds for one in ones]),
        stops=dict(sorted(Counter(one.stop for one in ones).items())),
    )


def _middle(values: Sequence[float]) -> float | None:
    return round(float(median(values)), 3) if values else None
