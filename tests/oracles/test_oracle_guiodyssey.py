"""The GUIOdyssey oracle against sums done by hand."""

import itertools
import math
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from tests.oracles.guiodyssey import (
    LABELS,
    aggregate,
    decode_action,
    evaluate,
    fused_norm,
    in_text_rate,
    judge,
    levenshtein,
    plain_norm,
    type_rate_correct,
)
from tests.oracles.guiodyssey_cases import SILENT, cases, is_on_threshold

CATEGORIES = [
    "Multi_Apps",
    "Web_Shopping",
    "General_Tool",
    "Information_Management",
    "Media_Entertainment",
    "Social_Sharing",
]


def verdict(gold: str, prediction: str, box: Any = None, version: int = 2) -> str:
    correct, label = judge(gold, prediction, box, version)
    assert correct == label.endswith("_correct")
    return label


# --------------------------------------------------------------------------------- gold answers


@pytest.mark.parametrize("action", ["CLICK", "LONG_PRESS"])
def test_a_key_becomes_a_press_whichever_way_it_was_touched(action: str) -> None:
    keys = ["KEY_HOME", "KEY_BACK", "KEY_APPSELECT"]
    pressed = [decode_action(action, key) for key in keys]
    assert pressed == ["PRESS_HOME", "PRESS_BACK", "PRESS_RECENT"]


def test_a_point_is_the_first_of_the_two() -> None:
    assert decode_action("CLICK", [[374, 621], [1, 2]]) == "CLICK: (374, 621)"
    assert decode_action("LONG_PRESS", [[0, 1000], [0, 1000]]) == "LONG_PRESS: (0, 1000)"


@pytest.mark.parametrize(
    ("end", "direction"),
    [
        ((400, 500), "LEFT"),
        ((600, 500), "RIGHT"),
        ((500, 400), "UP"),
        ((500, 600), "DOWN"),
        ((400, 401), "LEFT"),
        ((401, 400), "UP"),
        ((400, 400), "UP"),
        ((600, 400), "UP"),
        ((400, 600), "DOWN"),
        ((600, 600), "DOWN"),
        ((500, 500), "DOWN"),
    ],
)
def test_a_scroll_is_sideways_only_when_it_moved_strictly_more_sideways(
    end: tuple[int, int], direction: str
) -> None:
    assert decode_action("SCROLL", [[500, 500], list(end)]) == f"SCROLL: {direction}"


def test_text_and_the_two_endings_have_other_names_in_the_answer() -> None:
    assert decode_action("TEXT", "10:30 am") == "TYPE: 10:30 am"
    assert decode_action("TEXT", "") == "TYPE: "
    assert decode_action("COMPLETE", "") == "COMPLETE"
    assert decode_action("INCOMPLETE", "ignored") == "IMPOSSIBLE"


@pytest.mark.parametrize("action", ["TYPE", "click", "HOME", "IMPOSSIBLE", "ENTER", ""])
def test_an_action_outside_the_six_stops_the_conversion(action: str) -> None:
    with pytest.raises(ValueError, match="unknown action"):
        decode_action(action, "")


# ----------------------------------------------------------------------------------------- types


@pytest.mark.parametrize(
    ("gold", "prediction", "label"),
    [
        ("COMPLETE", "COMPLETE", "action_correct"),
        ("COMPLETE", "  COMPLETE\n", "action_correct"),
        ("PRESS_HOME", "PRESS_HOME: twice", "action_correct"),
        ("COMPLETE", "complete", "action_fail"),
        ("COMPLETE", "COMPLETE.", "action_fail"),
        ("IMPOSSIBLE", "INCOMPLETE", "action_fail"),
        ("PRESS_HOME", "PRESS_BACK", "action_fail"),
        ("CLICK: (5, 5)", "LONG_PRESS: (5, 5)", "action_fail"),
        ("CLICK: (5, 5)", "click: (5, 5)", "action_fail"),
        ("CLICK: (5, 5)", "CLICK : (5, 5)", "click_correct"),
        ("TYPE: a", "TEXT: a", "action_fail"),
        ("COMPLETE", "ENTER", "action_fail"),
        ("COMPLETE", "", "action_fail"),
    ],
)
def test_types_are_equal_letter_by_letter_after_stripping(
    gold: str, prediction: str, label: str
) -> None:
    assert verdict(gold, prediction) == label


