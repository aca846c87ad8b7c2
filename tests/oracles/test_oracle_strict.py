"""The oracle of taptrail-strict against cases worked out by hand."""

import math
from collections import Counter
from typing import Any

import pytest

from tests.oracles.strict import (
    MATCH,
    MISMATCH,
    REASONS,
    UNREADABLE,
    UNSCORED,
    finger,
    judge,
    right_actions,
    totals,
)
from tests.oracles.strict_cases import SILENT, cases, totals_cases

Action = dict[str, Any]


def tap(x: float, y: float, kind: str = "tap") -> Action:
    return {"kind": kind, "at": ("point", x, y)}


def named(kind: str = "tap") -> Action:
    return {"kind": kind, "at": ("element", "OK")}


def swipe(x: float, y: float, to_x: float, to_y: float) -> Action:
    return {"kind": "swipe", "start": (x, y), "end": (to_x, to_y)}


def scroll(direction: str) -> Action:
    return {"kind": "scroll", "direction": direction, "at": None}


def typed(text: str, kind: str = "type_text") -> Action:
    return {"kind": kind, "text": text}


def key(name: str, other: str | None = None) -> Action:
    return {"kind": "press_key", "key": name, "name": other}


def app(name: str) -> Action:
    return {"kind": "open_app", "app": name}


def end(ending: str) -> Action:
    return {"kind": "finish", "ending": ending}


def pinch(scale: float) -> Action:
    return {"kind": "pinch", "centre": (5, 5), "scale": scale}


def gold(role: str, action: Action, status: str = "accepted") -> dict[str, Any]:
    return {"role": role, "status": status, "action": action}


def region(*box: float, chosen: bool = True) -> dict[str, Any]:
    return {"box": box or None, "chosen": chosen, "status": "proposed"}


def verdict(action: Action, prediction: Any, **parts: Any) -> tuple[str, str]:
    step = {"action": action, "golds": [], "regions": [], "size": (1000, 2000), "density": 400}
    return judge(step | {"screen": (1000, 2000)} | parts, prediction)


