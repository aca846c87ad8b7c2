"""Verdict of a device or a benchmark's judge on an attempt at a task."""

from __future__ import annotations

from dataclasses import dataclass

OF_A_FILE = "as in its file"
"""The version of a verdict that was imported: the file does not say which code decided."""


@dataclass(frozen=True, slots=True)
class TaskVerdict:
    """One verdict on an episode. Several benches, or versions of one, may each have theirs.

    It is stored with the actor's claim and a reviewer's judgement, and changes neither.

    Attributes:
        task: the task's name in its bench.
        bench: "own", "androidworld", "androidlab", ...
        version: of the task, or the commit of the benchmark; `OF_A_FILE` for an imported one.
        seed: of the instance; None if there is none.
        goal: the instruction after the set-up; `goal_before` is the one before.
        satisfied_at_start: None if unknown.
        score: 0 to 1; None if it is unknown.
        verdict: "success", "partial", "failed" or "unknown".
        claimed: how the actor said it ended; "" for not at all.
        evidence, details: JSON text: what was found, and what only this bench has.
        judged_utc: when, ISO 8601.
    """

    task: str
    bench: str
    version: str
    seed: int | None
    instance: int
    goal: str
    goal_before: str
    satisfied_at_start: bool | None
    score: float | None
    verdict: str
    claimed: str
    reason: str
    evidence: str
    details: str
    judged_utc: str


def word_of(score: float | None) -> str:
    """Returns the verdict that a score of 0 to 1 means; None is unknown."""
    if score is None:
        return "unknown"
    if score >= 1:
        return "success"
    return "partial" if score > 0 else "failed"
