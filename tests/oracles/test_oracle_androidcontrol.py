"""The AndroidControl oracles against numbers worked out by hand from the rules' descriptions."""

import json
import random
from collections import Counter
from typing import Any

import pytest

from tests.oracles.androidcontrol import (
    EVALUATORS,
    agentcpm,
    clawgui,
    gui_r1,
    mimo,
    os_atlas,
    paper,
    qwen25vl,
    uground,
)
from tests.oracles.androidcontrol.paper_cases import node as paper_node
from tests.oracles.androidcontrol.parts import enlarged, finger_direction, token_f1
from tests.oracles.androidcontrol.uground_cases import node
from tests.oracles.androidcontrol_cases import (
    SILENT,
    cases,
    is_on_threshold,
    is_silent,
    judge,
)

PHONE = (1080, 2400)
SQUARE = (1000, 1000)


def click(x: int, y: int) -> dict[str, Any]:
    return {"action_type": "click", "x": x, "y": y}


def scroll(direction: str) -> dict[str, Any]:
    return {"action_type": "scroll", "direction": direction}


def typed(text: str) -> dict[str, Any]:
    return {"action_type": "input_text", "text": text}


def opened(app: str) -> dict[str, Any]:
    return {"action_type": "open_app", "app_name": app}


BACK = {"action_type": "navigate_back"}
WAIT = {"action_type": "wait"}
END = {"action_type": "status", "goal_status": "successful"}


def call(**arguments: Any) -> str:
    body = json.dumps({"name": "mobile_use", "arguments": arguments})
    return f"<tool_call>\n{body}\n</tool_call>"


def on_paper(action: dict[str, Any], prediction: Any, *nodes: dict[str, Any]) -> bool | None:
    gold = {"action": action, "size": PHONE, "nodes": list(nodes)}
    return paper.judge(gold, prediction)[0]


def by_uground(
    action: dict[str, Any],
    predicted: Any,
    output: str | None = None,
    *nodes: dict[str, Any],
    scale: float = 1,
) -> bool | None:
    answer = None if output is None else {"output": output, "scale": scale}
    prediction = {"action": predicted, "answer": answer}
    return uground.judge({"action": action, "nodes": list(nodes)}, prediction)[0]


def by_os_atlas(answer: str, said: str) -> bool | None:
    return os_atlas.judge({"answer": answer}, f"thoughts:\nx\nactions:\n{said}<|im_end|>")[0]


def by_qwen(action: dict[str, Any], said: str, *boxes: list[int], size: Any = PHONE) -> bool | None:
    gold = {"action": action, "size": size, "answer_size": size, "candidates": list(boxes)}
    return qwen25vl.judge(gold, said)[0]


def by_agentcpm(
    action: dict[str, Any], said: Any, *boxes: list[int], flag: bool = True, size: Any = SQUARE
) -> bool | None:
    gold = {"action": action, "size": size, "boxes": list(boxes)}
    return agentcpm.judge(gold, json.dumps(said), flag)[0]


def by_gui_r1(action: dict[str, Any], /, size: Any = SQUARE, **answer: Any) -> bool | None:
    row = {"action": "click", "point": [-100, -100], "input_text": "no input text"} | answer
    gold = {"action": action, "size": size}
    return gui_r1.judge(gold, f"<think>x</think> <answer>[{row!r}]</answer>")[0]


def by_clawgui(
    action: dict[str, Any], said: str, *boxes: list[int], model: str = "qwen2.5-vl"
) -> bool | None:
    return clawgui.judge({"action": action, "candidates": list(boxes)}, said, model)[0]


def by_mimo(action: dict[str, Any], /, *boxes: list[int], size: Any = SQUARE, **said: Any) -> Any:
    gold = {"action": action, "size": size, "boxes": list(boxes)}
    return mimo.judge(gold, f"```json\n{json.dumps([said])}\n```")[0]


# ------------------------------------------------------------------------------ across evaluators


def test_a_data_set_down_is_finger_up_for_four_of_them_and_finger_down_for_qwen():
    up, down = [[500, 900], [500, 300]], [[500, 300], [500, 900]]
    verdicts = {}
    for name, (start, end) in {"up": up, "down": down}.items():
        swipe = call(action="swipe", coordinate=start, coordinate2=end)
        verdicts[name] = {
            "agentcpm vector": by_agentcpm(scroll("down"), {"POINT": start, "to": end}),
            "agentcpm word": by_agentcpm(scroll("down"), {"POINT": start, "to": name}),
            "clawgui": by_clawgui(scroll("down"), swipe),
            "mimo drag": by_mimo(scroll("down"), action="drag", start_point=start, end_point=end),
            "mimo word": by_mimo(scroll("down"), action="scroll", direction=name),
            "qwen": by_qwen(scroll("down"), swipe),
            "uground word": by_uground(scroll("down"), scroll(name)),
        }
    expected = dict.fromkeys(verdicts["up"], True) | {"qwen": False, "uground word": False}
    assert verdicts["up"] == expected
    assert verdicts["down"] == {name: not right for name, right in expected.items()}