def test_an_empty_box_is_harmless_for_a_key_press() -> None:
    assert verdict("PRESS_HOME", "PRESS_HOME", []) == "action_correct"


def test_an_unreadable_point_is_invalid_before_types_are_compared() -> None:
    assert verdict("SCROLL: UP", "CLICK: here") == "invalid"
    assert verdict("SCROLL: UP", "CLICK") == "invalid"
    assert verdict("SCROLL: UP", "CLICK: 5") == "action_fail"
    assert verdict("CLICK: (5, 5)", "CLICK: 5, 5, 5") == "invalid"


# ------------------------------------------------------------------------------------------ text


@pytest.mark.parametrize("prediction", ["TYPE", "TYPE:", "TYPE:  \n", "TYPE: : anything"])
def test_type_without_text_is_right_for_every_type_step(prediction: str) -> None:
    assert verdict("TYPE: weather in Paris", prediction) == "type_correct"


def test_an_empty_gold_text_accepts_any_text() -> None:
    assert verdict("TYPE: ", "TYPE: anything at all") == "type_correct"


def test_text_ends_at_the_second_colon_on_both_sides() -> None:
    assert verdict("TYPE: 10:30 am", "TYPE: 10:45 pm") == "type_correct"
    assert verdict("TYPE: https://a.org", "TYPE: https://z.com") == "type_correct"
    assert verdict("TYPE: 12:30", "TYPE: 98:30") == "type_fail"
    assert verdict("TYPE: 10：30", "TYPE: 98：76") == "type_fail"


@pytest.mark.parametrize(
    ("gold", "text", "label"),
    [
        ("weather in Paris", "Paris", "type_correct"),
        ("a", "a very long sentence", "type_correct"),
        ("abcd", "abxy", "type_correct"),  # 2 of 4 changed: exactly 0.5
        ("abcd", "axyz", "type_fail"),  # 3 of 4 changed: 0.25
        ("abcdefg", "abcdxyz", "type_correct"),  # 3 of 7: 0.571
        ("abcdefg", "abcwxyz", "type_fail"),  # 4 of 7: 0.429
        ("abc", "axbycz", "type_correct"),  # 3 inserted, the longer has 6: exactly 0.5
        ("abc", "axbyczz", "type_fail"),  # 4 inserted, the longer has 7: 0.429
        ("kitten", "sitting", "type_correct"),  # 3 of 7
        ("restaurant", "hotel", "type_fail"),
        ("ABC", "abc", "type_fail"),  # letter case counts
        ("Abc", "abC", "type_fail"),  # 2 of 3 changed
        ("Abcd", "abcd", "type_correct"),  # 1 of 4
        ("é", "e\u0301", "type_fail"),  # no normalisation: 2 edits of 2 code points
        ("e", "e\u0301", "type_correct"),  # a substring by code points
        ("😀😀", "😀🚀", "type_correct"),  # 1 of 2 code points
    ],
)
def test_text_is_right_inside_the_other_or_from_half_alike(
    gold: str, text: str, label: str
) -> None:
    assert verdict(f"TYPE: {gold}", f"TYPE:{text} ") == label


@pytest.mark.parametrize(
    ("a", "b", "distance"),
    [("", "", 0), ("abc", "", 3), ("kitten", "sitting", 3), ("flaw", "lawn", 2), ("ab", "ba", 2)],
)
def test_levenshtein_counts_the_fewest_edits(a: str, b: str, distance: int) -> None:
    assert (levenshtein(a, b), levenshtein(b, a)) == (distance, distance)


# ---------------------------------------------------------------------------------------- scroll


@pytest.mark.parametrize(
    ("argument", "label"),
    [
        ("UP", "scroll_correct"),
        (" up ", "scroll_correct"),
        ("Up: quickly", "scroll_correct"),
        ("DOWN", "scroll_fail"),
        ("", "scroll_fail"),
        ("(500, 800), (500, 200)", "scroll_fail"),
        ("UP UP", "scroll_fail"),
    ],
)
def test_scroll_compares_the_word_and_converts_no_points(argument: str, label: str) -> None:
    assert verdict("SCROLL: UP", f"SCROLL: {argument}") == label


