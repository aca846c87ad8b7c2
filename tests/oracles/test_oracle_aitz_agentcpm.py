"""The oracle of AgentCPM-GUI's rule on AITZ against cases worked out by hand."""

from fractions import Fraction
from typing import Any

import pytest

from tests.oracles.aitw import (
    DUAL_POINT,
    PRESS_BACK,
    PRESS_ENTER,
    PRESS_HOME,
    STATUS_TASK_COMPLETE,
    STATUS_TASK_IMPOSSIBLE,
    TYPE,
)
from tests.oracles.aitz_agentcpm import REASONS, direction, enlarge, judge, totals
from tests.oracles.aitz_agentcpm_cases import SILENT, cases, totals_cases

WRONG_KIND = (False, False, "kind")
REFUSED = (False, False, "refused_by_the_schema")


def tapped(y: float, x: float, lift_y: float | None = None) -> dict[str, Any]:
    lift = y if lift_y is None else lift_y
    return {"type": DUAL_POINT, "touch": (y, x), "lift": (lift, x), "text": ""}


def scrolled(y: float, x: float) -> dict[str, Any]:
    return {"type": DUAL_POINT, "touch": (0.5, 0.5), "lift": (0.5 + y, 0.5 + x), "text": ""}


def gold(code: int, text: str = "") -> dict[str, Any]:
    return {"type": code, "touch": (-1.0, -1.0), "lift": (-1.0, -1.0), "text": text}


def at(x: Any, y: Any, **more: Any) -> dict[str, Any]:
    return {"POINT": [x, y]} | more


BOX = (0.25, 0.25, 0.25, 0.5)  # top, left, height, width: it ends at 0.5 and 0.75


@pytest.mark.parametrize(
    ("answer", "boxes", "expected"),
    [
        (at(375, 375), [], (True, True, "distance")),
        (at(375, 514), [], (True, True, "distance")),
        (at(375, 516), [], (False, True, "distance")),
        (at(459, 487), [], (True, True, "distance")),  # 84 and 112: 140
        (at(459, 488), [], (False, True, "distance")),
        # Enlarged the box goes from 0.225 to 0.525 and from 0.2 to 0.8.
        (at(799, 400), [BOX], (True, True, "box")),
        (at(801, 400), [BOX], (False, True, "distance")),
        (at(700, 524), [BOX], (True, True, "box")),
        (at(700, 526), [BOX], (False, True, "distance")),
        (at(799, 400), [(0.8, 0.8, 0.1, 0.1)], (False, True, "distance")),
        # The answer in a box that does not hold the click, and the other way round.
        (at(700, 300), [(0.25, 0.6, 0.25, 0.2), (0.3, 0.3, 0.1, 0.1)], (False, True, "distance")),
        (at(1000, 1000), [(0.0, 0.0, 1.0, 1.0)], (True, True, "box")),
        (at(375, 375, duration=200), [], (True, True, "distance")),
        (at(375, 375, duration=201), [], WRONG_KIND),
        (at(375, 375, duration=199), [], WRONG_KIND),  # a stop
        (at(375.0, 375), [], (True, True, "distance")),
        (at(375, 375, STATUS="continue"), [], (True, True, "distance")),
        (at(375, 375, STATUS="finish"), [], WRONG_KIND),
        (at(375, 375, to="Up"), [], REFUSED),
        ({"to": "up"}, [], REFUSED),
        (at(375, 375, duration=-1), [], REFUSED),
        (at(375, 375, speed=1), [], REFUSED),
        ({"CLEAR": True}, [], REFUSED),
        ({"thought": "so"}, [], REFUSED),
        ({"STATUS": "start"}, [], REFUSED),
        # A box at the edge of the screen ends at 1.2 times its size: it is moved, not cut.
        (at(375, 599), [(0.0, 0.0, 0.5, 0.5)], (True, True, "box")),
        (at(375, 601), [(0.0, 0.0, 0.5, 0.5)], (False, True, "distance")),
        # The click is in a box once that is enlarged.
        (at(600, 375), [(0.25, 0.38, 0.25, 0.25)], (True, True, "box")),
        (at(600, 375), [(0.25, 0.41, 0.25, 0.25)], (False, True, "distance")),
        (at(375, 375), None, None),
        (at(375, 375, to="up"), [], WRONG_KIND),
        ({"PRESS": "HOME"}, [], WRONG_KIND),
        (at(375, -1), [BOX], REFUSED),
        (at(1001, 375), [BOX], REFUSED),
        (at(375.5, 375), [BOX], REFUSED),
        (at(375, 375, PRESS="HOME"), [BOX], REFUSED),
        ({"TYPE": "a", "PRESS": "HOME"}, [BOX], REFUSED),
        (None, [BOX], (False, False, "unreadable")),
    ],
)
def test_a_click(answer: Any, boxes: Any, expected: Any) -> None:
    assert judge(tapped(0.375, 0.375), answer, boxes) == expected


def test_the_click_is_the_touch() -> None:
    step = tapped(0.5, 0.5, 0.53)
    assert judge(step, at(500, 361), []) == (True, True, "distance")
    assert judge(step, at(500, 669), []) == (False, True, "distance")


