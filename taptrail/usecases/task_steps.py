"""How many steps people need for a task, from the recordings in a library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from episodes.store.library import Library
from taptrail.usecases.attempts import reference_of
from tasks.benches.androidworld.catalogue import catalogue


@dataclass(frozen=True, slots=True)
class TaskSteps:
    """What people needed for a task, beside what its benchmark says.

    Attributes:
        attempts: of people that count; attempts of scripts and agents never do.
        people: how many different ones.
        steps: mean, median, least and most of these attempts; None without one.
        budget: twice the mean, at least ten; None without an attempt.
        published_steps, published_budget: of AndroidWorld's table; None for other tasks.
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


def task_steps(library: Library, name: str = "") -> list[TaskSteps]:
    """Returns what people needed, for one task or for all that were recorded.

    Args:
        name: a task's name in its bench, as the recordings carry it.
    """
    by_task: dict[str, list[Any]] = {name: []} if name else {}
    for episode in library.iterate():
        task = episode.task.goal_id
        if task and (not name or task == name):
            by_task.setdefault(task, []).append(episode)
    return [_steps(task, episodes) for task, episodes in sorted(by_task.items())]


def _steps(task: str, episodes: list[Any]) -> TaskSteps:
    found = reference_of(episodes) if episodes else None
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