def test_an_empty_text_is_right_for_three_wrong_for_four_and_stops_os_atlas():
    gold = typed("hello")
    assert by_qwen(gold, call(action="type", text="")) is True
    assert by_agentcpm(gold, {"TYPE": ""}) is True
    assert by_mimo(gold, action="input", text="") is True
    assert by_clawgui(gold, call(action="type", text="")) is False
    assert by_gui_r1(gold) is False
    merged = {"action_type": "type_text", "text": "hello"}
    assert by_uground(merged, {"action_type": "type_text", "text": ""}) is False
    assert on_paper(gold, typed("")) is False
    assert by_os_atlas("TYPE [hello]", "TYPE") is None


def test_a_diagonal_swipe_is_sideways_for_qwen_and_vertical_for_clawgui():
    # 300 of 1080 is more of the width than 400 of 2400 is of the height.
    swipe = call(action="swipe", coordinate=[100, 100], coordinate2=[400, 500])
    assert by_qwen(scroll("right"), swipe) is True
    assert by_clawgui(scroll("up"), swipe) is True


def test_a_long_press_matches_its_type_where_the_rule_asks_for_it():
    press = {"action_type": "long_press", "x": 500, "y": 500}
    tap = call(action="click", coordinate=[500, 500])
    assert by_qwen(press, tap) is False
    assert by_qwen(press, call(action="long_press", coordinate=[500, 500], time=2)) is True
    assert by_os_atlas("LONG_PRESS <point>[[5,5]]</point>", "CLICK <point>[[5,5]]</point>") is False
    assert by_agentcpm(press, {"POINT": [500, 500]}) is True
    assert by_agentcpm(press, {"POINT": [500, 500], "duration": 1000}) is False
    assert by_gui_r1(press, action="click", point=[500, 500]) is True
    around = node([450, 450, 550, 550], text="Ok")
    assert by_uground(press, {"action_type": "click"}, "(500, 500)", around) is False
    assert by_uground(press, {"action_type": "long_press"}, "(500, 500)", around) is True


def test_a_box_is_enlarged_about_its_centre_to_six_fifths():
    assert enlarged([100, 200, 200, 400], 1.2) == [90, 180, 210, 420]


def test_a_finger_that_does_not_move_moves_up_and_ties_are_vertical():
    moves = [(0, 0), (3, 3), (-3, -3), (3, -3), (4, 3), (-4, 3)]
    found = [finger_direction(*move) for move in moves]
    assert found == ["up", "down", "up", "up", "right", "left"]


def test_the_f1_of_word_sets_counts_a_word_once():
    assert token_f1("a a b", "b a") == 1
    assert token_f1("a", "b") == 0
    assert token_f1("", "") == 0


# ------------------------------------------------------------------------------------------ paper


def test_a_coordinate_counts_when_it_lies_in_the_only_element():
    button = paper_node([100, 100, 200, 200], text="Ok")
    assert on_paper(click(150, 150), click(101, 199), button) is True
    assert on_paper(click(150, 150), click(99, 150), button) is False
    assert on_paper(click(150, 150), click(100, 150), button) is None
    assert on_paper(click(150, 150), {"action_type": "long_press", "x": 150, "y": 150}, button) is (
        False
    )


def test_the_paper_does_not_say_which_overlapping_element_is_meant():
    row = paper_node([0, 100, 1080, 200], text="Row")
    label = paper_node([50, 120, 150, 180], text="Label")
    assert on_paper(click(100, 150), click(60, 150), row, label) is True
    assert on_paper(click(100, 150), click(900, 150), row, label) is None
    assert on_paper(click(100, 150), click(900, 900), row, label) is False


def test_the_paper_does_not_say_what_a_gold_point_in_no_element_or_an_unseen_one_is_worth():
    assert on_paper(click(5, 5), click(5, 5)) is None
    hidden = paper_node([0, 0, 9, 9], text="x", visible=False)
    assert on_paper(click(5, 5), click(6, 6), hidden) is None


