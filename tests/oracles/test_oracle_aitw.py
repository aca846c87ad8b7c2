"""The Android in the Wild oracle against sums done by hand."""

import math
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.oracles.aitw import (
    CODES,
    CORRECT_LABELS,
    DUAL_POINT,
    LABELS,
    PRESS_BACK,
    PRESS_ENTER,
    PRESS_HOME,
    STATUS_TASK_COMPLETE,
    STATUS_TASK_IMPOSSIBLE,
    TYPE,
    UNUSED_CODES,
    F,
    NoBoxes,
    average_score,
    complete_match,
    enlarge,
    is_readable,
    judge,
    judge_like_auto_gui,
    partial_match,
    pooled_match,
    text_accuracy,
)
from tests.oracles.aitw_cases import SILENT, SILENT_TOTALS, cases, runs, totals_cases

AWAY = [(5.0, 5.0, 0.1, 0.1)]  # a box that decides nothing


def tap(y: float, x: float) -> dict[str, Any]:
    return {"type": DUAL_POINT, "touch": (y, x), "lift": (y, x)}


def drag(touch: tuple[float, float], lift: tuple[float, float]) -> dict[str, Any]:
    return {"type": DUAL_POINT, "touch": touch, "lift": lift}


def verdict(gold: dict[str, Any], prediction: Any, boxes: Any = AWAY) -> str:
    correct, label = judge(gold, prediction, boxes)
    assert correct == (label in CORRECT_LABELS)
    return label


# ----------------------------------------------------------------------------------------- types


@pytest.mark.parametrize("code", [code for code in CODES if code != DUAL_POINT])
def test_equal_types_that_are_no_gesture_match_whatever_else_they_hold(code: int) -> None:
    gold = {"type": code, "touch": (-1.0, -1.0), "lift": (-1.0, -1.0), "text": "hello"}
    prediction = {"type": code, "touch": (0.1, 0.9), "lift": (0.9, 0.1), "text": "goodbye"}
    assert verdict(gold, prediction) == "type_same"
    assert verdict(gold, {"type": code}) == "type_same"


@pytest.mark.parametrize("code", [*CODES, *UNUSED_CODES])
def test_no_two_types_are_merged(code: int) -> None:
    others = [other for other in CODES if other != code]
    labels = {verdict({"type": other, **_anywhere()}, {"type": code, **_anywhere()})
              for other in others}  # fmt: skip
    assert labels == {"type_differs"}
    assert {STATUS_TASK_COMPLETE, STATUS_TASK_IMPOSSIBLE, PRESS_ENTER} <= set(CODES)


def _anywhere() -> dict[str, Any]:
    return {"touch": (0.5, 0.5), "lift": (0.5, 0.5)}


# --------------------------------------------------------------------------------- tap or swipe


def test_of_the_97_vertical_drags_of_4_hundredths_float32_calls_48_swipes() -> None:
    labels = [
        verdict(drag((i / 100, 0.5), ((i + 4) / 100, 0.5)), drag((0.1, 0.5), (0.9, 0.5)))
        for i in range(97)
    ]
    assert Counter(labels) == {"axis_same": 48, "tap_and_swipe": 49}


def test_of_the_87_taps_14_hundredths_apart_float32_calls_25_too_far() -> None:
    labels = [verdict(tap(i / 100, 0.5), tap((i + 14) / 100, 0.5)) for i in range(87)]
    assert Counter(labels) == {"tap_far": 25, "tap_near": 62}


def test_the_float32_nearest_to_4_hundredths_is_still_a_tap_and_the_next_is_not() -> None:
    edge = F(0.04)
    beyond = float(np.nextafter(edge, F(1)))
    assert verdict(drag((0, 0), (float(edge), 0)), tap(0, 0)) == "tap_near"
    assert verdict(drag((0, 0), (beyond, 0)), tap(0, 0)) == "tap_and_swipe"


def test_a_drag_is_measured_on_both_axes_together() -> None:
    # 0.024 and 0.032 are the sides of 0.04; 0.03 and 0.03 give 0.0424.
    assert verdict(drag((0.5, 0.5), (0.523, 0.531)), tap(0.5, 0.5)) == "tap_near"
    assert verdict(drag((0.5, 0.5), (0.53, 0.53)), tap(0.5, 0.5)) == "tap_and_swipe"


