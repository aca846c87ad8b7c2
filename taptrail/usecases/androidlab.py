"""Stored recordings, judged with the judges of a clone of Android Lab."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from episodes import actions as a
from episodes.episodes import Episode, Task
from episodes.errors import KnownError
from episodes.formats.androidlab import LINE_LOST_AFTER
from episodes.formats.androidlab_actions import trace_lines
from episodes.screens import TreeStatus
from episodes.steps import Step
from episodes.store.library import Library
from recorder.device.interface import Devices
from taptrail.usecases import attempts
from taptrail.usecases.recording import SCRIPT, record_script
from taptrail.usecases.task_list import bench_worker
from taptrail.usecases.task_phone import task_phone
from taptrail.usecases.task_runs import CATEGORY, JudgeTest, given_answer, keep_outcome
from tasks.answers import folded, members_of, number_of
from tasks.benches.androidlab.judging import PageStep, PageVerdict, judge_steps, verdict_by_rule
from tasks.benches.androidlab.queries import QueryAnswer, ask_phone
from tasks.benches.client import BenchWorker, Words, WorkerFailed
from tasks.running import TaskOutcome, TaskResult

BENCH = "androidlab"
_DONE = a.Finish(a.Ending.COMPLETE)
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
        ask: called with (question, answer, truth) if rules cannot decide about an answer.

    Raises:
        KnownError: there is no such episode or task, or the clone cannot be asked.
    """
    with Library.read(library) as kept:
        found = kept.episode(episode)
        answers = _kept_answers(kept, found.uuid, task)
    with _Judges(python, home, ask) as judges:
        outcome = _outcome(found, task, judges.verdict(found, task, answers), answers)
    with Library.open(library) as kept:
        keep_outcome(kept, found.uuid, outcome)
    return outcome


def run_androidlab(
    task: str,
    serial: str,
    library: Path,
    actions: Sequence[a.Action],
    *,
    python: str,
    home: Path | None,
    devices: Devices,
    ask: AskPerson | None = None,
) -> TaskOutcome:
    """Records the actions as an attempt at one of the clone's tasks, and has its judges decide.

    There is no set-up but the home screen. The commands of the task are run on the phone at the
    end, if they only read.

    Raises:
        KnownError: there is no such task, nothing can be recorded, or the clone cannot be asked.
    """
    phone = task_phone(serial, devices)
    with _Judges(python, home, ask) as judges:
        record = judges.record(task)
        phone.run("input keyevent KEYCODE_HOME")
        recorded = record_script(
            phone.serial,
            Task(
                str(record["goal"]),
                category=CATEGORY,
                apps=tuple(filter(None, [record["package"]])),
                goal_id=task,
            ),
            library,
            _with_answer(actions),
            devices=devices,
            actor=SCRIPT,
        )
        answers = ask_phone(phone, record["needs"]["commands"])
        with Library.read(library) as kept:
            episode = kept.episode(recorded.uuid)
        outcome = _outcome(episode, task, judges.verdict(episode, task, answers), answers)
    with Library.open(library) as kept:
        keep_outcome(kept, recorded.uuid, outcome)
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
            answers = _kept_answers(kept, uuid, task)
            try:
                verdict = judges.verdict(episode, task, answers)
                outcome = _outcome(episode, task, verdict, answers)
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


