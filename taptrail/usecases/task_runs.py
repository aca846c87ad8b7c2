"""Runs Taptrail's own tasks by a script, judges them by the phone's state, and stores them."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

from episodes import actions as a
from episodes.episodes import Episode, Task
from episodes.errors import KnownError
from episodes.store.library import Library
from episodes.task_verdicts import TaskVerdict
from recorder.device.interface import Devices
from taptrail.usecases.recording import SCRIPT, record_script
from taptrail.usecases.task_phone import DeviceTaskPhone
from tasks.running import BENCH, TaskOutcome, TaskResult, TaskRun, sweep
from tasks.task_files import OwnTask, TaskInstance, load_tasks

CATEGORY = "task"


def own_tasks(paths: Iterable[Path] = ()) -> dict[str, OwnTask]:
    """Returns the tasks of files and folders; without any, the demo phone's tasks.

    Raises:
        KnownError: a file is invalid.
    """
    found = list(paths) or [Path(str(files("assets").joinpath("tasks")))]
    return load_tasks(found)


def run_task(
    instance: TaskInstance,
    phone: DeviceTaskPhone,
    library: Path,
    actions: Sequence[a.Action],
    *,
    devices: Devices,
    even_if_satisfied: bool = False,
) -> TaskOutcome:
    """Sets up a task, records the actions as an attempt, and returns the phone's verdict.

    The verdict is stored with the recording. The tear-down runs in any case.

    Raises:
        KnownError: the set-up fails, the task is satisfied at the start, or recording fails.
    """
    with TaskRun(instance, phone) as attempt:
        attempt.set_up()
        if not even_if_satisfied:
            attempt.refuse_if_satisfied()
        recorded = record_script(
            phone.serial,
            asked(instance),
            library,
            [one for one in actions if not isinstance(one, a.Answer)],
            devices=devices,
            actor=SCRIPT,
        )
        outcome = attempt.outcome(
            attempt.check(given_answer(actions)), claimed(actions), recorded.name
        )
    outcome = replace(outcome, details={**outcome.details, "notes": attempt.notes})
    with Library.open(library) as kept:
        keep_outcome(kept, recorded.uuid, outcome)
    return outcome


def play_actions(serial: str, actions: Sequence[a.Action], devices: Devices) -> None:
    """Does actions on a phone; the recording of it is thrown away."""
    if not actions:
        return
    with tempfile.TemporaryDirectory(prefix="taptrail-play-") as folder:
        record_script(serial, Task("play a recording"), Path(folder), actions, devices=devices)


def asked(instance: TaskInstance) -> Task:
    """Returns the task of a recording of this instance."""
    return Task(
        instruction=instance.goal,
        template=instance.task.goal,
        filled=instance.goal,
        category=CATEGORY,
        apps=instance.task.apps,
        goal_id=instance.task.name,
    )


def given_answer(actions: Iterable[a.Action]) -> str | None:
    """Returns the last answer among actions: the text of an answer, or the reason of a finish."""
    found = None
    for action in actions:
        if isinstance(action, a.Answer):
            found = action.text
        elif isinstance(action, a.Finish) and action.reason and found is None:
            found = action.reason
    return found


def claimed(actions: Iterable[a.Action]) -> str:
    """Returns the actor's claim of how the attempt ended; "" if there is none."""
    ends = [action.ending.value for action in actions if isinstance(action, a.Finish)]
    return ends[-1] if ends else ""


def keep_outcome(library: Library, uuid: str, outcome: TaskOutcome) -> None:
    """Stores an outcome with its episode."""
    library.keep_task_verdict(
        uuid,
        TaskVerdict(
            task=outcome.task,
            bench=outcome.bench,
            version=outcome.version,
            seed=outcome.seed,
            instance=outcome.instance,
            goal=outcome.goal,
            goal_before=outcome.goal_before,
            satisfied_at_start=outcome.satisfied_at_start,
            score=outcome.score,
            verdict=outcome.verdict.value,
            claimed=outcome.claimed,
            reason=outcome.reason,
            evidence=json.dumps(list(outcome.evidence), ensure_ascii=False),
            details=json.dumps(outcome.details, ensure_ascii=False),
            judged_utc=datetime.now(UTC).isoformat(timespec="seconds"),
        ),
    )


@dataclass(frozen=True, slots=True)
class JudgeTest:
    """Result of replaying a recording to test a task's checks.

    Attributes:
        episode: its name; "" for the empty run.
        expected: whether the task must be judged done.
        verdict: the verdict of the checks.
    """

    episode: str
    task: str
    expected: bool
    verdict: TaskResult
    reason: str

    @property
    def as_expected(self) -> bool:
        """Whether the verdict is the expected one."""
        return (self.verdict is TaskResult.SUCCESS) == self.expected and (
            self.verdict is not TaskResult.UNKNOWN
        )


def judge_tests(
    task: OwnTask,
    phone: DeviceTaskPhone,
    library: Path,
    play: Callable[[Sequence[a.Action]], None],
    on_test: Callable[[JudgeTest], None] | None = None,
) -> list[JudgeTest]:
    """Tests a task's checks with recordings.

    An empty run and every recording of another task must fail; a recorded success must pass.

    Args:
        play: plays actions on the phone.

    Raises:
        KnownError: the phone cannot be set up, or the library has no success of this task.
    """
    with Library.read(library) as kept:
        judged = [
            (uuid, one)
            for uuid, one in kept.task_verdicts()
            if one.bench == BENCH and one.verdict == TaskResult.SUCCESS.value
        ]
        episodes = {uuid: kept.episode(uuid) for uuid, _ in judged}
    if not any(one.task == task.name for _, one in judged):
        raise KnownError(
            f"test the checks of “{task.name}”",
            "the library holds no recording of it that was judged a success",
            "Do the task once: taptrail tasks run.",
        )
    found: list[JudgeTest] = []

    def take(name: str, of: str, instance: TaskInstance, actions: Sequence[a.Action]) -> None:
        with TaskRun(instance, phone) as attempt:
            attempt.set_up()
            play([one for one in actions if not isinstance(one, a.Answer | a.Finish)])
            outcome = attempt.outcome(attempt.check(given_answer(actions)))
        test = JudgeTest(name, of, of == task.name, outcome.verdict, outcome.reason)
        found.append(test)
        if on_test is not None:
            on_test(test)

    take("", "", task.instance(0), ())
    for uuid, one in judged:
        episode = episodes[uuid]
        number = one.instance if one.task == task.name else 0
        take(episode.name, one.task, task.instance(number), _actions(episode))
    return found


def swept(
    tasks: Mapping[str, OwnTask],
    phone: DeviceTaskPhone,
    count: int,
    suite_seed: int,
    on_outcome: Callable[[TaskOutcome], None] | None = None,
) -> list[TaskOutcome]:
    """Sets up and checks `count` instances of every task, without acting."""
    instances = [task.instance(i, suite_seed) for task in tasks.values() for i in range(count)]
    return sweep(instances, phone, on_outcome)


def _actions(episode: Episode) -> list[a.Action]:
    return [step.action for step in episode.steps]
