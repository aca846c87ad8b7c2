"""Runs AndroidWorld's tasks: records an attempt and has AndroidWorld's code judge it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from episodes import actions as a
from episodes.episodes import Task
from episodes.errors import KnownError
from episodes.store.library import Library
from recorder.device.interface import Devices
from taptrail.usecases.recording import SCRIPT, record_script
from taptrail.usecases.task_list import bench_worker
from taptrail.usecases.task_phone import DeviceTaskPhone, task_phone
from taptrail.usecases.task_runs import CATEGORY, claimed, given_answer, keep_outcome
from tasks.benches.androidworld.running import WorldRun, WorldTask, opened, sweep_world
from tasks.benches.client import Words
from tasks.running import TaskOutcome


def run_androidworld(
    task: str,
    serial: str,
    library: Path,
    actions: Sequence[a.Action],
    *,
    python: str,
    home: Path | None,
    seed: int,
    instance: int,
    devices: Devices,
    disposable: str = "",
) -> TaskOutcome:
    """Sets up a task with AndroidWorld, records the actions, and returns AndroidWorld's verdict.

    A task that is satisfied at the start is recorded, too; six of its tasks always are.
    The verdict is stored beside the recording.

    Raises:
        KnownError: AndroidWorld cannot be asked, or the set-up fails or is refused.
    """
    with _session(serial, python, home, devices, disposable) as (phone, begin):
        with begin(WorldTask(task, seed, instance)) as attempt:
            attempt.set_up()
            recorded = record_script(
                phone.serial,
                Task(attempt.goal, category=CATEGORY, goal_id=task),
                library,
                [one for one in actions if not isinstance(one, a.Answer)],
                devices=devices,
                actor=SCRIPT,
            )
            outcome = attempt.outcome(
                claimed=claimed(actions), answer=given_answer(actions), episode=recorded.name
            )
        outcome = replace(outcome, details={**outcome.details, "notes": attempt.notes})
    with Library.open(library) as kept:
        keep_outcome(kept, recorded.uuid, outcome)
    return outcome


def sweep_androidworld(
    serial: str,
    *,
    python: str,
    home: Path | None,
    seed: int,
    count: int,
    devices: Devices,
    disposable: str = "",
    tasks: Sequence[str] = (),
    on_outcome: Callable[[TaskOutcome], None] | None = None,
) -> list[TaskOutcome]:
    """Sets up and checks AndroidWorld's tasks without acting: all of them, or those named.

    Raises:
        KnownError: AndroidWorld cannot be asked.
    """
    with _session(serial, python, home, devices, disposable) as (_, begin):
        names = list(tasks) or begin.tasks()
        wanted = [WorldTask(name, seed, number) for name in names for number in range(count)]
        return sweep_world(begin, wanted, on_outcome)


class _Begin:
    """Begins attempts with one worker."""

    def __init__(
        self, worker: Any, phone: DeviceTaskPhone, hello: Words, heard: list[Words]
    ) -> None:
        self._worker, self._phone, self._hello, self._heard = worker, phone, hello, heard

    def __call__(self, task: WorldTask) -> WorldRun:
        return WorldRun(self._worker, self._phone, task, self._hello, self._heard)

    def tasks(self) -> list[str]:
        return [str(one["task"]) for one in self._worker.ask("tasks")]


@contextmanager
def _session(
    serial: str, python: str, home: Path | None, devices: Devices, disposable: str
) -> Iterator[tuple[DeviceTaskPhone, _Begin]]:
    phone = task_phone(serial, devices, disposable)
    heard: list[Words] = []

    def give(question: Words) -> str:
        if question.get("what") != "tree":
            raise KnownError("answer AndroidWorld", "only a tree can be given", "Ask for one.")
        return phone.tree().decode(errors="replace")

    def hear(event: Words) -> None:
        if event.get("event") == "adb":
            heard.append({name: value for name, value in event.items() if name != "event"})

    with bench_worker("androidworld", python, home, give=give, on_event=hear) as worker:
        hello = opened(worker, phone, devices.program(), devices.port)
        yield phone, _Begin(worker, phone, hello, heard)
