"""The oracle of Auto-GUI's loop against runs worked out by hand."""

from fractions import Fraction
from typing import Any

import pytest

from tests.oracles.aitw import DUAL_POINT, PRESS_BACK, PRESS_HOME, TYPE
from tests.oracles.auto_gui import (
    MATCH,
    MISMATCH,
    UNSCORED,
    accuracies,
    judge_alone,
    judge_run,
    read_into,
    target,
)
from tests.oracles.auto_gui_cases import SILENT, runs, silent_kind, totals_cases

FAR = [(5.0, 5.0, 0.1, 0.1)]
ALL = ("touch", "lift", "type", "text")


def tap(y: float, x: float, text: str = "") -> dict[str, Any]:
    return {"type": DUAL_POINT, "touch": (y, x), "lift": (y, x), "text": text}


def drag(y: float, x: float, to_y: float, to_x: float) -> dict[str, Any]:
    return {"type": DUAL_POINT, "touch": (y, x), "lift": (to_y, to_x), "text": ""}


def key(code: int, text: str = "") -> dict[str, Any]:
    return {"type": code, "touch": (-1.0, -1.0), "lift": (-1.0, -1.0), "text": text}


def step(gold: Any, answer: Any, boxes: Any = FAR) -> dict[str, Any]:
    return {"gold": gold, "answer": answer, "boxes": boxes}


def without(action: dict[str, Any], *parts: str) -> dict[str, Any]:
    return action | dict.fromkeys(parts)


def outcomes(*steps: dict[str, Any]) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(v["outcome"], v["label"], v["reused"]) for v in judge_run(steps)]


# ------------------------------------------------------------------------------------- the target


def test_a_tap_is_rounded_with_the_lift_on_the_touch() -> None:
    gold = drag(0.123456, 0.654321, 0.133, 0.66)
    assert target(gold) == gold | {"touch": (0.1235, 0.6543), "lift": (0.1235, 0.6543)}
    assert target(key(PRESS_BACK)) == key(PRESS_BACK)


def test_every_drag_is_a_vertical_stroke() -> None:
    for gold in (drag(0.5, 0.1, 0.5, 0.9), drag(0.9, 0.5, 0.1, 0.5)):
        assert outcomes(step(gold, drag(0.2, 0.5, 0.7, 0.4))) == [(MATCH, "axis_same", ())]
        assert outcomes(step(gold, drag(0.5, 0.1, 0.5, 0.9))) == [(MISMATCH, "axis_differs", ())]


def test_a_tap_is_compared_with_the_rounded_touch() -> None:
    # The file's 0.50004 becomes 0.5: 0.63996 is 0.13996 away from it, and so is 0.36004.
    assert outcomes(step(tap(0.50004, 0.5), tap(0.63998, 0.5))) == [(MATCH, "tap_near", ())]
    assert outcomes(step(tap(0.50004, 0.5), tap(0.64003, 0.5))) == [(MISMATCH, "tap_far", ())]
    assert outcomes(step(tap(0.49996, 0.5), tap(0.63998, 0.5))) == [(MATCH, "tap_near", ())]


# --------------------------------------------------------------------------------------- the loop


def test_what_cannot_be_read_is_what_an_earlier_answer_left() -> None:
    junk = without(tap(0, 0), *ALL)
    assert outcomes(
        step(tap(0.5, 0.5), junk),  # nothing was left yet
        step(tap(0.5, 0.5), tap(0.5, 0.5)),
        step(tap(0.5, 0.5), junk),
        step(key(PRESS_HOME), junk),
    ) == [
        (MISMATCH, "nothing_left", ALL),
        (MATCH, "tap_near", ()),
        (MATCH, "tap_near", ALL),
        (MISMATCH, "type_differs", ALL),
    ]


def test_parts_behind_an_unreadable_one_are_not_read() -> None:
    left: dict[str, Any] = {}
    assert read_into(left, tap(0.1, 0.1, "a")) == ()
    assert read_into(left, without(tap(0.9, 0.9, "b"), "lift")) == ("lift", "type", "text")
    assert left == {"touch": (0.9, 0.9), "lift": (0.1, 0.1), "type": DUAL_POINT, "text": "a"}
    assert read_into(left, without(key(PRESS_HOME, "c"), "text")) == ("text",)
    assert left == key(PRESS_HOME) | {"text": "a"}


def test_parts_are_kept_from_different_answers() -> None:
    # The touch of the third, the lift of the second, the kind of the first: a drag.
    assert outcomes(
        step(tap(0.1, 0.1), tap(0.1, 0.1)),
        step(tap(0.9, 0.9), without(tap(0.9, 0.9), "type")),
        step(drag(0.1, 0.5, 0.9, 0.5), without(tap(0.1, 0.9), "lift")),
    ) == [
        (MATCH, "tap_near", ()),
        (MATCH, "tap_near", ("type", "text")),
        (MATCH, "axis_same", ("lift", "type", "text")),
    ]


def test_a_part_that_nobody_left_makes_the_step_wrong() -> None:
    first = without(tap(0.5, 0.5), "text")
    assert outcomes(step(tap(0.5, 0.5), first), step(tap(0.5, 0.5), first)) == [
        (MISMATCH, "nothing_left", ("text",)),
        (MISMATCH, "nothing_left", ("text",)),
    ]
    assert judge_alone(step(tap(0.5, 0.5), first))["outcome"] == MISMATCH
    assert judge_alone(step(tap(0.5, 0.5), tap(0.5, 0.5)))["outcome"] == MATCH