# ---------------------------------------------------------------------------------------- points


def test_17_of_861_pairs_exactly_140_apart_fail_by_rounding() -> None:
    failing = [
        x
        for x in range(861)
        if verdict(f"CLICK: ({x}, 7)", f"CLICK: ({x + 140}, 7)") == "click_fail"
    ]
    assert failing == [141, *range(407, 423)]


@pytest.mark.parametrize("swap", [False, True])
def test_the_same_17_fail_in_both_directions_and_on_both_axes(swap: bool) -> None:
    def point(along: int) -> str:
        return f"CLICK: (7, {along})" if swap else f"CLICK: ({along}, 7)"

    failing = [x for x in range(861) if verdict(point(x + 140), point(x)) == "click_fail"]
    assert failing == [141, *range(407, 423)]


@pytest.mark.parametrize(
    ("x", "y", "label"),
    [
        (640, 500, "click_correct"),
        (641, 500, "click_fail"),
        (640, 501, "click_fail"),
        (584, 612, "click_correct"),
        (585, 612, "click_fail"),
        (584, 613, "click_fail"),
        (388, 416, "click_correct"),
        (500, 360, "click_correct"),
        (500, 359, "click_fail"),
    ],
)
def test_a_point_140_away_is_right_and_one_more_is_wrong(x: int, y: int, label: str) -> None:
    assert verdict("CLICK: (500, 500)", f"CLICK: ({x}, {y})") == label
    assert verdict("LONG_PRESS: (500, 500)", f"LONG_PRESS: ({x}, {y})") == label


def test_numbers_off_the_screen_are_measured_like_others() -> None:
    assert verdict("CLICK: (1000, 0)", "CLICK: (1100, -90)") == "click_correct"
    assert verdict("CLICK: (1000, 0)", "CLICK: (1100, -100)") == "click_fail"
    assert verdict("CLICK: (500, 500)", "CLICK: (1e999, 500)") == "click_fail"
    assert verdict("CLICK: (500, 500)", "CLICK: (1e999 - 1e999, 500)") == "click_fail"
    assert verdict("CLICK: (500, 500)", f"CLICK: ({10**30}, 500)") == "click_fail"
    assert verdict("CLICK: (500, 500)", f"CLICK: ({10**400}, 500)") == "invalid"


def test_no_integer_verdict_depends_on_how_the_square_root_was_taken() -> None:
    """Only (140, 0) and (84, 112) lie on the circle; all their float differences are tried."""

    def differences(size: int) -> list[float]:
        return sorted({(x + size) / 1000 - x / 1000 for x in range(1001 - size)})

    pairs = [
        *itertools.product(differences(84), differences(112)),
        *itertools.product(differences(112), differences(84)),
        *[(dx, 0.0) for dx in differences(140)],
    ]
    official = [bool(np.linalg.norm(np.array(pair)) <= 0.14) for pair in pairs]
    assert [plain_norm(*pair) <= 0.14 for pair in pairs] == official
    assert [fused_norm(*pair) <= 0.14 for pair in pairs] == official


def test_the_only_whole_numbers_on_the_circle_are_those_two() -> None:
    on_circle = {
        (dx, dy) for dx in range(141) for dy in range(dx, 141) if dx * dx + dy * dy == 140 * 140
    }
    assert on_circle == {(0, 140), (84, 112)}


def test_numpy_gives_one_of_the_lengths_to_the_bit() -> None:
    rng = random.Random(5)
    pairs = [(rng.uniform(-1, 1), rng.uniform(-1, 1)) for _ in range(500)]
    lengths = [{plain_norm(x, y), fused_norm(x, y), fused_norm(y, x)} for x, y in pairs]
    official = [float(np.linalg.norm(np.array(pair))) for pair in pairs]
    odd = [pair for pair, o, known in zip(pairs, official, lengths, strict=True) if o not in known]
    assert odd == []
    assert any(len(known) > 1 for known in lengths)