def test_the_authors_keep_labelled_nodes_switches_and_text_fields():
    box = [0, 0, 9, 9]
    kept = [
        paper_node(box),
        paper_node(box, tooltip="t"),
        paper_node(box, class_name="android.widget.Switch"),
        paper_node(box, class_name="android.widget.EditText"),
        paper_node(box, class_name="android.widget.SwitchThing"),
    ]
    assert [paper.is_element(one) for one in kept] == [False, True, True, True, False]


def test_back_is_also_a_click_on_a_back_button():
    box = [0, 0, 100, 100]
    assert on_paper(BACK, BACK) is True
    assert on_paper(BACK, click(50, 50), paper_node(box, description="Back")) is True
    assert on_paper(BACK, click(150, 50), paper_node(box, description="Back")) is False
    assert on_paper(BACK, click(50, 50), paper_node(box, text="Settings")) is False
    assert on_paper(BACK, click(50, 50), paper_node(box, description="Navigate up")) is None
    assert on_paper(BACK, click(50, 50), paper_node(box, text="Send feedback")) is None
    assert on_paper(click(50, 50), BACK, paper_node(box, description="Back")) is None
    assert on_paper(click(50, 50), BACK, paper_node(box, text="Settings")) is False


def test_opening_an_app_is_also_a_click_on_an_element_of_its_name():
    box = [0, 0, 100, 100]
    assert on_paper(opened("Clock"), opened("Clock")) is True
    assert on_paper(opened("Clock"), opened("clock")) is None
    assert on_paper(opened("Clock"), opened("Chrome")) is False
    assert on_paper(opened("Clock"), click(50, 50), paper_node(box, text="Clock")) is True
    assert on_paper(opened("Clock"), click(50, 50), paper_node(box, text="Clock 2")) is None
    assert on_paper(opened("Clock"), click(50, 50), paper_node(box, text="Chrome")) is False
    assert on_paper(click(50, 50), opened("Clock"), paper_node(box, text="Clock")) is None


def test_the_paper_fixes_equal_texts_and_different_texts_and_nothing_between():
    assert on_paper(typed("Hello"), typed("Hello")) is True
    assert on_paper(typed("Hello"), typed(" hello")) is None
    assert on_paper(typed("Hello"), typed("Hell")) is False
    joined = {"action_type": "type", "text": "Hello", "x": 5, "y": 5}
    assert on_paper(typed("Hello"), joined) is None
    assert on_paper(typed("Hello"), joined | {"text": "Bye"}) is False


def test_an_unreadable_answer_is_wrong_on_paper_and_the_end_must_be_predicted():
    assert on_paper(WAIT, None) is False
    assert on_paper(WAIT, WAIT) is True
    assert on_paper(END, dict(END)) is True
    assert on_paper(END, WAIT) is False
    assert on_paper(END, END | {"goal_status": "infeasible"}) is None


def test_the_accuracy_of_the_paper_is_a_range_when_it_is_silent():
    steps = [(True, {}), (False, {}), (None, {}), (True, {})]
    assert paper.aggregate(steps) == {"lowest": 0.5, "highest": 0.75}


# ---------------------------------------------------------------------------------------- uground


def test_uground_wants_the_smallest_box_with_its_edges():
    small = node([100, 100, 200, 200], text="Small")
    large = node([0, 0, 1080, 1000], text="Large")
    tap = {"action_type": "click", "element": "it"}
    verdicts = [
        by_uground(click(200, 150), tap, output, large, small)
        for output in ("(100, 200)", "(200, 100)", "(201, 150)", "(99, 150)", "(500, 500)")
    ]
    assert verdicts == [True, True, False, False, False]
    assert by_uground(click(201, 150), tap, "(500, 500)", large, small) is True
    assert by_uground(click(5, 1500), tap, "(5, 1500)", large, small) is False
    assert by_uground(click(150, 150), tap, "(300, 300)", small, scale=2) is True


def test_the_smallest_box_of_uground_is_the_one_with_the_least_area():
    flat = node([400, 90, 800, 110], text="Flat")  # 8000 square pixels, further left
    tall = node([490, 0, 510, 401], text="Tall")  # 8020
    tap = {"action_type": "click"}
    assert by_uground(click(500, 100), tap, "(700, 100)", tall, flat) is True
    assert by_uground(click(500, 100), tap, "(500, 300)", tall, flat) is False
    tall["box"] = [490, 0, 510, 399]  # 7980
    assert by_uground(click(500, 100), tap, "(500, 300)", tall, flat) is True
    assert by_uground(click(500, 100), tap, "(700, 100)", tall, flat) is False


