"""Auto-GUI's loop: what it keeps of answers before, its targets, and its numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from episodes import actions as a
from episodes.runs import Run
from episodes.verdicts import Outcome
from replay.score_runs import group_predictions, score
from scoring.protocols import PROTOCOLS
from scoring.protocols.aitw_answers import AitwAction
from scoring.protocols.aitw_auto_gui import FOUR, TWO, target_action
from tests.scoring.made import EPISODE, did, imported, said

AUTO_GUI, BEFORE_FIX = PROTOCOLS["aitw/auto-gui@2"], PROTOCOLS["aitw/auto-gui@1"]
BOXES = [[5.0, 5.0, 0.1, 0.1]]


def text(kind: str, touch: str, lift: str, typed: str = "") -> str:
    return (
        f'Action Plan: [DUAL_POINT] ; Action Decision: "action_type": "{kind}", '
        f'"touch_point": "{touch}", "lift_point": "{lift}", "typed_text": "{typed}"'
    )


def judged(golds: list[dict], raws: list[str]) -> list[tuple[str, str, str | None]]:
    """Outcome, rule and what was reused of each step of one run."""
    steps = tuple(
        replace(imported("aitw", **gold, boxes=BOXES), index=index)
        for index, gold in enumerate(golds)
    )
    episode = replace(EPISODE, steps=steps)
    predictions = [replace(said(raw), step=index) for index, raw in enumerate(raws)]
    found = score(Run("r", "raw"), [episode], group_predictions(predictions), AUTO_GUI).steps
    return [
        (one.verdict.outcome.value, one.verdict.rule, one.verdict.parts.get("reused"))
        for one in found
    ]


def dual(touch: list[float], lift: list[float]) -> dict:
    return {"action_type": 4, "touch": touch, "lift": lift, "text": ""}


HOME = {"action_type": 6, "touch": [-1, -1], "lift": [-1, -1], "text": ""}
TAPPED = dual([0.5, 0.5], [0.5, 0.5])


def test_an_unreadable_answer_is_judged_with_the_one_before_it():
    raws = [text("PRESS_HOME", "[-1.0, -1.0]", "[-1.0, -1.0]"), "I do not know.", "Nor now."]
    assert judged([HOME, HOME, TAPPED], raws) == [
        ("match", "type", None),
        ("match", "type", "touch, lift, kind, text"),
        ("mismatch", "type", "touch, lift, kind, text"),
    ]


def test_what_could_be_read_before_the_failure_is_the_new_answer_s():
    broken = text("DUAL_POINT", "[0.5, 0.5]", "[0.5, somewhere]")
    raws = [text("DUAL_POINT", "[0.1, 0.1]", "[0.1, 0.1]"), broken]
    # The new touch with the old lift is a drag, where the gold taps.
    assert judged([TAPPED, TAPPED], raws) == [
        ("mismatch", "distance", None),
        ("mismatch", "tap-or-drag", "lift, kind, text"),
    ]


def test_an_unreadable_first_answer_stops_the_original():
    assert judged([HOME], ["?"]) == [("mismatch", "unreadable", None)]


def test_a_missing_prediction_is_wrong_and_reuses_nothing():
    found = AUTO_GUI.verdict(None, imported("aitw", **HOME, boxes=BOXES), EPISODE)
    assert (found.outcome, found.rule) == (Outcome.MISMATCH, "missing")
    assert "the original stops here" in found.reason


@pytest.mark.parametrize(
    "evil",
    [
        text("DUAL_POINT", "__import__('os').getcwd()", "[0.5, 0.5]"),
        "Action Decision: __import__('os').getcwd()",
        'Action Decision: "touch_point": "' + "(" * 5000,
        "Action Decision: " + "[" * 19_000,
    ],
)
def test_nothing_of_an_answer_is_run(evil):
    assert judged([HOME], [evil]) == [("mismatch", "unreadable", None)]


def test_answers_of_other_dialects_are_kept_for_the_next_one_too():
    carry = AUTO_GUI.carry()
    step = imported("aitw", **HOME, boxes=BOXES)
    first = did(a.PressKey(a.Key.HOME))
    assert carry(first, step) == first
    second = carry(said("?"), step)
    assert AUTO_GUI.verdict(second, step, EPISODE).outcome is Outcome.MATCH


@pytest.mark.parametrize(
    ("touch", "lift", "target", "before"),
    [
        ((0.123456, 0.5), (0.13, 0.51), ((0.1235, 0.5), (0.1235, 0.5)), None),
        ((0.8, 0.5), (0.3, 0.5), ((0.8, 0.5), (0.2, 0.5)), None),
        ((0.3, 0.5), (0.8, 0.5), ((0.2, 0.5), (0.8, 0.5)), None),
        ((0.5, 0.8), (0.5, 0.3), ((0.5, 0.8), (0.5, 0.2)), ((0.8, 0.5), (0.2, 0.5))),
        ((0.5, 0.3), (0.5, 0.8), ((0.5, 0.2), (0.5, 0.8)), ((0.2, 0.5), (0.8, 0.5))),
    ],
)
def test_the_target_rounds_taps_and_replaces_drags_by_a_stroke(touch, lift, target, before):
    found = target_action(AitwAction(4, touch, lift), FOUR)
    assert (found.touch, found.lift) == target
    found = target_action(AitwAction(4, touch, lift), TWO)
    assert (found.touch, found.lift) == (before or target)


def test_a_drag_to_the_left_is_horizontal_since_the_fix_and_vertical_before_it():
    step = imported("aitw", **dual([0.5, 0.8], [0.5, 0.2]), boxes=BOXES)
    left = said(text("DUAL_POINT", "[0.5, 0.8]", "[0.5, 0.2]"))
    upward = said(text("DUAL_POINT", "[0.8, 0.5]", "[0.2, 0.5]"))
    outcomes = [
        [rules.verdict(prediction, step, EPISODE).outcome.value for prediction in (left, upward)]
        for rules in (AUTO_GUI, BEFORE_FIX)
    ]
    assert outcomes == [["match", "mismatch"], ["mismatch", "match"]]


def test_text_accuracy_asks_for_a_match_and_a_part_of_the_text():
    gold = {"action_type": 3, "touch": [-1, -1], "lift": [-1, -1], "text": 'Best "Pizza"'}
    step = imported("aitw", **gold, boxes=BOXES)
    texts = ["pizza", "Best Pizza now", "pasta", ""]
    found = [
        AUTO_GUI.verdict(said(text("TYPE", "[-1, -1]", "[-1, -1]", typed)), step, EPISODE)
        for typed in texts
    ]
    assert [one.parts["text"] for one in found] == [True, True, False, True]
    assert all(one.outcome is Outcome.MATCH for one in found)


def test_accuracy_pools_the_steps_of_a_part_and_averages_the_parts():
    def run(part: str, rights: str):
        return [
            replace(one, category=part, episode=f"{part}{number}")
            for number, right in enumerate(rights)
            for one in scored(right)
        ]

    def scored(right: str):
        raw = text("PRESS_HOME" if right == "1" else "PRESS_BACK", "[-1, -1]", "[-1, -1]")
        episode = replace(EPISODE, steps=(imported("aitw", **HOME, boxes=BOXES),))
        return score(Run("r", "raw"), [episode], group_predictions([said(raw)]), AUTO_GUI).steps

    values = AUTO_GUI.aggregate([*run("general", "1110"), *run("install", "0")]).values
    assert {name: metric.value for name, metric in values.items()} == {
        "accuracy": 37.5,
        "accuracy/pooled": 60.0,
        "accuracy/general": 75.0,
        "text_acc/general": 75.0,
        "type_acc/general": 75.0,
        "accuracy/install": 0.0,
        "text_acc/install": 0.0,
        "type_acc/install": 0.0,
    }