# ----------------------------------------------------------------------------------------- boxes


@pytest.mark.parametrize(
    ("x", "y", "label"),
    [
        (10, 20, "click_correct"),
        (30, 40, "click_correct"),
        (10, 40, "click_correct"),
        (30, 20, "click_correct"),
        (20, 30, "click_correct"),
        (9, 30, "click_fail"),
        (31, 30, "click_fail"),
        (20, 19, "click_fail"),
        (20, 41, "click_fail"),
        (math.nextafter(30, 31), 30, "click_fail"),
        (math.nextafter(10, 11), 20, "click_correct"),
    ],
)
def test_every_edge_of_the_box_is_inside_however_far_the_gold_point(
    x: float, y: float, label: str
) -> None:
    assert verdict("CLICK: (900, 900)", f"CLICK: ({x}, {y})", [10, 20, 30, 40]) == label
    assert verdict("LONG_PRESS: (900, 900)", f"LONG_PRESS: ({x}, {y})", [10, 20, 30, 40]) == label


def test_a_missed_box_leaves_the_distance_rule() -> None:
    assert verdict("CLICK: (500, 500)", "CLICK: (510, 500)", [0, 0, 10, 10]) == "click_correct"


def test_an_inverted_box_holds_nothing_and_a_single_pixel_holds_itself() -> None:
    assert verdict("CLICK: (900, 900)", "CLICK: (20, 30)", [30, 40, 10, 20]) == "click_fail"
    assert verdict("CLICK: (900, 900)", "CLICK: (20, 30)", [20, 30, 20, 30]) == "click_correct"


def test_an_empty_box_makes_an_exact_click_wrong() -> None:
    assert judge("CLICK: (500, 500)", "CLICK: (500, 500)", [], 2) == (False, "invalid")
    assert judge("LONG_PRESS: (5, 5)", "LONG_PRESS: (5, 5)", [], 2) == (False, "invalid")
    assert judge("CLICK: (500, 500)", "SCROLL: UP", [], 2) == (False, "action_fail")


def test_no_box_means_the_distance_alone() -> None:
    assert verdict("CLICK: (500, 500)", "CLICK: (500, 500)", None) == "click_correct"


def test_version_1_knows_no_box() -> None:
    assert verdict("CLICK: (900, 900)", "CLICK: (20, 30)", [10, 20, 30, 40], 1) == "click_fail"
    assert verdict("CLICK: (500, 500)", "CLICK: (500, 500)", [], 1) == "click_correct"


def test_another_version_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no version 3"):
        judge("COMPLETE", "COMPLETE", None, 3)


# ------------------------------------------------------------------------------- written points


@pytest.mark.parametrize(
    "argument",
    [
        "(500, 400)",
        "500, 400",
        "500,400,",
        "[500, 400]",
        "(((500, 400)))",
        "(250 * 2, 800 / 2)",
        "(1000 // 2, 2400 % 1000)",
        "(+500, --400)",
        "(5 * 10 ** 2, 4e2)",
        "(0x1F4, 4_00.0)",
        "(500,\n400)",
        "(500, 400)  # the button",
        "(500, 400): sure",
    ],
)
def test_every_python_spelling_of_a_pair_is_that_pair(argument: str) -> None:
    box = [500, 400, 500, 400]
    assert verdict("CLICK: (0, 0)", f"CLICK: {argument}", box) == "click_correct"


