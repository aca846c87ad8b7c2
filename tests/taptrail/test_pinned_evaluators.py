"""Files from outside, scored as the released evaluators score them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.__main__ import answers

CASES = Path(__file__).parents[1] / "cases"


def test_auto_gui_s_left_drags_are_horizontal_strokes():
    found = list(answers(CASES / "predictions" / "autogui_left.jsonl"))
    assert [one["got"] for one in found] == [True, False]


@pytest.mark.parametrize("dialect", [("os-atlas",), ("raw", "--dialect-of-text", "os-atlas")])
@pytest.mark.parametrize("ways", [(), ("--numbers-only",)])
def test_answers_of_os_atlas_without_a_header_are_wrong(taptrail, library, dialect, ways):
    folder = CASES / "datasets" / "os_atlas_without_header"
    assert taptrail("import", "guiodyssey", folder, "--library", library, "--json").code == 0
    said = folder / "pred.jsonl"
    into = ("--name", "run", "--library", library, "--json")
    assert taptrail("predictions", "import", said, "--dialect", *dialect, *into).json["joined"] == 2
    rules = ("--protocol", "guiodyssey/os-atlas", "--run", "run")
    found = taptrail("score", *rules, "--library", library, "--json", *ways).json
    accuracy = found["metrics"]["Step Acc"]
    assert (accuracy["hits"], accuracy["total"]) == (0, 2)


def scored(taptrail, library, folder, answers_file, *ways):
    assert taptrail("import", "aitz", CASES / "datasets" / folder, "--library", library).code == 0
    said = CASES / "predictions" / answers_file
    into = ("--dialect", "agentcpm", "--name", "run", "--library", library, "--json")
    assert taptrail("predictions", "import", said, *into).json["unreadable"] == 0
    rules = ("--protocol", "aitz/agentcpm", "--run", "run", "--library", library, "--json")
    return taptrail("score", *rules, *ways).json


@pytest.mark.parametrize("ways", [(), ("--numbers-only",)])
@pytest.mark.parametrize("folder", ["aitz_px", "aitz_norm"])
def test_aitz_scores_alike_before_and_after_the_preparation_script(taptrail, library, folder, ways):
    found = scored(taptrail, library, folder, "aitz_pred.jsonl", *ways)["metrics"]["exact_acc"]
    assert (found["hits"], found["total"]) == (3, 3)


def test_cagui_is_judged_as_agentcpm_s_evaluator_does(taptrail, library):
    found = scored(taptrail, library, "cagui", "cagui_pred.jsonl")
    assert [(step["outcome"], step["rule"]) for step in found["steps"]] == [
        ("unscored", "no-gold"),  # code 12
        ("match", "box"),
        ("match", "box"),  # code 0
        ("match", "type"),  # code 1
        ("match", "text-contains"),
        ("match", "type"),
    ]
    assert "the original stops here" in found["steps"][0]["reason"]
