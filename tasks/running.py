"""One attempt of a task of ours on a phone: set up, checked before and after, torn down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from episodes.errors import KnownError
from episodes.task_verdicts import word_of
from tasks.evidence import Evidence, Truth
from tasks.parameters import fill
from tasks.phone import TaskPhone
from tasks.preparing import Snapshot, put_back, take_snapshot
from tasks.situations import Situation
from tasks.task_files import TaskInstance

BENCH = "own"


class TaskResult(StrEnum):
    """What the device says of an attempt; unknown is neither success nor failure."""

    SUCCESS = "success"
    PARTIAL = "partial"
    FAILED = "failed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """What became of one attempt of a task, own or a benchmark's.

    Attributes:
        bench: "own", "androidworld", ...
        version: of the task, or the commit of the benchmark.
        goal_before: the instruction before the set-up, where the set-up changes it.
        satisfied_at_start: whether it was done before anybody did anything; None for unknown.
        score: 0 to 1 by the device; None for unknown.
        claimed: how whoever acted says it ended: "complete", "impossible" or "".
        reason: one sentence for a person.
        evidence: what was found, in order.
        episode: the name of the recording; "" for none.
        details: what only this bench has: its clone, its own score, times of the phases.
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
    verdict: TaskResult
    claimed: str
    reason: str
    evidence: tuple[dict[str, Any], ...] = ()
    episode: str = ""
    details: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Returns it as plain values, in the order people read it."""
        return {
            "task": self.task,
            "bench": self.bench,
            "version": self.version,
            "seed": self.seed,
            "instance": self.instance,
            "goal": self.goal,
            "goal_before": self.goal_before,
            "satisfied_at_start": self.satisfied_at_start,
            "score": self.score,
            "verdict": self.verdict.value,
            "claimed": self.claimed,
            "reason": self.reason,
            "evidence": list(self.evidence),
            "episode": self.episode,
            **self.details,
        }


class AlreadySatisfied(KnownError):
    """A task that is done before anybody begins, so that an attempt would prove nothing."""


def verdict_of(score: float | None) -> TaskResult:
    """Returns what a score of 0 to 1 means; None is unknown."""
    return TaskResult(word_of(score))


class TaskRun:
    """One attempt, from set-up to tear-down. Calls wait for the phone.

    Use it as a context manager: the tear-down runs however the block ends.
    """

    def __init__(self, instance: TaskInstance, phone: TaskPhone) -> None:
        self.instance = instance
        self.phone = phone
        self.before: Evidence | None = None
        self.notes: list[str] = []
        self._kept: Snapshot | None = None

    def __enter__(self) -> TaskRun:
        return self

    def __exit__(self, *_: object) -> None:
        self.tear_down()

    @property
    def satisfied_at_start(self) -> bool | None:
        """Whether the task was done right after the set-up; None for unknown."""
        if self.before is None or self.before.truth is Truth.UNKNOWN:
            return None
        return self.before.truth is Truth.TRUE

    def set_up(self) -> None:
        """Brings the phone to the start, and looks whether the task is done already.

        Raises:
            KnownError: a step failed, or may destroy something on this phone.
        """
        task, values = self.instance.task, self.instance.values
        files = [fill(path, its) for step, its in task.steps(values) for path in step.files]
        self._kept = take_snapshot(self.phone, task.settings(), files, task.apps)
        for step, its in task.steps(values):
            step.do(self.phone, its)
        self.before = task.judge(Situation(self.phone, values))

    def refuse_if_satisfied(self) -> None:
        """Raises AlreadySatisfied where there is nothing left to do."""
        if self.satisfied_at_start:
            raise AlreadySatisfied(
                f"begin an attempt of “{self.instance.task.name}”",
                "it is satisfied already, before anything was done",
                "Change its set-up, or take another instance.",
            )

    def check(self, answer: str | None = None) -> Evidence:
        """Returns what the checks find now."""
        situation = Situation(self.phone, self.instance.values, answer)
        return self.instance.task.judge(situation)

    def outcome(self, after: Evidence, claimed: str = "", episode: str = "") -> TaskOutcome:
        """Returns what became of the attempt."""
        task, instance = self.instance.task, self.instance
        verdict = verdict_of(after.score)
        before = replace(self.before, check="before").to_json() if self.before else None
        return TaskOutcome(
            task=task.name,
            bench=BENCH,
            version=task.version,
            seed=instance.seed,
            instance=instance.number,
            goal=instance.goal,
            goal_before=instance.goal,
            satisfied_at_start=self.satisfied_at_start,
            score=after.score,
            verdict=verdict,
            claimed=claimed,
            reason=_reason(after),
            evidence=(*([before] if before else []), after.to_json()),
            episode=episode,
            details={"budget": task.budget, "notes": self.notes},
        )

    def tear_down(self) -> None:
        """Puts the phone back. What could not be put back stands in `notes`."""
        task, values = self.instance.task, self.instance.values
        if self._kept is None:
            return
        for step, its in task.undoing(values):
            try:
                step.do(self.phone, its)
            except KnownError as error:
                self.notes.append(f"tear-down: {error}")
        self.notes += put_back(self.phone, self._kept)
        self._kept = None


def sweep(
    instances: list[TaskInstance],
    phone: TaskPhone,
    on_outcome: Callable[[TaskOutcome], None] | None = None,
) -> list[TaskOutcome]:
    """Sets every instance up and checks it without any action.

    It finds tasks that are satisfied at the start, and those whose set-up or check fails.
    """
    found = []
    for instance in instances:
        with TaskRun(instance, phone) as run:
            try:
                run.set_up()
                assert run.before is not None
                outcome = run.outcome(run.before)
            except KnownError as error:
                outcome = run.outcome(_failed(error))
        found.append(outcome)
        if on_outcome is not None:
            on_outcome(outcome)
    return found


def _failed(error: KnownError) -> Evidence:
    return Evidence("setup", Truth.UNKNOWN, str(error), None)


def _reason(found: Evidence) -> str:
    """Returns the first member that decided, so that a person reads the cause."""
    for part in found.parts:
        if part.truth is found.truth and found.truth is not Truth.TRUE:
            return _reason(part)
        if found.truth is Truth.FALSE and part.truth is Truth.FALSE:
            return _reason(part)
    return found.reason