@pytest.mark.parametrize(
    "argument",
    [
        "",
        "()",
        "500",
        "500 400",
        "(500; 400)",
        "(500, 400",
        "500, 400)",
        "500,\n400",
        "(500, 400, 300)",
        "('500', '400')",
        "(500, None)",
        "((500,), 400)",
        "(nan, 400)",
        "(inf, 400)",
        "(0500, 0400)",
        "５００, ４００",
        "(500/0, 400)",
        "(9 ** 9 ** 9, 400)",
        "(2.0 ** 99999, 400)",
        "((-8) ** 0.5, 400)",
        "__import__('os').getcwd()",
        "(500, 400)\x00",
        "(500, \udc00)",
        '{"x": 500, "y": 400}',
        "(" * 5000 + "500, 400" + ")" * 5000,
        "-" * 100_000 + "500, 400",
        "1+" * 50_000 + "1, 400",
        "9" * 100_000 + ", 400",
    ],
)
def test_what_is_not_a_pair_of_numbers_is_invalid(argument: str) -> None:
    assert verdict("CLICK: (500, 400)", f"CLICK: {argument}", None) == "invalid"
    assert verdict("CLICK: (500, 400)", f"CLICK: {argument}", [0, 0, 1000, 1000]) == "invalid"


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("-7 // 2, -7 % 3", (-4, 2)),
        ("2 ** -1, 2 ** 10", (0.5, 1024)),
        ("[1, (2, 'a')]", [1, (2, "a")]),
        ("7 - 2 - 1, 2 + 3 * 4", (4, 14)),
        ("1 ** 99999999999, True + 1", (1, 2)),
    ],
)
def test_arithmetic_is_pythons(source: str, value: object) -> None:
    assert evaluate(source) == value


# ---------------------------------------------------------------------------------------- totals


def step(
    episode: str,
    number: int,
    length: int,
    label: str,
    *,
    category: str = "General_Tool",
    type_step: bool = False,
) -> dict[str, Any]:
    return {
        "episode": episode,
        "step": number,
        "category": category,
        "step_length": length,
        "correct": label.endswith("_correct"),
        "label": label,
        "type_step": type_step,
    }


TYPED = [
    step("typed", 0, 2, "type_correct", type_step=True),
    step("typed", 1, 2, "type_fail", type_step=True),
]


def test_invalid_counts_as_a_right_type_and_only_action_fail_does_not() -> None:
    assert {label for label in LABELS if not type_rate_correct(label)} == {"action_fail"}


def test_the_text_rate_is_over_type_steps_answered_with_a_type() -> None:
    counted = {(kind, label) for kind in (True, False) for label in LABELS}
    counted = {pair for pair in counted if in_text_rate(*pair)}
    assert counted == {(True, "type_correct"), (True, "type_fail")}


def test_per_step_totals_are_right_steps_of_all_steps() -> None:
    steps = [
        *TYPED,
        step("a", 0, 3, "click_correct"),
        step("a", 1, 3, "scroll_correct"),
        step("a", 2, 3, "action_correct"),
        step("b", 0, 2, "invalid"),
        step("b", 1, 2, "action_fail", type_step=True),
    ]
    assert aggregate(steps, "per_step") == {
        "AMS": 57.14,  # 4 of 7
        "SR": 33.33,  # a, of a, b and typed
        "total": 7,
        "action_type": "6 / 7 = 85.71%",
        "action_type_correct": 6,
        "action_type_total": 7,
        "text": "1 / 2 = 50.00%",
        "text_correct": 1,
        "text_total": 2,
    }


def test_an_episode_with_a_missing_or_doubled_step_leaves_sr_but_not_ams() -> None:
    steps = [
        step("whole", 0, 1, "type_correct", type_step=True),
        step("short", 0, 2, "click_fail"),
        step("doubled", 0, 1, "click_correct"),
        step("doubled", 0, 1, "click_fail"),
    ]
    totals = aggregate(steps, "per_step")
    assert (totals["AMS"], totals["SR"]) == (50.0, 100.0)


def test_sr_is_zero_without_a_whole_episode() -> None:
    steps = [step("short", 0, 9, "type_correct", type_step=True)]
    assert aggregate(steps, "per_step")["SR"] == 0.0


def test_categories_are_rounded_before_they_are_averaged() -> None:
    """Five of 1/6 and one of 2/6: 19.444 in truth, but (5 x 16.67 + 33.33) / 6 = 19.447."""
    steps = []
    for place, category in enumerate(CATEGORIES):
        right = 2 if place == 0 else 1
        for number in range(6):
            label = "type_correct" if number < right else "type_fail"
            steps.append(step(category, number, 6, label, category=category, type_step=True))
    totals = aggregate(steps, "per_category")
    assert (totals["AMS"], totals["SR"], totals["text"]) == (19.45, 0.0, "7 / 36 = 19.44%")
    assert aggregate(steps, "per_step")["AMS"] == 19.44


