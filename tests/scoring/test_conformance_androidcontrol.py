"""`python -m tests.conformance` on cases of AndroidControl that the golden file has none like.

Expected verdicts follow the evaluators' rules in `docs/protocols/androidcontrol.md`.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conformance.__main__ import answer


def told(variant: str, gold: Any, prediction: Any, **context: Any) -> Any:
    case = {"protocol": "androidcontrol", "variant": variant, "gold": gold}
    context = {"screen": [1080, 2400], **context}
    return answer({"id": "case", **case, "prediction": prediction, "context": context})["got"]


def cpm_row(kind: int, touch: list[float], lift: list[float]) -> dict[str, Any]:
    return {
        "result_action_type": kind,
        "result_action_text": "",
        "result_touch_yx": json.dumps(touch),
        "result_lift_yx": json.dumps(lift),
        "duration": None,
        "ui_positions": "[]",
    }


@pytest.mark.parametrize(
    ("touch", "lift", "kind"),
    [
        ([0.1, 0.33], [0.060000000000000005, 0.33], "click"),
        ([0.46, 0.61], [0.42000000000000004, 0.61], "click"),
        ([1.0, 0.98], [1.0, 1.02], "scroll"),
        ([0.5, 0.5], [0.54, 0.5], "scroll"),
    ],
)
def test_agentcpm_s_own_rows_are_taps_or_drags_in_float64(touch, lift, kind):
    rows = cpm_row(4, touch, lift)
    point = [round(touch[1] * 1000), round(touch[0] * 1000)]
    clicked = told("agentcpm", rows, {"POINT": point})
    assert clicked["type_match"] is (kind == "click")
    assert clicked["exact_match"] is (kind == "click")
    assert told("agentcpm", rows, {"POINT": point, "to": "up"})["type_match"] is (kind == "scroll")


@pytest.mark.parametrize("kind", [2, 8, 9, 12, None, "4"])
def test_a_row_of_a_type_agentcpm_does_not_know_ends_it(kind):
    rows = cpm_row(kind, [0.5, 0.5], [0.5, 0.5])  # type: ignore[arg-type]
    assert told("agentcpm", rows, {"STATUS": "finish"}) == {"error": "ValueError"}


@pytest.mark.parametrize("said", ['{"POINT": [500, 500]}', "tap it", None, [], 5])
def test_a_value_that_is_not_an_object_is_refused_by_agentcpm_s_schema(said):
    rows = cpm_row(4, [0.5, 0.5], [0.5, 0.5])
    assert told("agentcpm", rows, said) == {
        "type_match": False,
        "exact_match": False,
        "format_hit": False,
        "pred_type": None,
    }


def test_uground_compares_every_key_the_gold_has():
    plan = {"action": {"action_type": "wait"}, "grounding_output": None, "scale": 1.0}
    timed = {"action": {"action_type": "wait", "time": 2}, "grounding_output": None, "scale": 1.0}
    gold = {"action_type": "wait", "time": 2}
    counted = {"total_steps": 1, "grounding_steps": 0, "correct_grounding_steps": 0}
    assert told("uground", gold, plan, a11y_elements=[]) == {"correct_steps": 0, **counted}
    assert told("uground", gold, timed, a11y_elements=[]) == {"correct_steps": 1, **counted}


CLICK = {"action": "click", "arguments": {"points": [[500, 940]]}}
CALL = '<tool_call>\n{"arguments": {"action": "click", "coordinate": [500, 940]}}\n</tool_call>'
PARSED = {"name": "mobile", "action": "click", "arguments": {"points": [[500, 940]]}}


@pytest.mark.parametrize("context", [{"model": "uitars"}, {"model": "qwen3vl"}, {}])
def test_clawgui_reads_a_family_it_has_no_parser_of_as_qwen3_vl(context):
    right = {"parsed": PARSED, "correct": True, "type_match": True, "info": "click_correct"}
    assert told("clawgui", CLICK, CALL, **context) == right


def test_clawgui_calls_a_gold_of_no_kind_invalid():
    found = told("clawgui", {"action": "terminate", "arguments": {}}, CALL, model="qwen3vl")
    wrong = {"correct": False, "type_match": False, "info": "invalid_gold_action"}
    assert found == {"parsed": PARSED, **wrong}


def test_clawgui_s_answer_with_a_number_for_an_action_is_an_exception_of_its():
    said = {"name": "mobile", "action": 5, "arguments": {}}
    wrong = {"correct": False, "type_match": False}
    info = "exception: 'int' object has no attribute 'strip'"
    found = told("clawgui", CLICK, json.dumps(said), model="qwen3vl")
    assert found == {"parsed": said, **wrong, "info": info}


@pytest.mark.parametrize(
    ("row", "error"),
    [
        ({"pred_action": "click", "pred_coord": None, "pred_input_text": "x"}, "TypeError"),
        ({"pred_action": "click", "pred_coord": [5], "pred_input_text": "x"}, "ValueError"),
        ({"pred_action": "click", "pred_input_text": "x"}, "KeyError"),
    ],
)
def test_a_row_gui_r1_stops_at_is_the_answer_of_the_whole_file(row, error):
    gold = {
        "group": "ac",
        "gt_action": "click",
        "gt_bbox": [5, 5],
        "image_size": [1080, 2400],
        "gt_input_text": "no input text",
    }
    fine = {"pred_action": "click", "pred_coord": [5, 5], "pred_input_text": "no input text"}
    assert told("gui_r1", [gold, gold], [fine, row]) == {"error": error}


def test_guiodyssey_s_rules_need_no_region():
    gold = {"action": "CLICK", "info": [500, 500]}
    found = told("gui_odyssey_rules", gold, {"action": "CLICK", "info": [640, 500]})
    assert found == {"is_correct": "yes", "info": "click_correct"}


QWEN = {"action": "click", "coordinate": [200, 230], "candidate_bbox": [[100, 200, 300, 260]]}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (None, {"error": "TypeError"}),
        ({"action": "click"}, {"error": "KeyError"}),
        (
            {"action": "click", "coordinate": ["NaN", 230]},
            {"type_match": True, "exact_match": False},
        ),
        ({"action": "click", "coordinate": [200, 230]}, {"type_match": True, "exact_match": True}),
    ],
)
def test_an_answer_without_a_call_is_an_error_of_qwen_s_script_and_a_nan_hits_nothing(
    said, expected
):
    assert told("qwen25vl_infigui", QWEN, said, resized=[1092, 2408]) == expected


@pytest.mark.parametrize(
    ("named", "gold", "said", "expected"),
    [
        ("os-atlas", "WAIT", "actions:\nWAIT", {"step_correct": True, "type_match": True}),
        ("paper@1", {"action_type": "wait"}, {"action_type": "wait"}, {"step_correct": True}),
        (
            "qwen25vl",
            {"action": "wait"},
            {"action": "wait"},
            {"type_match": True, "exact_match": True},
        ),
    ],
)
def test_an_evaluator_can_be_named_by_its_protocol_and_a_case_can_lack_a_context(
    named, gold, said, expected
):
    case = {"id": "case", "protocol": f"androidcontrol/{named}", "gold": gold, "prediction": said}
    assert answer(case) == {"id": "case", "got": expected}


def test_an_unknown_screen_has_no_elements():
    plan = {"action": {"action_type": "click"}, "grounding_output": "(5, 5)", "scale": 1.0}
    assert told("uground", {"action_type": "click", "x": 5, "y": 5}, plan) == {
        "correct_steps": 0,
        "total_steps": 1,
        "grounding_steps": 1,
        "correct_grounding_steps": 0,
    }