def lab_judge_tests(
    library: Path, task: str, *, python: str, home: Path | None, ask: AskPerson | None = None
) -> list[JudgeTest]:
    """Tries a task's judge over recordings: those of other tasks, and the first screen of its own,
    must not be done; its own that ended complete, by a reviewer or by their claim, must be.

    Raises:
        KnownError: the clone has no such task, or the library no complete recording of it.
    """
    found: list[JudgeTest] = []
    with Library.read(library) as kept, _Judges(python, home, ask) as judges:
        judges.record(task)
        named = [one for one in kept.iterate() if one.task.goal_id in judges.tasks]
        own = [
            one
            for one in named
            if one.task.goal_id == task and one.steps and attempts.outcome(one) == "complete"
        ]
        if not own:
            raise KnownError(
                f"test the judge of “{task}”",
                "the library holds no recording of it that ended complete",
                "Record one, or import a trace.",
            )
        first = replace(own[0], name="", steps=(replace(own[0].steps[0], action=_DONE),))
        others = [one for one in named if one.task.goal_id != task]
        for episode in (*own, first, *others):
            expected = episode in own
            try:
                told = judges.verdict(episode, task, _kept_answers(kept, episode.uuid, task))
                verdict, reason = _word(told), _reason(told)
            except KnownError as error:
                verdict, reason = TaskResult.UNKNOWN, str(error)
            of = episode.task.goal_id
            found.append(JudgeTest(episode.name, of, expected, verdict, reason))
    return found


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

    def record(self, task: str) -> Words:
        """Returns what the clone says of a task.

        Raises:
            KnownError: it judges no task of this name.
        """
        found = self.tasks.get(task)
        if found is None:
            raise KnownError(
                f"look for the task “{task}”",
                f"the clone judges {len(self.tasks)} tasks, and none has this name",
                "See taptrail tasks list --bench androidlab.",
            )
        return found

    def verdict(
        self, episode: Episode, task: str, answers: Sequence[QueryAnswer] = ()
    ) -> PageVerdict:
        """Judges an episode's steps as a trace of a task.

        Args:
            answers: what the task's commands printed on the phone at the end.

        Raises:
            KnownError: there is no such task, or a judge does not answer.
        """
        pages = [_page(*line) for line in trace_lines(episode.steps)]
        if answers and pages:
            pages[-1] = replace(pages[-1], commands={one.query: one.output for one in answers})
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
    """Returns whether an answer has the same words, list items or number; otherwise asks a person.

    Returns None if nobody can decide.
    """
    if folded(said) == folded(truth) or members_of(said) == members_of(truth):
        return True
    numbers = number_of(said), number_of(truth)
    if None not in numbers:
        return numbers[0] == numbers[1]
    return ask(question, said, truth) if ask is not None else None


def _page(step: Step, action: dict[str, Any] | None) -> PageStep:
    record = step.tree.record if step.tree is not None else None
    tree = None
    if record is not None and record.status is TreeStatus.OK:
        tree = record.data.decode(errors="replace")
    return PageStep(tree, action or {"operation": "do", "action": "Wait"}, _commands(step))


def _commands(step: Step) -> dict[str, str] | None:
    """Returns the output of the commands in a trace's line."""
    told = step.native.value if step.native is not None and step.native.space == BENCH else None
    found = told.get("command") if isinstance(told, dict) else None
    return found if isinstance(found, dict) else None


def _kept_answers(library: Library, uuid: str, task: str) -> list[QueryAnswer]:
    """What a recording's phone answered at its end, from an earlier verdict."""
    for _, verdict in reversed(library.task_verdicts(uuid)):
        found = json.loads(verdict.details).get("commands")
        if (verdict.bench, verdict.task) == (BENCH, task) and found:
            return [QueryAnswer(**one) for one in found]
    return []


def _with_answer(actions: Sequence[a.Action]) -> list[a.Action]:
    """The actions without answers; the last answer becomes the message of the finish."""
    answer = given_answer(actions)
    return [
        replace(one, reason=answer) if isinstance(one, a.Finish) else one
        for one in actions
        if not isinstance(one, a.Answer)
    ]


def _outcome(
    episode: Episode, task: str, verdict: PageVerdict, answers: Sequence[QueryAnswer] = ()
) -> TaskOutcome:
    if not verdict.steps:
        raise KnownError(
            f"judge {episode.name} as {task}", "it has no steps", "Choose another episode."
        )
    found = _word(verdict)
    score = None if verdict.complete is None else float(verdict.complete)
    if found is TaskResult.PARTIAL:
        score = verdict.sub_success
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
            "commands": [one.to_json() for one in answers],
            "vanishes": _vanishes(episode, verdict),
        },
    )


def _vanishes(episode: Episode, verdict: PageVerdict) -> bool:
    """Whether the clone's own evaluation leaves the trace out of its files, as it does where it
    reads a line without an action. It reads on until the seventh equal action in a row."""
    told = json.loads(episode.extra) if episode.origin.dataset == BENCH and episode.extra else {}
    after = told.get(LINE_LOST_AFTER)
    if after is None or verdict.bench.get("skips_lines"):
        return False
    cut = next((n for n, one in enumerate(verdict.steps) if one.get("cut")), None)
    return cut is None or after <= cut


def _word(verdict: PageVerdict) -> TaskResult:
    if verdict.complete is None:
        return TaskResult.UNKNOWN
    if verdict.complete:
        return TaskResult.SUCCESS
    return TaskResult.PARTIAL if verdict.sub_success > 0 else TaskResult.FAILED


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
