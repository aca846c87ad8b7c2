"""The golden cases of AndroidWorld and Android Lab, answered by our rules and a clone's judges."""

from __future__ import annotations

import json
import math
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from episodes.errors import KnownError
from tasks.benches.androidlab import compression, metrics
from tasks.benches.androidworld import catalogue, matching, results
from tasks.seeds import FIXED_SEED, instance_seed
from tests.conformance.__main__ import answer, answers

VECTORS = Path(__file__).parent.parent / "vectors"
CLONE = os.environ.get("TAPTRAIL_ANDROID_LAB")


def cases(*names: str) -> list[dict]:
    return [
        json.loads(line)
        for name in names
        for line in (VECTORS / name).read_text(encoding="utf-8").splitlines()
    ]


CASES = cases("androidlab_androidworld.jsonl", "androidlab_metrics.jsonl")


def test_every_case_without_an_installation_is_answered_as_the_original_answered_it():
    expected = {case["id"]: case["expected"] for case in CASES if case["kind"] != "end_to_end"}
    got = {
        told["id"]: told.get("got")
        for told in answers(VECTORS / "androidlab_androidworld.jsonl")
        if told["id"] in expected
    }
    for name, value in expected.items():
        if name.startswith("al-cxml"):  # a case may ask for one of the two forms
            got[name] = {form: got[name][form] for form in value}
    assert got == expected


def test_runs_are_judged_by_a_clone_and_told_to_need_one_where_none_is_named():
    expected = {case["id"]: case for case in CASES if case["kind"] == "end_to_end"}
    assert len(expected) == 12
    for name, case in expected.items():
        told = answer(case)
        if CLONE:
            assert told.get("got") == case["expected"], name
        else:
            assert "TAPTRAIL_ANDROID_LAB" in told["unsupported"]


def test_the_catalogue_gives_the_released_budgets_and_the_four_that_get_less_than_declared():
    tasks = catalogue.catalogue().values()
    assert (len(tasks), sum(one.optimal_steps for one in tasks)) == (116, 976)
    assert sum(one.budget for one in tasks) == 2349
    shadowed = {one.name for one in tasks if one.class_complexity != one.instance_complexity}
    assert shadowed == {
        "TasksDueNextWeek",
        "SportsTrackerActivityDuration",
        "SportsTrackerTotalDurationForCategoryThisWeek",
        "SportsTrackerTotalDistanceForCategoryOverInterval",
    }
    with pytest.raises(KnownError, match="no task of this name"):
        catalogue.catalogue_task("NoSuchTask")


def test_seeds_follow_the_suite_and_the_instance_unless_they_are_to_be_identical():
    assert instance_seed(30, "ContactsAddContact", 0) == 1155463587
    assert instance_seed(30, "ContactsAddContact", 7, identical=True) == 1155463587
    assert instance_seed(None, "ContactsAddContact", 0) is None
    assert instance_seed(None, "ContactsAddContact", 0, identical=True) == FIXED_SEED


def test_a_task_of_failures_only_drops_out_of_the_mean_success_and_counts_its_failures():
    failed = results.failed_record(
        goal="g",
        task="B",
        exception="E",
        run_seconds=2,
        finished=datetime(2023, 10, 15, tzinfo=UTC),
    )
    done = {**failed, "task_template": "A", "is_successful": 0.5, "exception_info": None}
    done["episode_length"] = 3
    per_task, average = results.aggregate([failed, done, {**failed, "task_template": "A"}])
    assert per_task["A"] == results.TaskNumbers(1, 0.5, 3, 4.0, 1)
    assert math.isnan(per_task["B"].mean_success_rate)
    assert (average.mean_success_rate, average.num_fail_trials) == (0.5, 1)


def test_dates_and_times_are_answers_too():
    assert matching.answer_matches("October 15 2023", ["October 15 2023"], matching.Match.DATE)
    assert not matching.answer_matches("15:34", ["15:35"], matching.Match.TIME)
    with pytest.raises(matching.WrongForm):
        matching.answer_matches("tomorrow", ["October 15 2023"], matching.Match.DATE)


@pytest.mark.parametrize(
    ("xml", "why"),
    [
        ("", "no element"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><hierarchy/>', "entities"),
        ("<hierarchy rotation='0'/>", "lacks"),
        ("<hierarchy rotation='0'><node bounds='[0,0][9,9]'/></hierarchy>", "lacks"),
        ("<a>" * 500, "deeper"),
    ],
)
def test_a_dump_that_cannot_be_compressed_is_refused_with_the_reason(xml, why):
    with pytest.raises(compression.UnreadableDump, match=why):
        compression.compress(xml)


def test_corrected_numbers_see_the_end_picture_and_leave_unknown_lengths_out():
    grey, red = metrics.np.full((4, 4, 3), 9, "uint8"), metrics.np.full((4, 4, 3), 80, "uint8")
    done = {"complete": True}
    one = metrics.Judged("a_1", "", "operation", done, 2, [grey, grey], None, end=red)
    assert metrics.reasonable(one) == 1
    assert metrics.corrected([one]) == {"SR": 1.0, "Sub-SR": 1.0, "RRR": None, "ROR": 0.5}