def test_a_tap_and_a_swipe_never_match_even_from_the_same_point() -> None:
    assert verdict(drag((0.5, 0.5), (0.6, 0.5)), tap(0.5, 0.5)) == "tap_and_swipe"


# ---------------------------------------------------------------------------------------- swipes


@pytest.mark.parametrize(
    ("lift", "label"),
    [
        ((0.1, 0.5), "axis_same"),
        ((0.9, 0.5), "axis_same"),
        ((0.56, 0.5), "axis_same"),
        ((0.9, 0.8), "axis_same"),
        ((0.5, 0.9), "axis_differs"),
        ((0.6, 0.1), "axis_differs"),
        ((0.75, 0.25), "axis_same"),
        ((0.75, 0.75), "axis_same"),
    ],
)
def test_swipes_match_by_their_main_axis_and_a_tie_is_vertical(
    lift: tuple[float, float], label: str
) -> None:
    assert verdict(drag((0.9, 0.1), (0.2, 0.1)), drag((0.5, 0.5), lift)) == label


def test_one_float32_more_sideways_makes_a_tie_horizontal() -> None:
    wider = float(np.nextafter(F(0.75), F(1)))
    up = drag((0.9, 0.1), (0.2, 0.1))
    assert verdict(up, drag((0.5, 0.5), (0.75, 0.75))) == "axis_same"
    assert verdict(up, drag((0.5, 0.5), (0.75, wider))) == "axis_differs"


# ------------------------------------------------------------------------------------------ boxes


def test_a_box_becomes_2_4_times_as_large_around_its_middle() -> None:
    assert [float(v) for v in enlarge((0.5, 0.4, 0.1, 0.2))] == pytest.approx(
        [0.43, 0.26, 0.24, 0.48], abs=1e-7
    )


def test_a_box_at_the_corner_keeps_its_size_and_slides_down_and_right() -> None:
    assert [float(v) for v in enlarge((0.0, 0.05, 0.1, 0.1))] == pytest.approx(
        [0.0, 0.0, 0.24, 0.24], abs=1e-7
    )
    corner = [(0.0, 0.0, 0.1, 0.1)]
    assert verdict(tap(0.01, 0.01), tap(0.2, 0.2), corner) == "tap_in_box"  # 0.27 apart
    assert verdict(tap(0.01, 0.01), tap(0.25, 0.2), corner) == "tap_far"


def test_size_stops_at_1_but_bottom_and_right_do_not() -> None:
    assert [float(v) for v in enlarge((0.5, 0.5, 0.5, 0.9))] == pytest.approx(
        [0.15, 0.0, 1.0, 1.0], abs=1e-7
    )
    assert verdict(tap(1.1, 0.5), tap(0.5, 0.5), [(0.5, 0.4, 0.5, 0.2)]) == "tap_in_box"


def test_all_four_edges_belong_to_the_box() -> None:
    # Enlarged exactly: these numbers are sums of powers of two but for the 0.7 and the 1.4.
    box = (0.5, 0.5, 0.25, 0.25)
    y, x, height, width = enlarge(box)
    bottom, right = float(y + height), float(x + width)
    top, left = float(y), float(x)
    for first, second in [((top, left), (bottom, right)), ((top, right), (bottom, left))]:
        assert verdict(tap(*first), tap(*second), [box]) == "tap_in_box"
    below = float(np.nextafter(F(bottom), F(2)))
    above = float(np.nextafter(F(top), F(0)))
    assert verdict(tap(top, left), tap(below, right), [box]) == "tap_far"
    assert verdict(tap(above, left), tap(bottom, right), [box]) == "tap_far"


def test_a_box_without_size_holds_its_own_point_alone() -> None:
    assert verdict(tap(0.5, 0.5), tap(0.5, 0.5), [(0.5, 0.5, 0, 0)]) == "tap_in_box"
    assert verdict(tap(0.5, 0.5), tap(0.5, 0.51), [(0.5, 0.5, 0, 0)]) == "tap_near"