def test_a_category_without_a_whole_episode_lowers_the_mean_sr() -> None:
    steps = [
        step(category, 0, 1, "type_correct", category=category, type_step=True)
        for category in CATEGORIES
    ]
    steps[5]["step_length"] = 2
    totals = aggregate(steps, "per_category")
    assert (totals["AMS"], totals["SR"]) == (100.0, 83.33)
    assert aggregate(steps, "per_step")["SR"] == 100.0


@pytest.mark.parametrize("count", [1, 5, 7])
def test_the_category_mean_needs_exactly_six(count: int) -> None:
    steps = [
        step(name, 0, 1, "type_correct", category=name, type_step=True)
        for name in [*CATEGORIES, "Seventh"][:count]
    ]
    with pytest.raises(AssertionError, match="not six"):
        aggregate(steps, "per_category")
    assert aggregate(steps, "per_step")["total"] == count


def test_no_type_step_answered_with_a_type_divides_by_zero() -> None:
    steps = [step("a", 0, 2, "click_correct"), step("a", 1, 2, "action_fail", type_step=True)]
    with pytest.raises(ZeroDivisionError):
        aggregate(steps, "per_step")


def test_another_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no mode 'macro'"):
        aggregate(TYPED, "macro")


# ------------------------------------------------------------------------------------- the cases


def label_of(case: dict[str, Any], version: int = 2) -> str:
    gold = decode_action(**case["gold"])
    return judge(gold, case["prediction"], case["sam2_bbox"], version)[1]


def test_cases_are_the_same_for_a_seed_and_differ_between_seeds() -> None:
    assert list(cases(1, 300)) == list(cases(1, 300))
    assert list(cases(1, 50)) != list(cases(2, 50))


def test_cases_reach_every_label_and_every_open_question() -> None:
    drawn = list(cases(3, 6000))
    assert {label_of(case) for case in drawn} == set(LABELS)
    assert {case["kind"] for case in drawn} >= set(SILENT)


def test_over_a_third_of_the_cases_sit_at_a_threshold() -> None:
    drawn = list(cases(4, 1000))
    assert sum(is_on_threshold(case) for case in drawn if case["kind"] not in SILENT) > 350


def test_each_threshold_is_met_from_both_sides() -> None:
    labels: dict[str, Counter[str]] = {}
    for case in cases(5, 3000):
        if is_on_threshold(case) and case["kind"] not in SILENT:
            labels.setdefault(case["kind"], Counter())[label_of(case)] += 1
    rare = {kind: counts for kind, counts in labels.items() if min(counts.values()) < 10}
    assert rare == {}
    assert {kind for kind, counts in labels.items() if len(counts) == 2} == set(labels)


def test_many_texts_are_exactly_half_alike() -> None:
    exact = 0
    for case in cases(6, 2000):
        if case["kind"] in ("similarity_half", "inserted_half"):
            gold = case["gold"]["info"].strip()
            text = case["prediction"].split(":")[1].strip()
            exact += 2 * levenshtein(gold, text) == max(len(gold), len(text))
    assert exact > 50


def test_every_action_and_key_and_box_form_is_drawn() -> None:
    drawn = list(cases(8, 2000))
    actions = {case["gold"]["action"] for case in drawn}
    keys = {case["gold"]["info"] for case in drawn if isinstance(case["gold"]["info"], str)}
    boxes = {None if case["sam2_bbox"] is None else len(case["sam2_bbox"]) for case in drawn}
    assert actions == {"CLICK", "LONG_PRESS", "SCROLL", "TEXT", "COMPLETE", "INCOMPLETE"}
    assert keys >= {"KEY_HOME", "KEY_BACK", "KEY_APPSELECT"}
    assert boxes == {None, 0, 4}


def test_version_1_differs_only_where_a_box_is_stored() -> None:
    differing = [
        case for case in cases(9, 1500) if label_of(case, version=1) != label_of(case, version=2)
    ]
    assert differing
    assert [case for case in differing if case["sam2_bbox"] is None] == []