# 24 dp are 60 pixels at 400 dots per inch, and 6 % of 1000 pixels as well.
@pytest.mark.parametrize(
    ("parts", "place", "expected"),
    [
        ({}, (100, 100), (MATCH, "distance")),
        ({}, (160, 100), (MATCH, "distance")),
        ({}, (math.nextafter(160, 999), 100), (MISMATCH, "distance")),
        ({}, (136, 148), (MATCH, "distance")),  # 36 and 48
        ({}, (137, 148), (MISMATCH, "distance")),
        ({"density": 160}, (124, 100), (MATCH, "distance")),
        ({"density": 160}, (125, 100), (MISMATCH, "distance")),
        ({"density": None}, (100, 160), (MATCH, "distance")),
        ({"density": None}, (100, 161), (MISMATCH, "distance")),
        ({"density": None, "size": (2000, 1000)}, (160, 100), (MATCH, "distance")),
        ({"density": None, "size": (2000, 1000)}, (161, 100), (MISMATCH, "distance")),
        ({"density": None, "size": (500, 2000)}, (131, 100), (MISMATCH, "distance")),
        ({"density": 160, "screen": None}, (160, 100), (MATCH, "distance")),
        ({"screen": (2000, 1000)}, (160, 100), (MATCH, "distance")),  # turned
        ({"screen": (2000, 4000)}, (130, 100), (MATCH, "distance")),  # made smaller
        ({"screen": (2000, 4000)}, (131, 100), (MISMATCH, "distance")),
        ({"regions": [region(50, 50, 400, 400)]}, (399, 399), (MATCH, "region")),
        ({"regions": [region(50, 50, 400, 400)]}, (400, 399), (MISMATCH, "distance")),
        ({"regions": [region(50, 50, 400, 400)]}, (50, 50), (MATCH, "region")),
        ({"regions": [region(90, 90, 110, 110)]}, (150, 100), (MATCH, "distance")),  # outside
        ({"regions": [region(50, 50, 400, 400, chosen=False)]}, (399, 399), (MISMATCH, "distance")),
        # An element in an element: only the chosen one is asked.
        (
            {"regions": [region(90, 90, 110, 110), region(0, 0, 900, 900, chosen=False)]},
            (399, 399),
            (MISMATCH, "distance"),
        ),
        # A box that misses the gold point is not trusted, nor is one of 90 % of the screen.
        ({"regions": [region(200, 200, 400, 400)]}, (300, 300), (MISMATCH, "distance")),
        ({"regions": [region(100, 100, 400, 400)]}, (300, 300), (MATCH, "region")),
        ({"regions": [region(50, 50, 100, 400)]}, (60, 350), (MISMATCH, "distance")),
        ({"regions": [region(0, 0, 1000, 1799)]}, (900, 900), (MATCH, "region")),
        ({"regions": [region(0, 0, 1000, 1800)]}, (900, 900), (MISMATCH, "distance")),
        ({"regions": [region()]}, (900, 900), (MISMATCH, "distance")),
        ({"regions": [region(400, 400, 50, 50)]}, (300, 300), (MISMATCH, "distance")),
        ({"regions": [region(0, 0, 9000, 1799)]}, (900, 900), (MATCH, "region")),  # off the screen
        (
            {"regions": [region(50, 50, 400, 400) | {"status": "rejected"}]},
            (300, 300),
            (MISMATCH, "distance"),
        ),
        (
            {"regions": [region(50, 50, 400, 400) | {"status": "superseded"}]},
            (300, 300),
            (MATCH, "region"),
        ),
        ({}, (math.nan, 100), (MISMATCH, "distance")),
        ({"size": None}, (100, 100), (UNSCORED, "step_without_a_frame")),
    ],
)
@pytest.mark.parametrize("kind", ["tap", "double_tap", "long_press"])
def test_a_tap_is_right_in_a_trusted_region_or_near(
    parts: dict[str, Any], place: tuple[float, float], expected: tuple[str, str], kind: str
) -> None:
    assert verdict(tap(100, 100, kind), tap(*place, kind), **parts) == expected


def test_a_box_counts_with_its_middle() -> None:
    box = {"kind": "tap", "at": ("box", 0, 0, 200, 200)}
    assert verdict(box, tap(160, 100)) == (MATCH, "distance")
    assert verdict(box, tap(161, 100)) == (MISMATCH, "distance")
    assert verdict(tap(160, 100), box) == (MATCH, "distance")
    assert verdict(tap(161, 100), box) == (MISMATCH, "distance")


def test_kinds_of_taps_differ_and_swipe_and_scroll_are_one() -> None:
    kinds = ("tap", "double_tap", "long_press")
    for one in kinds:
        for other in kinds:
            expected = (MATCH, "distance") if one == other else (MISMATCH, "kind")
            assert verdict(tap(5, 5, one), tap(5, 5, other)) == expected
    assert verdict(swipe(0, 9, 0, 0), scroll("up")) == (MATCH, "direction")
    assert verdict(scroll("down"), swipe(0, 0, 3, 9)) == (MATCH, "direction")
    assert verdict(tap(5, 5), swipe(5, 5, 5, 6)) == (MISMATCH, "kind")


def test_what_cannot_be_compared_is_unscored() -> None:
    assert verdict(named(), tap(5, 5)) == (UNSCORED, "gold_cannot_be_compared")
    assert verdict(named(), key("back")) == (UNSCORED, "gold_cannot_be_compared")
    assert verdict(named(), None) == (UNSCORED, "gold_cannot_be_compared")
    assert verdict(tap(5, 5), named()) == (UNSCORED, "answer_without_a_place")
    assert verdict(key("back"), named()) == (MISMATCH, "kind")
    for text in ("", " \n"):
        assert verdict(typed(text), typed("a")) == (UNSCORED, "gold_cannot_be_compared")
        assert verdict(typed(text, "answer"), None) == (UNSCORED, "gold_cannot_be_compared")
    wake = {"kind": "other", "name": "wake"}
    assert verdict(wake, wake) == (UNSCORED, "gold_cannot_be_compared")
    assert verdict(tap(5, 5), wake) == (MISMATCH, "kind")


