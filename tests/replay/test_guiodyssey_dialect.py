"""The evaluator's own prediction file, before and after scoring."""

from __future__ import annotations

import json

import pytest

from episodes import actions as a
from episodes.errors import KnownError
from episodes.geometry import Direction, Native, Point
from episodes.runs import Unreadable
from replay.dialect import Declared, Limits, Row
from replay.dialects import dialect
from replay.dialects.guiodyssey import row_of_answer
from replay.dialects.layouts import ANSWERS
from tests.replay.made import PHONE, json_file, official

DIALECT = dialect("guiodyssey")


def rows(path, limits=Limits()):  # noqa: B008 - frozen
    return list(DIALECT.rows(path, limits))


def test_episode_and_step_come_from_the_first_picture_of_the_question(tmp_path):
    info = {"category": "General_Tool", "step_length": 3, "sam2_bbox": []}
    element = official("0019778284340925", 2, "CLICK: (1, 2)", gt="CLICK: (1, 2)", more_info=info)
    assert rows(json_file(tmp_path, [element])) == [
        Row(
            "0019778284340925",
            2,
            "CLICK: (1, 2)",
            "CLICK: (1, 2)",
            {"gt": "CLICK: (1, 2)", **info},
            file="predictions.json",
            line=1,
        )
    ]


@pytest.mark.parametrize(
    "element",
    [
        {"img": "/a/abc_def_7.png", "pred": "x"},
        {"image": "C:\\shots\\abc_def_7.png", "pred": "x"},
        {"img": "abc_def_7.jpg", "image": "other_1.png", "pred": "x"},
        {"question": "<img>abc_def_7.png</img>", "pred": "x"},
    ],
)
def test_an_episode_s_name_may_hold_underscores_and_come_from_three_places(tmp_path, element):
    (row,) = rows(json_file(tmp_path, [element]))
    assert (row.episode, row.step, row.problem) == ("abc_def", 7, "")


def test_the_scored_form_is_read_like_the_plain_one(tmp_path):
    elements = [official("e", 0, "COMPLETE"), official("e", 1, "PRESS_HOME")]
    scored = {"dataset": "random_split", "model": "m", "metrics": {"info": {}, "pred": elements}}
    plain = rows(json_file(tmp_path, elements, "p.json"))
    assert [row.raw for row in plain] == ["COMPLETE", "PRESS_HOME"]
    assert [row.raw for row in rows(json_file(tmp_path, scored, "p.json"))] == [
        row.raw for row in plain
    ]


def test_broken_elements_are_kept_with_their_problem_and_the_rest_is_read(tmp_path):
    path = json_file(
        tmp_path,
        [
            official("e", 0, "COMPLETE"),
            7,
            {"question": "no picture", "pred": "COMPLETE"},
            {"img": "../../etc/passwd", "pred": "COMPLETE"},
            {"img": "e_1.png"},
            {"img": "e_2.png", "pred": None},
            {"img": "e_3.png", "pred": "x" * 5000},
        ],
    )
    found = [(r.line, r.episode, r.problem.split(":")[0]) for r in rows(path, Limits(4000))]
    assert found == [
        (1, "e", ""),
        (2, "", "the element is not an object"),
        (3, "", "it names no episode"),
        (4, "", "it names no episode"),
        (5, "e", "it has no answer"),
        (6, "e", ""),
        (7, "e", "the element is longer than 4000 bytes"),
    ]


def test_half_a_surrogate_pair_and_nan_do_not_cost_the_file(tmp_path):
    path = tmp_path / "p.json"
    path.write_text(
        '[{"img": "e_0.png", "pred": "TYPE: \\ud800x"},'
        ' {"img": "e_1.png", "pred": "COMPLETE", "more_info": {"sam2_bbox": [NaN]}}]',
        encoding="utf-8",
    )
    assert [(row.step, row.raw) for row in rows(path)] == [(0, "TYPE: ?x"), (1, "COMPLETE")]


@pytest.mark.parametrize("text", ["{}", "nothing", '{"metrics": 1}', "[1", '{"a": 1}\n{}'])
def test_a_file_that_is_not_a_prediction_file_is_one_known_error(tmp_path, text):
    path = tmp_path / "p.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(KnownError, match=r"Cannot read p\.json: it is no prediction file"):
        rows(path)


