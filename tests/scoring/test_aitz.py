"""AITZ's own rule, in the cases its description leaves open and the released code decides."""

from __future__ import annotations

import json

import pytest

from episodes import actions as a
from episodes.geometry import Box, Direction, Point
from episodes.verdicts import Outcome, Share, Verdict
from scoring.protocol import ScoredStep
from scoring.protocols import PROTOCOLS
from scoring.protocols.aitz import AitzGold, direction, overlap
from tests.scoring.made import EPISODE, did, imported, node, recorded, said, tap

RELEASED, LIFT = PROTOCOLS["aitz@2"], PROTOCOLS["aitz/lift@2"]
FIRST = PROTOCOLS["aitz/lift@1"]
BUTTON = [1000, 500, 200, 100]  # y, x, height, width in pixels of 1000x2000
CLICK = {"action_type": 4, "touch": [0.52, 0.53], "lift": [0.55, 0.55], "text": ""}
STEP = imported("aitz", **CLICK, boxes=[BUTTON])


def coat(action: str, **args) -> str:
    return json.dumps({"ACTION": action, "ARGS": args})


def on(step, prediction, protocol=LIFT) -> Verdict:
    return protocol.verdict(prediction, step, EPISODE)


def test_the_released_evaluator_leaves_the_gold_click_at_the_origin():
    right, corner = (
        coat("click_element", bbox=[500, 500, 600, 600]),
        coat("click", bbox=[0, 0, 9, 9]),
    )
    assert [on(STEP, said(raw), RELEASED).outcome.value for raw in (right, corner)] == [
        "mismatch",
        "match",
    ]
    assert [on(STEP, said(raw)).outcome.value for raw in (right, corner)] == ["match", "mismatch"]


def test_the_click_is_the_lift_in_whole_pixels():
    assert LIFT.gold(STEP, EPISODE) == AitzGold(
        "click", "", (550, 1100), ((500, 1000, 600, 1200),), STEP.frame.size
    )
    assert "(550, 1100)" in on(STEP, tap(9, 9)).reason


def test_both_boxes_are_made_larger_before_their_overlap_is_taken():
    beside = Box(505, 1105, 605, 1305)  # a little below the click, by half its height
    found = on(STEP, did(a.Tap(beside)))
    large = (490, 980, 610, 1220), (495, 1085, 615, 1325)
    if found.rule == "overlap":
        assert found.parts["overlap"] == pytest.approx(overlap(*large))
    assert found.rule in ("overlap", "box-holds-click")


def test_an_overlap_of_exactly_one_half_is_wrong_and_more_is_right():
    step = imported("aitz", **{**CLICK, "lift": [0.5, 0.5]}, boxes=[[800, 400, 300, 150]])
    outcomes = {}
    for right in (599, 600, 700, 800):
        found = on(step, did(a.Tap(Box(600 - 150, 1101, right, 1401))))
        outcomes[right] = (found.rule, found.parts.get("overlap", 0) > 0.5)
        assert (found.outcome is Outcome.MATCH) == (
            found.rule == "box-holds-click" or found.parts["overlap"] > 0.5
        )
    assert {rule for rule, _ in outcomes.values()} == {"overlap"}


def test_a_point_is_a_box_without_size():
    assert on(STEP, tap(550, 1100)).rule == "box-holds-click"
    assert on(STEP, tap(551, 1100)).outcome is Outcome.MISMATCH


def test_a_click_without_boxes_on_the_screen_stops_the_original_unless_it_is_hit():
    bare = imported("aitz", **CLICK, boxes=[])
    hit, missed = (
        on(bare, did(a.Tap(box))) for box in (Box(500, 1000, 600, 1200), Box(0, 0, 9, 9))
    )
    assert (hit.outcome, missed.rule) == (Outcome.MATCH, "no-boxes")
    assert "the original stops here" in missed.reason


@pytest.mark.parametrize(
    ("touch", "lift", "way"),
    [
        ((0.5, 0.5), (0.41, 0.4), "up"),
        ((0.5, 0.5), (0.591, 0.6), "down"),
        ((0.5, 0.5), (0.588, 0.6), "right"),
        ((0.5, 0.5), (0.5, 0.4), "left"),
    ],
)
def test_a_scroll_is_vertical_as_soon_as_it_is_nearly_as_far_down_as_across(touch, lift, way):
    assert direction(touch, lift) == way


@pytest.mark.parametrize(
    ("text", "outcome", "rule"),
    [
        ("pizza", "match", "text-contains"),
        ("", "match", "text-contains"),
        ("Pizza", "mismatch", "text-similarity"),
        ("pizzas nearme", "match", "text-similarity"),
    ],
)
def test_typed_text_is_right_in_parts_or_nearly(text, outcome, rule):
    step = imported("aitz", action_type=3, touch=[-1, -1], lift=[-1, -1], text="pizza near me")
    found = on(step, said(coat("input", text=text)))
    assert (found.outcome.value, found.rule) == (outcome, rule)


def test_upper_and_lower_case_of_a_direction_differ():
    step = imported("aitz", **{**CLICK, "touch": [0.8, 0.5], "lift": [0.2, 0.5]}, boxes=[])
    assert on(step, said(coat("scroll", direction="up"))).outcome is Outcome.MATCH
    assert on(step, said(coat("scroll", direction="UP"))).outcome is Outcome.MISMATCH
    assert on(step, did(a.Scroll(Direction.UP))).outcome is Outcome.MATCH


