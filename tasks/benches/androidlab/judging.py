"""Judges rows of steps with the judges of a clone of Android Lab."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tasks.benches.client import BenchWorker, Words

JUDGE_SECONDS = 5.0
"""A judge that takes longer is told, and its worker ended."""

AskAnswer = Callable[[str, str, str], bool | None]
"""Says whether an answer is right: question, answer, truth; None where nobody can say."""


@dataclass(frozen=True, slots=True)
class PageStep:
    """What a judge is given of one step.

    Attributes:
        tree: the dump of the screen before the action; None where there is none.
        action: the action in the benchmark's own form.
        commands: the output of each command the task asks for; None for one that failed.
    """

    tree: str | None
    action: Mapping[str, Any] | None
    commands: Mapping[str, str | None] | None = None


@dataclass(frozen=True, slots=True)
class PageVerdict:
    """What the judges of a clone said of a trace.

    Attributes:
        task: the task's record, as the worker lists it.
        result: of the last page that counted.
        complete: None where it cannot be known.
        counted: which steps counted.
        first_seen: the step at which each goal was met first.
        steps: what was said of each step.
        bench: the clone, its commit, and whether it was changed.
    """

    task: Words
    result: Words
    complete: bool | None
    counted: tuple[bool, ...]
    first_seen: Mapping[str, int]
    sub_success: float
    unknown: tuple[str, ...]
    lost: str | None
    steps: tuple[Words, ...]
    bench: Words = field(default_factory=dict)


def judge_steps(
    worker: BenchWorker, task: str, steps: Iterable[PageStep], bench: Words | None = None
) -> PageVerdict:
    """Judges steps one after the other, as the benchmark's evaluation counts them.

    Args:
        bench: what the clone says of itself; it is asked without it.

    Raises:
        KnownError: the clone has no such task, or the worker failed.
    """
    record = worker.ask("initialize", task=task)
    session = record.pop("session")
    told = [
        worker.ask(
            "step",
            session=session,
            step=number,
            tree=step.tree,
            action=step.action,
            commands=step.commands,
            seconds=JUDGE_SECONDS,
        )
        for number, step in enumerate(steps)
    ]
    ended = worker.ask("end", session=session)
    return PageVerdict(
        task=record,
        result=ended["result"],
        complete=ended["complete"],
        counted=tuple(bool(one["counted"]) for one in told),
        first_seen=ended["first_seen"],
        sub_success=ended["sub_sr"],
        unknown=tuple(ended["unknown"]),
        lost=ended["lost"],
        steps=tuple(told),
        bench=bench if bench is not None else worker.ask("hello"),
    )


def verdict_by_rule(answer: AskAnswer) -> Callable[[Words], Any]:
    """Returns what a worker's questions are answered with: only verdicts on answers."""

    def give(told: Words) -> Any:
        if told.get("what") != "verdict":
            return None
        return answer(str(told["question"]), str(told["answer"]), str(told["truth"]))

    return give
