"""Whole runs of Android Lab: traces judged by a clone's own judges, numbers by our rules.

The environment names the clone (TAPTRAIL_ANDROID_LAB), and the Python that can import it
(TAPTRAIL_ANDROID_LAB_PYTHON; this one by default).
"""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import Any

from tasks.benches.androidlab import metrics
from tasks.benches.androidlab.judging import PageStep, judge_steps, verdict_by_rule
from tasks.benches.client import BenchWorker
from tests.conformance import benches

Told = dict[str, Any]
_RIGHT: list[str] = []
_CREATED = "2026-03-01-00-00-00"


def answer(case: Told) -> Told:
    """Answers a case with the lines of both result files and the row of the sheet."""
    clone = os.environ.get("TAPTRAIL_ANDROID_LAB")
    if not clone:
        return {"unsupported": "TAPTRAIL_ANDROID_LAB names no clone of Android Lab"}
    given = case["input"]
    _RIGHT[:] = given.get("true_answers") or [
        words.partition("Model Answer: ")[2] for words in _stubbed(given)
    ]
    worker = _worker(clone)
    worker.ask("open", as_on_api_33=False)
    judged = []
    for task, lines in given["traces"].items():
        if (found := _judged(worker, task, lines, given)) is not None:
            judged.append(found)
    rows = [metrics.result_row(one) for one in judged]
    totals = metrics.app_rows(rows)
    sheet = [metrics.sheet_row(_agent(case), totals)] if totals else []
    return {"got": {"results_jsonl": rows, "total_jsonl": totals, "excel_rows": sheet}}


@cache
def _worker(clone: str) -> BenchWorker:
    """One worker for all cases; it ends with this process."""
    python = os.environ.get("TAPTRAIL_ANDROID_LAB_PYTHON", sys.executable)
    give = verdict_by_rule(lambda question, said, truth: said in _RIGHT)
    return BenchWorker("androidlab", python, [clone], give=give)


def _stubbed(given: Told) -> list[str]:
    return list(given.get("stub_judge_true_if_prompt_contains") or ())


def _judged(worker: BenchWorker, task: str, lines: Any, given: Told) -> metrics.Judged | None:
    """None for a task that the original leaves out of all files: a line or the file is missing."""
    if not isinstance(lines, list) or any(_is_broken(line) for line in lines):
        return None
    verdict = judge_steps(worker, task, [_step(line, given["xml_pages"]) for line in lines])
    if verdict.lost is not None:
        return None
    record = verdict.task
    human = {task: record["human_steps"], **(given.get("human_steps") or {})}[task]
    side = 40 if "true_answers" in given else 10
    pictures = [
        benches.picture(line.get("frame"), side)
        for line, counted in zip(lines, verdict.counted, strict=True)
        if counted
    ]
    return metrics.Judged(
        task, record["goal"], record["kind"], verdict.result, len(pictures), pictures, human
    )


def _is_broken(line: Told) -> bool:
    return "parsed_action" not in line or "xml" not in line


def _step(line: Told, pages: Told) -> PageStep:
    name = line.get("ac_xml") or line["xml"]
    return PageStep(pages.get(name), line["parsed_action"], line.get("command"))


def _agent(case: Told) -> str:
    """The name of the original's folder: cut at “_2024”, which only the older cases carry."""
    name = str(case["id"])
    if "true_answers" in case["input"]:
        return f"agent_{name}_{_CREATED}"
    return f"agent_{name.removeprefix('al-')}"