def test_uground_keeps_what_android_world_keeps_labelled_visible_sized_and_on_1080x2400():
    box = [10, 10, 20, 20]
    nodes = [
        node(box, text="leaf"),
        node(box, text="parent", leaf=False),
        node(box, text="scroller", leaf=False, scrollable=True),
        node(box, description="described", leaf=False),
        node(box),
        node(box, text="hidden", visible=False),
        node([10, 10, 10, 20], text="flat"),
        node([1090, 10, 1200, 20], text="right of the screen"),
        node([1070, 10, 1200, 20], text="over the edge"),
    ]
    kept = [one["text"] or one["description"] for one in uground.elements(nodes)]
    assert kept == ["leaf", "scroller", "described", "over the edge"]


def test_uground_finds_back_inside_feedback_and_not_in_navigate_up():
    tap = {"action_type": "click"}
    for label, expected in [("Send feedback", True), ("Navigate up", False), ("Go back", True)]:
        assert by_uground(BACK, tap, "(5, 5)", node([0, 0, 9, 9], description=label)) is expected
    assert by_uground(BACK, BACK) is True


def test_uground_takes_a_click_on_an_apps_name_and_any_label_for_a_click():
    tap, app = {"action_type": "click"}, opened("Clock")
    assert by_uground(app, tap, "(5, 5)", node([0, 0, 9, 9], text="My Clock app")) is True
    assert by_uground(app, tap, "(5, 5)", node([0, 0, 9, 9], text="Chrome")) is False
    assert by_uground(click(500, 500), app, "(5, 5)", node([0, 0, 9, 9], text="Chrome")) is True
    assert by_uground(click(500, 500), app, "(50, 5)", node([0, 0, 9, 9], text="Chrome")) is False
    assert by_uground(app, opened("clock")) is False


def test_uground_stops_when_the_answer_line_it_asks_for_is_missing():
    tap = {"action_type": "click"}
    field = node([0, 0, 9, 9], text="Ok")
    assert by_uground(click(5, 5), tap, None, field) is None
    assert by_uground(click(5, 5), opened("Clock"), None, field) is None
    assert by_uground(opened("Clock"), tap) is None
    assert by_uground(WAIT, tap) is False
    assert by_uground(WAIT, WAIT) is True


def test_uground_compares_text_status_and_direction_exactly():
    merged = {"action_type": "type_text", "text": "hello"}
    assert by_uground(merged, dict(merged)) is True
    assert by_uground(merged, merged | {"text": "Hello"}) is False
    assert by_uground(END, dict(END)) is True
    assert by_uground(END, END | {"goal_status": "infeasible"}) is False


def test_a_stopped_uground_run_has_no_total():
    assert uground.aggregate([(True, {}), (False, {})]) == {"step_accuracy": 0.5}
    assert uground.aggregate([(True, {}), (None, {})]) is None


# --------------------------------------------------------------------------------------- os-atlas


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        (640, 500, True),
        (641, 500, False),
        (599, 599, False),
        (598, 600, False),
        (599, 598, True),
        (584, 612, True),
        (500, 360, True),
        (500, 359, False),
    ],
)
def test_os_atlas_takes_140_and_not_the_99_by_99_diagonal(x: int, y: int, expected: bool):
    # 99 squared twice is 19602, 98 and 100 give 19604; 140 squared is 19600.
    gold = "CLICK <point>[[500,500]]</point>"
    assert by_os_atlas(gold, f"CLICK <point>[[{x},{y}]]</point>") is expected


def test_os_atlas_ignores_a_minus_sign():
    assert by_os_atlas("CLICK <point>[[5,5]]</point>", "CLICK <point>[[-5,-5]]</point>") is True


def test_os_atlas_compares_the_first_word_with_its_bracket():
    gold = "TYPE [Shanghai shopping mall]"
    said = ["TYPE [Shanghai tower]", "TYPE [Shanghai]", "TYPE Shanghai shopping mall", "TYPE [a]"]
    assert [by_os_atlas(gold, text) for text in said] == [True, False, False, False]
    assert by_os_atlas("OPEN_APP [Google Maps]", "OPEN_APP [Google Meet]") is True


def test_os_atlas_strips_characters_and_not_the_end_token():
    assert os_atlas.action_of("actions:\nPRESS_BACK<|im_end|>") == "PRESS_BACK"
    assert os_atlas.action_of("actions:\nmend TYPE amend") == " TYPE a"
    assert os_atlas.action_of("actions:\nCLICK <point>[[5,6]]</point>") == (
        "CLICK <point>[[5,6]]</point"
    )


def test_os_atlas_wants_equal_strings_for_the_rest():
    assert by_os_atlas("SCROLL [UP]", "SCROLL [UP]") is True
    assert by_os_atlas("SCROLL [UP]", "SCROLL [up]") is False
    assert by_os_atlas("COMPLETE", "COMPLETE") is True
    assert by_os_atlas("PRESS_BACK", "PRESS_HOME") is False


