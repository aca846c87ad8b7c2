"""Imported traces, judged by a clone's judges, and the numbers over them.

TAPTRAIL_ANDROID_LAB names a clone of Android Lab, TAPTRAIL_ANDROID_LAB_PYTHON a Python for it.
Without them a small clone of ours takes its place.
"""

from __future__ import annotations

import csv
import json
import os
import sys
import uuid
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from episodes.annotations import Author
from episodes.episodes import Actor
from episodes.errors import KnownError
from episodes.store.library import Library
from taptrail.cli.tasks import tasks as tasks_command
from taptrail.usecases.androidlab import (
    answer_by_rule,
    judge_library,
    judge_recording,
    lab_judge_tests,
)
from taptrail.usecases.androidlab_numbers import lab_numbers, write_sheet
from taptrail.usecases.importing import import_episodes
from tasks.benches.androidlab import judging
from tasks.benches.androidlab.judging import verdict_by_rule
from tasks.benches.client import BenchWorker
from tasks.running import TaskResult
from tests.samples.drawn import png
from tests.tasks.test_androidlab_worker import CLONE, TAP, dump, finish

TASKS = {
    "demo_1": [(dump("Home"), TAP), (dump("Dark theme", checked=True), finish("done"))],
    "demo_2": [(dump("Home"), finish("Berlin, I think"))],
    "demo_3": [(dump("Home"), finish("done"))],
}


def run(folder: Path) -> Path:
    for task, lines in TASKS.items():
        place = folder / "agent-x" / f"{task}_2024-11-14_20-51-34"
        for part in ("traces", "Screen", "xml"):
            (place / part).mkdir(parents=True)
        told = []
        for number, (tree, action) in enumerate(lines):
            image = f"screenshot-{number}-{number}.0-before.png"
            (place / "xml" / f"{number}.xml").write_text(tree)
            (place / "Screen" / image).write_bytes(png(shade=20 + 50 * number))
            line = {"index": number, "image": image, "xml": f"{number}.xml", "ac_xml": None}
            if task == "demo_3":
                line["command"] = {"adb shell settings get global airplane_mode_on": "1"}
            told.append(line | {"target": task, "parsed_action": action})
        (place / "traces" / "trace.jsonl").write_text("\n".join(map(json.dumps, told)))
    return folder / "agent-x"


def test_traces_are_imported_judged_and_counted(tmp_path):
    library = tmp_path / "library"
    import_episodes("androidlab", run(tmp_path), library)
    found = {}
    for task in TASKS:
        name = f"agent-x-{task}_2024-11-14_20-51-34"
        found[task] = judge_recording(library, name, task, python=sys.executable, home=CLONE)
    assert {task: one.verdict for task, one in found.items()} == {
        "demo_1": TaskResult.SUCCESS,
        "demo_2": TaskResult.UNKNOWN,
        "demo_3": TaskResult.SUCCESS,
    }
    assert found["demo_1"].details["first_seen"] == {"1": 1, "2": 1, "complete": 1}
    assert found["demo_2"].reason == "nobody could say whether the answer is right"
    with Library.read(library) as kept:
        (numbers,) = lab_numbers(kept)
    assert (numbers.agent, numbers.unknown) == ("agent-x", 1)
    assert numbers.corrected == {"SR": 1.0, "Sub-SR": 1.0, "RRR": 1.0, "ROR": 1.0}
    assert (numbers.sheet["correct"], numbers.sheet["Total"]) == (2, 3)
    assert numbers.published["SR"] == pytest.approx(2 / 138)
    assert numbers.by_our_people is None
    with Library.open(library) as kept:
        person = replace(
            kept.episode("agent-x-demo_1_2024-11-14_20-51-34"),
            uuid=str(uuid.uuid4()),
            name="e-1",
            actor=Actor("person", author=Author(str(uuid.uuid4()), "Ana")),
        )
        kept.save_episodes([replace(person, steps=person.steps[1:])])
        (numbers,) = lab_numbers(kept)
    assert numbers.by_our_people == 0.5  # one step of a person's, two of the agent's
    write_sheet([numbers], tmp_path / "sheet.csv")
    with (tmp_path / "sheet.csv").open() as file:
        (row,) = csv.DictReader(file)
    assert (row["agent_name"], row["corrected SR"]) == ("agent-x", "1.0")
    assert row["RRR by recorded people"] == "0.5"


def test_a_judge_is_tried_over_recordings_of_its_task_and_of_others(tmp_path):
    library = tmp_path / "library"
    import_episodes("androidlab", run(tmp_path), library)
    found = lab_judge_tests(library, "demo_1", python=sys.executable, home=CLONE)
    assert [(one.task, bool(one.episode), one.expected, one.verdict) for one in found] == [
        ("demo_1", True, True, TaskResult.SUCCESS),
        ("demo_1", False, False, TaskResult.FAILED),
        ("demo_2", True, False, TaskResult.FAILED),
        ("demo_3", True, False, TaskResult.FAILED),
    ]
    assert all(one.as_expected for one in found)
    words = ["test", "demo_2", "--bench", "androidlab", "--python", sys.executable]
    told = CliRunner().invoke(
        tasks_command, [*words, "--home", str(CLONE), "--library", str(library), "--json"]
    )
    assert isinstance(told.exception, KnownError)  # nobody can say whether its answer is right
    assert json.loads(told.output)["passed"] is False
    with pytest.raises(KnownError, match="none has this name"):
        lab_judge_tests(library, "demo_99", python=sys.executable, home=CLONE)
    with pytest.raises(KnownError, match="no recording of it that ended complete"):
        lab_judge_tests(library, "demo_4", python=sys.executable, home=CLONE)


