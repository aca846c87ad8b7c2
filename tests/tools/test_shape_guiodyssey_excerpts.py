"""The excerpts are ours, in the forms published ones have."""

import json
import subprocess
import sys
from pathlib import Path

from taptrail.usecases.importing import ImportRemark, import_episodes

TOOL = Path(__file__).resolve().parents[2] / "tools" / "shape_guiodyssey_excerpts.py"
ABOUT = {
    "category": "General_Tool",
    "app": ["Notes"],
    "meta_task": "Write {}",
    "task": "Write tea",
    "instruction": "Write down tea.",
}
EXCERPT = {
    "note": "three steps, one without coordinates",
    "episode_id": "0007000000000001",
    "device_info": {"w": 1080, "h": 2400},
    "task_info": ABOUT,
    "step_length": 3,
    "steps": [
        {"step": 0, "action": "CLICK", "info": [[10, 20], [10, 20]], "answer": "CLICK: (10, 20)"},
        {"step": 1, "action": "SCROLL", "answer": "SCROLL: DOWN"},
        {"step": 2, "action": "COMPLETE", "info": ""},
    ],
}
PRINTED = {
    "device_info": {"w": 2560, "h": 1600},
    "task_info": ABOUT,
    "decoded_steps": [
        "CLICK: (525, 912)",
        "LONG_PRESS: (1.5, 2)",
        "TYPE: 10:30 tea:",
        "SCROLL from (661, 622) to (573, 671)",
        "CLICK or LONG_PRESS printed as [471, 576], [471, 576]",
        "PRESS_HOME",
        "COMPLETE",
    ],
}


def shape(samples, out):
    return subprocess.run(
        [sys.executable, str(TOOL), str(samples), str(out)],
        capture_output=True,
        text=True,
        check=False,
    )


def test_excerpts_import_and_steps_without_coordinates_are_refused_one_by_one(tmp_path):
    samples = tmp_path / "samples"
    samples.mkdir()
    (samples / "one.json").write_text(json.dumps(EXCERPT))
    (samples / "two.json").write_text(json.dumps([{"note": "no steps"}, PRINTED]))
    (samples / "lines.jsonl").write_text("{}\n")
    done = shape(samples, tmp_path / "out")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "2 excerpts with 10 steps, 2 of them without coordinates.\n"
    printed = json.loads((tmp_path / "out/annotations/two-1.json").read_text())
    assert [(step["action"], step.get("info")) for step in printed["steps"]] == [
        ("CLICK", [[525, 912], [525, 912]]),
        ("LONG_PRESS", [[1.5, 2], [1.5, 2]]),
        ("TEXT", "10:30 tea:"),
        ("SCROLL", [[661, 622], [573, 671]]),
        ("CLICK", None),
        ("CLICK", "KEY_HOME"),
        ("COMPLETE", ""),
    ]
    found = import_episodes("guiodyssey", tmp_path / "out", tmp_path / "library")
    assert (found.episodes, found.steps, found.screens, found.missing_screens) == (2, 8, 0, 8)
    assert found.refused == (
        ImportRemark("0007000000000001.json step 1 (SCROLL)", "it has no coordinates", 1),
        ImportRemark("two-1.json step 4 (CLICK)", "it has no coordinates", 1),
    )


def test_a_folder_without_excerpts_is_said_to_be_one(tmp_path):
    done = shape(tmp_path, tmp_path / "out")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"There is no excerpt in {tmp_path}.\n"