def test_os_atlas_calls_an_unknown_action_invalid_and_stops_at_an_empty_one():
    assert by_os_atlas("WAIT", "DANCE") is False
    assert by_os_atlas("WAIT", "") is None
    assert os_atlas.judge({"answer": "WAIT"}, "thoughts:\nx\nActions:\nWAIT")[0] is False


def test_os_atlas_gives_an_episode_to_the_first_sub_split_that_lists_it():
    sub_splits = {"IDD": [1], "app_unseen": [1, 2], "task_unseen": [3], "category_unseen": [4]}
    steps = [
        {"episode": 1, "correct": True, "type": True},
        {"episode": 2, "correct": False, "type": True},
        {"episode": 3, "correct": True, "type": True},
        {"episode": 4, "correct": False, "type": False},
    ]
    totals = {"IDD": 1.0, "app_unseen": 0.0, "task_unseen": 1.0, "category_unseen": 0.0}
    totals |= {"OOD": 1 / 3, "step_accuracy": 0.5, "type_accuracy": 0.75}
    assert os_atlas.aggregate(steps, sub_splits) == totals
    with pytest.raises(ZeroDivisionError):
        os_atlas.aggregate(steps[:3], sub_splits)
    stopped = [*steps, {"episode": 1, "correct": None, "type": None}]
    assert os_atlas.aggregate(stopped, sub_splits) is None


def test_os_atlas_writes_a_gold_answer_in_thousandths():
    assert os_atlas.answer_of(click(540, 1200), PHONE) == "CLICK <point>[[500,500]]</point>"
    assert os_atlas.answer_of(opened("Clock"), PHONE) == "OPEN_APP [Clock]"


# --------------------------------------------------------------------------------------- qwen25vl


def test_qwen_takes_four_hundredths_of_the_longer_side_and_enlarged_boxes():
    gold = click(500, 500)  # 0.04 * 2400 is 96
    tap = {x: call(action="click", coordinate=[x, 500]) for x in (596, 597, 710, 711, 690)}
    assert by_qwen(gold, tap[596]) is True
    assert by_qwen(gold, tap[597]) is False
    box = [400, 400, 600, 600]  # enlarged to 380..620
    assert by_qwen(gold, call(action="click", coordinate=[620, 620]), box) is True
    assert by_qwen(gold, call(action="click", coordinate=[621, 620]), box) is False
    far = [600, 490, 700, 510]  # need not contain the gold point: 590..710
    assert by_qwen(gold, tap[710], far) is True
    assert by_qwen(gold, tap[711], far) is False


def test_qwen_reads_pixels_of_the_resized_picture():
    gold = {"action": click(540, 1200), "size": PHONE, "answer_size": (1092, 2408)}
    near = call(action="click", coordinate=[546, 1204])
    assert qwen25vl.judge(gold | {"candidates": []}, near)[0] is True
    off = call(action="click", coordinate=[546, 1304])  # 99.7 original pixels away
    assert qwen25vl.judge(gold | {"candidates": []}, off)[0] is False


def test_qwen_counts_a_click_in_a_candidate_as_opening_and_as_the_type():
    gold = {"action": opened("Coursera"), "size": PHONE, "answer_size": PHONE}
    gold["candidates"] = [[219, 1585, 326, 1751]]
    correct, found = qwen25vl.judge(gold, call(action="click", coordinate=[250, 1600]))
    assert (correct, found["type"]) == (True, True)
    correct, found = qwen25vl.judge(gold, call(action="click", coordinate=[900, 200]))
    assert (correct, found["type"]) == (False, False)
    assert by_qwen(opened("Coursera"), call(action="open", text="Course")) is True


def test_qwen_texts_contain_each_other_without_case_and_outer_space():
    gold = typed("Hello World")
    said = [" hello", "say HELLO WORLD now", "hello  world", "world hello"]
    assert [by_qwen(gold, call(action="type", text=text)) for text in said] == [
        True,
        True,
        False,
        False,
    ]
    assert by_qwen(BACK, call(action="system_button", button="BACK")) is True
    assert by_qwen(BACK, call(action="system_button", button="Home")) is False


def test_qwen_counts_every_error_as_wrong():
    gold = {"action": click(5, 5), "size": PHONE, "answer_size": PHONE, "candidates": None}
    assert qwen25vl.judge(gold, call(action="click", coordinate=[5, 5]))[0] is False
    assert by_qwen(click(5, 5), call(action="click"), [0, 0, 9, 9]) is False
    assert by_qwen(click(5, 5), "tap it", [0, 0, 9, 9]) is False
    assert by_qwen(END, call(action="terminate", status="success")) is False
    assert by_qwen(scroll("up"), call(action="swipe", coordinate=[5, 5])) is False


