"""Answers to cases of AndroidWorld and Android Lab: seeds, budgets, actions, metrics, judges.

A case names a bench and a kind. NaN is null in these answers, as it is in their files. What the
originals compute with a screen, an agent or a clock is given with the least that a case needs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import datetime
from itertools import count
from typing import Any

import numpy as np

from episodes.geometry import Box
from taptrail.usecases.reference_times import Aggregate, budget, spread
from tasks.benches.androidlab import compression, conventions, metrics
from tasks.benches.androidworld import actions, catalogue, elements, matching, results
from tasks.seeds import instance_seed

Told = dict[str, Any]
BENCHES = ("androidworld", "androidlab", "proposed")
_COLUMNS = ("id", "name", "amount")
_SCORED_ZERO = "ValueError (scored 0.0 by is_successful)"


def knows(case: Told) -> bool:
    """Returns whether a case belongs to one of the benches."""
    return case.get("bench") in BENCHES and isinstance(case.get("kind"), str)


def answer(case: Told) -> Told:
    """Returns the answer to a case of a bench, or that there is none for its kind."""
    from tests.conformance import androidlab_runs

    kind = case["kind"]
    if kind == "end_to_end":
        return androidlab_runs.answer(case)
    found = _ANSWERS.get(kind)
    if found is None:
        return {"unsupported": f"there is no rule for the kind “{kind}” here"}
    return {"got": _without_nan(found(case["input"]))}


def picture(frame: Mapping[str, Any] | None, side: int = 10) -> metrics.Picture:
    """Returns the picture a case describes: filled with one colour, with single values set."""
    if frame is None:
        return None
    shape = (frame.get("h", side), frame.get("w", side), len(frame["fill"]))
    pixels = np.empty(shape, np.uint8)
    pixels[:] = frame["fill"]
    for x, y, colour in frame.get("set", ()):
        pixels[y, x] = colour
    for x, y, channel, value in frame.get("values", ()):
        pixels[y, x, channel] = value
    return pixels


def _budget_of_task(given: Told) -> Told:
    task = catalogue.catalogue_task(given["task"])
    return {
        "class_complexity": task.class_complexity,
        "instance_complexity": task.instance_complexity,
        "runtime_budget": task.budget,
        "optimal_steps": task.optimal_steps,
        "budget_over_optimal": round(task.budget / task.optimal_steps, 4),
    }


def _seeds(given: Told) -> Any:
    suite, task = given.get("suite_seed", given.get("seed")), given["task"]
    for name in ("instance", "instance_id", "i", "index"):
        if name in given:
            return {"seed": instance_seed(suite, task, given[name])}
    return [instance_seed(suite, task, i, identical=True) for i in range(given["n"])]


def _aggregate(given: Told) -> Told:
    per_task, average = results.aggregate(given["episodes"])
    return {
        "per_task": {task: asdict(row) for task, row in per_task.items()},
        "average_row": asdict(average),
    }


def _success(given: Told) -> Told:
    now = datetime(2023, 10, 15, 15, 34)  # noqa: DTZ001
    if "is_successful_raises" in given:
        record = results.failed_record(
            goal="g", task="t", exception="Traceback", run_seconds=0, finished=now
        )
        return {
            "keys": sorted(record),
            "is_successful": record["is_successful"],
            "episode_data": record["episode_data"],
        }
    record = results.episode_record(
        goal="g",
        task="t",
        seed=1,
        steps={"step_number": [0, 1]},  # the original was run with an agent of two steps
        score=results.episode_score(
            given["is_successful_returns"], declared_done=given["agent_declared_done"]
        ),
        run_seconds=0,
        finished=now,
        screen={},
    )
    return {
        "is_successful": record["is_successful"],
        "episode_length": record["episode_length"],
        "keys": sorted(record),
    }


def _action(given: Told) -> Told:
    try:
        return {"ok": True, "json": actions.JsonAction(**given).to_json()}
    except ValueError as error:
        return {"ok": False, "error": str(error)}


def _commands(given: Told) -> list[Any]:
    boxes = [tuple(box) if box else None for box in given["elements_bbox"]]
    action = actions.read_action(given["action"])
    return [list(one) for one in actions.commands(action, boxes, tuple(given["screen"]))]


def _answer_check(given: Told) -> Any:
    try:
        if "expected_titles" in given:
            return matching.answer_matches(given["answer"], given["expected_titles"])
        return matching.answer_matches(
            given["answer"],
            [given["expected"]],
            matching.Match(given.get("match_type", "NUMBER_MATCH")),
            given.get("tolerance"),
        )
    except matching.WrongForm:
        return _SCORED_ZERO


def _rows(rows: list[list[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(_COLUMNS, row, strict=True)) for row in rows]


def _added(given: Told) -> bool:
    return matching.rows_added(
        _rows(given["before"]),
        _rows(given["after"]),
        _rows(given["reference"]),
        compare=("name", "amount"),
        free_form=("name",),
    )


def _removed(given: Told) -> Any:
    before, after = _rows(given["before"]), _rows(given["after"])
    return matching.rows_removed(before, after, given["ids_to_delete"], id_column="id")


def _element(given: Told) -> elements.UiElement:
    told = {name: value for name, value in given.items() if name != "index"}
    return elements.UiElement(**told)


def _valid(given: Told) -> bool:
    left, right, top, bottom = given["x_min,x_max,y_min,y_max"]
    element = elements.UiElement(
        box=Box(left, top, right, bottom), is_visible=given.get("is_visible", True)
    )
    return elements.is_valid(element, tuple(given["screen"]))


def _elements(given: Told) -> list[Told]:
    found = elements.elements_of_dump(given["xml"].encode())
    return [
        {
            "text": one.text,
            "class": one.class_name,
            "resource_id": one.resource_id,
            "bbox": [one.box.left, one.box.right, one.box.top, one.box.bottom] if one.box else None,
            "clickable": one.is_clickable,
            "editable": one.is_editable,
        }
        for one in found
    ]


def _similar(given: Told) -> Told:
    found, unchanged = metrics.similarities(
        [picture(frame) for frame in given["frames_10x10_unless_sized"]]
    )
    return {"similarities": found, "unchanged_pairs": unchanged}


def _two_metrics(given: Told) -> Told:
    judged = metrics.Judged(
        given["task_id"],
        "",
        "operation",
        {"complete": given["complete"]},
        given["agent_trace_lines"],
        [picture(frame) for frame in given["frames"]],
        given["human_steps"],
    )
    return {"RRR": metrics.redundancy(judged), "ROR": metrics.reasonable(judged)}


def _compressed(given: Told) -> Told:
    numbers = count()
    try:
        found = compression.compress(given["xml"], lambda: f"n{next(numbers):05x}")
    except compression.UnreadableDump:
        return {"plain_text": None, "json": None}
    mask: Callable[[str], str] = lambda text: re.sub(r"\[n[0-9a-f]{5}\]", "[nXXXX]", text)  # noqa: E731
    return {
        "plain_text": mask(compression.as_text(found)),
        "json": json.loads(mask(json.dumps(found))),
    }


def _human_budget(given: Told) -> Told:
    if "successful_attempt_seconds" in given:
        found = spread(given["successful_attempt_seconds"])
        if found is None:
            return {"n": 0}
        return {
            "n": found.count,
            "mean": found.mean,
            "median": found.median,
            "p25": found.first_quartile,
            "p75": found.third_quartile,
            "min": found.least,
            "max": found.most,
        }
    allowed = budget(
        given["successful_attempt_steps"],
        factor=str(given.get("factor", 2)),
        aggregate=Aggregate(given.get("aggregate", "mean")),
        floor=given.get("floor", 10),
    )
    return {"step_budget": allowed.steps}


def _without_nan(told: Any) -> Any:
    if isinstance(told, dict):
        return {name: _without_nan(value) for name, value in told.items()}
    if isinstance(told, list | tuple):
        return [_without_nan(value) for value in told]
    return None if isinstance(told, float) and told != told else told


_ANSWERS: dict[str, Callable[[Told], Any]] = {
    "step_budget": lambda given: catalogue.step_budget(given["complexity"]),
    "task_budget_vs_human": _budget_of_task,
    "instance_seed": _seeds,
    "instance_seed_and_goal": _seeds,
    "process_episodes": _aggregate,
    "episode_success": _success,
    "json_action": _action,
    "json_action_equality": lambda given: actions.same_action(
        actions.read_action(given["a"]), actions.read_action(given["b"])
    ),
    "actuation": _commands,
    "fuzzy_match": lambda given: matching.fuzzy_match(given["a"], given["b"]),
    "ir_answer_check": _answer_check,
    "sqlite_add_check": _added,
    "sqlite_delete_check": _removed,
    "m3a_element_text": lambda given: elements.describe(_element(given), given["index"]),
    "m3a_parse": lambda given: list(elements.parse_reply(given["raw"])),
    "logical_to_physical": lambda given: list(
        elements.to_physical(
            given["logical_xy"],
            given["logical_size"],
            given["physical_frame"],
            given["orientation"],
        )
    ),
    "ui_element_valid": _valid,
    "checkpoint_sort": lambda given: sorted(given["files"], key=results.file_order),
    "uiautomator_to_elements": _elements,
    "image_similarity": _similar,
    "sub_sr_partial": metrics.partial_success,
    "rrr_ror_single": _two_metrics,
    "loop_detection": lambda given: {
        "stops_after_step_index": conventions.stopping_step(given["parsed_actions"])
    },
    "compressed_xml": _compressed,
    "llm_judge_parse": lambda given: {"result": conventions.judge_verdict(given["judge_reply"])},
    "package_lookup": lambda given: conventions.package_of(given["name"]),
    "relative_bbox": lambda given: conventions.box_in_pixels(
        given["bbox_0_1000"], given["viewport"]
    ),
    "leading_zero_strip": lambda given: conventions.strip_leading_zeros(given["code"]),
    "human_budget": _human_budget,
}
