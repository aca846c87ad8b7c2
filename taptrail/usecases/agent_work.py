"""Works through a list of attempts of a model on several phones, and computes its numbers."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agents.attempt import Progress
from agents.numbers import AgentNumbers, JudgedAttempt, agent_numbers
from agents.work_list import Entry, Worked, WorkList, entries
from episodes.episodes import EpisodeState
from episodes.store.library import Library
from episodes.task_verdicts import TaskVerdict
from recorder.library_thread import LibraryThread
from replay.asking.recipe import Recipe
from taptrail.usecases.agent_runs import AgentOptions, Model, check_consent, run_agent_task
from taptrail.usecases.attempts import references, same_task
from taptrail.usecases.predicting import ModelServer
from taptrail.usecases.task_phone import DeviceTaskPhone
from tasks.running import TaskOutcome
from tasks.task_files import OwnTask, TaskInstance

AUTO = "auto"


@dataclass(frozen=True)
class WorkPlan:
    """What is to be done.

    Attributes:
        tasks: by name.
        seeds: of the suite; each draws the tasks' parameters anew.
        budget: turns of an attempt: a number, or `AUTO` for what people needed, or else the
            task's own.
    """

    tasks: Mapping[str, OwnTask]
    seeds: Sequence[int]
    attempts: int = 1
    budget: int | str = AUTO


def run_work(
    plan: WorkPlan,
    phones: Sequence[DeviceTaskPhone],
    library_folder: Path,
    recipe: Recipe,
    server: ModelServer,
    options: AgentOptions,
    *,
    stop: threading.Event | None = None,
    on_outcome: Callable[[Entry, TaskOutcome], None] = lambda entry, outcome: None,
    on_progress: Callable[[str, Progress], None] = lambda serial, progress: None,
) -> Worked:
    """Makes the attempts of a plan that the library does not have yet.

    Args:
        on_outcome: called on the thread of a phone with each outcome that was stored.

    Raises:
        KnownError: consent for a phone is missing, the server or the library is wrong.
    """
    for phone in phones:
        check_consent(phone, options)
    stopping = stop or threading.Event()
    with LibraryThread(library_folder) as library, Model(recipe, server, options) as model:
        library.call(lambda kept: _drop_cut_off(kept, options.name))
        done = library.call(lambda kept: done_keys(kept, options.name))
        todo = [
            entry
            for entry in entries(plan.tasks, plan.seeds, plan.attempts)
            if entry.key not in done
        ]

        def work(entry: Entry, phone: DeviceTaskPhone) -> str:
            instance = plan.tasks[entry.task].instance(0, entry.seed)
            turns = library.call(lambda kept: budget_of(kept, instance, plan.budget))
            its = replace(options, seed=entry.seed, limits=replace(options.limits, turns=turns))
            outcome = run_agent_task(
                instance,
                phone,
                library,
                model,
                its,
                more={"entry": entry.key, "allowed_turns": turns},
                stop=stopping,
                on_progress=lambda progress: on_progress(phone.serial, progress),
            )
            on_outcome(entry, outcome)
            told = outcome.details["agent"]
            return f"{told['stop']}: {told['reason']}" if told["harness_fault"] else ""

        return WorkList(todo, work).go(phones, stopping)


def budget_of(library: Library, instance: TaskInstance, budget: int | str) -> int:
    """Returns how many turns an attempt may take."""
    if budget != AUTO:
        return int(budget)
    words = same_task(instance.goal)
    found = references(library, [words]).get(words)
    steps = found.budget().steps if found is not None else None
    return steps or instance.task.budget


def done_keys(library: Library, run: str) -> set[str]:
    """Returns the entries of a run that have a verdict and need no other attempt."""
    return {
        str(details.get("entry", ""))
        for _, details in _details(library, run)
        if not details["agent"]["harness_fault"] and details["agent"]["stop"] != "stopped"
    }


def numbers_of(library: Library, run: str) -> list[AgentNumbers]:
    """Returns the numbers of a run, task by task and of all. Faults of the harness do not count."""
    found = []
    for verdict, details in _details(library, run):
        told = details["agent"]
        if told["harness_fault"] or told["stop"] in ("stopped", "taken over"):
            continue
        found.append(
            JudgedAttempt(
                verdict.task,
                verdict.verdict,
                verdict.score,
                verdict.claimed,
                told["stop"],
                told["turns"],
                told["steps"],
                sum(told["tokens"]),
                told["seconds"],
                told["model_s"],
                details.get("allowed_turns", details.get("budget")),
            )
        )
    return agent_numbers(found)


def _details(library: Library, run: str) -> list[tuple[TaskVerdict, dict[str, Any]]]:
    found = []
    for _, verdict in library.task_verdicts():
        try:
            details = json.loads(verdict.details)
        except ValueError:
            continue
        if isinstance(details, dict) and (details.get("agent") or {}).get("run") == run:
            found.append((verdict, details))
    return found


def _drop_cut_off(library: Library, run: str) -> None:
    """Moves attempts of a run that were cut off before their verdict into the library's bin."""
    judged = {uuid for uuid, _ in library.task_verdicts()}
    for one in list(library.outlines()):
        is_there = one.state is not EpisodeState.DELETED
        if is_there and one.actor.agent == run and one.uuid not in judged:
            library.delete_episode(one.uuid)