def test_one_box_must_hold_both_points() -> None:
    boxes = [(0.2, 0.2, 0.02, 0.02), (0.8, 0.8, 0.02, 0.02)]
    assert verdict(tap(0.21, 0.21), tap(0.81, 0.81), boxes) == "tap_far"
    boxes = [(0.2, 0.2, 0.02, 0.02), (0.2, 0.3, 0.02, 0.02)]
    assert verdict(tap(0.21, 0.21), tap(0.21, 0.31), boxes) == "tap_near"


def test_only_the_touch_of_a_tap_counts() -> None:
    gold = drag((0.5, 0.5), (0.5, 0.53))
    assert verdict(gold, drag((0.5, 0.65), (0.5, 0.62))) == "tap_far"
    assert verdict(gold, drag((0.5, 0.63), (0.5, 0.66))) == "tap_near"


def test_placeholders_of_two_gestures_match_each_other() -> None:
    assert verdict(tap(-1, -1), tap(-1, -1)) == "tap_near"


# ---------------------------------------------------------------------- odd input and no boxes


def test_a_screen_without_boxes_raises_even_for_home_and_home() -> None:
    home = {"type": PRESS_HOME}
    for gold, prediction in [(home, home), (home, {"type": PRESS_BACK}), (tap(0, 0), tap(0, 0))]:
        with pytest.raises(NoBoxes):
            judge(gold, prediction, [])


def test_told_not_to_raise_a_screen_without_boxes_leaves_the_rest_of_the_rule() -> None:
    def lenient(gold: dict[str, Any], prediction: dict[str, Any]) -> tuple[bool, str]:
        return judge(gold, prediction, [], raise_without_boxes=False)

    assert lenient({"type": PRESS_HOME}, {"type": PRESS_HOME}) == (True, "type_same")
    assert lenient(tap(0.5, 0.5), tap(0.5, 0.6)) == (True, "tap_near")
    assert lenient(tap(0.5, 0.5), tap(0.5, 0.7)) == (False, "tap_far")


def test_a_drag_with_a_nan_is_no_tap_and_matches_nothing() -> None:
    broken = drag((math.nan, 0.5), (0.5, 0.5))
    assert verdict(tap(0.5, 0.5), broken) == "tap_and_swipe"
    assert verdict(broken, broken) == "axis_differs"


@pytest.mark.parametrize("prediction", [None, {}, {"type": DUAL_POINT}, {"type": "6"}])
def test_what_is_no_action_is_wrong(prediction: Any) -> None:
    assert not is_readable(prediction)
    assert verdict({"type": PRESS_HOME}, prediction) == "unreadable"
    assert verdict(tap(0.5, 0.5), prediction) == "unreadable"


# ----------------------------------------------------------------------------------------- Auto-GUI


def test_auto_gui_scores_an_unreadable_answer_with_the_answer_before_it() -> None:
    home, back = {"type": PRESS_HOME}, {"type": PRESS_BACK}
    answers = [None, home, None, back, None, None, home]
    golds = [home, home, home, home, back, back, back]
    steps = [
        {"gold": g, "prediction": p, "boxes": AWAY} for g, p in zip(golds, answers, strict=True)
    ]
    verdicts = judge_like_auto_gui(steps)
    assert [v["correct"] for v in verdicts] == [False, True, True, False, True, True, False]
    assert verdicts[0]["label"] == "unreadable"


def test_auto_gui_counts_a_screen_without_boxes_wrong_and_goes_on() -> None:
    home = {"type": PRESS_HOME}
    steps = [
        {"gold": home, "prediction": home, "boxes": []},
        {"gold": home, "prediction": None, "boxes": AWAY},
    ]
    labels = [(v["correct"], v["label"]) for v in judge_like_auto_gui(steps)]
    assert labels == [(False, "no_boxes"), (True, "type_same")]


def test_auto_gui_keeps_the_text_apart_from_the_match() -> None:
    def typed(text: str) -> dict[str, Any]:
        return {"type": TYPE, "text": text}

    home = {"type": PRESS_HOME}
    pairs: list[tuple[Any, Any]] = [
        (typed("a"), typed("a ")),
        (typed("a"), typed("b")),
        (typed("a"), None),  # scored with "b"
        (typed("a"), home),
        (home, typed("a")),
    ]
    verdicts = judge_like_auto_gui([{"gold": g, "prediction": p, "boxes": AWAY} for g, p in pairs])
    assert [v["correct"] for v in verdicts] == [True, True, True, False, False]
    assert text_accuracy(verdicts) == Fraction(1, 3)
    assert text_accuracy(verdicts[3:]) is None


