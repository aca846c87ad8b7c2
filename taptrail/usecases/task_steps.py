"""Number of steps that people need for a task, from the recordings in a library."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from episodes.episodes import EpisodeState
from episodes.errors import KnownError
from episodes.store.episode_outlines import EpisodeOutline
from episodes.store.library import Library
from taptrail.usecases.attempts import reference_of, same_task
from tasks.benches.androidworld.catalogue import catalogue


class StepsForm(StrEnum):
    """How a file holds the steps: all numbers, or as a benchmark keeps its own."""

    CSV = "csv"
    ANDROIDLAB = "androidlab"
    ANDROIDWORLD = "androidworld"


@dataclass(frozen=True, slots=True)
class TaskSteps:
    """Steps that people needed for a task, beside its benchmark's figures.

    Attributes:
        attempts: number of people's attempts that count.
        people: number of different people.
        steps: mean, median, minimum and maximum of these attempts; None if there is none.
        budget: twice the mean, at least ten; None if there is no attempt.
        published_steps, published_budget: from AndroidWorld's table; None for other tasks.
    """

    task: str
    attempts: int
    people: int
    steps: dict[str, float] | None
    budget: int | None
    published_steps: int | None
    published_budget: int | None

    def to_json(self) -> dict[str, Any]:
        """Returns it as plain values."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def task_steps(library: Library, name: str = "", known: Iterable[str] = ()) -> list[TaskSteps]:
    """Returns the steps that people needed for one task, or for all recorded tasks.

    Args:
        name: a task's name in its bench, or the words of an instruction.
        known: names of tasks to list alone, also where nobody recorded them.
    """
    wanted = same_task(name)
    listed = set(known)
    by_task: dict[str, list[EpisodeOutline]] = {task: [] for task in listed}
    if wanted:
        by_task = {wanted: []}
    for one in library.outlines():
        if one.state is EpisodeState.RECORDING:
            continue
        words = same_task(one.instruction)
        task = one.goal_id or words
        if wanted and wanted in (one.goal_id, words):
            task = wanted
        if listed and task not in listed:
            continue
        if task and (not wanted or task == wanted):
            by_task.setdefault(task, []).append(one)
    return [_steps(task, found) for task, found in sorted(by_task.items())]


def write_steps(found: Sequence[TaskSteps], path: Path, form: StepsForm) -> int:
    """Writes what people needed into a file, and returns for how many tasks.

    Tasks without an attempt that counts are left out of the benchmarks' own forms, which hold one
    whole number a task: the median, rounded up. The finish counts.

    Raises:
        KnownError: the file cannot be written.
    """
    known = {one.task: one.steps for one in found if one.steps is not None}
    whole = {task: math.ceil(steps["median"]) for task, steps in known.items()}
    match form:
        case StepsForm.CSV:
            text = _csv(found)
        case StepsForm.ANDROIDLAB:
            text = json.dumps(whole, ensure_ascii=False, indent=4) + "\n"
        case StepsForm.ANDROIDWORLD:
            rows = [
                {"task_name": task, "optimal_steps": str(steps)} for task, steps in whole.items()
            ]
            text = json.dumps(rows, ensure_ascii=False, indent=2) + "\n"
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise KnownError(
            f"write {path}", str(error.strerror or error), "Choose another place."
        ) from error
    return len(found) if form is StepsForm.CSV else len(whole)


def _csv(found: Sequence[TaskSteps]) -> str:
    out = io.StringIO()
    spread = ("mean", "median", "least", "most")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        ["task", "attempts", "people", *spread, "budget", "published_steps", "published_budget"]
    )
    for one in found:
        values = [one.steps[name] if one.steps is not None else None for name in spread]
        writer.writerow(
            [
                one.task,
                one.attempts,
                one.people,
                *values,
                one.budget,
                one.published_steps,
                one.published_budget,
            ]
        )
    return out.getvalue()


def _steps(task: str, outlines: Sequence[EpisodeOutline]) -> TaskSteps:
    found = reference_of(outlines) if outlines else None
    spread = found.steps if found is not None else None
    published = catalogue().get(task)
    return TaskSteps(
        task=task,
        attempts=spread.count if spread is not None else 0,
        people=found.people if found is not None else 0,
        steps=None
        if spread is None
        else {
            "mean": spread.mean,
            "median": spread.median,
            "least": spread.least,
            "most": spread.most,
        },
        budget=found.budget().steps if found is not None else None,
        published_steps=published.optimal_steps if published is not None else None,
        published_budget=published.budget if published is not None else None,
    )
