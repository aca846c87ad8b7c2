"""An end that no file of AndroidControl has, from a prediction file to a score, and to a report."""

import json

from tests.samples import androidcontrol as sample


def test_an_answer_to_the_end_is_surplus_at_import_and_judged_in_a_score(
    taptrail, tmp_path, library
):
    folder = sample.write(tmp_path / "set", [sample.episode(7), sample.episode(9)])
    assert taptrail("import", "androidcontrol", folder, "--library", library).code == 0
    last = len(sample.ACTIONS)
    rows = [
        {"episode": "7", "step": last, "action": {"kind": "finish", "ending": "complete"}},
        {"episode": "9", "step": last, "action": {"kind": "open_app", "app": "Clock"}},
        {"episode": "9", "step": last + 1, "action": {"kind": "finish", "ending": "complete"}},
    ]
    file = tmp_path / "run.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    told = taptrail(
        *("predictions", "import", file, "--dialect", "taptrail", "--name", "run"),
        *("--coords", "pixels", "--library", library, "--json"),
    ).json
    assert (told["joined"], told["surplus"]) == (0, 3)
    words = ("--run", "run", "--protocol", "androidcontrol/agentcpm", "--library", library)
    done = taptrail("score", *words, "--json").json
    assert done["metrics"]["exact_acc"]["hits"] == 1
    assert done["metrics"]["exact_acc"]["total"] == 2
    assert [(one["episode"], one["step"], one["outcome"]) for one in done["steps"][-1:]] == [
        ("9", last, "mismatch")
    ]
    assert done["step_set"]["n"] == 2 * last
    assert "puts one behind each of 2 episodes. The run answers 2 of them" in done["notes"][-1]
    compared = taptrail(
        "compare", *words, "--protocol", "androidcontrol/os-atlas", "--only", "all", "--json"
    ).json
    assert compared["count"] == 2 * last + 2
    ends = [one["sides"] for one in compared["steps"] if one["step"] == last]
    assert [(one["A"]["outcome"], one["B"]) for one in ends] == [
        ("match", None),
        ("mismatch", None),
    ]
    page = tmp_path / "page.html"
    assert taptrail("report", *words, "--steps", "all", "--out", page).code == 0
    assert "puts one behind each of 2 episodes" in page.read_text(encoding="utf-8")
