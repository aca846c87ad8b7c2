"""The AITZ oracle against sums done by hand."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from tests.oracles.aitz import (
    BUTTONS,
    CORRECT_LABELS,
    DUAL_POINT,
    LABELS,
    PRESS_HOME,
    STATUS_TASK_COMPLETE,
    STATUS_TASK_IMPOSSIBLE,
    TYPE,
    action_of,
    common_ratio,
    enlarge,
    exact_match,
    goal_progress,
    judge,
    match_click,
    match_text,
    overlap,
    scroll_direction,
    success_rate,
)
from tests.oracles.aitz_cases import SILENT, SILENT_TOTALS, UNREADABLE, cases, totals_cases

SIZE = (1000, 2000)


def gold(code: int, **parts: Any) -> dict[str, Any]:
    return {"type": code, "touch": (-1, -1), "lift": (-1, -1), "text": "", "size": SIZE} | parts


def tapped(x: float, y: float) -> dict[str, Any]:
    point = (y / SIZE[1], x / SIZE[0])
    return gold(DUAL_POINT, touch=point, lift=point)


def verdict(step: Any, prediction: Any, boxes: Any = (), gold_click: str = "lift") -> str:
    correct, label = judge(step, prediction, boxes, gold_click)
    assert correct == (label in CORRECT_LABELS)
    return label


def click(*box: float) -> dict[str, Any]:
    return {"action": "click", "box": box}


# ----------------------------------------------------------------------------------------- types


def test_complete_and_impossible_are_one_stop() -> None:
    for code in (STATUS_TASK_COMPLETE, STATUS_TASK_IMPOSSIBLE):
        assert verdict(gold(code), {"action": "stop"}) == "type_same"
        assert verdict(gold(code), {"action": "stop", "status": "impossible"}) == "type_same"
    assert verdict(gold(PRESS_HOME), {"action": "stop"}) == "type_fail"


def test_a_button_must_be_the_same() -> None:
    for code, button in BUTTONS.items():
        for pressed in BUTTONS.values():
            label = verdict(gold(code), {"action": "press", "button": pressed})
            assert label == ("type_same" if pressed == button else "type_fail")


def test_a_gesture_is_a_click_up_to_4_hundredths() -> None:
    assert action_of(gold(DUAL_POINT, touch=(0.0, 0.5), lift=(0.04, 0.5))) == "click"
    assert action_of(gold(DUAL_POINT, touch=(0.0, 0.5), lift=(0.041, 0.5))) == "scroll"
    assert action_of(gold(DUAL_POINT, touch=(0.0, 0.0), lift=(0.03, 0.03))) == "scroll"


@pytest.mark.parametrize("prediction", UNREADABLE)
@pytest.mark.parametrize("code", [TYPE, DUAL_POINT, PRESS_HOME, STATUS_TASK_COMPLETE])
def test_what_cannot_be_read_is_wrong(code: int, prediction: Any) -> None:
    step = gold(code, touch=(0.5, 0.5), lift=(0.5, 0.5))
    assert verdict(step, prediction, [(0, 0, 9, 9)], "released") == "invalid"


# ---------------------------------------------------------------------------------------- scrolls


@pytest.mark.parametrize(
    ("lift", "direction"),
    [
        ((0.2, 0.5), "up"),
        ((0.8, 0.5), "down"),
        ((0.5, 0.2), "left"),
        ((0.5, 0.8), "right"),
    ],
)
def test_a_scroll_is_named_by_the_way_the_finger_moves(
    lift: tuple[float, float], direction: str
) -> None:
    step = gold(DUAL_POINT, touch=(0.5, 0.5), lift=lift)
    labels = {
        word: verdict(step, {"action": "scroll", "direction": word})
        for word in ("up", "down", "left", "right")
    }
    assert labels == dict.fromkeys(labels, "scroll_fail") | {direction: "scroll_same"}


def test_nine_tenths_of_the_sideways_movement_are_already_vertical() -> None:
    assert scroll_direction((0.0, 0.0), (0.45, 0.5)) == "down"
    assert scroll_direction((0.45, 0.0), (0.0, 0.5)) == "up"
    assert scroll_direction((0.0, 0.0), (0.449, 0.5)) == "right"
    assert scroll_direction((0.0, 0.5), (0.449, 0.0)) == "left"
    assert scroll_direction((0.0, 0.0), (0.5, 0.5)) == "down"


# ------------------------------------------------------------------------------------------- text


@pytest.mark.parametrize(
    ("a", "b", "label"),
    [
        ("hello", "hello", "text_substring"),
        ("weather in Paris", "Paris", "text_substring"),
        ("Paris", "weather in Paris", "text_substring"),
        ("abcde", "abXde", "text_fail"),  # 8 of 10: exactly 0.8 is not above 0.8
        ("abcdef", "abXdef", "text_ratio"),  # 10 of 12
        ("abcdefghij", "aXcdeYghij", "text_fail"),  # 16 of 20
        ("abcdefghijk", "aXcdeYghijk", "text_ratio"),  # 18 of 22
        ("hello", "goodbye", "text_fail"),
        ("hello", "HELLO", "text_fail"),
        ("10:30", "10:45", "text_fail"),
    ],
)
def test_text_is_right_as_a_part_or_more_than_8_tenths_alike(a: str, b: str, label: str) -> None:
    assert match_text(a, b) == label
    assert verdict(gold(TYPE, text=a), {"action": "type", "text": b}) == label


def test_the_ratio_is_twice_the_common_letters_by_all_letters() -> None:
    assert common_ratio("abcd", "abxcd") == 8 / 9
    assert common_ratio("abc", "xyz") == 0
    assert common_ratio("天気", "天候") == 0.5


# ----------------------------------------------------------------------------------------- clicks


def test_a_predicted_box_must_share_more_than_half_with_a_gold_box() -> None:
    screen = [(100, 100, 100, 100)]  # y, x, height, width
    step = tapped(105, 105)
    # Each leaves the gold point outside of the predicted box, enlarged or not.
    assert verdict(step, click(150, 100, 200, 200), screen) == "click_fail"  # one half
    assert verdict(step, click(149, 100, 200, 200), screen) == "click_overlap"  # 51 of 100
    assert verdict(step, click(151, 100, 200, 200), screen) == "click_fail"
    assert verdict(step, click(149, 100, 210, 200), screen) == "click_fail"  # 51 of 110


def test_only_a_box_with_the_gold_point_is_a_gold_box() -> None:
    assert verdict(tapped(105, 105), click(300, 300, 400, 400), [(300, 300, 100, 100)]) == (
        "click_fail"
    )


def test_a_predicted_box_enlarged_by_a_fifth_may_hold_the_gold_point() -> None:
    assert enlarge((100.0, 200.0, 200.0, 400.0)) == (90.0, 180.0, 210.0, 420.0)
    box = click(100, 200, 200, 400)
    for x, y, label in [
        (91, 181, "click_around_gold"),
        (209, 419, "click_around_gold"),
        (89, 300, "click_fail"),
        (211, 300, "click_fail"),
        (150, 179, "click_fail"),
        (150, 421, "click_fail"),
    ]:
        assert verdict(tapped(x, y), box) == label


def test_a_gold_click_is_where_the_finger_lifted() -> None:
    step = gold(DUAL_POINT, touch=(0.25, 0.5), lift=(0.25, 0.53))  # x 500, then 530
    assert verdict(step, click(525, 480, 535, 520)) == "click_around_gold"
    assert verdict(step, click(495, 480, 505, 520)) == "click_fail"


def test_as_released_every_gold_click_is_at_the_top_left_corner() -> None:
    step = tapped(500, 500)
    assert verdict(step, click(490, 490, 510, 510), [], "released") == "click_fail"
    assert verdict(step, click(0, 0, 100, 100), [], "released") == "click_around_gold"
    assert verdict(step, click(9, 9, 109, 109), [], "released") == "click_around_gold"
    assert verdict(step, click(11, 0, 111, 100), [], "released") == "click_fail"
    with pytest.raises(ValueError, match="no gold click"):
        judge(step, click(0, 0, 9, 9), [], "touch")


def test_overlap_is_intersection_over_union() -> None:
    assert overlap((0, 0, 10, 10), (0, 0, 10, 10)) == 1
    assert overlap((0, 0, 10, 10), (5, 0, 15, 10)) == 50 / 150
    assert overlap((0, 0, 10, 10), (10, 0, 20, 10)) == 0
    assert overlap((5, 5, 5, 5), (5, 5, 5, 5)) == 0


def test_other_readings_are_for_marking_cases_only() -> None:
    screen = [(0, 0, 100, 100)]
    small = (90.0, 90.0, 92.0, 92.0)
    assert match_click((10.0, 10.0), small, screen) == "click_fail"
    assert match_click((10.0, 10.0), small, screen, same_box=True) == "click_same_box"
    far = (0.0, 0.0, 100.0, 100.0)
    assert match_click((500.0, 500.0), far, screen) == "click_fail"
    assert match_click((500.0, 500.0), far, screen, gold_boxes="any") == "click_overlap"
    assert match_click((120.0, 50.0), far, screen, gold_boxes="near") == "click_fail"
    edge = (0.0, 0.0, 60.0, 100.0)  # 60 of 100 as annotated, 6000 of 14400 enlarged
    assert match_click((95.0, 50.0), edge, screen) == "click_overlap"
    assert match_click((95.0, 50.0), edge, screen, gold_boxes="enlarged") == "click_fail"
    assert match_click((110.0, 50.0), (0.0, 0.0, 100.0, 100.0), [], edges=False) == "click_fail"


# ------------------------------------------------------------------------------------------ totals


def rows(name: str, marks: str, length: int | None = None) -> list[dict[str, Any]]:
    return [
        {"episode": name, "step": i, "episode_length": length or len(marks), "correct": m == "+"}
        for i, m in enumerate(marks)
    ]


def test_progress_stops_at_the_first_wrong_step() -> None:
    assert goal_progress(rows("1", "-+++")) == 0  # its partial match would be 3 of 4
    steps = [*rows("1", "++-+"), *rows("2", "+"), *rows("3", "--")]
    assert goal_progress(steps) == Fraction(1, 2)
    assert success_rate(steps) == Fraction(1, 3)
    assert exact_match(steps) == Fraction(4, 7)
    assert goal_progress(steps[::-1]) == Fraction(1, 2)


def test_a_missing_step_stops_progress_and_success() -> None:
    whole = rows("1", "++++")
    assert goal_progress(whole[:1] + whole[2:]) == Fraction(1, 4)
    assert goal_progress(whole[:3]) == Fraction(3, 4)
    assert success_rate(whole[:3]) == 0
    assert exact_match(whole[:3]) == 1


@pytest.mark.parametrize("total", [exact_match, success_rate, goal_progress])
def test_no_steps_have_no_score(total: Any) -> None:
    with pytest.raises(ZeroDivisionError):
        total([])


# ------------------------------------------------------------------------------------------- cases


def test_the_cases_are_the_same_for_a_seed_and_reach_every_label_and_every_kind() -> None:
    drawn = list(cases(7, 1000))
    assert repr(drawn[:400]) == repr(list(cases(7, 400)))
    firm = [case for case in drawn if case["kind"] not in SILENT]
    assert sum(case["threshold"] for case in firm) > len(drawn) / 5
    assert set(SILENT) <= {case["kind"] for case in drawn}
    labels = Counter(
        verdict(case["gold"], case["prediction"], case["boxes"], case["gold_click"])
        for case in drawn
    )
    assert set(labels) == set(LABELS)


def test_firm_threshold_cases_of_scroll_ratio_and_corner_fall_on_both_sides() -> None:
    sides: dict[str, set[str]] = {}
    for case in cases(8, 800):
        label = verdict(case["gold"], case["prediction"], case["boxes"], case["gold_click"])
        if case["threshold"]:
            sides.setdefault(case["kind"], set()).add(label)
    assert {"scroll_same", "scroll_fail"} <= sides["scroll_near_tie"]
    assert sides["ratio_near"] == {"text_ratio", "text_fail"}
    assert {"click_around_gold", "click_fail"} <= sides["origin_edge"] & sides["predicted_edge"]


def test_totals_cases_hold_what_they_promise() -> None:
    drawn = list(totals_cases(3, 60))
    assert {case["kind"] for case in drawn} == {"whole", *SILENT_TOTALS}
    for case in drawn:
        assert success_rate(case["steps"]) <= goal_progress(case["steps"]) <= 1