def test_answers_are_judged_by_rule_first_and_then_by_a_person():
    assert answer_by_rule("q", "The  Lighthouse", "the lighthouse") is True
    assert (answer_by_rule("q", "5.0", "5"), answer_by_rule("q", "6", "5")) == (True, False)
    assert answer_by_rule("q", "about five", "5") is None
    assert answer_by_rule("q", "milk; Eggs", "eggs, milk") is True
    assert answer_by_rule("q", "nan", "nan of them") is None
    assert answer_by_rule("q", "about five", "5", lambda *told: told[2] == "5") is True


REAL = os.environ.get("TAPTRAIL_ANDROID_LAB", "")
LAB = Path(REAL) if REAL else CLONE
LAB_PYTHON = os.environ.get("TAPTRAIL_ANDROID_LAB_PYTHON", sys.executable)
PAGES = sorted((Path(__file__).parents[2] / "assets" / "sample_library" / "trees").iterdir())


def many_traces(folder: Path, tasks: list[dict]) -> Path:
    """A trace of each task: some pages are missing or unreadable, some actions repeated."""
    for number, task in enumerate(tasks):
        place = folder / "agent-y" / f"{task['task']}_2026-03-01_10-00-{number % 60:02}"
        for part in ("traces", "Screen", "xml"):
            (place / part).mkdir(parents=True)
        lines = []
        for step in range(9):
            page = PAGES[(number * 5 + step * 3) % len(PAGES)]
            xml = f"{step}.xml" if (number + step) % 7 else "ERROR"
            if xml != "ERROR":
                unreadable = REAL and (number + step) % 5 == 0
                (place / "xml" / xml).write_text("<hierarchy" if unreadable else page.read_text())
            image = f"screenshot-{step}-{step}.0-before.png"
            (place / "Screen" / image).write_bytes(png(shade=20 + 30 * (step // 2)))
            last = finish("4") if step == 8 else TAP
            action = last if number % 3 == 0 or step % 3 == 2 else {**TAP, "kwargs": {"n": step}}
            line = {"index": step, "image": f"logs/agent-y/{place.name}/Screen/{image}"}
            line |= {"xml": xml, "ac_xml": None, "target": task["instruction"]}
            if task["needs"]["commands"]:
                line["command"] = dict.fromkeys(task["needs"]["commands"], "1")
            lines.append(line | {"parsed_action": action})
        if number % 11 == 10:
            lines.append({"index": 9, "error_message": "no code in the answer"})
        (place / "traces" / "trace.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")
    return folder / "agent-y"


def test_the_judges_over_a_library_say_what_the_clone_s_own_evaluation_says(tmp_path):
    library = tmp_path / "library"
    give = verdict_by_rule(lambda question, said, truth: answer_by_rule(question, said, truth))
    with BenchWorker("androidlab", LAB_PYTHON, [str(LAB)], give=give) as worker:
        tasks = [one for one in worker.ask("tasks") if one["judge"] not in (None, "Forever")]
        folder = many_traces(tmp_path, tasks)
        theirs = worker.ask("score", folder=str(folder), seconds=600)
    import_episodes("androidlab", folder, library)
    outcomes = judge_library(library, python=LAB_PYTHON, home=LAB)
    assert len(outcomes) == len(tasks)
    with Library.read(library) as kept:
        (numbers,) = lab_numbers(kept)
    ours = {row["task_id"]: row for row in numbers.results}
    assert sorted(ours) == sorted(row["task_id"] for row in theirs["results"])
    assert len(ours) + numbers.vanished == len(tasks)
    for row in theirs["results"]:
        name = row["task_id"]
        assert row == (ours[name] if REAL else {key: ours[name][key] for key in row}), name
    if REAL:
        assert {row["App"]: pytest.approx(row) for row in theirs["total"]} == {
            row["App"]: row for row in numbers.totals
        }
        assert sum(bool(one.details["sub_success"]) for one in outcomes) > 0


def test_a_line_without_an_action_makes_its_task_vanish_from_the_published_numbers_alone(tmp_path):
    folder = run(tmp_path)
    file = folder / "demo_1_2024-11-14_20-51-34" / "traces" / "trace.jsonl"
    file.write_text(file.read_text() + '\n{"index": 7, "error_message": "no code"}\n')
    import_episodes("androidlab", folder, tmp_path / "library")
    judge_library(tmp_path / "library", python=sys.executable, home=CLONE)
    with Library.read(tmp_path / "library") as kept:
        (numbers,) = lab_numbers(kept)
    assert [row["task_id"] for row in numbers.results] == ["demo_2", "demo_3"]
    assert (numbers.vanished, numbers.corrected["SR"]) == (1, 1.0)


def test_a_judge_that_hangs_leaves_its_episode_unknown_and_the_others_are_judged(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(judging, "JUDGE_SECONDS", 0.7)
    with BenchWorker("androidlab", sys.executable, [str(CLONE)]) as worker:
        tasks = [one for one in worker.ask("tasks") if one["task"] in ("demo_4", "demo_1")]
    import_episodes("androidlab", many_traces(tmp_path, tasks), tmp_path / "library")
    found = {
        one.task: one
        for one in judge_library(tmp_path / "library", python=sys.executable, home=CLONE)
    }
    assert (found["demo_4"].verdict, found["demo_4"].score) == (TaskResult.UNKNOWN, None)
    assert "there was no answer within" in found["demo_4"].reason
    assert found["demo_1"].score is not None
    for one in found.values():
        assert (one.bench, one.details["clone"]) == ("androidlab", str(CLONE.resolve()))
        assert {"commit", "changed"} <= set(one.details)