@pytest.mark.parametrize(
    ("action", "prediction", "expected"),
    [
        (typed("café"), typed(" cafe\u0301\n"), MATCH),
        (typed(" café "), typed("café"), MATCH),
        (typed("café"), typed("cafe"), MISMATCH),
        (typed("Paris"), typed("paris"), MISMATCH),
        (typed("weather in Paris"), typed("Paris"), MISMATCH),
        (typed("10:30"), typed("10:99"), MISMATCH),
        (typed("ﬁne"), typed("fine"), MISMATCH),  # composed alike, not compatible
        (typed("a"), typed(""), MISMATCH),
        (typed("a"), typed("  "), MISMATCH),
        (typed("a") | {"submit": True, "clear": True}, typed("a"), MATCH),
        (typed("42", "answer"), typed(" 42", "answer"), MATCH),
        (typed("42", "answer"), typed("42"), MISMATCH),
        (key("back"), key("back"), MATCH),
        (key("back"), key("home"), MISMATCH),
        (key("other", "KEYCODE_CAMERA"), key("other", "KEYCODE_CAMERA"), MATCH),
        (key("other", "KEYCODE_CAMERA"), key("other", "KEYCODE_SEARCH"), MISMATCH),
        (app("Clock"), app("cLOCK"), MATCH),
        (app("Clock"), app("Clocks"), MISMATCH),
        (app("Café"), app(" CAFE\u0301"), MATCH),
        (key("other", "KEYCODE_CAMERA"), key("other", "keycode_camera"), MISMATCH),
        (pinch(1), pinch(0.5), MATCH),
        (pinch(1), pinch(2), MISMATCH),
        (end("complete"), end("complete"), MATCH),
        (end("complete"), end("impossible"), MISMATCH),
        (pinch(2), pinch(1.1), MATCH),
        (pinch(0.5), pinch(0.9), MATCH),
        (pinch(2), pinch(0.9), MISMATCH),
        ({"kind": "wait", "duration_us": 5}, {"kind": "wait", "duration_us": 9_000_000}, MATCH),
        ({"kind": "wait", "duration_us": 5}, end("complete"), MISMATCH),
    ],
)
def test_other_kinds(action: Action, prediction: Action, expected: str) -> None:
    assert verdict(action, prediction)[0] == expected


@pytest.mark.parametrize(
    ("end_of_it", "direction"),
    [((0, -9), "up"), ((3, 9), "down"), ((-9, 8), "left"), ((9, 8), "right"), ((9, -9), "up"),
     ((-9, 9), "down"), ((0, 0), "up"), ((math.nextafter(9, 10), 9), "right")],
)  # fmt: skip
def test_the_finger_goes_one_of_four_ways(end_of_it: tuple[float, float], direction: str) -> None:
    assert finger(swipe(0, 0, *end_of_it)) == direction


def test_no_answer_is_wrong() -> None:
    assert verdict(tap(5, 5), None) == (MISMATCH, "missing")
    assert verdict(tap(5, 5), UNREADABLE) == (MISMATCH, "unreadable")


