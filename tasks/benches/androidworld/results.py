"""Episodes as AndroidWorld stores them: the score of one, and the numbers of a run.

Source: suite_utils.py (`_run_task`, `process_episodes`), checkpointer.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from statistics import fmean
from typing import Any

NAN = math.nan
SUCCESSFUL_ABOVE = 0.5


@dataclass(frozen=True, slots=True)
class TaskNumbers:
    """What the benchmark's table says of one task, or of the mean over all tasks."""

    num_complete_trials: float
    mean_success_rate: float
    mean_episode_length: float
    total_runtime_s: float
    num_fail_trials: float


def episode_score(is_successful: float, *, declared_done: bool) -> float:
    """Returns an agent's score: what the device says, but 0 if the agent never said it was done."""
    return is_successful if declared_done else 0.0


def episode_record(
    *,
    goal: str,
    task: str,
    seed: int | None,
    steps: Mapping[str, Sequence[Any]],
    score: float,
    run_seconds: float,
    finished: datetime,
    screen: Mapping[str, Any],
) -> dict[str, Any]:
    """Returns the record of an episode that ran to its end."""
    length = len(next(iter(steps.values()), ()))
    return {
        "goal": goal,
        "task_template": task,
        "episode_data": dict(steps),
        "is_successful": score,
        "run_time": run_seconds,
        "finish_dtime": finished,
        "episode_length": length,
        "aux_data": None,
        "screen_config": dict(screen),
        "exception_info": None,
        "seed": seed,
    }


def failed_record(
    *, goal: str, task: str, exception: str, run_seconds: float, finished: datetime
) -> dict[str, Any]:
    """Returns the record of an episode that ended with an exception: no seed and no screen."""
    return {
        "goal": goal,
        "task_template": task,
        "episode_data": NAN,
        "is_successful": NAN,
        "finish_dtime": finished,
        "run_time": run_seconds,
        "episode_length": NAN,
        "exception_info": exception,
        "aux_data": None,
    }


def file_order(name: str) -> tuple[str, int]:
    """Returns what the benchmark sorts result files by.

    The number after the first underscore never counts for "Task_10.pkl.gz", as the suffix is left
    in it: the benchmark's quirk.
    """
    task, _, number = name.partition("_")
    try:
        return task, int(number)
    except ValueError:
        return task, 0


def aggregate(records: Iterable[Mapping[str, Any]]) -> tuple[dict[str, TaskNumbers], TaskNumbers]:
    """Returns the numbers of each task in alphabetic order, and their mean over tasks.

    A task without a completed episode has no success rate and drops out of that mean.
    """
    by_task: dict[str, list[Mapping[str, Any]]] = {}
    for record in records:
        by_task.setdefault(str(record["task_template"]), []).append(record)
    rows = {task: _numbers(by_task[task]) for task in sorted(by_task)}
    columns = [asdict(row) for row in rows.values()]
    names = TaskNumbers.__dataclass_fields__
    return rows, TaskNumbers(**{name: _mean(row[name] for row in columns) for name in names})


def is_known(value: Any) -> bool:
    """Returns whether a record holds a number, neither None nor not-a-number."""
    return value is not None and not (isinstance(value, float) and math.isnan(value))


def _numbers(records: Sequence[Mapping[str, Any]]) -> TaskNumbers:
    scores = [float(one["is_successful"]) for one in records if is_known(one["is_successful"])]
    seconds = math.fsum(float(one["run_time"]) for one in records if is_known(one["run_time"]))
    return TaskNumbers(
        len(scores),
        _mean(scores),
        _mean(one["episode_length"] for one in records),
        float(f"{seconds:.1f}"),
        sum(is_known(one.get("exception_info")) for one in records),
    )


def _mean(values: Iterable[Any]) -> float:
    known = [float(value) for value in values if is_known(value)]
    return fmean(known) if known else NAN
