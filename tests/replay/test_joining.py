"""Rows join their steps; rows without a step are stored and counted."""

from __future__ import annotations

import pytest

from episodes import actions as a
from episodes.errors import KnownError
from episodes.geometry import Native, Point
from episodes.runs import Orphan, OrphanReason, Prediction, Unreadable
from replay.dialect import Declared, Limits
from replay.dialects import DIALECTS
from replay.joining import JoinCounts, answered, counts_to_json, join
from tests.replay.made import NO_BOX, annotated, clicks, episode, json_file, lines_file, official

GUIODYSSEY = DIALECTS["guiodyssey"]


def joined(folder, elements, episodes, **more):
    rows = list(GUIODYSSEY.rows(json_file(folder, elements), Limits()))
    return join(rows, episodes, GUIODYSSEY, Declared(), **more)


def test_every_row_is_joined_doubled_or_surplus_and_every_step_answered_or_missing(tmp_path):
    found = joined(
        tmp_path,
        [
            official("a", 0, "CLICK: (500, 500)"),
            official("a", 0, "CLICK: (1, 1)"),
            official("a", 7, "COMPLETE"),
            official("nobody", 0, "COMPLETE"),
            official("b", 1, "no words"),
            {"pred": "COMPLETE"},
        ],
        [clicks("a", 3), clicks("b", 2)],
    )
    assert found.counts == JoinCounts(
        read=6, joined=2, unreadable=2, missing=3, doubled=1, surplus=3
    )
    assert counts_to_json("r", found.counts) == {
        "run": "r",
        "read": 6,
        "joined": 2,
        "unreadable": 2,
        "missing": 3,
        "doubled": 1,
        "surplus": 3,
    }
    assert [(o.why, o.prediction.episode, o.prediction.line) for o in found.orphans] == [
        (OrphanReason.DOUBLED, "a", 2),
        (OrphanReason.NO_STEP, "a", 3),
        (OrphanReason.NO_EPISODE, "nobody", 4),
        (OrphanReason.NO_EPISODE, "", 6),
    ]
    assert found.problems.first == [
        "predictions.json, row 5: it begins with none of the benchmark's words",
        "predictions.json, row 6: it names no episode",
    ]


def test_a_prediction_keeps_its_text_its_numbers_and_its_place_in_the_file(tmp_path):
    found = joined(tmp_path, [official("a", 1, "CLICK: (500, 500)")], [clicks("a")])
    assert found.predictions == [
        Prediction(
            "a",
            1,
            "CLICK: (500, 500)",
            a.Tap(Point(540, 1200)),
            Native("guiodyssey", '"CLICK: (500, 500)"'),
            "predictions.json",
            1,
        )
    ]
    assert found.orphans == []


def test_the_file_s_own_gold_is_checked_and_never_used(tmp_path):
    info = {"category": "Web_Shopping", "step_length": 2, "sam2_bbox": [1, 2, 3, 4]}
    stated = official("a", 0, "CLICK: (500, 500)", gt="CLICK: (1, 1)", more_info=info)
    found = joined(tmp_path, [stated], [clicks("a")])
    assert found.disagreements.first == [
        'predictions.json, row 1: “gt” is "CLICK: (1, 1)" in the file and '
        '"CLICK: (500, 500)" in the library',
        "predictions.json, row 1: “sam2_bbox” is [1, 2, 3, 4] in the file and null in the library",
        'predictions.json, row 1: “category” is "Web_Shopping" in the file and '
        '"Multi_Apps" in the library',
    ]


def test_agreement_on_the_gold_gives_no_finding(tmp_path):
    info = {"category": "Multi_Apps", "step_length": 1, "sam2_bbox": []}
    stated = official("a", 0, "COMPLETE", gt="CLICK: (500, 500)", more_info=info)
    step = annotated(0, *NO_BOX, sam2_bbox=[])
    assert joined(tmp_path, [stated], [episode("a", [step])]).disagreements.count == 0


def test_many_warnings_are_counted_and_the_first_hundred_shown(tmp_path):
    elements = [official("a", step, "no words") for step in range(150)]
    found = joined(tmp_path, elements, [clicks("a", 150)])
    assert (found.problems.count, len(found.problems.first)) == (150, 100)


def test_two_episodes_of_one_name_are_a_known_error(tmp_path):
    with pytest.raises(KnownError, match="two episodes are called “a”"):
        joined(tmp_path, [official("a", 0, "COMPLETE")], [clicks("a"), clicks("a")])


def test_progress_is_reported_in_episodes(tmp_path):
    told = []
    joined(
        tmp_path,
        [],
        [clicks("a"), clicks("b")],
        on_progress=lambda done, total: told.append((done, total)),
        episode_count=2,
    )
    assert told == [(1, 2), (2, 2)]


def test_rows_of_json_lines_are_joined_in_the_same_way(tmp_path):
    taptrail = DIALECTS["taptrail"]
    path = lines_file(
        tmp_path,
        [
            {"episode": "a", "step": 0, "action": {"kind": "tap", "at": {"point": [0.5, 0.5]}}},
            {"episode": "a", "step": 1, "raw": "I give up"},
        ],
    )
    rows = list(taptrail.rows(path, Limits()))
    found = join(rows, [clicks("a")], taptrail, Declared("0-1"))
    assert answered(rows) == {"a"}
    assert [p.parsed for p in found.predictions] == [
        a.Tap(Point(540, 1200)),
        Unreadable("it has no “action”"),
    ]
    assert found.counts == JoinCounts(read=2, joined=2, unreadable=1)
    assert (found.coordinates.points, found.coordinates.outside) == (1, 0)


def test_an_orphan_keeps_everything_its_row_contains(tmp_path):
    found = joined(tmp_path, [official("nobody", 0, "PRESS_HOME")], [])
    native = Native("guiodyssey", '"PRESS_HOME"')
    home = a.PressKey(a.Key.HOME)
    prediction = Prediction("nobody", 0, "PRESS_HOME", home, native, "predictions.json", 1)
    assert found.orphans == [Orphan(prediction, OrphanReason.NO_EPISODE)]


def test_a_point_beyond_all_numbers_makes_its_row_unreadable(tmp_path):
    own = DIALECTS["taptrail"]
    lines = [
        {"episode": "a", "step": n, "action": {"kind": "tap", "at": at}}
        for n, at in enumerate(
            [{"point": [1e307, 1]}, {"box": [0, 0, 1, 1e307]}, {"point": [0, 1]}]
        )
    ]
    rows = list(own.rows(lines_file(tmp_path, lines), Limits()))
    found = join(rows, [clicks("a", 3)], own, Declared(coordinates="0-1"))
    beyond = Unreadable("its place on the screen is beyond all numbers", "tap")
    assert [one.parsed for one in found.predictions] == [beyond, beyond, a.Tap(Point(0, 2400))]
    assert found.problems.first[0] == f"predictions.jsonl, row 1: {beyond.reason}"
    assert found.counts.unreadable == 2
