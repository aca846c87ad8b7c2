"""The oracle of OS-Atlas, AgentCPM-GUI and GUI-R1 on GUIOdyssey against sums done by hand."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from tests.oracles.odyssey_others import (
    AGENTCPM,
    CORRECT_LABELS,
    GUI_R1,
    OS_ATLAS,
    PROTOCOLS,
    agentcpm_goal_progress,
    agentcpm_success_rate,
    command_words,
    cosine_direction,
    f1,
    gui_r1_score,
    judge,
    near_in_shares,
    near_in_squares,
    near_in_whole_numbers,
    parse_answer,
    pooled,
    recut_episodes,
    same_words,
)
from tests.oracles.odyssey_others_cases import SILENT, SILENT_TOTALS, cases, totals_cases


def verdicts(gold: dict[str, Any], answer: str | None) -> tuple[str, str, str]:
    """The labels of OS-Atlas, AgentCPM-GUI and GUI-R1."""
    prediction = None if answer is None else parse_answer(answer)
    labels = []
    for protocol in PROTOCOLS:
        correct, label = judge(protocol, gold, prediction)
        assert correct == (None if label == "not_counted" else label in CORRECT_LABELS)
        labels.append(label)
    return labels[0], labels[1], labels[2]


def right(gold: dict[str, Any], answer: str | None) -> list[bool | None]:
    prediction = None if answer is None else parse_answer(answer)
    return [judge(protocol, gold, prediction)[0] for protocol in PROTOCOLS]


def click(x: int, y: int) -> dict[str, Any]:
    return {"type": "CLICK", "point": (x, y)}


def text(words: str) -> dict[str, Any]:
    return {"type": "TYPE", "text": words}


def scroll(dx: int, dy: int) -> dict[str, Any]:
    return {"type": "SCROLL", "start": (500, 500), "end": (500 + dx, 500 + dy)}


# ---------------------------------------------------------------------------------------- reading


def test_an_answer_keeps_the_colons_of_its_argument() -> None:
    assert parse_answer("TYPE: 10:30 am") == text("10:30 am")
    assert parse_answer("TYPE:https://a.org") == text("https://a.org")
    assert parse_answer("TYPE") == parse_answer("TYPE: ") == text("")
    assert parse_answer(" SCROLL : Up ") == {"type": "SCROLL", "direction": "Up"}
    assert parse_answer("COMPLETE: done") == {"type": "COMPLETE"}


@pytest.mark.parametrize("argument", ["(5, 6)", "5, 6", "( 5 ,6 )", "+5,6"])
def test_a_point_is_two_numbers(argument: str) -> None:
    assert parse_answer(f"CLICK: {argument}") == click(5, 6)


@pytest.mark.parametrize(
    "argument", ["", "here", "(5)", "(5, 6", "5 6", "(5, 6, 7)", "(5+1, 6)", "(nan, 6)", "(５, 6)"]
)
def test_anything_else_is_no_point(argument: str) -> None:
    assert parse_answer(f"CLICK: {argument}") == {"type": "CLICK", "point": None}


# ----------------------------------------------------------------------------------------- clicks


def test_exactly_140_is_near_for_two_and_not_for_gui_r1() -> None:
    gold = click(0, 500)
    assert right(gold, "CLICK: (139, 500)") == [True, True, True]
    assert right(gold, "CLICK: (140, 500)") == [True, True, False]
    assert right(gold, "CLICK: (141, 500)") == [False, False, False]
    assert right(click(0, 0), "CLICK: (84, 112)") == [True, True, False]


def test_float64_calls_some_pairs_140_apart_too_far_and_whole_numbers_none() -> None:
    pairs = [((x, 0), (x + 140, 0)) for x in range(861)]
    assert sum(near_in_whole_numbers(*pair) for pair in pairs) == 861
    far = [pair[0][0] for pair in pairs if not near_in_shares(*pair)]
    assert far == [141, *range(407, 423)]
    assert not near_in_squares((0, 0), (140, 0))


def test_gui_r1_credits_the_point_whatever_the_type() -> None:
    assert right(click(500, 500), "LONG_PRESS: (510, 500)") == [False, False, True]
    assert right(click(500, 500), "LONG_PRESS: (700, 500)") == [False, False, False]


def test_an_unreadable_click_is_at_the_corner_for_two() -> None:
    near, far = click(100, 90), click(100, 100)  # 134.5 and 141.4 from the corner
    assert verdicts(near, "CLICK: here") == ("click_near", "invalid", "click_near")
    assert verdicts(far, "CLICK: here") == ("click_fail", "invalid", "click_fail")
    assert verdicts(near, None) == ("invalid", "invalid", "click_near")
    assert verdicts(near, "tap it") == ("type_fail", "type_fail", "click_near")
    assert verdicts(far, "tap it") == ("type_fail", "type_fail", "click_fail")


# ------------------------------------------------------------------------------------------- text


def test_f1_is_the_harmonic_mean_over_sets_of_words() -> None:
    assert f1({"a", "b"}, {"b", "c"}) == 0.5
    assert f1({"a", "b", "c"}, {"a"}) == 0.5
    assert f1({"a"}, {"b"}) == f1({"a"}, set()) == f1(set(), set()) == 0
    assert f1({"a", "b"}, {"b", "a"}) == 1


def test_the_word_type_always_counts_for_os_atlas() -> None:
    assert command_words("Hello  big world") == {"type", "[hello", "big", "world]"}
    # One word against another: TYPE alone is one of two on each side, and one half is too little.
    assert right(text("hello"), "TYPE: goodbye")[0] is False
    # A word more in common: 2 of 3 and 2 of 3.
    assert right(text("new york"), "TYPE: new jersey")[0] is True
    assert right(text("new york"), "TYPE: old york")[0] is True
    assert right(text("new york"), "TYPE: york new")[0] is False  # brackets stay with words


def test_half_the_words_are_enough_for_gui_r1() -> None:
    assert right(text("new york"), "TYPE: new jersey")[2] is True  # 1 of 2 and 1 of 2
    assert right(text("new york city"), "TYPE: city")[2] is True  # 1 of 3 and 1 of 1
    assert right(text("new york city x"), "TYPE: city")[2] is False  # 1 of 4 and 1 of 1
    assert right(text("a a a b"), "TYPE: a c c c")[2] is True  # sets: 1 of 2 and 1 of 2


def test_of_two_single_words_one_may_be_part_of_the_other_for_gui_r1() -> None:
    assert same_words("youtube", "tube")
    assert same_words("tube", "YouTube")
    assert not same_words("youtube", "tubes")
    assert not same_words("you tube", "youtube")


def test_a_part_in_any_letter_case_is_right_for_agentcpm_and_nothing_less() -> None:
    assert right(text("Hello World"), "TYPE: hello w")[1] is True
    assert right(text("hello"), "TYPE: say HELLO now")[1] is True
    assert right(text("weather"), "TYPE: weathex")[1] is False


def test_no_text_is_right_for_agentcpm_alone() -> None:
    for gold in (text("hello"), text("hello world"), text("a b c d")):
        assert right(gold, "TYPE:") == [False, True, False]


def test_what_follows_a_colon_counts() -> None:
    assert right(text("10:30"), "TYPE: 10:45") == [False, False, False]
    assert right(text("https://a.org"), "TYPE: https://b.org") == [False, False, False]
    assert right(text("10:30"), "TYPE: 10:30") == [True, True, True]


# ---------------------------------------------------------------------------------------- scrolls


def test_the_word_of_a_scroll() -> None:
    assert right(scroll(0, -200), "SCROLL: UP") == [True, True, True]
    assert right(scroll(0, -200), "SCROLL: DOWN") == [False, False, False]
    assert right(scroll(0, -200), "SCROLL: up")[0] is False
    assert right(scroll(0, -200), "SCROLL: UP UP")[:2] == [False, False]
    assert right(scroll(0, -200), "SCROLL: SIDEWAYS") == [False, False, False]
    assert right(scroll(-200, 0), "SCROLL: UP now go LEFT")[2] is False  # 1 of 4 and 1 of 1


@pytest.mark.parametrize(
    ("end", "direction"),
    [
        ((0, -9), "up"),
        ((0, 9), "down"),
        ((-9, 0), "left"),
        ((9, 0), "right"),
        ((9, -9), "up"),
        ((-9, -9), "up"),
        ((9, 9), "down"),
        ((-9, 9), "down"),
        ((10, 9), "right"),
        ((-10, -9), "left"),
        ((0, 0), "no direction"),
    ],
)
def test_agentcpm_takes_the_nearest_of_four_directions(
    end: tuple[int, int], direction: str
) -> None:
    assert cosine_direction((0, 0), end) == direction


def test_a_scroll_that_goes_nowhere_is_no_direction_for_agentcpm_and_down_for_the_others() -> None:
    labels = verdicts(scroll(0, 0), "SCROLL: DOWN")
    assert labels == ("scroll_same", "scroll_fail", "scroll_same")


def test_agentcpm_reads_the_points_of_a_predicted_scroll() -> None:
    pointed = {"type": "SCROLL", "start": (0, 0), "end": (30, -31)}
    assert judge(AGENTCPM, scroll(0, -200), pointed) == (True, "scroll_same")
    assert judge(AGENTCPM, scroll(200, 0), pointed) == (False, "scroll_fail")


# ----------------------------------------------------------------------------- keys and endings


def test_recents_and_the_endings_are_merged_by_agentcpm_and_not_counted_by_gui_r1() -> None:
    for gold, answer, labels in [
        ("PRESS_RECENT", "PRESS_RECENT", ("type_same", "type_same", "not_counted")),
        ("PRESS_RECENT", "PRESS_HOME", ("type_fail", "type_same", "not_counted")),
        ("PRESS_HOME", "PRESS_RECENT", ("type_fail", "type_same", "not_counted")),
        ("PRESS_HOME", "PRESS_BACK", ("type_fail", "type_fail", "not_counted")),
        ("COMPLETE", "IMPOSSIBLE", ("type_fail", "type_same", "not_counted")),
        ("IMPOSSIBLE", "COMPLETE", ("type_fail", "type_same", "not_counted")),
        ("COMPLETE", "PRESS_HOME", ("type_fail", "type_fail", "not_counted")),
        ("COMPLETE", "", ("type_fail", "type_fail", "not_counted")),
    ]:
        assert verdicts({"type": gold}, answer) == labels


# ------------------------------------------------------------------------------------------ totals


def rows(instruction: str, marks: str, first: int = 0) -> list[dict[str, Any]]:
    return [
        {"instruction": instruction, "step": first + i, "correct": mark == "+"}
        for i, mark in enumerate(marks)
    ]


def test_episodes_are_cut_where_the_instruction_changes_or_a_step_is_skipped() -> None:
    steps = [
        *rows("a", "+++"),
        *rows("a", "++"),  # the same instruction again, from the start
        *rows("b", "+", first=2),  # goes on in number, not in instruction
        *rows("b", "++", first=3),  # another recording, but it seems to go on
        *rows("b", "+", first=7),  # a gap
    ]
    assert [len(episode) for episode in recut_episodes(steps)] == [3, 2, 3, 1]


def test_progress_and_success_are_means_over_the_cut_episodes() -> None:
    steps = [*rows("a", "+-++"), *rows("b", "++"), *rows("c", "-")]
    assert agentcpm_goal_progress(steps) == Fraction(5, 12)  # (1/4 + 1 + 0) / 3
    assert agentcpm_success_rate(steps) == Fraction(1, 3)
    assert pooled(steps) == Fraction(5, 7)


def test_a_missing_step_makes_one_failed_episode_two_right_ones() -> None:
    steps = [*rows("a", "+++"), *rows("a", "++", first=4)]
    assert agentcpm_success_rate(steps) == 1
    assert agentcpm_goal_progress(steps) == 1


def marked(action_type: str, marks: str) -> list[dict[str, Any]]:
    return [{"type": action_type, "correct": mark == "+"} for mark in marks]


def test_a_category_without_a_hit_vanishes_from_gui_r1s_score() -> None:
    steps = [*marked("SCROLL", "-" * 10), *marked("CLICK", "++")]
    assert gui_r1_score(steps) == 1
    steps[0]["correct"] = True
    assert gui_r1_score(steps) == Fraction(3, 12)


def test_gui_r1s_score_is_pooled_and_leaves_keys_out() -> None:
    steps = [*marked("CLICK", "++--"), *marked("TYPE", "+"), *marked("PRESS_HOME", "---")]
    assert gui_r1_score(steps) == Fraction(3, 5)
    assert gui_r1_score([*marked("CLICK", "--"), *marked("COMPLETE", "+")]) is None


# ------------------------------------------------------------------------------------------- cases


def test_the_cases_are_the_same_for_a_seed_and_reach_every_kind_and_label() -> None:
    drawn = list(cases(7, 4000))
    assert repr(drawn[:500]) == repr(list(cases(7, 500)))
    firm = [case for case in drawn if case["kind"] not in SILENT]
    assert sum(case["threshold"] for case in firm) > len(drawn) / 5
    assert set(SILENT) <= {case["kind"] for case in drawn}
    labels = Counter(
        (case["protocol"], judge(case["protocol"], case["gold"], case["prediction"])[1])
        for case in drawn
    )
    shared = {"click_near", "click_fail", "text_same", "text_fail", "scroll_same", "scroll_fail"}
    expected = {(protocol, label) for protocol in PROTOCOLS for label in shared | {"type_fail"}}
    expected |= {(p, label) for p in (OS_ATLAS, AGENTCPM) for label in ("type_same", "invalid")}
    assert set(labels) == expected | {(GUI_R1, "not_counted")}


def test_firm_threshold_cases_fall_on_both_sides() -> None:
    sides: dict[tuple[str, str], set[bool | None]] = {}
    for case in cases(8, 3000):
        if case["threshold"] and case["kind"] not in SILENT:
            correct, _ = judge(case["protocol"], case["gold"], case["prediction"])
            sides.setdefault((case["protocol"], case["kind"]), set()).add(correct)
    assert {key for key, seen in sides.items() if seen != {True, False}} == set()


def test_an_answer_is_read_into_the_case_prediction() -> None:
    for case in cases(9, 800):
        if case["answer"] is not None:
            assert case["prediction"] == parse_answer(case["answer"])


def test_totals_cases_hold_what_they_promise() -> None:
    drawn = list(totals_cases(3, 150))
    assert {case["kind"] for case in drawn} == {"plain", *SILENT_TOTALS}
    for case in drawn:
        steps = case["steps"]
        assert agentcpm_success_rate(steps) <= agentcpm_goal_progress(steps) <= 1
        score = gui_r1_score(steps)
        if case["kind"] == "plain":
            counted = [step for step in steps if step["type"] in ("CLICK", "SCROLL", "TYPE")]
            assert score is not None
            assert score >= pooled(counted)