def test_qwen_reads_a_bare_call_after_thinking():
    bare = '<think>so</think>{"name": "mobile_use", "arguments": {"action": "wait", "time": 2}}'
    assert by_qwen(WAIT, bare) is True


def test_a_swipe_that_stays_is_up_for_qwen():
    still = call(action="swipe", coordinate=[5, 5], coordinate2=[5, 5])
    assert by_qwen(scroll("up"), still) is True
    assert by_qwen(scroll("down"), still) is False


def test_qwens_totals_are_shares_of_all_steps():
    steps = [(True, {"type": True}), (False, {"type": True}), (False, {"type": None})]
    assert qwen25vl.aggregate(steps) == {"step_accuracy": 1 / 3, "type_accuracy": 2 / 3}


# --------------------------------------------------------------------------------------- agentcpm


def test_agentcpm_loses_four_hundredths_to_rounding():
    assert 0.54 - 0.5 > 0.04
    assert by_agentcpm(click(500, 500), {"POINT": [540, 500]}) is False
    assert by_agentcpm(click(500, 500), {"POINT": [539, 500]}) is True
    assert by_agentcpm(click(540, 1200), {"POINT": [539, 500]}, size=PHONE) is True


def test_the_flag_changes_the_radius_and_the_boxes():
    gold, away = click(500, 500), [700, 490, 800, 510]
    assert by_agentcpm(gold, {"POINT": [639, 500]}, flag=False) is True
    assert by_agentcpm(gold, {"POINT": [641, 500]}, flag=False) is False
    assert by_agentcpm(gold, {"POINT": [639, 500]}) is False
    assert by_agentcpm(gold, {"POINT": [750, 500]}, away) is True
    assert by_agentcpm(gold, {"POINT": [750, 500]}, away, flag=False) is False
    wide = [400, 490, 800, 510]
    assert by_agentcpm(gold, {"POINT": [790, 500]}, wide, flag=False) is True


def test_agentcpm_looks_at_the_five_boxes_with_the_nearest_centres():
    row = [[100 * i, 480, 100 * i + 50, 520] for i in range(1, 8)]
    assert by_agentcpm(click(125, 500), {"POINT": [525, 500]}, *row) is True
    assert by_agentcpm(click(125, 500), {"POINT": [625, 500]}, *row) is False
    window = [0, 0, 1000, 1000]
    assert by_agentcpm(click(500, 500), {"POINT": [990, 990]}, window) is True


def test_agentcpm_enlarges_the_boxes():
    box = [200, 200, 400, 400]  # 180..420
    assert by_agentcpm(click(300, 300), {"POINT": [419, 300]}, box) is True
    assert by_agentcpm(click(300, 300), {"POINT": [421, 300]}, box) is False


def test_waiting_and_ending_are_one_class_for_agentcpm():
    for gold in (WAIT, END):
        for said in ({"STATUS": "finish"}, {"STATUS": "impossible"}, {"duration": 3000}):
            assert by_agentcpm(gold, said) is True
    assert by_agentcpm(WAIT, {"PRESS": "HOME"}) is False


def test_agentcpm_presses_types_and_does_not_score_open_app():
    assert by_agentcpm(BACK, {"PRESS": "BACK"}) is True
    assert by_agentcpm(BACK, {"PRESS": "HOME"}) is False
    assert by_agentcpm(typed("Hello"), {"TYPE": " say hello"}) is True
    assert by_agentcpm(typed("Hello"), {"TYPE": "bye"}) is False
    assert by_agentcpm(opened("Clock"), {"POINT": [5, 5]}) is None