def test_a_screen_without_boxes_is_wrong_and_its_answer_is_left() -> None:
    junk = without(tap(0, 0), *ALL)
    assert outcomes(step(key(PRESS_HOME), key(PRESS_HOME), []), step(key(PRESS_HOME), junk)) == [
        (MISMATCH, "no_boxes", ()),
        (MATCH, "type_same", ALL),
    ]


def test_a_step_without_an_answer_is_wrong_and_changes_nothing() -> None:
    junk = without(tap(0, 0), *ALL)
    assert outcomes(step(key(TYPE), key(TYPE)), step(key(TYPE), None), step(key(TYPE), junk)) == [
        (MATCH, "type_same", ()),
        (MISMATCH, "missing", ()),
        (MATCH, "type_same", ALL),
    ]


def test_a_gesture_where_nobody_knows_the_boxes_is_unscored() -> None:
    assert outcomes(
        step(tap(0.5, 0.5), tap(0.5, 0.5), None),
        step(drag(0.1, 0.5, 0.9, 0.5), drag(0.1, 0.5, 0.9, 0.5), None),
        step(key(TYPE), key(TYPE), None),
        step(key(TYPE), tap(0.5, 0.5), None),
        step(tap(0.5, 0.5), key(TYPE), None),
        step(tap(0.5, 0.5), None, None),
    ) == [
        (UNSCORED, "unknown_boxes", ()),
        (UNSCORED, "unknown_boxes", ()),
        (MATCH, "type_same", ()),
        (MISMATCH, "type_differs", ()),
        (UNSCORED, "unknown_boxes", ()),
        (UNSCORED, "unknown_boxes", ()),
    ]


# ----------------------------------------------------------------------------------------- totals


@pytest.mark.parametrize(
    ("gold", "answer", "right"),
    [
        (key(TYPE, "tea"), key(TYPE, "tea"), True),
        (key(TYPE, "tea"), key(TYPE, "green tea"), True),
        (key(TYPE, "green tea"), key(TYPE, "tea"), True),
        (key(TYPE, "tea"), key(TYPE, ""), True),
        (key(TYPE, "tea"), key(TYPE, " Tea"), True),
        (key(TYPE, "two  teas"), key(TYPE, "two teas"), True),
        (key(TYPE, "two teas"), key(TYPE, "two  teas"), False),
        (key(TYPE, 'it\'s \\ "tea"'), key(TYPE, "its tea"), True),
        (key(TYPE, "its tea"), key(TYPE, "it's tea"), False),
        (key(TYPE, "tea"), key(TYPE, "coffee"), False),
        (key(TYPE, "tea"), key(PRESS_BACK, "tea"), False),  # no match
        (key(PRESS_BACK), key(PRESS_BACK), True),  # no text, and yet it counts
        (tap(0.5, 0.5), tap(0.5, 0.5), True),
        (tap(0.5, 0.5), tap(0.9, 0.9), False),
    ],
)
def test_text_accuracy_asks_for_a_match_and_a_part(gold: Any, answer: Any, right: bool) -> None:
    assert judge_alone(step(gold, answer))["text_right"] == right


def test_steps_are_pooled_by_part_and_parts_averaged() -> None:
    marks = [("a", MATCH, True), ("a", MATCH, False), ("a", MISMATCH, False), ("b", MATCH, True)]
    marks.append(("b", UNSCORED, False))
    rows = [{"part": p, "outcome": o, "text_right": t} for p, o, t in marks]
    assert accuracies(rows) == {
        "parts": {"a": Fraction(2, 3), "b": 1},
        "mean": Fraction(5, 6),
        "text": {"a": Fraction(1, 3), "b": 1},
    }


# ------------------------------------------------------------------------------------------ cases


def test_the_runs_are_the_same_for_a_seed_and_reach_every_label_and_every_kind() -> None:
    drawn = list(runs(5, 2500))
    assert repr(drawn[:20]) == repr(list(runs(5, 2500))[:20])
    assert sum(map(len, drawn)) == 2500
    kinds, labels, firm = set(), set(), 0
    for run in drawn:
        left: dict[str, Any] = {}
        for case, verdict in zip(run, judge_run(run), strict=True):
            if case["answer"] is not None:
                read_into(left, case["answer"])
            whole = case["answer"] is not None and len(left) == 4
            silent = silent_kind(case["gold"], left if whole else None, case["boxes"])
            kinds.add(silent)
            labels.add(verdict["label"])
            firm += case["threshold"] and silent is None
    assert set(SILENT) <= kinds
    assert labels == {
        "tap_near", "tap_in_box", "tap_far", "tap_and_swipe", "axis_same", "axis_differs",
        "type_same", "type_differs", "no_boxes", "missing", "nothing_left", "unknown_boxes",
    }  # fmt: skip
    assert firm > 2500 / 5


def test_totals_cases_are_the_same_for_a_seed() -> None:
    assert list(totals_cases(3, 20)) == list(totals_cases(3, 20))