def test_float64_decides_at_140_thousandths() -> None:
    assert judge(tapped(0.5, 0.281), at(141, 500), []) == (False, True, "distance")
    assert judge(tapped(0.5, 0.14), at(0, 500), []) == (True, True, "distance")


def test_a_box_is_a_fifth_larger_around_its_middle() -> None:
    left, top, right, bottom = enlarge(BOX)
    assert [float(edge) for edge in (left, top, right, bottom)] == [0.2, 0.225, 0.8, 0.525]


@pytest.mark.parametrize(
    ("lift", "word"),
    [((-0.3, 0.1), "up"), ((0.3, 0.25), "down"), ((0.1, -0.3), "left"), ((0.25, 0.3), "right"),
     ((0.25, 0.25), "down"), ((-0.25, 0.25), "up")],
)  # fmt: skip
def test_a_scroll_has_four_directions(lift: tuple[float, float], word: str) -> None:
    for other in ("up", "down", "left", "right"):
        verdict = judge(scrolled(*lift), at(500, 500, to=other), [])
        assert verdict == (other == word, True, "direction")


@pytest.mark.parametrize(
    ("to", "right"),
    [([500, 400], True), ([600, 400], True), ([601, 400], False), ([500, 600], False),
     ([500, 500], False)],
)  # fmt: skip
def test_two_points_say_a_direction(to: list[int], right: bool) -> None:
    assert judge(scrolled(-0.3, 0), at(500, 500, to=to), []) == (right, True, "direction")
    assert direction((0, 0), (0, 0)) is None


@pytest.mark.parametrize(
    ("words", "answer", "right"),
    [("tea ", "green tea", True), (" green tea", "tea\n", True),
     ("Green Tea", "green tea", True), ("tea", "GREEN TEA", True), ("green tea", "tea", True),
     ("tea", "", True), ("tea", "coffee", False), ("green tea", "greentea", False)],
)  # fmt: skip
def test_a_text(words: str, answer: str, right: bool) -> None:
    assert judge(gold(TYPE, words), {"TYPE": answer}, []) == (right, True, "text")


def test_a_key_must_be_the_same() -> None:
    codes = {PRESS_BACK: "BACK", PRESS_HOME: "HOME", PRESS_ENTER: "ENTER"}
    for code, name in codes.items():
        for pressed in (*codes.values(), "APPSELECT"):
            verdict = judge(gold(code), {"PRESS": pressed}, [])
            assert verdict == (pressed == name, True, "button")
        assert judge(gold(code), {"STATUS": "finish"}, []) == WRONG_KIND


def test_endings_waits_and_cleared_fields_are_one_stop() -> None:
    answers: list[dict[str, Any]] = [
        {"STATUS": "finish"}, {"STATUS": "impossible"}, {"duration": 3000}, {"CLEAR": None},
    ]  # fmt: skip
    for code in (STATUS_TASK_COMPLETE, STATUS_TASK_IMPOSSIBLE):
        assert {judge(gold(code), answer, []) for answer in answers} == {(True, True, "stop")}
    assert {judge(gold(PRESS_HOME), answer, []) for answer in answers} == {WRONG_KIND}


def test_totals_of_steps_and_episodes() -> None:
    right, kind, wrong = (True, True), (False, True), (False, False)
    assert totals([[right, kind, right], [right, None, right], [None], [wrong, right]]) == {
        "exact_acc": (5, 7),
        "type_acc": (6, 7),
        "success_rate": (1, 3),
        "goal_progress": (Fraction(4, 3), 3),
    }


def test_the_cases_are_the_same_for_a_seed_and_reach_every_reason_and_every_kind() -> None:
    drawn = list(cases(7, 3000))
    assert repr(drawn[:200]) == repr(list(cases(7, 200)))
    firm = [case for case in drawn if case["kind"] not in SILENT]
    assert sum(case["threshold"] for case in firm) > len(drawn) / 5
    assert set(SILENT) <= {case["kind"] for case in drawn}
    verdicts = [judge(c["gold"], c["answer"], c["boxes"]) for c in drawn]
    assert {None if one is None else one[2] for one in verdicts} == {None, *REASONS}


def test_firm_threshold_cases_fall_on_both_sides() -> None:
    sides: dict[str, set[bool]] = {}
    for case in cases(8, 1500):
        if case["threshold"] and case["kind"] not in SILENT:
            verdict = judge(case["gold"], case["answer"], case["boxes"])
            if verdict is not None:
                sides.setdefault(case["kind"], set()).add(verdict[0])
    assert set(sides) == {
        "reach", "edge_of_box", "edge_of_click", "length", "gold_tie", "answer_tie", "duration",
        "corner",
    }  # fmt: skip
    assert all(found == {True, False} for found in sides.values())


def test_totals_cases_hold_what_they_promise() -> None:
    drawn = list(totals_cases(3, 60))
    assert {case["kind"] for case in drawn} == {"whole", "missing"}
    assert repr(drawn) == repr(list(totals_cases(3, 60)))