def test_an_answer_without_a_type_is_wrong_and_lowers_the_hit_rate():
    gold = {"action": WAIT, "size": SQUARE, "boxes": []}
    found = [agentcpm.judge(gold, said) for said in ('{"duration":9}', "{}", "x", '{"TYPE":""}')]
    steps = [
        {"episode": i // 2, "correct": correct, "parts": parts}
        for i, (correct, parts) in enumerate(found)
    ]
    assert agentcpm.aggregate(steps) == {
        "step_accuracy": 0.25,
        "type_accuracy": 0.25,
        "hit_rate": 0.5,
        "episode_success": 0.0,
        "goal_progress": 0.25,
    }


# ----------------------------------------------------------------------------------------- gui-r1


def test_gui_r1_wants_strictly_less_than_fourteen_hundredths():
    gold = click(0, 0)
    assert by_gui_r1(gold, point=[140, 0]) is False
    assert by_gui_r1(gold, point=[139, 0]) is True
    assert by_gui_r1(gold, point=[99, 99]) is False  # 0.009801 twice is 0.019602, over 0.0196
    assert by_gui_r1(gold, point=[98, 99]) is True  # 0.019405


def test_gui_r1_ignores_the_action_type():
    gold = {"action": click(500, 500), "size": SQUARE}
    said = "<answer>[{'action': 'scroll', 'point': [500, 500], 'input_text': 'up'}]</answer>"
    correct, found = gui_r1.judge(gold, said)
    assert (correct, found["type"]) == (True, False)


def test_gui_r1_takes_an_f1_of_one_half_and_clawgui_does_not():
    gold, text = typed("red fox"), "red car"
    assert by_gui_r1(gold, action="type", input_text=text) is True
    assert by_clawgui(gold, call(action="type", text=text)) is False
    assert by_gui_r1(gold, action="type", input_text="blue car") is False
    assert by_gui_r1(typed("fox"), action="type", input_text="foxes") is True
    assert by_gui_r1(scroll("down"), action="scroll", input_text="DOWN") is True


def test_gui_r1_reads_python_literals_and_nothing_else():
    empty = {"pred_action": None, "pred_coord": None, "pred_input_text": None}
    for broken in ("", "<answer>[]</answer>", "<answer>[__import__('os')]</answer>", "[{}]"):
        assert gui_r1.read(broken) == empty
    assert by_gui_r1(click(5, 5), point=None) is False


def test_an_action_type_without_a_hit_leaves_gui_r1s_denominator():
    steps = [
        {"gold_type": "click", "correct": True, "type": True},
        {"gold_type": "click", "correct": True, "type": False},
        {"gold_type": "input_text", "correct": False, "type": False},
        {"gold_type": "input_text", "correct": False, "type": False},
        {"gold_type": "wait", "correct": None, "type": True},
    ]
    assert gui_r1.aggregate(steps) == {"step_accuracy": 1.0, "type_accuracy": 2 / 3}
    assert by_gui_r1(WAIT, action="wait") is None
    assert by_gui_r1(BACK, action="press_back") is None


# ---------------------------------------------------------------------------------------- clawgui


def test_clawguis_radius_is_the_hypotenuse_of_both_fourteen_hundredths():
    # 151.2 squared and 336 squared are 135757.44; 368 and 18 give 135748, 368 and 19 give 135785.
    assert round(clawgui.RADIUS, 2) == 368.45
    gold = click(500, 1000)
    assert by_clawgui(gold, call(action="click", coordinate=[868, 1018])) is True
    assert by_clawgui(gold, call(action="click", coordinate=[868, 1019])) is False


def test_clawgui_reads_qwen3_in_thousandths_and_qwen25_in_pixels():
    gold, said = click(540, 1200), call(action="click", coordinate=[500, 500])
    assert by_clawgui(gold, said, model="qwen3-vl") is True
    assert by_clawgui(gold, said, model="qwen2.5-vl") is False


def test_clawguis_boxes_are_taken_as_they_are_with_their_edges():
    gold, box = click(5, 5), [900, 2000, 1000, 2100]
    assert by_clawgui(gold, call(action="click", coordinate=[1000, 2100]), box) is True
    assert by_clawgui(gold, call(action="click", coordinate=[1001, 2100]), box) is False


def test_clawgui_cannot_parse_an_end_or_qwen3s_open():
    said = call(action="open", text="Clock")
    assert by_clawgui(opened("Clock"), said) is True
    assert by_clawgui(opened("Clock"), said, model="qwen3-vl") is False
    assert by_clawgui(WAIT, call(action="terminate", status="success")) is False
    assert by_clawgui(WAIT, call(action="wait", time=2)) is True


def test_clawgui_takes_an_empty_text_for_an_empty_one_and_more_than_half_of_the_words():
    assert by_clawgui(typed(""), call(action="type", text="")) is True
    assert by_clawgui(typed("a b c"), call(action="type", text="a b d")) is True  # 2/3
    assert by_clawgui(typed("a"), call(action="type", text="a b c")) is False  # 1/2
    assert by_clawgui(BACK, call(action="system_button", button="Back")) is True
    assert by_clawgui(BACK, call(action="system_button", button="Home")) is False


def test_what_clawgui_cannot_parse_counts_in_the_total_and_not_in_its_row():
    gold = {"action": WAIT, "candidates": []}
    found = [clawgui.judge(gold, said, "qwen3-vl") for said in (call(action="wait"), "x", "")]
    steps = [{"gold_type": "wait", "correct": correct, "parts": parts} for correct, parts in found]
    assert clawgui.aggregate(steps) == {
        "step_accuracy": 1 / 3,
        "type_accuracy": 1 / 3,
        "by_action": {"wait": 1.0},
    }


# ------------------------------------------------------------------------------------------- mimo


def test_mimo_swaps_only_up_and_down_in_words_and_all_four_in_drags():
    words = {w: by_mimo(scroll("left"), action="scroll", direction=w) for w in ("left", "right")}
    assert words == {"left": True, "right": False}
    drag = {"action": "drag", "start_point": [500, 500]}
    assert by_mimo(scroll("left"), **drag, end_point=[900, 500]) is True
    assert by_mimo(scroll("left"), **drag, end_point=[100, 500]) is False


def test_mimo_judges_a_click_like_agentcpm_in_original_pixels():
    box = [108, 240, 216, 480]
    gold = click(162, 360)
    assert by_mimo(gold, box, size=PHONE, action="click", start_point=[226, 360]) is True
    assert by_mimo(gold, box, size=PHONE, action="click", start_point=[228, 360]) is False
    assert by_mimo(click(500, 500), action="click", start_point=[539, 500]) is True
    assert by_mimo(click(500, 500), action="click", start_point=[541, 500]) is False


def test_mimo_takes_any_status_equal_keys_and_equal_apps():
    assert by_mimo(END, action="finished", status="infeasible") is True
    assert by_mimo(BACK, action="press", keys=["back"]) is True
    assert by_mimo(BACK, action="press", keys=["back", "home"]) is False
    assert by_mimo(opened("Clock"), action="open", app_name="Clock") is True
    assert by_mimo(opened("Clock"), action="open", app_name="Clock app") is False
    assert by_mimo(typed("Hello"), action="input", text="Hello!") is True


def test_what_mimo_cannot_read_is_a_parse_error_and_wrong():
    gold = {"action": WAIT, "size": SQUARE, "boxes": []}
    found = [mimo.judge(gold, said) for said in ('```json\n[{"action": "wait"}]\n```', "wait")]
    assert [correct for correct, _ in found] == [True, False]
    assert found[1][1]["error"] == "parse_error"
    assert mimo.aggregate(found) == {"step_accuracy": 0.5, "type_accuracy": 0.5}


# ------------------------------------------------------------------------------------------ cases


@pytest.mark.parametrize("evaluator", list(EVALUATORS))
def test_cases_repeat_for_a_seed_and_lie_on_thresholds_often(evaluator: str):
    made = list(cases(evaluator, 7, 300))
    # Written out, because a coordinate that is not a number never equals itself.
    assert repr(made) == repr(list(cases(evaluator, 7, 300)))
    assert repr(made) != repr(list(cases(evaluator, 8, 300)))
    settled = [one for one in made if is_on_threshold(one) and not is_silent(evaluator, one)]
    assert len(settled) >= len(made) / 5


@pytest.mark.parametrize("evaluator", list(EVALUATORS))
def test_every_case_gets_a_verdict_and_every_silent_kind_is_made(evaluator: str):
    verdicts: dict[str, Counter[bool | None]] = {}
    for one in cases(evaluator, 3, 2000):
        correct, parts = judge(evaluator, one)
        assert correct in (True, False, None)
        assert {"type", "target", "argument", "error"} <= set(parts)
        verdicts.setdefault(one["kind"], Counter())[correct] += 1
    assert set(SILENT[evaluator]) <= set(verdicts)
    plain = Counter[bool | None]()
    for kind, found in verdicts.items():
        if kind not in SILENT[evaluator]:
            plain += found
    assert min(plain[True], plain[False]) >= 100


@pytest.mark.parametrize("evaluator", list(EVALUATORS))
def test_no_answer_of_any_size_or_kind_makes_a_judge_raise(evaluator: str):
    """Every prediction against gold steps it was not made for."""
    made = [one["arguments"] for one in cases(evaluator, 11, 400)]
    rng = random.Random(11)
    for one in made:
        other = rng.choice(made)
        correct, _ = EVALUATORS[evaluator].judge(**(one | {"gold": other["gold"]}))
        assert correct in (True, False, None)


def test_the_paper_is_silent_on_silent_kinds_alone():
    for one in cases("paper", 5, 2000):
        correct, parts = judge("paper", one)
        assert (correct is None) == (len(parts["readings"]) == 2)
        if not is_silent("paper", one):
            assert correct is not None, one
