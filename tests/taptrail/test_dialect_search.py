"""Finds the dialects that can read a file of predictions."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from episodes.errors import KnownError
from replay.dialect import Declared
from taptrail.usecases import prediction_files
from taptrail.usecases.prediction_files import dialects_that_read
from taptrail.usecases.predictions import check_predictions, import_predictions
from tests.gui import story

OURS = [
    {"episode": "e-0412", "step": n, "action": {"kind": "tap", "at": {"point": [10 + n, 20]}}}
    for n in range(8)
]
GUIODYSSEY = [
    {"img": f"e-0412_{n}.png", "pred": "CLICK: (500, 500)", "gt": "x", "more_info": {}}
    for n in range(8)
]


def lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize(
    ("rows", "whole", "name"),
    [(OURS, False, "taptrail"), (GUIODYSSEY, True, "guiodyssey")],
)
def test_the_dialect_of_a_file_is_found_first(
    tmp_path: Path, rows: list[dict[str, Any]], whole: bool, name: str
) -> None:
    file = tmp_path / "p.json"
    if whole:
        file.write_text(json.dumps(rows, indent=1))
    else:
        lines(file, rows)
    assert dialects_that_read(file)[0] == name


def test_of_a_large_file_the_first_rows_are_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prediction_files, "WHOLE_BYTES", 500)
    large = lines(tmp_path / "large.jsonl", OURS * 40)
    one_value = tmp_path / "large.json"
    one_value.write_text(json.dumps(GUIODYSSEY * 40))
    assert dialects_that_read(large)[0] == "taptrail"
    assert dialects_that_read(one_value) == ()


def test_an_answer_whose_action_nobody_knows_is_not_read(tmp_path: Path) -> None:
    rows = [
        {"episode": "e-0412", "step": n, "raw": json.dumps({"action_type": "levitate"})}
        for n in range(8)
    ]
    assert "androidcontrol" not in dialects_that_read(lines(tmp_path / "p.jsonl", rows))
    for row in rows[:4]:
        row["raw"] = json.dumps({"action_type": "Double Tap", "x": 1, "y": 2})
    assert "androidcontrol" in dialects_that_read(lines(tmp_path / "p.jsonl", rows))


@pytest.mark.parametrize("data", [b"", b"\xff\xfe\x00\x01", b"[[[[", b"{}\n" * 30])
def test_what_is_no_prediction_is_in_no_dialect(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "p.json").write_bytes(data)
    assert dialects_that_read(tmp_path / "p.json") == ()
    assert dialects_that_read(tmp_path / "missing.json") == ()


@pytest.mark.parametrize(
    "use",
    [
        lambda file, folder: import_predictions((file,), "r", folder, dialect="guiodyssey"),
        lambda file, folder: check_predictions((file,), folder, dialect="guiodyssey"),
    ],
)
def test_a_wrong_dialect_is_told_with_the_right_one(
    tmp_path: Path, story_folder: Path, use: Callable[[Path, Path], Any]
) -> None:
    with pytest.raises(KnownError) as told:
        use(lines(tmp_path / "p.jsonl", OURS), story_folder)
    assert str(told.value) == (
        "Cannot read p.jsonl: it is no prediction file: no row has an answer in words. "
        "Give the JSON list that the evaluator of GUIOdyssey writes. "
        "Its first rows can be read in the dialect taptrail."
    )


def test_where_nothing_could_be_read_the_right_dialect_is_noted(
    tmp_path: Path, story_folder: Path
) -> None:
    found = check_predictions(
        (lines(tmp_path / "p.jsonl", OURS),), story_folder, dialect="ui-tars-1.5",
        declared=Declared(),
    )  # fmt: skip
    assert found.notes[0] == (
        "No action could be read from any prediction. "
        "Its first rows can be read in the dialect taptrail."
    )


def test_answers_that_name_unknown_actions_alone_point_to_another_dialect(
    tmp_path: Path, story_folder: Path
) -> None:
    rows = [
        {
            "episode": "e-0412",
            "step": n,
            "raw": json.dumps({"action_type": "levitate", "POINT": [1, 2]}),
        }
        for n in range(8)
    ]
    file = lines(tmp_path / "p.jsonl", rows)
    found = check_predictions((file,), story_folder, dialect="androidcontrol")
    assert found.notes[0] == (
        "No action could be read from any prediction that belongs to a step. "
        "Its first rows can be read in the dialect agentcpm."
    )
    assert found.notes[1] == 'Answers name actions that are not known: "levitate" (8).'


@pytest.fixture
def story_folder(tmp_path: Path) -> Path:
    story.build(tmp_path / "library")
    return tmp_path / "library"