def test_a_missing_file_and_one_with_too_much_are_known_errors(tmp_path):
    with pytest.raises(KnownError, match="No such file"):
        rows(tmp_path / "p.json")
    path = json_file(tmp_path, [official("e", 0, "COMPLETE")] * 3)
    with pytest.raises(KnownError, match="more than 2 rows"):
        rows(path, Limits(rows=2))
    with pytest.raises(KnownError, match="larger than 10 bytes"):
        rows(path, Limits(file_bytes=10))


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ("CLICK: (500, 500)", a.Tap(Point(540, 1200))),
        ("CLICK: [500.0, 1000/2]", a.Tap(Point(540, 1200))),
        ("CLICK: '500, 500'", a.Tap(Point(540, 1200))),
        ("LONG_PRESS: (0, 1100)", a.LongPress(Point(0, 2640))),
        ("SCROLL: up", a.Scroll(Direction.UP)),
        ("TYPE: https://a.b: c", a.TypeText("https://a.b: c")),
        ("TYPE", a.TypeText("")),
        ("PRESS_HOME", a.PressKey(a.Key.HOME)),
        ("PRESS_BACK", a.PressKey(a.Key.BACK)),
        ("PRESS_RECENT", a.PressKey(a.Key.RECENTS)),
        (" COMPLETE: all done", a.Finish(a.Ending.COMPLETE)),
        ("IMPOSSIBLE", a.Finish(a.Ending.IMPOSSIBLE)),
        ("PRESS_ENTER", a.PressKey(a.Key.ENTER)),
        ("DOUBLE_TAP: (500, 500)", a.DoubleTap(Point(540, 1200))),
        ("FLY: away", a.Other("FLY", '{"text": "away"}')),
        ("CLICK: (x, y)", Unreadable("“(x, y)” is not a pair of numbers", "tap")),
        ("CLICK: (1, 2, 3)", Unreadable("“(1, 2, 3)” is not a pair of numbers", "tap")),
        ("CLICK: (True, 1)", Unreadable("“(True, 1)” is not a pair of numbers", "tap")),
        ("CLICK: (1e999, 1)", Unreadable("“(1e999, 1)” is not a pair of numbers", "tap")),
        ("SCROLL: sideways", Unreadable("“sideways” is not a direction", "scroll")),
        ("Thought: tap", Unreadable("it begins with none of the benchmark's words")),
        ("", Unreadable("it begins with none of the benchmark's words")),
        (None, Unreadable("the answer is not a text")),
    ],
)
def test_an_answer_is_read_into_pixels_as_its_words_mean_it(answer, action):
    row = row_of_answer(answer, episode="e", step=0)
    assert DIALECT.action(row, PHONE, Declared()) == action


def test_without_a_frame_there_are_no_pixels_and_the_answer_is_stored_nevertheless():
    row = row_of_answer("CLICK: (1, 2)", episode="e", step=0)
    found = DIALECT.action(row, None, Declared())
    assert found == Unreadable("the step's frame has no size to put the point in", "tap")
    assert DIALECT.native(row, Declared()) == Native("guiodyssey", '"CLICK: (1, 2)"')


@pytest.mark.parametrize(
    "said", [Declared("pixels"), Declared("0-1"), Declared(scroll="content"), Declared(level="x")]
)
def test_a_declaration_that_contradicts_the_dialect_is_refused(said):
    with pytest.raises(KnownError, match="Cannot read guiodyssey predictions"):
        DIALECT.declared(said)


def test_the_dialect_s_own_values_apply_if_nothing_is_declared():
    assert DIALECT.declared(Declared(level="low")) == Declared("0-1000", "finger", "low")


def test_bare_texts_are_read_in_the_words_of_another_dialect(tmp_path):
    path = tmp_path / "raw.jsonl"
    lines = [
        {"episode": "e", "step": 1, "raw": "PRESS_HOME"},
        {"episode": "e", "step": 2},
        {"episode": "e", "step": 3, "raw": 5},
    ]
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    chosen = dialect("raw", "guiodyssey")
    found = [(row, chosen.action(row, PHONE, Declared())) for row in chosen.rows(path, Limits())]
    assert [(row.step, row.raw, row.problem) for row, _ in found] == [
        (1, "PRESS_HOME", ""),
        (2, json.dumps(lines[1]), f"it has no answer: none of {', '.join(ANSWERS)}"),
        (3, "5", ""),
    ]
    assert [action for _, action in found] == [
        a.PressKey(a.Key.HOME),
        Unreadable("the answer is not a text"),
        Unreadable("the answer is not a text"),
    ]


@pytest.mark.parametrize(
    ("name", "of_text"), [("klingon", ""), ("raw", ""), ("raw", "klingon"), ("", "")]
)
def test_an_unknown_dialect_is_answered_with_those_there_are(name, of_text):
    with pytest.raises(KnownError, match="Use one of guiodyssey"):
        dialect(name, of_text)
