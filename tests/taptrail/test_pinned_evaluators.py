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
