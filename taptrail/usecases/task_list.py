"""Lists tasks: Taptrail's own from files, a benchmark's from its code."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from episodes.errors import KnownError
from taptrail.usecases.task_runs import own_tasks
from tasks.benches import mobileworld
from tasks.benches.androidworld.catalogue import catalogue
from tasks.benches.client import BenchWorker
from tasks.task_files import find_task

SHOWN_INSTANCES = 3
_PYTHONS = {
    "androidworld": "TAPTRAIL_ANDROID_WORLD",
    "androidlab": "TAPTRAIL_ANDROID_LAB_PYTHON",
}
"""Environment variables for a bench's Python, used if no option is given."""


@dataclass(frozen=True, slots=True)
class ListedTask:
    """A task as lists show it.

    Attributes:
        goal: the instruction, with placeholders for parameters.
        budget: steps an agent may take; None if the bench gives none.
        human_steps: from the benchmark's table; None for Taptrail's own tasks.
    """

    task: str
    bench: str
    goal: str
    apps: tuple[str, ...]
    tags: tuple[str, ...]
    budget: int | None
    human_steps: int | None
    parameters: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Returns it as plain values."""
        return asdict(self)


def listed_tasks(
    bench: str, python: str = "", home: Path | None = None, files: Sequence[Path] = ()
) -> list[ListedTask]:
    """Returns the tasks of a bench.

    Raises:
        KnownError: a task file is invalid, or the bench does not answer.
    """
    if bench == "own":
        return [
            ListedTask(
                task=task.name,
                bench=bench,
                goal=task.goal,
                apps=task.apps,
                tags=task.tags,
                budget=task.budget,
                human_steps=None,
                parameters=tuple(one.name for one in task.parameters),
            )
            for task in own_tasks(files).values()
        ]
    if bench == "mobileworld":
        if home is None:
            raise KnownError(
                f"ask {bench}", "no clone is named", "Name the folder of its clone with --home."
            )
        return [
            ListedTask(one.name, bench, one.goal, one.apps, one.tags, budget=None, human_steps=None)
            for one in mobileworld.listed_tasks(home)
        ]
    with bench_worker(bench, python, home) as worker:
        told = worker.ask("tasks")
    return [_listed(bench, one) for one in told]


def shown_task(
    name: str,
    bench: str,
    python: str = "",
    home: Path | None = None,
    files: Sequence[Path] = (),
    seed: int = 30,
) -> dict[str, Any]:
    """Returns the details of a task, with the goals of its first instances.

    Raises:
        KnownError: there is no such task.
    """
    found = {one.task: one for one in listed_tasks(bench, python, home, files)}
    if name not in found:
        raise KnownError(
            f"show the task “{name}”",
            f"there are {len(found)} tasks, and none has this name",
            "See taptrail tasks list.",
        )
    told = found[name].to_json()
    if bench == "own":
        task = find_task(own_tasks(files), name)
        told["version"] = task.version
        told["goals"] = [task.instance(i, seed).goal for i in range(SHOWN_INSTANCES)]
    return told


def bench_worker(bench: str, python: str, home: Path | None, **more: Any) -> BenchWorker:
    """Starts the worker of a bench.

    Args:
        home: the folder of its code; Android Lab always needs one.

    Raises:
        KnownError: the bench's location is not given, or its Python does not start.
    """
    python = python or os.environ.get(_PYTHONS.get(bench, ""), "")
    if not python:
        raise KnownError(
            f"ask {bench}",
            "no Python is named",
            f"Name the one that has it with --python, or in {_PYTHONS.get(bench, bench)}.",
        )
    if bench == "androidlab" and home is None:
        clone = os.environ.get("TAPTRAIL_ANDROID_LAB", "")
        home = Path(clone) if clone else None
    if bench == "androidlab" and home is None:
        raise KnownError(
            f"ask {bench}",
            "no clone is named",
            "Name the folder of its clone with --home, or in TAPTRAIL_ANDROID_LAB.",
        )
    words = [str(home)] if home is not None else []
    return BenchWorker(bench, python, words, **more)


def _listed(bench: str, told: dict[str, Any]) -> ListedTask:
    name = str(told["task"])
    known = catalogue().get(name) if bench == "androidworld" else None
    listed = ListedTask(
        task=name,
        bench=bench,
        goal=str(told.get("goal") or ""),
        apps=tuple(told.get("apps") or filter(None, [told.get("package")])),
        tags=tuple(told.get("tags") or filter(None, [told.get("category")])),
        budget=told.get("budget", told.get("max_steps")),
        human_steps=told.get("human_steps"),
    )
    if known is None:
        return listed
    steps = known.optimal_steps if listed.human_steps is None else listed.human_steps
    return replace(listed, human_steps=steps, budget=known.budget)