# ------------------------------------------------------------------------------------------ totals


def episode(dataset: str, name: str, marks: str, length: int | None = None) -> list[dict[str, Any]]:
    return [
        {
            "dataset": dataset,
            "episode": name,
            "episode_length": length or len(marks),
            "correct": mark == "+",
        }
        for mark in marks
    ]


def test_partial_match_is_a_mean_of_episodes_then_of_data_sets() -> None:
    steps = [
        *episode("GENERAL", "1", "-+++"),  # 3/4
        *episode("GENERAL", "2", "+"),  # 1
        *episode("SINGLE", "1", "--"),  # 0, and the id of another data set's episode
    ]
    assert partial_match(steps) == {
        "datasets": {"GENERAL": Fraction(7, 8), "SINGLE": Fraction(0)},
        "overall": Fraction(7, 16),
    }
    assert pooled_match(steps) == {
        "datasets": {"GENERAL": Fraction(4, 5), "SINGLE": Fraction(0)},
        "overall": Fraction(2, 5),
    }


def test_average_score_weighs_data_sets_alike_and_complete_match_episodes() -> None:
    steps = [
        *episode("INSTALL", "1", "++"),
        *episode("INSTALL", "2", "+-"),
        *episode("INSTALL", "3", "+"),
        *episode("INSTALL", "4", "-"),
        *episode("SINGLE", "1", "+++"),
    ]
    assert average_score(steps) == {
        "datasets": {"INSTALL": Fraction(1, 2), "SINGLE": Fraction(1)},
        "overall": Fraction(3, 4),
    }
    assert complete_match(steps) == Fraction(3, 5)


def test_a_missing_step_is_wrong() -> None:
    steps = episode("SINGLE", "1", "+++", length=4)
    assert partial_match(steps)["overall"] == Fraction(3, 4)
    assert complete_match(steps) == 0
    assert pooled_match(steps)["overall"] == 1


@pytest.mark.parametrize("total", [partial_match, average_score, complete_match, pooled_match])
def test_no_steps_have_no_score(total: Any) -> None:
    with pytest.raises(ZeroDivisionError):
        total([])


# ------------------------------------------------------------------------------------------- cases


def test_the_cases_are_the_same_for_a_seed_and_reach_every_label_and_every_kind() -> None:
    drawn = list(cases(7, 1500))
    assert repr(drawn) == repr(list(cases(7, 1500)))
    assert sum(case["threshold"] for case in drawn) == 600
    labels = Counter()
    for case in drawn:
        try:
            labels[verdict(case["gold"], case["prediction"], case["boxes"])] += 1
        except NoBoxes:
            labels["no_boxes"] += 1
    assert set(labels) == set(LABELS)
    assert set(SILENT) <= {case["kind"] for case in drawn}


def test_threshold_cases_fall_on_both_sides() -> None:
    sides: dict[str, set[bool]] = {}
    for case in cases(8, 1500):
        if case["threshold"] and case["kind"] != "last_bit":
            correct, _ = judge(case["gold"], case["prediction"], case["boxes"])
            sides.setdefault(case["kind"], set()).add(correct)
    one_sided = {kind for kind, seen in sides.items() if len(seen) == 1}
    assert one_sided == {"zero_box"}  # a tap beside the point is near it


def test_no_verdict_depends_on_which_action_is_the_gold_one() -> None:
    for case in cases(9, 1500):
        gold, prediction, boxes = case["gold"], case["prediction"], case["boxes"]
        if is_readable(prediction) and boxes:
            assert judge(gold, prediction, boxes) == judge(prediction, gold, boxes)


def test_runs_and_totals_cases_hold_what_they_promise() -> None:
    labels = Counter(row["label"] for steps in runs(3, 60) for row in judge_like_auto_gui(steps))
    assert {"unreadable", "no_boxes", "type_same", "tap_far"} <= set(labels)
    drawn = list(totals_cases(3, 60))
    assert {case["kind"] for case in drawn} == {"whole", *SILENT_TOTALS}
    for case in drawn:
        if case["kind"] == "whole":
            partial, complete = partial_match(case["steps"]), average_score(case["steps"])
            assert complete["overall"] <= partial["overall"] <= 1
