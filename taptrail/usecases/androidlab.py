"""Stored recordings, judged with the judges of a clone of Android Lab."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from episodes import actions as a
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.screens import TreeStatus
from episodes.steps import Step
from episodes.store.library import Library
from taptrail.usecases.task_list import bench_worker
from taptrail.usecases.task_runs import keep_outcome
from tasks.answers import folded
from tasks.benches.androidlab.judging import PageStep, PageVerdict, judge_steps, verdict_by_rule
from tasks.benches.androidlab.trace_actions import parsed_action
from tasks.running import TaskOutcome, Verdict

BENCH = "androidlab"
AskPerson = Callable[[str, str, str], bool | None]


def judge_recording(
    library: Path,
    episode: str,
    task: str,
    *,
    python: str,
    home: Path | None,
    ask: AskPerson | None = None,
) -> TaskOutcome:
    """Judges an episode as a trace of a task, and stores the verdict beside it.

    Args:
        episode: its name or uuid.
        task: the clone's name of the task.
        ask: says whether an answer is right where rules cannot: question, answer, truth.

    Raises:
        KnownError: there is no such episode or task, or the clone cannot be asked.
    """
    with Library.read(library) as kept:
        found = kept.episode(episode)
    give = verdict_by_rule(lambda *told: answer_by_rule(*told, ask=ask))
    with bench_worker(BENCH, python, home, give=give) as worker:
        verdict = judge_steps(worker, task, [_page(step) for step in _lines(found)])
    outcome = _outcome(found, task, verdict)
    with Library.open(library) as kept:
        keep_outcome(kept, found.uuid, outcome)
    return outcome


def answer_by_rule(
    question: str, said: str, truth: str, ask: AskPerson | None = None
) -> bool | None:
    """Returns whether an answer is right: the same words, or the same number; else a person says.

    None where nobody can say.
    """
    if folded(said) == folded(truth):
        return True
    numbers = _number(said), _number(truth)
    if None not in numbers:
        return numbers[0] == numbers[1]
    return ask(question, said, truth) if ask is not None else None


def _number(text: str) -> float | None:
    try:
        return float(text.strip())
    except ValueError:
        return None


def _lines(episode: Episode) -> list[Step]:
    """The steps as lines of a trace: an answer and the finish behind it are one line."""
    steps = list(episode.steps)
    return [
        step
        for number, step in enumerate(steps)
        if not (
            isinstance(step.action, a.Answer)
            and steps[number + 1 :]
            and isinstance(steps[number + 1].action, a.Finish)
        )
    ]


def _page(step: Step) -> PageStep:
    record = step.tree.record if step.tree is not None else None
    tree = None
    if record is not None and record.status is TreeStatus.OK:
        tree = record.data.decode(errors="replace")
    return PageStep(tree, _as_it_came(step) or parsed_action(step.action))


def _as_it_came(step: Step) -> dict[str, Any] | None:
    """The parsed action of a trace that was imported."""
    native = step.native
    if native is None or native.space != BENCH:
        return None
    try:
        told = json.loads(native.text) if isinstance(native.text, str) else None
    except ValueError:
        return None
    action = told.get("parsed_action") if isinstance(told, dict) else None
    return action if isinstance(action, dict) else None


def _outcome(episode: Episode, task: str, verdict: PageVerdict) -> TaskOutcome:
    if not verdict.steps:
        raise KnownError(
            f"judge {episode.name} as {task}", "it has no steps", "Choose another episode."
        )
    score = None if verdict.complete is None else float(verdict.complete)
    found = Verdict.UNKNOWN
    if verdict.complete is not None:
        found = Verdict.SUCCESS if verdict.complete else Verdict.FAILED
        if found is Verdict.FAILED and verdict.sub_success > 0:
            found, score = Verdict.PARTIAL, verdict.sub_success
    finish = [one.action for one in episode.steps if isinstance(one.action, a.Finish)]
    return TaskOutcome(
        task=task,
        bench=BENCH,
        version=str(verdict.bench.get("version") or "unknown"),
        seed=None,
        instance=0,
        goal=str(verdict.task.get("goal", "")),
        goal_before=str(verdict.task.get("goal", "")),
        satisfied_at_start=None,
        score=score,
        verdict=found,
        claimed=finish[-1].ending.value if finish else "",
        reason=_reason(verdict),
        evidence=tuple({"step": number, **one} for number, one in enumerate(verdict.steps)),
        episode=episode.name,
        details={
            "complete": verdict.complete,
            "sub_success": verdict.sub_success,
            "first_seen": dict(verdict.first_seen),
            "clone": verdict.bench.get("clone"),
            "changed": verdict.bench.get("changed"),
            "human_steps": verdict.task.get("human_steps"),
        },
    )


def _reason(verdict: PageVerdict) -> str:
    if verdict.lost:
        return verdict.lost
    if verdict.unknown:
        return verdict.unknown[0]
    pages = sum(bool(one.get("page")) for one in verdict.steps)
    if not pages:
        return "the page that its judge looks for was not seen yet"
    goals = {
        name: met for name, met in verdict.result.items() if name not in ("judge_page", "complete")
    }
    return f"{sum(map(bool, goals.values()))} of {len(goals)} goals on the last page it judged"
