"""Android Lab's four numbers, as its released code computes them and as its paper describes them.

SR: share of tasks done. Sub-SR: share of sub-goals. RRR: human steps of an agent's steps, for
tasks done. ROR: share of actions after which the screen changed.

Source: evaluation/task.py, generate_result.py. The corrected numbers are ours: all pairs of
pictures, identical white screens are unchanged, tasks without a human length left out of the mean.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tasks.benches.androidlab import TASKS

UNCHANGED_ABOVE = 0.999
_NO_SUBGOAL = ("complete", "judge_page")
_MISSING = np.zeros((1, 1, 3))

Picture = NDArray[np.uint8] | None
"""Pixels with channels last; None for a file that is missing or no picture."""

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of one task of a run.

    Attributes:
        task, words, metric_type: as the benchmark lists it.
        result: what the judge said of the last page that counted.
        steps: lines that counted.
        pictures: the screen before each of these lines.
        human_steps: of the benchmark's table; None for a task it does not hold.
        end: the screen after the last action, which only the corrected numbers use.
    """

    task: str
    words: str
    metric_type: str
    result: Mapping[str, Any]
    steps: int
    pictures: Sequence[Picture]
    human_steps: int | None
    end: Picture = None

    @property
    def complete(self) -> bool:
        """Whether the task counts as done."""
        return self.result.get("complete") is True


def partial_success(result: Mapping[str, Any]) -> float:
    """Returns the share of sub-goals that were met; 0 for a result without sub-goals."""
    goals = [bool(met) for name, met in result.items() if name not in _NO_SUBGOAL]
    return sum(goals) / len(goals) if goals else 0


def similarities(pictures: Sequence[Picture]) -> tuple[list[float], int]:
    """Returns how alike neighbouring pictures are, and how many pairs are unchanged.

    The last picture is never compared, white pixels count on neither side, pictures of different
    sizes have similarity 0, and two all-white ones have none (NaN): the benchmark's quirks.
    """
    if len(pictures) <= 2:
        return [], 0
    arrays = [_MISSING if one is None else one for one in pictures[:-1]]
    found = [_similarity(a, b) for a, b in pairwise(arrays)]
    return found, sum(value > UNCHANGED_ABOVE for value in found)


def redundancy(judged: Judged) -> float | None:
    """Returns human steps of the agent's steps (RRR); None for a task that was not done."""
    if not judged.result.get("complete") or not judged.steps or judged.human_steps is None:
        return None
    return judged.human_steps / judged.steps


def reasonable(judged: Judged) -> float:
    """Returns the share of operations after which the screen changed (ROR), as published."""
    pairs = judged.steps - 1
    return 1 - similarities(judged.pictures)[1] / pairs if pairs else 1


def reasonable_corrected(judged: Judged) -> float | None:
    """Returns ROR over all pairs, with the end picture; None where there is no pair."""
    pictures = [one for one in (*judged.pictures, judged.end) if one is not None]
    pairs = list(pairwise(pictures))
    if not pairs:
        return None
    return sum(not _unchanged(a, b) for a, b in pairs) / len(pairs)


def result_row(judged: Judged) -> Row:
    """Returns a task's line of results.jsonl."""
    return {
        "task_id": judged.task,
        "task": judged.words,
        "metric_type": judged.metric_type,
        "result": dict(judged.result),
        "RRR": redundancy(judged),
        "reasonable_operation_ratio": reasonable(judged),
    }


def app_rows(rows: Sequence[Row]) -> list[Row]:
    """Returns the lines of total.jsonl: one for each app among the rows of results.jsonl."""
    apps: dict[str, list[Row]] = {}
    for row in rows:
        apps.setdefault(str(row["task_id"]).split("_")[0], []).append(row)
    return [_app_row(app, found) for app, found in apps.items()]


def sheet_row(agent: str, totals: Sequence[Row], total_tasks: int = TASKS) -> Row:
    """Returns an agent's row of the result sheet; its sums are divided by all tasks there are."""
    done = sum(row["Complete_Correct"] for row in totals)
    evaluated = sum(row["Total"] for row in totals)

    def of_all(name: str) -> float:
        return _cell(100 * sum(row[name] for row in totals) / total_tasks)

    return {
        "agent_name": agent,
        "App": len(totals),
        "Total": evaluated,
        "Complete_Correct": of_all("Complete_Correct"),
        "Sum_Partial_Acc": of_all("Sum_Partial_Acc"),
        "Sum_RRR": _cell(100 * sum(row["Sum_RRR"] for row in totals) / done) if done else 0,
        "Sum_reasonable_operation_ratio": of_all("Sum_reasonable_operation_ratio"),
        "Acc": _cell(done / evaluated) if evaluated else 0,
        "correct": done,
    }


def corrected(judged: Sequence[Judged]) -> dict[str, float | None]:
    """Returns the four numbers over the evaluated tasks; None for a mean of nothing."""
    return {
        "SR": _mean([float(one.complete) for one in judged]),
        "Sub-SR": _mean([1.0 if one.complete else partial_success(one.result) for one in judged]),
        "RRR": _mean([value for one in judged if (value := redundancy(one)) is not None]),
        "ROR": _mean([value for one in judged if (value := reasonable_corrected(one)) is not None]),
    }


def _app_row(app: str, rows: Sequence[Row]) -> Row:
    done = [row["result"].get("complete") is True for row in rows]
    partial = [
        1 if is_done else partial_success(row["result"])
        for row, is_done in zip(rows, done, strict=True)
    ]
    told: Row = {
        "App": app,
        "Acc": sum(done) / len(done),
        "Total": len(done),
        "Complete_Correct": sum(done),
        "Sum_Partial_Acc": sum(partial),
        "Partial_Acc": sum(partial) / len(partial),
    }
    for name in ("RRR", "reasonable_operation_ratio"):
        values = [row[name] for row in rows if row[name] is not None]
        told[name] = sum(values) / len(values) if values else 0
        told[f"Sum_{name}"] = sum(values) if values else 0
    return told


def _cell(value: float) -> float:
    """Returns a number as a cell of the sheet holds it: sixteen digits."""
    return float(f"{value:.16g}")


def _similarity(a: NDArray[Any], b: NDArray[Any]) -> float:
    try:
        counted = np.logical_or(np.not_equal(a, 255), np.not_equal(b, 255))
        alike = np.logical_and(np.equal(a, b), counted)
    except ValueError:  # sizes that cannot be laid on one another
        return 0
    total = np.sum(counted.astype(np.float32))
    return float(np.sum(alike.astype(np.float32)) / total) if total else math.nan


def _unchanged(a: NDArray[Any], b: NDArray[Any]) -> bool:
    if a.shape != b.shape:
        return False
    value = _similarity(a, b)
    return bool(np.array_equal(a, b)) if math.isnan(value) else value > UNCHANGED_ABOVE


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None