def test_the_data_set_s_sentence_describes_the_step():
    told = {**CLICK, "boxes": [], "description": "scroll left to see more"}
    step = imported("aitz", **told)
    assert LIFT.gold(step, EPISODE) == AitzGold("scroll", "left", size=step.frame.size)
    odd = imported("aitz", **{**told, "description": "wait a moment"})
    assert on(odd, tap(1, 1)).rule == "no-gold"


@pytest.mark.parametrize(
    ("raw", "rule"),
    [
        (coat("dance"), "unreadable"),
        (coat("click", bbox=[1, 2]), "unreadable"),
        (coat("press"), "unreadable"),
        (coat("type", text=None), "type"),
        (coat("stop", bbox=[1, 2]), "unreadable"),
        (coat("click"), "no-box"),
        (coat("click", idx=4), "no-box"),
        (coat("press_home"), "type"),
        ('{"ACTION": ' + "[" * 9_999, "unreadable"),
    ],
)
def test_an_answer_of_coat_is_read_as_its_evaluator_does(raw, rule):
    assert on(STEP, said(raw)).rule == rule


def test_a_text_that_is_none_ends_the_original_only_where_a_text_is_asked_for():
    typed = imported("aitz", action_type=3, touch=[-1, -1], lift=[-1, -1], text="tea")
    answer = said(coat("type", text=None))
    found = on(typed, answer)
    assert (found.outcome, found.rule) == (Outcome.MISMATCH, "unreadable")
    assert on(STEP, answer).parts["format"] is True
    assert on(STEP, answer, FIRST).parts["format"] is False


def test_a_click_with_a_number_alone_is_wrong_and_was_left_out_by_version_1():
    found = on(STEP, said(coat("click", idx=4)))
    assert (found.outcome, found.reason) == (
        Outcome.MISMATCH,
        "The prediction has an element's number and no box; only boxes are compared.",
    )
    assert on(STEP, said(coat("click", idx=4)), FIRST).rule == "no-place"
    both = said(coat("click", idx=4, bbox=[500, 500, 600, 600]))
    assert [on(STEP, both, rules).outcome for rules in (LIFT, FIRST)] == [Outcome.MATCH] * 2


@pytest.mark.parametrize("protocol", ["aitz@2", "aitz/lift@2", "aitz/agentcpm@2", "aitw@1"])
@pytest.mark.parametrize("answer", [Box(500, 1000, 600, 1200), Box(0, 0, 9, 9), Box(1, 1, 999, 1)])
def test_boxes_in_fractions_give_the_verdict_of_those_in_pixels(protocol, answer):
    shares = [[1000 / 2000, 500 / 1000, 200 / 2000, 100 / 1000]]
    prepared = imported("aitz", **CLICK, boxes=shares, box_unit="fraction")
    verdicts = [on(step, did(a.Tap(answer)), PROTOCOLS[protocol]) for step in (STEP, prepared)]
    assert verdicts[0] == verdicts[1]


def test_complete_and_impossible_are_equal_and_buttons_differ():
    stop = imported("aitz", action_type=11, touch=[-1, -1], lift=[-1, -1], text="")
    assert on(stop, did(a.Finish(a.Ending.COMPLETE))).outcome is Outcome.MATCH
    home = imported("aitz", action_type=6, touch=[-1, -1], lift=[-1, -1], text="")
    assert on(home, said(coat("press_home"))).outcome is Outcome.MATCH
    found = on(home, did(a.PressKey(a.Key.ENTER)))
    assert found.reason == "The gold's button is home, the prediction's enter."


def test_a_missing_answer_is_wrong():
    assert (on(STEP, None).outcome, on(STEP, None).rule) == (Outcome.MISMATCH, "missing")


def test_a_recorded_tap_is_judged_by_the_boxes_of_its_tree():
    step = recorded(a.Tap(Point(550, 1100)), node("[500,1000][600,1200]", clickable=True))
    found = on(step, did(a.Tap(Box(495, 1080, 605, 1290))))
    assert found.outcome is Outcome.MATCH
    assert on(recorded(a.Tap(Point(1, 1))), tap(1, 1)).rule == "no-gold"


def test_the_numbers_are_pooled_over_steps_and_taken_over_episodes():
    def step(episode: str, index: int, kind: str, right: bool) -> ScoredStep:
        parts = {"kind": kind, "type": True, "format": True}
        outcome = Outcome.MATCH if right else Outcome.MISMATCH
        return ScoredStep(episode, index, Verdict(outcome, "x", "", parts), declared_steps=2)

    steps = [
        step("a", 0, "click", True),
        step("a", 1, "stop", True),
        step("b", 0, "click", False),
        step("b", 1, "stop", True),
    ]
    values = LIFT.aggregate(steps).values
    assert {name: metric.value for name, metric in values.items()} == {
        "exact_acc": 75.0,
        "type_acc": 100.0,
        "hit_rate": 100.0,
        "success_rate": 50.0,
        "goal_progress": 50.0,
        "exact_acc/click": 50.0,
        "type_acc/click": 100.0,
        "exact_acc/stop": 100.0,
        "type_acc/stop": 100.0,
    }
    assert values["exact_acc"].share == Share(3, 4)