def test_accepted_corrections_stand_in_for_what_was_recorded_and_alternatives_beside() -> None:
    step = {"action": key("back"), "golds": []}
    correction = gold("correction", key("home"))
    also = gold("alternative", tap(5, 5))
    assert right_actions(step) == [key("back")]
    assert right_actions(step | {"golds": [also, correction]}) == [key("home"), tap(5, 5)]
    for status in ("proposed", "rejected", "superseded"):
        assert right_actions(step | {"golds": [gold("correction", key("home"), status)]}) == [
            key("back")
        ]
    assert verdict(key("back"), tap(5, 5), golds=[also]) == (MATCH, "distance")
    assert verdict(key("back"), key("back"), golds=[correction]) == (MISMATCH, "key")
    assert verdict(named(), tap(5, 5), golds=[also]) == (MATCH, "distance")
    assert verdict(named(), key("back"), golds=[also]) == (UNSCORED, "gold_cannot_be_compared")
    assert verdict(named(), None, golds=[also]) == (MISMATCH, "missing")
    assert verdict(key("back"), named(), golds=[also]) == (UNSCORED, "answer_without_a_place")
    assert verdict(named(), tap(5, 5), golds=[gold("correction", tap(6, 6))])[0] == MATCH


# ------------------------------------------------------------------------------------------ totals


def rows(marks: str, declared: int | None = None) -> dict[str, Any]:
    words = {"+": MATCH, "-": MISMATCH, "?": UNSCORED}
    return {"declared": declared, "rows": [(i, words[mark]) for i, mark in enumerate(marks)]}


@pytest.mark.parametrize(
    ("episodes", "ams", "sr"),
    [
        ([rows("++")], (2, 2), (1, 1)),
        ([rows("+-")], (1, 2), (0, 1)),
        ([rows("+?")], (1, 1), (0, 0)),
        ([rows("-?")], (0, 1), (0, 1)),
        ([rows("++", 3)], (2, 2), (0, 0)),
        ([rows("++", 1)], (2, 2), (1, 1)),
        ([rows("+-", 3)], (1, 2), (0, 1)),
        ([rows("++", 2), rows("-")], (2, 3), (1, 2)),
        ([{"declared": 1, "rows": [(0, MATCH), (0, MISMATCH)]}], (1, 1), (1, 1)),
        ([{"declared": 1, "rows": [(0, MISMATCH), (0, MATCH)]}], (0, 1), (0, 1)),
        ([rows("?")], (0, 0), (0, 0)),
    ],
)
def test_steps_and_episodes_are_pooled(
    episodes: list[dict[str, Any]], ams: tuple[int, int], sr: tuple[int, int]
) -> None:
    assert totals(episodes) == {"AMS": ams, "SR": sr}


# ------------------------------------------------------------------------------------------- cases


def test_the_cases_are_the_same_for_a_seed_and_reach_every_reason_and_every_kind() -> None:
    drawn = list(cases(7, 3000))
    assert repr(drawn[:200]) == repr(list(cases(7, 200)))
    firm = [case for case in drawn if case["kind"] not in SILENT]
    assert sum(case["threshold"] for case in firm) > len(drawn) / 5
    assert set(SILENT) <= {case["kind"] for case in drawn}
    reasons = Counter(judge(case["step"], case["prediction"])[1] for case in drawn)
    assert set(reasons) == set(REASONS)


def test_firm_threshold_cases_fall_on_both_sides() -> None:
    sides: dict[str, set[str]] = {}
    for case in cases(8, 800):
        if case["threshold"] and case["kind"] not in SILENT:
            sides.setdefault(case["kind"], set()).add(judge(case["step"], case["prediction"])[0])
    assert set(sides) == {
        "reach", "edge_of_region", "nine_tenths", "diagonal", "pinch_edge", "text_edge",
    }  # fmt: skip
    assert all({MATCH, MISMATCH} <= outcomes for outcomes in sides.values())


def test_totals_cases_are_the_same_for_a_seed_and_reach_episodes_that_cannot_be_told() -> None:
    drawn = list(totals_cases(3, 100))
    assert drawn == list(totals_cases(3, 100))
    told = sum(totals(episodes)["SR"][1] for episodes in drawn)
    assert 0 < told < sum(map(len, drawn))
