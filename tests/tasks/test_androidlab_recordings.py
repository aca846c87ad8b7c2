"""Imported traces, judged by a clone's judges, and the numbers over them."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

from episodes.store.library import Library
from taptrail.usecases.androidlab import answer_by_rule, judge_recording
from taptrail.usecases.androidlab_numbers import lab_numbers, write_sheet
from taptrail.usecases.importing import import_episodes
from tasks.running import Verdict
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
        "demo_1": Verdict.SUCCESS,
        "demo_2": Verdict.UNKNOWN,
        "demo_3": Verdict.SUCCESS,
    }
    assert found["demo_1"].details["first_seen"] == {"1": 1, "2": 1, "complete": 1}
    assert found["demo_2"].reason == "nobody could say whether the answer is right"
    with Library.read(library) as kept:
        (numbers,) = lab_numbers(kept)
    assert (numbers.agent, numbers.unknown) == ("agent-x", 1)
    assert numbers.corrected == {"SR": 1.0, "Sub-SR": 1.0, "RRR": 1.0, "ROR": 1.0}
    assert (numbers.sheet["correct"], numbers.sheet["Total"]) == (2, 3)
    write_sheet([numbers], tmp_path / "sheet.csv")
    with (tmp_path / "sheet.csv").open() as file:
        (row,) = csv.DictReader(file)
    assert (row["agent_name"], row["corrected SR"]) == ("agent-x", "1.0")


def test_answers_are_judged_by_rule_first_and_then_by_a_person():
    assert answer_by_rule("q", "The  Lighthouse", "the lighthouse") is True
    assert (answer_by_rule("q", "5.0", "5"), answer_by_rule("q", "6", "5")) == (True, False)
    assert answer_by_rule("q", "about five", "5") is None
    assert answer_by_rule("q", "about five", "5", lambda *told: told[2] == "5") is True
