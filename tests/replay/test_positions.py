"""Rows that name no step are joined by their position, where there are as many as steps."""

import json

import pytest

from episodes.errors import KnownError
from replay.dialect import Limits
from replay.dialects import dialect
from replay.positions import in_order, name_no_step, places_in, places_of
from tests.replay.made import clicks, json_file, lines_file

ANSWER = "actions:\nCLICK <point>[[374,621]]</point>"


def rows_of(path, name="os-atlas", of_text=""):
    return list(dialect(name, of_text).rows(path, Limits()))


def test_rows_without_names_are_joined_to_the_steps_in_order(tmp_path):
    rows = rows_of(lines_file(tmp_path, [{"pred": ANSWER}, "{", {"pred": "no words"}]))
    assert name_no_step(rows)
    places = places_of([clicks("a"), clicks("b", 1)])
    assert places == [("a", 0), ("a", 1), ("b", 0)]
    placed = in_order(rows, places)
    assert [(row.episode, row.step, row.line) for row in placed] == [
        ("a", 0, 1),
        ("a", 1, 2),
        ("b", 0, 3),
    ]
    assert [row.problem.partition(":")[0] for row in placed] == ["", "the line is not JSON", ""]
    assert [row.value for row in placed] == [ANSWER, None, "no words"]


def test_if_one_row_names_its_step_none_is_joined_by_position(tmp_path):
    one = {"episode": "a", "step": 0, "pred": ANSWER}
    assert not name_no_step(rows_of(lines_file(tmp_path, [one, {"pred": ANSWER}])))
    assert not name_no_step(rows_of(lines_file(tmp_path, ["{"])))
    assert not name_no_step([])


def test_bare_texts_and_lists_can_be_joined_by_position_too(tmp_path):
    raw = rows_of(lines_file(tmp_path, [{"raw": ANSWER}]), "raw", "os-atlas")
    assert (name_no_step(raw), raw[0].value) == (True, ANSWER)
    listed = rows_of(json_file(tmp_path, [{"pred": "x", "gt_action": "click"}]), "gui-r1")
    assert (name_no_step(listed), listed[0].value) == (True, "x")


def test_the_answer_under_a_model_s_name_is_read_and_the_gold_in_the_row_is_not(tmp_path):
    row = {"id": 3, "answer": {"name": "mobile_use"}, "qwen3vl_infer": "said"}
    (found,) = rows_of(lines_file(tmp_path, [row]), "qwen3vl")
    assert (found.value, found.raw, found.problem) == ("said", "said", "it names no episode")


def test_traces_are_lists_of_steps(tmp_path):
    said = "<action>PressBack()</action>"
    traces = [
        [{"image_path": "t/7_0.png", "generated_text": said}, {"image_path": "t/7_1.png"}],
        [{"image_path": "t/8_0.png", "generated_text": said}],
        [],
    ]
    rows = rows_of(json_file(tmp_path, traces), "ui-venus-1.5")
    assert [(row.episode, row.step, row.line, bool(row.problem)) for row in rows] == [
        ("7", 0, 1, False),
        ("7", 1, 2, True),
        ("8", 0, 3, False),
    ]


@pytest.mark.parametrize(
    ("lines", "places"),
    [
        (["episode_140_screenshot_0", "", "episode_140_screenshot_1"], [("140", 0), ("140", 1)]),
        (["a/b/7_3.png", "7249/screenshot_7.png"], [("7", 3), ("7249", 7)]),
        ([{"image": "x/7_3.png", "conversations": []}], [("7", 3)]),
        ([{"episode_id": 7, "step_id": 1}], [("7", 1)]),
    ],
)
def test_a_file_may_list_the_steps(tmp_path, lines, places):
    assert places_in(lines_file(tmp_path, lines), Limits()) == places
    if isinstance(lines[0], dict):
        assert places_in(json_file(tmp_path, lines), Limits()) == places


@pytest.mark.parametrize("lines", [["7_0.png", "tea"], [{"image": "7_0.png"}, {"image": "tea"}]])
def test_a_list_with_a_line_that_names_no_step_is_refused(tmp_path, lines):
    with pytest.raises(KnownError, match="row 2 names no step"):
        places_in(lines_file(tmp_path, lines), Limits())
    with pytest.raises(KnownError, match="No such file"):
        places_in(tmp_path / "gone", Limits())


def test_uground_s_plans_and_answers_meet_across_files(tmp_path):
    plan = {"episode_id": 7, "step": 1, "action": {"action_type": "click", "element": "Save"}}
    answer = {"episode_id": 7, "step": 1, "output": "(270, 600)", "scale": 0.5}
    asked = {"episode_id": 7, "step": 1, "image": "7/screenshot_1.png", "description": "Save"}
    found = dialect("uground")
    assert found.together is not None
    plans = rows_of(lines_file(tmp_path, [plan]), "uground")
    answers = rows_of(lines_file(tmp_path, [answer, answer | {"step": 9}]), "uground")
    questions = rows_of(lines_file(tmp_path, [asked]), "uground")
    assert [row.problem for row in (*answers, *questions)] == [
        "it is an answer to no plan",
        "it is an answer to no plan",
        "it is a question to the grounding model, and holds no answer",
    ]
    rows = found.together([*plans, *answers, *questions])
    assert [(row.step, bool(row.problem)) for row in rows] == [(9, True), (1, True), (1, False)]
    assert json.loads(rows[-1].raw)["answer"] == {"output": "(270, 600)", "scale": 0.5}


def test_the_last_turn_of_a_chat_is_an_answer(tmp_path):
    chats = [
        {"image": "7_0.png", "conversations": [
            {"from": "human", "value": "h"}, {"from": "gpt", "value": ANSWER}]},
        {"image": "7_1.png", "messages": [
            {"role": "assistant", "content": ANSWER}, {"role": "user", "content": "u"}]},
        {"image": "7_2.png", "messages": [{"role": "assistant", "content": [1]}]},
        {"image": "7_3.png", "conversations": "x"},
    ]  # fmt: skip
    rows = rows_of(lines_file(tmp_path, chats))
    assert [(row.step, row.value, row.problem[:16]) for row in rows] == [
        (0, ANSWER, ""),
        (1, ANSWER, ""),
        (2, None, "it has no answer"),
        (3, None, "it has no answer"),
    ]
