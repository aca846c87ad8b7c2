"""Stored recordings, judged with the judges of a clone of Android Lab."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from episodes import actions as a
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.formats.androidlab_actions import trace_lines
from episodes.screens import TreeStatus
from episodes.steps import Step
from episodes.store.library import Library
from taptrail.usecases.task_list import bench_worker
from taptrail.usecases.task_runs import keep_outcome
from tasks.answers import folded
from tasks.benches.androidlab.judging import PageStep, PageVerdict, judge_steps, verdict_by_rule
from tasks.benches.client import BenchWorker, Words, WorkerFailed
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
    with _Judges(python, home, ask) as judges:
        outcome = _outcome(found, task, judges.verdict(found, task))
    with Library.open(library) as kept:
        keep_outcome(kept, found.uuid, outcome)
    return outcome


def judge_library(
    library: Path,
    *,
    python: str,
    home: Path | None,
    ask: AskPerson | None = None,
    on_outcome: Callable[[TaskOutcome], None] | None = None,
) -> list[TaskOutcome]:
    """Judges every episode that names a task of the clone, and stores the verdicts.

    An episode that cannot be judged is unknown, with the reason; the others are judged.

    Raises:
        KnownError: no episode names a task of the clone, or the clone cannot be asked.
    """
    outcomes = []
    with Library.open(library) as kept, _Judges(python, home, ask) as judges:
        for uuid in [
            episode.uuid for episode in kept.iterate() if episode.task.goal_id in judges.tasks
        ]:
            episode = kept.episode(uuid)
            task = episode.task.goal_id
            try:
                outcome = _outcome(episode, task, judges.verdict(episode, task))
            except KnownError as error:
                outcome = _unknown(episode, judges.tasks[task], judges.bench, str(error))
            keep_outcome(kept, uuid, outcome)
            outcomes.append(outcome)
            if on_outcome is not None:
                on_outcome(outcome)
        if not outcomes:
            raise KnownError(
                f"judge the episodes of {library}",
                f"none of them names one of the clone's {len(judges.tasks)} tasks",
                "Name an episode and a task: --episode, --task.",
            )
    return outcomes


class _Judges:
    """The judges of a clone. Their worker is started again where one of them did not answer.

    Attributes:
        tasks: the clone's tasks by name.
        bench: what the clone says of itself.
    """

    def __init__(self, python: str, home: Path | None, ask: AskPerson | None) -> None:
        self._python, self._home, self._ask = python, home, ask
        self._worker = self._start()
        try:
            self.tasks: dict[str, Words] = {
                one["task"]: one for one in self._worker.ask("tasks") if one["judge"] is not None
            }
            self.bench: Words = self._worker.ask("hello")
        except BaseException:
            self._worker.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._worker.close()

    def verdict(self, episode: Episode, task: str) -> PageVerdict:
        """Judges an episode's steps as a trace of a task.

        Raises:
            KnownError: there is no such task, or a judge does not answer.
        """
        pages = [_page(*line) for line in trace_lines(episode.steps)]
        try:
            return judge_steps(self._worker, task, pages, self.bench)
        except WorkerFailed:
            raise
        except KnownError:
            self._worker.close()
            self._worker = self._start()
            raise

    def _start(self) -> BenchWorker:
        def judged(question: str, said: str, truth: str) -> bool | None:
            return answer_by_rule(question, said, truth, self._ask)

        return bench_worker(BENCH, self._python, self._home, give=verdict_by_rule(judged))


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


def _page(step: Step, action: dict[str, Any] | None) -> PageStep:
    record = step.tree.record if step.tree is not None else None
    tree = None
    if record is not None and record.status is TreeStatus.OK:
        tree = record.data.decode(errors="replace")
    return PageStep(tree, action or {"operation": "do", "action": "Wait"}, _commands(step))


def _commands(step: Step) -> dict[str, str] | None:
    """What the commands of a trace printed, as its line has them."""
    told = step.native.value if step.native is not None and step.native.space == BENCH else None
    found = told.get("command") if isinstance(told, dict) else None
    return found if isinstance(found, dict) else None


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
            "commit": verdict.bench.get("commit"),
            "changed": verdict.bench.get("changed"),
            "human_steps": verdict.task.get("human_steps"),
            "kind": verdict.task.get("kind"),
        },
    )


def _unknown(episode: Episode, task: Words, bench: Words, reason: str) -> TaskOutcome:
    """What becomes of an episode that no judge could look at."""
    record = PageVerdict(task, {}, None, (), {}, 0.0, (), reason, ({"counted": False},), bench)
    return _outcome(episode, str(task["task"]), record)


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
